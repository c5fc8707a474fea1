//! Smaller copies of vectors, and how far each is from what it is a copy of.
//!
//! A row x is copied as x̂ = mean + Vᵀŷ, where ŷ is the whole-number copy of y = V(x − mean), and the
//! rows of V are a basis of orthonormal directions: all there are, and then V is left out, or those
//! in which the rows differ most. For a query q of unit length
//!
//! q·x = q·mean + (Vq)·ŷ + (Vq)·(y − ŷ) + q·(x − mean − Vᵀy),
//!
//! of which the first two terms are known, the third is at most ‖Vq‖·‖y − ŷ‖, and the last at most
//! ‖q − VᵀVq‖·‖x − mean − Vᵀy‖ (Cauchy and Schwarz). That V is orthonormal only to the last bits of
//! f32, and y computed in f32, is in the lengths that are stored, each rounded up.

use super::DenseError;
use super::basis::Axes;
use super::kernel::{GROUP, LANES, Probe, norm};

/// Rows are of unit length but for the rounding to f16 (below 0.001) and an embedder's own.
pub(super) const NORM_TOLERANCE: f64 = 0.01;

/// The largest number of a copy. One of less than 8 bits, so that two products fit 16 bits.
const LIMIT: f32 = 127.0;

/// How far a row's estimate may be from the truth, beyond what is stored: the rounding of the f32
/// arithmetic of an estimate and of a cosine. Its dozen operations are each off by at most 2⁻²⁴ of
/// a value below 2; this is more than twice their sum.
const SLACK: f32 = 4e-6;

/// What is added to a number of a row, so that the sum is a `u8`.
pub(super) const SHIFT: i16 = 128;

/// The copy of a row is `scale` times its codes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RowCode {
    pub(super) scale: f32,
    /// ‖y − ŷ‖, rounded up.
    pub(super) error: f32,
    /// ‖x − mean − Vᵀy‖, rounded up.
    pub(super) tail: f32,
    /// ‖ŷ‖, rounded up.
    pub(super) length: f32,
}

/// What copies of rows are made with, so that one row after the other costs no memory.
pub(super) struct Quantizer<'a> {
    axes: Axes<'a>,
    centered: Vec<f32>,
    projected: Vec<f32>,
}

impl<'a> Quantizer<'a> {
    pub(super) fn new(axes: Axes<'a>) -> Self {
        let (dim, width) = (axes.mean.len(), axes.width());
        Self { axes, centered: vec![0.0; dim], projected: vec![0.0; width] }
    }

    /// Writes a row's codes into `codes`, and zeros after them.
    pub(super) fn row(&mut self, row: &[f32], codes: &mut [i8]) -> RowCode {
        for ((centered, value), mean) in self.centered.iter_mut().zip(row).zip(self.axes.mean) {
            *centered = value - mean;
        }
        self.axes.project(&self.centered, &mut self.projected);
        let whole = square(&self.centered);
        let seen = square(&self.projected);
        // How far what was computed in f32 is from y.
        let rounding = self.axes.rounding() * whole.sqrt();

        let largest = self.projected.iter().fold(0f32, |most, value| most.max(value.abs()));
        let scale = largest / LIMIT;
        let (mut error, mut length) = (0f64, 0f64);
        codes.fill(0);
        for (code, value) in codes.iter_mut().zip(&self.projected) {
            let rounded =
                if scale > 0.0 { (value / scale).round().clamp(-LIMIT, LIMIT) } else { 0.0 };
            *code = rounded as i8;
            let copy = f64::from(scale) * f64::from(*code);
            error += (f64::from(*value) - copy).powi(2);
            length += copy.powi(2);
        }
        let skew = self.axes.skew();
        let tail = match self.axes.is_whole() {
            true => 0.0,
            // ‖x − mean‖² − ‖y‖², and at most skew·‖y‖² more; each ‖y‖ is off by the rounding.
            false => {
                let most = whole - seen + skew * whole + 3.0 * rounding * whole.sqrt();
                rounded_up(most.max(0.0).sqrt())
            }
        };
        RowCode {
            scale,
            error: rounded_up(error.sqrt() + rounding + skew * whole.sqrt()),
            tail,
            length: rounded_up(length.sqrt()),
        }
    }
}

