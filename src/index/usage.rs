//! How much a concept is in use, where its terminology says so.

use crate::records::Records;
use crate::terminology::{ConceptOrd, Property, PropertyValue, SystemId, known_system, property};

use super::IndexError;

/// LOINC ranks the tests and orders that are in use, from 1; about this many have a rank. (LOINC
/// Users' Guide, fields COMMON_TEST_RANK and COMMON_ORDER_RANK.)
const RANKED: f32 = 20_000.0;
/// LOINC's status of a term that is in use but should not be.
const DISCOURAGED: &str = "DISCOURAGED";

/// Kinds of SNOMED CT concepts that are recorded of patients, by the tag of their fully specified
/// name; the others are what these are made of.
const RECORDED: [&str; 6] =
    ["disorder", "finding", "procedure", "situation", "event", "regime/therapy"];
/// What such a kind is worth beside the most used test of LOINC.
const RECORDED_USAGE: f32 = 0.3;

/// How much a concept with these properties is in use: 1 for the most used ones, falling with the
/// logarithm of their rank; -1 for those that the terminology advises against; 0 where nothing is
/// said.
type UsageOf = fn(&[Property]) -> f32;

/// How the concepts of a terminology say how much they are in use; `None` where none does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Usage(Option<UsageOf>);

impl Usage {
    pub(super) fn new(system: &SystemId) -> Self {
        Self(match known_system(system.as_str()).map(|known| known.alias) {
            Some("loinc") => Some(of_test),
            Some("snomed") => Some(of_kind),
            _ => None,
        })
    }

    pub(super) fn of(self, records: &Records, concept: ConceptOrd) -> Result<f32, IndexError> {
        self.0.map_or(Ok(0.0), |of| Ok(of(&records.details(concept)?.properties)))
    }
}

fn of_test(properties: &[Property]) -> f32 {
    let is_discouraged = properties.iter().any(|one| {
        one.code == property::STATUS
            && matches!(&one.value, PropertyValue::Text(status) if status == DISCOURAGED)
    });
    match properties.iter().filter_map(rank).min() {
        _ if is_discouraged => -1.0,
        Some(rank) => share(rank),
        None => 0.0,
    }
}

fn of_kind(properties: &[Property]) -> f32 {
    let is_recorded = properties.iter().any(|one| {
        one.code == property::SEMANTIC_TAG
            && matches!(&one.value, PropertyValue::Text(tag) if RECORDED.contains(&tag.as_str()))
    });
    if is_recorded { RECORDED_USAGE } else { 0.0 }
}

fn rank(property: &Property) -> Option<i64> {
    match property.value {
        PropertyValue::Integer(rank)
            if property::COMMON_RANKS.contains(&&*property.code) && rank > 0 =>
        {
            Some(rank)
        }
        _ => None,
    }
}

#[allow(clippy::cast_precision_loss, reason = "ranks are thousands")]
fn share(rank: i64) -> f32 {
    (1.0 - (rank as f32).ln() / RANKED.ln()).clamp(0.0, 1.0)
}
