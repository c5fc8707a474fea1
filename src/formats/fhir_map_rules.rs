//! What a FHIR `ConceptMap` says beside its pairs: when a target holds, and what becomes of codes that
//! are not mapped.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::terminology::{Code, Relationship, Unmapped};

use super::fhir_map::relationship;

/// One condition of a target (`dependsOn`).
#[derive(Deserialize)]
pub(super) struct Condition {
    /// R4.
    property: Option<String>,
    /// R5.
    attribute: Option<String>,
    /// `value` in R4, `valueCode`, `valueCoding`, `valueString` … in R5.
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

impl Condition {
    /// The condition in one line: `attribute = value`.
    pub(super) fn rule(&self) -> String {
        let name = self.attribute.as_ref().or(self.property.as_ref());
        let name = name.map_or("condition", String::as_str);
        let value = self.rest.iter().find(|(key, _)| key.starts_with("value"));
        match value.map(|(_, value)| value) {
            Some(serde_json::Value::String(text)) => format!("{name} = {text}"),
            Some(value) => match value.get("code").and_then(serde_json::Value::as_str) {
                Some(code) => format!("{name} = {code}"),
                None => format!("{name} = {value}"),
            },
            None => name.to_owned(),
        }
    }
}

/// What a group says of codes that are not mapped, of R4 or R5.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UnmappedRule {
    mode: Option<String>,
    code: Option<String>,
    display: Option<String>,
    relationship: Option<String>,
    /// R5.
    other_map: Option<String>,
    /// R4.
    url: Option<String>,
}

impl UnmappedRule {
    /// The rule, where it is complete. A relationship that is not stated promises nothing.
    pub(super) fn read(self) -> Option<Unmapped> {
        let relationship = self.relationship.as_deref().and_then(relationship);
        let relationship = relationship.unwrap_or(Relationship::RelatedTo);
        match self.mode?.as_str() {
            "use-source-code" | "provided" => Some(Unmapped::UseSourceCode { relationship }),
            "fixed" => Some(Unmapped::Fixed {
                code: Code::new(&self.code?).ok()?,
                display: self.display,
                relationship,
            }),
            "other-map" => Some(Unmapped::OtherMap { map: self.other_map.or(self.url)? }),
            _ => None,
        }
    }
}
