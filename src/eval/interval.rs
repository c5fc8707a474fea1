/// The 95 % confidence interval of a share, low and high, both in 0..=1: Wilson's score interval
/// (E. B. Wilson, Probable inference, the law of succession, and statistical inference, Journal of
/// the American Statistical Association 22, 1927).
///
/// Unlike the usual p ± 1.96·√(p(1−p)/n) it stays within 0..=1 and has a width where all or none of
/// a few are right. Of none at all nothing is known: 0 to 1.
///
/// ```
/// let [low, high] = medterm::eval::wilson_interval(90, 100);
/// assert!((low - 0.8256).abs() < 1e-4 && (high - 0.9448).abs() < 1e-4);
/// ```
#[must_use]
#[allow(clippy::cast_precision_loss, reason = "a gold file has far fewer lines than 2^52")]
pub fn wilson_interval(right: usize, n: usize) -> [f64; 2] {
    /// The 97.5th percentile of the normal distribution.
    const Z: f64 = 1.959_963_984_540_054;
    if n == 0 {
        return [0.0, 1.0];
    }
    let n = n as f64;
    let share = right as f64 / n;
    let shrink = 1.0 + Z * Z / n;
    let center = (share + Z * Z / (2.0 * n)) / shrink;
    let half = Z / shrink * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    // Where all or none are right the arithmetic ends a hair beside the bound.
    [(center - half).clamp(0.0, share), (center + half).clamp(share, 1.0)]
}
