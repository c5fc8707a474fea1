use std::cmp::Reverse;

use strsim::damerau_levenshtein;

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
/// Letters of each of two words that are taken apart or put together.
const SHORTEST_PART: usize = 4;

/// Finds the word of a vocabulary that a misspelt one most likely is, by Damerau-Levenshtein distance
/// (edits and transpositions): one edit, two for eight letters and more. Where no word is one edit
/// away, a word that is two of the vocabulary written together is taken apart.
///
/// Words with digits, with three letters or fewer, and words of the vocabulary are left alone. Of
/// equally near words the one with the same first letter is preferred, then the more frequent, then
/// the first in order; two edits never change the first letter, which people get right: "whooping"
/// is not "shopping".
#[must_use]
pub fn correct<'v>(
    word: &str,
    vocabulary: impl Iterator<Item = (&'v str, u32)>,
    is_word: impl Fn(&str) -> bool,
) -> Option<Correction> {
    let length = word.chars().count();
    if length < SHORTEST || !word.chars().all(char::is_alphabetic) {
        return None;
    }
    let allowed = if length >= TWO_EDITS { 2 } else { 1 };
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
        if letters_apart(word, candidate) > 2 * allowed {
            continue;
        }
        let distance = damerau_levenshtein(word, candidate);
        let other_first = candidate.as_bytes().first() != word.as_bytes().first();
        if distance > allowed || (other_first && distance > 1) {
            continue;
        }
        let rank = (distance, other_first, Reverse(frequency));
        if best.as_ref().is_none_or(|(found, _)| rank < *found) {
            best = Some((rank, candidate));
        }
    }
    let is_near = best.as_ref().is_some_and(|((distance, ..), _)| *distance == 1);
    let apart = if is_near { None } else { apart(word, is_word) };
    let corrected = apart.or_else(|| best.map(|(_, corrected)| corrected.to_owned()))?;
    Some(Correction { original: word.to_owned(), corrected })
}

/// How many letters one has that the other lacks, both ways: no edit changes it by more than two, and
/// it takes a hundredth of the time of the distance.
fn letters_apart(one: &str, other: &str) -> usize {
    let mut counts = [0i32; 26];
    let place = |letter: u8| usize::from(letter.wrapping_sub(b'a')).min(25);
    one.bytes().for_each(|letter| counts[place(letter)] += 1);
    other.bytes().for_each(|letter| counts[place(letter)] -= 1);
    counts.iter().map(|count| count.unsigned_abs() as usize).sum()
}

/// The two words that were written together: the parts as equal in length as can be.
fn apart(word: &str, is_word: impl Fn(&str) -> bool) -> Option<String> {
    if !word.is_ascii() || word.len() < 2 * SHORTEST_PART {
        return None;
    }
    let places = SHORTEST_PART..=word.len() - SHORTEST_PART;
    let parts = places.map(|at| word.split_at(at));
    parts
        .filter(|(first, second)| is_word(first) && is_word(second))
        .min_by_key(|(first, second)| first.len().abs_diff(second.len()))
        .map(|(first, second)| format!("{first} {second}"))
}

/// The words of a query joined where the vocabulary has two neighbors as one word: "gall bladder"
/// is "gallbladder". `None` where it has none.
#[must_use]
pub fn joined(words: &[&str], is_word: impl Fn(&str) -> bool) -> Option<String> {
    let fits = |pair: &[&str]| {
        pair.iter().all(|word| word.len() >= SHORTEST_PART && word.chars().all(char::is_alphabetic))
            && is_word(&pair.concat())
    };
    let at = words.windows(2).position(fits)?;
    let together = words[at..at + 2].concat();
    let before = words[..at].iter().copied();
    let after = words[at + 2..].iter().copied();
    Some(before.chain([together.as_str()]).chain(after).collect::<Vec<_>>().join(" "))
}
