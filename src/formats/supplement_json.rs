//! A FHIR CodeSystem whose content is `supplement`.

use serde::Deserialize;
use serde_json::error::Category;

use crate::terminology::DesignationUse;

use super::ImportErrorKind;
use super::input::Input;
use super::names::ExtraName;

/// What the resource has for a release.
pub(super) struct Read {
    /// The canonical URI of the terminology, perhaps with a version after a bar.
    pub(super) system: String,
    /// The title and version of the resource, where it has a title.
    pub(super) source: Option<String>,
    /// Codes and their names.
    pub(super) names: Vec<(String, ExtraName)>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Resource {
    resource_type: String,
    content: Option<String>,
    supplements: Option<String>,
    version: Option<String>,
    name: Option<String>,
    title: Option<String>,
    language: Option<String>,
    #[serde(default)]
    concept: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    code: String,
    display: Option<String>,
    #[serde(default)]
    designation: Vec<Name>,
    #[serde(default)]
    concept: Vec<Entry>,
}

#[derive(Deserialize)]
struct Name {
    language: Option<String>,
    value: String,
}

/// Reads the resource; an error has the line where it is known. `language` is of the names for
/// which the resource says none.
pub(super) fn read(
    input: &mut Input,
    language: Option<&str>,
) -> Result<Read, (Option<u64>, ImportErrorKind)> {
    let resource: Resource = serde_json::from_reader(&mut input.reader).map_err(failed)?;
    let expected = |what: &str, text: &str, expected| {
        let (what, text) = (what.to_owned(), text.to_owned());
        Err((None, ImportErrorKind::InvalidValue { what, text, expected }))
    };
    if resource.resource_type != "CodeSystem" {
        return expected("resourceType", &resource.resource_type, "CodeSystem");
    }
    if resource.content.as_deref() != Some("supplement") {
        let found = resource.content.unwrap_or_default();
        return expected("content", &found, "supplement");
    }
    let Some(system) = resource.supplements else {
        let inside = "the CodeSystem".to_owned();
        return Err((None, ImportErrorKind::Missing { element: "supplements", inside }));
    };
    let title = resource.title.or(resource.name);
    let source = title.map(|title| match &resource.version {
        Some(version) => format!("{title} {version}"),
        None => title,
    });
    let mut names = Vec::new();
    let language = resource.language.as_deref().or(language);
    let mut open: Vec<Entry> = resource.concept.into_iter().rev().collect();
    while let Some(entry) = open.pop() {
        for name in entry.designation {
            let Some(language) = name.language.as_deref().or(language) else {
                let what = "the language of its names";
                let remedy = "add it to the resource, or give --language TAG";
                return Err((None, ImportErrorKind::Unsaid { what, remedy }));
            };
            let name = ExtraName {
                language: language.to_owned(),
                use_: DesignationUse::Synonym,
                value: name.value,
                // In a resource of another language the display may be translated as well.
                expected: entry.display.clone().filter(|_| resource.language.is_none()),
                line: 0,
            };
            names.push((entry.code.clone(), name));
        }
        open.extend(entry.concept.into_iter().rev());
    }
    Ok(Read { system, source, names })
}

fn failed(error: serde_json::Error) -> (Option<u64>, ImportErrorKind) {
    let line = u64::try_from(error.line()).ok().filter(|line| *line > 0);
    let kind = match error.classify() {
        Category::Io => ImportErrorKind::reading(error.into()),
        Category::Eof => ImportErrorKind::Truncated { inside: "the JSON".to_owned() },
        Category::Syntax | Category::Data => ImportErrorKind::Json(Box::new(error)),
    };
    (line, kind)
}
