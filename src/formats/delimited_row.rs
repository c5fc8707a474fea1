//! One row of a table of codes, and the rows of one code joined.

use std::path::Path;

use crate::terminology::{Code, CodeShape, Concept, Designation, DesignationUse, Property};

use super::Tally;
use super::delimited_columns::spelled;
use super::table::Row;

/// The places of the cells.
pub(super) struct Cells {
    pub(super) code: usize,
    pub(super) display: usize,
    pub(super) synonyms: Vec<usize>,
    pub(super) values: Vec<usize>,
    pub(super) parents: Vec<usize>,
    pub(super) definition: Option<usize>,
    pub(super) language: Option<usize>,
    pub(super) active: Option<usize>,
    pub(super) properties: Vec<(String, usize)>,
}

/// A concept whose rows are being read.
pub(super) struct Open {
    pub(super) concept: Concept,
    /// The language of its display.
    pub(super) language: String,
    pub(super) line: u64,
}

/// A reader of rows.
pub(super) struct Reader {
    pub(super) cells: Cells,
    pub(super) shape: CodeShape,
    pub(super) tally: Tally,
}

impl Reader {
    /// The code of a row, or `None` where it has none that can be used, which is counted.
    pub(super) fn code(&mut self, row: Row<'_>, path: &Path) -> Option<Code> {
        let cell = row.cell(self.cells.code);
        if cell.is_empty() {
            let name = row.cell(self.cells.display);
            self.tally.leave_out("the row has no code", path, row.line, name);
            return None;
        }
        let code = Code::new(&spelled(self.shape, cell)).ok();
        if code.is_none() {
            self.tally.leave_out("the code is not a possible one", path, row.line, cell);
        }
        code
    }

    /// The concept of a row, as far as the row has it.
    pub(super) fn concept(
        &mut self,
        code: Code,
        row: Row<'_>,
        language: &str,
        path: &Path,
    ) -> Open {
        let own = row.optional(self.cells.language).unwrap_or(language);
        // Beside a name in another language the display stays what it is.
        let of_display = if self.cells.values.is_empty() { own } else { language };
        let mut concept = Concept::new(code, row.cell(self.cells.display));
        for (columns, language) in [(&self.cells.synonyms, of_display), (&self.cells.values, own)] {
            for name in columns.iter().flat_map(|column| several(row.cell(*column))) {
                concept.designations.push(Designation::new(
                    language,
                    DesignationUse::Synonym,
                    name,
                ));
            }
        }
        for parent in self.cells.parents.iter().flat_map(|column| several(row.cell(*column))) {
            match Code::new(&spelled(self.shape, parent)) {
                Ok(parent) => concept.parents.push(parent),
                Err(_) => {
                    self.tally.leave_out("the parent is not a code", path, row.line, parent);
                }
            }
        }
        concept.definition = row.optional(self.cells.definition).map(str::to_owned);
        for (name, column) in &self.cells.properties {
            if let Some(value) = row.optional(Some(*column)) {
                concept.properties.push(Property::text(name, value));
            }
        }
        if let Some(cell) = row.optional(self.cells.active) {
            concept.active = is_active(cell).unwrap_or_else(|| {
                let reason = "it does not say whether the code is in use: taken as in use";
                self.tally.leave_out(reason, path, row.line, cell);
                true
            });
        }
        Open { concept, language: of_display.to_owned(), line: row.line }
    }
}

/// The parts of a cell that may hold several.
fn several(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('|').map(str::trim).filter(|part| !part.is_empty())
}

/// Whether a code is in use, where that can be told.
fn is_active(cell: &str) -> Option<bool> {
    match cell.to_ascii_lowercase().as_str() {
        "true" | "t" | "yes" | "y" | "1" | "active" | "current" | "enabled" => Some(true),
        "false" | "f" | "no" | "n" | "0" | "inactive" | "retired" | "deprecated" | "obsolete"
        | "disabled" | "withdrawn" => Some(false),
        _ => None,
    }
}

impl Open {
    /// Joins another row of the same code; false when it says nothing new.
    pub(super) fn join(&mut self, other: Self, language: &str) -> bool {
        let mut is_new = false;
        let (concept, mut row) = (&mut self.concept, other.concept);
        let better = !self.language.eq_ignore_ascii_case(language)
            && other.language.eq_ignore_ascii_case(language)
            && !row.display.is_empty();
        if better {
            // The display is the name in the release's own language.
            std::mem::swap(&mut concept.display, &mut row.display);
        }
        let of_other = if better {
            std::mem::replace(&mut self.language, other.language)
        } else {
            other.language
        };
        let is_display =
            of_other.eq_ignore_ascii_case(&self.language) && row.display == concept.display;
        if !row.display.is_empty() && !is_display {
            let name = Designation::new(of_other, DesignationUse::Synonym, row.display);
            row.designations.insert(0, name);
        }
        for one in row.designations {
            add(&mut concept.designations, one, &mut is_new);
        }
        for one in row.parents {
            add(&mut concept.parents, one, &mut is_new);
        }
        for one in row.properties {
            add(&mut concept.properties, one, &mut is_new);
        }
        if concept.definition.is_none() && row.definition.is_some() {
            concept.definition = row.definition;
            is_new = true;
        }
        is_new || better
    }
}

fn add<T: PartialEq>(all: &mut Vec<T>, one: T, is_new: &mut bool) {
    if !all.contains(&one) {
        all.push(one);
        *is_new = true;
    }
}
