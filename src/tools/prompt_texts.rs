//! The prompts in full. A line that begins with `tool??` is for profiles that have the tool, one with
//! `!tool??` for those that lack it; `{name}` is an argument.

use super::prompts::PromptArgument;

/// A prompt and its steps.
pub(super) struct Prompt {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) arguments: &'static [PromptArgument],
    pub(super) steps: &'static str,
}

const fn needed(name: &'static str, description: &'static str) -> PromptArgument {
    PromptArgument { name, description, required: true }
}

const fn optional(name: &'static str, description: &'static str) -> PromptArgument {
    PromptArgument { name, description, required: false }
}

const SYSTEM: PromptArgument = optional(
    "system",
    "The terminology: an alias such as snomed, a URI or an OID; snomed where none is given",
);

pub(super) const PROMPTS: &[Prompt] = &[
    Prompt {
        name: "find-code",
        title: "Find a code",
        description: "Find the best code of a terminology for a clinical term.",
        arguments: &[needed("term", "The clinical term, such as heart attack"), SYSTEM],
        steps: "\
Find the best code of {system} for: {term}

1. Call search_concepts with system \"{system}\" and the term as query.
2. If several results are close, or the first one's confidence is needs_review, narrow the search: the argument under takes a broader code, valueset an expression (read ecl://guide for SNOMED CT, vcl://guide for others). Try the term in other words too.
3. Call lookup_concept with the best code, and read its definition, its notes and what is above and below it. Is it as specific as the term, and not more specific?
4. Answer with code, display, system and version, how sure you are, and the runners-up. If nothing fits, say so.",
    },
    Prompt {
        name: "map-code",
        title: "Map a code",
        description: "Find what stands for a code in another terminology.",
        arguments: &[
            needed("code", "The code"),
            needed("fromSystem", "The terminology of the code"),
            needed("toSystem", "The terminology to map to"),
        ],
        steps: "\
Map the code {code} of {fromSystem} to {toSystem}.

1. Call lookup_concept with system \"{fromSystem}\" and code \"{code}\": what does it mean, and is it active?
translate_code?? 2. Call translate_code with system \"{fromSystem}\", code \"{code}\" and targetSystem \"{toSystem}\". Published maps come before any guess; keep relationship, rule and advice of each match.
!translate_code?? 2. No published maps are served here: go on with the display.
3. Without a match, call search_concepts with system \"{toSystem}\" and the display as query, and its synonyms after that.
4. Call lookup_concept with each candidate, and compare: is it the same, broader or narrower?
5. Answer with the target codes, how each relates to {code}, where that is from (a map, or your comparison of names), and what is lost. If nothing fits, say so.",
    },
    Prompt {
        name: "validate-coding",
        title: "Validate a coding",
        description: "Check a code against its terminology, and against a value set.",
        arguments: &[
            needed("code", "The code"),
            needed("system", "The terminology of the code"),
            optional("valueSet", "The URL of a value set that it must be in"),
        ],
        steps: "\
Check the code {code} of {system}. Value set: {valueSet}

1. Call validate_concept with system \"{system}\" and code \"{code}\"; with valueset as well, where one is given above.
2. If it is not valid, read message and issues: is it misspelt, retired, of another terminology, or not specific enough to be reported? Call search_concepts for what may have been meant.
3. If it is retired, call lookup_concept and read replacedBy.
4. Answer whether it is valid, why, in which version that was checked, and what to use instead.",
    },
    Prompt {
        name: "explore-hierarchy",
        title: "Explore the hierarchy",
        description: "Walk up and down from a concept.",
        arguments: &[needed("code", "The code to begin with"), SYSTEM],
        steps: "\
Explore what is around the code {code} of {system}.

1. Call lookup_concept with system \"{system}\" and code \"{code}\".
concept_hierarchy?? 2. Call concept_hierarchy with direction \"ancestors\", then \"children\"; with \"siblings\" if it helps to tell them apart.
!concept_hierarchy?? 2. Read its properties parent and child, and look those up in turn.
3. Use check_subsumption where you are not sure whether one is a kind of the other.
4. Show the tree with codes and displays, from the broadest to the most specific, and say which level fits which question. A long list has pages: say how many there are in all.",
    },
    Prompt {
        name: "summary-to-codes",
        title: "Code a summary",
        description: "Find the codes of the clinical concepts in a text.",
        arguments: &[needed("text", "The text, without personal data"), SYSTEM],
        steps: "\
Find codes of {system} for the clinical concepts in the text below.

1. List the problems, procedures, medicines and findings of the text. Leave out what is negated, what is only suspected unless you mark it so, and everything personal.
harmonize_terms?? 2. Call harmonize_terms with all of them at once, each with its domain; then search_concepts with system \"{system}\" for those without a match.
!harmonize_terms?? 2. Call search_concepts with system \"{system}\" for each of them.
3. Call lookup_concept for each code that you choose.
4. Answer with a table: words of the text, code, display, how sure. What has no good code is listed as such; nothing is made up.

The text:
{text}",
    },
    Prompt {
        name: "find-medical-code",
        title: "Find an ICD-10 code",
        description: "Find the ICD-10 diagnosis or procedure code for a description.",
        arguments: &[
            needed("description", "What is to be coded, such as type 2 diabetes with kidney disease"),
            optional("type", "diagnosis, procedure or all; all where it is not given"),
        ],
        steps: "\
Find the ICD-10 code ({type}) for: {description}

search_medical_codes?? 1. Call search_medical_codes with the description as keyword and type \"{type}\".
search_medical_codes?? 2. Call browse_icd_category or get_nearby_codes with the best code: is there a more specific one, or one next to it that fits better?
search_medical_codes?? 3. If a diagnosis and a procedure are meant together, call check_medical_conflict and read the notes of both.
!search_medical_codes?? 1. Call search_concepts with system \"icd10cm\" for a diagnosis, \"icd10pcs\" for a procedure, and the description as query.
!search_medical_codes?? 2. Call lookup_concept with the best code and read the notes, its own and those it inherits: Excludes and code-first notes decide.
!search_medical_codes?? 3. If it is not billable, look at its children and choose by what the description says; do not choose what it does not say.
4. Answer with code, name, whether it may be reported, the notes that matter, and what the description leaves open.",
    },
];
