//! Borrowed names: a part of the committed ICD-10-CM and an invented ontology with a map between.

use std::path::{Path, PathBuf};

use medterm::catalog::Loan;
use medterm::index::{IndexBuilder, IndexReport};
use medterm::maps::MapStore;
use medterm::terminology::{
    Code, Concept, Content, Designation, DesignationUse, MapEntry, Relationship, Release,
    known_system,
};
use medterm::{Catalog, Error};

use crate::maps::{fixture, read};
use crate::support::*;

fn ontology() -> Release {
    let mondo = known_system("mondo").expect("it is known");
    Release {
        system: mondo.id(),
        alias: "mondo".to_owned(),
        version: "example".to_owned(),
        date: None,
        title: "Example diseases".to_owned(),
        publisher: None,
        license: None,
        notices: Vec::new(),
        language: "en".to_owned(),
        content: Content::Example,
        code_case: None,
        hierarchy_meaning: None,
    }
}

fn disease(number: u32, display: &str, synonyms: &[&str]) -> Concept {
    let code = Code::new(&format!("MONDO:90000{number:02}")).expect("a code");
    let mut concept = Concept::new(code, display);
    for name in synonyms {
        concept.designations.push(Designation::new("en", DesignationUse::Synonym, *name));
    }
    concept
}

fn diseases() -> Vec<Concept> {
    let mut infarction = disease(
        1,
        "acute myocardial infarction",
        &["sudden coronary strike", "AMI", "acute myocardial infarction, left", "MI (acute)"],
    );
    let related = Designation::new("en", DesignationUse::Related, "coronary event");
    infarction.designations.push(related);
    let bag = Designation::new("en", DesignationUse::WordBag, "heart muscle death");
    infarction.designations.push(bag);
    let mut retired = disease(11, "gone", &["gone for good"]);
    retired.active = false;
    vec![
        infarction,
        disease(2, "adenoiditis", &["inflamed adenoids"]),
        disease(3, "uncommon kidney disease", &["rare nephrosis of the invented kind"]),
        disease(4, "type 2 diabetes mellitus", &["NIDDM", "adult sugar illness", "T2D"]),
        disease(5, "cholera", &["rice-water illness", "Cholera"]),
        disease(6, "viral croup", &["barking illness"]),
        disease(8, "migraine", &["half-head ache"]),
        retired,
    ]
}

/// A store with the codes, the ontology and the map between them.
fn store(name: &str) -> PathBuf {
    let store = folder(name);
    let codes = codes_of(&["A00", "A01", "I21", "I50", "J05", "J35", "N28", "E11", "G43"]);
    build(&store, &as_version("1"), &codes, None).expect("it builds");
    build(&store, &ontology(), &diseases(), None).expect("it builds");
    let map = read(&fixture("example-icd10cm.sssom.tsv")).expect("it is sound");
    MapStore::new(&store).add(&map.release, &map.entries).expect("it is stored");
    store
}

fn borrowed<'l>(loan: &'l Loan, code: &str) -> Vec<&'l str> {
    let code = Code::new(code).expect("a code");
    let names = loan.names.get(&code).into_iter().flatten();
    names.map(|name| name.value.as_str()).collect()
}

#[test]
fn exact_names_are_borrowed_and_each_rule_refuses_what_it_is_for() {
    let catalog = Catalog::open(&store("borrow-rules")).expect("it opens");
    let loan = catalog.borrow("icd10cm", &[]).expect("there is a map");
    assert_eq!(borrowed(&loan, "I21"), ["sudden coronary strike", "MI (acute)"]);
    assert_eq!(borrowed(&loan, "E11"), ["NIDDM", "adult sugar illness"]);
    assert_eq!(borrowed(&loan, "A00"), ["rice-water illness"]);
    assert_eq!(borrowed(&loan, "A00.9"), ["cholera", "rice-water illness"]);
    // Chronic adenoiditis, another rest, broader, only close: nothing of these is lent.
    for code in ["J35.02", "N28.89", "J05.0", "G43", "A01.0"] {
        assert_eq!(borrowed(&loan, code), [""; 0], "{code}");
    }
    assert_eq!(loan.names.len(), 4);
    let all = loan.names.values().flatten();
    for name in all.clone() {
        assert_eq!(name.use_, DesignationUse::Borrowed);
        let source =
            "Example diseases example via Example diseases to ICD-10-CM 2026-01-02".to_owned();
        assert_eq!(name.source.as_ref(), Some(&source));
    }
    let report = &loan.report;
    assert_eq!((report.borrowed, report.codes, report.lenders.len()), (all.count(), 4, 1));
    assert_eq!(report.names_on_several_codes, 1);
    let lender = &report.lenders[0];
    assert_eq!((lender.alias.as_str(), lender.map.as_str()), ("mondo", "example-icd10cm"));
    assert_eq!((lender.concepts, lender.concepts_with_several_codes), (5, 1));
    assert_eq!(lender.not_loaded, 1);
    assert_eq!((lender.residual, lender.axis, lender.short), (2, 3, 2));
    let told = lender.borrowed + lender.already_there + lender.residual + lender.axis;
    assert_eq!(told + lender.short, lender.names, "every name is told once");
}

