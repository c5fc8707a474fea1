//! What a file of ClaML says about the release it is.

use std::path::Path;

use crate::terminology::{Content, Release, SystemId, known_system};

use super::claml_label::value_of;
use super::file_date::date_in_name;
use super::xml::collapsed;
use super::{ImportError, ImportErrorKind};

const ENGLISH: &str = "en";
/// The version of a file that has none.
const UNDATED: &str = "undated";
/// The languages that WHO puts into the names of its files, as in ICD-10-EN-2016. Others are those
/// of countries with an edition of their own, as in ICD-10-NL.
const LANGUAGES: [&str; 6] = ["ar", "en", "es", "fr", "ru", "zh"];

/// What stands before the first class.
#[derive(Debug, Default)]
pub(super) struct Head {
    authority: Option<String>,
    uid: Option<String>,
    name: Option<String>,
    version: Option<String>,
    date: Option<String>,
    /// The text of the title.
    title: Option<String>,
    language: Option<String>,
    /// The language of the first label that has one.
    label_language: Option<String>,
    pub(super) has_chapters: bool,
}

impl Head {
    /// An element directly below the root begins.
    pub(super) fn begin(&mut self, element: &str, attributes: &[(String, String)]) {
        let said = |name| value_of(attributes, name).map(str::to_owned);
        match element {
            "Title" => {
                self.name = said("name");
                self.version = said("version");
                self.date = said("date");
            }
            // The first one is that of the classification.
            "Identifier" if self.uid.is_none() => {
                self.authority = said("authority");
                self.uid = said("uid");
            }
            "Meta" if said("name").is_some_and(|name| name.eq_ignore_ascii_case("lang")) => {
                self.language = said("value");
            }
            _ => {}
        }
    }

    /// Takes the text of the title.
    pub(super) fn take_title(&mut self, text: &str) {
        self.title = Some(collapsed(text));
    }

    /// Takes the language of a label.
    pub(super) fn take_language(&mut self, language: Option<&str>) {
        if self.label_language.is_none() {
            self.label_language = language.map(str::to_owned);
        }
    }

    /// What the release is.
    pub(super) fn release(self, path: &Path) -> Result<Release, ImportError> {
        let fail = |kind| Err(ImportError::new(path, None, kind));
        let name = self.name.clone().or_else(|| self.title.clone()).unwrap_or_default();
        let alias = alias(&name);
        let by_oid = self.uid.as_deref().filter(|uid| is_oid(uid)).and_then(known_system);
        let known = by_oid.or_else(|| known_system(&alias));
        if alias.is_empty() && known.is_none() {
            let (element, inside) = ("<Title name>", "<ClaML>".to_owned());
            return fail(ImportErrorKind::Missing { element, inside });
        }
        let alias = known.map_or(alias, |known| known.alias.to_owned());
        let system = match known {
            Some(known) => known.id(),
            None => {
                let uri = match self.uid.as_deref().filter(|uid| is_oid(uid)) {
                    Some(oid) => format!("urn:oid:{}", oid.trim_start_matches("urn:oid:")),
                    None => format!("urn:medterm:{alias}"),
                };
                match SystemId::new(&uri) {
                    Ok(system) => system,
                    Err(_) => {
                        let expected = "letters and digits";
                        let what = "the name of the classification".to_owned();
                        return fail(ImportErrorKind::InvalidValue { what, text: name, expected });
                    }
                }
            }
        };
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let date = self.date.as_deref().or(Some(&file)).and_then(date_in_name);
        let version = self.version.or_else(|| year_in(&name)).or_else(|| date.clone());
        let version = version.unwrap_or_else(|| UNDATED.to_owned());
        let title = known.map(|known| known.title.to_owned()).unwrap_or(name);
        let is_of_who = ["icd10", "icd11", "icf", "ichi"].contains(&alias.as_str());
        let publisher = match is_of_who {
            true => Some("World Health Organization".to_owned()),
            false => self.authority,
        };
        let language = self.language.or(self.label_language);
        Ok(Release {
            system,
            notices: vec![format!(
                "{title}, version {version}. © World Health Organization{}. Not to be passed on \
                 beyond the license under which it was obtained.",
                if is_of_who { "" } else { " and the publisher of this edition" }
            )],
            alias,
            version,
            date,
            title,
            publisher,
            license: Some(
                "WHO's license for its classifications: obtain it from WHO or the publisher"
                    .to_owned(),
            ),
            language: language.unwrap_or_else(|| ENGLISH.to_owned()),
            content: if self.has_chapters { Content::Complete } else { Content::Fragment },
            code_case: None,
            hierarchy_meaning: None,
        })
    }
}

fn is_oid(text: &str) -> bool {
    let text = text.trim_start_matches("urn:oid:");
    text.contains('.') && text.split('.').all(|arc| arc.parse::<u64>().is_ok())
}

/// The name without its year and WHO's language: `icd10` of `ICD-10-EN-2016`.
fn alias(name: &str) -> String {
    let lower = name.to_lowercase();
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words
        .filter(|word| year_in(word).is_none() && !LANGUAGES.contains(word) && *word != "version")
        .collect()
}

/// The year that a name has among its words.
fn year_in(name: &str) -> Option<String> {
    let mut words = name.split(|c: char| !c.is_ascii_alphanumeric());
    let is_year = |word: &&str| word.len() == 4 && ("1990".."2100").contains(word);
    words.find(is_year).map(str::to_owned)
}
