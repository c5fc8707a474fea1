//! What a file of MeSH says about the release it belongs to.

use std::io::Read;
use std::path::Path;

use crate::terminology::{Content, Release, known_system};

use super::xml::XmlReader;
use super::{ImportError, ImportErrorKind};

const ALIAS: &str = "mesh";

/// The languages of MeSH and its translations: ISO 639-2, in which the files have them, to BCP 47.
const LANGUAGES: &[(&str, &str)] = &[
    ("ara", "ar"),
    ("ces", "cs"),
    ("chi", "zh"),
    ("cze", "cs"),
    ("deu", "de"),
    ("dut", "nl"),
    ("eng", "en"),
    ("fin", "fi"),
    ("fra", "fr"),
    ("fre", "fr"),
    ("ger", "de"),
    ("hrv", "hr"),
    ("ita", "it"),
    ("jpn", "ja"),
    ("kor", "ko"),
    ("lav", "lv"),
    ("nld", "nl"),
    ("nor", "no"),
    ("pol", "pl"),
    ("por", "pt"),
    ("rus", "ru"),
    ("scr", "hr"),
    ("slv", "sl"),
    ("spa", "es"),
    ("swe", "sv"),
    ("zho", "zh"),
];

/// What stands at the head of a file, and in its name.
#[derive(Debug)]
pub(super) struct Head {
    year: String,
    date: Option<String>,
    /// BCP 47.
    pub(super) language: String,
}

impl Head {
    /// Reads the attributes of the root element, which was just begun, and the document type
    /// declaration before it.
    pub(super) fn read<R: Read>(
        xml: &XmlReader<R>,
        path: &Path,
        attributes: &[(String, String)],
    ) -> Result<Self, ImportError> {
        let language = attributes.iter().find(|(name, _)| name == "LanguageCode");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let stated = xml.doctype().and_then(year_and_date).or_else(|| year_and_date(&name));
        let (year, date) = stated.ok_or_else(|| {
            xml.error(ImportErrorKind::Unsaid {
                what: "the year of its release",
                remedy: "name it as NLM does, for example desc2024.xml",
            })
        })?;
        let language = language.map_or_else(|| "en".to_owned(), |(_, code)| bcp47(code));
        Ok(Self { year, date, language })
    }

    /// Refuses a file of another year: its records would point at what is not there.
    pub(super) fn agrees_with(&self, other: &Self, path: &Path) -> Result<(), ImportError> {
        if self.year == other.year {
            return Ok(());
        }
        let kind = ImportErrorKind::InvalidValue {
            what: "the year of its release".to_owned(),
            text: other.year.clone(),
            expected: "the year of the other files given with it",
        };
        Err(ImportError::new(path, None, kind))
    }
}

/// The language tag of a code with three letters; one that is not known here is itself a tag.
pub(super) fn bcp47(code: &str) -> String {
    let code = code.trim().to_ascii_lowercase();
    let known = LANGUAGES.iter().find(|(three, _)| *three == code);
    known.map_or(code.clone(), |(_, two)| (*two).to_owned())
}

/// The year, and the day where it is stated, in `nlmdescriptorrecordset_20240101.dtd` or `desc2024`.
fn year_and_date(text: &str) -> Option<(String, Option<String>)> {
    text.split(|c: char| !c.is_ascii_digit()).find_map(|digits| {
        let year = digits.get(..4).filter(|year| ("1990".."2100").contains(year))?;
        match digits.len() {
            4 => Some((year.to_owned(), None)),
            8 => {
                let date = format!("{year}-{}-{}", &digits[4..6], &digits[6..]);
                Some((year.to_owned(), Some(date)))
            }
            _ => None,
        }
    })
}

/// What is known about the release.
pub(super) fn release(head: Head, content: Content) -> Result<Release, ImportErrorKind> {
    let known = known_system(ALIAS).ok_or_else(|| ImportErrorKind::Missing {
        element: ALIAS,
        inside: "the register of known terminologies".to_owned(),
    })?;
    let Head { year, date, language } = head;
    Ok(Release {
        system: known.id(),
        alias: known.alias.to_owned(),
        title: known.title.to_owned(),
        publisher: Some("National Library of Medicine".to_owned()),
        license: Some("NLM's terms for MeSH: free to use and share with attribution".to_owned()),
        notices: vec![format!(
            "MeSH {year}. Source: the U.S. National Library of Medicine (NLM), which does not \
             endorse this use of it and is not answerable for changes. The current MeSH is at \
             https://www.nlm.nih.gov/mesh."
        )],
        version: year,
        date,
        language,
        content,
        code_case: None,
        hierarchy_meaning: None,
    })
}
