//! The descriptions of an RF2 release, and which of them names a concept how.

use crate::terminology::{Designation, DesignationUse};

use super::rf2_concepts::{Concepts, REPEATED};
use super::rf2_dialects::{Dialects, is_within, primary};
use super::rf2_file::{FileKind, Rf2Files};
use super::rf2_row::{Row, Stamp, Versioned, latest};
use super::rf2_text::Texts;
use super::{ImportError, Tally, semantic_tag};

/// 900000000000003001 |Fully specified name|.
const FULLY_SPECIFIED: u64 = 900_000_000_000_003_001;
/// 900000000000550004 |Definition|.
const DEFINITION: u64 = 900_000_000_000_550_004;
/// 900000000000490003 |Description inactivation indicator attribute value reference set|.
const INACTIVATION: u64 = 900_000_000_000_490_003;
/// 723278000 |Not semantically equivalent component|: the name was retired because it means something
/// else.
const OTHER_MEANING: u64 = 723_278_000;

/// More languages than any release has.
const MAX_LANGUAGES: usize = 300;

/// What the names are said to be from that the publisher has retired. They find their concept, since
/// people go on using them, and are never taken for its name.
pub(super) const RETIRED: &str = "retired";

const NO_CONCEPT: &str = "the description's concept is not in the release";
const WRONG_NAME: &str = "the retired name means something else, its publisher says";

/// All descriptions, and by concept which they are.
#[derive(Debug, Default)]
pub(super) struct Names {
    rows: Vec<NameRow>,
    /// The numbers of the descriptions, in the order of their concepts.
    by_concept: Vec<u32>,
    languages: Vec<String>,
    texts: Texts,
    dialects: Dialects,
    /// The descriptions that were retired because they mean something else.
    wrong: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct NameRow {
    id: u64,
    text: u64,
    concept: u32,
    stamp: Stamp,
    language: u16,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    FullySpecified,
    Synonym,
    Definition,
}

impl Versioned for NameRow {
    type Key = u64;

    fn key(&self) -> u64 {
        self.id
    }

    fn stamp(&self) -> Stamp {
        self.stamp
    }
}

/// The names of one concept.
#[derive(Debug, Default)]
pub(super) struct Named {
    pub(super) display: String,
    /// The language or dialect that was asked for.
    language: String,
    pub(super) designations: Vec<Designation>,
    pub(super) definition: Option<String>,
    pub(super) tag: Option<String>,
}

impl Names {
    pub(super) fn read(
        files: &Rf2Files,
        concepts: &Concepts,
        tally: &mut Tally,
    ) -> Result<Self, ImportError> {
        let mut read = Self::default();
        let mut rows = Vec::new();
        let columns = ["conceptId", "languageCode", "typeId", "term"];
        files.rows(FileKind::Description, &columns, |row, stamp| {
            let id = row.id(0)?;
            let Some(concept) = concepts.find(row.id(4)?) else {
                if stamp.active {
                    tally.leave_out(NO_CONCEPT, row.path(), row.line, row.cell(4));
                }
                return Ok(());
            };
            let language = read.language(row)?;
            let kind = match row.id(6)? {
                FULLY_SPECIFIED => Kind::FullySpecified,
                DEFINITION => Kind::Definition,
                _ => Kind::Synonym,
            };
            let text = read.texts.add(row, 7)?;
            rows.push(NameRow { id, text, concept, stamp, language, kind });
            Ok(())
        })?;
        read.rows = latest(rows, |row| {
            let line = row.stamp.line.into();
            tally.leave_out(REPEATED, files.path(row.stamp), line, &row.id.to_string());
        });
        tally.read_many("descriptions", read.rows.len() as u64);
        let mut by_concept: Vec<u32> = (0u32..).take(read.rows.len()).collect();
        by_concept.sort_unstable_by_key(|at| (read.row(*at).map(|row| row.concept), *at));
        read.by_concept = by_concept;
        let find = |id: u64| {
            let at = read.find(id)?;
            Some((at, read.tag_of(read.row(at)?)))
        };
        let dialects = Dialects::read(files, find, tally)?;
        let wrong = read.wrong_names(files, tally)?;
        (read.dialects, read.wrong) = (dialects, wrong);
        Ok(read)
    }

    /// The dialects that names are preferred in.
    pub(super) fn dialects(&self) -> &Dialects {
        &self.dialects
    }

