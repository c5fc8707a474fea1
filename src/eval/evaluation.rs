use super::report::{EvalReport, Failure, Milliseconds, RecallAt, Strong};
use super::{Accept, AxisCheck, GoldQuery, QueryRun, RankedList};

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

/// One query after its answer was looked at; the answer itself is not kept.
#[derive(Debug)]
struct Judged {
    rank: Option<usize>,
    in_family: bool,
    lost_number_ones: usize,
    violates_axis: bool,
    is_strong: bool,
    milliseconds: f64,
    failure: Option<Failure>,
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
        let accept = &gold.accept;
        let rank = rank(&run.ranked, accept);
        let side =
            |list: &Option<RankedList>| list.as_ref().and_then(|list| rank_of_code(list, accept));
        let failure = (rank != Some(1)).then(|| Failure {
            query: gold.query.clone(),
            accept: accept.to_string(),
            top: run.ranked.top().map(str::to_owned),
            rank,
            lexical_rank: side(&run.lexical),
            semantic_rank: side(&run.semantic),
        });
        let in_family = match accept {
            Accept::Nothing => rank == Some(1),
            Accept::Codes(_) => run.ranked.top().is_some_and(|top| accept.accepts_family(top)),
        };
        self.runs.push(Judged {
            rank,
            in_family,
            lost_number_ones: run.lost_number_ones(),
            violates_axis: run.axes == AxisCheck::Violated,
            is_strong: run.ranked.hits.first().is_some_and(|hit| hit.is_strong),
            milliseconds: run.ranked.milliseconds,
            failure,
        });
    }

    /// The report, with the `failures` worst failures: first what was not found at all, then by
    /// falling rank, and among equals in the order of the file.
    #[must_use]
    pub fn finish(self, failures: usize) -> EvalReport {
        let runs = &self.runs;
        let within = |k: usize| share(runs, |run| run.rank.is_some_and(|rank| rank <= k));
        let reciprocal = |run: &Judged| run.rank.map_or(0.0, |rank| 1.0 / rank as f64);
        let strong: Vec<&Judged> = runs.iter().filter(|run| run.is_strong).collect();
        let right = strong.iter().filter(|run| run.rank == Some(1)).count();
        let report = EvalReport {
            n: runs.len(),
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
            axis_violations: runs.iter().filter(|run| run.violates_axis).count(),
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

fn rank(list: &RankedList, accept: &Accept) -> Option<usize> {
    match accept {
        Accept::Nothing => (!list.hits.iter().any(|hit| hit.is_strong)).then_some(1),
        Accept::Codes(_) => list.rank(accept),
    }
}

/// The rank on one side, which says nothing about a query that accepts nothing.
fn rank_of_code(list: &RankedList, accept: &Accept) -> Option<usize> {
    match accept {
        Accept::Nothing => None,
        Accept::Codes(_) => list.rank(accept),
    }
}

fn share(runs: &[Judged], holds: impl Fn(&Judged) -> bool) -> f64 {
    runs.iter().filter(|run| holds(run)).count() as f64 / runs.len().max(1) as f64
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
