//! LOINC, the codes of observations and documents, as Regenstrief publishes it.
//!
//! The table (`Loinc.csv`, or its core) is read row by row; from the files beside it come the
//! hierarchy with the parts in it, the replacements of deprecated terms, the names for laypeople and
//! the translations. Answers, panels and groups are not read. A term that is DEPRECATED is not in
//! use any more; one that is DISCOURAGED is, and says so in its status.

use std::collections::HashSet;
use std::iter::FusedIterator;

use crate::terminology::{Code, Concept, Content, Release, known_system};

use super::files::{Part, ReleaseFile};
use super::input::Meter;
use super::loinc_files::{self as layout, Chosen, DIALECT, Kind};
use super::loinc_hierarchy::Hierarchy;
use super::loinc_names::MoreNames;
use super::loinc_row::{Columns, LANGUAGE, number};
use super::source::{Progress, Source};
use super::table::Table;
use super::{ImportError, ImportErrorKind, ReleaseFiles, Tally};

const ALIAS: &str = "loinc";

/// What a file is to this format.
pub(super) fn claim(file: &ReleaseFile, beginning: &str) -> Option<Part> {
    layout::claim(file, beginning)
}

/// Begins to read.
pub(super) fn open(files: &ReleaseFiles) -> Result<Box<dyn Source>, ImportError> {
    let mut tally = Tally::default();
    let chosen = Chosen::of(files, &mut tally)?;
    let meter = files.meter();
    let table = Table::open(chosen.table.open(&meter)?, DIALECT)?;
    let columns = Columns::of(&table)?;
    let release = release(files, &chosen)?;
    let (names, hierarchy) = (MoreNames::default(), Hierarchy::default());
    Ok(Box::new(Loinc {
        release,
        table,
        columns,
        seen: HashSet::new(),
        beside: Beside { chosen, names, hierarchy },
        meter,
        tally,
        state: State::Waiting,
    }))
}

struct Loinc {
    release: Release,
    table: Table,
    columns: Columns,
    seen: HashSet<Code>,
    beside: Beside,
    meter: Meter,
    tally: Tally,
    state: State,
}

/// What is joined to the table.
struct Beside {
    chosen: Chosen,
    names: MoreNames,
    hierarchy: Hierarchy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Waiting,
    Terms,
    Parts,
    Done,
}

impl Beside {
    fn read(&mut self, meter: &Meter, tally: &mut Tally) -> Result<(), ImportError> {
        let Self { chosen, names, hierarchy } = self;
        for file in chosen.hierarchy() {
            hierarchy.read(file, meter)?;
        }
        for file in chosen.all(Kind::Replacements) {
            hierarchy.read_replacements(file, meter)?;
        }
        for file in chosen.all(Kind::ConsumerNames) {
            names.read_consumer_names(file, meter, tally)?;
        }
        for file in chosen.all(Kind::Translation) {
            names.read_translation(file, meter, tally)?;
        }
        names.sort();
        Ok(())
    }
}

impl Loinc {
    fn step(&mut self) -> Result<Option<Concept>, ImportError> {
        if self.state == State::Waiting {
            self.beside.read(&self.meter, &mut self.tally)?;
            self.state = State::Terms;
        }
        if self.state == State::Terms {
            if let Some(term) = self.term()? {
                return Ok(Some(term));
            }
            if self.seen.is_empty() {
                let inside = "the table".to_owned();
                return Err(self.table.error(ImportErrorKind::Missing { element: "term", inside }));
            }
            self.beside.names.end(&mut self.tally);
            self.state = State::Parts;
        }
        if self.state == State::Parts
            && let Some(part) = self.beside.hierarchy.next_part(&mut self.tally)
        {
            return Ok(Some(part));
        }
        self.state = State::Done;
        Ok(None)
    }

    /// The next term of the table.
    fn term(&mut self) -> Result<Option<Concept>, ImportError> {
        let path = self.table.path().to_owned();
        while let Some(row) = self.table.next()? {
            let text = self.columns.code(&row);
            let line = row.line;
            let Ok(code) = Code::new(text) else {
                let (text, expected) = (text.to_owned(), "the code of a LOINC term");
                let kind = ImportErrorKind::InvalidCode { text, expected };
                return Err(ImportError::new(&path, Some(line), kind));
            };
            let tally = &mut self.tally;
            if number(text).is_none() {
                let reason = "the check digit does not fit the code, which is read all the same";
                tally.leave_out(reason, &path, line, text);
            }
            if self.seen.contains(&code) {
                tally.leave_out("a code that is given a second time", &path, line, text);
                continue;
            }
            let wrong_rank =
                |rank: &str| tally.leave_out("a rank that is no number", &path, line, rank);
            let Some(mut concept) = self.columns.concept(code.clone(), &row, wrong_rank) else {
                self.tally.leave_out("a row without a name", &path, line, text);
                continue;
            };
            self.seen.insert(code);
            self.beside.hierarchy.place(&mut concept);
            self.beside.names.name(&mut concept, &mut self.tally);
            self.tally.read("terms");
            return Ok(Some(concept));
        }
        Ok(None)
    }
}

impl Iterator for Loinc {
    type Item = Result<Concept, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.state == State::Done {
            return None;
        }
        let next = self.step();
        if next.is_err() {
            self.state = State::Done;
        }
        next.transpose()
    }
}

impl FusedIterator for Loinc {}

impl Source for Loinc {
    fn release(&self) -> &Release {
        &self.release
    }

    fn progress(&self) -> Progress {
        self.meter.progress()
    }

    fn tally(&self) -> Tally {
        self.tally.clone()
    }
}

fn release(files: &ReleaseFiles, chosen: &Chosen) -> Result<Release, ImportError> {
    let known = known_system(ALIAS).ok_or_else(|| {
        let inside = "the register of known terminologies".to_owned();
        files.error(ImportErrorKind::Missing { element: ALIAS, inside })
    })?;
    // The table alone may be a cut, and without the hierarchy the parts are not there.
    let is_whole =
        chosen.hierarchy().next().is_some() && chosen.all(Kind::Replacements).next().is_some();
    Ok(Release {
        system: known.id(),
        alias: known.alias.to_owned(),
        version: chosen.version()?.unwrap_or_else(|| "undated".to_owned()),
        date: None,
        title: known.title.to_owned(),
        publisher: Some("Regenstrief Institute, Inc.".to_owned()),
        license: Some(
            "LOINC license (http://loinc.org/license): free of charge, with its notice, unchanged"
                .to_owned(),
        ),
        notices: vec![
            "This material contains content from LOINC (http://loinc.org). LOINC is copyright © \
             Regenstrief Institute, Inc. and the Logical Observation Identifiers Names and Codes \
             (LOINC) Committee and is available at no cost under the license at \
             http://loinc.org/license. LOINC® is a registered United States trademark of \
             Regenstrief Institute, Inc."
                .to_owned(),
            "Terms with an EXTERNAL_COPYRIGHT_NOTICE contain material of others, on the terms \
             stated there."
                .to_owned(),
        ],
        language: LANGUAGE.to_owned(),
        content: if is_whole { Content::Complete } else { Content::Fragment },
        code_case: None,
        hierarchy_meaning: None,
    })
}
