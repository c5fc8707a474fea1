use std::collections::HashMap;

use crate::terminology::{Concept, DesignationUse, property};
use crate::text::normalize;

/// Which names of a release get a row in the embedding matrix, and whose rows they are.
///
/// A function of the concepts alone, so that the rows of an index can be told from its concepts.
/// Names that are equal after normalization share a row; the first one, in concept order, is the
/// text that is embedded.
#[derive(Debug, Default)]
pub(super) struct RowPlan<'c> {
    /// The text of each row.
    pub(super) texts: Vec<&'c str>,
    /// Where the owners of each row begin in `owners`, and at the end their number.
    pub(super) owners_at: Vec<u32>,
    /// The concepts that have the row's name.
    pub(super) owners: Vec<u32>,
}

/// Languages of the names that are embedded: the ones the model reads.
const MODEL_LANGUAGES: [&str; 1] = ["en"];

impl<'c> RowPlan<'c> {
    pub(super) fn of(concepts: &'c [Concept], language: &str) -> Self {
        let mut rows: HashMap<String, usize> = HashMap::new();
        let mut texts = Vec::new();
        let mut owners: Vec<Vec<u32>> = Vec::new();
        for (ord, concept) in (0u32..).zip(concepts) {
            if !is_searched(concept) {
                continue;
            }
            for text in embedded_names(concept, language) {
                let key = normalize(text);
                if key.is_empty() {
                    continue;
                }
                let row = *rows.entry(key).or_insert_with(|| {
                    texts.push(text);
                    owners.push(Vec::new());
                    texts.len() - 1
                });
                if owners[row].last() != Some(&ord) {
                    owners[row].push(ord);
                }
            }
        }
        let mut plan = Self { texts, owners_at: vec![0], owners: Vec::new() };
        for row in owners {
            plan.owners.extend(row);
            plan.owners_at.push(u32::try_from(plan.owners.len()).unwrap_or(u32::MAX));
        }
        plan
    }
}

/// Groupers are for browsing: nobody codes a chapter.
pub(super) fn is_searched(concept: &Concept) -> bool {
    concept.flag(property::NOT_SELECTABLE) != Some(true)
}

fn embedded_names<'c>(concept: &'c Concept, language: &str) -> Vec<&'c str> {
    let display = (language, DesignationUse::Display, concept.display.as_str());
    let others =
        concept.designations.iter().map(|d| (d.language.as_str(), d.use_, d.value.as_str()));
    std::iter::once(display)
        .chain(others)
        .filter(|(language, use_, _)| use_.is_embedded() && reads(language))
        .map(|(_, _, text)| text)
        .collect()
}

fn reads(language: &str) -> bool {
    let primary = language.split('-').next().unwrap_or_default();
    MODEL_LANGUAGES.contains(&primary.to_ascii_lowercase().as_str())
}
