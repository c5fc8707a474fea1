//! What the XML of ICD-10-PCS adds to its codes: tables, index and definitions.

use std::collections::HashMap;

use crate::terminology::{Concept, Designation, DesignationUse, Property};

use super::files::ReleaseFile;
use super::input::Meter;
use super::look::Look;
use super::pcs_axes::axis_name;
use super::pcs_definitions::{Definitions, read_definitions};
use super::pcs_group::Coded;
use super::pcs_index::{Index, read_index};
use super::pcs_xml::{
    DEFINITIONS_ROOT, INDEX_ROOT, Labels, PcsTable, TABLES_ROOT, is_empty_label, next_table,
    read_version,
};
use super::xml::XmlReader;
use super::{ImportError, Tally};

/// The books that were given with a release.
#[derive(Debug, Default)]
pub(super) struct Books {
    /// By their three characters.
    tables: HashMap<String, PcsTable>,
    index: Option<Index>,
    definitions: Option<Definitions>,
    pub(super) tally: Tally,
}

/// A bag of terms for a code is cut after so many characters: what a device may be called fills
/// pages.
const BAG_CHARS: usize = 600;

impl Books {
    /// Reads those of these files that are books.
    pub(super) fn read<'f>(
        files: impl Iterator<Item = &'f ReleaseFile>,
        meter: &Meter,
    ) -> Result<Self, ImportError> {
        let mut books = Self::default();
        for file in files {
            let Look::Xml { root } = &file.look else { continue };
            let open = || -> Result<_, ImportError> {
                let input = file.open(meter)?;
                Ok(XmlReader::new(input.path, input.reader))
            };
            match root.as_str() {
                TABLES_ROOT => {
                    let mut xml = open()?;
                    read_version(&mut xml, TABLES_ROOT)?;
                    while let Some(table) = next_table(&mut xml)? {
                        books.tally.read("tables");
                        books.tables.insert(table.prefix.clone(), table);
                    }
                }
                INDEX_ROOT => {
                    books.index = Some(read_index(&mut open()?, &file.path, &mut books.tally)?)
                }
                DEFINITIONS_ROOT => {
                    let definitions = read_definitions(&mut open()?, &mut books.tally)?;
                    books.definitions = Some(definitions);
                }
                _ => {}
            }
        }
        Ok(books)
    }

    /// The tables, in no order.
    pub(super) fn tables(&self) -> impl Iterator<Item = &PcsTable> {
        self.tables.values()
    }

    /// What the characters of a code stand for.
    pub(super) fn labels(&self, code: &str) -> Option<Labels> {
        self.tables.get(code.get(..3)?)?.labels(code)
    }

    /// The names that the index has for each of these codes, which have four characters in common.
    pub(super) fn index_names(&mut self, codes: &[Coded]) -> Vec<Vec<Designation>> {
        match &mut self.index {
            Some(index) => index.names(codes, &mut self.tally),
            None => vec![Vec::new(); codes.len()],
        }
    }

    /// Notes what was not used when all codes were read.
    pub(super) fn end(&mut self) {
        if let Some(index) = &mut self.index {
            index.end(&mut self.tally);
        }
    }

    /// Gives the grouper of a root operation its definition.
    pub(super) fn define(&self, concept: &mut Concept) {
        let prefix = concept.code.as_str();
        let table = self.tables.get(prefix);
        let operation = table.and_then(|table| table.head(2)).or_else(|| axis_name(prefix));
        let section = prefix.get(..1).unwrap_or_default();
        let known = self.definitions.as_ref().zip(operation);
        if let Some(term) = known.and_then(|(all, name)| all.term(section, 3, name)) {
            concept.definition.clone_from(&term.definition);
            let explanation = term.explanation.as_ref();
            concept.properties.extend(explanation.map(|text| Property::text("explanation", text)));
            let includes = term.includes.iter();
            concept.properties.extend(includes.map(|text| Property::text("includes", text)));
        }
        if concept.definition.is_none() {
            concept.definition = table.and_then(|table| table.definition.clone());
        }
    }

    /// What else a code's body part, device and so on are called, as one bag of words.
    pub(super) fn terms(&self, labels: &Labels) -> Option<Designation> {
        let section = axis_code(&labels[0].1);
        let mut bag = String::new();
        for (place, (_, label)) in labels.iter().enumerate().skip(3) {
            if is_empty_label(label) {
                continue;
            }
            let definitions = self.definitions.as_ref();
            let defined = definitions.and_then(|all| all.term(section, place + 1, label));
            let defined = defined.into_iter().flat_map(|term| &term.includes);
            let used = self.index.as_ref().map(|index| index.uses(label)).unwrap_or_default();
            for term in defined.chain(used) {
                if bag.len() + term.len() > BAG_CHARS {
                    break;
                }
                if !bag.split("; ").any(|one| one == term) {
                    bag.push_str(if bag.is_empty() { "" } else { "; " });
                    bag.push_str(term);
                }
            }
        }
        (!bag.is_empty()).then(|| Designation::new("en", DesignationUse::WordBag, bag))
    }
}

/// The character of a section by its name.
fn axis_code(section: &str) -> &'static str {
    const SECTIONS: &str = "0123456789BCDFGHX";
    let one = |at: usize| SECTIONS.get(at..=at).unwrap_or_default();
    (0..SECTIONS.len()).map(one).find(|code| axis_name(code) == Some(section)).unwrap_or_default()
}
