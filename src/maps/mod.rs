//! Published maps between terminologies, stored beside them: SSSOM mapping sets, CMS General
//! Equivalence Mappings, and what else says that a code here is a code there.
//!
//! Floor 2. [`MapStore`] is the folder `STORE/maps`, with a folder for each version of each map in
//! it; [`ConceptMap`] reads one version in both directions. A stored map is never changed: adding
//! the same version again replaces it as a whole.

mod error;
mod layout;
mod manifest;
mod reader;
mod store;
mod writer;

pub use error::MapError;
pub use manifest::{MapCounts, MapManifest};
pub use reader::{ConceptMap, MapEntryRef};
pub use store::{MapList, MapStore, StoredMap};
