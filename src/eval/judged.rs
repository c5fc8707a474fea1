use super::{
    Accept, AxisCheck, Failure, FailureKind, GoldQuery, PoolCheck, QueryRun, RankedList, StatedAxes,
};

/// One query after its answer was looked at; the answer itself is not kept.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) rank: Option<usize>,
    pub(super) accepts_nothing: bool,
    pub(super) in_family: bool,
    pub(super) lost_number_ones: usize,
    pub(super) violates_axis: bool,
    pub(super) states_axis: bool,
    pub(super) contradicts_axis: bool,
    pub(super) is_in_pair: bool,
    pub(super) is_pair_error: bool,
    pub(super) is_strong: bool,
    pub(super) milliseconds: f64,
    pub(super) failure: Option<Failure>,
}

/// The ranks of the first right code on the two sides.
struct Sides {
    lexical: Option<usize>,
    semantic: Option<usize>,
}

impl Judged {
    pub(super) fn new(gold: &GoldQuery, run: &QueryRun) -> Self {
        let accept = &gold.accept;
        let top = run.ranked.top();
        let accepts_nothing = *accept == Accept::Nothing;
        let rank = rank(&run.ranked, accept);
        let is_wrong = rank != Some(1);
        let is_opposite = |accept: &Accept| top.is_some_and(|top| accept.accepts(top));
        let mut judged = Self {
            rank,
            accepts_nothing,
            in_family: if accepts_nothing {
                !is_wrong
            } else {
                top.is_some_and(|top| accept.accepts_family(top))
            },
            lost_number_ones: run.lost_number_ones(),
            violates_axis: run.axes == AxisCheck::Violated,
            states_axis: !accepts_nothing && run.stated != StatedAxes::Unstated,
            // What the gold file calls right is right, in whatever words.
            contradicts_axis: !accepts_nothing
                && is_wrong
                && run.stated == StatedAxes::Contradicted,
            is_in_pair: gold.opposite.is_some(),
            is_pair_error: is_wrong && gold.opposite.as_ref().is_some_and(is_opposite),
            is_strong: run.ranked.hits.first().is_some_and(|hit| hit.is_strong),
            milliseconds: run.ranked.milliseconds,
            failure: None,
        };
        if is_wrong {
            judged.failure = Some(judged.failure(gold, run));
        }
        judged
    }

    /// Whether the first hit is right, or nothing is and nothing was claimed.
    pub(super) fn is_right(&self) -> bool {
        self.rank == Some(1)
    }

    fn failure(&self, gold: &GoldQuery, run: &QueryRun) -> Failure {
        let side = |list: &Option<RankedList>| {
            list.as_ref().and_then(|list| rank_of_code(list, &gold.accept))
        };
        let sides = Sides { lexical: side(&run.lexical), semantic: side(&run.semantic) };
        Failure {
            query: gold.query.clone(),
            accept: gold.accept.to_string(),
            top: run.ranked.top().map(str::to_owned),
            rank: self.rank,
            lexical_rank: sides.lexical,
            semantic_rank: sides.semantic,
            kind: self.kind(run, &sides),
        }
    }

    fn kind(&self, run: &QueryRun, sides: &Sides) -> FailureKind {
        let within_ten = |rank: Option<usize>| rank.is_some_and(|rank| rank <= 10);
        if self.accepts_nothing {
            FailureKind::Overconfident
        } else if run.ranked.hits.is_empty() {
            FailureKind::NothingFound
        } else if self.violates_axis || self.contradicts_axis || self.is_pair_error {
            FailureKind::Axis
        } else {
            match (within_ten(sides.lexical), within_ten(sides.semantic)) {
                (true, true) => FailureKind::BothSides,
                (true, false) => FailureKind::OnlyLexical,
                (false, true) => FailureKind::OnlySemantic,
                (false, false) if run.pool == PoolCheck::Outside => FailureKind::NotInPool,
                (false, false) => FailureKind::NeitherSide,
            }
        }
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
