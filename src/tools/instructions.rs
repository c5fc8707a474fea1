use super::{Profile, Registry};

/// What medterm is for and what it is not for: one wording, wherever it could be misread.
pub const INTENDED_USE: &str = "medterm finds codes. It gives no diagnosis, no coding advice, no dosing and no interaction check; \
     verify against the release and the coding guidelines.";

/// What is asked of everybody who sends a query.
pub(super) const NO_PATIENT_DATA: &str = "Do not send patient names, identifiers or other personal data: clinical terms, codes and general \
     medical concepts are all that is needed.";

impl Registry {
    /// What a client is told when it connects: to keep personal data out, which tool is for which
    /// question, and what the answers are for.
    #[must_use]
    pub fn instructions(&self) -> String {
        let listed: Vec<&str> = self.tools(None).iter().map(|tool| tool.name).collect();
        let has = |needs: &&(&str, &str)| needs.0.split(' ').all(|name| listed.contains(&name));
        let mut text = format!("IMPORTANT: {NO_PATIENT_DATA}\n\nWhich tool for which question:\n");
        for (_, advice) in ADVICE.iter().filter(has) {
            text.push_str(&format!("- {advice}\n"));
        }
        if matches!(self.profile(), Profile::Core | Profile::Ontoserver | Profile::All) {
            text.push_str(CONVENTIONS);
        }
        text.push_str(&format!("\n{INTENDED_USE}\n"));
        text
    }
}

/// What a question is asked with; said where a profile has the tools named first.
const ADVICE: &[(&str, &str)] = &[
    (
        "search_concepts",
        "A term, an abbreviation or lay words, and the code is wanted: search_concepts.",
    ),
    (
        "lookup_concept",
        "A code, and what it means is wanted: lookup_concept. Confirm a code with it before you use it.",
    ),
    ("lookup_concepts", "Many codes of one terminology: lookup_concepts."),
    ("validate_concept", "Is this code, or this code with this display, right? validate_concept."),
    ("validate_codes", "A list of codes of several terminologies to check: validate_codes."),
    ("check_subsumption", "Is one concept a kind of another? check_subsumption."),
    ("concept_hierarchy", "What is above, below or beside a code? concept_hierarchy."),
    (
        "expand_valueset",
        "Every concept of a value set, or of an ECL or VCL expression: expand_valueset; read ecl://guide or vcl://guide first.",
    ),
    (
        "translate_code",
        "The same concept in another terminology, by published maps: translate_code.",
    ),
    (
        "find_mappings",
        "Free text against a target value set, each match with its score: find_mappings.",
    ),
    (
        "harmonize_terms",
        "A list of terms from notes or a spreadsheet to code at once: harmonize_terms.",
    ),
    ("find_equivalent", "One term in several terminologies side by side: find_equivalent."),
    (
        "search_medical_codes",
        "An ICD-10 diagnosis or procedure code for a keyword: search_medical_codes.",
    ),
    (
        "infer_complications",
        "The subdivisions of an ICD-10-CM category: infer_complications. They are subdivisions of the classification, not complications of a patient.",
    ),
    ("get_nearby_codes", "What stands before and after an ICD-10-CM code: get_nearby_codes."),
    (
        "check_medical_conflict",
        "The definitions and notes of a diagnosis and a procedure code side by side: check_medical_conflict. It gives facts, no verdict.",
    ),
    ("browse_icd_category", "All codes of an ICD-10-CM category: browse_icd_category."),
    ("pubmed_lookup_mesh", "MeSH headings for a PubMed search: pubmed_lookup_mesh."),
    ("search_codesystems", "Which terminologies are here, in which version? search_codesystems."),
    ("health_check", "Does everything work? health_check."),
];

const CONVENTIONS: &str = "\nsystem takes an alias (icd10cm, snomed, loinc, rxnorm, mesh …), a canonical URI or an OID. Scores are from 0 to 1; a result whose \
     confidence is needs_review wants a person's eye. A list says its total and, while there is more, nextOffset. Every answer \
     has the version it is from and what its license asks to be said: keep both with the codes.\n";
