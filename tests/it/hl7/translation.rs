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
    let target_code = asked.text("targetCode");
    let request = match target_code {
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
            let found =
                json!({"system": answer.target_system.as_str(), "code": code.code.as_str()});
            let mut part = vec![
                json!({"name": "relationship", "valueCode": one.relationship.name()}),
                json!({"name": "originMap", "valueCanonical": origin}),
            ];
            // Backwards, the suite calls the code that was given the concept, and what it is mapped
            // from the source.
            match target_code {
                Some(_) => {
                    let given =
                        json!({"system": answer.system.as_str(), "code": answer.code.as_str()});
                    part.push(json!({"name": "concept", "valueCoding": given}));
                    part.push(json!({"name": "source", "valueCoding": found}));
                }
                None => part.push(json!({"name": "concept", "valueCoding": found})),
            }
            parameters.push(json!({"name": "match", "part": part}));
        }
    }
    json!({"resourceType": "Parameters", "parameter": parameters})
}
