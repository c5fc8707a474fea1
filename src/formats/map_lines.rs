use std::path::Path;

use super::input::Input;
use super::lines::Lines;
use super::{ImportError, ImportErrorKind};

/// The lines of a map with something in them. One can be looked at and read again.
pub(super) struct MapLines {
    lines: Lines,
    pending: Option<String>,
}

impl MapLines {
    pub(super) fn new(input: Input) -> Self {
        Self { lines: Lines::new(input), pending: None }
    }

    pub(super) fn path(&self) -> &Path {
        self.lines.path()
    }

    /// The number of the line that was read last, from 1.
    pub(super) fn number(&self) -> u64 {
        self.lines.line()
    }

    /// An error about the line that was read last.
    pub(super) fn error(&self, kind: ImportErrorKind) -> ImportError {
        self.lines.error(kind)
    }

    /// Reads on, past lines with nothing in them.
    pub(super) fn next(&mut self) -> Result<Option<String>, ImportError> {
        if let Some(line) = self.pending.take() {
            return Ok(Some(line));
        }
        while let Some(line) = self.lines.next()? {
            if !line.trim().is_empty() {
                return Ok(Some(line.to_owned()));
            }
        }
        Ok(None)
    }

    /// Gives back the line that was read last.
    pub(super) fn put_back(&mut self, line: String) {
        self.pending = Some(line);
    }
}
