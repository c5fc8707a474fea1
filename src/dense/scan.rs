//! Exact search: every row of the small copy, then the few that may be among the best.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::atomic::{AtomicI32, Ordering};

use rayon::prelude::*;

use crate::terminology::ConceptOrd;

use super::kernel::{dot_i8, tier_width};
use super::quantize::{Direction, Query, RowCode};
use super::{DenseError, Matrix, Nearest};

/// Says which concepts may be found. Asked about few concepts more than once, and not about most.
pub type ConceptFilter<'a> = dyn Fn(ConceptOrd) -> bool + Sync + 'a;

/// Bytes of the small copy below which one thread scans all of it sooner than others wake up.
const ONE_THREAD: usize = 10 << 20;

/// Bytes of the small copy that a thread scans at a time.
const CHUNK: usize = 2 << 20;

impl Matrix {
    /// The `k` concepts nearest to a query, each by its nearest row: all of them exact, the nearest
    /// first, and of equally near ones the lower ord first.
    ///
    /// # Errors
    /// [`DenseError::Dimension`] or [`DenseError::Query`] for a query that cannot be compared.
    pub fn top_k(
        &self,
        query: &[f32],
        k: usize,
        filter: Option<&ConceptFilter<'_>>,
    ) -> Result<Vec<Nearest>, DenseError> {
        let direction = Direction::new(query, self.dimension())?;
        let k = k.min(self.concepts());
        if k == 0 {
            return Ok(Vec::new());
        }
        let width = tier_width(self.dimension());
        let query = Query::new(direction, width);
        let scan = Scan { matrix: self, query: &query, k, filter };
        let pool = if self.rows() * width <= ONE_THREAD || rayon::current_num_threads() == 1 {
            let mut pool = Pool::new(k);
            scan.rows(0..self.rows(), &mut pool, &Shared::new());
            pool
        } else {
            let shared = Shared::new();
            let step = (CHUNK / width).max(1);
            (0..self.rows().div_ceil(step))
                .into_par_iter()
                .map(|chunk| chunk * step..self.rows().min((chunk + 1) * step))
                .fold(
                    || Pool::new(k),
                    |mut pool, rows| {
                        scan.rows(rows, &mut pool, &shared);
                        pool
                    },
                )
                .reduce(|| Pool::new(k), Pool::merged)
        };
        Ok(scan.finish(&pool))
    }
}

struct Scan<'a> {
    matrix: &'a Matrix,
    query: &'a Query<'a>,
    k: usize,
    filter: Option<&'a ConceptFilter<'a>>,
}

impl Scan<'_> {
    fn allows(&self, concept: ConceptOrd) -> bool {
        self.filter.is_none_or(|allows| allows(concept))
    }

    /// Adds the rows that may be among the best to the pool.
    fn rows(&self, rows: Range<usize>, pool: &mut Pool, shared: &Shared) {
        let width = tier_width(self.matrix.dimension());
        let slice = |range: Range<usize>| self.matrix.codes.get(range).unwrap_or_default();
        let codes = slice(rows.start * width..rows.end * width).chunks_exact(width);
        let scales = self.matrix.scales.get(rows.clone()).unwrap_or_default();
        let errors = self.matrix.errors.get(rows.clone()).unwrap_or_default();
        let mut threshold = pool.best.threshold().max(shared.threshold());

        for (((codes, scale), error), row) in codes.zip(scales).zip(errors).zip(rows) {
            let dot = dot_i8(codes, &self.query.codes);
            let estimate = self.query.estimate(dot, RowCode { scale: *scale, error: *error });
            if estimate.upper < threshold {
                continue;
            }
            let Ok(row) = u32::try_from(row) else { continue };
            let mut is_wanted = false;
            for concept in self.matrix.concepts_of(row).filter(|concept| self.allows(*concept)) {
                is_wanted = true;
                pool.best.offer(concept, estimate.lower);
            }
            if is_wanted {
                pool.candidates.push(Candidate { row, upper: estimate.upper });
                threshold = pool.best.threshold().max(shared.raised_to(threshold));
            }
        }
        shared.raised_to(pool.best.threshold());
    }

    /// Scores what is left of the candidates, and keeps the best row of each concept.
    fn finish(&self, pool: &Pool) -> Vec<Nearest> {
        let threshold = pool.best.threshold();
        let mut found: Vec<Nearest> = Vec::new();
        for candidate in &pool.candidates {
            // Not `>=`: a bound that damage made not a number proves nothing.
            if candidate.upper < threshold {
                continue;
            }
            let row = candidate.row;
            let cosine = self.matrix.cosine(row, self.query.direction);
            let concepts = self.matrix.concepts_of(row).filter(|concept| self.allows(*concept));
            found.extend(concepts.map(|concept| Nearest { concept, row, cosine }));
        }
        let order = |one: &Nearest| (Reverse(order_key(one.cosine)), one.concept, one.row);
        found.sort_unstable_by_key(|one| (one.concept, order(one)));
        found.dedup_by_key(|one| one.concept);
        found.sort_unstable_by_key(order);
        found.truncate(self.k);
        found
    }
}

/// A row that may be among the best, and the most its cosine can be.
struct Candidate {
    row: u32,
    upper: f32,
}

/// What one thread has found.
struct Pool {
    candidates: Vec<Candidate>,
    best: Best,
}

impl Pool {
    fn new(k: usize) -> Self {
        Self { candidates: Vec::new(), best: Best::new(k) }
    }

    fn merged(mut self, other: Self) -> Self {
        self.candidates.extend(other.candidates);
        for (key, concept) in other.best.order {
            self.best.offer_key(concept, key);
        }
        self
    }
}

/// The `k` concepts with the highest lower bounds seen. No concept whose upper bound is below the
/// lowest of these can be among the `k` nearest.
struct Best {
    k: usize,
    keys: HashMap<ConceptOrd, i32>,
    order: BTreeSet<(i32, ConceptOrd)>,
}

impl Best {
    fn new(k: usize) -> Self {
        Self { k, keys: HashMap::new(), order: BTreeSet::new() }
    }

    fn threshold(&self) -> f32 {
        match self.order.first() {
            Some((key, _)) if self.order.len() >= self.k => from_order_key(*key),
            _ => f32::NEG_INFINITY,
        }
    }

    fn offer(&mut self, concept: ConceptOrd, lower: f32) {
        if lower.is_finite() {
            self.offer_key(concept, order_key(lower));
        }
    }

    fn offer_key(&mut self, concept: ConceptOrd, key: i32) {
        if let Some(old) = self.keys.get(&concept).copied() {
            if key <= old {
                return;
            }
            self.order.remove(&(old, concept));
        } else if self.order.len() >= self.k {
            match self.order.first().copied() {
                Some((lowest, loser)) if key > lowest => {
                    self.order.remove(&(lowest, loser));
                    self.keys.remove(&loser);
                }
                _ => return,
            }
        }
        self.keys.insert(concept, key);
        self.order.insert((key, concept));
    }
}

/// The highest threshold that any thread has reached. It only saves work: which rows a thread sees
/// first changes the candidates, and never the answer.
struct Shared(AtomicI32);

impl Shared {
    fn new() -> Self {
        Self(AtomicI32::new(order_key(f32::NEG_INFINITY)))
    }

    fn threshold(&self) -> f32 {
        from_order_key(self.0.load(Ordering::Relaxed))
    }

    fn raised_to(&self, threshold: f32) -> f32 {
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
