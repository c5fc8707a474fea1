use std::cmp::Reverse;

use strsim::osa_distance;

/// A word of a query that the terminology does not have, and the word it was taken for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    /// The word as typed, normalized.
    pub original: String,
    /// The terminology's word.
    pub corrected: String,
}

/// How good a candidate is, the least best: its distance, whether its first letter is another one,
/// and how frequent it is.
type Rank = (usize, bool, Reverse<u32>);

/// Words shorter than this are never corrected: too many others are one letter away.
const SHORTEST: usize = 4;
/// Words from this length on may differ by two edits.
const TWO_EDITS: usize = 8;

/// Finds the word of a vocabulary that a misspelt one most likely is, by optimal string alignment
/// distance (edits and transpositions of neighbors): one edit, two for eight letters and more.
///
/// Words with digits, with three letters or fewer, and words of the vocabulary are left alone. Of
/// equally near words the one with the same first letter is preferred, then the more frequent, then
/// the first in order.
#[must_use]
pub fn correct<'v>(
    word: &str,
    vocabulary: impl Iterator<Item = (&'v str, u32)>,
) -> Option<Correction> {
    let length = word.chars().count();
    if length < SHORTEST || !word.chars().all(char::is_alphabetic) {
        return None;
    }
    let allowed = if length >= TWO_EDITS { 2 } else { 1 };
    let first = word.chars().next();
    let mut best: Option<(Rank, &str)> = None;
    for (candidate, frequency) in vocabulary {
        if candidate == word {
            return None;
        }
        if candidate.len().abs_diff(word.len()) > allowed
            || !candidate.bytes().all(|b| b.is_ascii_lowercase())
        {
            continue;
        }
        let distance = osa_distance(word, candidate);
        if distance > allowed {
            continue;
        }
        let rank = (distance, candidate.chars().next() != first, Reverse(frequency));
        if best.as_ref().is_none_or(|(found, _)| rank < *found) {
            best = Some((rank, candidate));
        }
    }
    best.map(|(_, corrected)| Correction {
        original: word.to_owned(),
        corrected: corrected.to_owned(),
    })
}
