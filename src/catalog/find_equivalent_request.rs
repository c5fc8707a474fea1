use super::{Error, SearchRequest};

/// The most candidates that `find_equivalent` gives for one terminology.
pub const MAX_FOUND: usize = 10;

/// A term to find in several terminologies at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindEquivalentRequest {
    pub(super) term: String,
    pub(super) limit: usize,
    pub(super) source: Option<String>,
    pub(super) targets: Vec<String>,
    pub(super) method: FindMethod,
}

/// How candidates are found and scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FindMethod {
    /// Over maps, shared names, and a search by words and meaning.
    #[default]
    Hybrid,
    /// By the words of titles alone, as [`lexical_similarity`](super::lexical_similarity) compares
    /// them.
    Lexical,
}

impl FindMethod {
    /// The name in answers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::Lexical => "lexical",
        }
    }
}

impl FindEquivalentRequest {
    /// Finds a term in every terminology that is loaded, five candidates in each.
    ///
    /// # Errors
    /// [`Error::InvalidRequest`] where there is nothing to search for, as in [`SearchRequest::new`].
    pub fn new(term: &str) -> Result<Self, Error> {
        SearchRequest::new(term)?;
        Ok(Self {
            term: term.to_owned(),
            limit: 5,
            source: None,
            targets: Vec::new(),
            method: FindMethod::default(),
        })
    }

    /// How many candidates a terminology gives at most, 1..=[`MAX_FOUND`].
    ///
    /// # Errors
    /// [`Error::InvalidRequest`] outside of that range.
    pub fn limit(mut self, limit: usize) -> Result<Self, Error> {
        if !(1..=MAX_FOUND).contains(&limit) {
            return Err(Error::invalid("limit", format!("{limit} is not in 1..={MAX_FOUND}")));
        }
        self.limit = limit;
        Ok(self)
    }

    /// Leaves out the terminology that the term is from.
    #[must_use]
    pub fn source(mut self, system: &str) -> Self {
        self.source = Some(system.to_owned());
        self
    }

    /// In this terminology. May be called several times; where it is not, all that are loaded are
    /// asked.
    #[must_use]
    pub fn target(mut self, system: &str) -> Self {
        self.targets.push(system.to_owned());
        self
    }

    /// How candidates are found and scored.
    #[must_use]
    pub fn method(mut self, method: FindMethod) -> Self {
        self.method = method;
        self
    }
}
