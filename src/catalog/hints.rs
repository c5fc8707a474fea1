use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;

use crate::terminology::{Code, CodeFlaw, CodeShape, ConceptOrd, Content, SystemId};

use super::lookup::code_of;
use super::open::Entry;
use super::{Catalog, Error};

/// The most codes that are suggested, and the most places elsewhere that are told.
const MAX_HINTS: usize = 5;
/// Codes as short as this are near to too many others.
const MIN_EDITED_CHARS: usize = 4;
/// Codes as long as this are not looked for letter by letter.
const MAX_EDITED_CHARS: usize = 24;

/// What may be said of a code that a terminology does not have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CodeHints {
    /// The rule of all its codes that it breaks.
    pub flaw: Option<CodeFlaw>,
    /// What may have been meant, the likeliest first.
    pub suggestions: Vec<Suggestion>,
    /// The other terminologies and versions loaded that have it.
    pub elsewhere: Vec<Elsewhere>,
    /// Whether the release is an excerpt, which need not have it.
    pub of_excerpt: bool,
}

/// A code that may have been meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Suggestion {
    /// The code.
    pub code: Code,
    /// Its name.
    pub display: String,
    /// Why it may have been meant.
    pub reason: SuggestionReason,
}

/// Why a code may have been meant by another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SuggestionReason {
    /// It is the same with its check digit, or with digits for the letters that look like them.
    Corrected,
    /// It is the same in another letter case, in a terminology where that makes a difference.
    OtherCase,
    /// It is what the code begins with: the code above the one that is not there.
    Above,
    /// It stands next to where the code would stand.
    Near,
    /// A character is other, missing or too many, or two are swapped.
    Mistyped,
}

/// Another terminology, or another version of the same, that has a code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Elsewhere {
    /// The terminology.
    pub system: SystemId,
    /// Its short name, to ask again with.
    pub alias: String,
    /// Its version.
    pub version: String,
    /// The code as it writes it.
    pub code: Code,
    /// What it means there.
    pub display: String,
}

impl Catalog {
    /// What may be said of a code that this terminology does not have.
    pub(super) fn hints(&self, entry: &Entry, typed: &str) -> Result<CodeHints, Error> {
        let flaw = CodeFlaw::of(entry.system(), typed);
        Ok(CodeHints {
            suggestions: suggestions(entry, typed, flaw.as_ref())?,
            elsewhere: self.elsewhere(entry, typed)?,
            of_excerpt: entry.index.manifest().release.content != Content::Complete,
            flaw,
        })
    }

    /// The default versions of the others, and all versions of the same.
    fn elsewhere(&self, entry: &Entry, typed: &str) -> Result<Vec<Elsewhere>, Error> {
        let mut found = Vec::new();
        for other in &self.entries {
            if std::ptr::eq(other, entry) || !other.default && other.system() != entry.system() {
                continue;
            }
            if let Some(concept) = other.index.find(typed) {
                found.push(Elsewhere {
                    system: other.system().clone(),
                    alias: other.alias().to_owned(),
                    version: other.version().to_owned(),
                    code: code_of(other, concept)?,
                    display: other.index.records().display(concept).to_owned(),
                });
            }
        }
        found.truncate(MAX_HINTS);
        Ok(found)
    }
}

/// Codes of the terminology that may have been meant, each once, the likeliest first.
fn suggestions(
    entry: &Entry,
    typed: &str,
    flaw: Option<&CodeFlaw>,
) -> Result<Vec<Suggestion>, Error> {
    use SuggestionReason::{Above, Corrected, Mistyped, Near, OtherCase};
    let typed = typed.trim();
    let records = entry.index.records();
    let corrected = flaw.and_then(CodeFlaw::suggestion).and_then(|code| entry.index.find(code));
    let mut found: Vec<(ConceptOrd, SuggestionReason)> = Vec::new();
    found.extend(corrected.map(|concept| (concept, Corrected)));
    if !entry.index.shape().folds_case() {
        found.extend(records.find_folded(typed).map(|concept| (concept, OtherCase)));
    }
    if has_positions(entry.index.shape()) {
        found.extend(above(entry, typed).map(|concept| (concept, Above)));
        found.extend(near(entry, typed).into_iter().map(|concept| (concept, Near)));
    }
    if found.len() < MAX_HINTS {
        found.extend(mistyped(entry, typed).into_iter().map(|concept| (concept, Mistyped)));
    }
    let mut seen = BTreeSet::new();
    found.retain(|(concept, _)| records.is_selectable(*concept) && seen.insert(*concept));
    found.truncate(MAX_HINTS);
    let suggestion = |(concept, reason)| {
        let display = records.display(concept).to_owned();
        Ok(Suggestion { code: code_of(entry, concept)?, display, reason })
    };
    found.into_iter().map(suggestion).collect()
}

