//! Terminologies that are not built like ICD: several parents, no billing, retired concepts with
//! successors, codes with colons, and codes that are mere numbers.

use std::path::PathBuf;

use medterm::catalog::{Confidence, Direction, Inactive, MatchedOn, Page, ValidateRequest};
use medterm::terminology::{Code, Concept, Content, DesignationUse, Property, property};
use medterm::{Catalog, SearchRequest};

use crate::invented::*;
use crate::support::{ask, build, codes, folder};

/// Signs, in an order with several parents, one of them retired.
fn signs() -> Vec<Concept> {
    let mut retired = concept("XP:0000009", "Big skull");
    retired.active = false;
    retired.properties = vec![Property::code(property::REPLACED_BY, "XP:0000256")];
    vec![
        concept("XP:0000001", "All signs"),
        below(concept("XP:0000002", "Sign of the head"), &["XP:0000001"]),
        below(concept("XP:0000003", "Sign of growth"), &["XP:0000001"]),
        retired,
        named(
            below(concept("XP:0000256", "Macrocrania"), &["XP:0000002", "XP:0000003"]),
            DesignationUse::Synonym,
            "Large head",
        ),
    ]
}

/// Drugs and tests, known by numbers.
fn numbers() -> Vec<Concept> {
    vec![
        concept("15", "Aqueous zinc"),
        concept("7", "Balsam"),
        concept("154", "Zinc 15 MG tablet"),
        concept("4548-4", "Sugar on red cells"),
        concept("flu", "Winter visit"),
        concept("visit", "Flu"),
    ]
}

fn store(name: &str) -> PathBuf {
    let store = folder(name);
    build_invented(&store, "signs", &signs(), true);
    build_invented(&store, "numbers", &numbers(), true);
    store
}

fn request(query: &str) -> SearchRequest {
    SearchRequest::new(query).expect("it can be asked")
}

#[test]
fn a_code_with_a_colon_is_a_code_in_any_case() {
    let catalog = open(&store("colon"));
    for typed in ["XP:0000256", "xp:0000256", " Xp:0000256 "] {
        for request in [request(typed), request(typed).system("signs")] {
            let response = ask(&catalog, &request);
            let hit = &response.results[0];
            assert_eq!(hit.code.as_str(), "XP:0000256", "{typed:?}");
            assert_eq!((hit.matched_on, hit.confidence), (MatchedOn::Code, Confidence::Exact));
            assert!((hit.score - 1.0).abs() < f32::EPSILON);
        }
        let found = catalog.lookup("signs", typed).expect("it is a code");
        assert_eq!(found.code.as_str(), "XP:0000256");
    }
    let listed = ask(&catalog, &request("xp:0000003, XP:0000256").system("signs"));
    assert_eq!(codes(&listed), ["XP:0000003", "XP:0000256"]);
}

#[test]
fn a_number_is_a_code_where_it_is_one_and_no_error_elsewhere() {
    let catalog = open(&store("numbers"));
    for (typed, code) in [("15", "15"), ("7", "7"), ("4548-4", "4548-4")] {
        let response = ask(&catalog, &request(typed).system("numbers"));
        let hit = &response.results[0];
        assert_eq!((hit.code.as_str(), hit.matched_on), (code, MatchedOn::Code), "{typed:?}");
        assert_eq!(ask(&catalog, &request(typed)).results[0].code.as_str(), code);
    }
    for typed in ["1", "08", "99", "0"] {
        for system in ["numbers", "signs"] {
            let response = ask(&catalog, &request(typed).system(system));
            let is_code = |hit: &medterm::catalog::Hit| hit.matched_on == MatchedOn::Code;
            assert!(!response.results.iter().any(is_code), "{typed:?}: a number is never padded");
        }
        assert!(catalog.lookup("numbers", typed).is_err_and(|error| error.is_caller_fault()));
    }
}

#[test]
fn a_word_that_is_a_code_is_a_name_too() {
    let response = ask(&open(&store("word")), &request("flu").system("numbers"));
    assert_eq!(codes(&response)[..2], ["flu", "visit"]);
    assert_eq!(response.results[0].matched_on, MatchedOn::Code);
    assert_eq!(response.results[1].matched_on, MatchedOn::Name);
    assert_eq!(response.results[1].confidence, Confidence::Exact);
}

