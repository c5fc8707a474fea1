use std::time::Instant;

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
    /// Writing attributes, reference sets and filters.
    Relations,
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
            Self::Relations => "writing relations",
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

/// Times the stages of a build and tells who watches.
pub(super) struct Clock<'p> {
    pub(super) progress: &'p mut dyn BuildProgress,
    stages: Vec<(BuildStage, f64)>,
    since: Option<(BuildStage, Instant)>,
}

impl<'p> Clock<'p> {
    pub(super) fn new(progress: &'p mut dyn BuildProgress) -> Self {
        Self { progress, stages: Vec::new(), since: None }
    }

    pub(super) fn begin(&mut self, stage: BuildStage, total: u64) {
        self.end();
        self.progress.stage(stage, total);
        self.since = Some((stage, Instant::now()));
    }

    fn end(&mut self) {
        if let Some((stage, since)) = self.since.take() {
            self.stages.push((stage, since.elapsed().as_secs_f64()));
        }
    }

    pub(super) fn finish(mut self) -> Vec<(BuildStage, f64)> {
        self.end();
        self.stages
    }
}
