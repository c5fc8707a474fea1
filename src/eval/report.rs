use serde::Serialize;

use super::Failure;

/// How well one way of searching did on one gold file. Shares are 0..=1.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EvalReport {
    /// The terminology searched.
    pub system: String,
    /// The gold file.
    pub gold: String,
    /// The way of searching.
    pub mode: String,
    /// Queries.
    pub n: usize,
    /// Queries whose first right code is that high up.
    pub recall_at: RecallAt,
    /// 95 % confidence interval of `recall_at` 1, low and high, as [`wilson_interval`] has it.
    ///
    /// [`wilson_interval`]: super::wilson_interval
    pub recall_at_1_interval: [f64; 2],
    /// Mean of 1 ÷ rank of the first right code, 0 where there is none among twenty.
    pub mrr_at_20: f64,
    /// Queries whose first hit has the first three characters of a right code; absent where codes
    /// are not read by position.
    pub family_recall_at_1: Option<f64>,
    /// First hits of the lexical or semantic side that are not among the answer's first ten.
    pub lost_number_ones: usize,
    /// Queries whose first hit commits to a side, type or stage that the query does not state.
    pub axis_violations: usize,
    /// Wrong first hits that contradict a side, type, opposite or negation which the query states.
    pub axis_conflicts: AxisConflicts,
    /// Queries whose first hit is wrong for them and right for the other line of their pair; absent
    /// where the gold file has no pairs.
    pub pair_errors: Option<usize>,
    /// Of the queries that accept nothing, those to which no hit was called exact or strong; absent
    /// where the gold file has none.
    pub abstention: Option<f64>,
    /// How often the engine was confident, and how often rightly.
    pub strong: Strong,
    /// How long a query took.
    pub ms_per_query: Milliseconds,
    /// The worst failures, as many as were asked for.
    pub failures: Vec<Failure>,
}

/// Shares of queries whose first right code is among the first k.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct RecallAt {
    /// It is the first.
    #[serde(rename = "1")]
    pub one: f64,
    /// It is among the first three.
    #[serde(rename = "3")]
    pub three: f64,
    /// It is among the first five.
    #[serde(rename = "5")]
    pub five: f64,
    /// It is among the first ten.
    #[serde(rename = "10")]
    pub ten: f64,
}

/// How often a stated axis value was answered with another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct AxisConflicts {
    /// Queries with a right answer that state a value on any axis, or a "with" or "without".
    pub stated: usize,
    /// Those of them whose first hit is wrong, and says the opposite.
    pub wrong: usize,
}

/// The engine's confidence in its first hits.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Strong {
    /// Queries whose first hit was called exact or strong.
    pub share: f64,
    /// Those of them whose first hit is right; absent where there are none.
    pub precision: Option<f64>,
}

/// Wall time of a query, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Milliseconds {
    /// Half of the queries took no longer.
    pub p50: f64,
    /// 99 of 100 queries took no longer.
    pub p99: f64,
}
