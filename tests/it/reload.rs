//! What a running server sees of its store: new builds, other defaults, what goes, what is repaired,
//! and maintenance.

use std::path::Path;

use medterm::Catalog;
use medterm::catalog::{Error, Maintenance, ValueSetStore};

use crate::store::small;
use crate::support::*;

fn versions(catalog: &Catalog) -> Vec<(String, bool)> {
    catalog.terminologies().into_iter().map(|one| (one.version, one.default)).collect()
}

fn reopened(catalog: &Catalog) -> Option<Catalog> {
    catalog.reopened().expect("the store can be read")
}

#[test]
fn a_store_as_it_was_is_not_opened_again() {
    let store = folder("reload-unchanged");
    let catalog = Catalog::open(&store).expect("a store without anything opens");
    assert!(reopened(&catalog).is_none());
    build(&store, &as_version("1"), &small(), None).expect("it builds");
    let catalog = reopened(&catalog).expect("there is a terminology now");
    assert_eq!(versions(&catalog), [("1".to_owned(), true)]);
    assert!(reopened(&catalog).is_none());
    // The same release gives the same build.
    build(&store, &as_version("1"), &small(), None).expect("it builds");
    assert!(reopened(&catalog).is_none());
}

#[test]
fn a_new_version_is_found_and_the_others_are_shared() {
    let store = folder("reload-version");
    build(&store, &as_version("1"), &small(), None).expect("it builds");
    let before = Catalog::open(&store).expect("it opens");
    let mut concepts = small();
    concepts[0].display.push_str(" (new)");
    let code = concepts[0].code.as_str().to_owned();
    build(&store, &as_version("2"), &concepts, None).expect("it builds");
    let after = reopened(&before).expect("there is a new version");
    assert_eq!(versions(&after), [("1".to_owned(), false), ("2".to_owned(), true)]);
    let index = |catalog: &Catalog, system: &str| -> *const medterm::index::TerminologyIndex {
        catalog.index(system).expect("it is loaded")
    };
    assert_eq!(index(&before, "icd10cm|1"), index(&after, "icd10cm|1"), "it was opened again");
    // Who asks the old catalog is answered as before.
    let display =
        |catalog: &Catalog| catalog.lookup("icd10cm", &code).expect("the code is there").display;
    assert!(!display(&before).ends_with("(new)"));
    assert!(display(&after).ends_with("(new)"));

    after.set_default("icd10cm", "1").expect("the store can be written");
    let switched = reopened(&after).expect("the default is another one");
    assert_eq!(versions(&switched), [("1".to_owned(), true), ("2".to_owned(), false)]);
    switched.remove("icd10cm", "1").expect("it goes");
    let left = reopened(&switched).expect("a version went");
    assert_eq!(versions(&left), [("2".to_owned(), true)]);
}

#[test]
fn a_build_of_the_same_version_replaces_the_old_one() {
    let store = folder("reload-build");
    build(&store, &as_version("1"), &small(), None).expect("it builds");
    let before = Catalog::open(&store).expect("it opens");
    build(&store, &as_version("1"), &small()[1..], None).expect("it builds");
    let after = reopened(&before).expect("there is a new build");
    let concepts = |catalog: &Catalog| catalog.terminologies()[0].concepts;
    assert_eq!(concepts(&before), concepts(&after) + 1);
}

#[test]
fn what_did_not_open_is_tried_again_when_it_was_written() {
    let store = folder("reload-repaired");
    let report = build(&store, &as_version("1"), &small(), None).expect("it builds");
    let part = report.folder.join("records.bin");
    let aside = store.join("records.aside");
    std::fs::rename(&part, &aside).expect("it moves");
    let broken = Catalog::open(&store).expect("the store opens");
    assert_eq!(broken.failures().len(), 1);
    assert!(reopened(&broken).is_none(), "nothing was written since");
    std::fs::rename(&aside, &part).expect("it moves back");
    let repaired = reopened(&broken).expect("the folder was written");
    assert!(repaired.failures().is_empty());
    assert_eq!(versions(&repaired), [("1".to_owned(), true)]);
}

