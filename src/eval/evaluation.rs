use super::judged::Judged;
use super::report::{AxisConflicts, EvalReport, Milliseconds, RecallAt, Strong};
use super::{Failure, GoldQuery, QueryRun, wilson_interval};

/// What is being measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluationOf {
    /// The terminology searched.
    pub system: String,
    /// The gold file.
    pub gold: String,
    /// The way of searching.
    pub mode: String,
    /// Whether codes that begin alike belong together.
    pub family: Family,
}

/// Whether codes of a terminology that begin alike belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// The first three characters name a category, as in ICD.
    FirstThree,
    /// Codes are arbitrary.
    None,
}

/// The measuring of one way of searching on one gold file.
#[derive(Debug)]
pub struct Evaluation {
    of: EvaluationOf,
    runs: Vec<Judged>,
}

impl Evaluation {
    /// Begins to measure.
    #[must_use]
    pub fn new(of: EvaluationOf) -> Self {
        Self { of, runs: Vec::new() }
    }

    /// Judges the answer to one query.
    ///
    /// A query that accepts nothing counts as rank 1 when no hit is exact or strong, and as not
    /// found otherwise.
    pub fn push(&mut self, gold: &GoldQuery, run: QueryRun) {
        self.runs.push(Judged::new(gold, &run));
    }

    /// The report, with the `failures` worst failures: first what was not found at all, then by
    /// falling rank, and among equals in the order of the file.
    #[must_use]
    pub fn finish(self, failures: usize) -> EvalReport {
        let runs = &self.runs;
        let within = |k: usize| share(runs, |run| run.rank.is_some_and(|rank| rank <= k));
        let reciprocal = |run: &Judged| run.rank.map_or(0.0, |rank| 1.0 / rank as f64);
        let strong: Vec<&Judged> = runs.iter().filter(|run| run.is_strong).collect();
        let right = strong.iter().filter(|run| run.is_right()).count();
        let report = EvalReport {
            n: runs.len(),
            recall_at_1_interval: wilson_interval(count(runs, Judged::is_right), runs.len()),
            recall_at: RecallAt {
                one: within(1),
                three: within(3),
                five: within(5),
                ten: within(10),
            },
            mrr_at_20: runs.iter().map(reciprocal).sum::<f64>() / runs.len().max(1) as f64,
            family_recall_at_1: match self.of.family {
                Family::FirstThree => Some(share(runs, |run| run.in_family)),
                Family::None => None,
            },
            lost_number_ones: runs.iter().map(|run| run.lost_number_ones).sum(),
            axis_violations: count(runs, |run| run.violates_axis),
            axis_conflicts: AxisConflicts {
                stated: count(runs, |run| run.states_axis),
                wrong: count(runs, |run| run.contradicts_axis),
            },
            pair_errors: (count(runs, |run| run.is_in_pair) > 0)
                .then(|| count(runs, |run| run.is_pair_error)),
            abstention: abstention(runs),
            strong: Strong {
                share: share(runs, |run| run.is_strong),
                precision: (!strong.is_empty()).then(|| right as f64 / strong.len() as f64),
            },
            ms_per_query: milliseconds(runs),
            failures: Vec::new(),
            system: self.of.system,
            gold: self.of.gold,
            mode: self.of.mode,
        };
        let mut failed: Vec<Failure> =
            self.runs.into_iter().filter_map(|run| run.failure).collect();
        failed.sort_by_key(|failure| std::cmp::Reverse(failure.rank.unwrap_or(usize::MAX)));
        failed.truncate(failures);
        EvalReport { failures: failed, ..report }
    }
}

/// Of the queries that accept nothing, the share to which nothing was strong.
fn abstention(runs: &[Judged]) -> Option<f64> {
    let outside = count(runs, |run| run.accepts_nothing);
    let silent = count(runs, |run| run.accepts_nothing && run.is_right());
    (outside > 0).then(|| silent as f64 / outside as f64)
}

fn count(runs: &[Judged], holds: impl Fn(&Judged) -> bool) -> usize {
    runs.iter().filter(|run| holds(run)).count()
}

fn share(runs: &[Judged], holds: impl Fn(&Judged) -> bool) -> f64 {
    count(runs, holds) as f64 / runs.len().max(1) as f64
}

fn milliseconds(runs: &[Judged]) -> Milliseconds {
    let mut sorted: Vec<f64> = runs.iter().map(|run| run.milliseconds).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    // Nearest rank: the smallest time that at least p percent of the queries do not exceed.
    let percentile = |p: usize| {
        let rank = (sorted.len() * p).div_ceil(100).max(1);
        sorted.get(rank - 1).copied().unwrap_or(0.0)
    };
    Milliseconds { p50: percentile(50), p99: percentile(99) }
}
