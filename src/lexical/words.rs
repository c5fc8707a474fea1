use std::collections::HashMap;
use std::path::Path;

use crate::disk::{DiskError, Mapped, Part, PartWriter};

const BYTES: &str = "words";
const OFFSETS: &str = "word_at";
const FREQUENCIES: &str = "word_df";

/// Counts in how many designations each word occurs.
#[derive(Debug, Default)]
pub(super) struct WordCounter {
    words: HashMap<String, Count>,
}

#[derive(Debug)]
struct Count {
    last: u32,
    documents: u32,
}

impl WordCounter {
    /// Counts a word of a document; documents come in ascending order.
    pub(super) fn push(&mut self, word: String, document: u32) {
        self.words
            .entry(word)
            .and_modify(|count| {
                count.documents += u32::from(count.last != document);
                count.last = document;
            })
            .or_insert(Count { last: document, documents: 1 });
    }

    /// Writes the three sections of the vocabulary.
    pub(super) fn write(self, part: &mut PartWriter, path: &Path) -> Result<(), DiskError> {
        let mut words: Vec<(String, u32)> =
            self.words.into_iter().map(|(word, count)| (word, count.documents)).collect();
        words.sort_unstable();
        let mut bytes = Vec::new();
        let mut offsets = vec![0];
        for (word, _) in &words {
            bytes.extend_from_slice(word.as_bytes());
            let end = u32::try_from(bytes.len())
                .map_err(|_| DiskError::section(path, BYTES, "it is longer than 4 GiB"))?;
            offsets.push(end);
        }
        let frequencies: Vec<u32> = words.iter().map(|(_, documents)| *documents).collect();
        part.section(BYTES, &bytes)?;
        part.section(OFFSETS, &offsets)?;
        part.section(FREQUENCIES, &frequencies)
    }
}

/// The vocabulary: every whole word of the designations, normalized but not stemmed, in the order
/// of its bytes. For spelling; words are numbered `0..len()`.
#[derive(Debug, Clone)]
pub struct Words {
    bytes: Mapped<u8>,
    offsets: Mapped<u32>,
    frequencies: Mapped<u32>,
}

impl Words {
    pub(super) fn open(part: &Part) -> Result<Self, DiskError> {
        let bytes = part.section::<u8>(BYTES)?;
        let frequencies = part.section::<u32>(FREQUENCIES)?;
        let offsets = part.section_of::<u32>(OFFSETS, frequencies.len() + 1)?;
        let words = Self { bytes, offsets, frequencies };
        if (0..words.len()).any(|i| words.at(i).is_none()) {
            return Err(part.damaged(BYTES, "it does not divide into words"));
        }
        Ok(words)
    }

    /// How many words there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.frequencies.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.frequencies.is_empty()
    }

    /// The word of this number; empty past the end.
    #[must_use]
    pub fn word(&self, i: usize) -> &str {
        self.at(i).unwrap_or_default()
    }

    /// In how many designations the word of this number occurs; 0 past the end.
    #[must_use]
    pub fn word_frequency(&self, i: usize) -> u32 {
        self.frequencies.get(i).copied().unwrap_or(0)
    }

    /// In how many designations this word occurs; `None` when in none.
    #[must_use]
    pub fn find_word(&self, word: &str) -> Option<u32> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.word(middle) < word {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low < self.len() && self.word(low) == word).then(|| self.word_frequency(low))
    }

    /// Every word with the number of designations it occurs in.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, u32)> {
        (0..self.len()).map(|i| (self.word(i), self.word_frequency(i)))
    }

    fn at(&self, i: usize) -> Option<&str> {
        let start = *self.offsets.get(i)? as usize;
        let end = *self.offsets.get(i + 1)? as usize;
        std::str::from_utf8(self.bytes.get(start..end)?).ok()
    }
}
