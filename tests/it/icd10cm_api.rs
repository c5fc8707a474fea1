//! Looking up, validating and walking, on the complete release of ICD-10-CM.

use medterm::catalog::{
    ConceptList, Direction, Page, PropertyView, Subsumption, ValidateRequest, ValidateResponse,
};
use medterm::terminology::{Content, PropertyValue};
use medterm::{Catalog, Error, SearchRequest};
use serde_json::{Value, json};

use crate::support::*;

fn validate(request: &ValidateRequest) -> ValidateResponse {
    complete().validate_code(request).expect("it answers")
}

fn of(code: &str) -> ValidateRequest {
    ValidateRequest::new("icd10cm", code)
}

fn issues(response: &ValidateResponse) -> Vec<&str> {
    response.issues.iter().map(|issue| issue.code.as_str()).collect()
}

fn items(list: &ConceptList) -> Vec<&str> {
    list.items.iter().map(|concept| concept.code.as_str()).collect()
}

fn walk(code: &str, direction: Direction) -> ConceptList {
    let all = Page { offset: 0, limit: 1000 };
    complete().hierarchy("icd10cm", code, direction, all).expect("the code is there")
}

#[test]
fn a_lookup_tells_everything_and_what_is_inherited_from_where() {
    let found = complete().lookup("icd10cm", "e119").expect("E11.9 is there");
    assert_eq!(found.code.as_str(), "E11.9");
    assert_eq!(found.normalized_code.as_ref().map(|code| code.as_str()), Some("E11.9"));
    assert_eq!(found.display, "Type 2 diabetes mellitus without complications");
    assert_eq!((found.active, found.billable), (true, Some(true)));
    assert_eq!(found.parents.len(), 1);
    assert_eq!(found.parents[0].code.as_str(), "E11");
    assert!(found.children.is_empty());

    let notes = |code: &str, from: Option<&str>| -> Vec<String> {
        let asked = |view: &&PropertyView| {
            view.code == code && view.inherited_from.as_ref().map(|c| c.as_str()) == from
        };
        let text = |view: &PropertyView| match &view.value {
            PropertyValue::Text(text) => text.clone(),
            other => panic!("{code} is {other:?}"),
        };
        found.properties.iter().filter(asked).map(text).collect()
    };
    assert_eq!(
        notes("excludes1", None),
        ["type 2 diabetes mellitus, without complications in remission (E11.A)"]
    );
    assert!(notes("includes", Some("E11")).contains(&"diabetes NOS".to_owned()));
    assert!(notes("useAdditionalCode", Some("E11")).iter().any(|note| note.contains("(Z79.4)")));
    assert_eq!(
        notes("excludes1", Some("4")),
        ["transitory endocrine and metabolic disorders specific to newborn (P70-P74)"]
    );
    assert_eq!(notes("kind", None), ["code"]);
    // What a concept is, unlike its notes, is not handed down.
    assert!(notes("kind", Some("E11")).is_empty());

    let same = complete().lookup("icd10cm", "E11.9").expect("E11.9 is there");
    assert_eq!(same.normalized_code, None);
    assert_eq!(same.properties, found.properties);
}

#[test]
fn a_lookup_of_a_header_has_its_children_and_inclusion_terms() {
    let found = complete().lookup("icd10cm", "I50").expect("I50 is there");
    assert_eq!(found.billable, Some(false));
    let children: Vec<&str> = found.children.iter().map(|child| child.code.as_str()).collect();
    assert_eq!(children, ["I50.1", "I50.2", "I50.3", "I50.4", "I50.8", "I50.9"]);
    let terms = complete().lookup("icd10cm", "I21.9").expect("I21.9 is there").designations;
    assert!(terms.iter().any(|name| name.value.contains("Myocardial infarction (acute) NOS")));
    assert!(found.provenance.notices.iter().any(|notice| notice.contains("World Health")));
    assert_eq!(found.provenance.data_vintage.as_deref(), Some("2026-04-01"));
}

#[test]
fn a_seventh_character_is_part_of_the_code() {
    let found = complete().lookup("icd10cm", "t360x1a").expect("T36.0X1A is there");
    assert_eq!(found.code.as_str(), "T36.0X1A");
    assert_eq!(found.billable, Some(true));
    assert!(found.display.contains("initial encounter"), "{}", found.display);
    assert_eq!(found.parents[0].code.as_str(), "T36.0X1");
}