    /// What a concept is called in this language or dialect, and how else; `None` where it has no
    /// name at all.
    pub(super) fn of(&self, concept: u32, language: &str) -> Option<Named> {
        let own = self.own(concept);
        let active = |kind: Kind| own.clone().filter(move |(_, row)| row.is(kind));
        let in_language = |row: &NameRow| primary(self.tag_of(row)) == primary(language);
        let preferred =
            |at: u32, asked: &str| self.dialects.preferring(at).any(|tag| is_within(tag, asked));
        // As asked for; else as another dialect of the language has it; else what there is.
        let best = |kind: Kind| {
            let asked = active(kind).find(|(at, _)| preferred(*at, language));
            let near = || active(kind).find(|(at, _)| preferred(*at, primary(language)));
            let same = || active(kind).find(|(_, row)| in_language(row));
            asked.or_else(near).or_else(same).or_else(|| active(kind).next())
        };
        let full = best(Kind::FullySpecified).map(|(_, row)| self.texts.get(row.text));
        let split = full.and_then(semantic_tag::split);
        let synonym = best(Kind::Synonym).map(|(_, row)| self.texts.get(row.text));
        let display = synonym.or(split.map(|(name, _)| name)).or(full)?.to_owned();
        let mut named = Named {
            display,
            language: language.to_owned(),
            designations: Vec::new(),
            definition: best(Kind::Definition).map(|(_, row)| self.texts.get(row.text).to_owned()),
            tag: split.map(|(_, tag)| tag.to_owned()),
        };
        self.name_in_dialects(&mut named, active(Kind::Synonym));
        for kind in [Kind::FullySpecified, Kind::Synonym] {
            for (_, row) in active(kind) {
                named.add(self.tag_of(row), DesignationUse::Synonym, self.texts.get(row.text));
            }
        }
        for (at, row) in own.filter(|(_, row)| !row.stamp.active && row.kind != Kind::Definition) {
            if self.wrong.binary_search(&at).is_ok() {
                continue;
            }
            let value = self.texts.get(row.text);
            let before = named.designations.len();
            named.add(self.tag_of(row), DesignationUse::Related, value);
            if let Some(retired) = named.designations.get_mut(before) {
                retired.source = Some(RETIRED.to_owned());
            }
        }
        Some(named)
    }

    /// Adds what other dialects prefer.
    fn name_in_dialects<'n>(
        &self,
        named: &mut Named,
        synonyms: impl Iterator<Item = (u32, &'n NameRow)>,
    ) {
        for (at, row) in synonyms {
            for tag in self.dialects.preferring(at) {
                named.add(tag, DesignationUse::Display, self.texts.get(row.text));
            }
        }
    }

    /// The descriptions of a concept, in the order of their identifiers.
    fn own(&self, concept: u32) -> impl Iterator<Item = (u32, &NameRow)> + Clone {
        let owner = |at: &u32| self.row(*at).map(|row| row.concept);
        let begin = self.by_concept.partition_point(|at| owner(at) < Some(concept));
        self.by_concept[begin..]
            .iter()
            .filter_map(|at| Some((*at, self.row(*at)?)))
            .take_while(move |(_, row)| row.concept == concept)
    }

    fn wrong_names(&self, files: &Rf2Files, tally: &mut Tally) -> Result<Vec<u32>, ImportError> {
        let mut wrong = Vec::new();
        let columns = ["refsetId", "referencedComponentId", "valueId"];
        files.rows(FileKind::AttributeValue, &columns, |row, stamp| {
            if stamp.active && row.id(4)? == INACTIVATION && row.id(6)? == OTHER_MEANING {
                let found = self.find(row.id(5)?);
                if found.is_some() {
                    tally.leave_out(WRONG_NAME, row.path(), row.line, row.cell(5));
                }
                wrong.extend(found);
            }
            Ok(())
        })?;
        wrong.sort_unstable();
        Ok(wrong)
    }

    fn find(&self, id: u64) -> Option<u32> {
        let at = self.rows.binary_search_by_key(&id, |row| row.id).ok()?;
        u32::try_from(at).ok()
    }

    fn row(&self, at: u32) -> Option<&NameRow> {
        self.rows.get(usize::try_from(at).ok()?)
    }

    fn tag_of(&self, row: &NameRow) -> &str {
        self.languages.get(usize::from(row.language)).map_or("", String::as_str)
    }

    /// The number of a row's language.
    fn language(&mut self, row: &Row<'_>) -> Result<u16, ImportError> {
        let tag = row.cell(5);
        let known = self.languages.iter().position(|one| one == tag);
        let at = known.unwrap_or_else(|| {
            self.languages.push(tag.to_owned());
            self.languages.len() - 1
        });
        let is_plausible = (2..=8).contains(&tag.len()) && at < MAX_LANGUAGES;
        let number = u16::try_from(at).ok().filter(|_| is_plausible);
        number.ok_or_else(|| row.invalid(5, "a language such as en"))
    }
}

impl NameRow {
    /// Whether it is in use, as this.
    fn is(&self, kind: Kind) -> bool {
        self.stamp.active && self.kind == kind
    }
}

impl Named {
    /// Adds a name that the concept does not have yet in this language. A dialect that prefers what
    /// is displayed anyhow needs no entry.
    fn add(&mut self, language: &str, use_: DesignationUse, value: &str) {
        let is_same = |tag: &str| primary(tag) == primary(language);
        let is_display = self.display == value && is_same(&self.language);
        let is_display_of = |one: &Designation| one.use_ == DesignationUse::Display;
        let is_known = self.designations.iter().any(|one| {
            let same = if is_display_of(one) && use_ == DesignationUse::Display {
                one.language == language
            } else {
                is_same(&one.language)
            };
            same && one.value == value
        });
        if !is_display && !is_known {
            self.designations.push(Designation::new(language, use_, value));
        }
    }
}
