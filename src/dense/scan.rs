//! Exact search: every row of the small copy, then the few that may be among the best.

use std::ops::Range;

use rayon::prelude::*;

use crate::terminology::ConceptOrd;

use super::best::{Best, Shared};
use super::kernel::{BLOCK, Group, Hit, Probe};
use super::matrix::Copied;
use super::quantize::Direction;
use super::{DenseError, Matrix, Nearest};

/// Says which concepts may be found. Asked about few concepts more than once, and not about most.
pub type ConceptFilter<'a> = dyn Fn(ConceptOrd) -> bool + Sync + 'a;

/// Bytes of the small copy below which one thread scans all of it sooner than others wake up.
const ONE_THREAD: usize = 10 << 20;

/// Bytes of the small copy that a thread scans at a time.
const LEG: usize = 2 << 20;

/// Bytes of the small copy between two looks at the threshold: they stay in the nearest caches while
/// several queries are compared with them.
const STRIP: usize = 64 << 10;

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
        Ok(self.top_k_of(&[self.direction(query)?], k, filter).pop().unwrap_or_default())
    }

    /// [`Matrix::top_k`] of several queries, in their order, for little more than the time of one:
    /// the rows are read once.
    ///
    /// # Errors
    /// As [`Matrix::top_k`], for the first query that cannot be compared.
    pub fn top_k_batch(
        &self,
        queries: &[&[f32]],
        k: usize,
        filter: Option<&ConceptFilter<'_>>,
    ) -> Result<Vec<Vec<Nearest>>, DenseError> {
        let directions = queries.iter().map(|query| self.direction(query));
        Ok(self.top_k_of(&directions.collect::<Result<Vec<_>, _>>()?, k, filter))
    }

    /// [`Matrix::top_k_batch`] for queries that are compared with single concepts too.
    #[must_use]
    pub fn top_k_of(
        &self,
        queries: &[Direction],
        k: usize,
        filter: Option<&ConceptFilter<'_>>,
    ) -> Vec<Vec<Nearest>> {
        let k = k.min(self.concepts());
        let Some(copy) = self.copy.as_ref().filter(|_| k > 0) else {
            return vec![Vec::new(); queries.len()];
        };
        let probes = queries.iter().map(|query| query.probe(copy.axes(), copy.longest)).collect();
        let shared = queries.iter().map(|_| Shared::new()).collect();
        let scan = Scan { matrix: self, copy, queries, probes, shared, filter };
        let new = || Pools::new(k, queries.len());
        let tour = Tour::new(copy, self.rows());
        let pools = if tour.bytes() <= ONE_THREAD || rayon::current_num_threads() == 1 {
            (0..tour.legs).fold(new(), |pools, leg| scan.leg(&tour, leg, pools))
        } else {
            let legs = (0..tour.legs).into_par_iter();
            legs.fold(new, |pools, leg| scan.leg(&tour, leg, pools)).reduce(new, Pools::merged)
        };
        scan.finish(pools)
    }
}

/// The order in which strips are scanned. Each leg goes through all of the matrix, since what is
/// near to a query lies together, and the sooner some of it is seen, the less is scored.
struct Tour {
    blocks: usize,
    /// Blocks in a strip.
    step: usize,
    legs: usize,
    block_bytes: usize,
}

impl Tour {
    fn new(copy: &Copied, rows: usize) -> Self {
        let block_bytes = copy.width * size_of::<Group>();
        let step = (STRIP / block_bytes).max(1);
        let blocks = copy.blocks().min(rows.div_ceil(BLOCK));
        let legs = (blocks * block_bytes).div_ceil(LEG).max(1);
        Self { blocks, step, legs, block_bytes }
    }

    fn bytes(&self) -> usize {
        self.blocks * self.block_bytes
    }

    /// The blocks of each strip of a leg.
    fn strips(&self, leg: usize) -> impl Iterator<Item = Range<usize>> {
        let starts = (leg * self.step..self.blocks).step_by(self.legs * self.step);
        starts.map(|from| from..self.blocks.min(from + self.step))
    }
}

