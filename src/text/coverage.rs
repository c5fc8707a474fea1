use std::ops::Range;

use super::token::{Role, Token};

/// One word of a query before it is compared with designations.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryToken {
    /// The word itself.
    pub token: Token,
    /// Stems that mean the same to a clinician, each with how much a match counts, 0..1.
    pub alternatives: Vec<(String, f32)>,
    /// Whether the word may be the beginning of a longer one (the last word being typed).
    pub prefix: bool,
}

/// The same word by numbers: those that a vocabulary gives its words and stems.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryWord {
    /// The stems that match, each with how much a match counts: the word's own with 1.
    pub stems: Vec<(u32, f32)>,
    /// The words that begin with this one, where it may be the beginning of a longer one.
    pub beginnings: Range<u32>,
    /// Its length in bytes.
    pub length: u32,
    /// What it does in the query.
    pub role: Role,
    /// Whether the query takes back what it says.
    pub negated: bool,
    /// What it weighs: its idf, not negative.
    pub weight: f32,
}

/// One word of a designation by numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NameWord {
    /// The number of the word.
    pub word: u32,
    /// The number of its stem.
    pub stem: u32,
    /// Its length in bytes.
    pub length: u32,
    /// Whether it stands in brackets beside other words.
    pub optional: bool,
    /// What it does in the designation.
    pub role: Role,
    /// Whether the designation takes back what it says.
    pub negated: bool,
    /// What it weighs: its idf, not negative.
    pub weight: f32,
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

/// Compares a query with a designation. `credits` gets, for each word of the query, how far the
/// designation has it, 0..=1.
///
/// Law: replacing a designation's word by one that the query has never lowers either share, and a
/// word added to the designation that the query lacks never raises one.
pub fn coverage(query: &[QueryWord], name: &[NameWord], credits: &mut Vec<f32>) -> Coverage {
    credits.clear();
    let mut used = [0f32; MOST_WORDS];
    // No title has as many words as there are places; of longer texts the end counts for less.
    let name = &name[..name.len().min(MOST_WORDS)];
    let (mut asked, mut found) = (0f32, 0f32);
    let mut negation_differs = false;
    for wanted in query {
        let weight = wanted.weight();
        let mut best: Option<(usize, f32)> = None;
        for (at, word) in name.iter().enumerate() {
            let credit = wanted.credit(word);
            if credit > best.map_or(0.0, |(_, credit)| credit) {
                best = Some((at, credit));
            }
        }
        credits.push(best.map_or(0.0, |(_, credit)| credit));
        if weight == 0.0 {
            continue;
        }
        asked += weight;
        if let Some((at, credit)) = best {
            negation_differs |= wanted.negated != name[at].negated;
            found += weight * credit;
            used[at] = used[at].max(credit);
        }
    }
    let (mut said, mut heard) = (0f32, 0f32);
    for (word, credit) in name.iter().zip(used) {
        if word.optional && credit == 0.0 {
            continue;
        }
        let weight = weight(word.role, word.weight);
        said += weight;
        heard += weight * credit;
    }
    let part =
        |part: f32, whole: f32| if whole > 0.0 { (part / whole).clamp(0.0, 1.0) } else { 0.0 };
    Coverage { query: part(found, asked), designation: part(heard, said), negation_differs }
}

/// Words of a designation that are compared.
const MOST_WORDS: usize = 256;

/// The share of a query's weight that these credits of its words make up, 0..=1.
#[must_use]
pub fn share(query: &[QueryWord], credits: &[f32]) -> f32 {
    let (mut asked, mut found) = (0f32, 0f32);
    for (wanted, credit) in query.iter().zip(credits) {
        asked += wanted.weight();
        found += wanted.weight() * credit;
    }
    if asked > 0.0 { (found / asked).clamp(0.0, 1.0) } else { 0.0 }
}

impl QueryWord {
    fn weight(&self) -> f32 {
        weight(self.role, self.weight)
    }

    fn credit(&self, word: &NameWord) -> f32 {
        let by_stem = self.stems.iter().filter(|(stem, _)| *stem == word.stem);
        let mut credit = by_stem.map(|(_, credit)| *credit).fold(0.0, f32::max);
        if credit < 1.0 && self.beginnings.contains(&word.word) {
            #[allow(clippy::cast_precision_loss, reason = "words are short")]
            let typed = self.length as f32 / word.length.max(1) as f32;
            credit = credit.max(PREFIX_CREDIT * typed.min(1.0).sqrt());
        }
        // A word that one affirms and the other takes back is hardly the same word.
        if self.negated == word.negated { credit } else { NEGATED_CREDIT * credit }
    }
}

fn weight(role: Role, idf: f32) -> f32 {
    match role {
        Role::Content => idf,
        Role::Function => FUNCTION_WORD_WEIGHT * idf,
        Role::Qualifier => 0.0,
    }
}
