use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::maps::{ConceptMap, MapEntryRef};
use crate::terminology::{
    Code, ConceptOrd, Designation, DesignationOrd, DesignationUse, Relationship,
};

use super::borrow_rules::{Reading, Refusal, refusal};
use super::lookup::code_of;
use super::open::Entry;
use super::{Catalog, Error};

/// Names that one terminology can borrow from others, and how they were chosen.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Loan {
    /// The names of each code, each with the terminology and the map it comes over.
    pub names: BTreeMap<Code, Vec<Designation>>,
    /// How they were chosen.
    pub report: LoanReport,
}

/// How borrowed names were chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LoanReport {
    /// The terminologies that lend, by the map over which they do.
    pub lenders: Vec<LenderReport>,
    /// Names that are borrowed.
    pub borrowed: usize,
    /// Codes that get one or more.
    pub codes: usize,
    /// Names that went to more than one code: which of them is meant is left to the ranking.
    pub names_on_several_codes: usize,
}

/// What came over one map.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LenderReport {
    /// The terminology that lends.
    pub alias: String,
    /// Its version.
    pub version: String,
    /// The map.
    pub map: String,
    /// Its version.
    pub map_version: String,
    /// Concepts that the map says to be equivalent to a code, and both are loaded.
    pub concepts: usize,
    /// Concepts that it says to be equivalent to more than one code.
    pub concepts_with_several_codes: usize,
    /// Rows whose concept or code is not loaded, retired, or a grouper.
    pub not_loaded: usize,
    /// Names of the concepts, once for each code.
    pub names: usize,
    /// Names that are borrowed.
    pub borrowed: usize,
    /// Refused: the code has the name already, of its own or from another lender.
    pub already_there: usize,
    /// Refused: the code stands for what has no code of its own ("other specified").
    pub residual: usize,
    /// Refused: name and code differ in side, type, course, "with" or "without" and the like.
    pub axis: usize,
    /// Refused: three letters or fewer, which stand for many things.
    pub short: usize,
}

impl Catalog {
    /// The names that `system` can borrow over the stored maps: for each concept of another
    /// terminology that a map says to be equivalent to a code, its preferred name and the synonyms
    /// that mean the same. `lenders` are the terminologies to ask; all of the store where it is
    /// empty.
    ///
    /// Nothing is changed: the names go into an index when it is built.
    ///
    /// # Errors
    /// [`Error::UnknownSystem`], [`Error::UnknownVersion`], [`Error::InvalidRequest`] where no map
    /// is stored between the two, [`Error::Map`].
    pub fn borrow(&self, system: &str, lenders: &[String]) -> Result<Loan, Error> {
        let borrower = self.entry(system)?;
        let maps = self.open_maps()?;
        let mut counter = Counter::new(borrower);
        for lender in self.entries_of(lenders)? {
            if lender.system() == borrower.system() {
                continue;
            }
            let before = counter.loan.report.lenders.len();
            for map in &maps {
                if let Some(pairs) = Pairs::over(map, lender, borrower) {
                    counter.lend(map, lender, pairs)?;
                }
            }
            if !lenders.is_empty() && counter.loan.report.lenders.len() == before {
                return Err(no_map(&format!("{} and {}", lender.alias(), borrower.alias())));
            }
        }
        if counter.loan.report.lenders.is_empty() {
            return Err(no_map(&format!("{} and another terminology of it", borrower.alias())));
        }
        Ok(counter.finish())
    }
}

fn no_map(between: &str) -> Error {
    let remedy = "add one with `medterm map add FILE`";
    Error::invalid("from", format!("the store has no map between {between}; {remedy}"))
}

/// The pairs of code and concept that a map says to mean the same.
struct Pairs {
    pairs: BTreeSet<(ConceptOrd, ConceptOrd)>,
    not_loaded: usize,
}

impl Pairs {
    /// `None` where the map is between other terminologies.
    fn over(map: &ConceptMap, lender: &Entry, borrower: &Entry) -> Option<Self> {
        let release = &map.manifest().release;
        let is = |source: &Entry, target: &Entry| {
            release.source == *source.system() && release.target == *target.system()
        };
        let forward = is(lender, borrower);
        if !forward && !is(borrower, lender) {
            return None;
        }
        let mut found = Self { pairs: BTreeSet::new(), not_loaded: 0 };
        let equal = |row: &MapEntryRef<'_>| row.relationship == Relationship::Equivalent;
        for row in map.entries().filter(equal) {
            let Some(target) = row.target else { continue };
            let (theirs, ours) = if forward { (row.source, target) } else { (target, row.source) };
            match usable(borrower, ours).zip(usable(lender, theirs)) {
                Some(pair) => drop(found.pairs.insert(pair)),
                None => found.not_loaded += 1,
            }
        }
        Some(found)
    }
}

