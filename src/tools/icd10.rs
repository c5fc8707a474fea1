//! What the five ICD-10 tools have in common: rows of code, Chinese and English name, and the whole
//! answer as JSON in the text.

use schemars::JsonSchema;
use serde::Serialize;

use crate::catalog::{ConceptSummary, LookupRequest};
use crate::terminology::Code;

use super::ToolError;
use super::context::{Context, Terminology};

/// The language of `name_zh`: the Traditional Chinese of Taiwan, or any Chinese there is.
const CHINESE: &str = "zh-TW";

/// One code with its names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct Row {
    pub(super) code: String,
    pub(super) name_zh: Option<String>,
    pub(super) name_en: String,
}

/// The answer itself, serialized: the clients of these tools read the text as JSON.
pub(super) fn json(response: &impl Serialize) -> String {
    serde_json::to_string(response).unwrap_or_default()
}

pub(super) fn row(
    context: &Context<'_>,
    terminology: &Terminology,
    code: &Code,
    display: &str,
) -> Result<Row, ToolError> {
    Ok(Row {
        code: code.to_string(),
        name_zh: chinese(context, terminology, code)?,
        name_en: display.to_owned(),
    })
}

pub(super) fn rows(
    context: &Context<'_>,
    terminology: &Terminology,
    concepts: &[ConceptSummary],
) -> Result<Vec<Row>, ToolError> {
    concepts
        .iter()
        .map(|concept| row(context, terminology, &concept.code, &concept.display))
        .collect()
}

/// The Chinese name of a code, where one is loaded.
pub(super) fn chinese(
    context: &Context<'_>,
    terminology: &Terminology,
    code: &Code,
) -> Result<Option<String>, ToolError> {
    if terminology.summary.languages.iter().all(|tag| !is_chinese(tag)) {
        return Ok(None);
    }
    let asked = LookupRequest::new(&terminology.name, code.as_str()).language(CHINESE);
    let answer = context.catalog.lookup_with(&asked)?;
    let other = || answer.designations.iter().find(|name| is_chinese(&name.language));
    Ok(match is_chinese(&answer.language) {
        true => Some(answer.display.clone()),
        false => other().map(|name| name.value.clone()),
    })
}

fn is_chinese(tag: &str) -> bool {
    tag.split('-').next().is_some_and(|language| language.eq_ignore_ascii_case("zh"))
}