/// Whether codes that begin alike mean something alike.
fn has_positions(shape: CodeShape) -> bool {
    matches!(shape, CodeShape::Icd10Cm | CodeShape::Icd10Pcs)
}

/// The longest beginning that is a code.
fn above(entry: &Entry, typed: &str) -> Option<ConceptOrd> {
    let ends = typed.char_indices().map(|(at, _)| at).skip(1).take(MAX_EDITED_CHARS);
    ends.collect::<Vec<_>>().into_iter().rev().find_map(|end| entry.index.find(&typed[..end]))
}

/// The codes before and after the place where a code would stand, of the same category.
fn near(entry: &Entry, typed: &str) -> Vec<ConceptOrd> {
    let records = entry.index.records();
    let Some(canonical) = entry.index.shape().canonical(typed) else { return Vec::new() };
    let category: String = canonical.chars().take(3).collect();
    let at = records.insertion_point(&canonical);
    // From the nearest to the farthest, before and after in turns.
    let around = [at.checked_sub(1), Some(at), at.checked_sub(2), at.checked_add(1)];
    around
        .into_iter()
        .flatten()
        .map(ConceptOrd)
        .filter(|ord| ord.index() < records.len() && records.code(*ord).starts_with(&category))
        .collect()
}

/// The codes that differ in one character, or by two neighbors swapped; those that differ near the
/// end first, for what a code begins with is seldom mistyped.
fn mistyped(entry: &Entry, typed: &str) -> Vec<ConceptOrd> {
    let chars: Vec<char> = typed.chars().filter(|c| !c.is_whitespace()).collect();
    if !(MIN_EDITED_CHARS..=MAX_EDITED_CHARS).contains(&chars.len()) {
        return Vec::new();
    }
    let letters = alphabet(&chars, entry.index.shape());
    let find = |edited: &[char]| entry.index.find(&edited.iter().collect::<String>());
    let mut found = Vec::new();
    for at in (0..chars.len().saturating_sub(1)).rev() {
        let mut swapped = chars.clone();
        swapped.swap(at, at + 1);
        found.extend(find(&swapped));
    }
    for at in (0..chars.len()).rev() {
        for letter in &letters {
            let mut changed = chars.clone();
            changed[at] = *letter;
            found.extend(find(&changed));
        }
    }
    for at in (0..chars.len()).rev() {
        let mut shorter = chars.clone();
        shorter.remove(at);
        found.extend(find(&shorter));
    }
    for at in (0..=chars.len()).rev() {
        for letter in &letters {
            let mut longer = chars.clone();
            longer.insert(at, *letter);
            found.extend(find(&longer));
        }
    }
    found
}

/// The characters that may stand in the place of others: digits, and letters where there are some.
fn alphabet(chars: &[char], shape: CodeShape) -> Vec<char> {
    let mut letters: Vec<char> = ('0'..='9').collect();
    let has_letters = chars.iter().any(char::is_ascii_alphabetic);
    // Where case folds, one case stands for both.
    if has_letters && (shape.folds_case() || chars.iter().any(char::is_ascii_uppercase)) {
        letters.extend('A'..='Z');
    }
    if !shape.folds_case() && chars.iter().any(char::is_ascii_lowercase) {
        letters.extend('a'..='z');
    }
    letters
}

impl fmt::Display for CodeHints {
    /// What follows "E11.99 is not a code of icd10cm".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(flaw) = &self.flaw {
            write!(f, ": {flaw}")?;
        } else if self.of_excerpt {
            write!(f, ", of which only an excerpt is loaded")?;
        }
        if !self.suggestions.is_empty() {
            let codes: Vec<&str> = self.suggestions.iter().map(|one| one.code.as_str()).collect();
            write!(f, "; codes near it: {}", codes.join(", "))?;
        }
        for other in &self.elsewhere {
            let Elsewhere { alias, version, code, display, .. } = other;
            write!(f, "; {alias}|{version} has {code}, {display}")?;
        }
        Ok(())
    }
}
