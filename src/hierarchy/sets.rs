use crate::terminology::ConceptOrd;

use super::Hierarchy;
use super::bits::Bits;

impl Hierarchy {
    /// All concepts below any of these, each once, in ord order. One of these is among them where
    /// it is below another one. Takes time in proportion to what is found, plus a bit a concept.
    #[must_use]
    pub fn below(&self, tops: impl IntoIterator<Item = ConceptOrd>) -> Vec<ConceptOrd> {
        let (mut reached, mut stated) = (Bits::new(self.len()), Bits::new(self.len()));
        let mut next = Vec::new();
        for top in tops {
            next.extend(self.children(top).filter(|child| reached.insert(*child)));
            self.stated_descendants(top).for_each(|below| {
                stated.insert(below);
            });
        }
        while let Some(one) = next.pop() {
            next.extend(self.children(one).filter(|child| reached.insert(*child)));
        }
        // Of those that state what is above them, only the ones that state one of these.
        if self.has_stated() {
            let has_own = |ord: &ConceptOrd| self.states_ancestors(*ord);
            let own: Vec<ConceptOrd> = reached.ords().filter(has_own).collect();
            own.into_iter().for_each(|ord| reached.remove(ord));
        }
        reached.extend(&stated);
        reached.ords().collect()
    }

    /// All concepts above any of these, each once, in ord order. One of these is among them where
    /// it is above another one. Takes time in proportion to what is found, plus a bit a concept.
    #[must_use]
    pub fn above(&self, bottoms: impl IntoIterator<Item = ConceptOrd>) -> Vec<ConceptOrd> {
        let (mut reached, mut stated) = (Bits::new(self.len()), Bits::new(self.len()));
        let mut next = Vec::new();
        for bottom in bottoms {
            if self.states_ancestors(bottom) {
                self.stated_ancestors(bottom).for_each(|above| {
                    stated.insert(above);
                });
            } else {
                next.extend(self.parents(bottom).filter(|parent| reached.insert(*parent)));
            }
        }
        while let Some(one) = next.pop() {
            next.extend(self.parents(one).filter(|parent| reached.insert(*parent)));
        }
        reached.extend(&stated);
        reached.ords().collect()
    }
}
