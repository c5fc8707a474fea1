//! Which concepts a walk has met.

use crate::terminology::ConceptOrd;

use super::bits::Bits;

/// A place of the table that is free. It is no ord: an index has fewer concepts.
const FREE: u32 = u32::MAX;

/// Places of the first table. A walk up from a concept of SNOMED CT meets 30 concepts on average.
const FIRST_PLACES: usize = 64;

/// Words that are cleared in the time in which a place of a table is looked at, at a cautious guess:
/// clearing goes through memory in order, 32 bytes a cycle, where the table jumps.
const WORDS_A_PLACE: usize = 16;

/// A set of ords that costs what it holds, not what the index holds: a table while they are few, one
/// bit for each concept of the index once clearing those takes no longer than a larger table.
#[derive(Debug)]
pub(super) struct Seen {
    concepts: usize,
    count: usize,
    kept: Kept,
}

#[derive(Debug)]
enum Kept {
    /// Open addressing; half of the places are free at least. Their number is a power of two.
    Few(Vec<u32>),
    /// A bit for each ord.
    Many(Bits),
}

impl Seen {
    /// Of an index with so many concepts, none.
    pub(super) fn new(concepts: usize) -> Self {
        Self { concepts, count: 0, kept: Kept::Few(vec![FREE; FIRST_PLACES]) }
    }

    /// Adds an ord of the index; whether it is new.
    pub(super) fn insert(&mut self, ord: ConceptOrd) -> bool {
        let is_new = self.kept.insert(ord.0);
        self.count += usize::from(is_new);
        if is_new {
            self.make_room();
        }
        is_new
    }

    /// The ords in their order, where a bit is kept for each and a list needs no sorting.
    pub(super) fn in_order(&self) -> Option<Vec<ConceptOrd>> {
        let Kept::Many(bits) = &self.kept else { return None };
        let mut ords = Vec::with_capacity(self.count);
        ords.extend(bits.ords());
        Some(ords)
    }

    fn make_room(&mut self) {
        let Kept::Few(places) = &self.kept else { return };
        if self.count * 2 < places.len() {
            return;
        }
        let words = self.concepts.div_ceil(64);
        let mut roomier = if words <= places.len() * WORDS_A_PLACE {
            Kept::Many(Bits::new(self.concepts))
        } else {
            Kept::Few(vec![FREE; places.len() * 2])
        };
        for ord in places.iter().filter(|ord| **ord != FREE) {
            roomier.insert(*ord);
        }
        self.kept = roomier;
    }
}

impl Kept {
    fn insert(&mut self, ord: u32) -> bool {
        match self {
            Self::Few(places) => {
                let last = places.len() - 1;
                // Multiplication by 2^32 over the golden ratio spreads neighbors far apart (D. Knuth,
                // The Art of Computer Programming, volume 3, section 6.4).
                let mut at = (ord.wrapping_mul(0x9e37_79b9) >> 8) as usize & last;
                loop {
                    match places[at] {
                        FREE => {
                            places[at] = ord;
                            return true;
                        }
                        known if known == ord => return false,
                        _ => at = (at + 1) & last,
                    }
                }
            }
            Self::Many(bits) => bits.insert(ConceptOrd(ord)),
        }
    }
}
