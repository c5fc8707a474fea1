//! The semantic tag of SNOMED CT: the word in brackets at the end of a fully specified name, which
//! says what kind of thing the concept is: `Myocardial infarction (disorder)`.
//!
//! Nobody types it, so a name with its tag is found worse than the same name without.

/// The tags of the International Edition, in the order of letters.
///
/// Source: SNOMED CT Editorial Guide, "Semantic tag", and the tags in the GPS of September 2020.
const KNOWN: &[&str] = &[
    "OWL metadata concept",
    "SNOMED RT+CTV3",
    "administration method",
    "assessment scale",
    "attribute",
    "basic dose form",
    "body structure",
    "cell",
    "cell structure",
    "clinical drug",
    "core metadata concept",
    "disorder",
    "disposition",
    "dose form",
    "environment",
    "environment / location",
    "ethnic group",
    "event",
    "finding",
    "foundation metadata concept",
    "geographic location",
    "inactive concept",
    "intended site",
    "life style",
    "link assertion",
    "linkage concept",
    "medicinal product",
    "medicinal product form",
    "metadata",
    "morphologic abnormality",
    "namespace concept",
    "navigational concept",
    "observable entity",
    "occupation",
    "organism",
    "person",
    "physical force",
    "physical object",
    "procedure",
    "product",
    "product name",
    "property",
    "qualifier value",
    "racial group",
    "record artifact",
    "regime/therapy",
    "release characteristic",
    "religion/philosophy",
    "role",
    "situation",
    "social concept",
    "special concept",
    "specimen",
    "staging scale",
    "state of matter",
    "substance",
    "supplier",
    "transformation",
    "tumor staging",
    "unit of presentation",
];

/// A fully specified name as its name and its tag. `None` where it does not end in brackets.
///
/// Brackets within the name stay: `Ferrous (59-Fe) sulfate (substance)`.
pub(super) fn split(fully_specified_name: &str) -> Option<(&str, &str)> {
    let text = fully_specified_name.trim();
    let at = text.strip_suffix(')')?.rfind('(')?;
    let (name, tag) = (text[..at].trim_end(), text[at + 1..text.len() - 1].trim());
    let is_tag = !name.is_empty() && name.len() < at && !tag.is_empty() && !tag.contains(')');
    is_tag.then_some((name, tag))
}

/// The same for a name of which it is not known whether it is fully specified: only tags of the
/// International Edition are taken for tags.
pub(super) fn split_known(name: &str) -> Option<(&str, &str)> {
    split(name).filter(|(_, tag)| KNOWN.contains(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_brackets_are_the_tag() {
        for (name, expected) in [
            ("Cold foot (finding)", Some(("Cold foot", "finding"))),
            ("Iron (59-Fe) salt (substance) ", Some(("Iron (59-Fe) salt", "substance"))),
            ("Walking (regime/therapy)", Some(("Walking", "regime/therapy"))),
            ("Vitamin B(12)", None),
            ("(finding)", None),
            ("Cold foot ()", None),
            ("Cold foot (a) b)", None),
            ("Cold foot", None),
            ("", None),
        ] {
            assert_eq!(split(name), expected, "{name:?}");
        }
    }

    #[test]
    fn brackets_of_a_preferred_term_are_no_tag() {
        assert_eq!(split_known("Cold foot (left)"), None);
        assert_eq!(split_known("Cold foot (finding)"), Some(("Cold foot", "finding")));
        assert!(KNOWN.is_sorted());
    }
}
