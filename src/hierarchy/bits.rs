use crate::terminology::ConceptOrd;

/// A set of concepts, a bit each.
#[derive(Debug)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// None of so many concepts.
    pub(super) fn new(concepts: usize) -> Self {
        Self(vec![0; concepts.div_ceil(64)])
    }

    /// Adds a concept, and tells whether it is new. One of another index never is.
    pub(super) fn insert(&mut self, ord: ConceptOrd) -> bool {
        let bit = 1 << (ord.0 % 64);
        self.0.get_mut(ord.index() / 64).is_some_and(|word| {
            let is_new = *word & bit == 0;
            *word |= bit;
            is_new
        })
    }

    /// Adds all of another set of the same index.
    pub(super) fn extend(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, word)| *own |= word);
    }

    pub(super) fn remove(&mut self, ord: ConceptOrd) {
        if let Some(word) = self.0.get_mut(ord.index() / 64) {
            *word &= !(1 << (ord.0 % 64));
        }
    }

    /// The concepts, ascending.
    pub(super) fn ords(&self) -> impl Iterator<Item = ConceptOrd> {
        (0u32..).step_by(64).zip(&self.0).flat_map(|(first, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros();
                left &= left.checked_sub(1)?;
                Some(ConceptOrd(first + bit))
            })
        })
    }
}
