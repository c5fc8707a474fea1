//! The hierarchy of ICD-10-PCS: the characters of a code are its axes, so what several codes begin
//! with is what they have in common.
//!
//! One, two, three and four characters are groupers: section, body system, root operation (a table
//! of the publisher's) and body part. The codes hang under the four characters. What comes after,
//! approach, device and qualifier, is no hierarchy: it would part the open from the endoscopic ways
//! to the same thing.

use std::collections::{HashMap, HashSet};

use crate::terminology::{Code, Concept, Designation, DesignationUse, Property, property};

use super::ImportErrorKind;
use super::pcs_axes::{axis_name, known_axes};
use super::pcs_books::Books;
use super::pcs_xml::{Labels, PcsTable, is_empty_label, properties};

/// One code before it is a concept.
#[derive(Debug, Clone)]
pub(super) struct Coded {
    pub(super) code: String,
    pub(super) title: String,
    /// An abbreviated title.
    pub(super) short: Option<String>,
    /// What its characters stand for, where a table says so.
    pub(super) labels: Option<Labels>,
}

/// The groupers given out so far, and the names of others.
#[derive(Debug, Default)]
pub(super) struct Groups {
    given: HashSet<String>,
    /// Names that the release itself gives, by the characters.
    names: HashMap<String, String>,
}

const KINDS: [&str; 4] = ["section", "bodySystem", "operation", "bodyPart"];
const LANGUAGE: &str = "en";

impl Groups {
    /// Takes the name of a grouper from the release: the header of an order file.
    pub(super) fn name(&mut self, prefix: &str, name: String) {
        self.names.entry(prefix.to_owned()).or_insert(name);
    }

    /// Takes the names that a table has for its characters.
    pub(super) fn learn(&mut self, table: &PcsTable) {
        let said = |place| table.head(place).filter(|label| !is_empty_label(label));
        let [section, system, operation] = [0, 1, 2].map(said);
        let prefixes = [1, 2].map(|length| table.prefix.get(..length).unwrap_or_default());
        for (prefix, name) in prefixes.into_iter().zip([section, system]) {
            self.names.extend(name.map(|name| (prefix.to_owned(), name.to_owned())));
        }
        if let Some(operation) = operation {
            self.name(&table.prefix, operation_of(system, operation));
        }
    }

    /// The concepts of codes that have their first four characters in common: groupers that were
    /// not given yet, then the codes.
    pub(super) fn concepts(
        &mut self,
        codes: Vec<Coded>,
        books: &mut Books,
    ) -> Result<Vec<Concept>, ImportErrorKind> {
        let mut concepts = Vec::with_capacity(codes.len() + KINDS.len());
        let Some(first) = codes.first() else { return Ok(concepts) };
        let names = books.index_names(&codes);
        for length in 1..=KINDS.len() {
            let prefix = first.code.get(..length).unwrap_or_default();
            if self.given.contains(prefix) {
                continue;
            }
            self.given.insert(prefix.to_owned());
            let display = match self.names.get(prefix) {
                Some(name) => name.clone(),
                None => self.made_name(prefix, &codes),
            };
            let mut concept = Concept::new(code(prefix)?, display);
            concept.parents.extend(above(prefix, length - 1));
            concept.properties = vec![
                Property::text(property::KIND, KINDS[length - 1]),
                Property::boolean(property::NOT_SELECTABLE, true),
            ];
            if length == 3 {
                books.define(&mut concept);
            }
            concepts.push(concept);
        }
        for (coded, names) in codes.into_iter().zip(names) {
            let mut concept = Concept::new(code(&coded.code)?, coded.title);
            concept.parents.extend(above(&coded.code, KINDS.len()));
            concept.properties = vec![
                Property::text(property::KIND, "code"),
                Property::boolean(property::BILLABLE, true),
            ];
            concept.properties.extend(match &coded.labels {
                Some(labels) => properties(labels),
                None => known_axes(concept.code.as_str()),
            });
            concept.designations.extend(names);
            let bag = coded.labels.as_ref().and_then(|labels| books.terms(labels));
            let short =
                coded.short.map(|short| Designation::new(LANGUAGE, DesignationUse::WordBag, short));
            concept.designations.extend(short.into_iter().chain(bag));
            concepts.push(concept);
        }
        Ok(concepts)
    }

    /// A name for a grouper that the release has none for.
    fn made_name(&self, prefix: &str, codes: &[Coded]) -> String {
        let known =
            |prefix: &str| self.names.get(prefix).map(String::as_str).or_else(|| axis_name(prefix));
        let name = match prefix.len() {
            3 => axis_name(prefix)
                .map(|operation| operation_of(prefix.get(..2).and_then(known), operation)),
            4 => Some(in_common(codes)),
            // Mental health has no body systems: its one grouper is all of the section.
            _ => known(prefix).or_else(|| known(prefix.get(..1)?)).map(str::to_owned),
        };
        name.filter(|name| !name.is_empty())
            .unwrap_or_else(|| format!("Codes that begin with {prefix}"))
    }
}

/// "Gastrointestinal System, Resection", as an order file has it.
fn operation_of(system: Option<&str>, operation: &str) -> String {
    match system {
        Some(system) => format!("{system}, {operation}"),
        None => operation.to_owned(),
    }
}

/// The first characters of a code as the code above it, if any.
fn above(code: &str, length: usize) -> Option<Code> {
    code.get(..length).and_then(|parent| Code::new(parent).ok())
}

fn code(text: &str) -> Result<Code, ImportErrorKind> {
    Code::new(text).map_err(|_| ImportErrorKind::InvalidCode {
        text: text.to_owned(),
        expected: "an ICD-10-PCS code",
    })
}

/// Words that only lead to the next and end no name.
const JOINING: [&str; 11] =
    ["of", "with", "to", "in", "into", "from", "using", "and", "or", "for", "on"];
/// Those that a body part may follow at the end of a title.
const LEADING: [&str; 4] = ["in", "into", "from", "to"];

/// What the titles of codes have in common before their first comma: the beginning, and the end
/// from a word like "into" on. "Introduction of Thrombolytic into Vein" and "Introduction of Serum
/// into Vein" have "Introduction into Vein".
fn in_common(codes: &[Coded]) -> String {
    let clause = |coded: &Coded| -> Vec<String> {
        let clause = coded.title.split(", ").next().unwrap_or_default();
        clause.split_whitespace().map(str::to_owned).collect()
    };
    let Some(first) = codes.first().map(clause) else { return String::new() };
    let (mut before, mut after) = (first.len(), first.len());
    for other in codes.iter().skip(1).map(clause) {
        let same = first.iter().zip(&other).take_while(|(a, b)| a == b).count();
        before = before.min(same);
        let same = first.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
        after = after.min(same).min(other.len().saturating_sub(before));
    }
    if before == first.len() {
        return first.join(" ");
    }
    while before > 0 && (JOINING.contains(&first[before - 1].as_str()) || is_open(&first[..before]))
    {
        before -= 1;
    }
    let mut words: Vec<&str> = first[..before].iter().map(String::as_str).collect();
    let end = &first[first.len() - after.min(first.len() - before)..];
    let leads = |word: &String| LEADING.contains(&word.as_str());
    if let Some(at) = end.iter().position(leads) {
        words.extend(end[at..].iter().map(String::as_str));
    }
    words.join(" ")
}

/// Whether a parenthesis is open after these words.
fn is_open(words: &[String]) -> bool {
    let count = |sign: char| words.iter().map(|word| word.matches(sign).count()).sum::<usize>();
    count('(') != count(')')
}
