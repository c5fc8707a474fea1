//! Text line by line, with line numbers: UTF-8, ends of any kind, no line without end.

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;

use super::input::{Bytes, Input, Refusal};
use super::{ImportError, ImportErrorKind};

/// The longest line that is read. The longest of an official file, a LOINC term with all its
/// related names, has some 20 thousand bytes.
pub(super) const MAX_LINE_BYTES: usize = 16 << 20;

/// A reader of lines.
pub(super) struct Lines {
    reader: BufReader<Bytes>,
    path: PathBuf,
    buffer: Vec<u8>,
    line: u64,
}

impl Lines {
    pub(super) fn new(input: Input) -> Self {
        Self { reader: input.reader, path: input.path, buffer: Vec::new(), line: 0 }
    }

    /// The number of the last line, counted from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    pub(super) fn path(&self) -> &std::path::Path {
        &self.path
    }

    /// An error at the last line.
    pub(super) fn error(&self, kind: ImportErrorKind) -> ImportError {
        ImportError::new(&self.path, Some(self.line), kind)
    }

    /// The next line without its end, or `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<&str>, ImportError> {
        self.buffer.clear();
        self.line += 1;
        let limit = MAX_LINE_BYTES as u64 + 1;
        let outcome = self.reader.by_ref().take(limit).read_until(b'\n', &mut self.buffer);
        let read = outcome.map_err(|error| self.error(ImportErrorKind::reading(error)))?;
        if read == 0 {
            self.line -= 1;
            return Ok(None);
        }
        if read > MAX_LINE_BYTES {
            let limit = MAX_LINE_BYTES;
            return Err(self.error(Refusal::TooLong { limit }.into()));
        }
        let line = self.line;
        let text = self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        std::str::from_utf8(text).map(Some).map_err(|error| {
            let found = format!("bytes that are no text ({error})");
            ImportError::new(&self.path, Some(line), ImportErrorKind::Encoding { found })
        })
    }
}
