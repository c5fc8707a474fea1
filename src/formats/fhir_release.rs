//! What a FHIR resource says of itself, beside its concepts.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::terminology::{
    CodeCase, Content, HierarchyMeaning, Release, SystemId, UNVERSIONED, known_system,
};

use super::fhir::Selected;
use super::fhir_json::{Filled, Lenient, Truth};

/// The version of what names none.
pub(super) const NO_VERSION: &str = UNVERSIONED;

/// The longest text that is a licence in one line.
const MAX_LICENSE_CHARS: usize = 200;

/// The elements of a resource that are looked at before it is read, whatever its type.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Head {
    #[serde(rename = "resourceType")]
    pub(super) kind: Lenient,
    pub(super) id: Lenient,
    pub(super) url: Lenient,
    pub(super) version: Lenient,
    pub(super) name: Lenient,
    pub(super) title: Lenient,
    pub(super) date: Lenient,
    pub(super) publisher: Lenient,
    pub(super) copyright: Lenient,
    pub(super) language: Lenient,
    pub(super) content: Lenient,
    pub(super) hierarchy_meaning: Lenient,
    pub(super) case_sensitive: Truth,
    /// The code system that a supplement adds to.
    pub(super) supplements: Lenient,
    /// Whether there are concepts.
    pub(super) concept: Filled,
    /// The properties that a code system declares.
    pub(super) property: Option<Box<RawValue>>,
    /// What a value set is made of.
    pub(super) compose: Option<Box<RawValue>>,
    pub(super) expansion: Option<Box<RawValue>>,
}

impl Head {
    /// What people call it: URL, id or name.
    pub(super) fn label(&self) -> &str {
        [&self.url, &self.id, &self.name].into_iter().find_map(Lenient::stated).unwrap_or_default()
    }

    /// The language of the displays; FHIR has no default, its publishers have.
    pub(super) fn language(&self) -> &str {
        self.language.stated().unwrap_or("en")
    }

    pub(super) fn title(&self) -> Option<&str> {
        self.title.stated().or_else(|| self.name.stated())
    }
}

/// The URI under which a terminology is known here.
pub(super) fn canonical(url: &str) -> &str {
    known_system(url).map_or(url, |known| known.uri)
}

/// The release that a code system is.
pub(super) fn release(selected: &Selected, system: SystemId) -> Release {
    let head = &selected.head;
    let content = match head.content.stated() {
        Some("complete") => Content::Complete,
        Some("example") => Content::Example,
        _ => Content::Fragment,
    };
    let title = head.title().unwrap_or(system.as_str()).to_owned();
    let mut release = of(selected, system, title, content);
    release.code_case = head.case_sensitive.0.map(|sensitive| match sensitive {
        true => CodeCase::Sensitive,
        false => CodeCase::Insensitive,
    });
    release.hierarchy_meaning =
        head.hierarchy_meaning.stated().and_then(HierarchyMeaning::from_name);
    release
}

/// The release that value sets list a part of.
pub(super) fn fragment(selected: &Selected, system: SystemId) -> Release {
    let known = known_system(system.as_str()).map(|known| known.title);
    let title = known.unwrap_or(selected.alias.as_str());
    let title = match selected.head.title() {
        Some(part) => format!("{title}: {part}"),
        None => title.to_owned(),
    };
    of(selected, system, title, Content::Fragment)
}

fn of(selected: &Selected, system: SystemId, title: String, content: Content) -> Release {
    let head = &selected.head;
    let (license, notices) = license(head);
    Release {
        system,
        alias: selected.alias.clone(),
        version: selected.version.clone().unwrap_or_else(|| NO_VERSION.to_owned()),
        date: head.date.stated().and_then(day),
        title,
        publisher: head.publisher.stated().map(str::to_owned),
        license,
        notices,
        language: head.language().to_owned(),
        content,
        code_case: None,
        hierarchy_meaning: None,
    }
}

/// The licence in one line, and the whole of it where it has more.
pub(super) fn license(head: &Head) -> (Option<String>, Vec<String>) {
    let Some(all) = head.copyright.stated() else { return (None, Vec::new()) };
    let line = all.lines().next().unwrap_or_default().trim();
    let line: String = line.chars().take(MAX_LICENSE_CHARS).collect();
    let notices = if line == all { Vec::new() } else { vec![all.to_owned()] };
    (Some(line), notices)
}

/// A name as a folder has it: lower-case letters, digits, `-` and `_`.
pub(super) fn plain(name: &str) -> String {
    let lower = name.to_lowercase();
    let kept = lower.chars().map(|c| match c {
        'a'..='z' | '0'..='9' | '-' | '_' => c,
        _ => '-',
    });
    kept.collect::<String>().trim_matches('-').to_owned()
}

/// The day, month or year of a date with or without a time.
fn day(date: &str) -> Option<String> {
    let day = date.split('T').next()?;
    let is_date = day.starts_with(|c: char| c.is_ascii_digit())
        && day.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    is_date.then(|| day.to_owned())
}
