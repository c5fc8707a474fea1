use std::sync::Arc;

use super::{EmbedError, ModelFiles};

/// Turns text into vectors of unit length: the seam where a model plugs in.
///
/// Two texts mean much the same when the dot product of their vectors is near 1. Vectors of two
/// embedders can be compared only when their [`Embedder::model_id`] is the same.
pub trait Embedder: Send + Sync {
    /// What names the model: `sha256:` and the hexadecimal digest of its file.
    fn model_id(&self) -> &str;

    /// What runs the model: `ort 1.22.0`, `rten`. Backends differ in the last bits of a vector.
    fn backend(&self) -> &str;

    /// Numbers in a vector.
    fn dimension(&self) -> usize;

    /// Embeds texts that are to be found, each on its own, so that a vector does not depend on its
    /// neighbors. The answer has one vector for each text, in their order.
    ///
    /// # Errors
    /// [`EmbedError`] when the model cannot be loaded or run.
    fn embed_passages(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;

    /// Embeds what somebody looks for.
    ///
    /// # Errors
    /// [`EmbedError`] when the model cannot be loaded or run.
    fn embed_query(&self, text: &str) -> Result<Vec<f32>, EmbedError>;

    /// Whether [`Embedder::embed_query`] answers this text without running the model, so that
    /// nothing is worth doing meanwhile.
    fn remembers(&self, _text: &str) -> bool {
        false
    }
}

macro_rules! embedder_by_pointer {
    ($pointer:ident) => {
        impl<E: Embedder + ?Sized> Embedder for $pointer<E> {
            fn model_id(&self) -> &str {
                (**self).model_id()
            }
            fn backend(&self) -> &str {
                (**self).backend()
            }
            fn dimension(&self) -> usize {
                (**self).dimension()
            }
            fn embed_passages(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
                (**self).embed_passages(texts)
            }
            fn embed_query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
                (**self).embed_query(text)
            }
            fn remembers(&self, text: &str) -> bool {
                (**self).remembers(text)
            }
        }
    };
}
embedder_by_pointer!(Box);
embedder_by_pointer!(Arc);

/// Which backend runs the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum BackendChoice {
    /// ONNX Runtime where one is found on this machine, else rten.
    #[default]
    Auto,
    /// ONNX Runtime, or an error.
    Ort,
    /// rten, or an error.
    Rten,
}

/// One thread for each core that this process may use.
#[must_use]
pub fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Loads a model into the backend of choice, with one session for each core.
///
/// # Errors
/// [`EmbedError::BackendUnavailable`] when the backend is not compiled in or not on this machine,
/// and any other [`EmbedError`] when the model's files cannot be used.
pub fn load_embedder(
    files: &ModelFiles,
    choice: BackendChoice,
) -> Result<Box<dyn Embedder>, EmbedError> {
    match choice {
        BackendChoice::Ort => load_ort(files),
        BackendChoice::Rten => load_rten(files),
        // Only a library that is not there is a reason to take the other backend: a bad model is
        // as bad in both, and the first error says more.
        BackendChoice::Auto => match load_ort(files) {
            Err(EmbedError::BackendUnavailable { .. }) if cfg!(feature = "rten") => {
                load_rten(files)
            }
            loaded => loaded,
        },
    }
}

#[cfg(feature = "ort")]
fn load_ort(files: &ModelFiles) -> Result<Box<dyn Embedder>, EmbedError> {
    Ok(Box::new(super::OrtEmbedder::load(files, default_threads())?))
}

#[cfg(not(feature = "ort"))]
fn load_ort(_: &ModelFiles) -> Result<Box<dyn Embedder>, EmbedError> {
    Err(not_compiled_in("ort", "build medterm with the feature `ort`"))
}

#[cfg(feature = "rten")]
fn load_rten(files: &ModelFiles) -> Result<Box<dyn Embedder>, EmbedError> {
    Ok(Box::new(super::RtenEmbedder::load(files, default_threads())?))
}

#[cfg(not(feature = "rten"))]
fn load_rten(_: &ModelFiles) -> Result<Box<dyn Embedder>, EmbedError> {
    Err(not_compiled_in("rten", "build medterm with the feature `rten`"))
}

#[cfg(not(all(feature = "ort", feature = "rten")))]
fn not_compiled_in(backend: &'static str, remedy: &'static str) -> EmbedError {
    EmbedError::BackendUnavailable { backend, remedy, source: None }
}