struct Scan<'a> {
    matrix: &'a Matrix,
    copy: &'a Copied,
    queries: &'a [Direction],
    probes: Vec<Probe>,
    shared: Vec<Shared>,
    filter: Option<&'a ConceptFilter<'a>>,
}

impl Scan<'_> {
    /// Compares the blocks of a leg with all queries.
    fn leg(&self, tour: &Tour, leg: usize, mut pools: Pools) -> Pools {
        let mut hits: Vec<Vec<Hit>> = vec![Vec::new(); self.probes.len()];
        let mut thresholds: Vec<f32> = Vec::with_capacity(self.probes.len());
        for blocks in tour.strips(leg) {
            thresholds.clear();
            thresholds.extend(
                pools
                    .0
                    .iter()
                    .zip(&self.shared)
                    .map(|(pool, shared)| Self::to_reach(shared.raised_to(pool.best.threshold()))),
            );
            let first = blocks.start * BLOCK;
            let strip = self.copy.strip(blocks);
            self.matrix.kernel().sweep(strip, &self.probes, &thresholds, &mut hits);
            for (query, (hits, pool)) in hits.iter_mut().zip(&mut pools.0).enumerate() {
                self.look_at(query, first, hits, pool);
            }
        }
        pools
    }

    /// What a bound must reach: cosines are not below −1, though bounds may be.
    fn to_reach(threshold: f32) -> f32 {
        if threshold <= -1.0 { f32::NEG_INFINITY } else { threshold }
    }

    /// Scores the rows that are likely among the best, which raises the threshold for the others.
    /// What may be among them is kept for the end, when fewer may.
    fn look_at(&self, query: usize, first: usize, hits: &mut Vec<Hit>, pool: &mut Pool) {
        let mut threshold = pool.best.threshold();
        for hit in hits.drain(..) {
            let Ok(row) = u32::try_from(first + hit.row as usize) else { continue };
            let is_below = hit.upper < Self::to_reach(threshold);
            if is_below || row as usize >= self.matrix.rows() {
                continue;
            }
            let is_likely = hit.middle >= threshold;
            if is_likely {
                self.score(query, row, pool);
                threshold = pool.best.threshold();
            } else {
                pool.later.push((row, hit.upper));
            }
        }
    }

    fn score(&self, query: usize, row: u32, pool: &mut Pool) {
        let mut wanted = self.matrix.concepts_of(row).filter(|concept| self.allows(*concept));
        let Some(first) = wanted.next() else { return };
        let Some(direction) = self.queries.get(query) else { return };
        let cosine = self.matrix.cosine(row, direction);
        for concept in std::iter::once(first).chain(wanted) {
            pool.best.offer(Nearest { concept, row, cosine });
        }
    }

    fn allows(&self, concept: ConceptOrd) -> bool {
        self.filter.is_none_or(|allows| allows(concept))
    }

    /// Scores what was kept and may still be among the best.
    fn finish(&self, pools: Pools) -> Vec<Vec<Nearest>> {
        let finished = |(query, mut pool): (usize, Pool)| {
            for (row, upper) in std::mem::take(&mut pool.later) {
                let is_below = upper < Self::to_reach(pool.best.threshold());
                if !is_below {
                    self.score(query, row, &mut pool);
                }
            }
            pool.best.into_sorted()
        };
        pools.0.into_iter().enumerate().map(finished).collect()
    }
}

/// What one thread has found for each query.
struct Pools(Vec<Pool>);

struct Pool {
    best: Best,
    /// Rows that may be among the best but are not likely to, and the most their cosine can be.
    later: Vec<(u32, f32)>,
}

impl Pools {
    fn new(k: usize, queries: usize) -> Self {
        Self((0..queries).map(|_| Pool { best: Best::new(k), later: Vec::new() }).collect())
    }

    fn merged(mut self, other: Self) -> Self {
        for (pool, other) in self.0.iter_mut().zip(other.0) {
            pool.best.merge(&other.best);
            pool.later.extend(other.later);
        }
        self
    }
}
