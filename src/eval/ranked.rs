use super::Accept;

/// How deep to search: MRR and the ranks in reports end here.
pub const DEPTH: usize = 20;

/// One hit of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankedHit {
    /// The code, as the terminology writes it.
    pub code: String,
    /// Whether the engine was confident: it called the hit exact or strong.
    pub is_strong: bool,
}

impl RankedHit {
    /// A hit.
    #[must_use]
    pub fn new(code: impl Into<String>, is_strong: bool) -> Self {
        Self { code: code.into(), is_strong }
    }
}

/// The answer to one query, best first, and how long it took.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RankedList {
    /// The hits, [`DEPTH`] of them at most; what is deeper is not looked at.
    pub hits: Vec<RankedHit>,
    /// Wall time of the search.
    pub milliseconds: f64,
}

impl RankedList {
    /// The rank, from 1, of the first right code, where there is one.
    #[must_use]
    pub fn rank(&self, accept: &Accept) -> Option<usize> {
        let found = self.hits.iter().take(DEPTH).position(|hit| accept.accepts(&hit.code));
        found.map(|position| position + 1)
    }

    /// The first code.
    #[must_use]
    pub fn top(&self) -> Option<&str> {
        self.hits.first().map(|hit| hit.code.as_str())
    }
}

/// Whether an answer needed the embedding model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ModelUse {
    /// It did, so the nearest vector has a claim to a place.
    #[default]
    Needed,
    /// It did not: the query is a code or a name, and what lies near is beside the point.
    NotNeeded,
}

/// Whether the first hit commits to something that the query does not say: a side, a type, a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AxisCheck {
    /// It does not.
    #[default]
    Clean,
    /// It chooses a value for an axis that the query leaves open.
    Violated,
}

/// What the first hit says where the query states a side, a type, a negation or another value on
/// an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StatedAxes {
    /// The query states no value on any axis.
    #[default]
    Unstated,
    /// It states one, and the first hit does not contradict it, or there is no hit.
    Kept,
    /// The first hit states another value, or takes back what the query affirms, or the reverse.
    Contradicted,
}

/// Whether a right code is among all that was ranked, however deep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PoolCheck {
    /// Nobody looked deeper than [`DEPTH`].
    #[default]
    NotLooked,
    /// It is.
    Inside,
    /// It is not: no weight of the ranking could have brought it up.
    Outside,
}

/// What an engine answered to one query, and what each of its two sides would have.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct QueryRun {
    /// The answer under test.
    pub ranked: RankedList,
    /// The answer by words alone, where it was asked for.
    pub lexical: Option<RankedList>,
    /// The answer by meaning alone, where it was asked for.
    pub semantic: Option<RankedList>,
    /// Whether the answer under test needed the model.
    pub model: ModelUse,
    /// Whether its first hit commits to more than the query says.
    pub axes: AxisCheck,
    /// Whether its first hit contradicts what the query says.
    pub stated: StatedAxes,
    /// Whether a right code was ranked at all; to be looked up where none is among [`DEPTH`].
    pub pool: PoolCheck,
}

impl QueryRun {
    /// An answer without its sides.
    #[must_use]
    pub fn new(ranked: RankedList) -> Self {
        Self { ranked, ..Self::default() }
    }

    /// How many first hits of a side are not among the answer's first ten. A code that is first on
    /// both sides counts once; right or wrong is not asked.
    pub(super) fn lost_number_ones(&self) -> usize {
        let semantic = match self.model {
            ModelUse::Needed => self.semantic.as_ref(),
            ModelUse::NotNeeded => None,
        };
        let mut firsts: Vec<&str> = [self.lexical.as_ref(), semantic]
            .into_iter()
            .flatten()
            .filter_map(RankedList::top)
            .collect();
        firsts.dedup();
        let kept = |code: &&str| self.ranked.hits.iter().take(10).any(|hit| hit.code == **code);
        firsts.iter().filter(|code| !kept(code)).count()
    }
}
