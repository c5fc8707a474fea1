//! Words and meaning together, with the real model, on two chapters of the release.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use medterm::SearchRequest;
use medterm::catalog::{Confidence, Hit, MatchedOn, SearchMode};
use medterm::dense::{Embedder, OrtEmbedder, default_threads};
use medterm::eval::Gold;
use medterm::terminology::ConceptOrd;

use crate::model::*;
use crate::queries::assorted;
use crate::support::*;

const QUERIES: &[&str] = &[
    "underactive thyroid gland",
    "too much potassium in the blood",
    "clogged arteries of the heart",
    "low blood sugar",
    "leaky heart valve",
    "blood clot in the lung",
    "hardening of the arteries",
    "very high fat in blood",
    "heart stopped beating",
    "swollen veins in the legs",
    "dangerously overweight",
    "vitamin shortage",
    "brain bleed",
    "irregular heartbeat",
    "thickened heart muscle",
    "pregnancy test",
    "broken arm",
    "asdfghjkl",
    "sugar disease",
];

fn score_of<'h>(hits: &'h [Hit], code: &str) -> Option<&'h Hit> {
    hits.iter().find(|hit| hit.code.as_str() == code)
}

#[test]
fn the_cut_is_large_enough_to_rank_among_and_quick_to_embed() {
    let terminologies = cut().terminologies();
    let [only] = &terminologies[..] else { panic!("{terminologies:?}") };
    assert!((1000..=2500).contains(&only.vectors), "{} rows", only.vectors);
    assert!(only.model.as_deref().is_some_and(|model| model.contains("sha256:")));
    assert!(cut().verify().iter().all(|finding| finding.problem.is_none()));
}

#[test]
fn meaning_finds_what_words_do_not() {
    let response = ask(cut(), &request("dangerously overweight", 10));
    assert_eq!(response.search_mode, "hybrid");
    assert_eq!(response.search_note, None);
    assert!(codes(&response).iter().any(|code| code.starts_with("E66")), "{:?}", codes(&response));
    assert!(response.results.iter().all(|hit| hit.signals.semantic.is_some()));
    let semantic = response.results.iter().filter(|hit| hit.matched_on == MatchedOn::Semantic);
    assert!(semantic.count() > 0);
}

#[test]
fn every_answer_with_vectors_is_lawful() {
    for query in assorted().iter().step_by(5).map(String::as_str).chain(QUERIES.iter().copied()) {
        let Ok(request) = SearchRequest::new(query) else { continue };
        let response = ask(cut(), &request.limit(50).expect("the limit is in range"));
        assert_lawful(query, &response);
    }
}

#[test]
fn a_code_or_a_name_needs_no_model() {
    let watched = Arc::new(Watched::new(Fault::None));
    let catalog = cut_with(Arc::<Watched>::clone(&watched));
    for (query, mode) in [
        ("E119", "code"),
        ("i21", "code"),
        ("I10, E11.9", "code"),
        ("Heart failure, unspecified", "exact"),
        ("heart failure", "exact"),
        ("Type 2 diabetes mellitus", "exact"),
    ] {
        let response = ask(&catalog, &request(query, 10));
        assert_eq!(response.search_mode, mode, "{query:?}");
        assert_eq!(response.search_note, None, "{query:?}");
    }
    let lexical = request("brain bleed", 10).mode(SearchMode::Lexical);
    assert_eq!(ask(&catalog, &lexical).search_mode, "keyword_only");
    assert!(catalog.lookup("icd10cm", "I10").is_ok());
    assert_eq!(watched.asked(), 0);
    assert_eq!(ask(&catalog, &request("brain bleed", 10)).search_mode, "hybrid");
    let once = watched.asked();
    assert!(once > 0);
    // The next page is the same query.
    ask(&catalog, &request("brain bleed", 10).offset(10));
    assert_eq!(watched.asked(), once);
}

#[test]
fn without_its_model_an_index_answers_by_words_and_says_so() {
    let without = medterm::Catalog::open(cut_store()).expect("the cut opens");
    let another = cut_with(Arc::new(Watched::new(Fault::AnotherModel)));
    for catalog in [&without, &another] {
        let response = ask(catalog, &request("diabetes with kidney disease", 10));
        assert_eq!(response.search_mode, "keyword_only");
        let note = response.search_note.unwrap_or_default();
        assert!(note.contains("another model") && note.contains("words alone"), "{note}");
        assert!(!response.results.is_empty());
        assert!(response.results.iter().all(|hit| hit.signals.semantic.is_none()));
    }
}

