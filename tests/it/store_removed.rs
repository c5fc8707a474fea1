//! What is removed from a store: gone at once, and nothing else with it.

use medterm::Catalog;
use medterm::disk::{BuildLock, DiskErrorKind};
use medterm::index::{IndexError, StoreLayout};
use medterm::terminology::Content;

use crate::store::small;
use crate::support::*;

fn versions(store: &std::path::Path) -> Vec<(String, bool)> {
    let served = StoreLayout::new(store).versions().expect("the store can be read");
    served.into_iter().map(|one| (one.version, one.default)).collect()
}

fn named(versions: &[(&str, bool)]) -> Vec<(String, bool)> {
    versions.iter().map(|(version, default)| ((*version).to_owned(), *default)).collect()
}

#[test]
fn the_newest_that_remains_answers() {
    let store = folder("removed");
    for version in ["2024", "2025", "2026"] {
        build(&store, &as_version(version), &small(), None).expect("it builds");
    }
    let reader = Catalog::open(&store).expect("it opens");
    reader.remove("icd10cm", "2026").expect("it is there");
    assert_eq!(versions(&store), named(&[("2024", false), ("2025", true)]));
    assert!(!store.join("icd10cm/2026").exists() && !store.join("icd10cm/default").exists());
    assert!(reader.lookup("icd10cm|2026", "A00").is_ok(), "who has it open keeps it");

    // By its URI, and not the default one: the pointer stays.
    let catalog = Catalog::open(&store).expect("it opens");
    catalog.set_default("icd10cm", "2024").expect("it is there");
    catalog.remove("http://hl7.org/fhir/sid/icd-10-cm", "2025").expect("it is there");
    assert_eq!(versions(&store), named(&[("2024", true)]));
    assert!(store.join("icd10cm/default").exists());

    let catalog = Catalog::open(&store).expect("it opens");
    let unknown = catalog.remove("icd10cm", "2025").expect_err("it is gone");
    assert!(unknown.is_caller_fault(), "{unknown}");
    catalog.remove("icd10cm", "2024").expect("it is there");
    assert!(!store.join("icd10cm").exists(), "the last version takes the terminology along");
    assert!(StoreLayout::new(&store).remove("icd10cm", "2024").is_err());
}

#[test]
fn what_does_not_open_can_be_removed() {
    let store = folder("removed-damaged");
    let report = build(&store, &as_version("2025/1"), &small(), None).expect("it builds");
    std::fs::write(report.folder.join("manifest.json"), b"{\"format\": 1}").expect("it is ours");
    let catalog = Catalog::open(&store).expect("the store opens");
    let shown = catalog.failures()[0].version.clone();
    catalog.remove("icd10cm", &shown).expect("it is told by this name");
    assert!(!store.join("icd10cm").exists());
}

#[test]
fn nothing_outside_of_the_store_is_removed() {
    let outer = folder("removed-outside");
    let store = outer.join("store");
    build(&store, &as_version("1"), &small(), None).expect("it builds");
    build(&outer.join("other"), &as_version("1"), &small(), None).expect("it builds");
    let layout = StoreLayout::new(&store);
    for (alias, version) in [
        ("../other/icd10cm", "1"),
        ("icd10cm", "../../other/icd10cm/1"),
        ("", ""),
        (".", "icd10cm"),
    ] {
        assert!(layout.remove(alias, version).is_err(), "{alias:?} {version:?}");
    }
    assert_eq!(versions(&outer.join("other")), named(&[("1", true)]));
    assert_eq!(versions(&store), named(&[("1", true)]));
}

#[test]
fn nothing_is_removed_while_something_is_built() {
    let store = folder("removed-locked");
    build(&store, &as_version("1"), &small(), None).expect("it builds");
    let held = BuildLock::acquire(&store.join("icd10cm/.lock")).expect("nobody has it");
    let error = StoreLayout::new(&store).remove("icd10cm", "1").expect_err("somebody builds");
    let IndexError::Disk(disk) = &error else { panic!("{error:?}") };
    assert!(matches!(disk.kind(), DiskErrorKind::Locked), "{error}");
    assert_eq!(versions(&store), named(&[("1", true)]));
    drop(held);
    StoreLayout::new(&store).remove("icd10cm", "1").expect("the lock is free");
}

#[test]
fn an_excerpt_does_not_take_over_from_a_complete_release() {
    let store = folder("removed-excerpt");
    let of = |version: &str, content| {
        let mut release = as_version(version);
        release.content = content;
        build(&store, &release, &small(), None).expect("it builds");
    };
    of("2", Content::Complete);
    of("3", Content::Fragment);
    of("4", Content::Example);
    assert_eq!(versions(&store), named(&[("2", true), ("3", false), ("4", false)]));
    of("1", Content::Complete);
    assert_eq!(versions(&store).iter().find(|one| one.1).map(|one| one.0.as_str()), Some("1"));
}
