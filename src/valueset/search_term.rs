//! Whether a text is one that is looked for.

use std::ops::Deref;

use super::ecl::{SearchKind, SearchTerm};

/// A text to look for, prepared.
pub(super) enum Wanted {
    /// Each is the beginning of a word.
    Words(Vec<String>),
    /// The whole text, letter by letter.
    Pattern(Vec<Letter>),
}

/// A letter of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Letter {
    /// This one, in either case.
    One(char),
    /// Any letters, or none.
    Any,
}

impl Wanted {
    pub(super) fn new(term: &SearchTerm, normalize: impl Fn(&str) -> String) -> Self {
        match term.kind {
            SearchKind::Match => {
                let letters = unescaped(&term.text).map(|letter| match letter {
                    Letter::One(letter) => letter,
                    Letter::Any => '*',
                });
                let normal = normalize(&letters.collect::<String>());
                Self::Words(normal.split_whitespace().map(str::to_owned).collect())
            }
            SearchKind::Wild => {
                let lower = |letter| match letter {
                    Letter::One(letter) => letter.to_lowercase().map(Letter::One).collect(),
                    Letter::Any => vec![Letter::Any],
                };
                Self::Pattern(unescaped(&term.text).flat_map(lower).collect())
            }
        }
    }

    /// How many words it has, patterns being one.
    pub(super) fn size(&self) -> u64 {
        match self {
            Self::Words(words) => words.len() as u64,
            Self::Pattern(_) => 1,
        }
    }

    /// Whether a text has what is looked for; `normal` is the text normalized, which is only made
    /// where it is needed.
    pub(super) fn is_in(&self, text: &str, normal: &impl Deref<Target = String>) -> bool {
        match self {
            // Signs alone are no words, and are in no text.
            Self::Words(words) => {
                let is_there = |word: &String| {
                    normal.split_whitespace().any(|own| own.starts_with(word.as_str()))
                };
                !words.is_empty() && words.iter().all(is_there)
            }
            Self::Pattern(pattern) => {
                let letters: Vec<char> = text.chars().flat_map(char::to_lowercase).collect();
                is_like(&letters, pattern)
            }
        }
    }
}

/// The letters of a text without its backslashes; a star with one is a letter.
fn unescaped(text: &str) -> impl Iterator<Item = Letter> {
    let mut letters = text.chars();
    std::iter::from_fn(move || {
        Some(match letters.next()? {
            '\\' => Letter::One(letters.next()?),
            '*' => Letter::Any,
            letter => Letter::One(letter),
        })
    })
}

/// Whether all of a text is like a pattern. Going back to the last star alone is enough: the stars
/// before it have taken no more than they had to.
fn is_like(text: &[char], pattern: &[Letter]) -> bool {
    let (mut at, mut next) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while at < text.len() {
        match pattern.get(next) {
            Some(Letter::One(letter)) if *letter == text[at] => {
                at += 1;
                next += 1;
            }
            Some(Letter::Any) => {
                star = Some((next, at));
                next += 1;
            }
            _ => {
                let Some((place, taken)) = star else { return false };
                star = Some((place, taken + 1));
                (next, at) = (place + 1, taken + 1);
            }
        }
    }
    pattern[next..].iter().all(|letter| *letter == Letter::Any)
}
