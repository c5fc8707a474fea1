//! Translation over stored maps: both directions, what belongs together, and what is told apart.

use std::path::{Path, PathBuf};

use medterm::Catalog;
use medterm::catalog::{
    Error, TranslateDirection, TranslateMatch, TranslateOutcome, TranslateRequest,
    TranslateResponse, UnmappedMode, WalkUp,
};
use medterm::maps::MapStore;
use medterm::terminology::{
    Code, MapEntry, MapRelease, Relationship, SystemId, Unmapped, known_system,
};

use crate::maps::fixture;
use crate::maps_store::add;
use crate::support::{as_version, build, codes_of, folder};

fn ask(catalog: &Catalog, request: &TranslateRequest) -> TranslateResponse {
    catalog.translate(request).unwrap_or_else(|error| panic!("{request:?}: {error}"))
}

fn translate(catalog: &Catalog, system: &str, code: &str, to: &str) -> TranslateResponse {
    ask(catalog, &TranslateRequest::new(system, code, to))
}

fn reverse(catalog: &Catalog, system: &str, code: &str, to: &str) -> TranslateResponse {
    let request = TranslateRequest::new(system, code, to).direction(TranslateDirection::Reverse);
    ask(catalog, &request)
}

fn codes(one: &TranslateMatch) -> Vec<&str> {
    one.codes.iter().map(|code| code.code.as_str()).collect()
}

fn code(text: &str) -> Code {
    Code::new(text).expect("a code")
}

/// A store with the maps of the fixtures and no terminology.
fn store_of_maps(name: &str) -> PathBuf {
    let store = folder(name);
    for map in ["example-icd10cm.sssom.tsv", "2018_I9gem.txt", "2018_I10gem.txt"] {
        add(&store, &fixture(map));
    }
    store
}

fn release(name: &str, source: &str, target: &str) -> MapRelease {
    let system = |name: &str| match known_system(name) {
        Some(known) => known.id(),
        None => SystemId::new(name).expect("a URI"),
    };
    MapRelease {
        id: format!("http://example.org/ConceptMap/{name}"),
        name: name.to_owned(),
        version: "1".to_owned(),
        source: system(source),
        source_version: None,
        target: system(target),
        target_version: None,
        title: name.to_owned(),
        publisher: None,
        license: Some("free for tests".to_owned()),
        notices: Vec::new(),
        unmapped: None,
    }
}

fn row(source: &str, target: &str, relationship: Relationship) -> MapEntry {
    MapEntry::new(code(source), Some(code(target)), relationship)
}

fn keep(store: &Path, release: &MapRelease, rows: &[MapEntry]) {
    MapStore::new(store).add(release, rows).expect("it is stored");
}

#[test]
fn codes_in_any_spelling_are_translated_without_either_terminology() {
    let catalog = Catalog::open(&store_of_maps("translate-bare")).expect("it opens");
    for typed in ["25000", "250.00", " 250.00 "] {
        let found = translate(&catalog, "ICD9CM", typed, "icd10cm");
        assert_eq!(found.outcome, TranslateOutcome::Mapped);
        assert_eq!(found.code.as_str(), "250.00");
        assert_eq!(codes(&found.matches[0]), ["E11.9"]);
        assert_eq!(found.matches[0].codes[0].display, None, "no name is made up");
        assert!(found.matches[0].primary);
        assert_eq!(
            (found.matches[0].map.as_str(), found.matches[0].map_version.as_str()),
            ("gem-icd9cm-icd10cm", "2018")
        );
    }
    let by_uri = translate(
        &catalog,
        "http://hl7.org/fhir/sid/icd-9-cm",
        "V08",
        "urn:oid:2.16.840.1.113883.6.90",
    );
    assert_eq!(codes(&by_uri.matches[0]), ["Z21"]);
    assert_eq!(by_uri.matches[0].relationship, Relationship::Equivalent);
    // Where no terminology is loaded, a name comes from the map.
    let named = translate(&catalog, "mondo", "mondo:9000006", "icd10cm");
    assert_eq!(named.display.as_deref(), Some("viral croup"));
    let croup = &named.matches[0].codes[0];
    assert_eq!(croup.display.as_deref(), Some("Acute obstructive laryngitis [croup]"));
    assert_eq!(croup.advice.as_deref(), Some("only the viral kind"));
}

