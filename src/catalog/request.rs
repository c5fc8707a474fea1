use std::str::FromStr;

use crate::index::{Borrowed, SearchMode};

use super::Error;

/// The longest query accepted, in characters: a sentence or two, or a pasted list of codes.
pub const MAX_QUERY_CHARS: usize = 1000;
/// The most hits one page may hold.
pub const MAX_LIMIT: usize = 100;

/// What to search for, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchRequest {
    pub(super) query: String,
    pub(super) systems: Vec<String>,
    pub(super) limit: usize,
    pub(super) offset: usize,
    pub(super) mode: SearchMode,
    pub(super) min_score: f32,
    pub(super) include_inactive: Inactive,
    pub(super) borrowed: Borrowed,
    pub(super) under: Option<String>,
    pub(super) billable: Option<bool>,
    pub(super) language: Option<String>,
    pub(super) valueset: Option<String>,
    pub(super) properties: Vec<(String, String)>,
}

/// Whether retired concepts are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Inactive {
    /// They stay out of the answer.
    #[default]
    Hidden,
    /// They are shown, marked as inactive.
    Shown,
}

impl SearchRequest {
    /// A search for `query` in every terminology there is, ten hits.
    ///
    /// # Errors
    /// [`Error::InvalidRequest`] when the query has nothing visible in it or is longer than
    /// [`MAX_QUERY_CHARS`] characters.
    pub fn new(query: &str) -> Result<Self, Error> {
        if crate::text::normalize(query).is_empty() {
            return Err(Error::invalid("query", "it has no letter and no digit to search for"));
        }
        if query.chars().count() > MAX_QUERY_CHARS {
            return Err(Error::invalid(
                "query",
                format!("it is longer than {MAX_QUERY_CHARS} characters"),
            ));
        }
        Ok(Self {
            query: query.to_owned(),
            systems: Vec::new(),
            limit: 10,
            offset: 0,
            mode: SearchMode::default(),
            min_score: 0.0,
            include_inactive: Inactive::default(),
            borrowed: Borrowed::default(),
            under: None,
            billable: None,
            language: None,
            valueset: None,
            properties: Vec::new(),
        })
    }

    /// Searches this terminology: an alias, a canonical URI or an OID, `|version` behind it where
    /// not the default version is meant. May be called several times.
    #[must_use]
    pub fn system(mut self, system: &str) -> Self {
        self.systems.push(system.to_owned());
        self
    }

    /// How many hits to return, 1..=[`MAX_LIMIT`].
    ///
    /// # Errors
    /// [`Error::InvalidRequest`] outside of that range.
    pub fn limit(mut self, limit: usize) -> Result<Self, Error> {
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(Error::invalid("limit", format!("{limit} is not in 1..={MAX_LIMIT}")));
        }
        self.limit = limit;
        Ok(self)
    }

    /// How many hits of the total order to pass over.
    #[must_use]
    pub fn offset(mut self, offset: usize) -> Self {
        self.offset = offset;
        self
    }

    /// Which evidence to use.
    #[must_use]
    pub fn mode(mut self, mode: SearchMode) -> Self {
        self.mode = mode;
        self
    }

    /// Leaves out hits that score less, 0..=1.
    ///
    /// # Errors
    /// [`Error::InvalidRequest`] outside of that range.
    pub fn min_score(mut self, score: f32) -> Result<Self, Error> {
        if !(0.0..=1.0).contains(&score) {
            return Err(Error::invalid("minScore", format!("{score} is not in 0..=1")));
        }
        self.min_score = score;
        Ok(self)
    }

    /// Whether retired concepts are shown.
    #[must_use]
    pub fn inactive(mut self, inactive: Inactive) -> Self {
        self.include_inactive = inactive;
        self
    }

    /// Whether names count that were taken from another terminology over a map.
    #[must_use]
    pub fn borrowed(mut self, borrowed: Borrowed) -> Self {
        self.borrowed = borrowed;
        self
    }

    /// Only concepts below this code, the code itself among them. Scores stay the same.
    #[must_use]
    pub fn under(mut self, code: &str) -> Self {
        self.under = Some(code.to_owned());
        self
    }

    /// Shows names in this language (BCP 47, such as `zh-TW`) where the concept has one. Scores stay
    /// the same.
    #[must_use]
    pub fn language(mut self, tag: &str) -> Self {
        self.language = Some(tag.to_owned());
        self
    }

    /// Only concepts that are, or are not, billable. Scores stay the same.
    #[must_use]
    pub fn billable(mut self, billable: bool) -> Self {
        self.billable = Some(billable);
        self
    }

    /// Only concepts of this value set: the URL of one that is loaded, an expression, in ECL for SNOMED CT and in VCL for other
    /// terminologies, or the URL of an implicit value set. Scores stay the same. In a search of
    /// several terminologies, those in whose language it is not an expression are passed over.
    #[must_use]
    pub fn valueset(mut self, valueset: &str) -> Self {
        self.valueset = Some(valueset.to_owned());
        self
    }

    /// Only concepts that have a property with this value, as VCL's `property = value`. May be called
    /// several times; all of them must hold. Scores stay the same.
    #[must_use]
    pub fn property(mut self, name: &str, value: &str) -> Self {
        self.properties.push((name.to_owned(), value.to_owned()));
        self
    }
}

/// A step in the hierarchy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Direction {
    /// The concepts directly above.
    Parents,
    /// The concepts directly below.
    Children,
    /// Everything above, nearest first.
    Ancestors,
    /// Everything below, in code order.
    Descendants,
    /// The other concepts directly below the same parents.
    Siblings,
    /// The ways from the top down to the concept, one after the other, the concept at the end of
    /// each; [`ConceptSummary::path`](super::ConceptSummary::path) numbers them.
    Paths,
}

impl Direction {
    /// All directions.
    pub const ALL: [Self; 6] = [
        Self::Parents,
        Self::Children,
        Self::Ancestors,
        Self::Descendants,
        Self::Siblings,
        Self::Paths,
    ];

    /// The direction's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Parents => "parents",
            Self::Children => "children",
            Self::Ancestors => "ancestors",
            Self::Descendants => "descendants",
            Self::Siblings => "siblings",
            Self::Paths => "paths",
        }
    }
}

impl FromStr for Direction {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|direction| direction.name() == name).ok_or_else(|| {
            let all = Self::ALL.map(Self::name).join(", ");
            Error::invalid("direction", format!("{name:?} is none of {all}"))
        })
    }
}

/// A slice of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// How many items to pass over.
    pub offset: usize,
    /// How many items to return at most.
    pub limit: usize,
}

impl Default for Page {
    fn default() -> Self {
        Self { offset: 0, limit: 50 }
    }
}
