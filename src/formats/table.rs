//! Tables: rows of columns divided by a character, with line numbers and columns by name.

use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use csv::{ErrorKind, Position, ReaderBuilder, StringRecord, Terminator};

use super::input::{Bytes, Input, Refusal};
use super::lines::MAX_LINE_BYTES;
use super::{ImportError, ImportErrorKind};

/// How a table is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dialect {
    /// What stands between two columns.
    pub(super) delimiter: u8,
    pub(super) quotes: Quotes,
    pub(super) header: Header,
}

/// Whether a quotation mark at the beginning of a cell opens a quoted one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quotes {
    Quote,
    Plain,
}

/// Where the names of the columns are.
#[derive(Debug, Clone, Copy)]
pub(super) enum Header {
    /// In the first row.
    First,
    /// Nowhere: the publisher's documentation has them.
    Fixed(&'static [&'static str]),
    /// Nowhere; columns go by their numbers, from 1.
    Numbered,
}

/// A table being read, row by row.
pub(super) struct Table {
    path: PathBuf,
    reader: csv::Reader<RowLimit>,
    columns: Vec<String>,
    record: StringRecord,
    /// A first row that turned out to be data.
    pending: Option<StringRecord>,
    line: u64,
}

impl Table {
    pub(super) fn open(mut input: Input, dialect: Dialect) -> Result<Self, ImportError> {
        let beginning = input.reader.fill_buf().map_err(|error| {
            ImportError::new(&input.path, Some(1), ImportErrorKind::reading(error))
        })?;
        let ends = match beginning.contains(&b'\n') {
            false if beginning.contains(&b'\r') => b'\r',
            _ => b'\n',
        };
        let reader = ReaderBuilder::new()
            .delimiter(dialect.delimiter)
            // Of CR LF the reader would count the line before it has met the LF, and one too few;
            // cells are trimmed of the CR.
            .terminator(Terminator::Any(ends))
            .quoting(dialect.quotes == Quotes::Quote)
            .has_headers(false)
            .flexible(true)
            .from_reader(RowLimit { inner: input.reader, since_row: 0 });
        let mut table = Self {
            path: input.path,
            reader,
            columns: Vec::new(),
            record: StringRecord::new(),
            pending: None,
            line: 0,
        };
        table.columns = match dialect.header {
            Header::Fixed(names) => names.iter().map(|name| (*name).to_owned()).collect(),
            Header::First => table.first()?.iter().map(|name| name.trim().to_owned()).collect(),
            Header::Numbered => {
                let first = table.first()?;
                let columns = (1..=first.len()).map(|number| number.to_string()).collect();
                table.pending = Some(first);
                columns
            }
        };
        Ok(table)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The names of the columns.
    pub(super) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// An error at the last row.
    pub(super) fn error(&self, kind: ImportErrorKind) -> ImportError {
        ImportError::new(&self.path, Some(self.line.max(1)), kind)
    }

    /// The place of a column, by its name in any case.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.eq_ignore_ascii_case(name))
    }

    /// The place of a column that must be there.
    pub(super) fn require(&self, name: &str) -> Result<usize, ImportError> {
        self.find(name).ok_or_else(|| {
            self.error(ImportErrorKind::MissingColumn {
                column: name.to_owned(),
                found: self.columns.clone(),
            })
        })
    }

    /// The next row, or `None` after the last. A row with fewer columns than there are names is an
    /// error: the file is cut, or a line was broken in two.
    pub(super) fn next(&mut self) -> Result<Option<Row<'_>>, ImportError> {
        match self.pending.take() {
            Some(first) => self.record = first,
            None => {
                if !self.read()? {
                    return Ok(None);
                }
            }
        }
        if self.record.len() < self.columns.len() {
            let (found, expected) = (self.record.len(), self.columns.len());
            return Err(self.error(ImportErrorKind::ShortRow { found, expected }));
        }
        Ok(Some(Row { record: &self.record, line: self.line }))
    }

    fn first(&mut self) -> Result<StringRecord, ImportError> {
        if self.read()? {
            return Ok(self.record.clone());
        }
        Err(ImportError::new(&self.path, None, ImportErrorKind::Empty))
    }

    /// Reads the next row that is not an empty line: of CR LF, that is a row of a CR.
    fn read(&mut self) -> Result<bool, ImportError> {
        loop {
            let more = self.read_any()?;
            let is_empty = self.record.len() == 1 && self.record.iter().all(|cell| cell == "\r");
            if !more || !is_empty {
                return Ok(more);
            }
        }
    }

    fn read_any(&mut self) -> Result<bool, ImportError> {
        let before = self.reader.position().line();
        self.reader.get_mut().since_row = 0;
        match self.reader.read_record(&mut self.record) {
            Ok(more) => {
                self.line = self.record.position().map_or(before, Position::line);
                Ok(more)
            }
            Err(error) => {
                self.line = error.position().map_or(before, Position::line);
                let kind = match error.into_kind() {
                    ErrorKind::Io(error) => ImportErrorKind::reading(error),
                    ErrorKind::Utf8 { err, .. } => ImportErrorKind::Encoding {
                        found: format!("bytes that are no text ({err})"),
                    },
                    other => ImportErrorKind::reading(io::Error::other(format!("{other:?}"))),
                };
                Err(self.error(kind))
            }
        }
    }
}

/// One row of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'t> {
    record: &'t StringRecord,
    /// The line it begins in.
    pub(super) line: u64,
}

impl<'t> Row<'t> {
    /// The cell in a column, without outer white space; empty where the row has no such column.
    pub(super) fn cell(&self, column: usize) -> &'t str {
        self.record.get(column).unwrap_or_default().trim()
    }

    /// The cell in a column that not every file has.
    pub(super) fn optional(&self, column: Option<usize>) -> Option<&'t str> {
        column.map(|column| self.cell(column)).filter(|cell| !cell.is_empty())
    }
}

/// A reader that stops at a row without end: one line, or all lines after a quotation mark that
/// nothing closes.
struct RowLimit {
    inner: BufReader<Bytes>,
    /// Bytes read since the last row was asked for.
    since_row: usize,
}

impl Read for RowLimit {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.since_row > MAX_LINE_BYTES {
            let refusal = Refusal::TooLong { limit: MAX_LINE_BYTES };
            return Err(io::Error::new(io::ErrorKind::InvalidData, refusal));
        }
        let count = self.inner.read(buffer)?;
        self.since_row += count;
        Ok(count)
    }
}
