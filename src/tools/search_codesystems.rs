use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::TerminologySummary;
use crate::terminology::known_systems;

use super::context::Context;
use super::tool::Tool;
use super::views::word;
use super::{Profile, ToolError};

/// Which terminologies are loaded, and what they can do.
pub(super) struct SearchCodesystems;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// Part of the name or an alias
    name: Option<String>,
    /// Part of the title
    title: Option<String>,
    /// The canonical URI
    url: Option<String>,
    status: Option<Status>,
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = 1000))]
    _count: usize,
    #[serde(default)]
    #[schemars(range(min = 0))]
    _offset: usize,
}

fn hundred() -> usize {
    100
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    Draft,
    Active,
    Retired,
    Unknown,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Response {
    results: Vec<Row>,
    total: usize,
    offset: usize,
    count: usize,
    has_more: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Row {
    id: String,
    url: String,
    name: String,
    title: String,
    status: Status,
    version: String,
    content: String,
    aliases: Vec<String>,
    date: Option<String>,
    concepts: usize,
    languages: Vec<String>,
    license: Option<String>,
    features: Features,
    /// Answers where no version is asked for
    default: bool,
}

/// What a terminology can do.
#[derive(Debug, Serialize, JsonSchema)]
struct Features {
    ecl: bool,
    vcl: bool,
    subsumption: bool,
    vectors: bool,
}

impl Tool for SearchCodesystems {
    const NAME: &'static str = "search_codesystems";
    const TITLE: &'static str = "Search code systems";
    const DESCRIPTION: &'static str = "Which terminologies are loaded: aliases, canonical URIs, versions, licences, \
        languages, and what each can do. Filter by name, title, url or status; pages of 100.";
    const PROFILES: &'static [Profile] = &[Profile::Core, Profile::Ontoserver];
    type Request = Request;
    type Response = Response;

    fn call(context: &Context<'_>, request: Request) -> Result<Response, ToolError> {
        let rows: Vec<Row> = context
            .catalog
            .terminologies()
            .iter()
            .map(row)
            .filter(|row| is_wanted(row, &request))
            .collect();
        let total = rows.len();
        let results: Vec<Row> =
            rows.into_iter().skip(request._offset).take(request._count).collect();
        let end = request._offset.saturating_add(results.len());
        let overshoot = results.is_empty() && total > 0;
        let notice = match (total, overshoot) {
            (0, _) => Some("no code system that is loaded matches".to_owned()),
            (_, true) => {
                Some(format!("_offset {} is past the end: there are {total}", request._offset))
            }
            _ => None,
        };
        Ok(Response {
            count: results.len(),
            has_more: end < total,
            next_offset: (end < total && !results.is_empty()).then_some(end),
            results,
            total,
            offset: request._offset,
            notice,
        })
    }

    fn text(response: &Response) -> String {
        let block = |row: &Row| {
            let default = if row.default { "" } else { ", not the default version" };
            format!(
                "{}\n  URL: {}\n  Alias: {}\n  Version: {}{default}\n  Status: {}\n  Concepts: {}",
                row.title,
                row.url,
                row.aliases.join(", "),
                row.version,
                word(row.status),
                row.concepts
            )
        };
        let blocks: Vec<String> = response.results.iter().map(block).collect();
        let mut text = format!("Total: {}", response.total);
        if response.count > 0 {
            let (first, last) = (response.offset + 1, response.offset + response.count);
            text.push_str(&format!("\nShowing {first}-{last} of {}", response.total));
            text.push_str(&format!("\n\n{}", blocks.join("\n\n")));
        }
        if let Some(notice) = &response.notice {
            text.push_str(&format!("\n{notice}"));
        }
        if let Some(next) = response.next_offset {
            text.push_str(&format!("\n\nMore results available — call again with _offset={next}"));
        }
        text
    }
}

fn row(summary: &TerminologySummary) -> Row {
    let known = known_systems().iter().find(|known| known.uri == summary.system.as_str());
    let mut aliases = vec![summary.alias.clone()];
    aliases.extend(known.map(|known| known.alias.to_owned()).filter(|one| *one != summary.alias));
    let is_snomed = known.is_some_and(|known| known.alias == "snomed");
    Row {
        id: summary.alias.clone(),
        url: summary.system.as_str().to_owned(),
        name: known.map_or_else(|| summary.alias.clone(), |known| known.title.to_owned()),
        title: summary.title.clone(),
        // A release that is loaded is in use; which one answers by itself, `default` says.
        status: Status::Active,
        version: summary.version.clone(),
        content: word(summary.content),
        aliases,
        date: summary.date.clone(),
        concepts: summary.concepts,
        languages: summary.languages.clone(),
        license: summary.license.clone(),
        features: Features {
            ecl: is_snomed,
            vcl: true,
            subsumption: summary.subsumption,
            vectors: summary.vectors > 0,
        },
        default: summary.default,
    }
}

fn is_wanted(row: &Row, request: &Request) -> bool {
    let has = |text: &str, part: &str| text.to_lowercase().contains(&part.trim().to_lowercase());
    let named =
        |part: &String| has(&row.name, part) || row.aliases.iter().any(|alias| has(alias, part));
    request.name.as_ref().is_none_or(named)
        && request.title.as_ref().is_none_or(|part| has(&row.title, part))
        && request.url.as_ref().is_none_or(|url| row.url == url.trim())
        && request.status.is_none_or(|status| row.status == status)
}
