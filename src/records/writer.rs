use std::collections::HashSet;
use std::path::Path;

use super::columns::{Columns, Name};
use super::layout::{flag, section};
use super::{RECORDS_FORMAT, RecordsError, details};
use crate::disk::{PartKind, PartSummary, PartWriter};
use crate::terminology::{Concept, property};

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
        columns.push(ord, &Name::display(language, &concept.display))?;
        writer.append(concept.display.as_bytes())?;
        for other in &concept.designations {
            let blank = other.value.trim().is_empty();
            if !blank && seen.insert((&other.language, &other.value)) {
                columns.push(ord, &Name::from(other))?;
                writer.append(other.value.as_bytes())?;
            }
        }
        columns.end_concept()?;
    }
    columns.write(writer)
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

pub(super) fn fits_u32(what: &'static str, count: usize) -> Result<u32, RecordsError> {
    u32::try_from(count).map_err(|_| RecordsError::TooMany { what, limit: u64::from(u32::MAX) })
}
