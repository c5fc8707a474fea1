use std::path::Path;

use crate::disk::{DiskError, Mapped, Part, PartWriter};

/// Writes sorted texts into two sections: their bytes, and where each begins.
pub(super) fn write_texts<'t>(
    part: &mut PartWriter,
    path: &Path,
    [bytes_section, offsets_section]: [&str; 2],
    texts: impl Iterator<Item = &'t str>,
) -> Result<(), DiskError> {
    let mut bytes = Vec::new();
    let mut offsets = vec![0];
    for text in texts {
        bytes.extend_from_slice(text.as_bytes());
        let end = u32::try_from(bytes.len())
            .map_err(|_| DiskError::section(path, bytes_section, "it is longer than 4 GiB"))?;
        offsets.push(end);
    }
    part.section(bytes_section, &bytes)?;
    part.section(offsets_section, &offsets)
}

/// Texts in the order of their bytes, numbered `0..len()`.
#[derive(Debug, Clone)]
pub(super) struct Texts {
    bytes: Mapped<u8>,
    offsets: Mapped<u32>,
    len: usize,
}

impl Texts {
    pub(super) fn open(
        part: &Part,
        [bytes_section, offsets_section]: [&str; 2],
        len: usize,
    ) -> Result<Self, DiskError> {
        let bytes = part.section::<u8>(bytes_section)?;
        let offsets = part.section_of::<u32>(offsets_section, len + 1)?;
        let texts = Self { bytes, offsets, len };
        if (0..len).any(|i| texts.get(i).is_none()) {
            return Err(part.damaged(bytes_section, "it does not divide into words"));
        }
        Ok(texts)
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn get(&self, i: usize) -> Option<&str> {
        std::str::from_utf8(self.bytes_of(i)?).ok()
    }

    /// The length of a text in bytes; 0 past the end.
    pub(super) fn length(&self, i: usize) -> u32 {
        self.bytes_of(i).map_or(0, |bytes| u32::try_from(bytes.len()).unwrap_or(u32::MAX))
    }

    fn bytes_of(&self, i: usize) -> Option<&[u8]> {
        let start = *self.offsets.get(i)? as usize;
        let end = *self.offsets.get(i + 1)? as usize;
        self.bytes.get(start..end)
    }

    pub(super) fn find(&self, text: &str) -> Option<usize> {
        let at = self.partition_point(|other| other < text);
        (self.get(at) == Some(text)).then_some(at)
    }

    /// How many texts at the beginning satisfy a condition that none satisfies after one that does
    /// not.
    pub(super) fn partition_point(&self, holds: impl Fn(&str) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low.midpoint(high);
            if self.get(middle).is_some_and(&holds) { low = middle + 1 } else { high = middle }
        }
        low
    }
}
