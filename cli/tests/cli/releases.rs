//! Releases of other formats through the command: what it is told and what it tells.

use std::path::Path;

use crate::support::{RELEASE, file, folder, run};

fn fixture(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").join(name);
    root.to_str().expect("UTF-8").to_owned()
}

#[test]
fn several_releases_are_built_by_one_command_and_say_what_they_are() {
    let store = folder("many-formats").join("store");
    let (mesh, loinc) = (fixture("mesh"), fixture("loinc/Loinc_2.81"));
    let build = ["build", &mesh, &loinc, "--no-embeddings", "--json", "--quiet"];
    let reports = run(&store, &build).ended(0).json();
    assert_eq!((&reports[0]["format"], &reports[1]["format"]), (&"mesh".into(), &"loinc".into()));
    assert_eq!(reports[1]["version"], "2.81");
    assert!(reports[0]["read"]["descriptors"].as_u64().is_some_and(|n| n > 0), "{reports}");
    let list = run(&store, &["list"]).ended(0).stdout;
    assert!(list.contains("loinc") && list.contains("2.81") && list.contains("mesh"), "{list}");
    run(&store, &["build", &mesh, &loinc, "--no-embeddings", "--version", "1"]).ended(2);
}

#[test]
fn a_table_needs_a_system_and_columns_that_can_be_told() {
    let folder = folder("local-table");
    let store = folder.join("store");
    let table =
        file(&folder, "wards.csv", b"Nr,Bezeichnung\nA1,Ward for lamps\nA2,Ward for bells\n");
    let build = |more: &[&str]| {
        let mut arguments = vec!["build", &table, "--no-embeddings"];
        arguments.extend(more);
        run(&store, &arguments)
    };
    let unsaid = build(&[]).ended(3).stderr;
    assert!(unsaid.contains("--system"), "{unsaid}");
    let named = ["--system", "wards", "--version", "1"];
    let unclear = build(&named).ended(3).stderr;
    assert!(unclear.contains("Nr, Bezeichnung") && unclear.contains("--columns"), "{unclear}");
    assert!(!store.exists(), "nothing was built");
    build(&["--system", "wards", "--version", "1", "--columns", "code=Nr,display=Bezeichnung"])
        .ended(0);
    let hit = run(&store, &["search", "bells", "--json"]).ended(0).json();
    assert_eq!(hit["results"][0]["code"], "A2");
    let unknown = build(&["--format", "no-such-format"]).ended(2).stderr;
    assert!(unknown.contains("rxnorm"), "the formats are listed: {unknown}");
}

#[test]
fn a_supplement_gives_names_and_what_does_not_fit_is_told() {
    let folder = folder("supplemented");
    let store = folder.join("store");
    let release = file(&folder, "release.xml", RELEASE.as_bytes());
    let rows = "code,display,value\nE11,Type 2 diabetes mellitus,第2型糖尿病\nX99,Nothing,無\n";
    let names = file(&folder, "names.csv", rows.as_bytes());
    let build = ["build", &release, "--no-embeddings", "--supplement", &names, "--json"];
    run(&store, &build).ended(3);
    let mut build = build.to_vec();
    build.extend(["--supplement-language", "zh-TW"]);
    let report = run(&store, &build).ended(0).json();
    assert_eq!(report["read"]["added names"], 1, "{report}");
    assert_eq!(report["leftOut"][0]["cause"], "unusable");
    let first = report["leftOut"][0]["first"].as_str().unwrap_or_default();
    assert!(first.contains("names.csv:3: X99"), "{first}");
    let found = run(&store, &["search", "糖尿病", "--json"]).ended(0).json();
    assert_eq!(found["results"][0]["code"], "E11", "{found}");
    run(&store, &["build", &release, "--supplement-language", "de"]).ended(2);
}

#[test]
fn a_bad_release_beside_a_good_one_is_named_before_anything_is_built() {
    let folder = folder("bad-beside-good");
    let store = folder.join("store");
    let good = file(&folder, "release.xml", RELEASE.as_bytes());
    let bad = file(&folder, "letter.txt", b"Dear all");
    let error = run(&store, &["build", &good, &bad, "--no-embeddings"]).ended(3).stderr;
    assert!(error.contains("letter.txt"), "{error}");
    assert!(!store.exists());
}
