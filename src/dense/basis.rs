//! The directions in which rows differ most, and how many of them are worth copying.

use half::f16;
use half::slice::HalfFloatSliceExt;

use super::kernel::Kernel;
use super::quantize::projection_rounding;

/// What the copy of a matrix is made of: a mean, and orthonormal directions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axes<'a> {
    /// The mean of the rows.
    pub(super) mean: &'a [f32],
    /// The directions, one after the other; empty where they are those of the rows' own numbers.
    pub(super) basis: &'a [f32],
    /// ‖VVᵀ − 1‖, rounded up.
    pub(super) skew: f32,
}

impl Axes<'_> {
    /// Whether nothing is left over.
    pub(super) fn is_whole(&self) -> bool {
        self.basis.is_empty()
    }

    /// How many directions there are.
    pub(super) fn width(&self) -> usize {
        let dim = self.mean.len().max(1);
        if self.is_whole() { dim } else { self.basis.len() / dim }
    }

    pub(super) fn skew(&self) -> f64 {
        f64::from(self.skew)
    }

    /// How far [`Axes::project`] may be off for a vector of unit length.
    pub(super) fn rounding(&self) -> f64 {
        // A centered number was rounded too.
        let width = if self.is_whole() { 0 } else { self.width() };
        projection_rounding(self.mean.len(), width) + 2f64.powi(-23)
    }

    pub(super) fn project(&self, row: &[f32], onto: &mut [f32]) {
        if self.is_whole() {
            onto.copy_from_slice(row);
        } else {
            Kernel::best().project(self.basis, row, onto);
        }
    }

    /// The products of a query with the directions, as exact as f64 makes them.
    pub(super) fn project_query(&self, query: &[f64]) -> Vec<f64> {
        if self.is_whole() {
            return query.to_vec();
        }
        let product = |axis: &[f32]| {
            let mut sums = [0f64; 16];
            for (axis, query) in axis.chunks(sums.len()).zip(query.chunks(sums.len())) {
                for ((sum, axis), query) in sums.iter_mut().zip(axis).zip(query) {
                    *sum += f64::from(*axis) * query;
                }
            }
            sums.iter().sum()
        };
        self.basis.chunks_exact(self.mean.len()).map(product).collect()
    }
}

/// Rows looked at to find out in which directions they differ.
const SAMPLE: usize = 4096;
/// Times the directions are turned towards those in which the rows differ most. Any orthonormal ones
/// are right; better ones leave less over.
const TURNS: usize = 8;
/// Sizes of the copy in which all numbers of a row are copied as they are: below it, a scan is as
/// quick as turning the query.
const SMALL: usize = 4 << 20;
/// The nearest rows that a search is expected to ask for.
const EXPECTED_K: usize = 100;
/// Made-up queries to measure survivors with.
const PROBES: usize = 24;
/// Bytes of the copy that are scanned in the time that one row is scored exactly: a row is twelve
/// cache lines from anywhere.
const ROW_COST: f64 = 8192.0;
/// Widths come in steps of so many directions.
const STEP: usize = 32;

/// A mean and directions.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Basis {
    pub(super) mean: Vec<f32>,
    pub(super) axes: Vec<f32>,
    pub(super) skew: f32,
}