#[test]
fn a_relationship_is_that_of_the_code_that_was_asked_for() {
    let catalog = Catalog::open(&store_of_maps("translate-ways")).expect("it opens");
    let forward = translate(&catalog, "mondo", "MONDO:9000006", "icd10cm");
    assert_eq!(forward.matches[0].relationship, Relationship::SourceIsNarrowerThanTarget);
    let backward = reverse(&catalog, "icd10cm", "J05.0", "mondo");
    assert_eq!(codes(&backward.matches[0]), ["MONDO:9000006"]);
    assert_eq!(backward.matches[0].relationship, Relationship::SourceIsBroaderThanTarget);
    assert_eq!(backward.matches[0].codes[0].display.as_deref(), Some("viral croup"));
    let none = catalog.translate(&TranslateRequest::new("icd10cm", "J05.0", "mondo"));
    let error = none.expect_err("no map leads this way");
    assert_eq!(error.reason(), "unknown_map");
    assert!(error.to_string().contains("example-icd10cm (mondo to icd10cm)"), "{error}");
    let json = serde_json::to_value(&backward).expect("it serializes");
    assert_eq!(json["matches"][0]["relationship"], "source-is-broader-than-target");
    assert_eq!(json["outcome"], "mapped");
}

#[test]
fn a_combination_is_one_match_with_several_codes() {
    let catalog = Catalog::open(&store_of_maps("translate-parts")).expect("it opens");
    let found = translate(&catalog, "icd9cm", "073.0", "icd10cm");
    assert_eq!(found.matches.len(), 1);
    assert_eq!(codes(&found.matches[0]), ["A70", "J17"]);
    assert_eq!(found.matches[0].scenario, Some(1));
    assert_eq!(found.matches[0].relationship, Relationship::RelatedTo);
    let lists: Vec<u8> = found.matches[0]
        .codes
        .iter()
        .filter_map(|code| code.gem)
        .map(|gem| gem.choice_list)
        .collect();
    assert_eq!(lists, [1, 2]);
    // One code by itself, then four combinations.
    let found = translate(&catalog, "icd10cm", "A18.01", "icd9cm");
    let all: Vec<Vec<&str>> = found.matches.iter().map(codes).collect();
    assert_eq!(all[0], ["015.00"]);
    assert_eq!(all[1..].iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 2, 2]);
    assert_eq!(found.matches.iter().filter(|one| one.primary).count(), 1);
    // Read backwards, a part says what it needs beside it.
    let back = reverse(&catalog, "icd10cm", "J17", "icd9cm");
    assert_eq!(codes(&back.matches[0]), ["073.0"]);
    let beside: Vec<&str> =
        back.matches[0].together_with.iter().map(|one| one.code.as_str()).collect();
    assert_eq!(beside, ["A70"]);
}

#[test]
fn no_target_is_told_apart_from_no_row() {
    let catalog = Catalog::open(&store_of_maps("translate-none")).expect("it opens");
    let none = translate(&catalog, "icd9cm", "365.70", "icd10cm");
    assert_eq!(none.outcome, TranslateOutcome::NoMap);
    assert!(none.matches.is_empty());
    assert_eq!(none.without_target.len(), 1);
    let not = translate(&catalog, "mondo", "MONDO:9000009", "icd10cm");
    assert_eq!(not.outcome, TranslateOutcome::NoMap);
    assert_eq!(not.matches[0].relationship, Relationship::NotRelatedTo);
    assert!(!not.matches[0].primary);
    let absent = translate(&catalog, "icd9cm", "999.9", "icd10cm");
    assert_eq!(absent.outcome, TranslateOutcome::NotInMap);
    assert!(absent.message.expect("it is said").contains("has 999.9"));
}