#[test]
fn a_model_that_fails_degrades_the_search_and_never_fails_it() {
    for fault in [Fault::After(0), Fault::TooLong, Fault::NotANumber] {
        fails_and_degrades(fault);
    }
}

fn fails_and_degrades(fault: Fault) {
    let catalog = cut_with(Arc::new(Watched::new(fault)));
    let response = ask(&catalog, &request("diabetes with kidney disease", 10));
    assert_eq!(response.search_mode, "keyword_only");
    let note = response.search_note.clone().unwrap_or_default();
    assert!(note.contains("failed"), "{note}");
    assert!(!response.results.is_empty());
    assert_lawful("diabetes with kidney disease", &response);
    // The same as if no model had been there.
    let without = medterm::Catalog::open(cut_store()).expect("the cut opens");
    let words = ask(&without, &request("diabetes with kidney disease", 10));
    assert_eq!(essence(&words.results), essence(&response.results));
    for mode in SearchMode::ALL {
        let request = request("diabetes with kidney disease", 10).mode(mode);
        assert!(catalog.search(&request).is_ok(), "{mode}");
    }
}

#[test]
fn the_plain_order_of_meaning_is_that_of_every_row() {
    let index = cut().index("icd10cm").expect("it is there");
    let matrix = index.matrix().expect("the cut has vectors");
    for query in QUERIES {
        let vector = model().embed_query(query).expect("the model runs");
        let mut best: BTreeMap<ConceptOrd, f32> = BTreeMap::new();
        for row in 0..u32::try_from(matrix.rows()).expect("few rows") {
            let stored = matrix.row(row).expect("the row is there");
            let cosine: f32 = stored.iter().zip(&vector).map(|(a, b)| a * b).sum();
            for concept in matrix.concepts_of(row) {
                let found = best.entry(concept).or_insert(cosine);
                *found = found.max(cosine);
            }
        }
        let mut order: Vec<(f32, ConceptOrd)> = best.into_iter().map(|(c, s)| (s, c)).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));

        let response = ask(cut(), &request(query, 50).mode(SearchMode::Semantic));
        assert_eq!(response.search_mode, "semantic");
        assert_eq!(response.results.len(), 50, "{query:?}");
        for (hit, (cosine, concept)) in response.results.iter().zip(&order) {
            // Another order of the same sum may move the last bits, and equals may change places.
            assert!((hit.score - cosine.max(0.0)).abs() < 1e-4, "{query:?}: {hit:?} {cosine}");
            let code = index.records().code(*concept);
            if hit.code.as_str() != code {
                let own = score_of(&response.results, code).map_or(*cosine, |other| other.score);
                assert!((own - hit.score).abs() < 1e-4, "{query:?}: {} for {code}", hit.code);
            }
        }
    }
}

#[test]
fn the_two_nearest_in_meaning_are_among_the_first_ten() {
    for query in QUERIES {
        let hybrid = ask(cut(), &request(query, 10));
        if hybrid.search_mode != "hybrid" {
            continue;
        }
        // With its rewrites a query has several vectors: the nearest is the best of all of them,
        // as the signals of the hits say.
        let pool = ask(cut(), &request(query, 100));
        let mut by_meaning: Vec<&Hit> =
            pool.results.iter().filter(|hit| hit.confidence != Confidence::Exact).collect();
        by_meaning.sort_by(|a, b| {
            let cosine = |hit: &Hit| hit.signals.semantic.unwrap_or(-1.0);
            cosine(b).total_cmp(&cosine(a))
        });
        let names = pool.results.iter().filter(|hit| hit.signals.exact > 0.0).count();
        for nearest in by_meaning.iter().take(2) {
            assert!(nearest.rank <= 10 + names, "{query:?}: {} at {}", nearest.code, nearest.rank);
        }
        if hybrid.notice.is_none() && names == 0 {
            let plain = ask(cut(), &request(query, 2).mode(SearchMode::Semantic));
            for hit in &plain.results {
                let found = score_of(&hybrid.results, hit.code.as_str());
                assert!(found.is_some(), "{query:?}: {} is not in {:?}", hit.code, codes(&hybrid));
            }
        }
    }
}

