use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicI32, Ordering};

use crate::terminology::ConceptOrd;

use super::Nearest;

/// The `k` nearest concepts seen, each by its nearest row. Whatever the order they come in, these
/// are the same ones: nearer first, then the lower ord, and of rows as near the first.
#[derive(Debug)]
pub(super) struct Best {
    k: usize,
    rows: HashMap<ConceptOrd, (i32, u32)>,
    order: BTreeSet<(i32, Reverse<ConceptOrd>)>,
}

impl Best {
    pub(super) fn new(k: usize) -> Self {
        Self { k, rows: HashMap::new(), order: BTreeSet::new() }
    }

    /// The cosine below which nothing is among the `k` nearest.
    pub(super) fn threshold(&self) -> f32 {
        match self.order.first() {
            Some((key, _)) if self.order.len() >= self.k => from_order_key(*key),
            _ => f32::NEG_INFINITY,
        }
    }

    pub(super) fn offer(&mut self, one: Nearest) {
        self.offer_key(one.concept, order_key(one.cosine), one.row);
    }

    fn offer_key(&mut self, concept: ConceptOrd, key: i32, row: u32) {
        let is_full = self.order.len() >= self.k;
        // Most are no better than the last of them, whether or not they are among them.
        if is_full && self.order.first().is_none_or(|last| (key, Reverse(concept)) < *last) {
            return;
        }
        if let Some((old, old_row)) = self.rows.get(&concept).copied() {
            if (key, Reverse(row)) > (old, Reverse(old_row)) {
                self.order.remove(&(old, Reverse(concept)));
                self.order.insert((key, Reverse(concept)));
                self.rows.insert(concept, (key, row));
            }
            return;
        }
        if is_full {
            match self.order.first().copied() {
                Some(lowest) if (key, Reverse(concept)) > lowest => {
                    self.order.remove(&lowest);
                    self.rows.remove(&lowest.1.0);
                }
                _ => return,
            }
        }
        self.rows.insert(concept, (key, row));
        self.order.insert((key, Reverse(concept)));
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (concept, (key, row)) in &other.rows {
            self.offer_key(*concept, *key, *row);
        }
    }

    /// Nearest first.
    pub(super) fn into_sorted(self) -> Vec<Nearest> {
        let nearest = |(key, Reverse(concept)): &(i32, Reverse<ConceptOrd>)| {
            let (_, row) = self.rows.get(concept)?;
            Some(Nearest { concept: *concept, row: *row, cosine: from_order_key(*key) })
        };
        self.order.iter().rev().filter_map(nearest).collect()
    }
}

/// The highest threshold that any thread has reached. It only saves work: which rows a thread sees
/// first changes what is scored, and never the answer.
#[derive(Debug)]
pub(super) struct Shared(AtomicI32);

impl Shared {
    pub(super) fn new() -> Self {
        Self(AtomicI32::new(order_key(f32::NEG_INFINITY)))
    }

    pub(super) fn raised_to(&self, threshold: f32) -> f32 {
        let key = order_key(threshold);
        from_order_key(self.0.fetch_max(key, Ordering::Relaxed).max(key))
    }
}

/// A whole number that is ordered as [`f32::total_cmp`] orders, and its own inverse.
fn order_key(value: f32) -> i32 {
    let bits = value.to_bits().cast_signed();
    bits ^ ((bits >> 31).cast_unsigned() >> 1).cast_signed()
}

fn from_order_key(key: i32) -> f32 {
    let bits = key ^ ((key >> 31).cast_unsigned() >> 1).cast_signed();
    f32::from_bits(bits.cast_unsigned())
}
