//! The head of the tabular list, and what is known about its release.

use std::io::Read;

use crate::terminology::{Content, Release, known_system};

use super::cms_tabular::ROOT;
use super::tabular_level::LANGUAGE;
use super::xml::{Node, XmlReader, collapsed};
use super::{ImportError, ImportErrorKind};

const ALIAS: &str = "icd10cm";

/// Reads up to the end of the `version` element, which comes before the first chapter.
pub(super) fn read_version<R: Read>(xml: &mut XmlReader<R>) -> Result<String, ImportError> {
    let missing = |inside: &str| ImportErrorKind::Missing {
        element: "<version>",
        inside: format!("<{inside}> before the first chapter"),
    };
    let mut version = None;
    loop {
        match xml.next()? {
            Node::Start { name, .. } if name == "version" => version = Some(String::new()),
            Node::Start { name, .. } if name == ROOT => {}
            Node::Text(text) => {
                if let Some(version) = &mut version {
                    *version = collapsed(&text);
                }
            }
            Node::End => match version.filter(|version| !version.is_empty()) {
                Some(version) => return Ok(version),
                None => return Err(xml.error(missing(ROOT))),
            },
            Node::Start { .. } | Node::EndOfFile => return Err(xml.error(missing(ROOT))),
        }
    }
}

/// What is known about the release. The file states the year of its version only; the date is in
/// the name under which it is published.
pub(super) fn release(version: String, date: Option<String>) -> Result<Release, ImportErrorKind> {
    let known = known_system(ALIAS).ok_or_else(|| ImportErrorKind::Missing {
        element: ALIAS,
        inside: "the register of known terminologies".to_owned(),
    })?;
    let version = date.clone().unwrap_or(version);
    Ok(Release {
        system: known.id(),
        alias: known.alias.to_owned(),
        title: known.title.to_owned(),
        publisher: Some("CDC/NCHS and CMS".to_owned()),
        license: Some(
            "Published by the US government for free use; ICD-10 © World Health Organization"
                .to_owned(),
        ),
        notices: vec![
            format!(
                "ICD-10-CM, release {version}. Source: the National Center for Health Statistics \
                 of the Centers for Disease Control and Prevention (CDC/NCHS) and the Centers for \
                 Medicare & Medicaid Services (CMS). The original is free of charge on their \
                 websites. Its use here implies no endorsement by CDC, CMS, the Department of \
                 Health and Human Services or the United States government."
            ),
            "ICD-10 is copyright World Health Organization. ICD-10-CM is its adaptation for the \
             United States, which WHO has authorized for purposes of the US government."
                .to_owned(),
        ],
        version,
        date,
        language: LANGUAGE.to_owned(),
        content: Content::Complete,
        code_case: None,
        hierarchy_meaning: None,
    })
}
