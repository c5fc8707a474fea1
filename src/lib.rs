//! medterm finds the right medical code for the words people use.

pub mod catalog;
pub mod dense;
pub mod disk;
pub mod eval;
pub mod formats;
pub mod fusion;
pub mod hierarchy;
pub mod index;
pub mod lexical;
pub mod records;
pub mod terminology;
pub mod text;

pub use catalog::{Catalog, Embedders, Error, SearchRequest};
