use super::qualifier::{is_function_word, is_qualifier};
use super::token::Token;

/// One word of a query as it is compared with designations.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryToken {
    /// The word itself.
    pub token: Token,
    /// Stems that mean the same to a clinician, each with how much a match counts, 0..1.
    pub alternatives: Vec<(String, f32)>,
    /// Whether the word may be the beginning of a longer one (the last word being typed).
    pub prefix: bool,
}

/// How far a query and a designation cover each other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Coverage {
    /// Share of the query's weight found in the designation, 0..1.
    pub query: f32,
    /// Share of the designation's weight found in the query, 0..1.
    pub designation: f32,
    /// Whether one says "with" or nothing where the other says "without", "no" or "not".
    pub negation_differs: bool,
}

/// A prefix counts by how much of the word was typed, but never as much as the whole word.
const PREFIX_CREDIT: f32 = 0.9;
/// Function words weigh a tenth: "cancer of lung" and "lung cancer" differ, but hardly.
const FUNCTION_WORD_WEIGHT: f32 = 0.1;

/// Compares a query with a designation, both weighted by `weight` of a stem (its idf).
///
/// Law: replacing a designation's word by one that the query has never lowers either share, and a
/// word added to the designation that the query lacks never raises one.
#[must_use]
pub fn coverage(
    query: &[QueryToken],
    designation: &[Token],
    mut weight: impl FnMut(&str) -> f32,
) -> Coverage {
    let mut used = vec![0f32; designation.len()];
    let (mut asked, mut found) = (0f32, 0f32);
    for wanted in query {
        let w = word_weight(&wanted.token, &mut weight);
        if w == 0.0 {
            continue;
        }
        asked += w;
        let best = designation
            .iter()
            .enumerate()
            .map(|(at, token)| (at, credit(wanted, token)))
            .filter(|(_, credit)| *credit > 0.0)
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        if let Some((at, credit)) = best {
            found += w * credit;
            used[at] = used[at].max(credit);
        }
    }
    let (mut said, mut heard) = (0f32, 0f32);
    for (token, credit) in designation.iter().zip(&used) {
        if token.optional && *credit == 0.0 {
            continue;
        }
        let w = word_weight(token, &mut weight);
        said += w;
        heard += w * credit;
    }
    let share =
        |part: f32, whole: f32| if whole > 0.0 { (part / whole).clamp(0.0, 1.0) } else { 0.0 };
    Coverage {
        query: share(found, asked),
        designation: share(heard, said),
        negation_differs: negation_differs(query, designation),
    }
}

fn word_weight(token: &Token, weight: &mut impl FnMut(&str) -> f32) -> f32 {
    if is_qualifier(&token.word) {
        0.0
    } else if is_function_word(&token.word) {
        FUNCTION_WORD_WEIGHT * weight(&token.stem)
    } else {
        weight(&token.stem)
    }
}

fn credit(wanted: &QueryToken, token: &Token) -> f32 {
    if wanted.token.stem == token.stem {
        return 1.0;
    }
    let alternative = wanted
        .alternatives
        .iter()
        .filter(|(stem, _)| *stem == token.stem)
        .map(|(_, credit)| *credit)
        .fold(0.0, f32::max);
    let prefix = if wanted.prefix && token.word.starts_with(&wanted.token.word) {
        #[allow(clippy::cast_precision_loss, reason = "words are short")]
        let typed = wanted.token.word.len() as f32 / token.word.len() as f32;
        PREFIX_CREDIT * typed.sqrt()
    } else {
        0.0
    };
    alternative.max(prefix)
}

fn negation_differs(query: &[QueryToken], designation: &[Token]) -> bool {
    let negates = |word: &str| matches!(word, "without" | "no" | "not" | "non" | "denies");
    let asked = query.iter().any(|wanted| negates(&wanted.token.word));
    let affirmed = query.iter().any(|wanted| wanted.token.word == "with");
    let said = designation.iter().any(|token| negates(&token.word));
    let both = designation.iter().any(|token| token.word == "with");
    (asked && !said) || (affirmed && said && !both)
}
