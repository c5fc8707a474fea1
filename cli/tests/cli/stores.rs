use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{RELEASE, build_into, file, folder, run, store};

#[test]
fn an_empty_store_says_how_to_fill_it() {
    let nowhere = folder("empty").join("store");
    for arguments in [&["search", "heart"][..], &["lookup", "E11"], &["list"], &["browse"]] {
        let error = run(&nowhere, arguments).ended(4).stderr;
        assert!(error.contains("medterm demo") && error.contains("medterm build"), "{error}");
    }
    let error = run(&nowhere, &["search", "heart", "--json"]).ended(4).json();
    assert_eq!(error["error"]["code"], "empty_store");
    assert!(!nowhere.exists(), "asking must not create a store");
}

#[test]
fn a_build_says_what_it_built() {
    let folder = folder("report");
    let release = file(&folder, "release.xml", RELEASE.as_bytes());
    let store = folder.join("store");
    let build = ["build", &release, "--no-embeddings", "--json", "--quiet"];
    let run = run(&store, &build).ended(0);
    assert_eq!(run.stderr, "");
    let report = run.json();
    assert_eq!((&report["alias"], &report["version"]), (&"icd10cm".into(), &"2026".into()));
    assert_eq!((&report["concepts"], &report["groupers"]), (&11.into(), &5.into()));
    let list = crate::support::run(&store, &["list", "--json"]).ended(0).json();
    assert_eq!(list[0]["concepts"], 11);
    assert_eq!(list[0]["default"], true);
}

#[test]
fn versions_stand_side_by_side_and_one_is_the_default() {
    let folder = folder("versions");
    let release = file(&folder, "release.xml", RELEASE.as_bytes());
    let store = folder.join("store");
    for version in ["2025", "2026"] {
        run(&store, &["build", &release, "--no-embeddings", "--version", version]).ended(0);
    }
    let version = |arguments: &[&str]| run(&store, arguments).ended(0).json()["version"].clone();
    assert_eq!(version(&["lookup", "E11", "--json"]), "2026");
    run(&store, &["use", "icd10cm", "2025"]).ended(0);
    assert_eq!(version(&["lookup", "E11", "--json"]), "2025");
    assert_eq!(version(&["lookup", "E11", "--json", "--system", "icd10cm|2026"]), "2026");
    run(&store, &["use", "icd10cm", "1999"]).ended(2);
    run(&store, &["default", "icd10cm", "2026"]).ended(0);
    assert_eq!(version(&["lookup", "E11", "--json"]), "2026");
    run(&store, &["build", &release, &release, "--version", "2027"]).ended(2);
}

#[test]
fn a_version_is_removed_by_whoever_says_yes() {
    let folder = folder("removed");
    let release = file(&folder, "release.xml", RELEASE.as_bytes());
    let store = folder.join("store");
    for version in ["2025", "2026"] {
        run(&store, &["build", &release, "--no-embeddings", "--version", version]).ended(0);
    }
    let asked = run(&store, &["remove", "icd10cm", "2026"]).ended(2).stderr;
    assert!(asked.contains("--yes"), "{asked}");
    let removed = run(&store, &["remove", "icd10cm", "2026", "--yes", "--json"]).ended(0).json();
    assert_eq!((&removed["version"], &removed["removed"]), (&"2026".into(), &true.into()));
    let list = run(&store, &["list", "--json"]).ended(0).json();
    assert_eq!(list.as_array().map(Vec::len), Some(1));
    assert_eq!((&list[0]["version"], &list[0]["default"]), (&"2025".into(), &true.into()));
    run(&store, &["remove", "icd10cm", "2026", "--yes"]).ended(2);
    run(&store, &["remove", "icd10cm", "2025", "--yes"]).ended(0);
    run(&store, &["list"]).ended(4);
}

#[test]
fn the_list_says_how_much_there_is_and_under_which_licence() {
    let list = run(store(), &["list"]).ended(0).stdout;
    for word in ["CODES", "GROUPERS", "INACTIVE", "CONTENT", "LICENSE", "complete"] {
        assert!(list.contains(word), "{word} is not in the list:\n{list}");
    }
    let one = run(store(), &["list", "--json"]).ended(0).json()[0].clone();
    assert_eq!((&one["content"], &one["groupers"]), (&"complete".into(), &5.into()));
    assert_eq!((&one["inactive"], &one["borrowed"]), (&0.into(), &0.into()));
    let license = one["license"].as_str().expect("it has one");
    assert!(license.chars().count() <= 24 || !list.contains(license), "{list}");
}

