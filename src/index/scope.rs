use crate::dense::Matrix;
use crate::terminology::{DesignationOrd, DesignationUse};

use super::TerminologyIndex;

/// Whether names count that were taken from another terminology over a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Borrowed {
    /// They lead to their concept as its own names do, though never with certainty.
    #[default]
    Used,
    /// The search is that of the release alone: what it finds is what it would find had nothing
    /// been borrowed, but for how frequent the words are.
    LeftOut,
}

/// The names of an index that a search goes by.
pub(super) struct Scope<'i> {
    pub(super) index: &'i TerminologyIndex,
    /// The rows of these names.
    pub(super) matrix: Option<Matrix>,
    borrowed: Borrowed,
}

impl<'i> Scope<'i> {
    pub(super) fn new(index: &'i TerminologyIndex, borrowed: Borrowed) -> Self {
        // Nothing to leave out is nothing to look at.
        let none = index.manifest().counts.borrowed == 0;
        let borrowed = if none { Borrowed::Used } else { borrowed };
        let matrix = index.matrix.as_ref().map(|matrix| match borrowed {
            Borrowed::Used => matrix.clone(),
            Borrowed::LeftOut => matrix.without_borrowed(),
        });
        Self { index, matrix, borrowed }
    }

    /// Whether a name counts.
    pub(super) fn has(&self, name: DesignationOrd) -> bool {
        self.borrowed == Borrowed::Used
            || self.index.records.designation(name).use_ != DesignationUse::Borrowed
    }
}
