use serde_json::Value;

use crate::support::{run, store};

fn json(arguments: &[&str]) -> Value {
    let mut arguments = arguments.to_vec();
    arguments.push("--json");
    run(store(), &arguments).ended(0).json()
}

#[test]
fn a_code_is_found_in_every_spelling() {
    for query in ["E119", "e11.9", " E11.9. "] {
        let first = &json(&["search", query])["results"][0];
        assert_eq!((&first["code"], &first["matchedOn"]), (&"E11.9".into(), &"code".into()));
        assert_eq!(first["rank"], 1);
    }
    assert_eq!(json(&["search", "i21"])["results"][0]["code"], "I21");
}

#[test]
fn words_are_found_and_shown_with_their_scores() {
    let answer = json(&["search", "heart", "failure"]);
    assert!(["I50", "I50.9"].iter().any(|code| answer["results"][0]["code"] == *code));
    assert_eq!(answer["query"], "heart failure");
    let table = run(store(), &["search", "coronary", "thrombosis", "--explain"]).ended(0).stdout;
    let first = table.lines().nth(1).expect("a first hit");
    assert!(first.contains("I21") && first.contains('█'), "{table}");
    assert!(table.contains("lexical") && table.contains("coronary thrombosis"), "{table}");
}

#[test]
fn a_heart_attack_is_a_myocardial_infarction() {
    let code = json(&["search", "heart attack"])["results"][0]["code"].clone();
    assert!(code.as_str().is_some_and(|code| code.starts_with("I21")), "{code}");
}

#[test]
fn a_page_is_a_slice() {
    let whole = json(&["search", "diabetes", "--limit", "4"]);
    let page = json(&["search", "diabetes", "--limit", "2", "--offset", "1"]);
    assert_eq!(page["results"][0], whole["results"][1]);
    assert_eq!(page["results"][1], whole["results"][2]);
    assert_eq!(page["offset"], 1);
}

#[test]
fn filters_hold() {
    let under = json(&["search", "diabetes", "--under", "E11", "--billable"]);
    let codes: Vec<&str> = under["results"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|hit| hit["code"].as_str())
        .collect();
    assert!(!codes.is_empty());
    assert!(codes.iter().all(|code| ["E11.65", "E11.9"].contains(code)), "{codes:?}");
}

#[test]
fn nothing_found_is_told_by_the_exit_code() {
    let run = run(store(), &["search", "zzzyx"]).ended(1);
    assert!(run.stdout.contains("nothing found for \"zzzyx\""), "{}", run.stdout);
}

#[test]
fn a_lookup_shows_names_and_notes_of_its_own_and_inherited() {
    let found = json(&["lookup", "e119"]);
    assert_eq!(found["code"], "E11.9");
    assert_eq!(found["display"], "Type 2 diabetes mellitus without complications");
    assert_eq!(found["billable"], true);
    let text = run(store(), &["lookup", "E11.9"]).ended(0).stdout;
    assert!(text.contains("Excludes1 (from E11)\n  type 1 diabetes mellitus (E10.-)"), "{text}");
}

#[test]
fn e1_is_a_prefix_and_never_a_code() {
    let lookup = run(store(), &["lookup", "E1"]).ended(1);
    assert!(lookup.stderr.contains("\"E1\" is not a code of icd10cm"), "{}", lookup.stderr);
    let lookup = run(store(), &["lookup", "E1", "--json"]).ended(1).json();
    assert_eq!(lookup["error"]["code"], "unknown_code");
    let validated = run(store(), &["validate", "E1", "--json"]).ended(1).json();
    assert_eq!(validated["valid"], false);
}

#[test]
fn validation_looks_at_the_name_too() {
    let name = "Type 2 diabetes mellitus without complications";
    run(store(), &["validate", "E11.9", "--display", name]).ended(0);
    let wrong = run(store(), &["validate", "E11.9", "--display", "Heart failure"]).ended(1);
    assert!(wrong.stdout.contains("invalid-display"), "{}", wrong.stdout);
}

#[test]
fn a_lenient_validation_warns_of_the_name() {
    let arguments = ["validate", "E11.9", "--display", "Heart failure", "--lenient"];
    let warned = json(&arguments);
    assert_eq!(warned["valid"], true);
    assert_eq!(warned["issues"][0]["severity"], "warning");
    let lenient = run(store(), &["validate", "E11.9", "--lenient"]).ended(2);
    assert!(lenient.stderr.contains("--display"), "{}", lenient.stderr);
    let name = "Type 2 diabetes mellitus without complications";
    let german = json(&["validate", "E11.9", "--display", name, "--language", "de"]);
    assert_eq!(german["issues"][0]["code"], "no-display-in-language");
}

