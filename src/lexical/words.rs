use std::collections::HashMap;

use crate::disk::{DiskError, Mapped, Part, PartWriter, Texts};

const TEXTS: [&str; 2] = ["word_at", "words"];
const FREQUENCIES: &str = "word_df";

/// Counts in how many designations each word occurs.
#[derive(Debug, Default)]
pub(super) struct WordCounter {
    words: HashMap<String, Count>,
}

#[derive(Debug)]
struct Count {
    /// The word's place in the order in which words first came.
    number: u32,
    last: u32,
    documents: u32,
}

impl WordCounter {
    /// Counts a word of a document; documents come in ascending order. Returns the word's place in
    /// the order in which words first came.
    pub(super) fn push(&mut self, word: &str, document: u32) -> u32 {
        if let Some(count) = self.words.get_mut(word) {
            count.documents += u32::from(count.last != document);
            count.last = document;
            return count.number;
        }
        let number = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        self.words.insert(word.to_owned(), Count { number, last: document, documents: 1 });
        number
    }

    /// Writes the three sections of the vocabulary. For each word in the order in which they came:
    /// its number.
    pub(super) fn write(self, part: &mut PartWriter) -> Result<Vec<u32>, DiskError> {
        let mut words: Vec<(String, Count)> = self.words.into_iter().collect();
        words.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        part.texts(TEXTS, words.iter().map(|(word, _)| word.as_str()))?;
        let frequencies: Vec<u32> = words.iter().map(|(_, count)| count.documents).collect();
        part.section(FREQUENCIES, &frequencies)?;
        let mut places = vec![0u32; words.len()];
        for (place, (_, count)) in (0u32..).zip(&words) {
            places[count.number as usize] = place;
        }
        Ok(places)
    }
}

/// Texts of which there must be so many, read through once: the part is small, and the vocabulary is
/// walked without a check.
pub(super) fn numbered(part: &Part, sections: [&str; 2], len: usize) -> Result<Texts, DiskError> {
    let texts = Texts::open(part, sections)?;
    if texts.len() != len || !texts.is_sound() {
        return Err(part.damaged(sections[0], "it does not divide into words"));
    }
    Ok(texts)
}

/// The vocabulary: every whole word of the designations, normalized but not stemmed, in the order
/// of its bytes. For spelling; words are numbered `0..len()`.
#[derive(Debug, Clone)]
pub struct Words {
    texts: Texts,
    frequencies: Mapped<u32>,
}

impl Words {
    pub(super) fn open(part: &Part) -> Result<Self, DiskError> {
        let frequencies = part.section::<u32>(FREQUENCIES)?;
        Ok(Self { texts: numbered(part, TEXTS, frequencies.len())?, frequencies })
    }

    pub(super) fn texts(&self) -> &Texts {
        &self.texts
    }

    /// How many words there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The word of this number; empty past the end.
    #[must_use]
    pub fn word(&self, i: usize) -> &str {
        self.texts.get(i)
    }

    /// In how many designations the word of this number occurs; 0 past the end.
    #[must_use]
    pub fn word_frequency(&self, i: usize) -> u32 {
        self.frequencies.get(i).copied().unwrap_or(0)
    }

    /// In how many designations this word occurs; `None` when in none.
    #[must_use]
    pub fn find_word(&self, word: &str) -> Option<u32> {
        self.texts.find(word).map(|number| self.word_frequency(number))
    }

    /// Every word with the number of designations it occurs in.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, u32)> {
        (0..self.len()).map(|i| (self.word(i), self.word_frequency(i)))
    }
}
