use std::cmp::Ordering;

use crate::terminology::ConceptOrd;

use super::evidence::{Evidence, QueryShape, Scored};
use super::score::{Weights, score};

/// The best of each side stand within this many first places.
pub const NEAREST_WITHIN: usize = 10;
const NEAREST: usize = 2;
const FIRST_BY_WORDS: usize = 2;

/// Puts a pool into its one total order: by score, then the more general code, the shorter name,
/// the earlier code. Each concept must be in the pool once.
///
/// The two concepts that would be first by words alone, the two nearest in meaning, and the one
/// nearest to what was typed are brought within the first [`NEAREST_WITHIN`] places, behind codes
/// and equal names, so that neither side loses its best to the other. They take the score of the
/// place they are brought to: scores never rise with rank.
#[must_use]
pub fn rank(pool: Vec<Evidence>, query: QueryShape, weights: &Weights) -> Vec<Scored> {
    let mut kept = nearest(&pool, 1, |evidence| evidence.semantic_typed);
    kept.extend(first_by_words(&pool, query, weights));
    kept.extend(nearest(&pool, NEAREST, |evidence| evidence.semantic));
    let kept: Vec<ConceptOrd> = without_repetitions(kept);
    let mut order: Vec<Scored> = pool.into_iter().map(|e| score(e, query, weights)).collect();
    order.sort_by(compare);
    for (nth, concept) in kept.iter().enumerate() {
        lift(&mut order, *concept, NEAREST_WITHIN - kept.len() + nth);
    }
    order
}

fn compare(a: &Scored, b: &Scored) -> Ordering {
    b.score
        .total_cmp(&a.score)
        .then(a.evidence.level.cmp(&b.evidence.level))
        .then(a.evidence.name_length.cmp(&b.evidence.name_length))
        .then(a.evidence.concept.cmp(&b.evidence.concept))
}

/// The concepts that lead where no model is at hand, the first one last.
fn first_by_words(pool: &[Evidence], query: QueryShape, weights: &Weights) -> Vec<ConceptOrd> {
    let mut by_words: Vec<Scored> = pool
        .iter()
        .filter(|evidence| evidence.equal().is_none() && evidence.semantic.is_some())
        .map(|evidence| score(Evidence { semantic: None, ..*evidence }, query, weights))
        .collect();
    by_words.sort_by(compare);
    by_words.truncate(FIRST_BY_WORDS);
    by_words.iter().rev().map(|scored| scored.evidence.concept).collect()
}

/// The concepts nearest in meaning.
fn nearest(
    pool: &[Evidence],
    count: usize,
    cosine: impl Fn(&Evidence) -> Option<f32>,
) -> Vec<ConceptOrd> {
    let mut by_meaning: Vec<(f32, ConceptOrd)> = pool
        .iter()
        .filter(|evidence| evidence.equal().is_none())
        .filter_map(|evidence| cosine(evidence).map(|cosine| (cosine, evidence.concept)))
        .collect();
    by_meaning.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    by_meaning.into_iter().take(count).map(|(_, concept)| concept).collect()
}

/// Each once, at its last place.
fn without_repetitions(concepts: Vec<ConceptOrd>) -> Vec<ConceptOrd> {
    let is_last = |at: usize| !concepts[at + 1..].contains(&concepts[at]);
    (0..concepts.len()).filter(|at| is_last(*at)).map(|at| concepts[at]).collect()
}

fn lift(order: &mut [Scored], concept: ConceptOrd, place: usize) {
    let Some(at) = order.iter().position(|scored| scored.evidence.concept == concept) else {
        return;
    };
    // Where equal names fill the first places, the nearest vectors follow right behind them.
    let equal = order.iter().filter(|scored| scored.evidence.equal().is_some()).count();
    let place = place.max(equal);
    if at <= place {
        return;
    }
    order[at].score = order[place].score;
    order[place..=at].rotate_right(1);
}