#[test]
fn groups_of_rules_are_one_match_and_keep_what_they_say() {
    let store = folder("translate-rules");
    let rule = |target: &str, group, priority, rule: &str| {
        let mut row = row("S1", target, Relationship::SourceIsNarrowerThanTarget);
        (row.group, row.priority) = (Some(group), Some(priority));
        row.rule = Some(rule.to_owned());
        row.advice = Some(format!("advice for {target}"));
        row
    };
    let mut alternatives = [rule("P", 1, 1, "IFA 1 |x|"), rule("Q", 1, 2, "OTHERWISE TRUE")];
    for row in &mut alternatives {
        row.source = code("S2");
    }
    let mut rows = vec![rule("A", 1, 1, "IFA 2 |y|"), rule("B", 1, 2, "OTHERWISE TRUE")];
    rows.push(rule("C", 2, 1, "TRUE"));
    rows.extend(alternatives);
    keep(&store, &release("rules", "http://example.org/s", "http://example.org/t"), &rows);
    let catalog = Catalog::open(&store).expect("it opens");
    let found = translate(&catalog, "http://example.org/s", "s1", "http://example.org/t");
    assert_eq!(found.matches.len(), 1);
    let wanted = [
        ("A", Some(1), Some(1), Some("IFA 2 |y|")),
        ("B", Some(1), Some(2), Some("OTHERWISE TRUE")),
        ("C", Some(2), Some(1), Some("TRUE")),
    ];
    assert_eq!(found.matches[0].codes.len(), wanted.len());
    for (one, wanted) in found.matches[0].codes.iter().zip(wanted) {
        let said = (one.code.as_str(), one.group, one.priority, one.rule.as_deref());
        assert_eq!(said, wanted);
    }
    assert_eq!(found.matches[0].codes[2].advice.as_deref(), Some("advice for C"));
    // Of one group, each row is an alternative; without more knowledge the last rule holds.
    let found = translate(&catalog, "http://example.org/s", "S2", "http://example.org/t");
    assert_eq!(found.matches.iter().map(codes).collect::<Vec<_>>(), [["P"], ["Q"]]);
    assert_eq!(found.matches.iter().map(|one| one.primary).collect::<Vec<_>>(), [false, true]);
    let back = reverse(&catalog, "http://example.org/t", "C", "http://example.org/s");
    assert_eq!(back.matches[0].together_with.len(), 2);
}