impl Basis {
    pub(super) fn axes(&self) -> Axes<'_> {
        Axes { mean: &self.mean, basis: &self.axes, skew: self.skew }
    }

    /// What is best for these rows.
    pub(super) fn of(rows: &[f16], dim: usize) -> Self {
        if rows.len() < SMALL {
            return Self::whole(rows, dim);
        }
        let most = (dim * 3 / 4) / STEP * STEP;
        if most == 0 {
            return Self::whole(rows, dim);
        }
        let widest = Self::of_width(rows, dim, most);
        match widest.best_width(rows, dim) {
            Some(width) => {
                let axes = widest.axes.get(..width * dim).unwrap_or_default().to_vec();
                let skew = skew(&axes, dim);
                Self { axes, skew, ..widest }
            }
            None => Self { axes: Vec::new(), skew: 0.0, ..widest },
        }
    }

    /// The rows' own numbers.
    pub(super) fn whole(rows: &[f16], dim: usize) -> Self {
        Self { mean: mean(&sample(rows, dim), dim), axes: Vec::new(), skew: 0.0 }
    }

    /// So many directions, those of the largest differences first.
    pub(super) fn of_width(rows: &[f16], dim: usize, width: usize) -> Self {
        let mut sample = sample(rows, dim);
        let mean = mean(&sample, dim);
        for row in sample.chunks_exact_mut(dim) {
            row.iter_mut().zip(&mean).for_each(|(value, mean)| *value -= mean);
        }
        let mut axes = principal(&covariance(&sample, dim), dim, width.min(dim));
        // Rows that differ in fewer directions leave none for the last ones.
        let full = axes.chunks_exact(dim).take_while(|axis| axis.iter().any(|v| *v != 0.0)).count();
        axes.truncate(full * dim);
        let skew = skew(&axes, dim);
        Self { mean, axes, skew }
    }

    /// The width with which a scan and the rows that survive it cost least; `None` where that is
    /// all there is.
    ///
    /// Survivors are counted among a sample of the rows, for made-up queries.
    fn best_width(&self, rows: &[f16], dim: usize) -> Option<usize> {
        let sample = sample(rows, dim);
        let (count, most) = (sample.len() / dim, self.axes.len() / dim);
        if most < STEP {
            return None;
        }
        let k = (EXPECTED_K * count * dim).div_ceil(rows.len()).max(2);
        let widths: Vec<usize> = (STEP..=most).step_by(STEP).collect();
        let mut projected = vec![0f32; most * count];
        let mut wholes = Vec::with_capacity(count);
        let mut centered = vec![0f32; dim];
        for (row, onto) in sample.chunks_exact(dim).zip(projected.chunks_exact_mut(most)) {
            centered.copy_from_slice(row);
            centered.iter_mut().zip(&self.mean).for_each(|(value, mean)| *value -= mean);
            wholes.push(dot(&centered, &centered));
            self.axes().project(&centered, onto);
        }
        let mut survivors = vec![0usize; widths.len()];
        for at in 0..PROBES {
            let query = made_up(&sample, dim, at);
            let cosines: Vec<f32> = sample.chunks_exact(dim).map(|row| dot(row, &query)).collect();
            let mut sorted = cosines.clone();
            sorted.sort_unstable_by(|a, b| b.total_cmp(a));
            let threshold = sorted.get(k - 1).copied().unwrap_or(-1.0);
            let base = dot(&self.mean, &query);
            let mut seen = vec![0f32; most];
            self.axes().project(&query, &mut seen);
            for (row, whole) in projected.chunks_exact(most).zip(&wholes) {
                let (mut product, mut row_seen, mut query_seen) = (base, 0f32, 0f32);
                for (width, survivors) in widths.iter().zip(&mut survivors) {
                    let part = width - STEP..*width;
                    product += dot(&row[part.clone()], &seen[part.clone()]);
                    row_seen += dot(&row[part.clone()], &row[part.clone()]);
                    query_seen += dot(&seen[part.clone()], &seen[part]);
                    let tail = (whole - row_seen).max(0.0) * (1.0 - query_seen).max(0.0);
                    // Copies in 8 bits are this far off, all in all.
                    *survivors += usize::from(product + tail.sqrt() + 0.012 >= threshold);
                }
            }
        }
        let compared = (PROBES * count) as f64;
        let cost =
            |width: usize, survivors: usize| width as f64 + ROW_COST * survivors as f64 / compared;
        let costs = widths.iter().zip(&survivors).map(|(width, n)| (*width, cost(*width, *n)));
        let best = costs.min_by(|a, b| a.1.total_cmp(&b.1));
        best.filter(|(_, cost)| *cost < dim as f64 * 0.9).map(|(width, _)| width)
    }
}

/// Rows from all over the matrix, widened.
fn sample(rows: &[f16], dim: usize) -> Vec<f32> {
    let count = rows.len() / dim;
    let step = count.div_ceil(SAMPLE).max(1);
    let taken = rows.chunks_exact(dim).step_by(step);
    let mut sample = vec![0f32; taken.len() * dim];
    for (wide, row) in sample.chunks_exact_mut(dim).zip(taken) {
        row.convert_to_f32_slice(wide);
    }
    sample
}

