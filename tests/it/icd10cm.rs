//! The contract of the search, on the complete release of ICD-10-CM, by words alone.

use medterm::catalog::{Confidence, MatchedOn};
use medterm::{Catalog, SearchRequest};

use crate::queries::assorted;
use crate::support::*;

#[test]
fn the_complete_release_is_in_the_index() {
    let (_, report) = complete_store();
    assert_eq!((report.concepts, report.groupers), (98_186, 280));
    assert_eq!((report.dangling_parents, report.dropped_cycle_edges), (0, 0));
    assert_eq!((report.rows, report.embedded, report.reused), (0, 0, 0));
    let terminologies = complete().terminologies();
    let [only] = &terminologies[..] else { panic!("{terminologies:?}") };
    assert_eq!((only.alias.as_str(), only.version.as_str()), ("icd10cm", "2026-04-01"));
    assert_eq!((only.concepts, only.groupers, only.vectors), (98_186, 280, 0));
    assert_eq!(only.system.as_str(), "http://hl7.org/fhir/sid/icd-10-cm");
    assert!(only.default && only.model.is_none() && only.designations > 110_000);
    assert!(complete().failures().is_empty());
}

#[test]
fn a_code_leads_in_every_spelling() {
    for (query, code) in [
        ("E11.9", "E11.9"),
        ("E119", "E11.9"),
        ("e11.9", "E11.9"),
        (" E11.9. ", "E11.9"),
        ("i21", "I21"),
        ("K922", "K92.2"),
        ("qa0", "QA0"),
        ("s72001a", "S72.001A"),
        ("S72.001A", "S72.001A"),
        ("t36.0x1a", "T36.0X1A"),
    ] {
        let response = search(query);
        assert_eq!(codes(&response).first(), Some(&code), "{query:?}: {:?}", codes(&response));
        let first = &response.results[0];
        assert_eq!(first.matched_on, MatchedOn::Code, "{query:?}");
        assert_eq!(first.confidence, Confidence::Exact, "{query:?}");
        assert_eq!((first.score, first.signals.exact), (1.0, 1.0), "{query:?}");
        assert_eq!(response.search_mode, "code", "{query:?}");
    }
}

#[test]
fn the_beginning_of_codes_lists_them_in_code_order() {
    for prefix in ["I21", "E11", "s72.00", "E08.3"] {
        let response = ask(complete(), &request(prefix, 100));
        let listed = codes(&response);
        assert!(listed.len() > 5, "{prefix}: {listed:?}");
        assert!(listed.is_sorted(), "{prefix}: {listed:?}");
        let begins = prefix.to_ascii_uppercase();
        assert!(listed.iter().all(|code| code.starts_with(&begins)), "{prefix}: {listed:?}");
        assert_eq!(listed[0], begins);
        assert!(response.paging.total_is_exact);
        let rest = &response.results[1..];
        assert!(rest.iter().all(|hit| hit.confidence == Confidence::NeedsReview), "{prefix}");
    }
}

#[test]
fn two_characters_are_never_a_code() {
    for query in ["E1", "I2", "A0", "e1."] {
        let response = search(query);
        assert_ne!(response.search_mode, "code", "{query}");
        let exact = response.results.iter().any(|hit| hit.confidence == Confidence::Exact);
        assert!(!exact, "{query}: {:?}", codes(&response));
    }
}

#[test]
fn a_code_that_is_also_a_lab_or_a_vitamin_is_no_list_of_codes() {
    for query in ["B12", "T4", "C3", "F8"] {
        assert_ne!(search(query).search_mode, "code", "{query}");
    }
}

#[test]
fn a_pasted_list_answers_each_code_in_its_order() {
    for list in ["I10 E119, A00.9; z23", "I10\nE11.9\nA00.9\nZ23\n", "i10|e119|a009|z23|I10"] {
        let response = search(list);
        assert_eq!(codes(&response), ["I10", "E11.9", "A00.9", "Z23"], "{list:?}");
        assert!(response.results.iter().all(|hit| hit.confidence == Confidence::Exact));
        assert!(response.paging.total_is_exact && !response.paging.has_more);
    }
    assert_ne!(search("I10 and E11.9").search_mode, "code");
    // 9 and 11 are chapters, which are not searched, alone or in a list.
    assert_ne!(search("11 9").search_mode, "code");
}

#[test]
fn what_is_the_name_leads() {
    for (query, first) in [
        ("cholera", "A00"),
        ("Cholera, unspecified", "A00.9"),
        ("CHOLERA UNSPECIFIED", "A00.9"),
        ("Essential (primary) hypertension", "I10"),
        ("essential primary hypertension", "I10"),
        ("Type 2 diabetes mellitus without complications", "E11.9"),
        ("Nonrheumatic aortic (valve) stenosis", "I35.0"),
        ("Sarcoidosis of lung", "D86.0"),
    ] {
        let response = search(query);
        assert_eq!(codes(&response)[0], first, "{query:?}: {:?}", codes(&response));
        assert_eq!(response.results[0].confidence, Confidence::Exact, "{query:?}");
        assert_eq!(response.search_mode, "exact", "{query:?}");
    }
    assert_eq!(codes(&search("cholera"))[..2], ["A00", "A00.9"]);
}