#[test]
fn a_map_says_what_becomes_of_codes_that_it_does_not_have() {
    let store = folder("translate-unmapped");
    let [from, to] = ["http://example.org/s", "http://example.org/t"];
    let rows = [row("A", "1", Relationship::Equivalent)];
    let relationship = Relationship::RelatedTo;
    let fixed =
        Unmapped::Fixed { code: code("REST"), display: Some("the rest".to_owned()), relationship };
    let with =
        |name: &str, unmapped| MapRelease { unmapped: Some(unmapped), ..release(name, from, to) };
    keep(&store, &with("fixed", fixed), &rows);
    let same = Unmapped::UseSourceCode { relationship: Relationship::Equivalent };
    keep(&store, &with("same", same), &rows);
    let other = |map: &str| Unmapped::OtherMap { map: map.to_owned() };
    keep(&store, &with("to-fixed", other("http://example.org/ConceptMap/fixed|1")), &rows);
    keep(&store, &with("circle", other("http://example.org/ConceptMap/circle")), &rows);
    keep(&store, &with("lost", other("http://example.org/ConceptMap/nowhere")), &rows);
    let catalog = Catalog::open(&store).expect("it opens");
    let over =
        |map: &str, code: &str| ask(&catalog, &TranslateRequest::new(from, code, to).map(map));
    let rest = over("fixed", "B");
    assert_eq!(rest.matches[0].unmapped_rule, Some(UnmappedMode::Fixed));
    assert_eq!(rest.matches[0].codes[0].display.as_deref(), Some("the rest"));
    assert_eq!(over("fixed", "A").matches[0].unmapped_rule, None);
    let same = over("same", "B");
    assert_eq!(codes(&same.matches[0]), ["B"]);
    assert_eq!(same.matches[0].relationship, Relationship::Equivalent);
    assert_eq!(codes(&over("to-fixed", "B").matches[0]), ["REST"]);
    assert_eq!(over("circle", "B").outcome, TranslateOutcome::NotInMap);
    let lost = over("http://example.org/ConceptMap/lost|1", "B");
    assert_eq!(lost.outcome, TranslateOutcome::NotInMap);
    assert!(lost.message.expect("it is said").contains("nowhere"));
    for (map, reason) in [("nothing", "unknown_map"), ("fixed|2", "unknown_map")] {
        let request = TranslateRequest::new(from, "A", to).map(map);
        let error = catalog.translate(&request).expect_err("there is no such map");
        assert_eq!(error.reason(), reason);
    }
    let request = TranslateRequest::new(to, "1", from).map("fixed");
    let error = catalog.translate(&request).expect_err("it leads the other way");
    assert!(matches!(error, Error::InvalidRequest { field: "map", .. }), "{error}");
}

#[test]
fn the_nearest_mapped_code_above_stands_in_only_when_asked() {
    let store = folder("translate-walk");
    build(&store, &as_version("cut"), &codes_of(&["I21", "J05", "I50"]), None).expect("it builds");
    add(&store, &fixture("example-icd10cm.sssom.tsv"));
    let catalog = Catalog::open(&store).expect("it opens");
    let request =
        TranslateRequest::new("icd10cm", "i2102", "mondo").direction(TranslateDirection::Reverse);
    let not = ask(&catalog, &request);
    assert_eq!((not.outcome, not.code.as_str()), (TranslateOutcome::NotInMap, "I21.02"));
    let walked = ask(&catalog, &request.walk_up(WalkUp::ToNearest));
    assert_eq!(walked.outcome, TranslateOutcome::Mapped);
    assert_eq!(walked.code.as_str(), "I21");
    let from = walked.walked_up_from.as_ref().expect("it is said");
    assert_eq!(from.code.as_str(), "I21.02");
    assert!(from.display.as_ref().is_some_and(|name| name.contains("anterior")), "{from:?}");
    assert!(walked.message.expect("it is said").contains("I21.02 is not mapped"));
    assert_eq!(codes(&walked.matches[0]), ["MONDO:9000001"]);
    // The code is narrower than what is the same as the code above it.
    assert_eq!(walked.matches[0].relationship, Relationship::SourceIsNarrowerThanTarget);
    // What is loaded as a whole has no other codes.
    let error = catalog.translate(
        &TranslateRequest::new("icd10cm", "I99.9X", "mondo").direction(TranslateDirection::Reverse),
    );
    assert_eq!(error.expect_err("it is no code of it").reason(), "unknown_code");
    // Names come from the terminology, whatever the map calls the code.
    let forward = translate(&catalog, "mondo", "MONDO:9000006", "icd10cm");
    assert_eq!(forward.matches[0].codes[0].active, Some(true));
    assert_eq!(forward.target_version.as_deref(), Some("cut"));
    assert_eq!(forward.provenance.len(), 1);
}

#[test]
fn names_of_terminologies_are_checked() {
    let catalog = Catalog::open(&store_of_maps("translate-names")).expect("it opens");
    let ask = |from: &str, to: &str| {
        catalog
            .translate(&TranslateRequest::new(from, "A00", to))
            .expect_err("it is refused")
            .reason()
    };
    assert_eq!(ask("nonsense", "icd10cm"), "empty_store");
    assert_eq!(ask("icd10cm", "loinc"), "unknown_map");
}
