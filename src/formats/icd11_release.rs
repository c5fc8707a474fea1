//! What a file of ICD-11 says about the release it is.

use std::path::Path;

use crate::terminology::{Content, Release, known_system};

use super::ImportErrorKind;
use super::file_date::date_in_name;
use super::icd11_row::{Columns, Row};

const ALIAS: &str = "icd11";
const ENGLISH: &str = "en";
/// The version of a file that has none.
const UNDATED: &str = "undated";
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// What is known before the first concept.
#[derive(Debug)]
pub(super) struct Head {
    language: String,
    date: Option<String>,
    /// The release in the addresses of the first row that has one.
    version: Option<String>,
}

impl Head {
    /// What the name of the file and the header of the table say.
    pub(super) fn new(path: &Path, columns: &Columns) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let stated = columns.version.as_deref().and_then(day);
        Self {
            language: language(&name).unwrap_or_else(|| ENGLISH.to_owned()),
            date: stated.or_else(|| date_in_name(&name)),
            version: None,
        }
    }

    /// Takes a row.
    pub(super) fn take(&mut self, row: &Row) {
        if self.version.is_none() {
            self.version = release_in(&row.linearization);
        }
    }
}

/// The day in `2025 Jan 24 - 22:30 UTC`.
fn day(text: &str) -> Option<String> {
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|one| !one.is_empty());
    let (year, month, day) = (words.next()?, words.next()?, words.next()?);
    let month = month.to_ascii_lowercase();
    let month = MONTHS.iter().position(|one| month.starts_with(one))? + 1;
    date_in_name(&format!("{year}-{month:02}-{day:0>2}"))
}

/// The release in `http://id.who.int/icd/release/11/2025-01/mms/1435254666`.
fn release_in(address: &str) -> Option<String> {
    let (_, after) = address.split_once("/release/11/")?;
    let release = after.split('/').next()?;
    let (year, month) = release.split_once('-')?;
    let are_digits = year.bytes().chain(month.bytes()).all(|byte| byte.is_ascii_digit());
    (year.len() == 4 && month.len() == 2 && are_digits).then(|| release.to_owned())
}

/// The language in `SimpleTabulation-ICD-11-MMS-es.txt`: the last word of two letters.
fn language(name: &str) -> Option<String> {
    let stem = name.split('.').next()?;
    let mut words = stem.rsplit(['-', '_', ' ']);
    let found = words.find(|word| word.len() == 2 && word.bytes().all(|b| b.is_ascii_alphabetic()));
    found.map(str::to_ascii_lowercase)
}

/// What is known about the release.
pub(super) fn release(head: Head, content: Content) -> Result<Release, ImportErrorKind> {
    let known = known_system(ALIAS).ok_or_else(|| ImportErrorKind::Missing {
        element: ALIAS,
        inside: "the register of known terminologies".to_owned(),
    })?;
    let version = head.version.or_else(|| head.date.clone());
    let version = version.unwrap_or_else(|| UNDATED.to_owned());
    Ok(Release {
        system: known.id(),
        alias: known.alias.to_owned(),
        title: known.title.to_owned(),
        publisher: Some("World Health Organization".to_owned()),
        license: Some(
            "CC BY-ND 3.0 IGO (https://creativecommons.org/licenses/by-nd/3.0/igo/)".to_owned(),
        ),
        notices: vec![format!(
            "International Classification of Diseases, Eleventh Revision (ICD-11), release \
             {version}. © World Health Organization (WHO), https://icd.who.int. Licensed under \
             Creative Commons Attribution-NoDerivatives 3.0 IGO (CC BY-ND 3.0 IGO). WHO endorses \
             no use of it."
        )],
        version,
        date: head.date,
        language: head.language,
        content,
        code_case: None,
        hierarchy_meaning: None,
    })
}
