//! The sums the search spends its time in, and which instructions add them up.
//!
//! Every kernel here has the same answer to the last bit on every machine: the sums over bytes are
//! whole numbers, and the sums over floats are added up in one fixed order.

use half::f16;
use half::slice::HalfFloatSliceExt;

#[cfg(target_arch = "x86_64")]
use super::simd;

/// Dimensions a matrix may have. Whole-number sums stay below 2³¹ for all of them.
pub(super) const MAX_DIMENSION: usize = 8192;

/// Rows in a block of the copy that is scanned.
pub(super) const BLOCK: usize = 16;

/// Numbers of each row that lie together in a block.
pub(super) const GROUP: usize = 4;

/// Queries that are multiplied with a block while it is in the registers.
const TOGETHER: usize = 4;

/// Four numbers of each of sixteen rows, each plus 128: what one multiplication of 64 bytes takes.
pub(super) type Group = [u8; BLOCK * GROUP];

/// One number for each row of a block.
pub(super) type OfBlock<T> = [T; BLOCK];

/// Which instructions add up. All give the same answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kernel {
    /// What every machine has.
    Portable,
    /// AVX2 with F16C and FMA.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 with VNNI.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Neighboring blocks of the copy that is scanned. The slices are as long as each other's blocks.
#[derive(Clone, Copy)]
pub(super) struct Strip<'a> {
    /// The groups of each block, one block after the other.
    pub(super) groups: &'a [Group],
    /// Groups in a block.
    pub(super) width: usize,
    /// What a code of a row is worth.
    pub(super) scales: &'a [OfBlock<f32>],
    /// How far a row is from its copy, in the dimensions that are copied.
    pub(super) errors: &'a [OfBlock<f32>],
    /// How long a row is in the dimensions that are not.
    pub(super) tails: &'a [OfBlock<f32>],
}

/// A query as the copy is asked for it.
#[derive(Debug, Clone, Default)]
pub(super) struct Probe {
    /// Its whole-number copy, as many groups as a block has.
    pub(super) codes: Vec<[i8; GROUP]>,
    /// What the 128 that is added to each number of a row adds to a sum.
    pub(super) offset: i32,
    /// What a code is worth.
    pub(super) scale: f32,
    /// What all rows have in common: the product with their mean.
    pub(super) base: f32,
    /// What a row's error can do.
    pub(super) length: f32,
    /// What a row's tail can do.
    pub(super) tail: f32,
    /// What the query's own error and the rounding of f32 can do.
    pub(super) reach: f32,
}

/// A row that may be among the best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hit {
    /// Its number in the strip.
    pub(super) row: u32,
    /// What its cosine is, as far as the copy knows.
    pub(super) middle: f32,
    /// The most its cosine can be.
    pub(super) upper: f32,
}

impl Kernel {
    /// The quickest that this machine has.
    pub(super) fn best() -> Self {
        Self::all().last().copied().unwrap_or(Self::Portable)
    }

    /// Those that this machine has, the quickest last.
    pub(super) fn all() -> Vec<Self> {
        let mut all = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(simd::has_avx2().then_some(Self::Avx2));
            all.extend(simd::has_avx512().then_some(Self::Avx512));
        }
        all
    }

    /// Finds the rows of a strip whose cosine with a query may reach the query's threshold. There
    /// are as many thresholds and lists of hits as probes.
    pub(super) fn sweep(
        self,
        strip: Strip<'_>,
        probes: &[Probe],
        thresholds: &[f32],
        hits: &mut [Vec<Hit>],
    ) {
        let parts = probes.chunks(TOGETHER).zip(thresholds.chunks(TOGETHER));
        for ((probes, thresholds), hits) in parts.zip(hits.chunks_mut(TOGETHER)) {
            if let (Ok(probes), Ok(thresholds), Ok(hits)) =
                (<&[_; TOGETHER]>::try_from(probes), thresholds.try_into(), hits.try_into())
            {
                self.sweep_together::<TOGETHER>(strip, probes, thresholds, hits);
                continue;
            }
            for ((probe, threshold), hits) in probes.iter().zip(thresholds).zip(hits) {
                let hits = std::array::from_mut(hits);
                self.sweep_together::<1>(strip, std::array::from_ref(probe), [*threshold], hits);
            }
        }
    }

    fn sweep_together<const Q: usize>(
        self,
        strip: Strip<'_>,
        probes: &[Probe; Q],
        thresholds: [f32; Q],
        hits: &mut [Vec<Hit>; Q],
    ) {
        match self {
            Self::Portable => {
                sweep_with(strip, probes, thresholds, hits, |block| {
                    probes.each_ref().map(|probe| block_sums(block, probe))
                });
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => simd::sweep_avx2(strip, probes, thresholds, hits),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => simd::sweep_avx512(strip, probes, thresholds, hits),
        }
    }

    /// The dot product of a stored row and a query, added up in one fixed order. This is what a
    /// cosine is computed from. A product of an f16 and an f32 is exact in f64, so that adding it in
    /// one step or in two is the same.
    #[inline]
    pub(super) fn dot_exact(self, row: &[f16], query: &[f64]) -> f64 {
        match self {
            Self::Portable => dot_exact(row, query),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => simd::dot_exact_avx2(row, query),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => simd::dot_exact_avx512(row, query),
        }
    }

    /// A row in other coordinates: its products with each row of a basis.
    pub(super) fn project(self, basis: &[f32], row: &[f32], onto: &mut [f32]) {
        match self {
            Self::Portable => project_with(basis, row, onto),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => simd::project_avx2(basis, row, onto),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => simd::project_avx512(basis, row, onto),
        }
    }
}

