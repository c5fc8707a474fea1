use std::collections::HashSet;
use std::path::Path;

use super::layout::{flag, section};
use super::{RECORDS_FORMAT, RecordsError, details};
use crate::disk::{PartKind, PartSummary, PartWriter};
use crate::terminology::{Concept, DesignationUse, property};

/// What was written: for the manifest and the report of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordsSummary {
    /// The file.
    pub part: PartSummary,
    /// How many concepts.
    pub concepts: u32,
    /// How many designations, displays among them, after repeated and blank ones were left out.
    pub designations: u32,
}

/// Writes the records of an index to `path`, which must not exist.
///
/// `concepts` are sorted strictly by code; their positions become their ords. `language` is the
/// BCP 47 tag of the displays. The display of each concept becomes its first designation; other
/// designations follow in the order given, without blank ones and without those that repeat a value
/// in the same language, whatever their use.
///
/// # Errors
/// [`RecordsError::Order`] before anything is written, [`RecordsError::TooMany`] when an index
/// cannot number all of it, [`RecordsError::Encode`] for properties over 16 MiB, and
/// [`RecordsError::Disk`].
pub fn write_records(
    path: &Path,
    concepts: &[Concept],
    language: &str,
) -> Result<RecordsSummary, RecordsError> {
    check_order(concepts)?;
    let count = fits_u32("concepts", concepts.len())?;
    let mut writer = PartWriter::create(path, PartKind::Records, RECORDS_FORMAT)?;
    write_codes(&mut writer, concepts)?;
    writer.section(section::FLAGS, &concepts.iter().map(flags).collect::<Vec<u8>>())?;
    let designations = write_designations(&mut writer, concepts, language)?;
    write_details(&mut writer, concepts)?;
    Ok(RecordsSummary { part: writer.finish()?, concepts: count, designations })
}

fn check_order(concepts: &[Concept]) -> Result<(), RecordsError> {
    match concepts.windows(2).find(|pair| pair[0].code >= pair[1].code) {
        Some(pair) => {
            Err(RecordsError::Order { previous: pair[0].code.clone(), code: pair[1].code.clone() })
        }
        None => Ok(()),
    }
}

fn write_codes(writer: &mut PartWriter, concepts: &[Concept]) -> Result<(), RecordsError> {
    let mut codes = String::new();
    let mut code_at = vec![0];
    for concept in concepts {
        codes.push_str(concept.code.as_str());
        code_at.push(fits_u32("bytes of codes", codes.len())?);
    }
    writer.section(section::CODE_AT, &code_at)?;
    writer.section(section::CODES, codes.as_bytes())?;

    let mut folded: Vec<(String, u32)> =
        concepts.iter().map(|concept| fold(concept.code.as_str())).zip(0..).collect();
    folded.sort_unstable();
    let order: Vec<u32> = folded.into_iter().map(|(_, ord)| ord).collect();
    writer.section(section::FOLDED, &order)?;
    Ok(())
}

/// The code in lower case, letter by letter: unlike `str::to_lowercase` no letter depends on its
/// neighbors, so a reader may fold while it compares.
pub(super) fn fold(code: &str) -> String {
    code.chars().flat_map(char::to_lowercase).collect()
}

fn flags(concept: &Concept) -> u8 {
    let mut flags = 0;
    if concept.active {
        flags |= flag::ACTIVE;
    }
    if concept.flag(property::NOT_SELECTABLE) == Some(true) {
        flags |= flag::NOT_SELECTABLE;
    }
    if let Some(billable) = concept.flag(property::BILLABLE) {
        flags |= flag::BILLABLE_STATED;
        if billable {
            flags |= flag::BILLABLE;
        }
    }
    flags
}

