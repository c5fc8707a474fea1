use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::{
    MapView, MappedCode, TranslateDirection, TranslateMatch, TranslateRequest, TranslateResponse,
    WalkUp,
};

use super::context::Context;
use super::provenance::ProvenanceView;
use super::tool::Tool;
use super::views::word;
use super::{Profile, ToolError};

/// What published maps say of a code.
pub(super) struct TranslateCode;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Request {
    /// Terminology of the code: alias, URI or OID; need not be loaded
    system: String,
    #[schemars(length(max = 200))]
    code: String,
    target_system: String,
    /// Only this map, by name or URI; "|version" may follow
    map: Option<String>,
    /// Reads maps from targetSystem to system backwards
    #[serde(default)]
    reverse: bool,
    /// Takes the nearest mapped code above an unmapped one
    #[serde(default)]
    walk_up: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Response {
    system: String,
    code: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    display: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    normalized_code: Option<String>,
    target_system: String,
    /// mapped, no-map (a map says so) or not-in-map (nothing is said)
    outcome: String,
    /// One translation each; a combination has several codes
    matches: Vec<MatchView>,
    /// The code that was asked for, where matches are of the one above it
    #[serde(skip_serializing_if = "Option::is_none")]
    walked_up_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
    maps: Vec<MapSourceView>,
    provenance: Vec<ProvenanceView>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct MatchView {
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    display: Option<String>,
    /// The codes that are needed together
    #[serde(skip_serializing_if = "Vec::is_empty")]
    codes: Vec<PartView>,
    relationship: String,
    primary: bool,
    source: String,
    #[serde(flatten)]
    row: RowView,
    #[serde(skip_serializing_if = "Option::is_none")]
    scenario: Option<u8>,
    /// Codes that must stand beside the one asked for
    #[serde(skip_serializing_if = "Vec::is_empty")]
    together_with: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unmapped_rule: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PartView {
    code: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    display: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    choice_list: Option<u8>,
    #[serde(flatten)]
    row: RowView,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
struct RowView {
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

/// A map that was asked.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct MapSourceView {
    name: String,
    version: String,
    title: String,
    license: Option<String>,
}

impl From<&MapView> for MapSourceView {
    fn from(map: &MapView) -> Self {
        Self {
            name: map.name.clone(),
            version: map.version.clone(),
            title: map.title.clone(),
            license: map.license.clone(),
        }
    }
}

impl Tool for TranslateCode {
    const NAME: &'static str = "translate_code";
    const TITLE: &'static str = "Translate a code";
    const DESCRIPTION: &'static str = "What published maps (ConceptMap, SSSOM, RF2, GEM) say a code is in another \
        terminology, with the FHIR relationship. Codes of one match hold only together. For words, or where no map leads, \
        use find_equivalent.";
    const PROFILES: &'static [Profile] = &[Profile::Core];
    type Request = Request;
    type Response = Response;

    fn call(context: &Context<'_>, request: Request) -> Result<Response, ToolError> {
        let mut asked = TranslateRequest::new(
            &loaded(context, &request.system)?,
            &request.code,
            &loaded(context, &request.target_system)?,
        );
        if let Some(map) = &request.map {
            asked = asked.map(map);
        }
        if request.reverse {
            asked = asked.direction(TranslateDirection::Reverse);
        }
        if request.walk_up {
            asked = asked.walk_up(WalkUp::ToNearest);
        }
        Ok(response(context, context.catalog.translate(&asked)?))
    }

    fn text(response: &Response) -> String {
        let mut lines: Vec<String> = response.matches.iter().map(line).collect();
        lines.extend(response.notice.clone());
        if lines.is_empty() {
            lines.push(format!("{} is not mapped", response.code));
        }
        lines.join("\n")
    }
}

/// The name of a terminology beyond doubt where it is loaded; in maintenance, none.
pub(super) fn loaded(context: &Context<'_>, system: &str) -> Result<String, ToolError> {
    use super::Reason;
    match context.terminology(system, None) {
        Ok(terminology) => Ok(terminology.name),
        Err(error) => match error.reason() {
            // A map may know what is not loaded.
            Reason::TerminologyNotLoaded | Reason::UnknownSystem => Ok(system.to_owned()),
            _ => Err(error),
        },
    }
}

/// The provenance of the terminologies of an answer.
pub(super) fn provenance<'p>(
    context: &Context<'_>,
    of: impl IntoIterator<Item = &'p crate::catalog::Provenance>,
) -> Vec<ProvenanceView> {
    let found = of
        .into_iter()
        .filter_map(|one| context.terminology(one.system.as_str(), Some(&one.version)).ok());
    found.map(|terminology| context.provenance(&terminology)).collect()
}

fn line(one: &MatchView) -> String {
    let name = |code: &str, display: Option<&str>| match display {
        Some(display) => format!("{code}: {display}"),
        None => code.to_owned(),
    };
    let codes = match &one.code {
        Some(code) => name(code, one.display.as_deref()),
        None => {
            let parts: Vec<String> =
                one.codes.iter().map(|part| name(&part.code, part.display.as_deref())).collect();
            parts.join(" + ")
        }
    };
    format!("{codes} ({})", one.relationship)
}

fn response(context: &Context<'_>, answer: TranslateResponse) -> Response {
    Response {
        system: answer.system.as_str().to_owned(),
        code: answer.code.to_string(),
        display: answer.display,
        normalized_code: answer.normalized_code.map(|code| code.to_string()),
        target_system: answer.target_system.as_str().to_owned(),
        outcome: word(answer.outcome),
        matches: answer.matches.into_iter().map(view).collect(),
        walked_up_from: answer.walked_up_from.map(|from| from.code.to_string()),
        notice: answer.message,
        maps: answer.maps.iter().map(MapSourceView::from).collect(),
        provenance: provenance(context, &answer.provenance),
    }
}

fn view(one: TranslateMatch) -> MatchView {
    let mut view = MatchView {
        code: None,
        display: None,
        codes: Vec::new(),
        relationship: one.relationship.name().to_owned(),
        primary: one.primary,
        source: format!("{}|{}", one.map, one.map_version),
        row: RowView::default(),
        scenario: one.scenario,
        together_with: one.together_with.iter().map(|beside| beside.code.to_string()).collect(),
        unmapped_rule: one.unmapped_rule.map(word),
    };
    let mut codes = one.codes;
    if codes.len() == 1
        && let Some(only) = codes.pop()
    {
        let part = part(only);
        view.code = Some(part.code);
        view.display = part.display;
        view.row = part.row;
    } else {
        view.codes = codes.into_iter().map(part).collect();
    }
    view
}

fn part(code: MappedCode) -> PartView {
    PartView {
        code: code.code.to_string(),
        display: code.display,
        choice_list: code.gem.filter(|gem| gem.combination).map(|gem| gem.choice_list),
        row: RowView {
            group: code.group,
            priority: code.priority,
            rule: code.rule,
            advice: code.advice,
        },
    }
}
