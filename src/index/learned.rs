//! Abbreviations that the terminology itself gives: "GERD" where a name is "Gastro-esophageal reflux
//! disease (GERD)", "TSD" where one is "Tay-Sachs disease".

use std::cmp::Reverse;

use crate::terminology::{ConceptOrd, DesignationOrd, DesignationUse};
use crate::text::{Rewrite, RewriteKind, normalize, short_forms};

use super::TerminologyIndex;

/// At most this many names are tried for one short form.
const MOST_SENSES: usize = 4;
/// First letters that stand for more concepts than this stand for none.
const MOST_GUESSED: usize = 8;

/// How good a name is for a short form: whether it states the form, whether it is a preferred name,
/// how short it is, and where it stands.
type Rank = (Reverse<bool>, Reverse<bool>, usize, DesignationOrd);

/// The readings of a query in which a short form of the terminology is written out.
pub(super) fn learned(query: &str, index: &TerminologyIndex) -> Vec<Rewrite> {
    let words: Vec<&str> = query.split_whitespace().collect();
    let mut readings = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if !looks_short(word, words.len()) {
            continue;
        }
        let senses = senses(word, index);
        for sense in &senses {
            let mut written = words.clone();
            written[at] = sense;
            readings.push(Rewrite {
                text: written.join(" "),
                from: normalize(word),
                to: sense.clone(),
                kind: RewriteKind::Abbreviation,
                senses: senses.len(),
            });
        }
    }
    readings
}

/// A word in capitals, or one that stands alone and is no longer than a short form.
fn looks_short(word: &str, words: usize) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic());
    let capitals = letters.clone().filter(|c| c.is_uppercase()).count();
    let length = word.chars().filter(|c| c.is_alphanumeric()).count();
    (2..=8).contains(&length) && (capitals >= 2 || (words == 1 && length <= 6))
}

fn senses(word: &str, index: &TerminologyIndex) -> Vec<String> {
    let short: String = normalize(word).chars().filter(|c| *c != ' ').collect();
    let is_word = index.lexical.words().find_word(&short).is_some();
    let records = &index.records;
    let mut found: Vec<(Rank, ConceptOrd, String)> = Vec::new();
    for ord in index.lexical.shortened(&short) {
        let name = records.designation(ord);
        if !name.use_.names_literally() || name.use_ == DesignationUse::WordBag {
            continue;
        }
        // The table is by hash, and a word of the release is not guessed to be first letters.
        let forms = short_forms(name.value).into_iter();
        let form = forms.filter(|form| form.is_stated || !is_word).find(|form| form.short == short);
        if let Some(form) = form {
            let is_display = name.use_ == DesignationUse::Display;
            let rank = (Reverse(form.is_stated), Reverse(is_display), form.full.len(), ord);
            found.push((rank, records.owner(ord), form.full));
        }
    }
    found.sort();
    let is_stated = found.first().is_some_and(|(rank, ..)| rank.0.0);
    let mut concepts: Vec<ConceptOrd> = Vec::new();
    let mut senses: Vec<String> = Vec::new();
    for ((stated, ..), concept, full) in found {
        if concepts.contains(&concept) || (is_stated && !stated.0) {
            continue;
        }
        concepts.push(concept);
        if !senses.iter().any(|other| normalize(other) == normalize(&full)) {
            senses.push(full);
        }
    }
    if !is_stated && concepts.len() > MOST_GUESSED {
        return Vec::new();
    }
    senses.truncate(MOST_SENSES);
    senses
}