#[test]
fn validation_says_what_is_wrong() {
    let right = validate(&of("E11.9"));
    assert_eq!((right.valid, issues(&right).len()), (Some(true), 0));
    assert_eq!(right.normalized_code, None);
    let spelled = validate(&of("e119"));
    assert_eq!(spelled.valid, Some(true));
    assert_eq!(spelled.normalized_code.map(String::from).as_deref(), Some("E11.9"));

    let wrong = validate(&of("E11.9").display("Cholera"));
    assert_eq!((wrong.valid, issues(&wrong)), (Some(false), vec!["invalid-display"]));
    assert!(wrong.message.unwrap_or_default().contains("Type 2 diabetes mellitus without"));
    let other_name = of("I21.9").display("myocardial infarction (acute) nos");
    assert_eq!(validate(&other_name).valid, Some(true), "an inclusion term is a name");

    let header = validate(&of("E11"));
    assert_eq!((header.valid, issues(&header)), (Some(true), vec!["not-billable"]));
    for grouper in ["9", "E08-E13"] {
        let response = validate(&of(grouper));
        assert_eq!(
            (response.valid, issues(&response)),
            (Some(true), vec!["abstract"]),
            "{grouper}"
        );
    }

    let unknown = validate(&of("E11.99"));
    assert_eq!((unknown.valid, issues(&unknown)), (Some(false), vec!["unknown-code"]));
    let message = unknown.message.unwrap_or_default();
    assert!(message.contains("E11.9") && message.contains("E11.8"), "{message}");
    for nonsense in ["", "XYZ", "E1", "E11.9999999", "💔"] {
        let response = validate(&of(nonsense));
        assert_eq!(response.valid, Some(false), "{nonsense:?}");
        assert_eq!(issues(&response), ["unknown-code"], "{nonsense:?}");
    }
}

#[test]
fn of_an_excerpt_nothing_is_said_about_other_codes() {
    let store = folder("fragment");
    let mut release = release().0.clone();
    release.content = Content::Fragment;
    build(&store, &release, &codes_of(&["A0"]), None).expect("it builds");
    let catalog = Catalog::open(&store).expect("it opens");
    let inside = catalog.validate_code(&of("A00.9")).expect("it answers");
    assert_eq!(inside.valid, Some(true));
    let outside = catalog.validate_code(&of("E11.9")).expect("it answers");
    assert_eq!((outside.valid, issues(&outside)), (None, vec!["code-not-in-fragment"]));
}

#[test]
fn subsumption_has_four_outcomes() {
    for (a, b, outcome) in [
        ("I50", "I50.1", Subsumption::Subsumes),
        ("i501", "I50", Subsumption::SubsumedBy),
        ("I50", " i50. ", Subsumption::Equivalent),
        ("I50.1", "I50.2", Subsumption::NotSubsumed),
        ("9", "I50.814", Subsumption::Subsumes),
        ("I30-I5A", "I50", Subsumption::Subsumes),
        ("9", "E11.9", Subsumption::NotSubsumed),
        ("S72.001", "S72.001A", Subsumption::Subsumes),
    ] {
        let found = complete().subsumes("icd10cm", a, b).expect("both are there");
        assert_eq!(found.outcome, outcome, "{a} and {b}");
    }
    let error = complete().subsumes("icd10cm", "I50", "I50.77").expect_err("one is not there");
    assert!(matches!(error, Error::UnknownCode { .. }), "{error}");
}

#[test]
fn the_hierarchy_can_be_walked_both_ways() {
    assert_eq!(items(&walk("I50.1", Direction::Parents)), ["I50"]);
    assert_eq!(items(&walk("I50.1", Direction::Ancestors)), ["I50", "I30-I5A", "9"]);
    assert_eq!(
        items(&walk("I50.1", Direction::Siblings)),
        ["I50.2", "I50.3", "I50.4", "I50.8", "I50.9"]
    );
    let below = walk("I50", Direction::Descendants);
    assert!(items(&below).is_sorted() && items(&below).contains(&"I50.814"));
    assert!(!items(&below).contains(&"I50"));
    for code in items(&below) {
        assert!(items(&walk(code, Direction::Ancestors)).contains(&"I50"), "{code}");
    }
    assert!(walk("I50.1", Direction::Children).items.is_empty());
}

#[test]
fn a_list_of_concepts_has_pages() {
    let whole = walk("E11", Direction::Descendants);
    let mut pages = Vec::new();
    for offset in (0..whole.paging.total).step_by(7) {
        let page = Page { offset, limit: 7 };
        let list = complete().hierarchy("icd10cm", "E11", Direction::Descendants, page);
        pages.extend(list.expect("it answers").items);
    }
    assert!(pages.len() > 50);
    assert_eq!(pages, whole.items);
}

#[test]
fn browsing_begins_at_the_chapters_in_their_order() {
    let roots = complete().browse("icd10cm", None, Page::default()).expect("it answers");
    let chapters: Vec<String> = (1..=22).map(|chapter| chapter.to_string()).collect();
    assert_eq!(items(&roots), chapters);
    let blocks = complete().browse("icd10cm", Some("9"), Page::default()).expect("it answers");
    assert_eq!(items(&blocks)[0], "I00-I02");
    let categories = complete().browse("icd10cm", Some("I30-I5A"), Page::default());
    assert!(items(&categories.expect("it answers")).contains(&"I50"));
}

