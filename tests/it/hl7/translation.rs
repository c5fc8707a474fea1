//! `$translate`.

use medterm::Catalog;
use medterm::catalog::{TranslateDirection, TranslateRequest};
use serde_json::{Value, json};

use super::expansion::outcome;
use super::request::Parameters;

/// A code of one terminology in another: `sourceCode` over maps from source to target, `targetCode` over
/// the same maps backwards.
pub(crate) fn translate(catalog: &Catalog, asked: &Parameters) -> Value {
    let text = |name: &str| asked.text(name).unwrap_or_default();
    let (source, target) = (text("sourceSystem"), text("targetSystem"));
    let request = match asked.text("targetCode") {
        Some(code) => {
            TranslateRequest::new(target, code, source).direction(TranslateDirection::Reverse)
        }
        None => TranslateRequest::new(source, text("sourceCode"), target),
    };
    let answer = match catalog.translate(&request) {
        Ok(answer) => answer,
        Err(error) => return outcome(&error),
    };
    let mut parameters =
        vec![json!({"name": "result", "valueBoolean": !answer.matches.is_empty()})];
    for one in &answer.matches {
        let map = answer.maps.iter().find(|map| map.name == one.map);
        let origin = map.map(|map| format!("{}|{}", map.id, map.version));
        for code in &one.codes {
            let coding =
                json!({"system": answer.target_system.as_str(), "code": code.code.as_str()});
            parameters.push(json!({"name": "match", "part": [
                {"name": "concept", "valueCoding": coding},
                {"name": "relationship", "valueCode": one.relationship.name()},
                {"name": "originMap", "valueCanonical": origin},
            ]}));
        }
    }
    json!({"resourceType": "Parameters", "parameter": parameters})
}
