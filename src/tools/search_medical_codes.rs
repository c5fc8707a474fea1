use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::{SearchRequest, SearchResponse, TerminologySummary, ValidateRequest};
use crate::terminology::Content;

use super::context::{Context, Terminology};
use super::error::{ErrorCode, Reason};
use super::icd10::{Row, chinese, json, row};
use super::provenance::ProvenanceView;
use super::tool::Tool;
use super::{Profile, ToolError};

/// Finds ICD-10 codes, or the codes of another code system.
pub(super) struct SearchMedicalCodes;

/// The most of each kind, and of another code system; more is taken for this.
const MAX_CODES: usize = 10;
const MAX_OTHERS: usize = 50;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// A code, or a Chinese or English term
    #[schemars(length(max = 1000))]
    keyword: String,
    #[serde(default)]
    r#type: Kind,
    /// Of each kind, up to 10; of another code system up to 50
    #[serde(default = "three")]
    #[schemars(range(min = 1))]
    limit: usize,
    /// icd10cm, icd10pcs, or another loaded code system by canonical URI, alias or words of its name
    system: Option<String>,
}

fn three() -> usize {
    3
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Diagnosis,
    Procedure,
    #[default]
    All,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Response {
    keyword: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnoses: Option<Vec<Row>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnoses_note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    procedures: Option<Vec<Row>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    procedures_note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<String>,
    /// The code system that was searched
    #[serde(skip_serializing_if = "Option::is_none")]
    codesystem: Option<CodeSystemView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    results: Option<Vec<Candidate>>,
    /// Other code systems that the words of system fit
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alternatives: Vec<CodeSystemView>,
    /// The complete version that was searched in the place of the excerpt
    #[serde(skip_serializing_if = "Option::is_none")]
    searched_copy: Option<String>,
    /// keyword_only where meaning could not be searched
    #[serde(skip_serializing_if = "Option::is_none")]
    search_mode: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    provenance: Vec<ProvenanceView>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct CodeSystemView {
    id: String,
    url: String,
    title: String,
    version: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Candidate {
    #[serde(flatten)]
    row: Row,
    display: String,
    /// Whether the code is one of the code system that was asked for
    accepted_by_validator: bool,
}

impl Tool for SearchMedicalCodes {
    const NAME: &'static str = "search_medical_codes";
    const TITLE: &'static str = "Search ICD-10 codes";
    const DESCRIPTION: &'static str = "Search ICD-10-CM diagnoses and ICD-10-PCS procedures for a term or code in English or \
        Chinese; or, with system, another loaded code system. Ordered by relevance. Do not include patient data.";
    const PROFILES: &'static [Profile] = &[Profile::Icd10];
    const CODES: ErrorCode = ErrorCode::Word;
    type Request = Request;
    type Response = Response;

    fn call(context: &Context<'_>, request: Request) -> Result<Response, ToolError> {
        // A blank keyword is refused before anything is looked for.
        let asked = SearchRequest::new(&request.keyword).map_err(|_| blank(&request.keyword))?;
        match &request.system {
            Some(system) => of_system(context, &request, asked, system),
            None => of_icd10(context, &request, &asked),
        }
    }

    fn text(response: &Response) -> String {
        json(response)
    }
}

fn blank(keyword: &str) -> ToolError {
    match keyword.chars().count() > crate::catalog::MAX_QUERY_CHARS {
        true => ToolError::too_long("keyword", crate::catalog::MAX_QUERY_CHARS),
        false => ToolError::blank("keyword"),
    }
}

fn of_icd10(
    context: &Context<'_>,
    request: &Request,
    asked: &SearchRequest,
) -> Result<Response, ToolError> {
    let limit = request.limit.clamp(1, MAX_CODES);
    let mut response = Response { keyword: request.keyword.clone(), ..Response::default() };
    let diagnoses = (request.r#type != Kind::Procedure)
        .then(|| found(context, "icd10cm", asked, limit, &mut response));
    let procedures = (request.r#type != Kind::Diagnosis)
        .then(|| found(context, "icd10pcs", asked, limit, &mut response));
    // What one of both cannot answer is noted beside the other's answer.
    let alone = request.r#type != Kind::All;
    if let Some(answer) = diagnoses {
        let (rows, note) = rows_or_note(answer, alone)?;
        (response.diagnoses, response.diagnoses_note) = (Some(rows), note);
    }
    if let Some(answer) = procedures {
        let (rows, note) = rows_or_note(answer, false)?;
        (response.procedures, response.procedures_note) = (Some(rows), note);
    }
    if response.provenance.is_empty() && response.diagnoses_note.is_some() {
        // Neither answered.
        return Err(context.terminology("icd10cm", None).err().unwrap_or_else(ToolError::internal));
    }
    Ok(response)
}

/// The rows of one of both classifications.
fn found(
    context: &Context<'_>,
    alias: &str,
    asked: &SearchRequest,
    limit: usize,
    response: &mut Response,
) -> Result<Vec<Row>, ToolError> {
    let terminology = context.terminology(alias, None)?;
    let answer = context.catalog.search(&asked.clone().system(&terminology.name).limit(limit)?)?;
    note_mode(response, &answer);
    response.provenance.push(context.provenance(&terminology));
    answer.results.iter().map(|hit| row(context, &terminology, &hit.code, &hit.display)).collect()
}

fn rows_or_note(
    answer: Result<Vec<Row>, ToolError>,
    alone: bool,
) -> Result<(Vec<Row>, Option<String>), ToolError> {
    match answer {
        Ok(rows) => Ok((rows, None)),
        Err(error) if !alone && is_absent(error.reason()) => {
            Ok((Vec::new(), Some(error.to_string())))
        }
        Err(error) => Err(error),
    }
}

fn is_absent(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::TerminologyNotLoaded
            | Reason::UnknownSystem
            | Reason::UnknownVersion
            | Reason::Maintenance
            | Reason::IndexIncompatible
    )
}

fn note_mode(response: &mut Response, answer: &SearchResponse) {
    if answer.search_note.is_some() {
        response.search_mode = Some(answer.search_mode.clone());
    }
    if response.notice.is_none() {
        response.notice = answer.notice.clone();
    }
}

fn of_system(
    context: &Context<'_>,
    request: &Request,
    asked: SearchRequest,
    system: &str,
) -> Result<Response, ToolError> {
    let (terminology, alternatives) = by_words(context, system)?;
    let copy = complete_copy(context, &terminology);
    let searched = copy.as_ref().unwrap_or(&terminology);
    let limit = match terminology.summary.alias.as_str() {
        "icd10cm" | "icd10pcs" => request.limit.clamp(1, MAX_CODES),
        _ => request.limit.clamp(1, MAX_OTHERS),
    };
    let answer = context.catalog.search(&asked.system(&searched.name).limit(limit)?)?;
    let mut results = Vec::new();
    for hit in &answer.results {
        let check = ValidateRequest::new(&terminology.name, hit.code.as_str());
        let accepted = context.catalog.validate_code(&check)?.valid == Some(true);
        results.push(Candidate {
            row: Row {
                code: hit.code.to_string(),
                name_zh: chinese(context, searched, &hit.code)?,
                name_en: hit.display.clone(),
            },
            display: hit.display.clone(),
            accepted_by_validator: accepted,
        });
    }
    let mut response = Response {
        keyword: request.keyword.clone(),
        system: Some(system.to_owned()),
        codesystem: Some(view(&terminology.summary)),
        results: Some(results),
        alternatives: alternatives.iter().map(view).collect(),
        searched_copy: copy.as_ref().map(|copy| copy.name.clone()),
        provenance: vec![context.provenance(searched)],
        ..Response::default()
    };
    note_mode(&mut response, &answer);
    Ok(response)
}

/// The terminology with this canonical URI, alias or OID, or the one whose names have all the words;
/// and the others that have them.
fn by_words(
    context: &Context<'_>,
    system: &str,
) -> Result<(Terminology, Vec<TerminologySummary>), ToolError> {
    let error = match context.terminology(system, None) {
        Ok(terminology) => return Ok((terminology, Vec::new())),
        Err(error) if error.reason() == Reason::UnknownSystem => error,
        Err(error) => return Err(error),
    };
    let words = |text: &str| -> Vec<String> {
        text.to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let wanted = words(system);
    let fits = |summary: &TerminologySummary| {
        let has = words(&format!("{} {} {}", summary.alias, summary.title, summary.system));
        summary.default && !wanted.is_empty() && wanted.iter().all(|word| has.contains(word))
    };
    let mut fitting = context.catalog.terminologies().into_iter().filter(fits);
    match fitting.next() {
        Some(first) => {
            let name = format!("{}|{}", first.alias, first.version);
            Ok((context.terminology(&name, None)?, fitting.collect()))
        }
        None => Err(error),
    }
}

/// The complete version of a terminology of which an excerpt was asked for.
fn complete_copy(context: &Context<'_>, terminology: &Terminology) -> Option<Terminology> {
    let excerpt = &terminology.summary;
    if excerpt.content == Content::Complete {
        return None;
    }
    let all = context.catalog.terminologies();
    let copy = all
        .into_iter()
        .rev()
        .find(|other| other.system == excerpt.system && other.content == Content::Complete)?;
    context.terminology(&format!("{}|{}", copy.alias, copy.version), None).ok()
}

fn view(summary: &TerminologySummary) -> CodeSystemView {
    CodeSystemView {
        id: summary.alias.clone(),
        url: summary.system.as_str().to_owned(),
        title: summary.title.clone(),
        version: summary.version.clone(),
    }
}