#[test]
fn a_map_is_read_in_both_directions() {
    let store = store("borrow-reversed");
    let maps = MapStore::new(&store);
    let mut map = read(&fixture("example-icd10cm.sssom.tsv")).expect("it is sound");
    let forward = Catalog::open(&store)
        .and_then(|catalog| catalog.borrow("icd10cm", &[]))
        .expect("there is a map");
    maps.remove(&map.release.name, None).expect("it goes");
    std::mem::swap(&mut map.release.source, &mut map.release.target);
    let turned: Vec<MapEntry> = map
        .entries
        .iter()
        .filter_map(|entry| {
            let source = entry.target.clone()?;
            Some(MapEntry::new(source, Some(entry.source.clone()), entry.relationship.inverse()))
        })
        .collect();
    maps.add(&map.release, &turned).expect("it is stored");
    let backward = Catalog::open(&store)
        .and_then(|catalog| catalog.borrow("icd10cm", &[]))
        .expect("there is a map");
    assert_eq!(forward.names, backward.names);
}

#[test]
fn who_has_no_map_lends_nothing_and_is_told() {
    let store = store("borrow-no-map");
    let catalog = Catalog::open(&store).expect("it opens");
    let error = catalog.borrow("icd10cm", &["icd10cm".to_owned()]).expect_err("not from itself");
    assert!(matches!(error, Error::InvalidRequest { .. }), "{error}");
    assert!(catalog.borrow("icd10cm", &["hpo".to_owned()]).is_err());
    MapStore::new(&store).remove("example-icd10cm", None).expect("it goes");
    let error = catalog.borrow("icd10cm", &[]).expect_err("there is no map");
    assert!(error.is_caller_fault() && error.to_string().contains("map add"), "{error}");
}

/// What the command does: the same release with these borrowed names.
fn rebuild(store: &Path, loan: &Loan) -> IndexReport {
    let catalog = Catalog::open(store).expect("it opens");
    let index = catalog.index("icd10cm").expect("it is there");
    let mut builder = IndexBuilder::new(index.manifest().release.clone());
    for concept in index.concepts() {
        let mut concept = concept.expect("it is sound");
        concept.designations.retain(|name| name.use_ != DesignationUse::Borrowed);
        concept.designations.extend(loan.names.get(&concept.code).into_iter().flatten().cloned());
        builder.push(concept).expect("it fits");
    }
    builder.finish(store).expect("it builds")
}

#[test]
fn a_borrowed_name_finds_its_code_and_is_never_its_own() {
    let store = store("borrow-search");
    let before = Catalog::open(&store).expect("it opens");
    let unlent = essence(&ask(&before, &request("sudden coronary strike", 5)).results);
    assert_ne!(unlent[0].0, "I21");
    let loan = before.borrow("icd10cm", &[]).expect("there is a map");
    let first = rebuild(&store, &loan);
    let catalog = Catalog::open(&store).expect("it opens");
    let answer = ask(&catalog, &request("sudden coronary strike", 1));
    assert_eq!(codes(&answer), ["I21"]);
    assert_ne!(answer.results[0].confidence, medterm::catalog::Confidence::Exact);
    // A name that is the code's own comes first, and exactly.
    let answer = ask(&catalog, &request("cholera", 2));
    assert_eq!(codes(&answer), ["A00", "A00.9"]);

    // Borrowing again changes nothing; what is given back is gone.
    let again = catalog.borrow("icd10cm", &[]).expect("there is a map");
    assert_eq!(again.names, loan.names);
    assert_eq!(rebuild(&store, &again).build, first.build);
    let none = rebuild(&store, &Loan::default());
    assert_eq!(none.designations + loan.report.borrowed, first.designations);
    let catalog = Catalog::open(&store).expect("it opens");
    let returned = ask(&catalog, &request("sudden coronary strike", 5));
    assert_eq!(essence(&returned.results), unlent);
}

#[test]
fn what_is_not_the_same_is_not_lent() {
    let store = store("borrow-weaker");
    let map = read(&fixture("example-icd10cm.sssom.tsv")).expect("it is sound");
    let weaker: Vec<MapEntry> = map
        .entries
        .into_iter()
        .map(|entry| match entry.relationship {
            Relationship::Equivalent => MapEntry { relationship: Relationship::RelatedTo, ..entry },
            _ => entry,
        })
        .collect();
    MapStore::new(&store).add(&map.release, &weaker).expect("it is stored");
    let catalog = Catalog::open(&store).expect("it opens");
    let loan = catalog.borrow("icd10cm", &["mondo".to_owned()]).expect("there is a map");
    assert!(loan.names.is_empty(), "{:?}", loan.names);
    assert_eq!(loan.report.lenders[0].names, 0);
}
