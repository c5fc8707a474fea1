//! SNOMED CT in its release format 2, from the files to the answers.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use medterm::formats::{Format, ImportOptions, ReleaseFiles, Tally, detect};
use medterm::index::IndexReport;
use medterm::relations::{FilterValue, Relations, write_relations};
use medterm::terminology::{Concept, DesignationUse, Release};
use medterm::{Catalog, SearchRequest};

use crate::support::{build, contents, folder};
use crate::synthetic_rf2::{Size, write_release};

const DISEASE: &str = "10031000999104";
const FOOT: &str = "10231000999108";
const OLD: &str = "10361000999109";
const SPARK: &str = "10081000998107";

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/rf2").join(name)
}

struct Read {
    release: Release,
    concepts: Vec<Concept>,
    tally: Tally,
}

fn read(paths: &[PathBuf]) -> Read {
    let found = ReleaseFiles::find(paths).expect("it is recognized");
    let [files] = found.as_slice() else { panic!("{} releases", found.len()) };
    let mut source = files.open(&ImportOptions::default()).expect("it opens");
    let concepts = source.by_ref().collect::<Result<Vec<_>, _>>().expect("it is sound");
    Read { release: source.release().clone(), concepts, tally: source.tally() }
}

fn both() -> Read {
    read(&[fixture("international"), fixture("extension")])
}

fn store_of(read: &Read, name: &str) -> (Catalog, IndexReport) {
    let store = folder(name);
    let report = build(&store, &read.release, &read.concepts, None).expect("it builds");
    (Catalog::open(&store).expect("it opens"), report)
}

fn codes(catalog: &Catalog, query: &str) -> Vec<String> {
    let request = SearchRequest::new(query).expect("it can be asked").system("snomed");
    let found = catalog.search(&request).expect("it is answered");
    found.results.iter().map(|hit| hit.code.to_string()).collect()
}

#[test]
fn two_editions_together_are_searched() {
    let (catalog, report) = store_of(&both(), "rf2-both");
    assert_eq!((report.dangling_parents, report.dropped_cycle_edges), (0, 0));
    for (query, code) in [
        ("glimmer disease", DISEASE),
        // A name that the extension retired, and one that the international edition did.
        ("Glimmering sickness", DISEASE),
        ("Wexler glimmer", DISEASE),
        ("Glimmersjuka", DISEASE),
        ("hemoglimmer of foot", FOOT),
        ("haemoglimmer of foot", FOOT),
        ("Gnistglimmer", SPARK),
        (FOOT, FOOT),
    ] {
        assert_eq!(codes(&catalog, query).first().map(String::as_str), Some(code), "{query}");
    }
    assert!(!codes(&catalog, "Dullness").contains(&DISEASE.to_owned()), "it means something else");
    assert!(!codes(&catalog, "Shimmer disease").contains(&OLD.to_owned()), "it is retired");
    let old = catalog.lookup("snomed", OLD).expect("it can be looked up");
    assert!(!old.active);
}

#[test]
fn an_index_gives_back_the_concepts_it_was_built_from() {
    let mut read = both();
    read.concepts.sort_by(|a, b| a.code.cmp(&b.code));
    let (catalog, report) = store_of(&read, "rf2-again-whole");
    assert_eq!((report.relations, report.dangling_relations, report.refsets), (6, 0, 1));
    let index = catalog.index("snomed").expect("it is there");
    let found = index.concepts().collect::<Result<Vec<_>, _>>().expect("they are sound");
    for (found, expected) in found.iter().zip(&read.concepts) {
        assert_eq!(found.relations, expected.relations, "{}", expected.code);
        assert_eq!(found.refsets, expected.refsets, "{}", expected.code);
        assert_eq!(found.parents, expected.parents, "{}", expected.code);
    }
    assert_eq!(found.len(), read.concepts.len());
    let relations = index.relations().expect("it has them");
    assert_eq!(relations.relation_count(), 6);
}

#[test]
fn each_edition_has_its_own_place_in_the_store() {
    let store = folder("rf2-editions");
    let alone = read(&[fixture("international")]);
    for edition in [&alone, &both()] {
        build(&store, &edition.release, &edition.concepts, None).expect("it builds");
    }
    let versions = std::fs::read_dir(store.join("snomed")).expect("it is there");
    let versions = versions.filter(|entry| entry.as_ref().is_ok_and(|one| one.path().is_dir()));
    assert_eq!(versions.count(), 2);
}

/// A small release of the generator.
fn synthetic(name: &str, size: Size) -> (PathBuf, Read) {
    let release = folder(name);
    write_release(&release, size).expect("it is written");
    let read = read(std::slice::from_ref(&release));
    (release, read)
}

#[test]
fn a_synthetic_release_is_like_a_real_one() {
    let size = Size { concepts: 400, descriptions: 1_700, seed: 7 };
    let (folder, read) = synthetic("rf2-synthetic", size);
    assert_eq!(detect(&folder).expect("it is recognized"), Format::Rf2);
    assert_eq!(read.concepts.len(), 400);
    assert!(read.tally.left_out.is_empty(), "{:?}", read.tally.left_out);
    let descriptions = read.tally.read["descriptions"];
    assert!((1_650..1_750).contains(&descriptions), "{descriptions}");
    let some = |what: &str, has: fn(&Concept) -> bool| {
        assert!(read.concepts.iter().any(has), "none has {what}");
    };
    let has_name = |concept: &Concept, use_: DesignationUse| {
        concept.designations.iter().any(|one| one.use_ == use_)
    };
    some("several parents", |one| one.parents.len() > 1);
    some("groups", |one| one.relations.iter().any(|relation| relation.group > 1));
    some("a reference set", |one| !one.refsets.is_empty());
    some("a definition", |one| one.definition.is_some());
    some("a history", |one| !one.active && one.properties.iter().any(|p| p.code == "replacedBy"));
    assert!(read.concepts.iter().any(|one| has_name(one, DesignationUse::Display)), "no dialect");
    assert!(read.concepts.iter().any(|one| has_name(one, DesignationUse::Related)), "none retired");

    let (_, report) = store_of(&read, "rf2-synthetic-store");
    assert_eq!((report.dangling_parents, report.dropped_cycle_edges), (0, 0));
}

#[test]
fn the_generator_writes_the_same_bytes_again() {
    let size = Size { concepts: 60, descriptions: 200, seed: 1 };
    let (first, _) = synthetic("rf2-once", size);
    let (second, _) = synthetic("rf2-again", size);
    assert_eq!(contents(&first), contents(&second));
    let (other, _) = synthetic("rf2-other", Size { seed: 2, ..size });
    assert_ne!(contents(&first), contents(&other));
}

#[test]
fn relations_of_a_release_answer_exactly() {
    let mut read = both();
    read.concepts.sort_by(|a, b| a.code.cmp(&b.code));
    let path = folder("rf2-relations").join("relations.bin");
    let summary = write_relations(&path, &read.concepts).expect("it is written");
    assert_eq!(summary.dangling, 0);
    let relations = Relations::open(&path).expect("it opens");
    let found = relations.filter("semanticTag", FilterValue::Text("disorder"));
    let found = found.expect("it is sound").expect("it is a filter");
    let codes: BTreeSet<&str> =
        found.iter().map(|ord| read.concepts[ord as usize].code.as_str()).collect();
    let expected: BTreeSet<&str> = read
        .concepts
        .iter()
        .filter(|one| one.designations.iter().any(|name| name.value.ends_with("(disorder)")))
        .map(|one| one.code.as_str())
        .collect();
    assert_eq!(codes, expected);
    assert!(relations.filterable().contains(&"moduleId"));
}
