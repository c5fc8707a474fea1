//! The dense side: text to vectors, the matrix of an index's vectors, and its exact search.
//!
//! Floor 2, importing only the words of the field and bytes on disk. It is the only place that
//! names ort, rten, tokenizers and ndarray. Without either backend (`--no-default-features`) the
//! [`Embedder`] trait, the matrix and the search remain, for an embedder of your own.
//!
//! A stored vector is its f16 row, of unit length before it was rounded. Search reads a smaller
//! copy of every row, whole numbers of the directions in which the rows differ most, and keeps each
//! row that could still be among the best: what the copy leaves out of a row is stored as a length,
//! so "could" is a proof. Those are scored from the f16 rows in a fixed order of additions: the
//! answer is exact, and the same on every CPU and number of threads.

mod basis;
mod best;
mod cached;
mod embedder;
mod error;
mod files;
mod kernel;
mod lazy;
mod log;
mod matrix;
#[cfg(any(feature = "ort", feature = "rten"))]
mod onnx;
#[cfg(feature = "ort")]
mod ort_backend;
mod quantize;
#[cfg(feature = "rten")]
mod rten_backend;
mod runtime;
mod scan;
mod signature;
#[cfg(target_arch = "x86_64")]
mod simd;
#[cfg(any(feature = "ort", feature = "rten"))]
mod tokens;
mod write;

pub use cached::{CachedEmbedder, QUERY_CACHE_CAPACITY};
pub use embedder::{BackendChoice, Embedder, default_threads, load_embedder};
pub use error::{DenseError, EmbedError};
pub use files::{MODEL_FILE, ModelFiles, TOKENIZER_FILE};
pub use lazy::LazyEmbedder;
pub use log::EmbeddingLog;
pub use matrix::{DENSE_FORMAT, Matrix, Nearest};
#[cfg(feature = "ort")]
pub use ort_backend::OrtEmbedder;
pub use quantize::Direction;
#[cfg(feature = "rten")]
pub use rten_backend::RtenEmbedder;
pub use runtime::{RuntimeSearch, find_onnx_runtime, search_onnx_runtime};
pub use scan::ConceptFilter;
pub use write::{MatrixRows, f16_row, write_matrix};

#[cfg(test)]
mod embedder_tests;
#[cfg(test)]
mod kernel_tests;
#[cfg(test)]
mod tests;
