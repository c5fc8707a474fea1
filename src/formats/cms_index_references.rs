//! Where "see" and "see also" lead in the index files of ICD-10-CM.

use std::collections::HashMap;

use super::cms_index_tree::{IndexTree, IndexedCode, Term};

/// The terms of all index files by their words.
pub(super) struct References<'t> {
    trees: &'t [IndexTree],
    /// The terms below a term (or at the top) by their first word: the other words, and the term.
    below: HashMap<Below, Vec<(Vec<String>, usize)>>,
}

/// Which terms are meant: of this tree, below this term, beginning with this word.
type Below = (usize, Option<usize>, String);

/// What a reference leads to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The codes of the term it names.
    Codes(Vec<IndexedCode>),
    /// The term is there and leads to no code.
    NoCode,
    /// It names no single term: "by type", "condition".
    NoSingleTerm,
    /// The files have no such term.
    Unknown,
}

/// The most references that are followed one after the other.
const MAX_STEPS: usize = 8;

impl<'t> References<'t> {
    pub(super) fn new(trees: &'t [IndexTree]) -> Self {
        let mut below: HashMap<Below, Vec<(Vec<String>, usize)>> = HashMap::new();
        for (at, tree) in trees.iter().enumerate() {
            for (term, Term { title, parent, .. }) in tree.terms.iter().enumerate() {
                let title = without_parentheses(title);
                // "boat, boating" is referred to as a whole, or by one of its forms.
                let parts = title.split(", ").filter(|part| part.len() < title.len());
                for form in std::iter::once(title.as_str()).chain(parts) {
                    let words = words(form);
                    let stated = words.split_last().filter(|(last, rest)| {
                        !rest.is_empty() && matches!(last.as_str(), "nec" | "nos")
                    });
                    let mut words =
                        stated.map_or(words.as_slice(), |(_, rest)| rest).iter().cloned();
                    if let Some(first) = words.next() {
                        let here = below.entry((at, *parent, first)).or_default();
                        here.push((words.collect(), term));
                    }
                }
            }
        }
        // The longest first: "motor vehicle NOS" before "motor".
        for here in below.values_mut() {
            here.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        }
        Self { trees, below }
    }

    /// Follows a reference of a term of this tree.
    pub(super) fn follow(&self, tree: usize, reference: &str) -> Target {
        let mut here = (tree, reference);
        for _ in 0..MAX_STEPS {
            let asked = words(&without_parentheses(here.1));
            let Some((tree, term)) = self.find(here.0, &asked) else {
                let several = asked.iter().any(|word| matches!(word.as_str(), "by" | "condition"));
                return if several { Target::NoSingleTerm } else { Target::Unknown };
            };
            let found = &self.trees[tree].terms[term];
            if !found.codes.is_empty() {
                return Target::Codes(found.codes.clone());
            }
            match found.references.first() {
                Some(next) => here = (tree, next),
                None => return Target::NoCode,
            }
        }
        Target::NoCode
    }

    /// The term of these words: in the same file, or else in the first other one that has it.
    fn find(&self, own: usize, asked: &[String]) -> Option<(usize, usize)> {
        let others = (0..self.trees.len()).filter(|tree| *tree != own);
        std::iter::once(own)
            .chain(others)
            .find_map(|tree| Some((tree, self.find_below(tree, None, asked)?)))
    }

    fn find_below(&self, tree: usize, parent: Option<usize>, asked: &[String]) -> Option<usize> {
        let (first, rest) = asked.split_first()?;
        let candidates = self.below.get(&(tree, parent, first.clone()))?;
        candidates.iter().find_map(|(words, term)| match rest.strip_prefix(words.as_slice())? {
            [] => Some(*term),
            [no_more, rest @ ..] if matches!(no_more.as_str(), "nec" | "nos") => {
                if rest.is_empty() { Some(*term) } else { self.find_below(tree, Some(*term), rest) }
            }
            rest => self.find_below(tree, Some(*term), rest),
        })
    }
}

/// The words of a title or reference in lower case.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',');
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// The text without what stands in parentheses.
fn without_parentheses(text: &str) -> String {
    let mut depth = 0_usize;
    let kept = text.chars().filter(|c| {
        match c {
            '(' => depth += 1,
            ')' => {
                depth = depth.saturating_sub(1);
                return false;
            }
            _ => {}
        }
        depth == 0
    });
    kept.collect()
}