#[test]
fn a_concept_stands_below_all_its_parents() {
    let catalog = open(&store("parents"));
    let list = |code, direction| {
        let list = catalog.hierarchy("signs", code, direction, Page::default());
        let items = list.expect("it has a hierarchy").items;
        items.into_iter().map(|one| one.code.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(list("XP:0000256", Direction::Parents), ["XP:0000002", "XP:0000003"]);
    assert_eq!(
        list("XP:0000256", Direction::Ancestors),
        ["XP:0000002", "XP:0000003", "XP:0000001"]
    );
    for parent in ["XP:0000002", "XP:0000003"] {
        assert_eq!(list(parent, Direction::Children), ["XP:0000256"]);
        let under = ask(&catalog, &request("large head").under(parent));
        // The other terminology has no such code, and nothing below it.
        assert_eq!(codes(&under)[0], "XP:0000256");
        assert!(codes(&under)[1..].iter().all(|code| *code == parent));
    }
    let nowhere = catalog.search(&request("large head").under("XP:9"));
    assert!(nowhere.is_err_and(|error| error.is_caller_fault()));
    // Where to begin: not with what is retired and lost its place.
    let roots = catalog.browse("signs", None, Page::default()).expect("it has some").items;
    assert_eq!(roots.len(), 1);
    assert_eq!((roots[0].code.as_str(), roots[0].active), ("XP:0000001", true));
    assert!(catalog.browse("numbers", None, Page::default()).is_ok_and(|all| all.items.len() == 6));
    let flat = catalog.subsumes("numbers", "15", "7");
    assert!(flat.is_err_and(|error| error.reason() == "cannot_determine"));
}

#[test]
fn what_is_retired_is_hidden_and_says_what_it_became() {
    let catalog = open(&store("retired"));
    let hidden = ask(&catalog, &request("big skull").system("signs"));
    assert!(!codes(&hidden).contains(&"XP:0000009"));
    let shown = ask(&catalog, &request("big skull").system("signs").inactive(Inactive::Shown));
    assert_eq!((codes(&shown)[0], shown.results[0].active), ("XP:0000009", false));

    let by_code = ask(&catalog, &request("xp:0000009").system("signs"));
    assert!(by_code.results.is_empty());
    let notice = by_code.notice.unwrap_or_default();
    assert_eq!(notice, "XP:0000009 is retired; use XP:0000256 instead");

    let found = catalog.lookup("signs", "XP:0000009").expect("it is looked up all the same");
    assert!(!found.active);
    assert_eq!(found.replaced_by, [Code::new("XP:0000256").expect("a code")]);
    let answer = catalog.validate_code(&ValidateRequest::new("signs", "XP:0000009"));
    let answer = answer.expect("it answers");
    assert_eq!((answer.valid, answer.active), (Some(true), Some(false)));
    assert_eq!(answer.replaced_by, found.replaced_by);
    assert_eq!(answer.issues.len(), 1, "nothing is said about billing: {:?}", answer.issues);
    assert_eq!(answer.issues[0].code.as_str(), "inactive");
    let active = catalog.validate_code(&ValidateRequest::new("signs", "XP:0000256"));
    assert!(active.is_ok_and(|answer| answer.issues.is_empty()));
}

#[test]
fn a_list_of_terminologies_says_what_they_are() {
    let store = store("said");
    let mut cut = invented("cut");
    cut.content = Content::Fragment;
    build(&store, &cut, &signs(), None).expect("it builds");
    let list = Catalog::open(&store).expect("it opens").terminologies();
    let one = list.iter().find(|one| one.alias == "cut").expect("it is there");
    assert_eq!(
        (one.content, one.concepts, one.inactive, one.borrowed),
        (Content::Fragment, 5, 1, 0)
    );
    assert_eq!(one.publisher.as_deref(), Some("Nobody"));
    assert!(one.license.is_some());
}
