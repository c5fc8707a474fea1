use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::{Hit, LookupRequest, MAX_QUERY_CHARS, SearchMode, SearchRequest};
use crate::terminology::{DesignationUse, property};

use super::context::{Context, Terminology};
use super::provenance::ProvenanceView;
use super::tool::Tool;
use super::views::value_text;
use super::{Profile, ToolError};

/// Finds MeSH records.
pub(super) struct PubmedLookupMesh;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Request {
    /// MeSH descriptor name or free-text term to look up
    #[schemars(length(max = 1000))]
    query: String,
    /// Maximum results
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 50))]
    max_results: usize,
    /// Pass nextOffset of the page before for the next one
    #[serde(default)]
    #[schemars(range(min = 0))]
    offset: usize,
    /// Tree numbers, scope note and entry terms too
    #[serde(default = "yes")]
    include_details: bool,
}

fn ten() -> usize {
    10
}

fn yes() -> bool {
    true
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Response {
    query: String,
    offset: usize,
    /// Absent on the last page
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    results: Vec<Record>,
    /// Records whose words match
    total_count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    search_note: Option<String>,
    provenance: ProvenanceView,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Record {
    mesh_id: String,
    /// The key of Entrez, where it follows from the identifier
    entrez_uid: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tree_numbers: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope_note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry_terms: Option<Vec<String>>,
}

impl Tool for PubmedLookupMesh {
    const NAME: &'static str = "pubmed_lookup_mesh";
    const TITLE: &'static str = "Look up MeSH";
    const DESCRIPTION: &'static str = "Search MeSH (Medical Subject Headings) for a descriptor name or a free-text term: \
        identifiers, tree numbers, scope notes and entry terms, in pages. To check or walk a code use lookup_concept or \
        concept_hierarchy with system mesh.";
    const PROFILES: &'static [Profile] = &[Profile::Mesh];
    type Request = Request;
    type Response = Response;

    fn call(context: &Context<'_>, request: Request) -> Result<Response, ToolError> {
        let asked = SearchRequest::new(&without_tags(&request.query)).map_err(|_| {
            match request.query.chars().count() > MAX_QUERY_CHARS {
                true => ToolError::too_long("query", MAX_QUERY_CHARS),
                false => ToolError::blank("query"),
            }
        })?;
        let terminology = context.terminology("mesh", None)?;
        let asked = asked.system(&terminology.name);
        let page = asked.clone().limit(request.max_results)?.offset(request.offset);
        let answer = context.catalog.search(&page)?;
        // Every vector is near to some degree: what matches is counted by words.
        let by_words = asked.mode(SearchMode::Lexical).limit(1)?;
        let by_words = context.catalog.search(&by_words)?.paging.total;
        let results: Vec<Record> = answer
            .results
            .iter()
            .map(|hit| record(context, &terminology, hit, request.include_details))
            .collect::<Result<_, _>>()?;
        let underived = results.iter().find(|one| one.entrez_uid == one.mesh_id);
        let underived = underived.map(|one| {
            format!("the Entrez key of {} does not follow from its identifier", one.mesh_id)
        });
        let notices: Vec<String> = answer.notice.into_iter().chain(underived).collect();
        Ok(Response {
            query: request.query,
            offset: request.offset,
            next_offset: answer.paging.next_offset,
            total_count: match results.is_empty() {
                true => by_words,
                false => by_words.max(request.offset + results.len()),
            },
            results,
            notice: (!notices.is_empty()).then(|| notices.join("; ")),
            search_note: answer.search_note,
            provenance: context.provenance(&terminology),
        })
    }

    fn text(response: &Response) -> String {
        let one = |record: &Record| {
            let mut text = format!("{}: {}", record.mesh_id, record.name);
            if let Some(numbers) = &record.tree_numbers {
                text.push_str(&format!("\n  Tree numbers: {}", numbers.join(", ")));
            }
            if let Some(note) = &record.scope_note {
                text.push_str(&format!("\n  Scope note: {note}"));
            }
            if let Some(terms) = record.entry_terms.as_ref().filter(|terms| !terms.is_empty()) {
                text.push_str(&format!("\n  Entry terms: {}", terms.join("; ")));
            }
            text
        };
        let mut blocks: Vec<String> = response.results.iter().map(one).collect();
        blocks.extend(response.notice.clone());
        if let Some(next) = response.next_offset {
            blocks.push(format!("More results available — call again with offset={next}"));
        }
        blocks.join("\n\n")
    }
}

/// The query without the field tags of PubMed, as `[mh]`: they say where to search, not what for.
pub(super) fn without_tags(query: &str) -> String {
    let mut plain = String::with_capacity(query.len());
    let mut rest = query;
    while let Some(open) = rest.find('[') {
        let Some(length) = rest[open..].find(']') else { break };
        plain.push_str(&rest[..open]);
        plain.push(' ');
        rest = &rest[open + length + 1..];
    }
    plain.push_str(rest);
    plain
}

fn record(
    context: &Context<'_>,
    terminology: &Terminology,
    hit: &Hit,
    with_details: bool,
) -> Result<Record, ToolError> {
    let mesh_id = hit.code.to_string();
    let mut record = Record {
        entrez_uid: entrez_uid(&mesh_id).unwrap_or_else(|| mesh_id.clone()),
        name: hit.display.clone(),
        tree_numbers: None,
        scope_note: None,
        entry_terms: None,
        mesh_id,
    };
    if !with_details {
        return Ok(record);
    }
    let asked = LookupRequest::new(&terminology.name, hit.code.as_str());
    let answer = context.catalog.lookup_with(&asked)?;
    let numbers = answer.properties.iter().filter(|one| one.code == property::TREE_NUMBER);
    let numbers: Vec<String> = numbers.map(|one| value_text(&one.value)).collect();
    record.tree_numbers = (!numbers.is_empty()).then_some(numbers);
    record.scope_note = answer.definition;
    let is_entry = |use_| matches!(use_, DesignationUse::Synonym | DesignationUse::Related);
    let terms = answer.designations.into_iter().filter(|name| is_entry(name.use_));
    record.entry_terms = Some(terms.map(|name| name.value).collect());
    Ok(record)
}

/// The key of Entrez, for records of six digits: 68 and the digits of a descriptor, 67 of a
/// supplementary record, 81 of a qualifier.
pub(super) fn entrez_uid(mesh_id: &str) -> Option<String> {
    let prefix = match mesh_id.chars().next()? {
        'D' => "68",
        'C' => "67",
        'Q' => "81",
        _ => return None,
    };
    let digits = &mesh_id[1..];
    let is_six = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_six.then(|| format!("{prefix}{digits}"))
}
