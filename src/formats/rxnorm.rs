//! RxNorm, the names of clinical drugs, in the rich release format (RRF) of NLM.
//!
//! A concept has the number RXCUI. It is read from RXNCONSO, which alone is enough; what lies beside
//! it adds relations and hierarchy (RXNREL), NDCs and other attributes (RXNSAT), the concepts that
//! are retired (RXNATOMARCHIVE, RXNCUI) and the version (RXNSAB). Unless asked otherwise, names are
//! those that NLM itself made (SAB=RXNORM) and does not suppress (SUPPRESS=N). Given out in the
//! order of numbers: first the concepts in use, then the retired ones.

use std::iter::FusedIterator;

use crate::terminology::{Code, Concept, Release};

use super::files::{Part, ReleaseFile};
use super::input::Meter;
use super::rxnorm_files::{self as layout, Chosen, Kind};
use super::rxnorm_joins::{Joins, Read};
use super::rxnorm_names::{Choice, EXPECTED, Names};
use super::rxnorm_release::release;
use super::rxnorm_retired::{Retired, Unnamed};
use super::source::{Progress, Source};
use super::{ImportError, ImportErrorKind, ImportOptions, ReleaseFiles, Tally};

/// What a file is to this format.
pub(super) fn claim(file: &ReleaseFile, beginning: &str) -> Option<Part> {
    layout::claim(file, beginning)
}

/// Begins to read.
pub(super) fn open(
    files: &ReleaseFiles,
    options: &ImportOptions,
) -> Result<Box<dyn Source>, ImportError> {
    let mut tally = Tally::default();
    let chosen = Chosen::of(files, &mut tally)?;
    let release = release(files, &chosen, options)?;
    Ok(Box::new(RxNorm {
        chosen,
        choice: Choice::of(options),
        release,
        meter: files.meter(),
        tally,
        state: State::Waiting,
    }))
}

struct RxNorm {
    chosen: Chosen,
    choice: Choice,
    release: Release,
    meter: Meter,
    tally: Tally,
    state: State,
}

enum State {
    Waiting,
    /// The concepts in use, from a place among the names.
    InUse(Box<Loaded>, usize),
    /// The retired concepts, after a number.
    Retired(Box<Loaded>, Option<u32>),
    Done,
}

struct Loaded {
    names: Names,
    joins: Joins,
    retired: Retired,
}

impl RxNorm {
    /// Reads everything: the rows of one concept may stand anywhere.
    fn load(&mut self) -> Result<Loaded, ImportError> {
        let (meter, choice, tally) = (&self.meter, &self.choice, &mut self.tally);
        let names = Names::read(&self.chosen.names, meter, choice, tally)?;
        let mut joins = Joins::default();
        for file in self.chosen.all(Kind::Relations) {
            joins.read_relations(file, meter, Read { choice, names: &names, tally })?;
        }
        for file in self.chosen.all(Kind::Attributes) {
            joins.read_attributes(file, meter, Read { choice, names: &names, tally })?;
        }
        joins.sort(tally);
        let mut retired = Retired::default();
        for file in self.chosen.all(Kind::Archive) {
            retired.read_archive(file, meter, &names)?;
        }
        for file in self.chosen.all(Kind::Retired) {
            retired.read_history(file, meter, &names)?;
        }
        Ok(Loaded { names, joins, retired })
    }

    /// The next concept, and what is to come after it.
    fn step(&mut self, state: State) -> Result<(Option<Concept>, State), ImportError> {
        match state {
            State::Waiting => {
                let loaded = self.load()?;
                self.step(State::InUse(Box::new(loaded), 0))
            }
            State::InUse(loaded, start) => {
                let Some((rxcui, group)) = loaded.names.group(start) else {
                    return self.step(State::Retired(loaded, None));
                };
                let end = group.end;
                let mut concept = loaded.names.concept(self.code(rxcui)?, group);
                if let Some(concept) = &mut concept {
                    loaded.joins.complete(rxcui, concept);
                }
                Ok((concept, State::InUse(loaded, end)))
            }
            State::Retired(loaded, last) => {
                let mut unnamed = Unnamed { path: &self.chosen.names.path, tally: &mut self.tally };
                match loaded.retired.after(last, &loaded.names, &mut unnamed) {
                    Some((rxcui, concept)) => {
                        self.tally.read("retired concepts");
                        Ok((Some(concept), State::Retired(loaded, Some(rxcui))))
                    }
                    None => Ok((None, State::Done)),
                }
            }
            State::Done => Ok((None, State::Done)),
        }
    }

    fn code(&self, rxcui: u32) -> Result<Code, ImportError> {
        let text = rxcui.to_string();
        Code::new(&text).map_err(|_| {
            let kind = ImportErrorKind::InvalidCode { text, expected: EXPECTED };
            ImportError::new(&self.chosen.names.path, None, kind)
        })
    }
}

impl Iterator for RxNorm {
    type Item = Result<Concept, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        let state = std::mem::replace(&mut self.state, State::Done);
        match self.step(state) {
            Ok((concept, state)) => {
                self.state = state;
                concept.map(Ok)
            }
            Err(error) => Some(Err(error)),
        }
    }
}

impl FusedIterator for RxNorm {}

impl Source for RxNorm {
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
