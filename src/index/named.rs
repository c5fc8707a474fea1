use crate::terminology::{ConceptOrd, DesignationOrd};
use crate::text::normalize;

use super::TerminologyIndex;

impl TerminologyIndex {
    /// The names that are this text once both are normalized, with their concepts, of every use, in
    /// the order of the concepts.
    #[must_use]
    pub fn named(&self, text: &str) -> Vec<(ConceptOrd, DesignationOrd)> {
        let normal = normalize(text);
        let found = self.lexical.named(&normal).into_iter();
        // The keys are hashes, so the names themselves are compared too.
        found
            .filter(|ord| normalize(self.records.designation(*ord).value) == normal)
            .map(|ord| (self.records.owner(ord), ord))
            .collect()
    }
}
