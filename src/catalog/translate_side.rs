//! One side of a map: a terminology that may be loaded, and how its codes may be typed.

use crate::terminology::{Code, CodeShape, ConceptOrd, SystemId, known_system};

use super::display::display;
use super::open::Entry;
use super::{Catalog, Error, NamedCode};

/// A terminology by its canonical URI, and its index where it is loaded.
#[derive(Debug, Clone)]
pub(super) struct Side<'c> {
    pub(super) system: SystemId,
    pub(super) entry: Option<&'c Entry>,
}

impl Catalog {
    /// The terminology with this name, loaded or not. A version that is not loaded, of one that is, is
    /// an error; a name that stands for no terminology known here too.
    pub(super) fn side(&self, name: &str) -> Result<Side<'_>, Error> {
        match self.entry(name) {
            Ok(entry) => Ok(Side { system: entry.system().clone(), entry: Some(entry) }),
            Err(error @ Error::UnknownVersion { .. }) => Err(error),
            Err(error) => {
                let bare = name.split('|').next().unwrap_or(name).trim();
                let known = known_system(bare).map(|known| known.id());
                let system = known.or_else(|| SystemId::new(bare).ok()).ok_or(error)?;
                Ok(Side { system, entry: None })
            }
        }
    }
}

impl<'c> Side<'c> {
    /// Its short name, or its URI where it has none.
    pub(super) fn name(&self) -> &str {
        match (self.entry, known_system(self.system.as_str())) {
            (Some(entry), _) => entry.alias(),
            (None, Some(known)) => known.alias,
            (None, None) => self.system.as_str(),
        }
    }

    pub(super) fn version(&self) -> Option<String> {
        self.entry.map(|entry| entry.version().to_owned())
    }

    /// The concept with this code, where it is loaded.
    pub(super) fn concept(&self, code: &str) -> Option<(&'c Entry, ConceptOrd)> {
        let entry = self.entry?;
        entry.index.find(code).map(|concept| (entry, concept))
    }

    /// What the terminology calls a code, and whether it is in use.
    pub(super) fn describe(
        &self,
        code: &str,
        language: Option<&str>,
    ) -> (Option<String>, Option<bool>) {
        let found = self.concept(code).map(|(entry, concept)| {
            let name = display(entry, concept, language).1.value.to_owned();
            (name, entry.index.records().is_active(concept))
        });
        found.unzip()
    }

    pub(super) fn named(&self, code: Code, language: Option<&str>) -> NamedCode {
        let (display, _) = self.describe(code.as_str(), language);
        NamedCode { code, display }
    }

    /// The spellings under which a map may have a code that was typed, the likeliest first.
    pub(super) fn spellings(&self, typed: &str) -> Vec<String> {
        let typed = typed.trim();
        let shape =
            self.entry.map_or_else(|| CodeShape::of(&self.system), |entry| entry.index.shape());
        let mut found = Vec::new();
        if let Some((entry, concept)) = self.concept(typed) {
            found.push(entry.index.records().code(concept).to_owned());
        }
        found.extend(shape.canonical(typed));
        found.push(typed.to_owned());
        if shape.folds_case() {
            let bare = typed.strip_suffix('.').unwrap_or(typed);
            found.extend([bare.to_owned(), bare.to_uppercase(), bare.to_lowercase()]);
        }
        if known_system(self.system.as_str()).is_some_and(|known| known.alias == "icd9cm") {
            found.extend(icd9_spellings(typed));
        }
        let mut seen = std::collections::HashSet::new();
        found.retain(|spelling| !spelling.is_empty() && seen.insert(spelling.clone()));
        found
    }
}

/// ICD-9-CM without its dot is a diagnosis or a procedure; which of the two, the map tells.
fn icd9_spellings(typed: &str) -> Vec<String> {
    let bare: String = typed
        .chars()
        .filter(|c| *c != '.' && !c.is_whitespace())
        .map(|c| c.to_ascii_uppercase())
        .collect();
    let places = if bare.starts_with('E') { [4, 4] } else { [3, 2] };
    let dotted = |at: usize| match bare.split_at_checked(at) {
        Some((category, rest)) if !rest.is_empty() => format!("{category}.{rest}"),
        _ => bare.clone(),
    };
    places.map(dotted).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(alias: &str) -> Side<'static> {
        Side { system: known_system(alias).expect("it is known").id(), entry: None }
    }

    #[test]
    fn codes_of_terminologies_that_are_not_loaded_are_read_as_they_are_typed() {
        let finds = |alias: &str, typed: &str, code: &str| {
            let spellings = side(alias).spellings(typed);
            assert!(spellings.iter().any(|one| one == code), "{typed}: {spellings:?}");
        };
        finds("icd9cm", "25000", "250.00");
        finds("icd9cm", "v700", "V70.0");
        finds("icd9cm", "E8120", "E812.0");
        finds("icd9cm", "4709", "47.09");
        finds("icd9cm", "250.00.", "250.00");
        finds("icd10cm", "e119", "E11.9");
        finds("mesh", "d003924", "D003924");
        finds("loinc", " 2345-7 ", "2345-7");
        let exact = side("ucum").spellings("mg");
        assert_eq!(exact, ["mg"]);
    }
}