#[test]
fn every_display_finds_its_concept() {
    // A name that several codes have is found at one of them: the shallowest.
    let (_, concepts) = release();
    let shared = |display: &str| concepts.iter().filter(|c| c.display == display).count() > 1;
    let mut asked = 0;
    for concept in concepts.iter().filter(|c| !c.code.as_str().contains('-')).step_by(2500) {
        if concept.code.as_str().len() < 3 || shared(&concept.display) {
            continue;
        }
        asked += 1;
        let response = search(&concept.display);
        assert_eq!(codes(&response)[0], concept.code.as_str(), "{:?}", concept.display);
    }
    assert!(asked > 20, "only {asked} were asked");
}

#[test]
fn a_residual_code_is_not_the_unspecified_one() {
    // "Other specified" is a meaning: it does not lead for the bare name.
    for (query, other) in [("hypothyroidism", "E03.8"), ("pneumonia", "J18.8")] {
        let response = search(query);
        assert_ne!(codes(&response)[0], other, "{query}: {:?}", codes(&response));
    }
    assert_eq!(codes(&search("Other specified hypothyroidism"))[0], "E03.8");
}

#[test]
fn the_general_code_stands_before_the_special_one() {
    let response = ask(complete(), &request("heart failure", 100));
    let listed = codes(&response);
    let place = |code: &str| listed.iter().position(|one| *one == code).unwrap_or(usize::MAX);
    assert!(place("I50").min(place("I50.9")) < place("I50.813"), "{listed:?}");
    assert!(["I50", "I50.9"].contains(&listed[0]), "{listed:?}");
}

#[test]
fn everyday_words_are_met_before_vectors() {
    for (query, family) in [
        ("heart attack", "I21"),
        ("HEART ATTACK", "I21"),
        ("stroke", "I63"),
        ("high blood pressure", "I10"),
        ("kidney stone", "N20"),
        ("pink eye", "H10"),
    ] {
        let response = search(query);
        let first = codes(&response)[0];
        assert!(first.starts_with(family), "{query:?}: {:?}", codes(&response));
        assert_ne!(response.results[0].confidence, Confidence::Exact, "{query:?}");
        assert_eq!(response.search_mode, "keyword_only", "{query:?}");
    }
    let notice = search("heart attack").notice.unwrap_or_default();
    assert!(
        notice.contains("heart attack") && notice.contains("myocardial infarction"),
        "{notice}"
    );
}

#[test]
fn a_misspelt_word_is_corrected_said_and_never_sure() {
    for (query, meant, first) in [
        ("pnuemonia", "pneumonia", "J18"),
        ("hypertention", "hypertension", "I1"),
        ("apendicitis", "appendicitis", "K3"),
        ("diabetis mellitus", "diabetes", "E1"),
    ] {
        let response = search(query);
        assert!(codes(&response)[0].starts_with(first), "{query}: {:?}", codes(&response));
        let notice = response.notice.clone().unwrap_or_default();
        assert!(notice.contains(meant), "{query}: {notice:?}");
        let sure = |hit: &&medterm::catalog::Hit| hit.confidence != Confidence::NeedsReview;
        assert!(!response.results.iter().any(|hit| sure(&hit)), "{query}");
    }
}

#[test]
fn an_ambiguous_abbreviation_gives_its_senses() {
    for (query, senses) in [
        ("MS", vec!["multiple sclerosis", "mitral stenosis"]),
        ("PE", vec!["pulmonary embolism"]),
        ("RA", vec!["rheumatoid arthritis"]),
        ("AD", vec!["alzheimer's disease", "atopic dermatitis"]),
    ] {
        let response = search(query);
        let notice = response.notice.clone().unwrap_or_default();
        assert!(notice.contains("can mean"), "{query}: {notice:?}");
        for sense in senses {
            assert!(notice.contains(sense), "{query}: {notice:?}");
        }
        let sure = response.results.iter().any(|hit| hit.confidence != Confidence::NeedsReview);
        assert!(!sure, "{query}: {:?}", codes(&response));
    }
}

#[test]
fn a_page_is_a_slice() {
    for query in ["heart failure", "fracture of femur", "S72.00", "asthma", "MS", "pnuemonia"] {
        let whole = ask(complete(), &request(query, 30));
        let mut pages = Vec::new();
        for offset in (0..30).step_by(3) {
            let page = ask(complete(), &request(query, 3).offset(offset));
            assert_eq!(page.paging.total, whole.paging.total, "{query:?}");
            assert_eq!(page.paging.count, page.results.len());
            pages.extend(page.results);
        }
        assert_eq!(essence(&pages), essence(&whole.results), "{query:?}");
    }
    let past = ask(complete(), &request("heart failure", 3).offset(100_000));
    assert!(past.results.is_empty() && !past.paging.has_more);
    assert!(past.notice.unwrap_or_default().contains("past the end"));
}

