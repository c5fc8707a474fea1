//! RXNCONSO: the names of the concepts of RxNorm.
//!
//! NLM sorts the file by concept, but nothing promises it, and a file that was filtered or joined
//! has the rows of a concept far apart. So the names that are read are all held: 300 thousand of
//! RxNorm's own take some 40 MB, 1.2 million of all sources some 150 MB.

use std::ops::Range;

use crate::terminology::{Code, Concept, Designation, DesignationUse, Property, property};

use super::files::ReleaseFile;
use super::input::Meter;
use super::rxnorm_files::{dialect, number};
use super::table::{Row, Table};
use super::{ImportError, ImportErrorKind, ImportOptions, Suppressed, Tally};

const COLUMNS: [&str; 18] = [
    "RXCUI", "LAT", "TS", "LUI", "STT", "SUI", "ISPREF", "RXAUI", "SAUI", "SCUI", "SDUI", "SAB",
    "TTY", "CODE", "STR", "SRL", "SUPPRESS", "CVF",
];
const RXCUI: usize = 0;
const LAT: usize = 1;
const SAB: usize = 11;
const TTY: usize = 12;
const STR: usize = 14;
const SUPPRESS: usize = 16;

/// RxNorm's own names.
pub(super) const OWN: &str = "RXNORM";

/// The language of RxNorm's own names.
pub(super) const LANGUAGE: &str = "en";

/// What a concept identifier is, in a message.
pub(super) const EXPECTED: &str = "the number of an RxNorm concept";

/// Which rows are read.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    sources: Vec<String>,
    suppressed: Suppressed,
}

impl Choice {
    pub(super) fn of(options: &ImportOptions) -> Self {
        let mut sources = options.sources.clone();
        if sources.is_empty() {
            sources.push(OWN.to_owned());
        }
        Self { sources, suppressed: options.suppressed }
    }

    /// Whether rows of a source are read.
    pub(super) fn has(&self, source: &str) -> bool {
        self.sources.iter().any(|one| one.eq_ignore_ascii_case(source))
    }

    /// Whether rows with this mark are read: `N` is none, `O` obsolete, `Y` and `E` suppressed by
    /// NLM's rules and editors.
    pub(super) fn takes(&self, suppress: &str) -> bool {
        self.suppressed == Suppressed::Read || !is_suppressed(suppress)
    }
}

fn is_suppressed(mark: &str) -> bool {
    matches!(mark, "O" | "Y" | "E")
}

/// A few words that many rows share, by number.
#[derive(Debug, Default)]
pub(super) struct Words(Vec<String>);

impl Words {
    /// The number of a word. Of more words than there are numbers, the last stand for one.
    pub(super) fn number(&mut self, word: &str) -> u16 {
        let known = self.0.iter().position(|one| one == word);
        let at = known.unwrap_or_else(|| {
            self.0.push(word.to_owned());
            self.0.len() - 1
        });
        u16::try_from(at).unwrap_or(u16::MAX)
    }

    pub(super) fn word(&self, number: u16) -> &str {
        self.0.get(usize::from(number)).map_or("", String::as_str)
    }
}

/// The place of a term type in the order in which they name a concept.
pub(super) fn rank(term_type: &str) -> usize {
    let order = property::TTY_ORDER;
    order.iter().position(|one| *one == term_type).unwrap_or(order.len())
}

#[derive(Debug)]
struct Name {
    rxcui: u32,
    /// Of another source than RxNorm itself.
    is_foreign: bool,
    is_suppressed: bool,
    source: u16,
    term_type: u16,
    language: u16,
    text: Box<str>,
}

/// All names that are read, the better ones of each concept first.
#[derive(Debug, Default)]
pub(super) struct Names {
    names: Vec<Name>,
    words: Words,
}