fn mean(rows: &[f32], dim: usize) -> Vec<f32> {
    let mut sums = vec![0f64; dim];
    for row in rows.chunks_exact(dim) {
        sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += f64::from(*value));
    }
    let count = (rows.len() / dim).max(1) as f64;
    sums.into_iter().map(|sum| (sum / count) as f32).collect()
}

/// A row, moved so far in a direction of its own that its nearest rows are as far from it as those
/// of what people ask for are: of all ways tried to make up queries, the one in which as many rows
/// survive as with real ones, at every width.
fn made_up(sample: &[f32], dim: usize, at: usize) -> Vec<f32> {
    const MOVED: f32 = 0.9;
    let count = sample.len() / dim;
    let row = &sample[(at * 7919 + 13) % count * dim..][..dim];
    let mut numbers = Numbers(at as u64);
    let noise: Vec<f32> = row.iter().map(|_| numbers.next()).collect();
    let factor = MOVED / dot(&noise, &noise).sqrt().max(f32::MIN_POSITIVE);
    let mut moved: Vec<f32> = row.iter().zip(&noise).map(|(row, n)| row + factor * n).collect();
    normalize(&mut moved);
    moved
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
struct Numbers(u64);

impl Numbers {
    /// The sum of eight bytes: near enough to a normal distribution for a direction.
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        let bytes = (z ^ z >> 31).to_le_bytes();
        bytes.iter().map(|byte| f32::from(*byte) - 127.5).sum()
    }
}

/// How much each two numbers of the rows differ together.
fn covariance(centered: &[f32], dim: usize) -> Vec<f32> {
    let mut sums = vec![0f32; dim * dim];
    for row in centered.chunks_exact(dim) {
        for (sums, value) in sums.chunks_exact_mut(dim).zip(row) {
            sums.iter_mut().zip(row).for_each(|(sum, other)| *sum += value * other);
        }
    }
    sums
}

/// The directions of the largest differences: orthonormal ones, turned towards them again and again
/// (orthogonal iteration).
fn principal(covariance: &[f32], dim: usize, width: usize) -> Vec<f32> {
    // From the numbers that differ most on.
    let mut order: Vec<usize> = (0..dim).collect();
    order.sort_by(|a, b| covariance[b * dim + b].total_cmp(&covariance[a * dim + a]));
    let mut axes = vec![0f32; width * dim];
    for (axis, at) in axes.chunks_exact_mut(dim).zip(order) {
        axis[at] = 1.0;
    }
    let mut turned = axes.clone();
    for _ in 0..TURNS {
        for (turned, axis) in turned.chunks_exact_mut(dim).zip(axes.chunks_exact(dim)) {
            Kernel::best().project(covariance, axis, turned);
        }
        orthonormalize(&mut turned, dim);
        std::mem::swap(&mut axes, &mut turned);
    }
    axes
}

/// Takes from each direction what those before it have of it, twice, because once leaves the
/// rounding of a large difference (Gram and Schmidt). One that has nothing left is put out.
fn orthonormalize(axes: &mut [f32], dim: usize) {
    for at in 0..axes.len() / dim {
        let (before, rest) = axes.split_at_mut(at * dim);
        let axis = &mut rest[..dim];
        normalize(axis);
        for _ in 0..2 {
            for other in before.chunks_exact(dim) {
                let product = dot(axis, other);
                axis.iter_mut().zip(other).for_each(|(value, other)| *value -= product * other);
            }
            normalize(axis);
        }
    }
}

fn normalize(axis: &mut [f32]) {
    let length = dot(axis, axis).sqrt();
    let factor = if length > 1e-20 { 1.0 / length } else { 0.0 };
    axis.iter_mut().for_each(|value| *value *= factor);
}

/// How far directions are from orthonormal ones: the length of all products that should be none,
/// rounded up.
fn skew(axes: &[f32], dim: usize) -> f32 {
    let mut sum = 0f64;
    for (at, axis) in axes.chunks_exact(dim).enumerate() {
        for (other_at, other) in axes.chunks_exact(dim).enumerate().take(at + 1) {
            let product: f64 =
                axis.iter().zip(other).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
            let twice = if at == other_at { 1.0 } else { 2.0 };
            sum += twice * (product - f64::from(u8::from(at == other_at))).powi(2);
        }
    }
    super::quantize::rounded_up(sum.sqrt())
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sum = [0f32];
    Kernel::best().project(a, b, &mut sum);
    sum[0]
}
