//! Names taken from other terminologies: used, marked, never certain, and left out on demand.

use std::collections::BTreeMap;

use medterm::SearchRequest;
use medterm::catalog::{Borrowed, Confidence, MatchedOn, SearchMode};
use medterm::index::{IndexBuilder, TerminologyIndex};
use medterm::terminology::{Concept, DesignationUse};
use proptest::prelude::*;

use crate::invented::*;
use crate::support::*;

fn request(query: &str) -> SearchRequest {
    SearchRequest::new(query).expect("it has words").limit(100).expect("in range")
}

fn sample() -> Vec<Concept> {
    let jaundice = named(concept("A1", "Jaundice"), DesignationUse::Borrowed, "Tawny shade");
    let jaundice = named(jaundice, DesignationUse::Borrowed, "Icterine");
    let tremor = named(concept("A2", "Tremor"), DesignationUse::Synonym, "Icterine gravis");
    vec![jaundice, tremor, concept("A3", "Tawny owl"), concept("A4", "Glaucoma")]
}

#[test]
fn a_borrowed_name_leads_to_its_concept_and_says_where_it_is_from() {
    let store = folder("borrowed");
    build_invented(&store, "sample", &sample(), true);
    let catalog = open(&store);
    let response = ask(&catalog, &request("tawny shade"));
    let hit = &response.results[0];
    assert_eq!((hit.code.as_str(), hit.matched_term.as_str()), ("A1", "Tawny shade"));
    assert_eq!((hit.matched_use, hit.matched_on), (DesignationUse::Borrowed, MatchedOn::Synonym));
    assert_eq!(hit.matched_source.as_deref(), Some("Elsewhere 7"));
    assert_eq!(hit.confidence, Confidence::Strong, "never exact");
    assert_ne!(response.search_mode, "exact", "it does not keep the model from being asked");

    let own = ask(&catalog, &request("jaundice"));
    assert_eq!(own.results[0].confidence, Confidence::Exact);
    assert_eq!(own.results[0].matched_source, None);

    let detail = catalog.lookup("sample", "A1").expect("it is there");
    assert_eq!(detail.designations[0].source.as_deref(), Some("Elsewhere 7"));
    let validate = |name| {
        let request = medterm::catalog::ValidateRequest::new("sample", "A1").display(name);
        catalog.validate_code(&request).expect("it answers").valid
    };
    assert_eq!((validate("jaundice"), validate("tawny shade")), (Some(true), Some(false)));
}

#[test]
fn left_out_it_is_no_name_at_all() {
    let store = folder("borrowed-out");
    build_invented(&store, "sample", &sample(), false);
    let catalog = open(&store);
    let without = |query: &str| ask(&catalog, &request(query).borrowed(Borrowed::LeftOut));
    assert_eq!(codes(&without("icterine")), ["A2"]);
    assert_eq!(codes(&without("tawny shade")), ["A3"]);
    assert_eq!(codes(&ask(&catalog, &request("icterine"))), ["A1", "A2"]);
}

