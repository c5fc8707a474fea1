//! Many short texts in one allocation.

use super::rf2_row::Row;
use super::{ImportError, ImportErrorKind};

/// How many bits of a text's number are its length: a term has 255 characters at most, a definition
/// 4,096.
const LENGTH_BITS: u32 = 24;

/// Texts end to end; a text is found by the number that adding it gave.
#[derive(Debug, Default)]
pub(super) struct Texts {
    all: String,
}

impl Texts {
    /// Adds the text of a cell.
    pub(super) fn add(&mut self, row: &Row<'_>, column: usize) -> Result<u64, ImportError> {
        let text = row.cell(column);
        let (start, len) = (self.all.len() as u64, text.len() as u64);
        if len >= 1 << LENGTH_BITS || start >= 1 << (u64::BITS - LENGTH_BITS) {
            let reason = "a text is longer than 16 MiB".to_owned();
            let kind = ImportErrorKind::TooLong { reason };
            return Err(ImportError::new(row.path(), Some(row.line), kind));
        }
        self.all.push_str(text);
        Ok(start << LENGTH_BITS | len)
    }

    /// The text with this number.
    pub(super) fn get(&self, number: u64) -> &str {
        let len = number & ((1 << LENGTH_BITS) - 1);
        let range = |start: u64| {
            let start = usize::try_from(start).ok()?;
            self.all.get(start..start.checked_add(usize::try_from(len).ok()?)?)
        };
        range(number >> LENGTH_BITS).unwrap_or_default()
    }
}
