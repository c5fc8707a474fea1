//! CVX, the codes of vaccines that CDC keeps: its text file or its XML.
//!
//! The text has a vaccine in each row and no header: code, short description, full name, notes,
//! status, in older files an internal number, whether it is no vaccine, and when the row was last
//! changed, divided by `|`. There is no release as such: the version is the newest of these days.
//! The list is small and is read as a whole before the first concept is given out.

use std::collections::HashSet;
use std::vec::IntoIter;

use crate::terminology::{
    Code, Concept, Content, Designation, DesignationUse, Property, PropertyValue, Release,
    known_system, property,
};

use super::cvx_xml;
use super::file_date::date_in_name;
use super::files::{Part, ReleaseFile};
use super::input::{Input, Meter};
use super::look::Look;
use super::source::{Progress, Source};
use super::table::{Dialect, Header, Quotes, Table};
use super::{ImportError, ImportErrorKind, ReleaseFiles, Tally};

const ALIAS: &str = "cvx";
const LANGUAGE: &str = "en";

/// The words of CDC for how far a code is in use, and whether one with it may still be chosen.
const STATUSES: [(&str, bool); 5] = [
    ("Active", true),
    ("Inactive", false),
    ("Never Active", false),
    ("Non-US", true),
    ("Pending", true),
];

/// CDC's list has never had so few rows since it has been published as a file; a shorter one is an
/// excerpt.
const FEWEST_ROWS: usize = 150;

const CODE: usize = 0;
const SHORT: usize = 1;
const FULL: usize = 2;
const NOTES: usize = 3;
const STATUS: usize = 4;

/// What the list says of one code.
#[derive(Debug, Default)]
pub(super) struct Vaccine {
    pub(super) line: u64,
    pub(super) code: String,
    pub(super) short: String,
    pub(super) full: String,
    pub(super) notes: String,
    pub(super) status: String,
    pub(super) nonvaccine: String,
    pub(super) updated: String,
}

/// What a file is to this format.
pub(super) fn claim(file: &ReleaseFile, beginning: &str) -> Option<Part> {
    let is_cvx = match &file.look {
        Look::Xml { root } => root == cvx_xml::ROOT,
        // The second row where somebody wrote a header over the first.
        Look::Text { .. } => beginning.split(['\r', '\n']).take(3).any(is_vaccine),
        _ => false,
    };
    is_cvx.then_some(Part::Release)
}

fn is_vaccine(row: &str) -> bool {
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    (7..=9).contains(&cells.len()) && is_code(cells[CODE]) && is_in_use(cells[STATUS]).is_some()
}

