use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::context::Context;
use super::error::{ErrorCode, Reason};
use super::icd10::{chinese, json};
use super::lookup_concept::{ConceptView, lookup_request, view};
use super::provenance::ProvenanceView;
use super::tool::Tool;
use super::{Profile, ToolError};

/// A diagnosis and a procedure side by side.
pub(super) struct CheckMedicalConflict;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// ICD-10-CM code
    #[schemars(length(max = 200))]
    diagnosis_code: String,
    /// ICD-10-PCS code
    #[schemars(length(max = 200))]
    procedure_code: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Response {
    /// Null where the code is none: diagnosis_message says why
    #[schemars(schema_with = "object_or_null")]
    diagnosis_info: Option<Info>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnosis_message: Option<String>,
    #[schemars(schema_with = "object_or_null")]
    procedure_info: Option<Info>,
    #[serde(skip_serializing_if = "Option::is_none")]
    procedure_message: Option<String>,
    provenance: Vec<ProvenanceView>,
}

/// A code with all that is known of it.
#[derive(Debug, Serialize)]
struct Info {
    name_zh: Option<String>,
    name_en: String,
    #[serde(flatten)]
    concept: ConceptView,
}

fn object_or_null(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": ["object", "null"]})
}

impl Tool for CheckMedicalConflict {
    const NAME: &'static str = "check_medical_conflict";
    const TITLE: &'static str = "Diagnosis and procedure side by side";
    const DESCRIPTION: &'static str = "The full definitions, with notes of their own and inherited, of an ICD-10-CM diagnosis \
        and an ICD-10-PCS procedure side by side. Facts only: no verdict on whether they conflict.";
    const PROFILES: &'static [Profile] = &[Profile::Icd10];
    const CODES: ErrorCode = ErrorCode::Word;
    type Request = Request;
    type Response = Response;

    fn call(context: &Context<'_>, request: Request) -> Result<Response, ToolError> {
        let mut provenance = Vec::new();
        let diagnosis = info(context, "icd10cm", &request.diagnosis_code, &mut provenance)?;
        let procedure = info(context, "icd10pcs", &request.procedure_code, &mut provenance)?;
        let (diagnosis_info, diagnosis_message) = diagnosis;
        let (procedure_info, procedure_message) = procedure;
        Ok(Response {
            diagnosis_info,
            diagnosis_message,
            procedure_info,
            procedure_message,
            provenance,
        })
    }

    fn text(response: &Response) -> String {
        json(response)
    }
}

type Side = (Option<Info>, Option<String>);

/// One side, or why there is none.
fn info(
    context: &Context<'_>,
    alias: &str,
    code: &str,
    provenance: &mut Vec<ProvenanceView>,
) -> Result<Side, ToolError> {
    let looked_up = context.terminology(alias, None).and_then(|terminology| {
        let answer = context.catalog.lookup_with(&lookup_request(&terminology, code, &[], None))?;
        let name_zh = chinese(context, &terminology, &answer.code)?;
        provenance.push(context.provenance(&terminology));
        Ok(Info { name_zh, name_en: answer.display.clone(), concept: view(answer) })
    });
    match looked_up {
        Ok(info) => Ok((Some(info), None)),
        Err(error) if matches!(error.reason(), Reason::Internal | Reason::Maintenance) => {
            Err(error)
        }
        Err(error) => Ok((None, Some(error.to_string()))),
    }
}
