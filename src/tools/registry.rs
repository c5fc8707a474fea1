use std::sync::{Arc, LazyLock};

use serde_json::{Map, Value};

use crate::catalog::Catalog;

use super::check::check;
use super::clean::{clean, clean_text};
use super::context::Context;
use super::tool::Entry;
use super::{
    Profile, ToolError, browse_icd_category, check_medical_conflict, check_subsumption,
    concept_hierarchy, expand_valueset, find_equivalent, find_mappings, get_nearby_codes,
    harmonize_terms, health_check, infer_complications, lookup_concept, lookup_concepts,
    pubmed_lookup_mesh, search_codesystems, search_concepts, search_medical_codes, translate_code,
    validate_codes, validate_concept,
};

/// Every tool, in the order in which they are listed.
static TOOLS: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    vec![
        Entry::of::<search_concepts::SearchConcepts>(),
        Entry::of::<lookup_concept::LookupConcept>(),
        Entry::of::<lookup_concepts::LookupConcepts>(),
        Entry::of::<validate_concept::ValidateConcept>(),
        Entry::of::<validate_codes::ValidateCodes>(),
        Entry::of::<check_subsumption::CheckSubsumption>(),
        Entry::of::<concept_hierarchy::ConceptHierarchy>(),
        Entry::of::<search_codesystems::SearchCodesystems>(),
        Entry::of::<expand_valueset::ExpandValueset>(),
        Entry::of::<translate_code::TranslateCode>(),
        Entry::of::<find_mappings::FindMappings>(),
        Entry::of::<harmonize_terms::HarmonizeTerms>(),
        Entry::of::<find_equivalent::FindEquivalent>(),
        Entry::of::<health_check::HealthCheck>(),
        Entry::of::<search_medical_codes::SearchMedicalCodes>(),
        Entry::of::<infer_complications::InferComplications>(),
        Entry::of::<get_nearby_codes::GetNearbyCodes>(),
        Entry::of::<check_medical_conflict::CheckMedicalConflict>(),
        Entry::of::<browse_icd_category::BrowseIcdCategory>(),
        Entry::of::<pubmed_lookup_mesh::PubmedLookupMesh>(),
    ]
});

/// The tools of one profile.
///
/// Every tool only reads, gives the same answer to the same call, and reaches nothing but the store:
/// in the words of the Model Context Protocol, `readOnlyHint` and `idempotentHint` are true,
/// `destructiveHint` and `openWorldHint` false.
#[derive(Debug, Clone, Copy)]
pub struct Registry {
    profile: Profile,
}

/// What a client is told of a tool.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ToolDescription {
    /// What it is called by.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// When to use it, and what to call next.
    pub description: &'static str,
    /// JSON Schema (2020-12) of its arguments: a closed object.
    pub input_schema: Arc<Map<String, Value>>,
    /// JSON Schema (2020-12) of its answer, on success and on failure.
    pub output_schema: Arc<Map<String, Value>>,
}

/// What a call gives.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolAnswer {
    /// A few lines for people, and for models that read no structure.
    pub text: String,
    /// The answer, valid against the tool's output schema; `{"error": …}` where it failed.
    pub structured: Value,
    /// Whether it failed.
    pub is_error: bool,
}

impl Registry {
    /// The tools of a profile.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        Self { profile }
    }

    /// Which profile it is.
    #[must_use]
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The tools to list. Without a catalog, because its indexes are still being opened, all of the
    /// profile; with one, those that what is loaded has an answer for.
    #[must_use]
    pub fn tools(&self, catalog: Option<&Catalog>) -> Vec<ToolDescription> {
        let listed = |entry: &&Entry| {
            self.has(entry) && catalog.is_none_or(|catalog| is_available(entry, catalog))
        };
        TOOLS.iter().filter(listed).map(describe).collect()
    }

    /// Calls a tool; nothing where the profile has none of this name.
    #[must_use]
    pub fn call(
        &self,
        catalog: &Catalog,
        name: &str,
        arguments: Map<String, Value>,
    ) -> Option<ToolAnswer> {
        let entry = TOOLS.iter().find(|entry| entry.name == name && self.has(entry))?;
        let context = Context { catalog, profile: self.profile };
        let answered =
            check(arguments, &entry.input).and_then(|arguments| (entry.call)(&context, arguments));
        Some(match answered {
            Ok((structured, text)) => answer(structured, &text),
            Err(error) => failure(entry, &error),
        })
    }

    /// The answer where a tool failed for a reason that the registry does not see: it was stopped, or
    /// it panicked.
    #[must_use]
    pub fn failure(&self, name: &str, error: &ToolError) -> Option<ToolAnswer> {
        TOOLS.iter().find(|entry| entry.name == name).map(|entry| failure(entry, error))
    }

    fn has(&self, entry: &Entry) -> bool {
        self.profile == Profile::All || entry.profiles.contains(&self.profile)
    }
}

fn describe(entry: &Entry) -> ToolDescription {
    ToolDescription {
        name: entry.name,
        title: entry.title,
        description: entry.description,
        input_schema: Arc::clone(&entry.input),
        output_schema: Arc::clone(&entry.output),
    }
}

fn answer(mut structured: Value, text: &str) -> ToolAnswer {
    clean(&mut structured);
    ToolAnswer { text: clean_text(text), structured, is_error: false }
}

fn failure(entry: &Entry, error: &ToolError) -> ToolAnswer {
    let mut structured = error.payload(entry.codes);
    clean(&mut structured);
    let text = match entry.codes {
        // Clients of the ICD-10 tools read the text as JSON.
        super::error::ErrorCode::Word => structured.to_string(),
        super::error::ErrorCode::Number => clean_text(&error.text()),
    };
    ToolAnswer { text, structured, is_error: true }
}

/// The five ICD-10 tools are for the whole classification, not for an excerpt of it.
fn is_available(entry: &Entry, catalog: &Catalog) -> bool {
    let needs_icd10 = entry.profiles == [Profile::Icd10];
    !needs_icd10
        || catalog
            .terminology("icd10cm", None)
            .is_ok_and(|icd| icd.concepts >= MIN_ICD10CM_CONCEPTS)
}

/// Fewer concepts are an excerpt of ICD-10-CM.
const MIN_ICD10CM_CONCEPTS: usize = 10_000;
