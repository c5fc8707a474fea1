use crate::text::Coverage;

use super::evidence::{Evidence, QueryShape, Scored};

/// The constants of the fusion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// Weight of the lexical side when the best lexical candidate covers nothing of the query.
    pub lexical_least: f32,
    /// What the weight of the lexical side gains when it covers the whole query.
    pub lexical_gain: f32,
    /// The cosine that counts as nothing.
    pub cosine_floor: f32,
    /// The cosine that counts as everything.
    pub cosine_ceiling: f32,
    /// What the most general code gains over an infinitely deep one, for a query of one word.
    pub depth: f32,
    /// How many words a query needs for that gain to fall to a half.
    pub depth_fade: f32,
    /// What each axis costs on which the concept states a value and the query none.
    pub axis_unstated: f32,
    /// What each axis costs on which the two state different values.
    pub axis_conflict: f32,
    /// What each axis costs on which the query states a value and the concept none.
    pub axis_missing: f32,
    /// The same for a plain opposite, which a name can state in other words.
    pub axis_unanswered: f32,
    /// What it costs to leave the query's "unspecified" out.
    pub qualifier_missing: f32,
    /// What the most used concepts gain, and those that are advised against lose.
    pub usage: f32,
    /// How much nearer to certainty a concept comes that a reading of the query is a name of, 0..=1.
    pub named: f32,
}

impl Default for Weights {
    fn default() -> Self {
        Self::TUNED
    }
}

impl Weights {
    /// The constants in use: round numbers near what a climb over one constant at a time finds, of
    /// which `cargo run --release --example tune` is the program, on the development halves of the
    /// ICD-10-CM gold files (everyday words, abbreviations, ICD-9 titles, disease names, external
    /// causes) and on `fixtures/gold`. `usage` was chosen by hand: no gold file here has ranks.
    pub const TUNED: Self = Self {
        lexical_least: 0.22,
        lexical_gain: 0.22,
        cosine_floor: 0.16,
        cosine_ceiling: 1.0,
        depth: 0.02,
        depth_fade: 0.7,
        axis_unstated: 0.04,
        axis_conflict: 0.3,
        axis_missing: 0.1,
        axis_unanswered: 0.1,
        qualifier_missing: 0.06,
        usage: 0.06,
        named: 0.2,
    };
}

/// What is only similar stays below what is equal.
const SIMILAR_AT_MOST: f32 = 0.95;
/// How much of the lexical score depends on the designation saying nothing else.
const BREVITY: f32 = 0.45;
/// What is left of a lexical score when one side negates what the other does not.
const NEGATION: f32 = 0.75;

/// One number for how far query and designation cover each other, 0..=1.
///
/// Law: never falls when either share rises.
#[must_use]
pub fn lexical_score(coverage: &Coverage) -> f32 {
    let brevity = 1.0 - BREVITY + BREVITY * coverage.designation;
    let negation = if coverage.negation_differs { NEGATION } else { 1.0 };
    // A quarter of the query matched is no quarter of an answer.
    (coverage.query.powf(1.5) * brevity * negation).clamp(0.0, 1.0)
}

/// The absolute score of one concept.
///
/// Law: finite, in 0..=1, never falls when the lexical or the semantic signal rises, and equality
/// beats similarity.
#[must_use]
pub fn score(evidence: Evidence, query: QueryShape, weights: &Weights) -> Scored {
    let prior = prior(&evidence, query, weights);
    if let Some(equality) = evidence.equal() {
        return Scored { evidence, score: equality.score(), prior };
    }
    let lexical = finite(evidence.lexical).clamp(0.0, 1.0);
    let similarity = match evidence.semantic {
        Some(cosine) => {
            let share =
                (weights.lexical_least + weights.lexical_gain * query.covered).clamp(0.0, 1.0);
            share * lexical + (1.0 - share) * calibrated(cosine, weights)
        }
        None => lexical,
    };
    let named = weights.named * finite(evidence.named).clamp(0.0, 1.0);
    let similarity = similarity + named * (1.0 - similarity);
    let score = (similarity + prior).clamp(0.0, SIMILAR_AT_MOST);
    Scored { evidence, score, prior }
}

fn calibrated(cosine: f32, weights: &Weights) -> f32 {
    let width = weights.cosine_ceiling - weights.cosine_floor;
    ((finite(cosine) - weights.cosine_floor) / width).clamp(0.0, 1.0)
}

/// Generality is worth a little, less in long queries, which know what they want; an axis value
/// that nobody asked for costs.
#[allow(clippy::cast_precision_loss, reason = "levels, words and axes are few")]
fn prior(evidence: &Evidence, query: QueryShape, weights: &Weights) -> f32 {
    let words = query.words.saturating_sub(1) as f32;
    let fade = weights.depth_fade / (weights.depth_fade + words);
    let generality = 1.0 / (1.0 + evidence.level as f32);
    weights.depth * fade * generality + weights.usage * finite(evidence.usage).clamp(-1.0, 1.0)
        - weights.axis_unstated * evidence.axes.unstated as f32
        - weights.axis_conflict * evidence.axes.conflicting as f32
        - weights.axis_missing * evidence.axes.missing as f32
        - weights.axis_unanswered * evidence.axes.unanswered as f32
        - if evidence.qualifier_missing { weights.qualifier_missing } else { 0.0 }
}

fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}