fn is_code(text: &str) -> bool {
    (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_in_use(status: &str) -> Option<bool> {
    let known = STATUSES.iter().find(|(known, _)| known.eq_ignore_ascii_case(status));
    known.map(|(_, is_in_use)| *is_in_use)
}

/// Begins to read.
pub(super) fn open(files: &ReleaseFiles) -> Result<Box<dyn Source>, ImportError> {
    let file = files.main()?;
    let input = file.open(&files.meter())?;
    let meter = input.meter.clone();
    let vaccines = match file.look {
        Look::Xml { .. } => cvx_xml::read(input)?,
        _ => read_text(input)?,
    };
    if vaccines.is_empty() {
        return Err(files.error(ImportErrorKind::Empty));
    }
    let mut tally = Tally::default();
    let release = release(files, file, &vaccines)?;
    let mut seen = HashSet::new();
    let mut concepts = Vec::new();
    for vaccine in vaccines {
        if vaccine.short.is_empty() && vaccine.full.is_empty() {
            tally.leave_out("a row without a name", &file.path, vaccine.line, &vaccine.code);
        } else if seen.insert(vaccine.code.clone()) {
            concepts.push(concept(vaccine, file, &mut tally)?);
        } else {
            let reason = "a code that is given a second time";
            tally.leave_out(reason, &file.path, vaccine.line, &vaccine.code);
        }
    }
    Ok(Box::new(Cvx { release, meter, tally, concepts: concepts.into_iter() }))
}

fn read_text(input: Input) -> Result<Vec<Vaccine>, ImportError> {
    let dialect = Dialect { delimiter: b'|', quotes: Quotes::Plain, header: Header::Numbered };
    let mut table = Table::open(input, dialect)?;
    let columns = table.columns().len();
    let mut vaccines = Vec::new();
    while let Some(row) = table.next()? {
        let code = row.cell(CODE);
        if !is_code(code) {
            // A header, where there is one.
            if vaccines.is_empty() && row.line == 1 {
                continue;
            }
            let (text, expected) = (code.to_owned(), "the number of a vaccine");
            return Err(table.error(ImportErrorKind::InvalidCode { text, expected }));
        }
        // The day is last; a `|` at the end of the row is no column.
        let day = (STATUS + 1..columns).rev().find(|at| !row.cell(*at).is_empty());
        let day = day.unwrap_or(columns - 1);
        vaccines.push(Vaccine {
            line: row.line,
            code: code.to_owned(),
            short: row.cell(SHORT).to_owned(),
            full: row.cell(FULL).to_owned(),
            notes: row.cell(NOTES).to_owned(),
            status: row.cell(STATUS).to_owned(),
            nonvaccine: row.cell(day.saturating_sub(1).max(STATUS + 1)).to_owned(),
            updated: row.cell(day).to_owned(),
        });
    }
    Ok(vaccines)
}

fn concept(
    vaccine: Vaccine,
    file: &ReleaseFile,
    tally: &mut Tally,
) -> Result<Concept, ImportError> {
    let code = Code::new(&vaccine.code).map_err(|_| {
        let (text, expected) = (vaccine.code.clone(), "the number of a vaccine");
        let kind = ImportErrorKind::InvalidCode { text, expected };
        ImportError::new(&file.path, Some(vaccine.line), kind)
    })?;
    let has_short = !vaccine.short.is_empty();
    let display = if has_short { vaccine.short } else { vaccine.full.clone() };
    let mut concept = Concept::new(code, display);
    if !vaccine.full.is_empty() && vaccine.full != concept.display {
        let full = Designation::new(LANGUAGE, DesignationUse::Synonym, vaccine.full);
        concept.designations.push(full);
    }
    match is_in_use(&vaccine.status) {
        Some(is_in_use) => concept.active = is_in_use,
        None => {
            let reason = "a status that is not known here: the code counts as in use";
            let text = format!("{} {}", concept.code, vaccine.status);
            tally.leave_out(reason, &file.path, vaccine.line, &text);
        }
    }
    if !vaccine.status.is_empty() {
        concept.properties.push(Property::text(property::STATUS, vaccine.status));
    }
    if let Some(nonvaccine) = truth(&vaccine.nonvaccine) {
        concept.properties.push(Property::boolean("nonvaccine", nonvaccine));
    }
    if !vaccine.notes.is_empty() {
        concept.properties.push(Property::text(property::NOTE, vaccine.notes));
    }
    match day(&vaccine.updated) {
        Some(day) => concept
            .properties
            .push(Property { code: "lastUpdated".to_owned(), value: PropertyValue::DateTime(day) }),
        None => {
            let text = format!("{} {}", concept.code, vaccine.updated);
            tally.leave_out("a day that cannot be read", &file.path, vaccine.line, &text);
        }
    }
    Ok(concept)
}

fn truth(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" => Some(true),
        "false" | "0" | "no" => Some(false),
        _ => None,
    }
}

/// A day as CDC writes it, `2010/09/30` or `9/30/2010`, with or without a time, in ISO 8601.
fn day(text: &str) -> Option<String> {
    let day = text.split_whitespace().next()?;
    let parts: Vec<&str> = day.split(['/', '-']).collect();
    let [first, second, third] = parts[..] else { return None };
    let (year, month, day) =
        if first.len() == 4 { (first, second, third) } else { (third, first, second) };
    date_in_name(&format!("{year}-{month:0>2}-{day:0>2}"))
}

fn release(
    files: &ReleaseFiles,
    file: &ReleaseFile,
    vaccines: &[Vaccine],
) -> Result<Release, ImportError> {
    let known = known_system(ALIAS).ok_or_else(|| {
        let inside = "the register of known terminologies".to_owned();
        files.error(ImportErrorKind::Missing { element: ALIAS, inside })
    })?;
    let newest = vaccines.iter().filter_map(|one| day(&one.updated)).max();
    let date = newest.or_else(|| date_in_name(&file.name()));
    let is_whole = vaccines.len() >= FEWEST_ROWS;
    Ok(Release {
        system: known.id(),
        alias: known.alias.to_owned(),
        version: date.clone().unwrap_or_else(|| "undated".to_owned()),
        date,
        title: known.title.to_owned(),
        publisher: Some("Centers for Disease Control and Prevention (CDC)".to_owned()),
        license: Some("Published by the US government for free use".to_owned()),
        notices: vec![
            "CVX is kept by the National Center for Immunization and Respiratory Diseases of the \
             Centers for Disease Control and Prevention (CDC). Its use here implies no endorsement \
             by CDC or the United States government."
                .to_owned(),
        ],
        language: LANGUAGE.to_owned(),
        content: if is_whole { Content::Complete } else { Content::Fragment },
        code_case: None,
        hierarchy_meaning: None,
    })
}

struct Cvx {
    release: Release,
    meter: Meter,
    tally: Tally,
    concepts: IntoIter<Concept>,
}

impl Iterator for Cvx {
    type Item = Result<Concept, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.concepts.next().map(Ok)
    }
}

impl Source for Cvx {
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
