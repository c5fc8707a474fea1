use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use tantivy::{DocId, Score};

/// How far two sums of the same numbers may lie apart, relative to the sum.
///
/// tantivy adds the terms of a document in the order in which its postings happen to stand, so two
/// equal documents can differ in the last bits of an f32: by n·2⁻²⁴ at most, and this allows n = 64.
const SLACK: Score = 4e-6;

/// How many ties with the k-th document are kept, as a multiple of k, the k themselves included.
pub(super) const TIES: usize = 4;

/// Collects the best k documents and those that may tie with the k-th, while telling the engine
/// which scores cannot matter anymore.
///
/// Documents come in ascending order, so of too many ties the first ones are the ones to keep.
#[derive(Debug)]
pub(super) struct Ties {
    k: usize,
    best: BinaryHeap<Reverse<Ordered>>,
    kept: Vec<(DocId, Score)>,
    /// The k-th score at which there were already more ties than are kept.
    full_at: Option<Score>,
}

impl Ties {
    /// For the best `k` documents, `k` at least 1.
    pub(super) fn new(k: usize) -> Self {
        Self { k, best: BinaryHeap::new(), kept: Vec::new(), full_at: None }
    }

    /// Takes a document above the threshold; answers the new threshold, which a score must exceed.
    pub(super) fn push(&mut self, document: DocId, score: Score) -> Score {
        self.kept.push((document, score));
        if self.best.len() < self.k {
            self.best.push(Reverse(Ordered(score)));
        } else if let Some(mut kth) = self.best.peek_mut().filter(|kth| kth.0.0 < score) {
            *kth = Reverse(Ordered(score));
        }
        if self.kept.len() >= self.limit().saturating_mul(2) {
            self.forget();
        }
        self.threshold()
    }

    /// The score that the next document must exceed.
    pub(super) fn threshold(&self) -> Score {
        let kth = self.kth();
        let full = self.full_at.is_some_and(|at| kth <= at * (1.0 + SLACK));
        if full { kth } else { floor(kth) }
    }

    /// The documents that may be among the best, in ascending order.
    pub(super) fn into_documents(mut self) -> Vec<DocId> {
        let floor = floor(self.kth());
        self.kept.retain(|(_, score)| *score >= floor);
        self.kept.into_iter().map(|(document, _)| document).collect()
    }

    fn kth(&self) -> Score {
        match self.best.peek() {
            Some(Reverse(Ordered(score))) if self.best.len() == self.k => *score,
            _ => Score::MIN,
        }
    }

    fn limit(&self) -> usize {
        self.k.saturating_mul(TIES)
    }

    /// Drops the documents that fell behind, and the last of the ties when there are too many.
    fn forget(&mut self) {
        let kth = self.kth();
        let floor = floor(kth);
        self.kept.retain(|(_, score)| *score >= floor);
        if self.kept.len() > self.limit() {
            let above = kth * (1.0 + SLACK);
            let mut room =
                self.limit() - self.kept.iter().filter(|(_, score)| *score > above).count();
            self.kept.retain(|(_, score)| {
                let tie = *score <= above;
                let keep = !tie || room > 0;
                room -= usize::from(tie && keep);
                keep
            });
            self.full_at = Some(kth);
        }
    }
}

/// The lowest score that may be a tie with this one.
fn floor(kth: Score) -> Score {
    if kth == Score::MIN { kth } else { kth * (1.0 - SLACK) }
}

/// A score with the total order of floats.
#[derive(Debug, Clone, Copy)]
struct Ordered(Score);

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ordered {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ordered {}