/// A query that points somewhere, made ready to be compared with rows.
#[derive(Debug, Clone)]
pub struct Direction {
    /// The query as it came, of any length but 0.
    pub(super) values: Vec<f64>,
    /// One over its length.
    pub(super) inverse_norm: f64,
}

impl Direction {
    /// Refuses what has no direction, or another number of dimensions.
    pub(super) fn new(values: &[f32], dim: usize) -> Result<Self, DenseError> {
        if values.len() != dim {
            return Err(DenseError::Dimension { expected: dim, found: values.len() });
        }
        let norm = norm(values);
        if !norm.is_finite() || norm <= 0.0 {
            return Err(DenseError::Query);
        }
        let values = values.iter().copied().map(f64::from).collect();
        Ok(Self { values, inverse_norm: 1.0 / norm })
    }

    /// What the copies of rows are asked for, those being at most `longest` long.
    pub(super) fn probe(&self, axes: Axes<'_>, longest: f32) -> Probe {
        let unit: Vec<f64> = self.values.iter().map(|value| value * self.inverse_norm).collect();
        let base = unit.iter().zip(axes.mean).map(|(q, mean)| q * f64::from(*mean)).sum::<f64>();
        let seen = axes.project_query(&unit);
        let length = seen.iter().map(|value| value.powi(2)).sum::<f64>();
        // ‖q‖² − ‖Vq‖², and at most skew·‖Vq‖² more.
        let tail = match axes.is_whole() {
            true => 0.0,
            false => rounded_up((1.0 - length + axes.skew() + 1e-9).max(0.0).sqrt()),
        };

        let largest = seen.iter().fold(0f64, |most, value| most.max(value.abs()));
        let step = (largest / f64::from(LIMIT)) as f32;
        let mut error = 0f64;
        let mut codes = vec![[0i8; GROUP]; seen.len().div_ceil(GROUP)];
        for (code, value) in codes.iter_mut().flatten().zip(&seen) {
            let limit = f64::from(LIMIT);
            let rounded = (value / f64::from(step)).round().clamp(-limit, limit);
            // A step that rounded to nothing gives no number here, which counts as zero.
            *code = rounded as i8;
            error += (value - f64::from(step) * f64::from(*code)).powi(2);
        }
        let offset = codes.iter().flatten().map(|code| i32::from(*code)).sum::<i32>();
        Probe {
            codes,
            offset: offset * i32::from(SHIFT),
            scale: step,
            base: base as f32,
            length: rounded_up(length.sqrt()),
            tail,
            reach: rounded_up(error.sqrt() * f64::from(longest)) + SLACK,
        }
    }
}

/// The squared length of a vector.
fn square(vector: &[f32]) -> f64 {
    let mut sums = [0f64; 8];
    let (eights, rest) = vector.as_chunks::<8>();
    for eight in eights {
        for (sum, value) in sums.iter_mut().zip(eight) {
            *sum += f64::from(*value).powi(2);
        }
    }
    sums.iter().chain(&rest.iter().map(|v| f64::from(*v).powi(2)).collect::<Vec<_>>()).sum()
}

/// How far a projection in f32 may be from the true one, for a vector of unit length: each of its
/// `width` numbers is off by at most 2⁻²⁴ for each step of its sum.
pub(super) fn projection_rounding(dim: usize, width: usize) -> f64 {
    let steps = (dim / LANES + LANES + 4) as f64;
    steps * (width as f64).sqrt() * 2f64.powi(-24)
}

pub(super) fn rounded_up(value: f64) -> f32 {
    (value as f32).next_up()
}