#[test]
fn an_index_gives_back_what_it_was_built_from() {
    let store = folder("borrowed-back");
    let mut concepts = sample();
    // Borrowed before it is a name of its own: the own one is kept.
    concepts[3] = named(concepts[3].clone(), DesignationUse::Borrowed, "High eye pressure");
    concepts[3] = named(concepts[3].clone(), DesignationUse::Synonym, "High eye pressure");
    let mut foreign =
        medterm::terminology::Designation::new("zh-TW", DesignationUse::Display, "青光眼");
    foreign.source = Some("A supplement 3".to_owned());
    concepts[3].designations.insert(0, foreign);
    concepts[0] = below(concepts[0].clone(), &["A2"]);
    concepts[0].ancestors = vec![concepts[3].code.clone(), concepts[1].code.clone()];
    concepts[1] = below(concepts[1].clone(), &["A3", "NONE"]);
    concepts[1].ancestors = vec![medterm::terminology::Code::new("NONE").expect("a code")];
    let embedder: &dyn medterm::dense::Embedder = &BagOfWords;
    let first = build(&store, &invented("sample"), &concepts, Some(embedder)).expect("it builds");
    assert_eq!((first.dangling_parents, first.dangling_ancestors), (1, 1));
    assert_eq!(first.designations_by_use[&DesignationUse::Borrowed], 2);
    assert_eq!(first.designations_by_use[&DesignationUse::Display], 5);
    assert_eq!(first.designations_by_language["zh-TW"], 1);

    let index = TerminologyIndex::open(&first.folder).expect("it opens");
    assert_eq!(index.manifest().counts.borrowed, 2);
    let back: Vec<Concept> = index.concepts().collect::<Result<_, _>>().expect("it is sound");
    assert_eq!(back[0].ancestors, [concepts[1].code.clone(), concepts[3].code.clone()]);
    assert_eq!(back[3].designations.len(), 2);
    let again = folder("borrowed-again");
    let mut builder = IndexBuilder::new(invented("sample")).embedder(embedder).reuse(&index);
    for concept in back {
        builder.push(concept).expect("it is taken");
    }
    let second = builder.finish(&again).expect("it builds");
    assert_eq!((second.build, second.embedded), (first.build, 0));
    assert!(contents(&store) == contents(&again));

    let catalog = open(&store);
    let above = catalog
        .hierarchy("sample", "A1", medterm::catalog::Direction::Ancestors, Default::default())
        .expect("it has some");
    let above: Vec<&str> = above.items.iter().map(|one| one.code.as_str()).collect();
    assert_eq!(above, ["A2", "A4"], "A3 is above A2, and not above A1");
    assert_eq!(codes(&ask(&catalog, &request("青光眼"))), ["A4"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn left_out_the_answer_is_that_of_the_release_alone(concepts in any_concepts(), query in any_query()) {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        build_invented(one.path(), "sample", &concepts, true);
        let mut own = concepts.clone();
        for concept in &mut own {
            concept.designations.retain(|name| name.use_ != DesignationUse::Borrowed);
        }
        build_invented(two.path(), "sample", &own, true);
        let (with, alone) = (open(one.path()), open(two.path()));
        let left_out = |mode| ask(&with, &request(&query).mode(mode).borrowed(Borrowed::LeftOut));
        let expected = |mode| ask(&alone, &request(&query).mode(mode));

        let mode = SearchMode::Semantic;
        prop_assert_eq!(essence(&left_out(mode).results), essence(&expected(mode).results));

        let (found, expected) = (left_out(SearchMode::Hybrid), expected(SearchMode::Hybrid));
        prop_assert_eq!(&found.search_mode, &expected.search_mode);
        prop_assert!(found.results.iter().all(|hit| hit.matched_use != DesignationUse::Borrowed));
        let equal = |response: &medterm::catalog::SearchResponse| -> BTreeMap<String, String> {
            let equal = response.results.iter().filter(|hit| hit.signals.exact > 0.0);
            equal.map(|hit| (hit.code.to_string(), format!("{:?}", (hit.score, hit.confidence)))).collect()
        };
        prop_assert_eq!(equal(&found), equal(&expected));
        if found.search_mode == "hybrid" {
            // So few concepts are all in the pool; what words weigh may put them in another order.
            let cosines = |response: &medterm::catalog::SearchResponse| -> BTreeMap<String, Option<u32>> {
                let hits = response.results.iter();
                hits.map(|hit| (hit.code.to_string(), hit.signals.semantic.map(f32::to_bits))).collect()
            };
            prop_assert_eq!(cosines(&found), cosines(&expected));
        }
    }

    #[test]
    fn a_borrowed_name_is_never_exact(concepts in any_concepts(), query in any_query()) {
        let store = tempfile::tempdir().unwrap();
        build_invented(store.path(), "sample", &concepts, false);
        for hit in ask(&open(store.path()), &request(&query)).results {
            if hit.confidence == Confidence::Exact {
                prop_assert!(hit.matched_use != DesignationUse::Borrowed, "{:?}", hit);
                prop_assert_eq!(hit.matched_source, None);
            }
        }
    }
}
