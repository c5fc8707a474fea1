use std::collections::HashMap;
use std::sync::OnceLock;

use super::everyday::{Rewrite, RewriteKind};
use super::normalize::normalize;
use super::rows::rows;
use super::token::is_cjk;

/// The table of phrases of other languages: the phrase, its language, what clinicians write for it
/// in English, where the row comes from.
const TABLE: &str = include_str!("languages.tsv");

/// Readings of one query, at most.
const MOST_READINGS: usize = 4;

#[derive(Debug, Default)]
struct Phrases {
    /// By the normalized phrase.
    english: HashMap<String, Vec<&'static str>>,
    /// Words of the longest phrase that is written with spaces.
    most_words: usize,
    /// Characters of the longest one that is written without.
    most_characters: usize,
}

/// The readings of a query in which a phrase of another language is put into English: Chinese,
/// Japanese, Korean, Spanish, Portuguese, French, German and Italian names of common conditions.
/// The longest phrase counts. One of words that `is_known` to the terminology all, and that no
/// accent marks as foreign, is left as it is.
///
/// ```
/// let readings = medterm::text::translations("高血壓", |_| false);
/// assert!(readings.iter().any(|reading| reading.text.contains("hypertension")));
/// ```
#[must_use]
pub fn translations(query: &str, is_known: impl Fn(&str) -> bool) -> Vec<Rewrite> {
    let words: Vec<(&str, String)> = query
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '、' | '，' | '。'))
        .map(|word| (word, normalize(word)))
        .filter(|(_, normal)| !normal.is_empty())
        .collect();
    for length in (1..=words.len().min(phrases().most_words)).rev() {
        for (at, phrase) in words.windows(length).enumerate() {
            let is_foreign =
                phrase.iter().any(|(typed, normal)| !typed.is_ascii() || !is_known(normal));
            let normal: Vec<&str> = phrase.iter().map(|(_, normal)| normal.as_str()).collect();
            let normal = normal.join(" ");
            if let Some(english) = phrases().english.get(&normal).filter(|_| is_foreign) {
                let before = words[..at].iter().map(|(typed, _)| *typed);
                let after = words[at + length..].iter().map(|(typed, _)| *typed);
                return readings(&normal, english, before.collect(), after.collect());
            }
        }
    }
    words.iter().find_map(|(_, normal)| inside(normal)).unwrap_or_default()
}

/// The longest phrase inside a run of characters that are written without spaces. What is around it
/// is left out, since it is in a language that nothing else here reads.
fn inside(run: &str) -> Option<Vec<Rewrite>> {
    let characters: Vec<char> = run.chars().collect();
    if !characters.iter().copied().any(is_cjk) {
        return None;
    }
    // A single character is a word only where it stands alone.
    (2..=characters.len().min(phrases().most_characters)).rev().find_map(|length| {
        characters.windows(length).find_map(|part| {
            let part: String = part.iter().collect();
            let english = phrases().english.get(&part)?;
            Some(readings(&part, english, Vec::new(), Vec::new()))
        })
    })
}

fn readings(from: &str, english: &[&str], before: Vec<&str>, after: Vec<&str>) -> Vec<Rewrite> {
    let reading = |to: &&str| {
        let words = before.iter().chain(std::iter::once(to)).chain(&after);
        Rewrite {
            text: words.copied().collect::<Vec<_>>().join(" "),
            from: from.to_owned(),
            to: (*to).to_owned(),
            kind: RewriteKind::Lay,
            senses: english.len(),
        }
    };
    english.iter().map(reading).take(MOST_READINGS).collect()
}

fn phrases() -> &'static Phrases {
    static PARSED: OnceLock<Phrases> = OnceLock::new();
    PARSED.get_or_init(|| {
        let mut phrases = Phrases::default();
        for [phrase, _, english] in rows(TABLE) {
            let normal = normalize(phrase);
            phrases.most_words = phrases.most_words.max(normal.split(' ').count());
            phrases.most_characters = phrases.most_characters.max(normal.chars().count());
            let known = phrases.english.entry(normal).or_default();
            for reading in english.split('|') {
                if !known.contains(&reading) {
                    known.push(reading);
                }
            }
        }
        phrases
    })
}
