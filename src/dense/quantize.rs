//! Smaller copies of vectors, and how far each is from what it is a copy of.

use half::f16;

use super::DenseError;
use super::kernel::{norm, query_limit};

/// Rows are of unit length but for the rounding to f16 (below 0.001) and an embedder's own.
pub(super) const NORM_TOLERANCE: f64 = 0.01;

/// How far a row's estimate may be from the truth, beyond the quantization errors: the rounding of
/// the f32 arithmetic of an estimate and of a cosine. Each of their six operations is off by at
/// most 2⁻²⁴ of a value below 1.1; this is four times their sum.
const SLACK: f32 = 2e-6;

/// A row's int8 copy x̂ is `scale` times its codes.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowCode {
    pub(super) scale: f32,
    /// ‖x − x̂‖, rounded up.
    pub(super) error: f32,
}

/// Writes a row's codes into `codes`, and zeros after them.
pub(super) fn quantize_row(row: &[f16], codes: &mut [i8]) -> RowCode {
    const LIMIT: f32 = 127.0;
    let largest = row.iter().fold(0f32, |most, value| most.max(value.to_f32().abs()));
    let scale = largest / LIMIT;
    let mut error = 0f64;
    codes.fill(0);
    for (code, value) in codes.iter_mut().zip(row) {
        let value = value.to_f32();
        let rounded = if scale > 0.0 { (value / scale).round().clamp(-LIMIT, LIMIT) } else { 0.0 };
        *code = rounded as i8;
        error += (f64::from(value) - f64::from(scale) * f64::from(*code)).powi(2);
    }
    RowCode { scale, error: rounded_up(error.sqrt()) }
}

/// A query that points somewhere.
#[derive(Debug, Clone, Copy)]
pub(super) struct Direction<'a> {
    /// The query as it came, of any length but 0.
    pub(super) values: &'a [f32],
    /// One over its length.
    pub(super) inverse_norm: f64,
}

impl<'a> Direction<'a> {
    /// Refuses what has no direction, or another number of dimensions.
    pub(super) fn new(values: &'a [f32], dim: usize) -> Result<Self, DenseError> {
        if values.len() != dim {
            return Err(DenseError::Dimension { expected: dim, found: values.len() });
        }
        let norm = norm(values);
        if !norm.is_finite() || norm <= 0.0 {
            return Err(DenseError::Query);
        }
        Ok(Self { values, inverse_norm: 1.0 / norm })
    }
}

/// A query made ready to be compared with every row.
#[derive(Debug)]
pub(super) struct Query<'a> {
    pub(super) direction: Direction<'a>,
    /// Its whole-number copy. 16 bits cost the sums nothing and leave nearly no error.
    pub(super) codes: Vec<i16>,
    /// What a code is worth, of a query of unit length.
    scale: f32,
    /// ‖q − q̂‖, of a query of unit length, rounded up.
    error: f32,
}

impl<'a> Query<'a> {
    pub(super) fn new(direction: Direction<'a>, width: usize) -> Self {
        let limit = f64::from(query_limit(width));
        let largest = direction.values.iter().fold(0f32, |most, value| most.max(value.abs()));
        let step = f64::from(largest) / limit;
        let mut codes = vec![0; width];
        let mut error = 0f64;
        for (code, value) in codes.iter_mut().zip(direction.values) {
            let value = f64::from(*value);
            *code = (value / step).round().clamp(-limit, limit) as i16;
            error += (value - step * f64::from(*code)).powi(2);
        }
        let scale = (step * direction.inverse_norm) as f32;
        // The scale is rounded to f32, which moves the whole copy by less than 2⁻²⁴ of its length.
        let error = rounded_up(error.sqrt() * direction.inverse_norm + 1e-7);
        Self { direction, codes, scale, error }
    }

    /// What the whole-number dot product of a row says of its cosine.
    #[inline]
    pub(super) fn estimate(&self, dot: i32, row: RowCode) -> Estimate {
        let middle = dot as f32 * (row.scale * self.scale);
        // |q·x − q̂·x̂| ≤ ‖q‖·‖x − x̂‖ + ‖q − q̂‖·‖x̂‖ (triangle and Cauchy-Schwarz), with ‖q‖ = 1.
        let length = 1.0 + NORM_TOLERANCE as f32 + row.error;
        let reach = row.error + self.error * length + SLACK;
        // Clamped as the cosine is, so that rows which the clamp makes equal stay equal here. What
        // damage made not a number stays so, and proves nothing.
        let [lower, upper] = [middle - reach, middle + reach].map(|bound| bound.clamp(-1.0, 1.0));
        Estimate { lower, upper }
    }
}

/// Bounds between which a cosine lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Estimate {
    pub(super) lower: f32,
    pub(super) upper: f32,
}

fn rounded_up(value: f64) -> f32 {
    (value as f32).next_up()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense::kernel::{dot_exact, dot_i8, tier_width};
    use proptest::prelude::*;

    fn unit(values: &[f32]) -> Vec<f32> {
        let norm = values.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>().sqrt().max(1e-9);
        values.iter().map(|v| (f64::from(*v) / norm) as f32).collect()
    }

    proptest! {
        #[test]
        fn the_cosine_lies_between_the_bounds(
            pairs in prop::collection::vec((-1f32..1.0, -1f32..1.0), 1..200),
            size in -30i32..30,
        ) {
            let (row, query): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
            prop_assume!(row.iter().any(|v| v.abs() > 0.1) && query.iter().any(|v| v.abs() > 0.1));
            let row: Vec<f16> = unit(&row).iter().map(|v| f16::from_f32(*v)).collect();
            let query: Vec<f32> = query.iter().map(|v| v * 2f32.powi(size)).collect();
            let width = tier_width(row.len());
            let mut codes = vec![1; width];
            let code = quantize_row(&row, &mut codes);
            let ready = Query::new(Direction::new(&query, row.len()).unwrap(), width);
            let estimate = ready.estimate(dot_i8(&codes, &ready.codes), code);
            let cosine = (dot_exact(&row, &query) * ready.direction.inverse_norm).clamp(-1.0, 1.0);
            prop_assert!(f64::from(estimate.lower) <= cosine && cosine <= f64::from(estimate.upper));
            // Bounds that are always true would be no use: these are as near as 8 bits allow.
            prop_assert!(estimate.upper - estimate.lower <= 0.012 * (row.len() as f32).sqrt());
        }
    }

    #[test]
    fn no_sum_leaves_its_number() {
        for dim in [32, 384, 1024, 8192] {
            let limit = i64::from(query_limit(dim));
            assert!(limit > 1000 && 128 * limit * dim as i64 <= i64::from(i32::MAX), "{dim}");
            let row = vec![-128i8; dim];
            assert_eq!(
                i64::from(dot_i8(&row, &vec![limit as i16; dim])),
                -128 * limit * dim as i64
            );
        }
    }

    #[test]
    fn what_has_no_direction_is_refused() {
        for bad in [[0.0, 0.0], [f32::NAN, 1.0], [f32::INFINITY, 1.0]] {
            assert!(matches!(Direction::new(&bad, 2), Err(DenseError::Query)));
        }
        assert!(matches!(Direction::new(&[1.0], 2), Err(DenseError::Dimension { .. })));
        assert!(Direction::new(&[f32::MAX, f32::MIN_POSITIVE], 2).is_ok());
    }
}
