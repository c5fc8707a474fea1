//! The concepts of an RF2 release, in the order of their identifiers, and how they are found.

use super::rf2_file::{FileKind, Rf2Files};
use super::rf2_row::{Numbered, Row, Stamp, Versioned, latest};
use crate::terminology::sctid;

use super::{ImportError, ImportErrorKind, Tally};

/// 900000000000073002 |Sufficiently defined concept definition status|.
const SUFFICIENTLY_DEFINED: u64 = 900_000_000_000_073_002;

const BAD_ID: &str = "the identifier is no SNOMED CT identifier: its check digit does not fit";
pub(super) const REPEATED: &str = "the identifier is given twice in one file; the first one counts";

/// The concepts: their positions are the numbers that the other tables use.
#[derive(Debug, Default)]
pub(super) struct Concepts {
    rows: Vec<ConceptRow>,
    modules: Numbered,
}

#[derive(Debug, Clone, Copy)]
struct ConceptRow {
    id: u64,
    stamp: Stamp,
    module: u16,
    defined: bool,
}

impl Versioned for ConceptRow {
    type Key = u64;

    fn key(&self) -> u64 {
        self.id
    }

    fn stamp(&self) -> Stamp {
        self.stamp
    }
}

impl Concepts {
    pub(super) fn read(files: &Rf2Files, tally: &mut Tally) -> Result<Self, ImportError> {
        let mut concepts = Self::default();
        let mut rows = Vec::new();
        files.rows(FileKind::Concept, &["definitionStatusId"], |row, stamp| {
            if let Some(id) = own_id(row, tally) {
                let module = row.numbered(3, &mut concepts.modules)?;
                let defined = row.id(4)? == SUFFICIENTLY_DEFINED;
                rows.push(ConceptRow { id, stamp, module, defined });
            }
            Ok(())
        })?;
        concepts.rows = latest(rows, |row| {
            let line = row.stamp.line.into();
            tally.leave_out(REPEATED, files.path(row.stamp), line, &row.id.to_string());
        });
        if u32::try_from(concepts.rows.len()).is_err() {
            let reason = "it has more than 4 billion concepts".to_owned();
            let path = files.of(FileKind::Concept).next().map(|file| file.path());
            let kind = ImportErrorKind::TooLong { reason };
            return Err(ImportError::new(path.unwrap_or("".as_ref()), None, kind));
        }
        Ok(concepts)
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The number of the concept with this identifier.
    pub(super) fn find(&self, id: u64) -> Option<u32> {
        let at = self.rows.binary_search_by_key(&id, |row| row.id).ok()?;
        u32::try_from(at).ok()
    }

    pub(super) fn id(&self, number: u32) -> u64 {
        self.row(number).map_or(0, |row| row.id)
    }

    pub(super) fn is_active(&self, number: u32) -> bool {
        self.row(number).is_some_and(|row| row.stamp.active)
    }

    pub(super) fn is_defined(&self, number: u32) -> bool {
        self.row(number).is_some_and(|row| row.defined)
    }

    pub(super) fn stamp(&self, number: u32) -> Option<Stamp> {
        self.row(number).map(|row| row.stamp)
    }

    pub(super) fn module(&self, number: u32) -> u64 {
        self.row(number).map_or(0, |row| self.modules.id(row.module))
    }

    /// Each module with the number of its concepts and the last day on which one of them changed.
    pub(super) fn modules(&self) -> Vec<(u64, usize, u32)> {
        let mut modules: Vec<(u64, usize, u32)> = (0u16..)
            .take(self.modules.len())
            .map(|number| (self.modules.id(number), 0, 0))
            .collect();
        for row in &self.rows {
            if let Some((_, count, time)) = modules.get_mut(usize::from(row.module)) {
                *count += 1;
                *time = row.stamp.time.max(*time);
            }
        }
        modules
    }

    fn row(&self, number: u32) -> Option<&ConceptRow> {
        self.rows.get(usize::try_from(number).ok()?)
    }
}

/// The row's own identifier. One whose check digit does not fit was mistyped or cut: nobody could
/// ever mean it, so that the row is left out.
fn own_id(row: &Row<'_>, tally: &mut Tally) -> Option<u64> {
    let id = sctid::parse(row.cell(0)).filter(|id| sctid::check_digit_fits(*id));
    if id.is_none() {
        tally.leave_out(BAD_ID, row.path(), row.line, row.cell(0));
    }
    id
}