#[test]
fn several_codes_are_answered_in_their_order() {
    let answers = run(store(), &["validate", "E11.9", "e1199", "I21.9", "--json"]).ended(1).json();
    let valid: Vec<&Value> =
        answers.as_array().expect("a list").iter().map(|one| &one["valid"]).collect();
    assert_eq!(valid, [true, false, true]);
    assert_eq!(answers[1]["suggestions"][0]["code"], "E11.9");
    run(store(), &["validate", "E11.9", "I21.9"]).ended(0);
    let text = run(store(), &["validate", "E11.99"]).ended(1).stdout;
    assert!(text.contains("perhaps E11.9  Type 2 diabetes"), "{text}");
    run(store(), &["validate", "E11.9", "I21.9", "--display", "x"]).ended(2);

    let found = run(store(), &["lookup", "E11.9", "E1", "i21", "--json"]).ended(1).json();
    assert_eq!((&found[0]["code"], &found[2]["code"]), (&"E11.9".into(), &"I21".into()));
    assert_eq!(
        (&found[1]["code"], &found[1]["error"]["code"]),
        (&"E1".into(), &"unknown_code".into())
    );
    let text = run(store(), &["lookup", "E11.9", "I21"]).ended(0).stdout;
    assert!(text.contains("Type 2 diabetes") && text.contains("coronary thrombosis"), "{text}");
    let many: Vec<&str> =
        std::iter::once("lookup").chain(std::iter::repeat_n("E11.9", 51)).collect();
    let refused = run(store(), &many).ended(2);
    assert!(refused.stderr.contains("at most 50"), "{}", refused.stderr);
    let kinds = json(&["lookup", "E11.9", "--property", "kind"]);
    assert_eq!(kinds["properties"].as_array().map(Vec::len), Some(1));
}

#[test]
fn the_ways_down_to_a_code_are_shown() {
    let steps = json(&["browse", "E11.65", "--direction", "paths"]);
    let codes: Vec<&Value> =
        steps["items"].as_array().expect("a list").iter().map(|one| &one["code"]).collect();
    assert_eq!(codes, ["4", "E08-E13", "E11", "E11.6", "E11.65"]);
    assert_eq!((&steps["items"][0]["path"], &steps["total"]), (&1.into(), &5.into()));
}

#[test]
fn the_hierarchy_can_be_walked() {
    let top = json(&["browse"]);
    let codes = |list: &Value| -> Vec<String> {
        let items = list["items"].as_array().expect("a list");
        items.iter().filter_map(|item| item["code"].as_str()).map(str::to_owned).collect()
    };
    assert_eq!(codes(&top), ["4", "9"]);
    assert_eq!(codes(&json(&["browse", "I21"])), ["I21.4", "I21.9"]);
    let above = codes(&json(&["browse", "E11.65", "--direction", "ancestors"]));
    assert_eq!(above, ["E11.6", "E11", "E08-E13", "4"]);
    let around = json(&["browse", "I21.9", "--direction", "neighbors"]);
    assert_eq!(around["target"]["code"], "I21.9");
    run(store(), &["browse", "I21.9"]).ended(1);
}

#[test]
fn subsumption_is_told_in_words_and_in_json() {
    assert_eq!(json(&["subsumes", "E11", "E11.65"])["outcome"], "subsumes");
    assert_eq!(json(&["subsumes", "I21", "E11"])["outcome"], "not-subsumed");
    let text = run(store(), &["subsumes", "E11.65", "E11"]).ended(0).stdout;
    assert!(text.contains("stands below"), "{text}");
}

#[test]
fn requests_that_cannot_be_answered_are_the_callers_fault() {
    let system = run(store(), &["search", "x", "--system", "snomed"]).ended(2);
    assert!(system.stderr.contains("icd10cm"), "{}", system.stderr);
    run(store(), &["lookup", "E11.9", "--system", "icd10cm|1999"]).ended(2);
    run(store(), &["search", "..."]).ended(2);
    let limit = run(store(), &["search", "x", "--limit", "1000", "--json"]).ended(2).json();
    assert_eq!(limit["error"]["code"], "invalid_argument");
}