fn write_designations(
    writer: &mut PartWriter,
    concepts: &[Concept],
    language: &str,
) -> Result<u32, RecordsError> {
    let mut columns = Columns::new();
    writer.begin(section::TEXTS)?;
    let mut seen: HashSet<(&str, &str)> = HashSet::new();
    for (ord, concept) in (0u32..).zip(concepts) {
        seen.clear();
        seen.insert((language, &concept.display));
        columns.push(ord, language, DesignationUse::Display, &concept.display)?;
        writer.append(concept.display.as_bytes())?;
        for other in &concept.designations {
            let blank = other.value.trim().is_empty();
            if !blank && seen.insert((&other.language, &other.value)) {
                columns.push(ord, &other.language, other.use_, &other.value)?;
                writer.append(other.value.as_bytes())?;
            }
        }
        columns.designation_at.push(fits_u32("designations", columns.owner.len())?);
    }
    columns.write(writer)
}

/// The designations as columns, one value a designation.
struct Columns {
    designation_at: Vec<u32>,
    owner: Vec<u32>,
    uses: Vec<u8>,
    text_at: Vec<u64>,
    language: Vec<u16>,
    languages: Vec<String>,
}

impl Columns {
    fn new() -> Self {
        Self {
            designation_at: vec![0],
            owner: Vec::new(),
            uses: Vec::new(),
            text_at: vec![0],
            language: Vec::new(),
            languages: Vec::new(),
        }
    }

    fn push(
        &mut self,
        owner: u32,
        language: &str,
        use_: DesignationUse,
        value: &str,
    ) -> Result<(), RecordsError> {
        // A release has a handful of languages, so a table and a walk through it are enough.
        let known = self.languages.iter().position(|one| one == language);
        let language = known.unwrap_or_else(|| {
            self.languages.push(language.to_owned());
            self.languages.len() - 1
        });
        let limit = u64::from(u16::MAX);
        self.language.push(
            u16::try_from(language)
                .map_err(|_| RecordsError::TooMany { what: "languages", limit })?,
        );
        self.owner.push(owner);
        self.uses.push(use_number(use_)?);
        let end = self.text_at.last().copied().unwrap_or_default();
        self.text_at.push(end + value.len() as u64);
        Ok(())
    }

    fn write(&self, writer: &mut PartWriter) -> Result<u32, RecordsError> {
        writer.section(section::TEXT_AT, &self.text_at)?;
        writer.section(section::DESIGNATION_AT, &self.designation_at)?;
        writer.section(section::OWNER, &self.owner)?;
        writer.section(section::USE, &self.uses)?;
        writer.section(section::LANGUAGE, &self.language)?;
        writer.section(section::LANGUAGES, self.languages.concat().as_bytes())?;
        let mut language_at = vec![0u32];
        let mut end = 0;
        for language in &self.languages {
            end += language.len();
            language_at.push(fits_u32("bytes of language tags", end)?);
        }
        writer.section(section::LANGUAGE_AT, &language_at)?;
        fits_u32("designations", self.owner.len())
    }
}

/// A use as its place in [`DesignationUse::ALL`].
fn use_number(use_: DesignationUse) -> Result<u8, RecordsError> {
    let limit = DesignationUse::ALL.len();
    let place = DesignationUse::ALL.iter().position(|one| *one == use_).unwrap_or(limit);
    u8::try_from(place)
        .ok()
        .filter(|_| place < limit)
        .ok_or(RecordsError::TooMany { what: "uses of designations", limit: limit as u64 })
}

fn write_details(writer: &mut PartWriter, concepts: &[Concept]) -> Result<(), RecordsError> {
    writer.begin(section::DETAILS)?;
    let mut at = vec![0u64];
    let mut end = 0;
    let mut buffer = Vec::new();
    for concept in concepts {
        buffer.clear();
        details::encode(concept, &mut buffer).map_err(|e| RecordsError::Encode {
            code: concept.code.clone(),
            source: Box::new(e),
        })?;
        writer.append(&buffer)?;
        end += buffer.len() as u64;
        at.push(end);
    }
    writer.section(section::DETAILS_AT, &at)?;
    Ok(())
}

fn fits_u32(what: &'static str, count: usize) -> Result<u32, RecordsError> {
    u32::try_from(count).map_err(|_| RecordsError::TooMany { what, limit: u64::from(u32::MAX) })
}