#[test]
fn a_filter_changes_no_score() {
    for query in ["heart failure", "diabetes with kidney disease", "fracture", "stroke", "MI"] {
        let free = ask(complete(), &request(query, 100));
        let score = |code: &str| {
            free.results.iter().find(|hit| hit.code.as_str() == code).map(|hit| hit.score.to_bits())
        };
        let mut compared = 0;
        let filters = [
            request(query, 100).under("I50"),
            request(query, 100).under("9"),
            request(query, 100).under("E08-E13"),
            request(query, 100).billable(true),
            request(query, 100).billable(false),
            request(query, 100).under("I60-I69").billable(true),
        ];
        for filtered in filters {
            let response = ask(complete(), &filtered);
            assert_lawful(query, &response);
            for hit in &response.results {
                if let Some(free) = score(hit.code.as_str()) {
                    assert_eq!(hit.score.to_bits(), free, "{query:?}: {} {filtered:?}", hit.code);
                    compared += 1;
                }
            }
        }
        assert!(compared > 10, "{query:?}: only {compared} in both answers");
    }
}

#[test]
fn a_filter_keeps_what_it_names() {
    let under = ask(complete(), &request("heart failure", 100).under("I50"));
    assert!(codes(&under).iter().all(|code| code.starts_with("I50")), "{:?}", codes(&under));
    assert!(codes(&under).contains(&"I50"), "the code itself is among them");
    for billable in [true, false] {
        let response = ask(complete(), &request("heart failure", 100).billable(billable));
        assert!(response.results.iter().all(|hit| hit.billable == Some(billable)));
        assert!(!response.results.is_empty());
    }
}

#[test]
fn a_least_score_cuts_the_end_off_and_nothing_else() {
    let all = ask(complete(), &request("heart failure", 100));
    let least = all.results[3].score;
    let cut = request("heart failure", 100).min_score(least).expect("a score is a least score");
    let kept: Vec<_> = all.results.iter().filter(|hit| hit.score >= least).cloned().collect();
    let cut = ask(complete(), &cut);
    assert!(kept.len() >= 4 && kept.len() < all.results.len());
    assert_eq!(essence(&cut.results), essence(&kept));
    for least in [-0.1, 1.1, f32::NAN, f32::INFINITY] {
        assert!(SearchRequest::new("x1").expect("a query").min_score(least).is_err(), "{least}");
    }
}

#[test]
fn every_answer_is_lawful_whatever_is_asked() {
    let queries = assorted();
    assert!(queries.len() >= 150, "{}", queries.len());
    for query in &queries {
        // What has nothing to search for is refused; everything else is answered.
        let Ok(request) = SearchRequest::new(query) else { continue };
        let request = request.limit(50).expect("the limit is in range");
        let response = complete().search(&request).unwrap_or_else(|e| panic!("{query:?}: {e}"));
        assert_lawful(query, &response);
    }
}

#[test]
fn two_readers_give_the_same_answers() {
    let other = Catalog::open(&complete_store().0).expect("the store opens again");
    for query in assorted().iter().filter(|query| query.len() < 100) {
        let Ok(request) = SearchRequest::new(query) else { continue };
        let first = complete().search(&request).expect("it answers");
        let second = other.search(&request).expect("it answers");
        assert_eq!(first, second, "{query:?}");
    }
}

#[test]
fn nonsense_is_never_sure() {
    for query in [
        "asdfghjkl",
        "qwertyuiop zxcvbnm",
        "quarterly tax return",
        "install linux kernel module",
        "best pizza in town",
        "stock market crash",
        "football score",
        "心臟病",
    ] {
        let response = search(query);
        let sure = response.results.iter().find(|hit| hit.confidence != Confidence::NeedsReview);
        assert!(sure.is_none(), "{query:?}: {sure:?}");
    }
    let nothing = search("心臟病");
    assert!(nothing.results.is_empty());
    assert!(nothing.notice.unwrap_or_default().contains("nothing was found"));
}

#[test]
fn what_cannot_be_asked_is_refused_with_the_field() {
    for query in ["", "   ", "\n\t", "💔", "---", "…"] {
        let error = SearchRequest::new(query).expect_err(query);
        assert!(error.is_caller_fault());
        assert!(error.to_string().starts_with("query: "), "{error}");
    }
    assert!(SearchRequest::new(&"x".repeat(1001)).is_err());
    for limit in [0, 101] {
        let error = SearchRequest::new("flu").expect("a query").limit(limit).expect_err("refused");
        assert!(error.to_string().starts_with("limit: "), "{error}");
    }
}