#[test]
fn a_new_value_set_is_found() {
    let (store, before) = catalog_of("reload-valueset");
    let url = "http://example.org/vs";
    let text = format!(r#"{{"resourceType": "ValueSet", "url": "{url}", "status": "draft"}}"#);
    ValueSetStore::new(&store).add(&text).expect("it is stored");
    let after = reopened(&before).expect("there is a value set now");
    assert!(reopened(&after).is_none());
    ValueSetStore::new(&store).remove(url, None).expect("it goes");
    assert!(reopened(&after).is_some());
}

/// A store with one terminology in it, and its catalog.
fn catalog_of(name: &str) -> (std::path::PathBuf, Catalog) {
    let store = folder(name);
    build(&store, &as_version("1"), &small(), None).expect("it builds");
    let catalog = Catalog::open(&store).expect("it opens");
    (store, catalog)
}

#[test]
fn maintenance_holds_for_the_next_question_of_every_catalog() {
    let (store, catalog) = catalog_of("maintenance");
    let other = Catalog::open(&store).expect("it opens");
    assert!(!other.is_in_maintenance("icd10cm"));
    assert_eq!(other.maintenance("icd10cm"), None);

    let switched = Maintenance::new("  back at noon \n");
    catalog.set_maintenance("ICD10CM", Some(&switched)).expect("the store can be written");
    assert!(other.is_in_maintenance("icd10cm"));
    assert!(!other.is_in_maintenance("loinc"));
    let message = other.maintenance("icd10cm").and_then(|found| found.message);
    assert_eq!(message.as_deref(), Some("back at noon"));
    // It is no version, and nothing that is opened changes by it.
    assert!(reopened(&other).is_none());

    catalog.set_maintenance("icd10cm", None).expect("the store can be written");
    assert!(!other.is_in_maintenance("icd10cm"));
    catalog.set_maintenance("icd10cm", None).expect("it may be off already");
}

#[test]
fn maintenance_is_a_file_that_a_person_may_write() {
    let (store, catalog) = catalog_of("maintenance-by-hand");
    let write = |bytes: &[u8]| {
        std::fs::write(store.join("icd10cm/maintenance"), bytes).expect("it is written");
        catalog.maintenance("icd10cm").expect("it is in maintenance").message
    };
    assert_eq!(write(b""), None);
    assert_eq!(write(b" \n"), None);
    assert_eq!(write("zurück um zwölf\n".as_bytes()).as_deref(), Some("zurück um zwölf"));
    assert_eq!(write(&[0xff, b'x']).as_deref(), Some("\u{fffd}x"));
    let long = write(&b"x".repeat(100_000)).expect("a message");
    assert_eq!(long.chars().count(), Maintenance::MAX_CHARS);
}

#[test]
fn maintenance_is_for_what_the_store_has() {
    let (store, catalog) = catalog_of("maintenance-unknown");
    let on = Maintenance::default();
    for system in ["loinc", "../icd10cm", "", "maps"] {
        let refused = catalog.set_maintenance(system, Some(&on));
        assert!(matches!(refused, Err(Error::UnknownSystem { .. })), "{system:?}: {refused:?}");
    }
    assert!(!catalog.is_in_maintenance("../icd10cm"));
    // One that does not open is what maintenance is for.
    let build = catalog.index("icd10cm").expect("it is loaded").folder().to_owned();
    damage(&build.join("records.bin"));
    let broken = Catalog::open(&store).expect("the store opens");
    assert_eq!(broken.failures().len(), 1);
    broken.set_maintenance("icd10cm", Some(&on)).expect("the store can be written");
    assert!(broken.is_in_maintenance("icd10cm"));
}

fn damage(path: &Path) {
    std::fs::write(path, b"not a part").expect("it is written");
}
