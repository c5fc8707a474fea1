use super::token::{Role, Token};

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
    /// Whether one affirms a word that the other takes back with "without", "no" or "not".
    pub negation_differs: bool,
}

/// A prefix counts by how much of the word was typed, but never as much as the whole word.
const PREFIX_CREDIT: f32 = 0.9;
/// Function words weigh a tenth: "cancer of lung" and "lung cancer" differ, but hardly.
const FUNCTION_WORD_WEIGHT: f32 = 0.1;

/// What is left of a match between a word and its negation.
const NEGATED_CREDIT: f32 = 0.3;

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
    let mut negation_differs = false;
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
            negation_differs |= wanted.token.negated != designation[at].negated;
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
    Coverage { query: share(found, asked), designation: share(heard, said), negation_differs }
}

/// For each word of a query, how far a designation has it, 0..=1.
#[must_use]
pub fn credits(query: &[QueryToken], designation: &[Token]) -> Vec<f32> {
    let best = |wanted| designation.iter().map(|token| credit(wanted, token)).fold(0.0, f32::max);
    query.iter().map(best).collect()
}

/// The share of a query's weight that these credits of its words make up, 0..=1.
#[must_use]
pub fn share(query: &[QueryToken], credits: &[f32], mut weight: impl FnMut(&str) -> f32) -> f32 {
    let (mut asked, mut found) = (0f32, 0f32);
    for (wanted, credit) in query.iter().zip(credits) {
        let w = word_weight(&wanted.token, &mut weight);
        asked += w;
        found += w * credit;
    }
    if asked > 0.0 { (found / asked).clamp(0.0, 1.0) } else { 0.0 }
}

fn word_weight(token: &Token, weight: &mut impl FnMut(&str) -> f32) -> f32 {
    match token.role {
        Role::Content => weight(&token.stem),
        Role::Function => FUNCTION_WORD_WEIGHT * weight(&token.stem),
        Role::Qualifier => 0.0,
    }
}

fn credit(wanted: &QueryToken, token: &Token) -> f32 {
    if wanted.token.stem == token.stem {
        return against_negation(wanted, token, 1.0);
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
    against_negation(wanted, token, alternative.max(prefix))
}

/// A word that one affirms and the other takes back is hardly the same word.
fn against_negation(wanted: &QueryToken, token: &Token, credit: f32) -> f32 {
    if wanted.token.negated == token.negated { credit } else { NEGATED_CREDIT * credit }
}