/// The concept with a code, where it is one to choose.
fn usable(entry: &Entry, code: &str) -> Option<ConceptOrd> {
    let records = entry.index.records();
    let concept = entry.index.find(code)?;
    (records.is_active(concept) && records.is_selectable(concept)).then_some(concept)
}

/// Puts a loan together.
struct Counter<'e> {
    borrower: &'e Entry,
    loan: Loan,
    /// The names that a code has, as they are compared.
    known: BTreeMap<ConceptOrd, BTreeSet<String>>,
    /// The codes that borrowed a name.
    borrowers: BTreeMap<String, BTreeSet<ConceptOrd>>,
}

impl<'e> Counter<'e> {
    fn new(borrower: &'e Entry) -> Self {
        let (known, borrowers) = (BTreeMap::new(), BTreeMap::new());
        Self { borrower, loan: Loan::default(), known, borrowers }
    }

    fn lend(&mut self, map: &ConceptMap, lender: &Entry, found: Pairs) -> Result<(), Error> {
        let (theirs, over) = (&lender.index.manifest().release, &map.manifest().release);
        let source =
            format!("{} {} via {} {}", theirs.title, theirs.version, over.title, over.version);
        let mut report = LenderReport {
            alias: theirs.alias.clone(),
            version: theirs.version.clone(),
            map: over.name.clone(),
            map_version: over.version.clone(),
            not_loaded: found.not_loaded,
            ..LenderReport::default()
        };
        let mut codes_of: BTreeMap<ConceptOrd, usize> = BTreeMap::new();
        for (code, concept) in found.pairs {
            *codes_of.entry(concept).or_default() += 1;
            self.lend_concept(code, (lender, concept), &source, &mut report)?;
        }
        report.concepts = codes_of.len();
        report.concepts_with_several_codes = codes_of.values().filter(|n| **n > 1).count();
        self.loan.report.lenders.push(report);
        Ok(())
    }

    fn lend_concept(
        &mut self,
        code: ConceptOrd,
        (lender, concept): (&Entry, ConceptOrd),
        source: &str,
        report: &mut LenderReport,
    ) -> Result<(), Error> {
        let records = lender.index.records();
        let own = self.borrower.index.records();
        let display = Reading::of(own.display(code));
        let theirs = Reading::of(records.display(concept));
        let names =
            records.designations(concept).map(|ord| records.designation(DesignationOrd(ord)));
        let exact = |use_| matches!(use_, DesignationUse::Display | DesignationUse::Synonym);
        for name in names.filter(|name| exact(name.use_)) {
            let reading = Reading::of(name.value);
            report.names += 1;
            if display.is_residual() {
                report.residual += 1;
                continue;
            }
            if self.known_names(code).contains(reading.normal()) {
                report.already_there += 1;
                continue;
            }
            match refusal(&reading, &theirs, &display) {
                Some(Refusal::Short) => report.short += 1,
                Some(Refusal::Axis) => report.axis += 1,
                None => {
                    report.borrowed += 1;
                    let normal = reading.normal().to_owned();
                    self.borrowers.entry(normal.clone()).or_default().insert(code);
                    self.known_names(code).insert(normal);
                    let borrowed =
                        Designation::new(name.language, DesignationUse::Borrowed, name.value);
                    let names = self.loan.names.entry(code_of(self.borrower, code)?).or_default();
                    names.push(borrowed.from_source(source));
                }
            }
        }
        Ok(())
    }

    /// The names that a code has of its own, and those that it borrowed so far. What an earlier
    /// build borrowed does not count: it is replaced.
    fn known_names(&mut self, code: ConceptOrd) -> &mut BTreeSet<String> {
        let records = self.borrower.index.records();
        self.known.entry(code).or_insert_with(|| {
            let names =
                records.designations(code).map(|ord| records.designation(DesignationOrd(ord)));
            let own = names.filter(|name| name.use_ != DesignationUse::Borrowed);
            own.map(|name| Reading::of(name.value).normal().to_owned()).collect()
        })
    }

    fn finish(mut self) -> Loan {
        let report = &mut self.loan.report;
        report.borrowed = report.lenders.iter().map(|lender| lender.borrowed).sum();
        report.codes = self.loan.names.len();
        report.names_on_several_codes =
            self.borrowers.values().filter(|codes| codes.len() > 1).count();
        self.loan
    }
}