#[test]
fn a_filter_changes_no_score_with_vectors_either() {
    for query in QUERIES {
        let free = ask(cut(), &request(query, 100));
        let filters = [
            request(query, 100).under("I60"),
            request(query, 100).under("E11"),
            request(query, 100).billable(true),
            request(query, 100).billable(false),
        ];
        for filtered in filters {
            let response = ask(cut(), &filtered);
            assert_lawful(query, &response);
            for hit in &response.results {
                if let Some(same) = score_of(&free.results, hit.code.as_str()) {
                    assert_eq!(hit.score, same.score, "{query:?}: {} {filtered:?}", hit.code);
                }
            }
        }
    }
}

#[test]
fn a_page_with_vectors_is_a_slice() {
    for query in &QUERIES[..6] {
        let whole = ask(cut(), &request(query, 30));
        let pages: Vec<Hit> = (0..30)
            .step_by(3)
            .flat_map(|offset| ask(cut(), &request(query, 3).offset(offset)).results)
            .collect();
        assert_eq!(essence(&pages), essence(&whole.results), "{query:?}");
    }
}

#[test]
fn nonsense_is_never_sure_with_vectors_either() {
    for query in ["asdfghjkl", "quarterly tax return", "best pizza in town", "train timetable"] {
        let response = ask(cut(), &request(query, 10));
        let sure = response.results.iter().find(|hit| hit.confidence != Confidence::NeedsReview);
        assert!(sure.is_none(), "{query:?}: {sure:?}");
        let first = response.results.first().map_or(0.0, |hit| hit.score);
        assert!(first < 0.8, "{query:?} scores {first}");
    }
}

#[test]
fn an_index_with_vectors_lends_them_to_the_next_build() {
    let catalog = cut();
    let index = catalog.index("icd10cm").expect("it is there");
    let store = folder("lent");
    let watched = Watched::new(Fault::None);
    let mut builder =
        medterm::index::IndexBuilder::new(release().0.clone()).embedder(&watched).reuse(index);
    for concept in cut_concepts() {
        builder.push(concept).expect("it is taken");
    }
    let report = builder.finish(&store).expect("it builds");
    assert_eq!((watched.asked(), report.embedded, report.reused), (0, 0, report.rows));
    let (lent, first) = (contents(&store), contents(cut_store()));
    assert!(lent == first, "the same vectors make the same bytes");
}

/// The folder of evaluation data, where this machine has one.
fn test_data() -> Option<PathBuf> {
    let data = std::env::var_os("MEDTERM_TEST_DATA").map(PathBuf::from)?;
    data.join("gold/dev").is_dir().then(|| data.join("gold/dev"))
}

#[test]
fn both_backends_find_the_same_first_codes() {
    let Some(gold) = test_data() else {
        println!("skipped: MEDTERM_TEST_DATA names no folder with gold/dev");
        return;
    };
    let ort = match OrtEmbedder::load(&model_files(), default_threads()) {
        Ok(ort) => ort,
        Err(error) => {
            println!("skipped: {error}");
            return;
        }
    };
    let store = folder("ort");
    build(&store, &release().0, &cut_concepts(), Some(&ort)).expect("the cut builds");
    let embedders = medterm::catalog::Embedders::new(Arc::new(ort));
    let ort = medterm::Catalog::open_with(&store, embedders).expect("it opens");
    let known: HashSet<String> = cut_concepts().iter().map(|c| c.code.to_string()).collect();
    for file in ["icd10cm_everyday.tsv", "icd10cm_icd9_titles.tsv", "icd10cm_disease_names.tsv"] {
        let gold = Gold::open(&gold.join(file)).expect("the gold file is sound");
        // What the cut has, a few hundred of each file at most.
        let mine: Vec<_> = gold
            .queries()
            .iter()
            .filter(|query| known.iter().any(|code| query.accept.accepts(code)))
            .take(400)
            .collect();
        let first = |catalog: &medterm::Catalog| {
            let right = |query: &&&medterm::eval::GoldQuery| {
                let response = ask(catalog, &request(&query.query, 1));
                response.results.first().is_some_and(|hit| query.accept.accepts(hit.code.as_str()))
            };
            mine.iter().filter(right).count()
        };
        let (with_ort, with_rten) = (first(&ort), first(cut()));
        let points = 100.0 * with_ort.abs_diff(with_rten) as f64 / mine.len().max(1) as f64;
        println!("{file}: {} queries, ort {with_ort}, rten {with_rten} right", mine.len());
        assert!(points <= 0.5, "{file}: {points:.2} points apart");
    }
}
