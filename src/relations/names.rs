//! Strings in order, each found by its number and, since they are sorted, by itself.

use crate::disk::{DiskError, Mapped, Part, PartWriter};

use super::RelationsError;

/// Writes strings end to end, and where each ends.
pub(super) fn write_names<'n>(
    writer: &mut PartWriter,
    [offsets, bytes]: [&str; 2],
    names: impl Iterator<Item = &'n str>,
) -> Result<(), RelationsError> {
    let mut all = String::new();
    let mut at = vec![0u32];
    for name in names {
        all.push_str(name);
        let end = u32::try_from(all.len());
        at.push(end.map_err(|_| RelationsError::TooMany { what: "bytes of names" })?);
    }
    writer.section(offsets, &at)?;
    writer.section(bytes, all.as_bytes())?;
    Ok(())
}

/// Strings of a part that is open for reading.
#[derive(Debug)]
pub(super) struct Names {
    at: Mapped<u32>,
    bytes: Mapped<u8>,
}

impl Names {
    pub(super) fn open(part: &Part, [offsets, bytes]: [&str; 2]) -> Result<Self, DiskError> {
        let names = Self { at: part.section(offsets)?, bytes: part.section(bytes)? };
        if names.at.last().map(|end| *end as usize) != Some(names.bytes.len()) {
            return Err(part.damaged(offsets, "it does not end where its names end"));
        }
        Ok(names)
    }

    pub(super) fn len(&self) -> usize {
        self.at.len().saturating_sub(1)
    }

    /// The string with this number; empty where a damaged file has none.
    pub(super) fn get(&self, number: usize) -> &str {
        let range = self.at.get(number).zip(self.at.get(number.saturating_add(1)));
        range
            .and_then(|(start, end)| self.bytes.get(*start as usize..*end as usize))
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or_default()
    }

    /// The number of a string, where the strings are sorted.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.get(middle).cmp(name) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}
