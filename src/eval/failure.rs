use serde::Serialize;

/// A query whose first hit is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The query.
    pub query: String,
    /// What would have been right, as the gold file has it.
    pub accept: String,
    /// The first hit, where there was one.
    pub top: Option<String>,
    /// The rank of the first right code, where it is among twenty.
    pub rank: Option<usize>,
    /// Its rank by words alone.
    pub lexical_rank: Option<usize>,
    /// Its rank by meaning alone.
    pub semantic_rank: Option<usize>,
    /// What kind of failure it is.
    pub kind: FailureKind,
}

/// Where a right code was lost. A failure is of the first kind that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FailureKind {
    /// Nothing is right, and a hit was called exact or strong nevertheless.
    Overconfident,
    /// The answer is empty.
    NothingFound,
    /// The first hit contradicts an axis value of the query, is right for the other line of its
    /// pair, or chooses a value where the query leaves it open.
    Axis,
    /// Both sides have a right code among their first ten: it was the fusion.
    BothSides,
    /// Only the words have one among their first ten.
    OnlyLexical,
    /// Only the meaning has one among its first ten.
    OnlySemantic,
    /// No side has one among its first ten.
    NeitherSide,
    /// No right code was ranked at all.
    NotInPool,
}

impl FailureKind {
    /// All kinds, in the order in which they are tried.
    pub const ALL: [Self; 8] = [
        Self::Overconfident,
        Self::NothingFound,
        Self::Axis,
        Self::BothSides,
        Self::OnlyLexical,
        Self::OnlySemantic,
        Self::NeitherSide,
        Self::NotInPool,
    ];
}
