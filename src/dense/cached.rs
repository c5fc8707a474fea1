use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{EmbedError, Embedder};

/// Queries a [`CachedEmbedder`] remembers: 1.5 MB of vectors of 384 dimensions.
pub const QUERY_CACHE_CAPACITY: usize = 1024;

/// An embedder that remembers the vectors of the queries asked last.
///
/// A query's embedding takes longer than everything else a search does, and people ask the same
/// twice: a page further, in another terminology, with another filter.
#[derive(Debug)]
pub struct CachedEmbedder<E> {
    embedder: E,
    cache: Mutex<Cache>,
}

impl<E: Embedder> CachedEmbedder<E> {
    /// Remembers [`QUERY_CACHE_CAPACITY`] queries.
    #[must_use]
    pub fn new(embedder: E) -> Self {
        Self::with_capacity(embedder, QUERY_CACHE_CAPACITY)
    }

    /// Remembers this many queries; at least one.
    #[must_use]
    pub fn with_capacity(embedder: E, capacity: usize) -> Self {
        let cache = Cache { capacity: capacity.max(1), ..Cache::default() };
        Self { embedder, cache: Mutex::new(cache) }
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<E: Embedder> Embedder for CachedEmbedder<E> {
    fn model_id(&self) -> &str {
        self.embedder.model_id()
    }

    fn backend(&self) -> &str {
        self.embedder.backend()
    }

    fn dimension(&self) -> usize {
        self.embedder.dimension()
    }

    fn embed_passages(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.embedder.embed_passages(texts)
    }

    fn embed_query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        if let Some(vector) = self.cache().find(text) {
            return Ok(vector.to_vec());
        }
        // The lock is not held here: two who ask the same at once both pay, and nobody waits.
        let vector = self.embedder.embed_query(text)?;
        self.cache().keep(text, &vector);
        Ok(vector)
    }

    fn remembers(&self, text: &str) -> bool {
        self.cache().entries.contains_key(text)
    }
}

/// Least recently used goes first. Finding it is a walk over all, which at this size takes a
/// hundredth of the embedding that made it necessary.
#[derive(Debug, Default)]
struct Cache {
    capacity: usize,
    clock: u64,
    entries: HashMap<Box<str>, Entry>,
}

#[derive(Debug)]
struct Entry {
    used: u64,
    vector: Arc<[f32]>,
}

impl Cache {
    fn find(&mut self, text: &str) -> Option<Arc<[f32]>> {
        self.clock += 1;
        let entry = self.entries.get_mut(text)?;
        entry.used = self.clock;
        Some(Arc::clone(&entry.vector))
    }

    fn keep(&mut self, text: &str, vector: &[f32]) {
        if self.entries.len() >= self.capacity && !self.entries.contains_key(text) {
            let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.used);
            if let Some(oldest) = oldest.map(|(text, _)| text.clone()) {
                self.entries.remove(&oldest);
            }
        }
        let entry = Entry { used: self.clock, vector: vector.into() };
        self.entries.insert(text.into(), entry);
    }
}