/// The scan, around a way to add up a block.
#[inline(always)]
pub(super) fn sweep_with<const Q: usize>(
    strip: Strip<'_>,
    probes: &[Probe; Q],
    thresholds: [f32; Q],
    hits: &mut [Vec<Hit>; Q],
    sums: impl Fn(&[Group]) -> [OfBlock<i32>; Q],
) {
    let rows = strip.scales.iter().zip(strip.errors).zip(strip.tails);
    for ((block, ((scales, errors), tails)), first) in
        strip.groups.chunks_exact(strip.width).zip(rows).zip((0u32..).step_by(BLOCK))
    {
        let sums = sums(block);
        for at in 0..Q {
            let probe = &probes[at];
            let mut middle = [0f32; BLOCK];
            let mut upper = [0f32; BLOCK];
            let mut below = 0u32;
            for row in 0..BLOCK {
                middle[row] = sums[at][row] as f32 * (scales[row] * probe.scale) + probe.base;
                let reach = errors[row] * probe.length + tails[row] * probe.tail + probe.reach;
                upper[row] = middle[row] + reach;
                below += u32::from(upper[row] < thresholds[at]);
            }
            // Not `>=`: a bound that damage made not a number proves nothing.
            if below < BLOCK as u32 {
                push_hits(first, &middle, &upper, thresholds[at], &mut hits[at]);
            }
        }
    }
}

#[cold]
#[inline(never)]
fn push_hits(
    first: u32,
    middle: &OfBlock<f32>,
    upper: &OfBlock<f32>,
    threshold: f32,
    hits: &mut Vec<Hit>,
) {
    for ((row, middle), upper) in (first..).zip(middle).zip(upper) {
        let is_below = *upper < threshold;
        if !is_below {
            hits.push(Hit { row, middle: *middle, upper: *upper });
        }
    }
}

/// The sums of one block with one query, by what every machine has.
#[inline(always)]
fn block_sums(block: &[Group], probe: &Probe) -> OfBlock<i32> {
    let mut sums = [0i32.wrapping_sub(probe.offset); BLOCK];
    for (group, codes) in block.iter().zip(&probe.codes) {
        let (rows, _) = group.as_chunks::<GROUP>();
        for (sum, row) in sums.iter_mut().zip(rows) {
            for (value, code) in row.iter().zip(codes) {
                *sum = sum.wrapping_add(i32::from(*value).wrapping_mul(i32::from(*code)));
            }
        }
    }
    sums
}

/// Sums side by side in [`project_with`], as many as the widest registers hold.
pub(super) const LANES: usize = 16;

#[inline(always)]
pub(super) fn project_with(basis: &[f32], row: &[f32], onto: &mut [f32]) {
    for (axis, onto) in basis.chunks_exact(row.len().max(1)).zip(onto) {
        let mut sums = [0f32; LANES];
        let (axes, axis) = axis.as_chunks::<LANES>();
        let (rows, row) = row.as_chunks::<LANES>();
        for (axis, row) in axes.iter().zip(rows) {
            for ((sum, axis), row) in sums.iter_mut().zip(axis).zip(row) {
                *sum += axis * row;
            }
        }
        for ((sum, axis), row) in sums.iter_mut().zip(axis).zip(row) {
            *sum += axis * row;
        }
        *onto = sums.iter().sum();
    }
}

/// Sums of a cosine side by side, each of every eighth product.
pub(super) const COLUMNS: usize = 8;

/// The one order in which the sums of a cosine are added.
#[inline(always)]
pub(super) fn total(sums: [f64; COLUMNS]) -> f64 {
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

fn dot_exact(row: &[f16], query: &[f64]) -> f64 {
    let mut sums = [0f64; COLUMNS];
    let mut wide = [0f32; 64];
    for (row, query) in row.chunks(wide.len()).zip(query.chunks(wide.len())) {
        let wide = &mut wide[..row.len()];
        row.convert_to_f32_slice(wide);
        add_products(&mut sums, wide, query);
    }
    total(sums)
}

/// The length of a vector, in the same fixed order.
pub(super) fn norm(vector: &[f32]) -> f64 {
    let mut sums = [0f64; COLUMNS];
    let query: Vec<f64> = vector.iter().copied().map(f64::from).collect();
    add_products(&mut sums, vector, &query);
    total(sums).sqrt()
}

fn add_products(sums: &mut [f64; COLUMNS], a: &[f32], b: &[f64]) {
    for (a, b) in a.chunks(COLUMNS).zip(b.chunks(COLUMNS)) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += f64::from(*a) * *b;
        }
    }
}

/// What is left of a row and a query behind their last whole eight, added to the sums.
#[inline(always)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
pub(super) fn add_rest(sums: &mut [f64; COLUMNS], row: &[f16], query: &[f64]) {
    for ((sum, value), query) in sums.iter_mut().zip(row).zip(query) {
        *sum += value.to_f64() * *query;
    }
}
