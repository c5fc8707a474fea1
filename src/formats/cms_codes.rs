//! The order file or the codes file of ICD-10-CM, as CMS publishes them.
//!
//! The codes get their dots; a code hangs under the longest header that begins it, which stands
//! before it. The short titles of an order file are abbreviated to 60 characters: they are bags of
//! words, for they name the code to nobody. The tabular list says far more: inclusion terms, notes,
//! chapters and blocks.

use std::collections::HashSet;

use crate::terminology::{Code, Concept, Designation, DesignationUse, Property, Release, property};

use super::cms_codes_rows::{CodeRow, CodeRows, CodeSet, richest, version_of};
use super::files::{Part, ReleaseFile};
use super::input::Meter;
use super::source::{Progress, Source};
use super::{ImportError, ImportErrorKind, ReleaseFiles, Tally, cms_index, tabular_head};

/// What a file is to this format.
pub(super) fn claim(file: &ReleaseFile, beginning: &str) -> Option<Part> {
    CodeSet::Cm.claims(file, beginning).then_some(Part::Release)
}

/// Begins to read.
pub(super) fn open(files: &ReleaseFiles) -> Result<Box<dyn Source>, ImportError> {
    let chosen = richest(files.releases()).map_err(|kind| files.error(kind))?;
    let file = chosen.ok_or_else(|| files.error(ImportErrorKind::Empty))?;
    let meter = files.meter();
    let rows = CodeRows::open(CodeSet::Cm, file, &meter)?;
    let fail = |kind| ImportError::new(&file.path, None, kind);
    let (version, date) = version_of(&file.path).map_err(fail)?;
    let mut release = tabular_head::release(version, None).map_err(fail)?;
    release.date = date;
    let tally = Tally::default();
    let seen = HashSet::new();
    let codes = CmsCodes { rows, meter: meter.clone(), release, seen, tally };
    cms_index::attach_to(Box::new(codes), files, &meter)
}

struct CmsCodes {
    rows: CodeRows,
    meter: Meter,
    release: Release,
    /// Every code given out, without its dot and filled up with zeros.
    seen: HashSet<[u8; 8]>,
    tally: Tally,
}

impl CmsCodes {
    fn read(&mut self) -> Result<Option<Concept>, ImportError> {
        while let Some(row) = self.rows.next()? {
            if !self.seen.insert(key(&row.code)) {
                self.tally.leave_out(DUPLICATE, self.rows.path(), row.line, &row.code);
                continue;
            }
            self.tally.read(if row.is_billable { "codes" } else { "headers" });
            let line = row.line;
            return match self.concept(row) {
                Ok(concept) => Ok(Some(concept)),
                Err(kind) => Err(ImportError::new(self.rows.path(), Some(line), kind)),
            };
        }
        Ok(None)
    }

    fn concept(&self, row: CodeRow) -> Result<Concept, ImportErrorKind> {
        let mut concept = Concept::new(code(&row.code)?, row.title);
        let above = (3..row.code.len()).rev().filter_map(|length| row.code.get(..length));
        if let Some(parent) = above.into_iter().find(|one| self.seen.contains(&key(one))) {
            concept.parents.push(code(parent)?);
        }
        let kind = if row.code.len() == 3 { "category" } else { "code" };
        concept.properties = vec![
            Property::text(property::KIND, kind),
            Property::boolean(property::BILLABLE, row.is_billable),
        ];
        if let Some(short) = row.short {
            let language = self.release.language.as_str();
            let short = Designation::new(language, DesignationUse::WordBag, short);
            concept.designations.push(short);
        }
        Ok(concept)
    }
}

/// Why a row is left out that has a code which came before.
pub(super) const DUPLICATE: &str = "the code came before";

fn key(code: &str) -> [u8; 8] {
    let mut key = [0; 8];
    for (slot, byte) in key.iter_mut().zip(code.bytes()) {
        *slot = byte;
    }
    key
}

fn code(bare: &str) -> Result<Code, ImportErrorKind> {
    let dotted = match bare.split_at_checked(3) {
        Some((category, rest)) if !rest.is_empty() => format!("{category}.{rest}"),
        _ => bare.to_owned(),
    };
    Code::new(&dotted)
        .map_err(|_| ImportErrorKind::InvalidCode { text: dotted, expected: "an ICD-10-CM code" })
}

impl Iterator for CmsCodes {
    type Item = Result<Concept, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

impl Source for CmsCodes {
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
