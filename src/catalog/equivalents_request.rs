use crate::index::SearchMode;

use super::{Error, SearchRequest};

/// The most candidates a terminology gives.
pub const MAX_EQUIVALENTS: usize = 20;

/// What to find equivalents of, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct EquivalentsRequest {
    pub(super) of: EquivalentsOf,
    pub(super) targets: Vec<String>,
    pub(super) limit: usize,
    pub(super) mode: SearchMode,
    pub(super) language: Option<String>,
}

/// A concept, or words for one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EquivalentsOf {
    Coding { system: String, code: String },
    Term(String),
}

impl EquivalentsRequest {
    fn new(of: EquivalentsOf) -> Self {
        let (targets, mode) = (Vec::new(), SearchMode::default());
        Self { of, targets, limit: 5, mode, language: None }
    }

    /// The equivalents of a code in the other terminologies: an alias, a canonical URI or an OID, and
    /// the code in any accepted spelling.
    #[must_use]
    pub fn coding(system: &str, code: &str) -> Self {
        Self::new(EquivalentsOf::Coding { system: system.to_owned(), code: code.to_owned() })
    }

    /// What these words mean in each terminology.
    ///
    /// # Errors
    /// [`Error::InvalidRequest`] where there is nothing to search for, as in [`SearchRequest::new`].
    pub fn term(term: &str) -> Result<Self, Error> {
        SearchRequest::new(term)?;
        Ok(Self::new(EquivalentsOf::Term(term.to_owned())))
    }

    /// In this terminology, which need not be loaded where a map leads there. May be called several
    /// times; where it is not, all that are loaded are asked.
    #[must_use]
    pub fn target(mut self, system: &str) -> Self {
        self.targets.push(system.to_owned());
        self
    }

    /// How many candidates a terminology gives at most, 1..=[`MAX_EQUIVALENTS`].
    ///
    /// # Errors
    /// [`Error::InvalidRequest`] outside of that range.
    pub fn limit(mut self, limit: usize) -> Result<Self, Error> {
        if !(1..=MAX_EQUIVALENTS).contains(&limit) {
            return Err(Error::invalid(
                "limit",
                format!("{limit} is not in 1..={MAX_EQUIVALENTS}"),
            ));
        }
        self.limit = limit;
        Ok(self)
    }

    /// Which evidence the search uses.
    #[must_use]
    pub fn mode(mut self, mode: SearchMode) -> Self {
        self.mode = mode;
        self
    }

    /// With names in this language where there are some (BCP 47).
    #[must_use]
    pub fn language(mut self, language: &str) -> Self {
        self.language = Some(language.to_owned());
        self
    }
}
