//! The XML tables of ICD-10-PCS as a release of their own: every combination of a row is a code.
//!
//! The tables have labels and no titles. The titles made of them here have the words of the
//! official ones and often their order ("Resection of Appendix, Open Approach"); the order file
//! and the codes file have the official titles.

use std::collections::{BTreeMap, HashSet, VecDeque};

use crate::terminology::{Concept, Release};

use super::cms_codes::DUPLICATE;
use super::files::{Part, ReleaseFile};
use super::input::Meter;
use super::look::Look;
use super::pcs_books::Books;
use super::pcs_group::{Coded, Groups};
use super::pcs_xml::{
    Labels, PcsTable, PcsXml, TABLES_ROOT, is_empty_label, next_table, read_version, release,
};
use super::source::{Progress, Source};
use super::xml::XmlReader;
use super::{ImportError, ImportErrorKind, ReleaseFiles, Tally};

/// What a file is to this format.
pub(super) fn claim(file: &ReleaseFile, _: &str) -> Option<Part> {
    let Look::Xml { root } = &file.look else { return None };
    (root == TABLES_ROOT).then_some(Part::Release)
}

/// Begins to read.
pub(super) fn open(files: &ReleaseFiles) -> Result<Box<dyn Source>, ImportError> {
    let meter = files.meter();
    let input = files.main()?.open(&meter)?;
    let path = input.path.clone();
    let mut xml = XmlReader::new(input.path, input.reader);
    let version = read_version(&mut xml, TABLES_ROOT)?;
    let release = release(version, None).map_err(|kind| xml.error(kind))?;
    let books = Books::read(files.companions(), &meter)?;
    Ok(Box::new(PcsTables {
        xml,
        path,
        meter,
        release,
        books,
        groups: Groups::default(),
        seen: HashSet::new(),
        ready: VecDeque::new(),
        tally: Tally::default(),
        is_done: false,
    }))
}

struct PcsTables {
    xml: PcsXml,
    path: std::path::PathBuf,
    meter: Meter,
    release: Release,
    books: Books,
    groups: Groups,
    /// The three characters of every table read.
    seen: HashSet<String>,
    ready: VecDeque<Concept>,
    tally: Tally,
    is_done: bool,
}

impl PcsTables {
    fn read_table(&mut self) -> Result<(), ImportError> {
        let Some(table) = next_table(&mut self.xml)? else {
            self.is_done = true;
            if self.seen.is_empty() {
                let inside = format!("<{TABLES_ROOT}>");
                let kind = ImportErrorKind::Missing { element: "<pcsTable>", inside };
                return Err(self.xml.error(kind));
            }
            self.books.end();
            return Ok(());
        };
        if !self.seen.insert(table.prefix.clone()) {
            self.tally.leave_out(TWICE, &self.path, table.line, &table.prefix);
            return Ok(());
        }
        self.tally.read("tables");
        self.groups.learn(&table);
        // Rows share body parts, so the codes of one are put together first.
        let mut by_part: BTreeMap<String, BTreeMap<String, Coded>> = BTreeMap::new();
        for (code, labels) in table.codes() {
            let part = by_part.entry(code.get(..4).unwrap_or_default().to_owned()).or_default();
            let title = title(&labels);
            let coded = Coded { code: code.clone(), title, short: None, labels: Some(labels) };
            if part.contains_key(&code) {
                self.tally.leave_out(DUPLICATE, &self.path, table.line, &code);
                continue;
            }
            self.tally.read("codes");
            part.insert(code, coded);
        }
        for codes in by_part.into_values() {
            let codes = codes.into_values().collect();
            let concepts = self.groups.concepts(codes, &mut self.books);
            let mut concepts = concepts.map_err(|kind| self.xml.error_at(table.line, kind))?;
            concepts.iter_mut().for_each(|concept| define(concept, &table));
            self.ready.extend(concepts);
        }
        Ok(())
    }
}

const TWICE: &str = "the table came before";

/// Gives the grouper of the table's operation the table's definition, unless it has a better one.
fn define(concept: &mut Concept, table: &PcsTable) {
    if concept.code.as_str() == table.prefix && concept.definition.is_none() {
        concept.definition.clone_from(&table.definition);
    }
}

/// A title made of the labels of a code.
fn title(labels: &Labels) -> String {
    let [_, _, operation, part, approach, device, qualifier] = labels;
    let mut title = operation.1.to_string();
    let mut add = |before: &str, label: &str, after: &str| {
        if !is_empty_label(label) {
            title.push_str(before);
            title.push_str(label);
            title.push_str(after);
        }
    };
    add(" of ", &part.1, "");
    let is_approach = approach.0.contains("Approach");
    add(if device.0.contains("Device") { " with " } else { " using " }, &device.1, "");
    add(", ", &approach.1, if is_approach { " Approach" } else { "" });
    add(", ", &qualifier.1, "");
    title
}

impl Iterator for PcsTables {
    type Item = Result<Concept, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(concept) = self.ready.pop_front() {
                return Some(Ok(concept));
            }
            if self.is_done {
                return None;
            }
            if let Err(error) = self.read_table() {
                return Some(Err(error));
            }
        }
    }
}

impl Source for PcsTables {
    fn release(&self) -> &Release {
        &self.release
    }

    fn progress(&self) -> Progress {
        self.meter.progress()
    }

    fn tally(&self) -> Tally {
        let mut tally = self.tally.clone();
        tally.join(self.books.tally.clone());
        tally
    }
}
