//! Publishers' releases: one official file format each, read into concepts.
//!
//! Floor 2, above [`terminology`](crate::terminology) and nothing else: a format knows its file and
//! knows no index. [`open`] gives a [`Source`], an iterator of concepts that reads as it goes: what
//! it holds in memory is the branch it stands in, never the file. Plain files, `.gz`, `.zip` and
//! folders are read as they are and recognized by their content, so a release is imported in the
//! form in which it was downloaded.
//!
//! ```no_run
//! use medterm::formats::{self, Format};
//! # fn main() -> Result<(), medterm::formats::ImportError> {
//! let path = std::path::Path::new("icd10cm-tabular-2026-04-01.xml.gz");
//! let source = formats::open(Format::CmsTabular, path)?;
//! println!("{} {}", source.release().title, source.release().version);
//! for concept in source {
//!     let concept = concept?;
//!     println!("{} {}", concept.code, concept.display);
//! }
//! # Ok(())
//! # }
//! ```

mod archive;
mod claml;
mod claml_class;
mod claml_concept;
mod claml_head;
mod claml_label;
mod claml_modifiers;
#[cfg(test)]
mod claml_tests;
mod cms_codes;
mod cms_codes_rows;
mod cms_index;
mod cms_index_references;
#[cfg(test)]
mod cms_index_tests;
mod cms_index_tree;
mod cms_tabular;
mod columns;
mod cvx;
mod cvx_xml;
mod delimited;
mod delimited_columns;
mod delimited_row;
#[cfg(test)]
mod delimited_tests;
mod error;
mod extended;
mod fhir;
mod fhir_bundle;
mod fhir_code_system;
mod fhir_concept;
mod fhir_index;
mod fhir_json;
mod fhir_map;
mod fhir_map_rules;
mod fhir_release;
mod fhir_supplement;
mod fhir_tree;
mod fhir_value_set;
mod fhir_value_set_text;
mod file_date;
mod files;
mod format;
mod gem;
mod icd11;
mod icd11_release;
mod icd11_row;
#[cfg(test)]
mod icd11_tests;
mod icd11_tree;
mod input;
mod lines;
mod loinc;
mod loinc_files;
mod loinc_hierarchy;
mod loinc_names;
mod loinc_row;
mod look;
mod map_lines;
mod map_source;
mod mesh;
mod mesh_record;
mod mesh_release;
#[cfg(test)]
mod mesh_tests;
mod mesh_tree;
mod names;
mod namespace;
mod obo;
mod obo_header;
mod obo_line;
mod obo_term;
#[cfg(test)]
mod obo_tests;
mod options;
mod pcs_axes;
mod pcs_books;
mod pcs_codes;
mod pcs_definitions;
mod pcs_group;
mod pcs_index;
mod pcs_tables;
mod pcs_xml;
mod release_files;
mod rf2;
mod rf2_concepts;
mod rf2_dialects;
mod rf2_edition;
mod rf2_file;
mod rf2_maps;
mod rf2_members;
mod rf2_names;
mod rf2_relations;
mod rf2_row;
mod rf2_text;
mod rxnorm;
mod rxnorm_files;
mod rxnorm_joins;
mod rxnorm_names;
mod rxnorm_release;
mod rxnorm_retired;
mod semantic_tag;
mod seventh;
mod source;
mod sssom;
mod sssom_head;
mod supplement;
mod supplement_json;
#[cfg(test)]
mod supplement_tests;
mod table;
mod tabular_head;
mod tabular_level;
mod tally;
mod tgz;
mod xml;

pub use columns::{Column, ColumnRole};
pub use error::{ImportError, ImportErrorKind};
pub use fhir_value_set_text::{ValueSetText, value_sets};
pub use format::Format;
pub use map_source::{MapOptions, MapSource, open_maps};
pub use options::{ImportOptions, Suppressed};
pub use release_files::ReleaseFiles;
pub use source::{Progress, Source, detect, open, open_bytes, open_reader};
pub use supplement::{Supplement, SupplementOptions};
pub use tally::{Cause, LeftOut, Tally};

#[cfg(test)]
mod cms_codes_tests;
#[cfg(test)]
mod cvx_tests;
#[cfg(test)]
mod fhir_map_tests;
#[cfg(test)]
mod fhir_package_tests;
#[cfg(test)]
mod fhir_supplement_tests;
#[cfg(test)]
mod fhir_tests;
#[cfg(test)]
mod loinc_tests;
#[cfg(test)]
mod pcs_tests;
#[cfg(test)]
mod rf2_damage_tests;
#[cfg(test)]
mod rf2_map_tests;
#[cfg(test)]
mod rf2_tests;
#[cfg(test)]
mod rxnorm_tests;
#[cfg(test)]
mod tests;
