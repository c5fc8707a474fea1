use serde::Serialize;

/// What a build is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum BuildStage {
    /// Putting the concepts into code order.
    Sort,
    /// Writing codes, designations and properties.
    Records,
    /// Writing parents and children.
    Hierarchy,
    /// Writing the BM25 postings.
    Lexical,
    /// Embedding designations.
    Embed,
    /// Writing the embedding matrix.
    Dense,
    /// Putting the finished index in place.
    Publish,
}

impl BuildStage {
    /// The stage in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sort => "sorting",
            Self::Records => "writing records",
            Self::Hierarchy => "writing hierarchy",
            Self::Lexical => "indexing words",
            Self::Embed => "embedding names",
            Self::Dense => "writing matrix",
            Self::Publish => "publishing",
        }
    }
}

/// Whoever watches a build.
pub trait BuildProgress {
    /// A stage begins; it has this many steps, 0 where it is one.
    fn stage(&mut self, stage: BuildStage, total: u64);
    /// So many steps of the stage are done.
    fn advance(&mut self, done: u64);
}

/// Nobody watches.
pub(super) struct Unwatched;

impl BuildProgress for Unwatched {
    fn stage(&mut self, _: BuildStage, _: u64) {}
    fn advance(&mut self, _: u64) {}
}
