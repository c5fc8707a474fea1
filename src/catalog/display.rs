//! The names of a concept, in a language.

use crate::records::DesignationRef;
use crate::terminology::{CodeShape, ConceptOrd, DesignationOrd, DesignationUse, language_fits};
use crate::text::normalize;

use super::open::Entry;

/// The name to show: the preferred one in the language that is asked for, or another one in that
/// language, or, where there is none, the preferred one in the language of the release.
pub(super) fn display<'e>(
    entry: &'e Entry,
    concept: ConceptOrd,
    language: Option<&str>,
) -> (DesignationOrd, DesignationRef<'e>) {
    let records = entry.index.records();
    let first = DesignationOrd(records.designations(concept).start);
    let usual = (first, records.designation(first));
    language.and_then(|language| preferred(entry, concept, language)).unwrap_or(usual)
}

/// The preferred name in a language, or another one in that language; `None` where there is none.
pub(super) fn preferred<'e>(
    entry: &'e Entry,
    concept: ConceptOrd,
    language: &str,
) -> Option<(DesignationOrd, DesignationRef<'e>)> {
    let named = |use_: Option<DesignationUse>, wanted: &str| {
        names(entry, concept).find(|(_, name)| {
            language_fits(wanted, name.language) && use_.is_none_or(|use_| name.use_ == use_)
        })
    };
    // `de-CH`, then `de` (RFC 4647, section 3.4).
    let mut wanted = language;
    loop {
        let found = named(Some(DesignationUse::Display), wanted).or_else(|| named(None, wanted));
        match (found, wanted.rsplit_once('-')) {
            (Some(found), _) => return Some(found),
            (None, Some((shorter, _))) => wanted = shorter,
            (None, None) => return None,
        }
    }
}

/// The names that are names of the concept itself: not those that are only close in meaning or
/// borrowed, and no bag of words.
pub(super) fn names(
    entry: &Entry,
    concept: ConceptOrd,
) -> impl Iterator<Item = (DesignationOrd, DesignationRef<'_>)> {
    let records = entry.index.records();
    records
        .designations(concept)
        .map(DesignationOrd)
        .map(|ord| (ord, records.designation(ord)))
        .filter(|(_, name)| name.use_.names_literally())
}

/// What two names must have in common to be the same. Where codes in another letter case are other
/// codes, so are names (FHIR leaves it to the terminology): "Mg" is no "mg".
pub(super) fn compared(shape: CodeShape, name: &str) -> String {
    match shape {
        CodeShape::Exact => name.split_whitespace().collect::<Vec<_>>().join(" "),
        _ => normalize(name),
    }
}
