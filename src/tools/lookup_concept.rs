use std::collections::BTreeMap;
use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::{ConceptSummary, DesignationView, LookupRequest, LookupResponse};
use crate::terminology::property;

use super::context::{Context, Terminology};
use super::provenance::ProvenanceView;
use super::tool::Tool;
use super::views::{CodeView, value_text, word};
use super::{Profile, ToolError};

/// Everything that is known of one code.
pub(super) struct LookupConcept;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// Terminology: alias, canonical URI or OID
    system: String,
    /// Any spelling: E119 is E11.9
    #[schemars(length(max = 200))]
    code: String,
    version: Option<String>,
    /// Only these properties
    #[schemars(length(max = 50))]
    properties: Option<Vec<String>>,
    /// Language of the display, BCP 47
    language: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Response {
    #[serde(flatten)]
    pub(super) concept: ConceptView,
    provenance: ProvenanceView,
}

/// A concept with all that is known of it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConceptView {
    system: String,
    version: String,
    code: String,
    /// The code as it is written, where it was given in another spelling
    #[serde(skip_serializing_if = "Option::is_none")]
    normalized_code: Option<String>,
    display: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    definition: Option<String>,
    active: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    billable: Option<bool>,
    /// Own properties; repeated values are separated by line breaks
    properties: BTreeMap<String, String>,
    /// Notes, its own and those that hold for all below the concept they are inherited from
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<NoteView>,
    designations: Vec<NameView>,
    /// Codes to use in the place of a retired one
    replaced_by: Vec<String>,
    parents: Vec<CodeView>,
    parent_count: usize,
    /// The first hundred
    children: Vec<CodeView>,
    child_count: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct NoteView {
    name: String,
    value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    inherited_from: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct NameView {
    language: String,
    r#use: String,
    value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

impl Tool for LookupConcept {
    const NAME: &'static str = "lookup_concept";
    const TITLE: &'static str = "Look up a code";
    const DESCRIPTION: &'static str = "Everything known of one code: names, definition, properties, notes of its own and \
        inherited (ICD-10-CM: Excludes, code first), parents, children, what replaces it. For the tree use \
        concept_hierarchy, for several codes lookup_concepts.";
    const PROFILES: &'static [Profile] = &[Profile::Core, Profile::Ontoserver];
    type Request = Request;
    type Response = Response;

    fn call(context: &Context<'_>, request: Request) -> Result<Response, ToolError> {
        let terminology = context.terminology(&request.system, request.version.as_deref())?;
        let asked = lookup_request(
            &terminology,
            &request.code,
            request.properties.as_deref().unwrap_or_default(),
            request.language.as_deref(),
        );
        let answer = context.catalog.lookup_with(&asked)?;
        Ok(Response { concept: view(answer), provenance: context.provenance(&terminology) })
    }

    fn text(response: &Response) -> String {
        text(&response.concept)
    }
}

/// The look-up of one code of a terminology.
pub(super) fn lookup_request(
    terminology: &Terminology,
    code: &str,
    properties: &[String],
    language: Option<&str>,
) -> LookupRequest {
    let mut asked = LookupRequest::new(&terminology.name, code);
    for name in properties {
        asked = asked.property(name);
    }
    match language {
        Some(language) => asked.language(language),
        None => asked,
    }
}

/// The view of an answer.
pub(super) fn view(answer: LookupResponse) -> ConceptView {
    let (mut properties, mut notes) = (BTreeMap::<String, String>::new(), Vec::new());
    for one in answer.properties {
        let value = value_text(&one.value);
        if property::INHERITED.contains(&one.code.as_str()) {
            notes.push(NoteView {
                name: one.code.clone(),
                value: value.clone(),
                inherited_from: one.inherited_from.as_ref().map(ToString::to_string),
            });
        }
        if one.inherited_from.is_none() {
            add(&mut properties, one.code, &value);
        }
    }
    let codes = |list: &[ConceptSummary]| list.iter().map(CodeView::from).collect::<Vec<_>>();
    let (parents, children) = (codes(&answer.parents), codes(&answer.children));
    // Clients of other servers read the hierarchy among the properties.
    for parent in &parents {
        add(&mut properties, "parent".to_owned(), &parent.code);
    }
    ConceptView {
        system: answer.system.as_str().to_owned(),
        version: answer.version,
        code: answer.code.to_string(),
        normalized_code: answer.normalized_code.as_ref().map(ToString::to_string),
        display: answer.display,
        definition: answer.definition,
        active: answer.active,
        billable: answer.billable,
        properties,
        notes,
        designations: answer.designations.into_iter().map(name).collect(),
        replaced_by: answer.replaced_by.iter().map(ToString::to_string).collect(),
        parents,
        parent_count: answer.parent_count,
        children,
        child_count: answer.child_count,
    }
}

fn add(properties: &mut BTreeMap<String, String>, name: String, value: &str) {
    let values = properties.entry(name).or_default();
    if !values.is_empty() {
        values.push('\n');
    }
    values.push_str(value);
}

fn name(name: DesignationView) -> NameView {
    NameView {
        language: name.language,
        r#use: word(name.use_),
        value: name.value,
        source: name.source,
    }
}

/// A concept for people: blocks of lines indented by two.
pub(super) fn text(concept: &ConceptView) -> String {
    let mut text =
        format!("Code: {}\nSystem: {}\nDisplay: {}", concept.code, concept.system, concept.display);
    // Writing to a text cannot fail.
    if let Some(definition) = &concept.definition {
        let _ = write!(text, "\nDefinition: {definition}");
    }
    if !concept.active {
        let instead = match concept.replaced_by.as_slice() {
            [] => String::new(),
            codes => format!("; use {}", codes.join(" or ")),
        };
        let _ = write!(text, "\nRetired{instead}");
    }
    let block = |text: &mut String, title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            let _ = write!(text, "\n\n{title}:\n  {}", lines.join("\n  "));
        }
    };
    let one_line = |text: &str| text.replace('\n', "; ");
    let own = concept.properties.iter().map(|(name, value)| format!("{name}: {}", one_line(value)));
    block(&mut text, "Properties", own.collect());
    let inherited = concept.notes.iter().filter_map(|note| {
        let from = note.inherited_from.as_ref()?;
        Some(format!("{}: {} (from {from})", note.name, one_line(&note.value)))
    });
    block(&mut text, "Inherited notes", inherited.collect());
    let names = concept.designations.iter();
    let names = names.map(|name| format!("{} ({}) [{}]", name.value, name.r#use, name.language));
    block(&mut text, "Designations", names.collect());
    block(&mut text, "Children", concept.children.iter().map(CodeView::line).collect());
    text
}