#[test]
fn neighbors_stop_at_the_edges() {
    let neighbors = |code: &str, n: usize| {
        let found = complete().neighbors("icd10cm", code, n).expect("the code is there");
        let codes = |list: &[medterm::catalog::ConceptSummary]| -> Vec<String> {
            list.iter().map(|concept| concept.code.to_string()).collect()
        };
        (codes(&found.previous), codes(&found.next))
    };
    assert_eq!(neighbors("A00", 2), (vec![], vec!["A00.0".into(), "A00.1".into()]));
    assert_eq!(neighbors("Z99.89", 2), (vec!["Z99.8".into(), "Z99.81".into()], vec![]));
    assert_eq!(neighbors("e119", 1), (vec!["E11.8".into()], vec!["E11.A".into()]));
    assert_eq!(neighbors("E11.9", 0), (vec![], vec![]));
}

#[test]
fn what_is_not_there_is_an_error_that_helps() {
    let unknown = complete().lookup("icd10cm", "E11.99").expect_err("there is none");
    let text = unknown.to_string();
    assert!(text.contains("E11.99") && text.contains("E11.9,"), "{text}");
    assert_eq!((unknown.reason(), unknown.is_caller_fault()), ("unknown_code", true));

    let system = complete().lookup("snomed", "1").expect_err("it is not loaded");
    assert!(system.to_string().contains("icd10cm"), "{system}");
    assert_eq!(system.reason(), "terminology_not_loaded");

    let version = complete().lookup("icd10cm|2020", "E11.9").expect_err("it is not loaded");
    assert!(version.to_string().contains("2026-04-01"), "{version}");
    assert_eq!(version.reason(), "unknown_version");

    let request = SearchRequest::new("flu").expect("a query");
    for wrong in [request.clone().system("snomed"), request.clone().system("icd10cm|1999")] {
        assert!(complete().search(&wrong).is_err_and(|error| error.is_caller_fault()));
    }
    let under = complete().search(&request.under("E11.99")).expect_err("there is no such code");
    assert_eq!(under.reason(), "unknown_code");

    let empty = Catalog::open(&folder("empty")).expect("an empty store opens");
    let error = empty.lookup("icd10cm", "E11.9").expect_err("nothing is there");
    assert_eq!(error.reason(), "empty_store");
    assert!(error.to_string().contains("medterm build"), "{error}");
}

#[test]
fn a_terminology_has_several_names() {
    for name in [
        "icd10cm",
        "ICD10CM",
        "icd10cm|2026-04-01",
        "http://hl7.org/fhir/sid/icd-10-cm",
        "http://hl7.org/fhir/sid/icd-10-cm|2026-04-01",
        "urn:oid:2.16.840.1.113883.6.90",
    ] {
        let found = complete().lookup(name, "E11.9");
        assert!(found.is_ok_and(|found| found.code.as_str() == "E11.9"), "{name}");
    }
}

#[test]
fn a_hit_has_this_shape() {
    let response = ask(complete(), &request("E119", 1));
    let hit = serde_json::to_value(&response.results[0]).expect("a hit is JSON");
    assert_eq!(
        hit,
        json!({
            "system": "http://hl7.org/fhir/sid/icd-10-cm",
            "version": "2026-04-01",
            "code": "E11.9",
            "display": "Type 2 diabetes mellitus without complications",
            "active": true,
            "billable": true,
            "score": 1.0,
            "confidence": "exact",
            "rank": 1,
            "matchedTerm": "Type 2 diabetes mellitus without complications",
            "matchedUse": "display",
            "matchedOn": "code",
            "signals": {"lexical": 0.0, "depth": hit["signals"]["depth"], "exact": 1.0}
        })
    );
    let whole = serde_json::to_value(&response).expect("an answer is JSON");
    let Value::Object(fields) = &whole else { panic!("{whole}") };
    for field in
        ["query", "results", "total", "offset", "count", "hasMore", "ranking", "provenance"]
    {
        assert!(fields.contains_key(field), "{field} is not in {whole}");
    }
    let lookup = complete().lookup("icd10cm", "e119").expect("E11.9 is there");
    let lookup = serde_json::to_value(lookup).expect("a lookup is JSON");
    assert_eq!(lookup["normalizedCode"], "E11.9");
    assert!(
        lookup["properties"]
            .as_array()
            .is_some_and(|all| all.iter().any(|one| one["inheritedFrom"] == "E11"))
    );
}
