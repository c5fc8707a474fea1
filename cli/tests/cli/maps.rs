use std::path::Path;

use crate::support::{build_into, file, folder, run};

const MAP: &str = "\
# mapping_set_id: https://example.org/ours.sssom.tsv
# mapping_set_version: 7
subject_id\tpredicate_id\tobject_id
MONDO:9000001\tskos:exactMatch\tICD10CM:I21
MONDO:9000001\tskos:closeMatch\tICD10CM:I50
XX:1\tskos:exactMatch\tICD10CM:I50
";

#[test]
fn maps_are_added_listed_and_removed() {
    let folder = folder("maps");
    let store = folder.join("store");
    run(&store, &["map", "list"]).ended(1);
    let map = file(&folder, "ours.sssom.tsv", MAP.as_bytes());
    let added = run(&store, &["map", "add", &map, "--json"]).ended(0).json();
    let release = &added["release"];
    assert_eq!((&release["name"], &release["version"]), (&"ours".into(), &"7".into()));
    assert_eq!(added["counts"]["equivalent"], 1);
    assert_eq!(added["leftOut"][0]["count"], 1);
    assert!(added["leftOut"][0]["first"].as_str().is_some_and(|first| first.ends_with(":6: XX")));
    let told = run(&store, &["map", "add", &map, "--version", "8"]).ended(0).stdout;
    assert!(told.contains("equivalent") && told.contains("1 rows left out"), "{told}");

    let list = run(&store, &["map", "list", "--json"]).ended(0).json();
    assert_eq!(list.as_array().map(Vec::len), Some(2));
    assert!(run(&store, &["map", "list"]).ended(0).stdout.contains("mondo"));
    run(&store, &["list"]).ended(4);
    run(&store, &["map", "remove", "ours", "7"]).ended(0);
    run(&store, &["map", "remove", "ours", "7"]).ended(2);
    let gone = run(&store, &["map", "remove", "ours", "--json"]).ended(0).json();
    assert_eq!(gone["removed"].as_array().map(Vec::len), Some(1));
    run(&store, &["map", "list"]).ended(1);
}

#[test]
fn codes_are_translated_and_their_equivalents_found() {
    let folder = folder("translate");
    let store = folder.join("store");
    let map = file(&folder, "ours.sssom.tsv", MAP.as_bytes());
    run(&store, &["map", "add", &map]).ended(0);
    let ours = ["translate", "mondo:9000001", "--system", "mondo", "--to", "icd10cm"];
    // No terminology has to be loaded.
    let told = run(&store, &ours).ended(0).stdout;
    assert!(
        told.contains("equivalent") && told.contains("I21") && told.contains("ours 7"),
        "{told}"
    );
    build_into(&store).ended(0);
    let answer = run(&store, &[&ours[..], &["--json"]].concat()).ended(0).json();
    assert_eq!(answer["matches"].as_array().map(Vec::len), Some(2));
    assert_eq!(answer["matches"][0]["codes"][0]["code"], "I21");
    assert_eq!(answer["matches"][1]["relationship"], "related-to");
    let back = ["translate", "i214", "--system", "icd10cm", "--to", "mondo", "--reverse"];
    let not = run(&store, &[&back[..], &["--json"]].concat()).ended(1).json();
    assert_eq!(not["outcome"], "not-in-map");
    let walked = run(&store, &[&back[..], &["--walk-up", "--json"]].concat()).ended(0).json();
    assert_eq!(
        (&walked["code"], &walked["walkedUpFrom"]["code"]),
        (&"I21".into(), &"I21.4".into())
    );
    run(&store, &back[..6]).ended(2);
    run(&store, &[&ours[..], &["--map", "nothing"]].concat()).ended(2);

    let of = ["equivalents", "MONDO:9000001", "--system", "mondo", "--to", "icd10cm"];
    let told = run(&store, &of).ended(0).stdout;
    assert!(told.contains("map") && told.contains("I21"), "{told}");
    let words = ["equivalents", "heart", "failure", "--mode", "lexical", "--json"];
    let answer = run(&store, &words).ended(0).json();
    let first = &answer["results"][0]["candidates"][0];
    assert_eq!((&first["code"], &first["basis"]), (&"I50".into(), &"title".into()));
    assert_eq!(first["relationship"], "related-to");
}

#[test]
fn a_map_that_cannot_be_read_stores_nothing() {
    let folder = folder("bad-maps");
    let store = folder.join("store");
    let good = file(&folder, "good.sssom.tsv", MAP.as_bytes());
    let unknown = MAP.replace("object_id", "object");
    let bad = file(&folder, "bad.sssom.tsv", unknown.as_bytes());
    let error = run(&store, &["map", "add", &good, &bad, "--json"]).ended(3).json();
    let message = error["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("bad.sssom.tsv:3:") && message.contains("object_id"), "{message}");
    assert!(!store.exists(), "the good one was stored");
    run(&store, &["map", "add", &good, "--name", "Not A Name"]).ended(2);
    run(&store, &["map", "add", &good, &good, "--name", "ours"]).ended(2);
    run(&store, &["map", "add", &good, "--from", "no system"]).ended(2);
    run(&store, &["map", "add", "nowhere.tsv"]).ended(3);
    for sub in ["add", "list", "remove"] {
        let help = run(&store, &["map", sub, "--help"]).ended(0).stdout;
        assert!(help.contains(&format!("Examples:\n  medterm map {sub}")), "{help}");
    }
}

#[test]
fn without_a_map_nothing_can_be_borrowed_and_none_is_a_build_without() {
    let store = folder("borrow").join("store");
    build_into(&store).ended(0);
    let error = run(&store, &["borrow", "icd10cm"]).ended(2).stderr;
    assert!(error.contains("medterm map add"), "{error}");
    run(&store, &["borrow", "icd10cm", "--none", "--from", "mondo"]).ended(2);
    let before = current(&store);
    let none = run(&store, &["borrow", "icd10cm", "--none", "--json"]).ended(0).json();
    assert_eq!(none["loan"]["borrowed"], 0);
    assert_eq!(none["index"]["build"], before.as_str(), "nothing was borrowed before");
    run(&store, &["borrow", "loinc"]).ended(2);
}

/// The name of the build that is served.
fn current(store: &Path) -> String {
    std::fs::read_to_string(store.join("icd10cm/2026/current")).expect("a build is current")
}

#[test]
fn the_doctor_looks_at_maps_too() {
    let folder = folder("sick-map");
    let store = folder.join("store");
    build_into(&store).ended(0);
    let map = file(&folder, "ours.sssom.tsv", MAP.as_bytes());
    run(&store, &["map", "add", &map]).ended(0);
    let states = |code: i32| {
        let report = run(&store, &["doctor", "--json", "--backend", "rten"]).ended(code).json();
        let findings = report["findings"].as_array().expect("a list").clone();
        let of_map = findings.into_iter().find(|one| one["part"] == "map.bin").expect("it is told");
        (of_map["alias"].clone(), of_map["problem"].is_null())
    };
    assert_eq!(states(0), ("maps/ours".into(), true));
    let path = store.join("maps/ours/7/map.bin");
    let mut bytes = std::fs::read(&path).expect("it was written");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).expect("it is ours");
    assert_eq!(states(1), ("maps/ours".into(), false));
}
