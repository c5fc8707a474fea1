use proptest::prelude::*;

use super::*;
use crate::terminology::ConceptOrd;
use crate::text::{AxisComparison, Coverage};

fn evidence(concept: u32, lexical: f32, semantic: f32) -> Evidence {
    Evidence {
        concept: ConceptOrd(concept),
        equality: None,
        lexical,
        named: 0.0,
        usage: 0.0,
        semantic: Some(semantic),
        level: 1,
        axes: AxisComparison::default(),
        qualifier_missing: false,
        name_length: 10,
    }
}

fn shape() -> QueryShape {
    QueryShape { words: 2, covered: 1.0 }
}

fn order(pool: Vec<Evidence>) -> Vec<u32> {
    rank(pool, shape(), &Weights::TUNED).iter().map(|s| s.evidence.concept.0).collect()
}

#[test]
fn equality_beats_every_similarity() {
    let equal = Evidence { equality: Some(Equality::BareDesignation), ..evidence(2, 0.0, -1.0) };
    assert_eq!(order(vec![evidence(1, 1.0, 1.0), equal]), [2, 1]);
}

#[test]
fn ties_go_to_the_general_then_the_short_then_the_early() {
    let tie = |concept, level, name_length| Evidence {
        level,
        name_length,
        equality: Some(Equality::Display),
        ..evidence(concept, 1.0, 1.0)
    };
    assert_eq!(order(vec![tie(4, 2, 5), tie(3, 1, 9), tie(2, 1, 5), tie(1, 1, 5)]), [1, 2, 3, 4]);
}

#[test]
fn an_axis_that_nobody_stated_is_not_chosen() {
    let chosen = Evidence {
        axes: AxisComparison { unstated: 1, ..AxisComparison::default() },
        ..evidence(1, 0.8, 0.8)
    };
    let opposite = Evidence {
        axes: AxisComparison { conflicting: 1, ..AxisComparison::default() },
        ..evidence(2, 0.8, 0.8)
    };
    assert_eq!(order(vec![opposite, chosen, evidence(3, 0.8, 0.8)]), [3, 1, 2]);
}

#[test]
fn the_two_nearest_vectors_are_among_the_first_ten() {
    let mut pool: Vec<Evidence> = (0..30).map(|n| evidence(n, 1.0, 0.3)).collect();
    pool.push(evidence(98, 0.0, 0.5));
    pool.push(evidence(99, 0.0, 0.6));
    let order = rank(pool, shape(), &Weights::TUNED);
    let place = |concept| order.iter().position(|s| s.evidence.concept.0 == concept);
    assert!(place(99) < Some(10) && place(98) < Some(10), "{:?} {:?}", place(99), place(98));
    assert!(order.windows(2).all(|pair| pair[0].score >= pair[1].score));
}

#[test]
fn the_first_by_words_is_among_the_first_ten() {
    let mut pool: Vec<Evidence> = (0..30).map(|n| evidence(n, 0.0, 0.99)).collect();
    pool.push(evidence(99, 0.3, -0.5));
    let order = rank(pool, shape(), &Weights::TUNED);
    assert!(order.iter().position(|s| s.evidence.concept.0 == 99) < Some(10));
}

#[test]
fn first_on_both_lists_is_one_in_reciprocal_rank_fusion() {
    let (a, b) = ([ConceptOrd(1), ConceptOrd(2)], [ConceptOrd(1), ConceptOrd(3)]);
    let fused = reciprocal_rank_fusion(&[&a, &b]);
    assert_eq!(fused[0], (ConceptOrd(1), 1.0));
    assert_eq!(fused[1].0, ConceptOrd(2));
}

prop_compose! {
    fn any_evidence()(
        concept in 0u32..50, lexical in prop::num::f32::ANY, semantic in prop::option::of(prop::num::f32::ANY),
        level in 0u32..9, unstated in 0u32..4, conflicting in 0u32..4,
        equality in prop::option::of(prop::sample::select(vec![Equality::Code, Equality::BareDisplay])),
    ) -> Evidence {
        Evidence {
            concept: ConceptOrd(concept), equality, lexical, semantic, level, named: 0.0, usage: 0.0,
            axes: AxisComparison { unstated, conflicting, ..AxisComparison::default() }, qualifier_missing: false, name_length: 8,
        }
    }
}

proptest! {
    #[test]
    fn every_score_is_finite_and_within_bounds(one in any_evidence(), words in 0usize..20, covered in 0f32..=1.0) {
        let found = score(one, QueryShape { words, covered }, &Weights::TUNED);
        prop_assert!((0.0..=1.0).contains(&found.score));
        prop_assert!(found.prior.is_finite());
    }

    #[test]
    fn a_better_signal_never_lowers_the_score(lexical in 0f32..=1.0, cosine in -1f32..=1.0, more in 0f32..=0.5, covered in 0f32..=1.0) {
        let query = QueryShape { words: 3, covered };
        let base = score(evidence(0, lexical, cosine), query, &Weights::TUNED).score;
        let words = score(evidence(0, (lexical + more).min(1.0), cosine), query, &Weights::TUNED).score;
        let meaning = score(evidence(0, lexical, (cosine + more).min(1.0)), query, &Weights::TUNED).score;
        prop_assert!(words >= base - 1e-6 && meaning >= base - 1e-6);
    }

    #[test]
    fn covering_more_never_lowers_the_lexical_score(query in 0f32..=1.0, designation in 0f32..=1.0, more in 0f32..=0.5) {
        let of = |query, designation| lexical_score(&Coverage { query, designation, negation_differs: false });
        let base = of(query, designation);
        prop_assert!((0.0..=1.0).contains(&base));
        prop_assert!(of((query + more).min(1.0), designation) >= base - 1e-6);
        prop_assert!(of(query, (designation + more).min(1.0)) >= base - 1e-6);
    }

    #[test]
    fn the_order_depends_on_nothing_but_the_pool(pool in prop::collection::vec((0f32..=1.0, -1f32..=1.0), 1..40)) {
        let pool: Vec<Evidence> = pool.iter().enumerate().map(|(n, (l, s))| evidence(u32::try_from(n).unwrap(), *l, *s)).collect();
        let mut reversed = pool.clone();
        reversed.reverse();
        prop_assert_eq!(rank(pool.clone(), shape(), &Weights::TUNED), rank(reversed, shape(), &Weights::TUNED));
        let ranked = rank(pool, shape(), &Weights::TUNED);
        prop_assert!(ranked.windows(2).all(|pair| pair[0].score >= pair[1].score));
    }
}
