//! `$expand`, and errors as `OperationOutcome`.

use std::sync::Arc;

use medterm::catalog::{
    DesignationView, Details, Expansion, ExpansionItem, Inactive, Issue, Missing, PropertyView,
    ValueSetRequest,
};
use medterm::terminology::PropertyValue;
use medterm::valueset::ValueSet;
use medterm::{Catalog, Error};
use serde_json::{Map, Value, json};

use super::request::{Parameters, RULES};
use super::suite::Case;
use super::world::World;

/// Parameters that an expansion does not repeat.
const NOT_ECHOED: [&str; 9] = [
    "url",
    "valueSet",
    "valueSetVersion",
    "tx-resource",
    "property",
    "uuid",
    // They are told where they were applied.
    "system-version",
    "check-system-version",
    "force-system-version",
];

pub(crate) fn expand(world: &World, catalog: &Catalog, case: &Case, asked: &Parameters) -> Value {
    let resources = asked.resources();
    let given = asked.get("valueSet");
    let request = request(case, asked, given);
    let expansion = match request.and_then(|request| catalog.expand(&request)) {
        Ok(expansion) => expansion,
        Err(error) => return outcome(&error),
    };
    let url = expansion.url.clone().unwrap_or_default();
    let own = given.or_else(|| world.valueset(&resources, &url)).cloned();
    let mut resource = own.unwrap_or_else(|| json!({"resourceType": "ValueSet", "url": url}));
    if let Some(fields) = resource.as_object_mut() {
        ["text", "compose", "contained", "meta", "language"].iter().for_each(|name| {
            fields.remove(*name);
        });
    }
    resource["expansion"] = resource_of(&expansion, asked);
    resource
}

fn request(
    case: &Case,
    asked: &Parameters,
    given: Option<&Value>,
) -> Result<ValueSetRequest, Error> {
    let mut request = match given {
        Some(given) => {
            let valueset = ValueSet::from_json(&given.to_string()).expect("it is a value set");
            ValueSetRequest::given(Arc::new(valueset))
        }
        None => ValueSetRequest::new(&asked.url().unwrap_or_default()),
    };
    if let Some(filter) = asked.text("filter") {
        request = request.filter(filter)?;
    }
    request = request.offset(asked.number("offset").unwrap_or(0));
    let threshold = case.header.as_ref().filter(|one| one.name == "X-TOO-COSTLY-THRESHOLD");
    let most = threshold.and_then(|one| one.value.parse().ok()).unwrap_or(10_000);
    request = match asked.number("count") {
        Some(count) => request.count(count)?,
        None => request.whole(most),
    };
    request = request.inactive(match asked.flag("activeOnly") {
        Some(true) => Inactive::Hidden,
        _ => Inactive::Shown,
    });
    for tag in asked.languages(case.language.as_deref()) {
        request = request.language(&tag);
    }
    if asked.flag("includeDesignations") == Some(true) {
        request = request.details(Details::Designations);
    }
    for name in asked.all("property").filter_map(Value::as_str) {
        request = request.property(name);
    }
    for (rule, canonical) in asked.rules() {
        request = request.system_version(rule, canonical)?;
    }
    for canonical in asked.all("default-valueset-version").filter_map(Value::as_str) {
        request = request.valueset_version(canonical)?;
    }
    Ok(request.missing(Missing::Refused))
}

