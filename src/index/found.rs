use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::fusion::{Evidence, QueryShape};
use crate::terminology::{ConceptOrd, DesignationOrd};
use crate::text::Context;

/// Which evidence a search uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum SearchMode {
    /// Codes, names and words, and meaning where the index and the machine have the model.
    #[default]
    Hybrid,
    /// Codes, names and words.
    Lexical,
    /// Nearness of meaning alone: the plain order of the embeddings.
    Semantic,
    /// Reciprocal rank fusion of BM25 and the embeddings: a baseline to measure against.
    Rrf,
    /// The mean of BM25 and the cosine, each stretched to 0..=1 over its list: a baseline to measure
    /// against.
    MinMax,
    /// Distribution-based score fusion of BM25 and the embeddings: a baseline to measure against.
    Dbsf,
    /// The plain order of BM25: a baseline to measure against.
    Bm25,
}

impl SearchMode {
    /// All modes.
    pub const ALL: [Self; 7] = [
        Self::Hybrid,
        Self::Lexical,
        Self::Semantic,
        Self::Rrf,
        Self::MinMax,
        Self::Dbsf,
        Self::Bm25,
    ];

    /// The mode's name on the command line and in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::Lexical => "lexical",
            Self::Semantic => "semantic",
            Self::Rrf => "rrf",
            Self::MinMax => "minmax",
            Self::Dbsf => "dbsf",
            Self::Bm25 => "bm25",
        }
    }

    pub(super) fn needs_model(self) -> bool {
        !matches!(self, Self::Lexical | Self::Bm25)
    }
}

impl fmt::Display for SearchMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for SearchMode {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|mode| mode.name() == name)
            .ok_or_else(|| format!("{name:?} is none of {}", Self::ALL.map(Self::name).join(", ")))
    }
}

/// How far a hit can be trusted without looking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Confidence {
    /// The query is the code, or a name of the concept.
    Exact,
    /// The words agree in both directions.
    Strong,
    /// A candidate for a person to judge.
    NeedsReview,
}

/// What a hit was found by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MatchedOn {
    /// The code itself.
    Code,
    /// The words of the preferred name.
    Name,
    /// The words of another name, or a clinical phrase for the everyday one in the query.
    Synonym,
    /// An abbreviation that was written out.
    Abbreviation,
    /// A misspelt word that was corrected.
    Correction,
    /// Nearness of meaning.
    Semantic,
}

/// What a search really used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Used {
    /// The query is a code, the beginning of codes, or a list of them.
    Code,
    /// The query is literally a name; words ranked the rest, and no model was needed.
    Exact,
    /// Words and meaning.
    Hybrid,
    /// Words only, because the index or the machine has no model, or it was asked for.
    Keyword,
    /// One of the plain orders that were asked for.
    Plain(SearchMode),
}

impl Used {
    /// The name in answers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Exact => "exact",
            Self::Hybrid => "hybrid",
            Self::Keyword => "keyword_only",
            Self::Plain(mode) => mode.name(),
        }
    }
}

/// What the one who asked should know about how the query was read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// A word was taken for another.
    Corrected {
        /// As typed.
        original: String,
        /// What it was taken for.
        corrected: String,
    },
    /// An abbreviation has several senses, and all were tried.
    Ambiguous {
        /// The abbreviation.
        abbreviation: String,
        /// Its senses.
        senses: Vec<String>,
    },
    /// A phrase was read as a clinical one.
    Read {
        /// As typed.
        from: String,
        /// What it was read as.
        to: String,
    },
    /// The query asks for something about a condition that the terminology has no code for, and the
    /// first hit is the condition itself.
    Itself {
        /// What the query says about it.
        context: Context,
    },
    /// The embedding model failed; words alone were used.
    ModelFailed {
        /// What it says.
        message: String,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Corrected { original, corrected } => {
                write!(f, "\"{original}\" was read as \"{corrected}\"")
            }
            Self::Ambiguous { abbreviation, senses } => {
                write!(f, "\"{abbreviation}\" can mean {}", senses.join(", or "))
            }
            Self::Read { from, to } => write!(f, "\"{from}\" was also read as \"{to}\""),
            Self::Itself { context } => write!(
                f,
                "the first hit is the condition itself and not its {}, which the query asks for",
                context.name()
            ),
            Self::ModelFailed { message } => write!(f, "words only, the model failed: {message}"),
        }
    }
}

/// One concept in the order of an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Found {
    /// The concept.
    pub concept: ConceptOrd,
    /// Its absolute score, 0..=1.
    pub score: f32,
    /// What the score was made from.
    pub evidence: Evidence,
    /// The part of the score that comes from generality and axes.
    pub prior: f32,
    /// The designation that matched best.
    pub designation: DesignationOrd,
    /// What kind of match it is.
    pub matched_on: MatchedOn,
    /// How far to trust it.
    pub confidence: Confidence,
}

/// What a search of one terminology found: the whole order, of which a page is a slice.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// The concepts, best first.
    pub found: Vec<Found>,
    /// Whether these are all the matches there are, and not the pool that was ranked.
    pub complete: bool,
    /// What was really used.
    pub used: Used,
    /// How the query was read.
    pub notices: Vec<Notice>,
    /// What the weights of the ranking depended on.
    pub shape: QueryShape,
}
