use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::{
    EquivalentGroup, FindEquivalentRequest, FindEquivalentResponse, FindMethod, FoundIn,
};

use super::context::Context;
use super::provenance::ProvenanceView;
use super::search_concepts::RankingView;
use super::tool::Tool;
use super::views::{rounded, word};
use super::{Profile, ToolError};

/// One term in several terminologies.
pub(super) struct FindEquivalent;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// A clinical term. No patient data
    #[schemars(length(max = 1000))]
    term: String,
    /// Candidates per terminology
    #[serde(default = "five")]
    #[schemars(range(min = 1, max = 10))]
    limit: usize,
    /// Left out
    source_terminology: Option<String>,
    /// All that are loaded where none is given
    #[schemars(length(max = 50))]
    target_terminologies: Option<Vec<String>>,
    /// hybrid where none is given; lexical in the equivalents profile
    method: Option<Method>,
}

fn five() -> usize {
    5
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Method {
    Hybrid,
    Lexical,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Response {
    term: String,
    source_terminology: Option<String>,
    searched_terminologies: Vec<String>,
    /// By terminology; those not searched have no key
    results: BTreeMap<String, ResultView>,
    /// Candidates that are likely the same concept; not being in a group says nothing
    groups: Vec<GroupView>,
    ranking: RankingView,
    provenance: Vec<ProvenanceView>,
    attribution: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ResultView {
    found: bool,
    error: Option<String>,
    items: Vec<ItemView>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ItemView {
    code: String,
    title: String,
    uri: Option<String>,
    match_score: f64,
    rank: usize,
    basis: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct GroupView {
    normalized_title: String,
    terminologies: Vec<String>,
    members: Vec<MemberView>,
    basis: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct MemberView {
    terminology: String,
    code: String,
    title: String,
    match_score: f64,
}

impl Tool for FindEquivalent {
    const NAME: &'static str = "find_equivalent";
    const TITLE: &'static str = "Find equivalent terms";
    const DESCRIPTION: &'static str = "Find one medical term in several terminologies at once. Candidates are ranked \
        together and grouped where a title, a published map or a synonym says they are the same. Confirm with \
        lookup_concept; for a code use translate_code.";
    const PROFILES: &'static [Profile] = &[Profile::Core, Profile::Equivalents];
    type Request = Request;
    type Response = Response;

    fn call(context: &Context<'_>, request: Request) -> Result<Response, ToolError> {
        let mut asked = FindEquivalentRequest::new(&request.term).map_err(as_term)?;
        asked = asked.limit(request.limit)?.method(match (request.method, context.profile) {
            (Some(Method::Hybrid), _) => FindMethod::Hybrid,
            (Some(Method::Lexical), _) | (None, Profile::Equivalents) => FindMethod::Lexical,
            (None, _) => FindMethod::Hybrid,
        });
        if let Some(source) = &request.source_terminology {
            asked = asked.source(source);
        }
        for target in request.target_terminologies.iter().flatten() {
            asked = asked.target(target);
        }
        let mut answer = context.catalog.find_equivalent(&asked)?;
        for (name, result) in &mut answer.results {
            // What is in maintenance says so, and leaves the others alone.
            if let Err(error) = context.terminology(name, None) {
                *result = refused(&error.to_string(), result.clone());
            }
        }
        Ok(response(context, answer))
    }

    fn text(response: &Response) -> String {
        let mut all: Vec<(&str, &ItemView)> = response
            .results
            .iter()
            .flat_map(|(name, result)| result.items.iter().map(|item| (name.as_str(), item)))
            .collect();
        all.sort_by_key(|(_, item)| item.rank);
        let line = |(name, item): &(&str, &ItemView)| {
            format!("{name} {}: {} ({})", item.code, item.title, item.match_score)
        };
        let mut lines: Vec<String> = all.iter().map(line).collect();
        for (name, result) in &response.results {
            lines.extend(result.error.as_ref().map(|error| format!("{name}: {error}")));
        }
        if lines.is_empty() {
            lines.push(format!("nothing found for {:?}", response.term));
        }
        lines.join("\n")
    }
}

/// What is wrong with a query is wrong with the argument `term` here.
pub(super) fn as_term(error: crate::catalog::Error) -> ToolError {
    let error = ToolError::from(error);
    match error.reason() {
        super::Reason::BlankQuery => ToolError::blank("term"),
        _ => error,
    }
}

fn refused(error: &str, mut result: FoundIn) -> FoundIn {
    result.found = false;
    result.items.clear();
    result.error = Some(error.to_owned());
    result
}

fn response(context: &Context<'_>, answer: FindEquivalentResponse) -> Response {
    let derived = "match_score, rank and groups are computed by medterm";
    let mut provenance = Vec::new();
    for name in answer.results.iter().filter(|(_, result)| result.found).map(|(name, _)| name) {
        if let Ok(terminology) = context.terminology(name, None) {
            provenance.push(context.provenance(&terminology).derived(derived));
        }
    }
    Response {
        attribution: provenance.iter().map(|one| one.source_url().to_owned()).collect(),
        provenance,
        term: answer.term,
        source_terminology: answer.source_terminology,
        searched_terminologies: answer.searched_terminologies,
        results: answer.results.into_iter().map(|(name, result)| (name, view(result))).collect(),
        groups: answer.groups.into_iter().map(group).collect(),
        ranking: RankingView { method: answer.ranking.method, note: answer.ranking.note },
    }
}

fn view(result: FoundIn) -> ResultView {
    let items = result.items.into_iter().map(|item| ItemView {
        code: item.code.to_string(),
        title: item.title,
        uri: item.uri,
        match_score: rounded(item.match_score),
        rank: item.rank,
        basis: word(item.basis),
    });
    ResultView { found: result.found, error: result.error, items: items.collect() }
}

fn group(group: EquivalentGroup) -> GroupView {
    let members = group.members.into_iter().map(|member| MemberView {
        terminology: member.terminology,
        code: member.code.to_string(),
        title: member.title,
        match_score: rounded(member.match_score),
    });
    GroupView {
        normalized_title: group.normalized_title,
        terminologies: group.terminologies,
        members: members.collect(),
        basis: word(group.basis),
    }
}
