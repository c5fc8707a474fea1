//! The sums the search spends its time in.

use half::f16;
use half::slice::HalfFloatSliceExt;

/// Dimensions a matrix may have. Whole-number sums stay below 2³¹ for all of them.
pub(super) const MAX_DIMENSION: usize = 8192;

/// Rows of the int8 tier are padded with zeros to a multiple of this.
pub(super) const TIER_ALIGN: usize = 32;

/// The length of an int8 row.
pub(super) fn tier_width(dim: usize) -> usize {
    dim.next_multiple_of(TIER_ALIGN)
}

/// The largest number a query may be quantized to, so that no sum of `width` products with an i8
/// leaves i32.
pub(super) fn query_limit(width: usize) -> i16 {
    let per_product = i32::MAX / i32::try_from(width.max(1)).unwrap_or(i32::MAX) / 128;
    i16::try_from(per_product).unwrap_or(i16::MAX)
}

/// The dot product of an int8 row and a query in whole numbers: the same on every machine, in
/// whatever order it is added up. Both have the same length, a multiple of [`TIER_ALIGN`].
///
/// Written so that the compiler makes multiply-and-add instructions of pairs of i16 of it. The
/// sums wrap because a checked sum is no vector; [`query_limit`] keeps them from wrapping.
#[inline]
pub(super) fn dot_i8(row: &[i8], query: &[i16]) -> i32 {
    row.iter()
        .zip(query)
        .fold(0i32, |sum, (r, q)| sum.wrapping_add(i32::from(*r).wrapping_mul(i32::from(*q))))
}

const LANES: usize = 8;

/// The dot product of a stored row and a query, added up in one fixed order, so that it has the
/// same bits on every machine. This is what a cosine is computed from.
pub(super) fn dot_exact(row: &[f16], query: &[f32]) -> f64 {
    let mut lanes = [0f64; LANES];
    let mut wide = [0f32; 64];
    for (row, query) in row.chunks(wide.len()).zip(query.chunks(wide.len())) {
        let wide = &mut wide[..row.len()];
        row.convert_to_f32_slice(wide);
        for (wide, query) in wide.chunks(LANES).zip(query.chunks(LANES)) {
            for ((lane, row), query) in lanes.iter_mut().zip(wide).zip(query) {
                *lane += f64::from(*row) * f64::from(*query);
            }
        }
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}
