use std::collections::HashMap;

use crate::terminology::ConceptOrd;

/// Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009) with its constant 60: a
/// baseline to measure against, blind to scores. Each concept with its sum of `1 / (60 + rank)`
/// scaled so that first on every list is 1.
#[must_use]
#[allow(clippy::cast_precision_loss, reason = "lists are a few hundred long")]
pub fn reciprocal_rank_fusion(lists: &[&[ConceptOrd]]) -> Vec<(ConceptOrd, f32)> {
    const K: f32 = 60.0;
    let by_rank = |list: &&[ConceptOrd]| {
        list.iter()
            .enumerate()
            .map(|(at, concept)| (*concept, (K + 1.0) / (K + 1.0 + at as f32)))
            .collect()
    };
    mean(&lists.iter().map(by_rank).collect::<Vec<_>>())
}

/// Min-max fusion: a baseline to measure against (CombSUM of Fox and Shaw, TREC-2 1994, over scores
/// that Lee, SIGIR 1997, brings into 0..=1 list by list).
///
/// The best of a list counts 1, its last 0, and all of a list of equal scores 1; what a list does
/// not have counts 0 there. Each concept with the mean over the lists, 0..=1. Scores must be finite,
/// and a concept at most once on a list.
///
/// ```
/// use medterm::fusion::min_max_fusion;
/// use medterm::terminology::ConceptOrd;
///
/// let words = [(ConceptOrd(7), 12.0), (ConceptOrd(3), 8.0), (ConceptOrd(5), 4.0)];
/// let meaning = [(ConceptOrd(3), 0.75), (ConceptOrd(5), 0.25)];
/// let fused = min_max_fusion(&[&words, &meaning]);
/// assert_eq!(fused, [(ConceptOrd(3), 0.75), (ConceptOrd(7), 0.5), (ConceptOrd(5), 0.0)]);
/// ```
#[must_use]
pub fn min_max_fusion(lists: &[&[(ConceptOrd, f32)]]) -> Vec<(ConceptOrd, f32)> {
    let normalized = |list: &&[(ConceptOrd, f32)]| {
        let scores = || list.iter().map(|one| one.1);
        let least = scores().fold(f32::INFINITY, f32::min);
        let most = scores().fold(f32::NEG_INFINITY, f32::max);
        within(list, Limits { least, most, alike: 1.0 })
    };
    mean(&lists.iter().map(normalized).collect::<Vec<_>>())
}

/// Distribution-based score fusion (Mazzeschi 2023, as in Qdrant's hybrid queries,
/// <https://qdrant.tech/documentation/concepts/hybrid-queries/>): a baseline to measure against.
///
/// The limits of a list are the mean of its scores minus and plus three sample standard deviations;
/// a list of equal scores, or of one, counts 0.5. What lies outside of the limits is clipped, which
/// Qdrant does not do, and the sum is divided by the number of lists, which changes no order: so a
/// score stays in 0..=1. Scores must be finite, and a concept at most once on a list.
#[must_use]
#[allow(clippy::cast_precision_loss, reason = "lists are a few hundred long")]
pub fn distribution_based_fusion(lists: &[&[(ConceptOrd, f32)]]) -> Vec<(ConceptOrd, f32)> {
    const DEVIATIONS: f64 = 3.0;
    let normalized = |list: &&[(ConceptOrd, f32)]| {
        let scores = || list.iter().map(|one| f64::from(one.1));
        let center = scores().sum::<f64>() / list.len().max(1) as f64;
        let squares: f64 = scores().map(|score| (score - center).powi(2)).sum();
        let deviation = (squares / list.len().saturating_sub(1).max(1) as f64).sqrt();
        #[allow(clippy::cast_possible_truncation, reason = "scores are f32")]
        let limit = |deviations: f64| (center + deviations * deviation) as f32;
        within(list, Limits { least: limit(-DEVIATIONS), most: limit(DEVIATIONS), alike: 0.5 })
    };
    mean(&lists.iter().map(normalized).collect::<Vec<_>>())
}

/// What of a list becomes 0 and 1.
struct Limits {
    least: f32,
    most: f32,
    /// What every score becomes where the limits are one.
    alike: f32,
}

fn within(list: &[(ConceptOrd, f32)], limits: Limits) -> Vec<(ConceptOrd, f32)> {
    let width = limits.most - limits.least;
    let share = |score: f32| {
        if width > 0.0 { ((score - limits.least) / width).clamp(0.0, 1.0) } else { limits.alike }
    };
    list.iter().map(|(concept, score)| (*concept, share(*score))).collect()
}

/// Each concept with the mean of what the lists give it, best first, ties in code order.
#[allow(clippy::cast_precision_loss, reason = "there are two lists")]
fn mean(lists: &[Vec<(ConceptOrd, f32)>]) -> Vec<(ConceptOrd, f32)> {
    let mut sums: HashMap<ConceptOrd, f32> = HashMap::new();
    for (concept, score) in lists.iter().flatten() {
        *sums.entry(*concept).or_default() += score;
    }
    let mut order: Vec<(ConceptOrd, f32)> =
        sums.into_iter().map(|(concept, sum)| (concept, sum / lists.len().max(1) as f32)).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    order
}
