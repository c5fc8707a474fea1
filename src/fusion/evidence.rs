use crate::terminology::ConceptOrd;
use crate::text::AxisComparison;

/// In which way a query *is* a concept, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Equality {
    /// It is the concept's code.
    Code,
    /// It is literally the preferred name.
    Display,
    /// It is literally another name.
    Designation,
    /// It is the preferred name once free qualifiers are dropped on both sides.
    BareDisplay,
    /// It is another name once free qualifiers are dropped on both sides.
    BareDesignation,
}

impl Equality {
    /// Whether the query is the code or a name as it stands: nothing else need be asked.
    #[must_use]
    pub fn is_literal(self) -> bool {
        matches!(self, Self::Code | Self::Display | Self::Designation)
    }

    /// The score of such a hit: above everything that is only similar.
    #[must_use]
    pub fn score(self) -> f32 {
        match self {
            Self::Code => 1.0,
            Self::Display => 0.99,
            Self::Designation => 0.98,
            Self::BareDisplay => 0.97,
            Self::BareDesignation => 0.96,
        }
    }
}

/// What is known about one concept for one query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evidence {
    /// The concept.
    pub concept: ConceptOrd,
    /// Whether the query is the concept.
    pub equality: Option<Equality>,
    /// How far the query and the best designation cover each other, 0..=1; what the names above the
    /// concept say counts as said.
    pub lexical: f32,
    /// Whether a reading of the query other than the words as typed is a name of the concept: what
    /// that reading is worth, 0..=1; 0 where none is.
    pub named: f32,
    /// Cosine of the best designation, -1..=1; `None` where no model was used.
    pub semantic: Option<f32>,
    /// Cosine of the best designation with the query as it was typed, where that was embedded.
    pub semantic_typed: Option<f32>,
    /// Levels below the most general codes of the terminology, from 0.
    pub level: u32,
    /// How much the concept is in use where the terminology says so: 1 for the most used ones, -1
    /// for those it advises against, 0 where nothing is said.
    pub usage: f32,
    /// Axis values the best designation states, against those the query states.
    pub axes: AxisComparison,
    /// Whether the query says "unspecified" and the best designation does not.
    pub qualifier_missing: bool,
    /// Length of the best designation in characters: breaks ties.
    pub name_length: u32,
}

impl Evidence {
    /// In which way the query is the concept, as far as that decides its place: a query that says
    /// "unspecified" is no name of a concept that leaves that open and has others below it for it.
    #[must_use]
    pub fn equal(&self) -> Option<Equality> {
        self.equality.filter(|equality| equality.is_literal() || !self.qualifier_missing)
    }
}

/// What a query looks like, for the weights that depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct QueryShape {
    /// Words that are no function words.
    pub words: usize,
    /// Share of the query's idf mass that the best lexical candidate covers, 0..=1.
    pub covered: f32,
}

/// A concept with its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// What the score was made from.
    pub evidence: Evidence,
    /// 0..=1.
    pub score: f32,
    /// The part of the score that comes from generality and from axes the query does not state.
    pub prior: f32,
}
