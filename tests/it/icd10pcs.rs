//! A cut of ICD-10-PCS: its hierarchy, and the procedure words that lead to its codes.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use medterm::catalog::{MatchedOn, SearchResponse};
use medterm::formats;
use medterm::terminology::{Concept, Release};
use medterm::{Catalog, SearchRequest};

use crate::support::*;
use crate::toml_cases::{Case, read};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

fn cut() -> &'static (Release, Vec<Concept>) {
    static READ: OnceLock<(Release, Vec<Concept>)> = OnceLock::new();
    READ.get_or_init(|| {
        let path = fixture("icd10pcs/icd10pcs_codes_2024.txt");
        let format = formats::detect(&path).expect("the cut is recognized");
        let source = formats::open(format, &path).expect("the cut opens");
        let release = source.release().clone();
        (release, source.collect::<Result<_, _>>().expect("the cut is sound"))
    })
}

fn words_only() -> &'static Catalog {
    static OPEN: OnceLock<Catalog> = OnceLock::new();
    OPEN.get_or_init(|| {
        let store = folder("icd10pcs");
        let (release, concepts) = cut();
        let report = build(&store, release, concepts, None).expect("the cut builds");
        assert_eq!(report.dangling_parents, 0);
        Catalog::open(&store).expect("the store opens")
    })
}

#[cfg(feature = "rten")]
fn with_vectors() -> &'static Catalog {
    static OPEN: OnceLock<Catalog> = OnceLock::new();
    OPEN.get_or_init(|| {
        let store = folder("icd10pcs-vectors");
        let (release, concepts) = cut();
        let model = crate::model::model();
        build(&store, release, concepts, Some(&model)).expect("the cut builds");
        Catalog::open_with(&store, medterm::catalog::Embedders::new(model)).expect("it opens")
    })
}

fn search_in(catalog: &Catalog, query: &str) -> SearchResponse {
    let request = SearchRequest::new(query).expect("the query can be asked");
    ask(catalog, &request.system("icd10pcs").limit(10).expect("the limit is in range"))
}

fn cases() -> Vec<Case> {
    let text = std::fs::read_to_string(fixture("golden/icd10pcs.toml")).expect("it is there");
    read(&text).expect("the golden file is sound")
}

fn accepts(patterns: &[String], code: &str) -> bool {
    patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(prefix) => code.starts_with(prefix),
        None => code == pattern,
    })
}

fn wrong(catalog: &Catalog, store: &str) -> (usize, Vec<String>) {
    let cases = cases();
    let mine: Vec<&Case> =
        cases.iter().filter(|case| case["stores"].iter().any(|one| one == store)).collect();
    let mut found = Vec::new();
    for case in &mine {
        let response = search_in(catalog, &case["query"][0]);
        assert_lawful(&case["query"][0], &response);
        let listed = codes(&response);
        if !listed.first().is_some_and(|first| accepts(&case["must_lead"], first)) {
            found.push(format!("{case:?}\n    got {listed:?}"));
        }
    }
    (mine.len(), found)
}

#[test]
fn procedure_words_lead_by_words_alone() {
    let (asked, found) = wrong(words_only(), "words");
    assert!(asked >= 50, "only {asked} cases");
    assert!(found.is_empty(), "{} of {asked}:\n{}", found.len(), found.join("\n"));
}

#[cfg(feature = "rten")]
#[test]
fn procedure_words_lead_with_vectors() {
    let (asked, found) = wrong(with_vectors(), "vectors");
    assert!(asked >= 15, "only {asked} cases");
    assert!(found.is_empty(), "{} of {asked}:\n{}", found.len(), found.join("\n"));
}

#[test]
fn the_golden_file_asks_for_codes_that_are_there() {
    let mut queries = std::collections::BTreeSet::new();
    for case in cases() {
        let keys: Vec<&str> = case.keys().map(String::as_str).collect();
        assert_eq!(keys, ["because", "must_lead", "query", "stores"], "{case:?}");
        let known = cut().1.iter().any(|one| accepts(&case["must_lead"], one.code.as_str()));
        assert!(known, "{case:?}");
        assert!(queries.insert(case["query"][0].clone()), "{case:?} is there twice");
    }
}

#[test]
fn a_reading_is_told_and_is_never_sure() {
    let response = search_in(words_only(), "laparoscopic appendectomy");
    let first = &response.results[0];
    assert_eq!(first.code.as_str(), "0DTJ4ZZ");
    assert_eq!(first.matched_on, MatchedOn::Synonym);
    assert_eq!(first.confidence, medterm::catalog::Confidence::NeedsReview);
    let notice = response.notice.as_deref().unwrap_or_default();
    assert!(
        notice.contains("appendectomy") && notice.contains("resection of appendix"),
        "{notice}"
    );
}

#[test]
fn a_name_and_a_code_come_before_every_reading() {
    let name = "Resection of Appendix, Open Approach";
    let response = search_in(words_only(), name);
    assert_eq!(response.results[0].code.as_str(), "0DTJ0ZZ");
    assert_eq!(response.results[0].matched_on, MatchedOn::Name);
    let response = search_in(words_only(), "0DTJ");
    assert!(response.results.iter().all(|hit| hit.code.as_str().starts_with("0DTJ")));
    assert_eq!(search_in(words_only(), "0dtj4zz").results[0].matched_on, MatchedOn::Code);
}

#[test]
fn diseases_are_not_read_as_procedures() {
    let response = search("appendectomy");
    let notice = response.notice.as_deref().unwrap_or_default();
    assert!(!notice.contains("resection"), "{notice}");
}
