//! How much a concept is in use, where its terminology says so.

use crate::terminology::{ConceptOrd, Property, PropertyValue, known_system, property};

use super::{IndexError, TerminologyIndex};

/// LOINC ranks the tests and orders that are in use, from 1; about this many have a rank. (LOINC
/// Users' Guide, fields COMMON_TEST_RANK and COMMON_ORDER_RANK.)
const RANKED: f32 = 20_000.0;
const RANKS: [&str; 2] = ["COMMON_TEST_RANK", "COMMON_ORDER_RANK"];
/// LOINC's status of a term that is in use but should not be.
const DISCOURAGED: &str = "DISCOURAGED";

impl TerminologyIndex {
    /// 1 for the most used concepts, falling with the logarithm of their rank; -1 for those that the
    /// terminology advises against; 0 where nothing is said.
    pub(super) fn usage(&self, concept: ConceptOrd) -> Result<f32, IndexError> {
        if known_system(self.manifest().release.system.as_str()).is_none_or(|s| s.alias != "loinc")
        {
            return Ok(0.0);
        }
        let properties = self.records.details(concept)?.properties;
        let is_discouraged = properties.iter().any(|one| {
            one.code == property::STATUS
                && matches!(&one.value, PropertyValue::Text(status) if status == DISCOURAGED)
        });
        if is_discouraged {
            return Ok(-1.0);
        }
        let rank = properties.iter().filter_map(rank).min();
        Ok(rank.map_or(0.0, share))
    }
}

fn rank(property: &Property) -> Option<i64> {
    match property.value {
        PropertyValue::Integer(rank) if RANKS.contains(&&*property.code) && rank > 0 => Some(rank),
        _ => None,
    }
}

#[allow(clippy::cast_precision_loss, reason = "ranks are thousands")]
fn share(rank: i64) -> f32 {
    (1.0 - (rank as f32).ln() / RANKED.ln()).clamp(0.0, 1.0)
}
