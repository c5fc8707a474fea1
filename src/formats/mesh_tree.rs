//! The tree of MeSH: what stands above a record, told by its tree numbers.
//!
//! A record has a number for each place in the tree, and what is above it at one place is not above
//! it at another: eyebrows are under the eye in the tree of body regions, where the eye is under the
//! face; that the eye is under the sense organs as well makes no sense organ of eyebrows. So what is
//! above a record are the owners of the beginnings of its own numbers, which is less than what is
//! above its parents for a quarter of MeSH.
//!
//! Above all numbers stand the categories: the letter that the number begins with. NLM's files have
//! no record of them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::terminology::{Code, Concept, Property, property};

/// The categories and what the MeSH browser calls them; Y is the one of the qualifiers.
const CATEGORIES: &[(&str, &str)] = &[
    ("A", "Anatomy"),
    ("B", "Organisms"),
    ("C", "Diseases"),
    ("D", "Chemicals and Drugs"),
    ("E", "Analytical, Diagnostic and Therapeutic Techniques, and Equipment"),
    ("F", "Psychiatry and Psychology"),
    ("G", "Phenomena and Processes"),
    ("H", "Disciplines and Occupations"),
    ("I", "Anthropology, Education, Sociology, and Social Phenomena"),
    ("J", "Technology, Industry, and Agriculture"),
    ("K", "Humanities"),
    ("L", "Information Science"),
    ("M", "Named Groups"),
    ("N", "Health Care"),
    ("V", "Publication Characteristics"),
    ("Y", "Qualifiers"),
    ("Z", "Geographicals"),
];

/// Which record has which tree numbers.
#[derive(Debug, Default)]
pub(super) struct Tree {
    owners: HashMap<String, Code>,
    numbers: HashMap<Code, Vec<String>>,
    categories: BTreeMap<String, Code>,
}

/// What is above a record.
#[derive(Debug, Default)]
pub(super) struct Above {
    pub(super) parents: Vec<Code>,
    /// As [`Concept::ancestors`]: empty where the parents say it all.
    pub(super) ancestors: Vec<Code>,
    /// The tree numbers whose next one above no record has.
    pub(super) gaps: Vec<String>,
}

impl Tree {
    /// Notes a tree number of a record. Of several records with one number, the first has it.
    pub(super) fn add(&mut self, code: &Code, number: &str) {
        let numbers = self.numbers.entry(code.clone()).or_default();
        if number.is_empty() || numbers.iter().any(|known| known == number) {
            return;
        }
        numbers.push(number.to_owned());
        self.owners.entry(number.to_owned()).or_insert_with(|| code.clone());
        if let Some(letters) = category(number)
            && let Ok(code) = Code::new(letters)
        {
            self.categories.insert(letters.to_owned(), code);
        }
    }

    /// The categories that have records, as concepts.
    pub(super) fn categories(&self) -> impl Iterator<Item = Concept> {
        self.categories.values().map(|code| {
            let name = CATEGORIES.iter().find(|(letter, _)| *letter == code.as_str());
            let display = match name {
                Some((_, name)) => (*name).to_owned(),
                None => format!("Category {code}"),
            };
            let mut concept = Concept::new(code.clone(), display);
            concept.properties = vec![
                Property::text(property::KIND, "category"),
                Property::boolean(property::NOT_SELECTABLE, true),
            ];
            concept
        })
    }

    /// Whether a number below the second level has nobody one level up: then records were left out.
    pub(super) fn has_deep_gaps(&self) -> bool {
        let mut above = self.owners.keys().filter_map(|number| number.rsplit_once('.'));
        above.any(|(above, _)| above.contains('.') && !self.owners.contains_key(above))
    }

    /// What is above the record with this code.
    pub(super) fn above(&self, code: &Code) -> Above {
        let mut found = Above::default();
        let mut parents = BTreeSet::new();
        for number in self.numbers_of(code) {
            if let Some((next, _)) = number.rsplit_once('.')
                && !self.owners.contains_key(next)
            {
                found.gaps.push(number.clone());
            }
            parents.extend(self.parent(code, number));
        }
        let ancestors = self.ancestors(code);
        // They are closed under "parent of" where the parents say it all; not where the record is
        // above one of them itself, for an index has no circles and keeps but one of the edges.
        let is_told_by_parents = ancestors.iter().all(|above| {
            let next =
                self.numbers_of(above).iter().filter_map(|number| self.parent(above, number));
            next.into_iter().all(|parent| ancestors.contains(parent))
        });
        if !is_told_by_parents {
            found.ancestors = ancestors.into_iter().cloned().collect();
            found.ancestors.sort_unstable();
        }
        found.parents = parents.into_iter().cloned().collect();
        found
    }

    fn numbers_of(&self, code: &Code) -> &[String] {
        self.numbers.get(code).map(Vec::as_slice).unwrap_or_default()
    }

    /// Who is nearest above a number of a record and not that record itself.
    fn parent(&self, code: &Code, number: &str) -> Option<&Code> {
        self.owners_above(number).find(|above| *above != code)
    }

    fn ancestors(&self, code: &Code) -> HashSet<&Code> {
        let numbers = self.numbers_of(code).iter();
        numbers
            .flat_map(|number| self.owners_above(number))
            .filter(|above| *above != code)
            .collect()
    }

    /// Who has the beginnings of a number, the nearest first and the category last.
    fn owners_above(&self, number: &str) -> impl Iterator<Item = &Code> {
        let records = beginnings(number).filter_map(|above| self.owners.get(above));
        records.chain(category(number).and_then(|letters| self.categories.get(letters)))
    }
}

/// The tree numbers above a number, the nearest first.
fn beginnings(number: &str) -> impl Iterator<Item = &str> {
    number.rmatch_indices('.').map(|(at, _)| &number[..at])
}

/// The letters that a tree number begins with.
fn category(number: &str) -> Option<&str> {
    let end = number.find(|c: char| !c.is_ascii_alphabetic())?;
    number.get(..end).filter(|letters| !letters.is_empty())
}