fn resource_of(expansion: &Expansion, asked: &Parameters) -> Value {
    let mut parameter: Vec<Value> = asked
        .iter()
        .filter(|one| !NOT_ECHOED.iter().any(|name| one["name"] == *name))
        .map(echoed)
        .collect();
    for one in &expansion.applied_versions {
        let name = RULES.iter().find(|(_, rule)| *rule == one.rule).map(|(name, _)| *name);
        let canonical = format!("{}|{}", one.system, one.version);
        parameter.push(json!({"name": name, "valueUri": canonical}));
    }
    for used in &expansion.used {
        parameter.push(json!({"name": "used-codesystem", "valueUri": used.canonical()}));
    }
    for used in &expansion.used_valuesets {
        parameter.push(json!({"name": "used-valueset", "valueUri": used}));
    }
    let mut found = json!({
        "identifier": "urn:uuid:00000000-0000-0000-0000-000000000000",
        "timestamp": "2000-01-01T00:00:00Z",
        "total": expansion.paging.total,
        "parameter": parameter,
    });
    if asked.get("offset").is_some() {
        found["offset"] = expansion.paging.offset.into();
    }
    if parameter_is_empty(&found) {
        found.as_object_mut().map(|fields| fields.remove("parameter"));
    }
    if !expansion.contains.is_empty() {
        // A version is told where a terminology is there in more than one.
        let all: Vec<_> = expansion.used.iter().map(|one| one.system.as_str()).collect();
        let is_versioned = |item: &ExpansionItem| {
            all.iter().filter(|one| **one == item.system.as_str()).count() > 1
        };
        let items = expansion.contains.iter().map(|one| item(one, is_versioned(one)));
        found["contains"] = items.collect();
    }
    found
}

/// A parameter as an expansion repeats it: canonical URIs are URIs there.
fn echoed(one: &Value) -> Value {
    match one.get("valueCanonical") {
        Some(canonical) => json!({"name": one["name"], "valueUri": canonical}),
        None => one.clone(),
    }
}

fn parameter_is_empty(expansion: &Value) -> bool {
    expansion["parameter"].as_array().is_some_and(Vec::is_empty)
}

fn item(one: &ExpansionItem, is_versioned: bool) -> Value {
    let mut found = json!({
        "system": one.system.as_str(), "code": one.code.as_str(), "display": one.display,
    });
    if let Some(version) = one.version.as_ref().filter(|_| is_versioned) {
        found["version"] = version.as_str().into();
    }
    if one.inactive {
        found["inactive"] = true.into();
    }
    if one.is_abstract {
        found["abstract"] = true.into();
    }
    if !one.designations.is_empty() {
        found["designation"] = one.designations.iter().map(designation).collect();
    }
    let definition =
        one.definition.iter().map(|text| json!({"code": "definition", "valueString": text}));
    let properties: Vec<Value> = one.properties.iter().map(property).chain(definition).collect();
    if !properties.is_empty() {
        found["property"] = properties.into();
    }
    found
}

fn designation(one: &DesignationView) -> Value {
    json!({"language": one.language, "value": one.value})
}

pub(crate) fn property(one: &PropertyView) -> Value {
    let mut found = Map::new();
    found.insert("code".to_owned(), one.code.as_str().into());
    let (name, value) = match &one.value {
        PropertyValue::Text(text) => ("valueString", Value::from(text.as_str())),
        PropertyValue::Code(code) => ("valueCode", code.as_str().into()),
        PropertyValue::Boolean(flag) => ("valueBoolean", (*flag).into()),
        PropertyValue::Integer(number) => ("valueInteger", (*number).into()),
        PropertyValue::Decimal(number) => ("valueDecimal", (*number).into()),
        PropertyValue::DateTime(time) => ("valueDateTime", time.as_str().into()),
        _ => return Value::Object(found),
    };
    found.insert(name.to_owned(), value);
    Value::Object(found)
}

/// An error of the library.
pub(crate) fn outcome(error: &Error) -> Value {
    operation_outcome(&[error.issue()])
}

pub(crate) fn operation_outcome(issues: &[Issue]) -> Value {
    let issues: Vec<Value> = issues.iter().map(issue).collect();
    json!({"resourceType": "OperationOutcome", "issue": issues})
}

fn issue(one: &Issue) -> Value {
    let mut details = json!({"text": one.message});
    if let Some(code) = one.code.terminology_type() {
        let system = "http://hl7.org/fhir/tools/CodeSystem/tx-issue-type";
        details["coding"] = json!([{"system": system, "code": code}]);
    }
    let mut found = json!({
        "severity": one.severity.as_str(), "code": one.code.fhir_type(), "details": details,
    });
    if let Some(expression) = &one.expression {
        found["expression"] = json!([expression]);
    }
    if let Some(id) = one.message_id {
        let url = "http://hl7.org/fhir/StructureDefinition/operationoutcome-message-id";
        found["extension"] = json!([{"url": url, "valueString": id}]);
    }
    found
}
