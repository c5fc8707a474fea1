use super::{DiskError, Mapped, Part, PartWriter};

const TOO_LONG: &str = "it is longer than 4 GiB";

impl PartWriter {
    /// Writes texts into two sections: where each begins, with the end of the last, and their bytes
    /// end to end.
    ///
    /// # Errors
    /// As [`PartWriter::section`]; also when the texts are longer than 4 GiB together.
    pub fn texts<'t>(
        &mut self,
        [offsets, bytes]: [&str; 2],
        texts: impl Iterator<Item = &'t str>,
    ) -> Result<(), DiskError> {
        let mut all = String::new();
        let mut at = vec![0u32];
        for text in texts {
            all.push_str(text);
            let end = u32::try_from(all.len()).map_err(|_| self.refused(bytes, TOO_LONG))?;
            at.push(end);
        }
        self.section(offsets, &at)?;
        self.section(bytes, all.as_bytes())
    }
}

/// Texts of a part, numbered `0..len()`; where they were written in the order of their bytes, each is
/// found by itself too. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Texts {
    at: Mapped<u32>,
    bytes: Mapped<u8>,
}

impl Texts {
    /// Opens two sections that [`PartWriter::texts`] wrote.
    ///
    /// # Errors
    /// [`DiskError`] when one is missing, or they do not end together.
    pub fn open(part: &Part, [offsets, bytes]: [&str; 2]) -> Result<Self, DiskError> {
        let texts = Self { at: part.section(offsets)?, bytes: part.section(bytes)? };
        if texts.at.last().map(|end| *end as usize) != Some(texts.bytes.len()) {
            return Err(part.damaged(offsets, "it does not end where its texts end"));
        }
        Ok(texts)
    }

    /// How many texts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.at.len().saturating_sub(1)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of this number; empty past the end, and where a damaged file has none.
    #[must_use]
    pub fn get(&self, number: usize) -> &str {
        self.sound(number).unwrap_or_default()
    }

    /// The length of a text in bytes; 0 past the end.
    #[must_use]
    pub fn length(&self, number: usize) -> u32 {
        self.bytes_of(number).map_or(0, |bytes| u32::try_from(bytes.len()).unwrap_or(u32::MAX))
    }

    /// Whether all of it divides into texts: reads every byte.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        (0..self.len()).all(|number| self.sound(number).is_some())
    }

    /// The number of a text, where the texts are in the order of their bytes.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<usize> {
        let at = self.partition_point(|other| other < text);
        (at < self.len() && self.get(at) == text).then_some(at)
    }

    /// How many texts at the beginning satisfy a condition that none satisfies after one that does
    /// not.
    #[must_use]
    pub fn partition_point(&self, holds: impl Fn(&str) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if holds(self.get(middle)) { low = middle + 1 } else { high = middle }
        }
        low
    }

    fn sound(&self, number: usize) -> Option<&str> {
        std::str::from_utf8(self.bytes_of(number)?).ok()
    }

    fn bytes_of(&self, number: usize) -> Option<&[u8]> {
        let range = self.at.get(number).zip(self.at.get(number.saturating_add(1)));
        range.and_then(|(start, end)| self.bytes.get(*start as usize..*end as usize))
    }
}
