//! Spellings, negations and abbreviations, and many who ask at once, on the complete release.

use std::sync::Arc;

use medterm::catalog::{
    ConceptList, Confidence, Embedders, Hit, LookupResponse, SearchResponse, ValidateResponse,
};
use medterm::dense::Embedder;
use medterm::formats::ImportError;
use medterm::index::{IndexError, IndexReport, TerminologyIndex};
use medterm::terminology::{Concept, Release};
use medterm::{Catalog, Error, SearchRequest};

use crate::support::*;

#[test]
fn accents_width_case_and_marks_make_no_difference() {
    for (spellings, first) in [
        (
            &["Meniere's disease", "Ménière's disease", "MÉNIÈRE’S DISEASE", "meniere's  disease"]
                [..],
            "H81.0",
        ),
        (&["cholera", "Ｃｈｏｌｅｒａ", "CHOLERA", "cholera.", "«Cholera»"], "A00"),
        (&["Sjögren syndrome", "sjogren syndrome"], "M35.0"),
    ] {
        let plain = search(spellings[0]);
        assert!(codes(&plain)[0].starts_with(first), "{:?}", codes(&plain));
        for spelling in &spellings[1..] {
            let other = search(spelling);
            assert_eq!(codes(&other)[0], codes(&plain)[0], "{spelling:?}");
            assert_eq!(other.results[0].confidence, plain.results[0].confidence, "{spelling:?}");
        }
    }
}

#[test]
fn with_and_without_are_never_taken_for_each_other() {
    for (query, first, never) in [
        ("type 2 diabetes without complications", "E11.9", "E11.8"),
        ("diabetes with ketoacidosis without coma", "E1", "E11.11"),
        ("acute appendicitis with localized peritonitis", "K35.3", "K35.8"),
        ("acute gastric ulcer without hemorrhage or perforation", "K25.3", "K25.2"),
        ("acute gastric ulcer with hemorrhage", "K25.0", "K25.3"),
    ] {
        let response = search(query);
        let listed = codes(&response);
        assert!(listed[0].starts_with(first), "{query:?}: {listed:?}");
        assert!(!listed[0].starts_with(never), "{query:?}: {listed:?}");
    }
}

#[test]
fn an_abbreviation_that_is_not_to_be_used_is_resolved_to_nothing() {
    for query in ["U", "IU", "QD", "qod", "MSO4", "MgSO4"] {
        let response = search(query);
        let sure = response.results.iter().find(|hit| hit.confidence != Confidence::NeedsReview);
        assert!(sure.is_none(), "{query}: {sure:?}");
        let notice = response.notice.unwrap_or_default();
        assert!(!notice.contains("also read as"), "{query}: {notice}");
    }
}

#[test]
fn words_written_out_are_never_read_as_their_abbreviation() {
    let response = search("road traffic accident");
    let kidney = codes(&response).iter().any(|code| code.starts_with("N25"));
    assert!(!kidney, "{:?}", codes(&response));
}

#[test]
fn a_full_name_goes_before_an_abbreviation() {
    // An expansion is tried beside the words, never above a name that is typed out.
    for query in ["Multiple sclerosis", "Rheumatoid arthritis, unspecified", "Pulmonary embolism"] {
        let response = search(query);
        assert_eq!(response.results[0].signals.exact, 1.0, "{query}: {:?}", codes(&response));
    }
    for query in ["MS", "RA", "PE", "uti", "copd", "gerd"] {
        let response = search(query);
        assert_eq!(response.results[0].signals.exact, 0.0, "{query}: {:?}", codes(&response));
        assert!(response.results[0].score < 0.96, "{query}: {}", response.results[0].score);
    }
}

#[test]
fn the_mode_of_words_alone_is_what_a_store_without_vectors_does() {
    use medterm::catalog::SearchMode;
    for query in ["heart failure", "diabetes with kidney disease", "pnuemonia", "MS"] {
        let hybrid = ask(complete(), &request(query, 20));
        let lexical = ask(complete(), &request(query, 20).mode(SearchMode::Lexical));
        assert_eq!(essence(&hybrid.results), essence(&lexical.results), "{query:?}");
        assert_eq!(lexical.search_note, None, "nothing less was used than was asked for");
    }
    let without = ask(complete(), &request("diabetes with kidney disease", 5));
    assert!(without.search_note.unwrap_or_default().contains("without embeddings"));
    for mode in SearchMode::ALL {
        let response = ask(complete(), &request("diabetes with kidney disease", 50).mode(mode));
        assert_lawful("diabetes with kidney disease", &response);
    }
}

#[test]
fn many_may_ask_at_once_and_get_the_same() {
    let queries = ["heart attack", "pnuemonia", "fracture of femur", "E11", "MS", "chest pain"];
    let alone: Vec<SearchResponse> = queries.iter().map(|query| search(query)).collect();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for (query, expected) in queries.iter().zip(&alone) {
                    assert_eq!(&search(query), expected, "{query:?}");
                }
            });
        }
    });
}

#[test]
fn what_is_public_may_be_sent_and_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<Catalog>();
    shared::<TerminologyIndex>();
    shared::<Embedders>();
    shared::<Arc<dyn Embedder>>();
    shared::<SearchRequest>();
    shared::<SearchResponse>();
    shared::<Hit>();
    shared::<LookupResponse>();
    shared::<ValidateResponse>();
    shared::<ConceptList>();
    shared::<Concept>();
    shared::<Release>();
    shared::<IndexReport>();
    shared::<Error>();
    shared::<IndexError>();
    shared::<ImportError>();
}
