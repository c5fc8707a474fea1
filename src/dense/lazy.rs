use std::sync::{Mutex, OnceLock, PoisonError};

use super::embedder::load_embedder;
use super::signature::Signature;
use super::{BackendChoice, EmbedError, Embedder, ModelFiles};

/// An embedder that loads its model when the first text comes.
///
/// Keyword searches, lookups and exact names never need the model, and loading it takes longer
/// than answering them.
pub struct LazyEmbedder {
    files: ModelFiles,
    choice: BackendChoice,
    dimension: usize,
    loaded: OnceLock<Box<dyn Embedder>>,
    loading: Mutex<()>,
}

impl LazyEmbedder {
    /// Reads the model's signature, and nothing more.
    ///
    /// # Errors
    /// [`EmbedError::Model`] when the model does not declare what it embeds into.
    pub fn new(files: ModelFiles, choice: BackendChoice) -> Result<Self, EmbedError> {
        let dimension = Signature::read(files.model())?.dimension;
        Ok(Self { files, choice, dimension, loaded: OnceLock::new(), loading: Mutex::new(()) })
    }

    fn embedder(&self) -> Result<&dyn Embedder, EmbedError> {
        if let Some(embedder) = self.loaded.get() {
            return Ok(embedder);
        }
        // Those who come while the model is loaded wait for it, instead of loading it once more.
        let _guard = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(embedder) = self.loaded.get() {
            return Ok(embedder);
        }
        let embedder = load_embedder(&self.files, self.choice)?;
        Ok(self.loaded.get_or_init(|| embedder))
    }
}

impl std::fmt::Debug for LazyEmbedder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LazyEmbedder")
            .field("choice", &self.choice)
            .field("dimension", &self.dimension)
            .field("loaded", &self.loaded.get().is_some())
            .finish_non_exhaustive()
    }
}

impl Embedder for LazyEmbedder {
    fn model_id(&self) -> &str {
        self.files.model_id()
    }

    /// The backend that runs the model, which is loaded for that; `none` where that fails.
    fn backend(&self) -> &str {
        self.embedder().map_or("none", Embedder::backend)
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn embed_passages(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.embedder()?.embed_passages(texts)
    }

    fn embed_query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        self.embedder()?.embed_query(text)
    }
}
