//! The tools that programs and agents call by name: one typed request and response each, their JSON
//! Schemas, one list of errors. No transport: a server lists a [`Registry`] and calls it.
//!
//! Floor 5. A tool is a type that implements the `Tool` trait of this module: its name, what it says
//! of itself, its request, its response, and how the one becomes the other over a
//! [`Catalog`](crate::Catalog). Everything that holds for all tools is done once, here: arguments are
//! checked against the schema that was published, errors become payloads, texts of releases are
//! cleaned of control characters, licences and notices go with every answer.
//!
//! ```
//! use medterm::Catalog;
//! use medterm::tools::{Profile, Registry};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! let catalog = Catalog::open(folder.path())?;
//! let registry = Registry::new(Profile::Core);
//! let answer = registry.call(&catalog, "health_check", serde_json::Map::new());
//! assert!(answer.is_some_and(|answer| !answer.is_error));
//! # Ok(())
//! # }
//! ```

mod browse_icd_category;
mod check;
mod check_medical_conflict;
mod check_subsumption;
mod clean;
mod completion;
mod concept_hierarchy;
mod context;
mod duties;
mod error;
mod expand_valueset;
mod find_equivalent;
mod find_mappings;
mod get_nearby_codes;
mod guides;
mod harmonize_terms;
mod health_check;
mod icd10;
mod infer_complications;
mod instructions;
mod lookup_concept;
mod lookup_concepts;
mod pages;
mod profile;
mod prompt_texts;
mod prompts;
mod provenance;
mod pubmed_lookup_mesh;
mod registry;
mod resource_texts;
mod resources;
mod schema;
mod search_codesystems;
mod search_concepts;
mod search_medical_codes;
mod tool;
mod translate_code;
mod validate_codes;
mod validate_concept;
mod views;

pub use completion::Completion;
pub use error::{Reason, ToolError};
pub use instructions::INTENDED_USE;
pub use profile::Profile;
pub use prompts::{PromptArgument, PromptDescription};
pub use registry::{Registry, ToolAnswer, ToolDescription};
pub use resources::{RESOURCE_MIME_TYPE, ResourceDescription};

#[cfg(test)]
mod guides_tests;
#[cfg(test)]
mod tests;