impl Names {
    pub(super) fn read(
        file: &ReleaseFile,
        meter: &Meter,
        choice: &Choice,
        tally: &mut Tally,
    ) -> Result<Self, ImportError> {
        let mut all = Self::default();
        let mut table = Table::open(file.open(meter)?, dialect(&COLUMNS))?;
        let path = table.path().to_owned();
        while let Some(row) = table.next()? {
            let unwanted = match (choice.has(row.cell(SAB)), choice.takes(row.cell(SUPPRESS))) {
                (false, _) => Some("a name of a source that is not read"),
                (true, false) => Some("a suppressed name"),
                (true, true) => None,
            };
            if let Some(reason) = unwanted {
                tally.pass_over(reason, &path, row.line, row.cell(STR));
                continue;
            }
            if row.cell(STR).is_empty() {
                tally.leave_out("a row without a name", &path, row.line, row.cell(RXCUI));
                continue;
            }
            if let Err(kind) = all.add(&row) {
                return Err(table.error(kind));
            }
            tally.read("names");
        }
        if all.names.is_empty() {
            let inside = file.name();
            let kind =
                ImportErrorKind::Missing { element: "name of a source that is read", inside };
            return Err(ImportError::new(&path, None, kind));
        }
        let words = &all.words;
        all.names.sort_by_cached_key(|name| {
            let is_foreign_language = words.word(name.language) != LANGUAGE;
            let rank = rank(words.word(name.term_type));
            (name.rxcui, name.is_suppressed, name.is_foreign, is_foreign_language, rank)
        });
        Ok(all)
    }

    fn add(&mut self, row: &Row<'_>) -> Result<(), ImportErrorKind> {
        let text = row.cell(RXCUI);
        let rxcui = number(text).ok_or_else(|| ImportErrorKind::InvalidCode {
            text: text.to_owned(),
            expected: EXPECTED,
        })?;
        let source = row.cell(SAB);
        self.names.push(Name {
            rxcui,
            is_foreign: source != OWN,
            is_suppressed: is_suppressed(row.cell(SUPPRESS)),
            source: self.words.number(source),
            term_type: self.words.number(row.cell(TTY)),
            language: self.words.number(language(row.cell(LAT))),
            text: row.cell(STR).into(),
        });
        Ok(())
    }

    /// The names of the concept that begin at a place, and its number.
    pub(super) fn group(&self, start: usize) -> Option<(u32, Range<usize>)> {
        let rxcui = self.names.get(start)?.rxcui;
        let length = self.names[start..].iter().take_while(|name| name.rxcui == rxcui).count();
        Some((rxcui, start..start + length))
    }

    /// The display of a concept that is in use.
    pub(super) fn display(&self, rxcui: u32) -> Option<&str> {
        let start = self.names.partition_point(|name| name.rxcui < rxcui);
        let name = self.names.get(start)?;
        (name.rxcui == rxcui && !name.is_suppressed).then_some(&*name.text)
    }

    /// Whether a concept has a name that is read.
    pub(super) fn has(&self, rxcui: u32) -> bool {
        self.names.binary_search_by_key(&rxcui, |name| name.rxcui).is_ok()
    }

    /// The concept of a group, with its names and term types.
    pub(super) fn concept(&self, code: Code, group: Range<usize>) -> Option<Concept> {
        let (first, others) = self.names.get(group)?.split_first()?;
        let mut concept = Concept::new(code, &*first.text);
        concept.active = !first.is_suppressed;
        for (at, name) in others.iter().enumerate() {
            let before = std::iter::once(first).chain(&others[..at]);
            let is_same = |one: &Name| one.text == name.text && one.language == name.language;
            if before.into_iter().any(is_same) {
                continue;
            }
            let language = self.words.word(name.language);
            let designation = Designation::new(language, DesignationUse::Synonym, &*name.text);
            concept.designations.push(if name.is_foreign {
                designation.from_source(self.words.word(name.source))
            } else {
                designation
            });
        }
        let mut types: Vec<&str> = Vec::new();
        for name in std::iter::once(first).chain(others) {
            let term_type = self.words.word(name.term_type);
            // What another source calls a name is no type of RxNorm's.
            if name.is_foreign == first.is_foreign && !types.contains(&term_type) {
                types.push(term_type);
            }
        }
        types.sort_by_key(|term_type| rank(term_type));
        concept.properties.extend(types.iter().map(|one| Property::text(property::TTY, *one)));
        Some(concept)
    }
}

/// The language of a row: UMLS's three letters as BCP 47.
fn language(letters: &str) -> &str {
    let known = [
        // A name is in some language; RxNorm's own are in English.
        ("", LANGUAGE),
        ("ENG", LANGUAGE),
        ("SPA", "es"),
        ("FRE", "fr"),
        ("GER", "de"),
        ("ITA", "it"),
        ("POR", "pt"),
        ("DUT", "nl"),
    ];
    known.iter().find(|(umls, _)| *umls == letters).map_or(letters, |(_, language)| language)
}
