//! The tree numbers of MeSH: places in a tree, several of which one record may have.

use std::collections::BTreeMap;

use crate::hierarchy::MAX_PATHS;
use crate::records::{Records, RecordsError};
use crate::terminology::{ConceptOrd, PropertyValue, is_tree_number, property};

use super::{IndexError, TerminologyIndex};

/// Who has which tree number.
#[derive(Debug, Default)]
pub(super) struct TreeNumbers(BTreeMap<Box<str>, ConceptOrd>);

impl TreeNumbers {
    /// Of several records with one number, the first has it.
    fn read(records: &Records) -> Result<Self, RecordsError> {
        let mut owners = BTreeMap::new();
        for ord in (0u32..).map(ConceptOrd).take(records.len()) {
            for number in numbers_of(records, ord)? {
                owners.entry(number.into_boxed_str()).or_insert(ord);
            }
        }
        Ok(Self(owners))
    }
}

impl TerminologyIndex {
    /// The concept that has this place in the tree of MeSH, in any letter case; `None` in other
    /// terminologies, and for a text that is no tree number.
    ///
    /// # Errors
    /// [`IndexError::Records`] when the properties are damaged.
    pub fn find_tree_number(&self, typed: &str) -> Result<Option<ConceptOrd>, IndexError> {
        let number = typed.trim().to_ascii_uppercase();
        if !self.has_tree_numbers() || !is_tree_number(&number) {
            return Ok(None);
        }
        Ok(self.tree_numbers()?.0.get(number.as_str()).copied())
    }

    /// The ways from a root down to the concept, both included, each once, in the order of its
    /// parents; of its tree numbers, where it has some. At most [`MAX_PATHS`].
    ///
    /// # Errors
    /// [`IndexError::Records`] when the properties are damaged.
    pub fn paths(&self, concept: ConceptOrd) -> Result<Vec<Vec<ConceptOrd>>, IndexError> {
        if !self.has_tree_numbers() {
            return Ok(self.hierarchy.paths(concept));
        }
        let mut numbers = numbers_of(&self.records, concept)?;
        if numbers.is_empty() {
            return Ok(self.hierarchy.paths(concept));
        }
        numbers.sort_unstable();
        let owners = self.tree_numbers()?;
        let mut paths: Vec<Vec<ConceptOrd>> = Vec::new();
        for number in numbers {
            let path = self.path(owners, &number, concept);
            if paths.len() < MAX_PATHS && !paths.contains(&path) {
                paths.push(path);
            }
        }
        Ok(paths)
    }

    /// From the category, which is the letter that a number begins with, down to the concept.
    fn path(&self, owners: &TreeNumbers, number: &str, concept: ConceptOrd) -> Vec<ConceptOrd> {
        let letters = number.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
        let category = self.records.find(letters);
        let beginnings = number.match_indices('.').map(|(at, _)| &number[..at]);
        let above = beginnings.filter_map(|number| owners.0.get(number).copied());
        let mut path = Vec::new();
        for one in category.into_iter().chain(above) {
            // Some records stand above themselves: at one of their places, below another one.
            if one != concept && !path.contains(&one) {
                path.push(one);
            }
        }
        path.push(concept);
        path
    }

    fn has_tree_numbers(&self) -> bool {
        self.shape() == crate::terminology::CodeShape::Mesh
    }

    fn tree_numbers(&self) -> Result<&TreeNumbers, IndexError> {
        if let Some(known) = self.tree_numbers.get() {
            return Ok(known);
        }
        let read = TreeNumbers::read(&self.records)?;
        Ok(self.tree_numbers.get_or_init(|| read))
    }
}

fn numbers_of(records: &Records, concept: ConceptOrd) -> Result<Vec<String>, RecordsError> {
    let properties = records.details(concept)?.properties;
    let numbers = properties.into_iter().filter(|one| one.code == property::TREE_NUMBER);
    Ok(numbers
        .filter_map(|one| match one.value {
            PropertyValue::Text(number) => Some(number),
            _ => None,
        })
        .collect())
}
