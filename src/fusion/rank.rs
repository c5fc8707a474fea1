use std::cmp::Ordering;

use crate::terminology::ConceptOrd;

use super::evidence::{Evidence, QueryShape, Scored};
use super::score::{Weights, score};

/// The best of each side stand within this many first places.
pub const NEAREST_WITHIN: usize = 10;
const NEAREST: usize = 2;

/// Puts a pool into its one total order: by score, then the more general code, the shorter name,
/// the earlier code. Each concept must be in the pool once.
///
/// The concept that would be first by words alone and the two nearest in meaning are brought within
/// the first [`NEAREST_WITHIN`] places, behind codes and equal names, so that neither side loses its
/// best to the other. They take the score of the place they are brought to: scores never rise with
/// rank.
#[must_use]
pub fn rank(pool: Vec<Evidence>, query: QueryShape, weights: &Weights) -> Vec<Scored> {
    let kept = first_by_words(&pool, query, weights).into_iter().chain(nearest(&pool));
    let kept: Vec<ConceptOrd> = kept.collect();
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

/// The concept that leads where no model is at hand.
fn first_by_words(pool: &[Evidence], query: QueryShape, weights: &Weights) -> Option<ConceptOrd> {
    pool.iter()
        .filter(|evidence| evidence.equal().is_none() && evidence.semantic.is_some())
        .map(|evidence| score(Evidence { semantic: None, ..*evidence }, query, weights))
        .min_by(compare)
        .map(|scored| scored.evidence.concept)
}

fn nearest(pool: &[Evidence]) -> Vec<ConceptOrd> {
    let mut by_meaning: Vec<(f32, ConceptOrd)> = pool
        .iter()
        .filter(|evidence| evidence.equal().is_none())
        .filter_map(|evidence| evidence.semantic.map(|cosine| (cosine, evidence.concept)))
        .collect();
    by_meaning.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    by_meaning.into_iter().take(NEAREST).map(|(_, concept)| concept).collect()
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
