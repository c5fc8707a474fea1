//! medterm finds the right medical code for the words people use: offline, in milliseconds, with
//! the reason why.
//!
//! It builds an index of each terminology from the publisher's own release, and searches it by
//! codes, names, words and meaning. A whole program:
//!
//! ```
//! use medterm::index::IndexBuilder;
//! use medterm::terminology::{Code, Concept, Content, Release, known_system};
//! use medterm::{Catalog, SearchRequest};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let store = folder.path();
//! // A release of your own, or one read by `medterm::formats` from the publisher's file.
//! let icd = known_system("icd10cm").ok_or("not in the register")?;
//! let release = Release {
//!     system: icd.id(),
//!     alias: icd.alias.to_owned(),
//!     version: "excerpt".to_owned(),
//!     date: None,
//!     title: icd.title.to_owned(),
//!     publisher: None,
//!     license: None,
//!     notices: Vec::new(),
//!     language: "en".to_owned(),
//!     content: Content::Fragment,
//!     code_case: None,
//!     hierarchy_meaning: None,
//! };
//! let mut builder = IndexBuilder::new(release);
//! builder.push(Concept::new(Code::new("I21")?, "Acute myocardial infarction"))?;
//! builder.push(Concept::new(Code::new("I50")?, "Heart failure"))?;
//! builder.finish(store)?;
//!
//! let catalog = Catalog::open(store)?;
//! let answer = catalog.search(&SearchRequest::new("heart attack")?.system("icd10cm"))?;
//! assert_eq!(answer.results[0].code.as_str(), "I21");
//! # Ok(())
//! # }
//! ```
//!
//! With [`IndexBuilder::embedder`](index::IndexBuilder::embedder) and [`Catalog::open_with`] the
//! same program searches by meaning too; see [`dense`] for the models.
//!
//! # Quirks
//!
//! - A search ranks a pool of fixed size, a few hundred concepts. `total` is the size of that pool
//!   unless `totalIsExact` says otherwise.
//! - English is what most tables and the model know; Portuguese and Spanish releases are stemmed as
//!   such, and common conditions in eight other languages are read as English. Beyond that, other
//!   languages are found by their words, Chinese, Japanese and Korean by pairs of characters.
//! - Linux on x86-64 is what is tested.

// The program in README.md is compiled with the tests.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![deny(missing_docs)]

pub mod catalog;
pub mod dense;
pub mod disk;
pub mod eval;
pub mod formats;
pub mod fusion;
pub mod hierarchy;
pub mod index;
pub mod lexical;
pub mod maps;
pub mod records;
pub mod relations;
pub mod terminology;
pub mod text;
#[cfg(feature = "tools")]
pub mod tools;
pub mod valueset;

pub use catalog::{Catalog, Embedders, Error, SearchRequest, SearchResponse};
pub use dense::Embedder;
pub use index::IndexBuilder;
