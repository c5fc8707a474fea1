use std::collections::BTreeMap;
use std::sync::Arc;

use crate::dense::{CachedEmbedder, Embedder};

/// The embedding models at hand, by their identity.
///
/// An index is searched by meaning only with the model it was built with; without it, by words.
#[derive(Clone, Default)]
pub struct Embedders {
    models: BTreeMap<String, Arc<dyn Embedder>>,
}

impl std::fmt::Debug for Embedders {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.models.keys()).finish()
    }
}

impl Embedders {
    /// No model: every search is by words.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// One model. Its embeddings of queries are remembered.
    #[must_use]
    pub fn new(embedder: Arc<dyn Embedder>) -> Self {
        Self::none().with(embedder)
    }

    /// One model more.
    #[must_use]
    pub fn with(mut self, embedder: Arc<dyn Embedder>) -> Self {
        let id = embedder.model_id().to_owned();
        self.models.insert(id, Arc::new(CachedEmbedder::new(embedder)));
        self
    }

    /// The model with this identity.
    #[must_use]
    pub fn get(&self, model_id: &str) -> Option<&dyn Embedder> {
        self.models.get(model_id).map(AsRef::as_ref)
    }
}
