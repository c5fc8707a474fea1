//! RXNATOMARCHIVE and RXNCUI: the concepts that RxNorm had and has no more, so that an old code is
//! still found and leads to the one to use now.

use std::collections::{BTreeMap, BTreeSet};

use crate::terminology::{Code, Concept, Property, property};

use super::files::ReleaseFile;
use super::input::Meter;
use super::rxnorm_files::{dialect, number};
use super::rxnorm_names::{Names, OWN, rank};
use super::table::Table;
use super::{ImportError, Tally};

const ARCHIVE_COLUMNS: [&str; 16] = [
    "RXAUI",
    "AUI",
    "STR",
    "ARCHIVE_TIMESTAMP",
    "CREATED_TIMESTAMP",
    "UPDATED_TIMESTAMP",
    "CODE",
    "IS_BRAND",
    "LAT",
    "LAST_RELEASED",
    "SAUI",
    "VSAB",
    "RXCUI",
    "SAB",
    "TTY",
    "MERGED_TO_RXCUI",
];
const STR: usize = 2;
const RXCUI: usize = 12;
const SAB: usize = 13;
const TTY: usize = 14;
const MERGED_TO_RXCUI: usize = 15;

const HISTORY_COLUMNS: [&str; 5] = ["CUI1", "VSAB_START", "VSAB_END", "CARDINALITY", "CUI2"];
const CUI1: usize = 0;
const CUI2: usize = 4;

/// The concepts that are not in use any more, by number.
#[derive(Debug, Default)]
pub(super) struct Retired(BTreeMap<u32, Old>);

#[derive(Debug, Default)]
struct Old {
    /// The best name it had: the place of its term type, the type, the name.
    name: Option<(usize, Box<str>, Box<str>)>,
    /// The concepts it was merged into or split to, which may be retired themselves.
    became: BTreeSet<u32>,
}

impl Retired {
    /// Reads the names that were taken out of concepts that have none now.
    pub(super) fn read_archive(
        &mut self,
        file: &ReleaseFile,
        meter: &Meter,
        names: &Names,
    ) -> Result<(), ImportError> {
        let mut table = Table::open(file.open(meter)?, dialect(&ARCHIVE_COLUMNS))?;
        while let Some(row) = table.next()? {
            let Some(rxcui) = number(row.cell(RXCUI)) else { continue };
            if row.cell(SAB) != OWN || names.has(rxcui) {
                continue;
            }
            let old = self.0.entry(rxcui).or_default();
            old.became.extend(number(row.cell(MERGED_TO_RXCUI)).filter(|other| *other != rxcui));
            let (term_type, text) = (row.cell(TTY), row.cell(STR));
            let rank = rank(term_type);
            if !text.is_empty() && old.name.as_ref().is_none_or(|known| rank < known.0) {
                old.name = Some((rank, term_type.into(), text.into()));
            }
        }
        Ok(())
    }

    /// Reads which concepts became which.
    pub(super) fn read_history(
        &mut self,
        file: &ReleaseFile,
        meter: &Meter,
        names: &Names,
    ) -> Result<(), ImportError> {
        let mut table = Table::open(file.open(meter)?, dialect(&HISTORY_COLUMNS))?;
        while let Some(row) = table.next()? {
            let Some(rxcui) = number(row.cell(CUI1)).filter(|one| !names.has(*one)) else {
                continue;
            };
            let old = self.0.entry(rxcui).or_default();
            // A concept that became nothing is said to have become itself.
            old.became.extend(number(row.cell(CUI2)).filter(|other| *other != rxcui));
        }
        Ok(())
    }

    /// The concept after a number, in the order of numbers; those of which nothing is known but the
    /// number are passed over.
    pub(super) fn after(
        &self,
        last: Option<u32>,
        names: &Names,
        left_out: &mut Unnamed<'_>,
    ) -> Option<(u32, Concept)> {
        let start = last.map_or(0, |last| last.saturating_add(1));
        for (rxcui, old) in self.0.range(start..) {
            match self.concept(*rxcui, old, names) {
                Some(concept) => return Some((*rxcui, concept)),
                None => left_out.note(*rxcui),
            }
        }
        None
    }

    fn concept(&self, rxcui: u32, old: &Old, names: &Names) -> Option<Concept> {
        let replacements = self.replacements(rxcui, names);
        let display = match &old.name {
            Some((_, _, name)) => name.to_string(),
            // The name of what it became says what it was: NLM calls the two synonymous.
            None => {
                let now: Vec<&str> =
                    replacements.iter().filter_map(|one| names.display(*one)).collect();
                now.join("; ")
            }
        };
        let code = Code::new(&rxcui.to_string()).ok().filter(|_| !display.is_empty())?;
        let mut concept = Concept::new(code, display);
        concept.active = false;
        if let Some((_, term_type, _)) = &old.name {
            concept.properties.push(Property::text(property::TTY, &**term_type));
        }
        for replacement in replacements {
            let replaced_by = Property::code(property::REPLACED_BY, replacement.to_string());
            concept.properties.push(replaced_by);
        }
        Some(concept)
    }

    /// The concepts in use that it became in the end, over any number of steps.
    fn replacements(&self, rxcui: u32, names: &Names) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        let mut met = BTreeSet::from([rxcui]);
        let mut waiting = vec![rxcui];
        while let Some(one) = waiting.pop() {
            for next in self.0.get(&one).map(|old| &old.became).into_iter().flatten() {
                if names.display(*next).is_some() {
                    found.insert(*next);
                } else if met.insert(*next) {
                    waiting.push(*next);
                }
            }
        }
        found
    }
}

/// Where retired concepts without a name are noted.
pub(super) struct Unnamed<'t> {
    pub(super) path: &'t std::path::Path,
    pub(super) tally: &'t mut Tally,
}

impl Unnamed<'_> {
    fn note(&mut self, rxcui: u32) {
        let reason = "a retired concept without a name or a replacement in use";
        self.tally.leave_out(reason, self.path, 1, &rxcui.to_string());
    }
}
