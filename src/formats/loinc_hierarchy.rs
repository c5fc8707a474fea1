//! LOINC's hierarchy and its replacements of deprecated terms.
//!
//! The hierarchy has a row for each place at which a code stands. Above the terms are parts, whose
//! codes begin with LP and which are in no other table that is read: they become concepts to browse
//! by, named by the text of the hierarchy.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::terminology::{Code, Concept, Property, property};

use super::files::ReleaseFile;
use super::input::Meter;
use super::loinc_files::DIALECT;
use super::table::Table;
use super::{ImportError, ImportErrorKind, Tally};

/// How the code of a part begins.
const PART: &str = "LP";

/// The places of codes, by code: some 200 bytes for each of 170 thousand.
#[derive(Debug, Default)]
pub(super) struct Hierarchy {
    path: PathBuf,
    nodes: BTreeMap<Box<str>, Node>,
    replacements: BTreeMap<Box<str>, Vec<Box<str>>>,
}

#[derive(Debug, Default)]
struct Node {
    line: u64,
    text: Box<str>,
    parents: Vec<Code>,
}

impl Hierarchy {
    pub(super) fn read(&mut self, file: &ReleaseFile, meter: &Meter) -> Result<(), ImportError> {
        let mut table = Table::open(file.open(meter)?, DIALECT)?;
        let code = table.require("CODE")?;
        let (parent, text) = (table.require("IMMEDIATE_PARENT")?, table.require("CODE_TEXT")?);
        self.path = table.path().to_owned();
        while let Some(row) = table.next()? {
            let wrong = |text: &str| ImportErrorKind::InvalidCode {
                text: text.to_owned(),
                expected: "the code of a term or part",
            };
            let checked = Code::new(row.cell(code)).map_err(|_| wrong(row.cell(code)));
            let above = match row.cell(parent) {
                "" => Ok(None),
                above => Code::new(above).map(Some).map_err(|_| wrong(above)),
            };
            let (checked, above) = match (checked, above) {
                (Ok(checked), Ok(above)) => (checked, above),
                (Err(kind), _) | (_, Err(kind)) => return Err(table.error(kind)),
            };
            let node = self.nodes.entry(checked.as_str().into()).or_default();
            if node.line == 0 {
                node.line = row.line;
                // A term has its name from the table.
                if checked.as_str().starts_with(PART) {
                    node.text = row.cell(text).into();
                }
            }
            node.parents.extend(above.filter(|above| !node.parents.contains(above)));
        }
        Ok(())
    }

    pub(super) fn read_replacements(
        &mut self,
        file: &ReleaseFile,
        meter: &Meter,
    ) -> Result<(), ImportError> {
        let mut table = Table::open(file.open(meter)?, DIALECT)?;
        let (old, new) = (table.require("LOINC")?, table.require("MAP_TO")?);
        while let Some(row) = table.next()? {
            let (old, new) = (row.cell(old), row.cell(new));
            if !new.is_empty() {
                self.replacements.entry(old.into()).or_default().push(new.into());
            }
        }
        Ok(())
    }

    /// Gives a term its parents and its replacements.
    pub(super) fn place(&mut self, concept: &mut Concept) {
        if let Some(node) = self.nodes.remove(concept.code.as_str()) {
            concept.parents = node.parents;
        }
        for new in self.replacements.remove(concept.code.as_str()).unwrap_or_default() {
            concept.properties.push(Property::code(property::REPLACED_BY, &*new));
        }
    }

    /// The next of the parts, in the order of codes, when all terms have been placed. Terms that
    /// are left over are noted.
    pub(super) fn next_part(&mut self, tally: &mut Tally) -> Option<Concept> {
        loop {
            let (code, node) = self.nodes.pop_first()?;
            let checked = Code::new(&code).ok().filter(|_| code.starts_with(PART));
            let Some(checked) = checked.filter(|_| !node.text.is_empty()) else {
                let reason = "a place in the hierarchy of a code without a name";
                tally.leave_out(reason, &self.path, node.line, &code);
                continue;
            };
            let mut concept = Concept::new(checked, &*node.text);
            concept.parents = node.parents;
            concept.properties.push(Property::boolean(property::NOT_SELECTABLE, true));
            concept.properties.push(Property::text(property::KIND, "part"));
            tally.read("parts");
            return Some(concept);
        }
    }
}
