//! Part 3 of an index, `lexical.bin`: BM25 over the words of designations, the vocabulary, and the
//! names by their normalized text.
//!
//! Floor 2, importing `terminology`, `text` and `disk`; the only place that names tantivy. Each
//! designation is one document of one segment, in designation order, without stored text and without
//! positions. The segment's files are sections of our part under a fixed segment id, so equal input
//! gives equal bytes, and they are read through a directory that never writes: an index opens on a
//! read-only disk and leaves no lock file behind.
//!
//! tantivy trusts its files. Opening therefore reads every byte of the part (a few megabytes)
//! against its checksums first, and each call into tantivy turns a panic into an error. Such a
//! panic still runs the program's panic hook, which by default prints it.

mod bm25;
mod directory;
mod engine;
mod error;
mod forward;
mod index;
mod names;
mod search;
mod ties;
mod words;
mod writer;

pub use engine::LEXICAL_FORMAT;
pub use error::LexicalError;
pub use index::LexicalIndex;
pub use search::{LexicalHit, WeightedTerm};
pub use words::Words;
pub use writer::{LexicalSummary, LexicalWriter};

#[cfg(test)]
mod tests;
