//! Which edition of SNOMED CT a release is, and which version of it.

use std::path::Path;

use crate::terminology::{Content, Release, known_system, sctid};

use super::rf2_concepts::Concepts;
use super::rf2_dialects::primary;
use super::rf2_file::{FileKind, FileName, Rf2Files};
use super::{ImportError, ImportErrorKind, ImportOptions};

/// 138875005 |SNOMED CT Concept|, above everything.
const ROOT: u64 = 138_875_005;
/// The module of the international edition.
const INTERNATIONAL: u64 = 900_000_000_000_207_008;
/// The modules that stand for editions whose extension has several (SNOMED CT URI Standard, Edition
/// URI Examples; HL7 Terminology, Using SNOMED CT with FHIR). Elsewhere the module with the most
/// concepts stands for its extension.
const EDITIONS: [(&str, u64); 4] = [
    ("US1000124", 731_000_124_108),
    ("AU1000036", 32_506_021_000_036_107),
    ("GB1000000", 83_821_000_000_107),
    ("SE1000052", 45_991_000_052_106),
];

pub(super) const PUBLISHER: &str = "SNOMED International";
pub(super) const LICENSE: &str = "SNOMED CT affiliate license: use needs a license from your \
                                  national release center or from SNOMED International";
pub(super) const NOTICE: &str = "This material includes SNOMED Clinical Terms (SNOMED CT), which \
                                 is used by permission of SNOMED International. All rights \
                                 reserved. SNOMED CT was originally created by the College of \
                                 American Pathologists.";

/// The release that these files are. Its version is the URI that FHIR has for it,
/// `http://snomed.info/sct/MODULE/version/YYYYMMDD`, of the edition given last: the international
/// edition is what an extension stands on.
pub(super) fn release(
    files: &Rf2Files,
    concepts: &Concepts,
    options: &ImportOptions,
) -> Result<Release, ImportError> {
    let fail = |kind| ImportError::new(first_path(files), None, kind);
    let names: Vec<&FileName> = files.of(FileKind::Concept).map(|file| &file.name).collect();
    let extension = names.iter().rev().find(|name| name.namespace().is_some());
    let place = extension.and_then(|name| name.place.clone());
    let (module, changed) = module(extension.copied(), concepts).ok_or_else(|| {
        fail(ImportErrorKind::Missing { element: "concept", inside: "the release".to_owned() })
    })?;
    let dates = names.iter().filter(|name| name.place == place || place.is_none());
    let date = dates.filter_map(|name| name.date.clone()).max().unwrap_or_else(|| iso(changed));
    let known = known_system("snomed").ok_or_else(|| fail(ImportErrorKind::Empty))?;
    let day = date.replace('-', "");
    let country: Option<String> =
        place.map(|place| place.chars().take_while(|c| c.is_alphabetic()).collect());
    let title = match &country {
        Some(country) => format!("{}, edition {country}", known.title),
        None => known.title.to_owned(),
    };
    let publisher = match &country {
        Some(country) => format!("{PUBLISHER} and the release center of {country}"),
        None => PUBLISHER.to_owned(),
    };
    let is_whole = concepts.find(ROOT).is_some();
    Ok(Release {
        system: known.id(),
        alias: known.alias.to_owned(),
        version: format!("{}/{module}/version/{day}", known.uri),
        date: Some(date),
        title,
        publisher: Some(publisher),
        license: Some(LICENSE.to_owned()),
        notices: vec![NOTICE.to_owned()],
        language: options.language.clone().unwrap_or_else(|| language(files)),
        content: if is_whole { Content::Complete } else { Content::Fragment },
        code_case: None,
        hierarchy_meaning: None,
    })
}

/// The module that stands for the edition, and the last day on which one of its concepts changed.
fn module(extension: Option<&FileName>, concepts: &Concepts) -> Option<(u64, u32)> {
    let modules = concepts.modules();
    let namespace = extension.and_then(FileName::namespace);
    let place = extension.and_then(|name| name.place.as_deref());
    let named = EDITIONS.iter().find(|(one, _)| Some(*one) == place).map(|(_, module)| *module);
    let largest = modules
        .iter()
        .filter(|(id, ..)| sctid::namespace(*id) == namespace)
        .max_by_key(|(id, count, _)| (Some(*id) == named, *count, std::cmp::Reverse(*id)));
    let core = || modules.iter().find(|(id, ..)| *id == INTERNATIONAL);
    let any = || modules.iter().max_by_key(|(id, count, _)| (*count, std::cmp::Reverse(*id)));
    let chosen = if namespace.is_none() { core().or(largest) } else { largest };
    let (id, _, changed) = chosen.or_else(any)?;
    Some((named.unwrap_or(*id), *changed))
}

/// The dialect of the displays where none is asked for: American English, which the international
/// edition prefers and every edition has, unless the names of the files say that there is none.
fn language(files: &Rf2Files) -> String {
    let languages = || files.of(FileKind::Description).map(|file| file.name.language.as_deref());
    let is_english = |one: Option<&str>| one.is_none_or(|tag| primary(tag) == "en");
    match languages().next() {
        Some(Some(first)) if !languages().any(is_english) => first.to_owned(),
        _ => "en-US".to_owned(),
    }
}

fn first_path(files: &Rf2Files) -> &Path {
    files.of(FileKind::Concept).next().map_or(Path::new(""), |file| file.path())
}

fn iso(day: u32) -> String {
    format!("{:04}-{:02}-{:02}", day / 10_000, day / 100 % 100, day % 100)
}
