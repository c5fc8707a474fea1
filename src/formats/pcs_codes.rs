//! The order file or the codes file of ICD-10-PCS, as CMS publishes them, with the XML of tables,
//! index and definitions where it is given.
//!
//! Codes that have four characters in common stand together in the file and are read together: no
//! more than a few hundred are held at a time.

use std::collections::{HashSet, VecDeque};

use crate::terminology::{Concept, Release};

use super::cms_codes::DUPLICATE;
use super::cms_codes_rows::{CodeRow, CodeRows, CodeSet, richest, version_of};
use super::files::{Part, ReleaseFile};
use super::input::Meter;
use super::look::Look;
use super::pcs_books::Books;
use super::pcs_group::{Coded, Groups};
use super::pcs_xml::{DEFINITIONS_ROOT, INDEX_ROOT, release};
use super::source::{Progress, Source};
use super::{ImportError, ImportErrorKind, ReleaseFiles, Tally};

/// What a file is to this format.
pub(super) fn claim(file: &ReleaseFile, beginning: &str) -> Option<Part> {
    match &file.look {
        Look::Xml { root } => {
            (root == INDEX_ROOT || root == DEFINITIONS_ROOT).then_some(Part::Companion)
        }
        _ => CodeSet::Pcs.claims(file, beginning).then_some(Part::Release),
    }
}

/// Begins to read.
pub(super) fn open(files: &ReleaseFiles) -> Result<Box<dyn Source>, ImportError> {
    let chosen = richest(files.releases()).map_err(|kind| files.error(kind))?;
    let file = chosen.ok_or_else(|| files.error(ImportErrorKind::Empty))?;
    let meter = files.meter();
    let fail = |kind| ImportError::new(&file.path, None, kind);
    let (version, date) = version_of(&file.path).map_err(fail)?;
    let release = release(version, date).map_err(fail)?;
    let books = Books::read(files.companions(), &meter)?;
    let mut groups = Groups::default();
    books.tables().for_each(|table| groups.learn(table));
    Ok(Box::new(PcsCodes {
        rows: CodeRows::open(CodeSet::Pcs, file, &meter)?,
        meter,
        release,
        books,
        groups,
        seen: HashSet::new(),
        next_row: None,
        ready: VecDeque::new(),
        tally: Tally::default(),
        is_done: false,
    }))
}

struct PcsCodes {
    rows: CodeRows,
    meter: Meter,
    release: Release,
    books: Books,
    groups: Groups,
    /// Every code given out.
    seen: HashSet<[u8; 7]>,
    /// The row after the last group.
    next_row: Option<CodeRow>,
    ready: VecDeque<Concept>,
    tally: Tally,
    is_done: bool,
}

impl PcsCodes {
    /// Reads the codes that have the first four characters of the next one.
    fn read_group(&mut self) -> Result<(), ImportError> {
        let mut codes: Vec<Coded> = Vec::new();
        let mut line = 0;
        loop {
            let row = match self.next_row.take() {
                Some(row) => Some(row),
                None => self.rows.next()?,
            };
            let Some(row) = row else {
                self.is_done = true;
                break;
            };
            if !row.is_billable {
                self.tally.read("headers");
                self.groups.name(&row.code, row.title);
                continue;
            }
            let group = |code: &str| code.get(..4).unwrap_or_default().to_owned();
            if codes.first().is_some_and(|first| group(&first.code) != group(&row.code)) {
                self.next_row = Some(row);
                break;
            }
            line = row.line;
            self.take(row, &mut codes);
        }
        let concepts = self.groups.concepts(codes, &mut self.books);
        let fail = |kind| ImportError::new(self.rows.path(), Some(line), kind);
        self.ready.extend(concepts.map_err(fail)?);
        if self.is_done {
            self.books.end();
        }
        Ok(())
    }

    fn take(&mut self, row: CodeRow, codes: &mut Vec<Coded>) {
        let mut key = [0; 7];
        for (slot, byte) in key.iter_mut().zip(row.code.bytes()) {
            *slot = byte;
        }
        if !self.seen.insert(key) {
            self.tally.leave_out(DUPLICATE, self.rows.path(), row.line, &row.code);
            return;
        }
        self.tally.read("codes");
        let labels = self.books.labels(&row.code);
        codes.push(Coded { code: row.code, title: row.title, short: row.short, labels });
    }
}

impl Iterator for PcsCodes {
    type Item = Result<Concept, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(concept) = self.ready.pop_front() {
                return Some(Ok(concept));
            }
            if self.is_done {
                return None;
            }
            if let Err(error) = self.read_group() {
                return Some(Err(error));
            }
        }
    }
}

impl Source for PcsCodes {
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
