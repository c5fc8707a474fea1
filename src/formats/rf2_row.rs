//! Rows of RF2 files, and which of several versions of a component is the latest.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::input::Input;
use super::lines::Lines;
use super::rf2_file::COMMON;
use crate::terminology::sctid;

use super::{ImportError, ImportErrorKind};

/// More columns than any file of the format has.
const MAX_COLUMNS: usize = 24;

/// One row: the cells asked for, in the order in which they were.
pub(super) struct Row<'t> {
    cells: [&'t str; MAX_COLUMNS],
    columns: &'t [(&'static str, usize)],
    path: &'t Path,
    pub(super) line: u64,
}

/// When a row took effect and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stamp {
    /// The day as a number: 20250131.
    pub(super) time: u32,
    /// The number of the file.
    pub(super) file: u16,
    pub(super) line: u32,
    pub(super) active: bool,
}

impl<'t> Row<'t> {
    pub(super) fn cell(&self, column: usize) -> &'t str {
        self.columns.get(column).and_then(|(_, at)| self.cells.get(*at)).copied().unwrap_or("")
    }

    pub(super) fn path(&self) -> &'t Path {
        self.path
    }

    /// An identifier, whose check digit is not looked at.
    pub(super) fn id(&self, column: usize) -> Result<u64, ImportError> {
        let text = self.cell(column);
        sctid::parse(text).ok_or_else(|| {
            let kind =
                ImportErrorKind::InvalidCode { text: text.into(), expected: sctid::EXPECTED };
            ImportError::new(self.path, Some(self.line), kind)
        })
    }

    /// A universally unique identifier as two numbers.
    pub(super) fn uuid(&self, column: usize) -> Result<[u64; 2], ImportError> {
        let text = self.cell(column);
        let digits: String = text.chars().filter(|c| *c != '-').collect();
        let number = (digits.len() == 32).then(|| u128::from_str_radix(&digits, 16).ok()).flatten();
        let number = number.ok_or_else(|| self.invalid(column, "a UUID"))?;
        let low = u64::try_from(number & u128::from(u64::MAX)).unwrap_or_default();
        Ok([u64::try_from(number >> 64).unwrap_or_default(), low])
    }

    /// The number of an identifier that recurs.
    pub(super) fn numbered(&self, column: usize, known: &mut Numbered) -> Result<u16, ImportError> {
        let number = known.number(self.id(column)?);
        number.ok_or_else(|| self.invalid(column, "one of fewer than 65,536 identifiers"))
    }

    /// A small whole number.
    pub(super) fn number(&self, column: usize) -> Result<u16, ImportError> {
        self.cell(column).parse().map_err(|_| self.invalid(column, "a number below 65,536"))
    }

    /// When the row took effect and whether it holds.
    pub(super) fn stamp(&self, file: u16) -> Result<Stamp, ImportError> {
        let day = self.cell(1);
        let is_day = day.len() == 8 && day.bytes().all(|byte| byte.is_ascii_digit());
        let time = is_day.then(|| day.parse().ok()).flatten();
        let active = match self.cell(2) {
            "1" => true,
            "0" => false,
            _ => return Err(self.invalid(2, "1 or 0")),
        };
        Ok(Stamp {
            time: time.ok_or_else(|| self.invalid(1, "a day such as 20250131"))?,
            file,
            line: u32::try_from(self.line).unwrap_or(u32::MAX),
            active,
        })
    }

    pub(super) fn invalid(&self, column: usize, expected: &'static str) -> ImportError {
        let name = self.columns.get(column).map_or("", |(name, _)| name);
        let text = self.cell(column).chars().take(80).collect();
        let kind = ImportErrorKind::InvalidValue { what: name.to_owned(), text, expected };
        ImportError::new(self.path, Some(self.line), kind)
    }
}

/// Reads a file row by row. The first columns have to be there, the optional ones need not.
pub(super) fn read_rows(
    input: Input,
    [columns, optional]: [&[&'static str]; 2],
    mut each: impl FnMut(&Row<'_>) -> Result<(), ImportError>,
) -> Result<(), ImportError> {
    let path: PathBuf = input.path.clone();
    let mut lines = Lines::new(input);
    let header: Vec<String> = match lines.next()? {
        Some(line) => line.split('\t').map(|name| name.trim().to_owned()).collect(),
        None => return Err(ImportError::new(&path, None, ImportErrorKind::Empty)),
    };
    let mut places = Vec::new();
    for name in COMMON.iter().chain(columns) {
        let place = header.iter().position(|column| column.eq_ignore_ascii_case(name));
        let missing =
            || ImportErrorKind::MissingColumn { column: (*name).to_owned(), found: header.clone() };
        places.push((*name, place.ok_or_else(|| ImportError::new(&path, Some(1), missing()))?));
    }
    for name in optional {
        let place = header.iter().position(|column| column.eq_ignore_ascii_case(name));
        places.push((*name, place.unwrap_or(MAX_COLUMNS)));
    }
    let mut line = 1;
    while let Some(text) = lines.next()? {
        line += 1;
        if text.is_empty() {
            continue;
        }
        let mut row = Row { cells: [""; MAX_COLUMNS], columns: &places, path: &path, line };
        let mut found = 0;
        for (cell, text) in row.cells.iter_mut().zip(text.split('\t')) {
            *cell = text.trim();
            found += 1;
        }
        if found < header.len().min(MAX_COLUMNS) {
            let kind = ImportErrorKind::ShortRow { found, expected: header.len() };
            return Err(ImportError::new(&path, Some(line), kind));
        }
        each(&row)?;
    }
    Ok(())
}

/// A row of which there may be several versions.
pub(super) trait Versioned {
    /// The identifier that the versions share.
    type Key: Ord;
    fn key(&self) -> Self::Key;
    fn stamp(&self) -> Stamp;
}

/// The latest version of each component, in the order of identifiers. Of two that took effect on the
/// same day the first one read counts: in two files it is the same row, and in one file it is an
/// error of the publisher, which `repeated` is told of.
pub(super) fn latest<T: Versioned>(mut rows: Vec<T>, mut repeated: impl FnMut(&T)) -> Vec<T> {
    rows.sort_unstable_by_key(|row| (row.key(), row.stamp()));
    rows.dedup_by(|next, kept| {
        if next.key() != kept.key() {
            return false;
        }
        if next.stamp().time > kept.stamp().time {
            std::mem::swap(next, kept);
        } else if next.stamp().file == kept.stamp().file {
            repeated(next);
        }
        true
    });
    rows
}

/// Numbers for the identifiers that recur in every row: modules, attributes, reference sets.
#[derive(Debug, Default)]
pub(super) struct Numbered {
    ids: Vec<u64>,
    numbers: HashMap<u64, u16>,
}

impl Numbered {
    /// The number of an identifier; none where there are more than any release has.
    pub(super) fn number(&mut self, id: u64) -> Option<u16> {
        if let Some(known) = self.numbers.get(&id) {
            return Some(*known);
        }
        let number = u16::try_from(self.ids.len()).ok()?;
        self.ids.push(id);
        self.numbers.insert(id, number);
        Some(number)
    }

    pub(super) fn id(&self, number: u16) -> u64 {
        self.ids.get(usize::from(number)).copied().unwrap_or_default()
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }
}
