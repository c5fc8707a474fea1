//! `$validate-code`.

use std::sync::Arc;

use medterm::catalog::{
    Abstract, CodedElement, CodedRequest, CodedResponse, CodedScope, DisplayCheck, GivenCoding,
    Inactive, InferSystem,
};
use medterm::valueset::ValueSet;
use medterm::{Catalog, Error};
use serde_json::{Value, json};

use super::expansion::{operation_outcome, outcome};
use super::request::Parameters;
use super::suite::Case;

/// Whether a value set or a terminology is asked.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Asked {
    ValueSet,
    Terminology,
}

pub(crate) fn validate(catalog: &Catalog, case: &Case, asked: &Parameters, of: Asked) -> Value {
    let Some(element) = element(asked, of) else {
        return json!({"resourceType": "OperationOutcome", "issue": []});
    };
    let request = request(case, asked, element, of);
    match request.and_then(|request| catalog.validate_coded(&request)) {
        Ok(response) => parameters(&response, asked),
        Err(error) => outcome(&error),
    }
}

/// Several validations with the same value set.
pub(crate) fn validate_many(catalog: &Catalog, case: &Case, asked: &Parameters) -> Value {
    let answers: Vec<Value> = asked
        .all("validation")
        .map(|one| {
            let own = Parameters::of_resource(one, asked);
            json!({"name": "validation", "resource": validate(catalog, case, &own, Asked::ValueSet)})
        })
        .collect();
    json!({"resourceType": "Parameters", "parameter": answers})
}

fn element(asked: &Parameters, of: Asked) -> Option<CodedElement> {
    if let Some(one) = asked.get("coding") {
        return Some(CodedElement::Coding(coding(one)));
    }
    if let Some(concept) = asked.get("codeableConcept") {
        let all = concept["coding"].as_array()?;
        return Some(CodedElement::Concept(all.iter().map(coding).collect()));
    }
    let mut given = GivenCoding::bare(asked.text("code")?);
    let system = if of == Asked::Terminology { "url" } else { "system" };
    given.system = asked.text(system).map(str::to_owned);
    given.version =
        asked.text("systemVersion").or_else(|| asked.text("version")).map(str::to_owned);
    given.display = asked.text("display").map(str::to_owned);
    Some(CodedElement::Code(given))
}

fn coding(one: &Value) -> GivenCoding {
    let text = |name: &str| one[name].as_str().map(str::to_owned);
    let mut given = GivenCoding::bare(&text("code").unwrap_or_default());
    (given.system, given.version, given.display) =
        (text("system"), text("version"), text("display"));
    given
}

fn request(
    case: &Case,
    asked: &Parameters,
    element: CodedElement,
    of: Asked,
) -> Result<CodedRequest, Error> {
    let mut request = CodedRequest::new(element);
    if let Some(given) = asked.get("valueSet") {
        let valueset = ValueSet::from_json(&given.to_string()).expect("it is a value set");
        request = request.given(Arc::new(valueset));
    } else if let Some(url) = asked.url().filter(|_| of == Asked::ValueSet) {
        request = request.valueset(&url);
    }
    if asked.flag("inferSystem") == Some(true) {
        request = request.infer_system(InferSystem::Yes);
    }
    if asked.flag("lenient-display-validation") == Some(true) {
        request = request.display_check(DisplayCheck::Lenient);
    }
    if asked.flag("activeOnly") == Some(true) {
        request = request.inactive(Inactive::Hidden);
    }
    if asked.flag("abstract") == Some(false) {
        request = request.headings(Abstract::Refused);
    }
    if asked.flag("valueset-membership-only") == Some(true) {
        request = request.scope(CodedScope::MembershipOnly);
    }
    for tag in asked.languages(case.language.as_deref()) {
        request = request.language(&tag);
    }
    for (rule, canonical) in asked.rules() {
        request = request.system_version(rule, canonical)?;
    }
    for canonical in asked.all("default-valueset-version").filter_map(Value::as_str) {
        request = request.valueset_version(canonical)?;
    }
    Ok(request)
}

fn parameters(response: &CodedResponse, asked: &Parameters) -> Value {
    let mut all = Vec::new();
    let mut add = |name: &str, kind: &str, value: Value| {
        let mut one = json!({"name": name});
        one[kind] = value;
        all.push(one);
    };
    let text = |value: &Option<String>| value.clone().map(Value::from);
    for (name, kind, value) in [
        ("code", "valueCode", text(&response.code)),
        ("system", "valueUri", text(&response.system)),
        ("version", "valueString", text(&response.version)),
        ("display", "valueString", text(&response.display)),
        ("normalized-code", "valueCode", text(&response.normalized_code)),
        ("status", "valueCode", text(&response.status)),
        ("message", "valueString", text(&response.message)),
        ("codeableConcept", "valueCodeableConcept", asked.get("codeableConcept").cloned()),
    ] {
        if let Some(value) = value {
            add(name, kind, value);
        }
    }
    if response.active == Some(false) {
        add("inactive", "valueBoolean", true.into());
    }
    // Of an excerpt FHIR says that the code may be valid, and warns.
    add("result", "valueBoolean", response.valid.unwrap_or(true).into());
    for system in &response.unknown_systems {
        add("x-unknown-system", "valueCanonical", system.as_str().into());
    }
    for system in &response.needed_systems {
        add("x-caused-by-unknown-system", "valueCanonical", system.as_str().into());
    }
    if !response.issues.is_empty() {
        add("issues", "resource", operation_outcome(&response.issues));
    }
    json!({"resourceType": "Parameters", "parameter": all})
}
