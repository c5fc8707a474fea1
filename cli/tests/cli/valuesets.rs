use crate::support::{build_into, file, folder, run};

const VALUESET: &str = r#"{"resourceType": "ValueSet", "url": "http://example.org/vs", "version": "2",
  "compose": {"include": [{"system": "http://hl7.org/fhir/sid/icd-10-cm", "concept": [{"code": "I50"}]},
  {"system": "http://loinc.org"}]}}"#;

#[test]
fn value_sets_are_added_expanded_and_removed() {
    let folder = folder("valuesets");
    let store = folder.join("store");
    build_into(&store).ended(0);
    run(&store, &["valueset", "list"]).ended(1);
    let path = file(&folder, "vs.json", VALUESET.as_bytes());
    let added = run(&store, &["valueset", "add", &path, "--json"]).ended(0).json();
    assert_eq!(added["added"][0]["url"], "http://example.org/vs");
    let list = run(&store, &["valueset", "list", "--json"]).ended(0).json();
    assert_eq!(list[0]["version"], "2");

    // What is not loaded is told, and the exit code says that something is missing.
    let answer = run(&store, &["expand", "http://example.org/vs", "--json"]).ended(1).json();
    assert_eq!(answer["contains"][0]["code"], "I50");
    assert_eq!(answer["unresolved"][0]["system"], "http://loinc.org");
    let whole = "http://hl7.org/fhir/sid/icd-10-cm?fhir_vs";
    let text = run(&store, &["expand", whole, "--count", "1"]).ended(0).stdout;
    assert!(text.contains("1-1 of "), "{text}");
    run(&store, &["expand", whole, "--count", "10001"]).ended(2);
    run(&store, &["expand", "http://example.org/nowhere"]).ended(2);

    run(&store, &["validate", "I50", "--valueset", "http://example.org/vs"]).ended(0);
    run(&store, &["validate", "I21", "--valueset", "http://example.org/vs"]).ended(1);
    run(&store, &["valueset", "remove", "http://example.org/vs"]).ended(0);
    run(&store, &["valueset", "remove", "http://example.org/vs"]).ended(2);
    let bad = file(&folder, "bad.json", b"{\"resourceType\": \"Patient\"}");
    run(&store, &["valueset", "add", &bad]).ended(3);
}
