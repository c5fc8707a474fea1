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
        semantic_typed: None,
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

fn list(scores: &[(u32, f32)]) -> Vec<(ConceptOrd, f32)> {
    scores.iter().map(|(concept, score)| (ConceptOrd(*concept), *score)).collect()
}

fn assert_fused(fused: &[(ConceptOrd, f32)], expected: &[(u32, f32)]) {
    let concepts: Vec<u32> = fused.iter().map(|one| one.0.0).collect();
    assert_eq!(concepts, expected.iter().map(|one| one.0).collect::<Vec<_>>());
    for (found, expected) in fused.iter().zip(expected) {
        assert!((found.1 - expected.1).abs() < 1e-6, "{fused:?}");
    }
}

#[test]
fn min_max_stretches_each_list_and_takes_the_mean() {
    let (words, meaning) = (list(&[(1, 10.0), (2, 6.0), (3, 2.0)]), list(&[(2, 0.9), (4, 0.5)]));
    assert_fused(&min_max_fusion(&[&words, &meaning]), &[(2, 0.75), (1, 0.5), (3, 0.0), (4, 0.0)]);
    // Scale and offset of a list do not matter.
    let moved: Vec<_> =
        words.iter().map(|(concept, score)| (*concept, score * 3.0 + 7.0)).collect();
    assert_eq!(min_max_fusion(&[&words, &meaning]), min_max_fusion(&[&moved, &meaning]));
    // Equal scores are all the best there is, and a list without any hit gives nothing.
    assert_fused(&min_max_fusion(&[&list(&[(2, 4.0), (1, 4.0)]), &[]]), &[(1, 0.5), (2, 0.5)]);
    assert!(min_max_fusion(&[&[], &[]]).is_empty() && min_max_fusion(&[]).is_empty());
}

#[test]
fn distribution_based_fusion_measures_in_standard_deviations() {
    // Mean 4, sample standard deviation 2: the limits are -2 and 10.
    let words = list(&[(1, 6.0), (2, 4.0), (3, 2.0)]);
    assert_fused(
        &distribution_based_fusion(&[&words]),
        &[(1, 8.0 / 12.0), (2, 0.5), (3, 4.0 / 12.0)],
    );
    // One score, or equal ones, say nothing: half.
    assert_fused(
        &distribution_based_fusion(&[&words, &list(&[(2, 0.3)])]),
        &[(2, 0.5), (1, 4.0 / 12.0), (3, 2.0 / 12.0)],
    );
    assert!(distribution_based_fusion(&[&[], &[]]).is_empty());
    // One far above many equal ones lies outside of the limits, and is clipped.
    let mut far = vec![(99, 100.0)];
    far.extend((0..50).map(|concept| (concept, 1.0)));
    assert_eq!(distribution_based_fusion(&[&list(&far)])[0], (ConceptOrd(99), 1.0));
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
            concept: ConceptOrd(concept), equality, lexical, semantic, level, named: 0.0, usage: 0.0, semantic_typed: None,
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
    fn the_baselines_give_each_concept_once_within_bounds_and_in_one_order(
        words in prop::collection::btree_map(0u32..60, 0f32..=1.0, 0..40),
        meaning in prop::collection::btree_map(0u32..60, -1f32..=1.0, 0..40),
    ) {
        let concepts: std::collections::BTreeSet<u32> = words.keys().chain(meaning.keys()).copied().collect();
        let lists = [words, meaning].map(|side| side.into_iter().map(|(n, score)| (ConceptOrd(n), score)).collect::<Vec<_>>());
        for fusion in [min_max_fusion, distribution_based_fusion] {
            let fused = fusion(&[&lists[0], &lists[1]]);
            prop_assert!(fused.iter().all(|one| (0.0..=1.0).contains(&one.1)), "{fused:?}");
            prop_assert!(fused.windows(2).all(|pair| pair[0].1 > pair[1].1 || (pair[0].1 == pair[1].1 && pair[0].0 < pair[1].0)));
            prop_assert_eq!(fused.iter().map(|one| one.0.0).collect::<std::collections::BTreeSet<_>>(), concepts.clone());
            prop_assert_eq!(fused.len(), concepts.len());
            prop_assert_eq!(&fusion(&[&lists[1], &lists[0]]), &fused);
        }
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