#[test]
fn borrowed_names_can_be_left_out() {
    let with = run(store(), &["search", "heart failure", "--json"]).ended(0).json();
    let without =
        run(store(), &["search", "heart failure", "--no-borrowed", "--json"]).ended(0).json();
    assert_eq!(with["results"], without["results"], "there are none");
    assert_eq!(with["results"][0]["matchedUse"], "display");
}

#[test]
fn names_are_embedded_and_found_by_meaning() {
    let folder = folder("meaning");
    let release = file(&folder, "release.xml", RELEASE.as_bytes());
    let store = folder.join("store");
    let report = run(&store, &["build", &release, "--backend", "rten", "--json"]).ended(0).json();
    assert!(report["rows"].as_u64().is_some_and(|rows| rows >= 11), "{report}");
    let search = ["search", "raised blood sugar", "--backend", "rten", "--json"];
    let answer = run(&store, &search).ended(0).json();
    assert_eq!(answer["search_mode"], "hybrid");
    assert_eq!(answer["results"][0]["code"], "E11.65");
}

#[test]
fn the_doctor_finds_one_changed_byte() {
    let store = folder("doctor").join("store");
    build_into(&store).ended(0);
    let sound = run(&store, &["doctor", "--json", "--backend", "rten"]).ended(0).json();
    assert_eq!(sound["healthy"], true);
    assert_eq!(sound["embedding"]["backend"], "rten");
    let path = part(&store, "records.bin");
    let mut bytes = fs::read(&path).expect("the part is there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).expect("the part is written");
    let damaged = run(&store, &["doctor", "--json", "--backend", "rten"]).ended(1).json();
    assert_eq!(damaged["healthy"], false);
    let findings = damaged["findings"].as_array().expect("a list");
    let parts: Vec<&str> = findings
        .iter()
        .filter(|finding| !finding["problem"].is_null())
        .filter_map(|finding| finding["part"].as_str())
        .collect();
    assert_eq!(parts, ["records.bin"]);
}

#[test]
fn a_store_of_a_later_format_is_left_alone() {
    let store = folder("later").join("store");
    build_into(&store).ended(0);
    let path = part(&store, "manifest.json");
    let manifest = fs::read_to_string(&path).expect("the manifest is there");
    let later = manifest.replacen("\"format\": 2", "\"format\": 99", 1);
    assert_ne!(manifest, later);
    fs::write(&path, &later).expect("the manifest is written");
    for arguments in [&["search", "heart"][..], &["demo", "heart", "--no-embeddings"]] {
        let error = run(&store, arguments).ended(4).stderr;
        assert!(error.contains("format 99") && error.contains("update medterm"), "{error}");
    }
    assert_eq!(fs::read_to_string(&path).ok(), Some(later));
    run(&store, &["doctor", "--backend", "rten"]).ended(1);
}

#[test]
fn a_store_that_cannot_be_written_is_the_disks_trouble() {
    let folder = folder("unwritable");
    let occupied = folder.join(file(&folder, "occupied", b"not a folder"));
    let error = build_into(&occupied).ended(4).stderr;
    assert!(error.contains("occupied"), "{error}");
}

#[test]
#[cfg(target_os = "linux")]
fn an_answer_that_cannot_be_written_is_an_error() {
    let full = fs::File::create("/dev/full").expect("Linux has it");
    let output =
        crate::support::command(store()).arg("list").stdout(full).output().expect("starts");
    let run = crate::support::finished(output).ended(4);
    assert!(run.stderr.contains("standard output"), "{}", run.stderr);
}

/// The file of this name in the one build of a store.
fn part(store: &Path, name: &str) -> PathBuf {
    let version = store.join("icd10cm").join("2026");
    let build = fs::read_to_string(version.join("current")).expect("a build is current");
    version.join(build.trim()).join(name)
}
