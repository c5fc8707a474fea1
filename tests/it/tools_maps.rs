//! The tools over maps, as a client sees them.

use std::sync::OnceLock;

use medterm::Catalog;
use medterm::tools::Profile::{self, Core, Equivalents, Ontoserver};
use serde_json::{Value, json};

use crate::maps::fixture;
use crate::maps_store::add;
use crate::support::{build, codes_of, folder, release};
use crate::tool_calls::{call_on, codes_in};

/// A cut of ICD-10-CM, SNOMED CT in miniature, and the maps of the fixtures.
fn house() -> &'static Catalog {
    static OPEN: OnceLock<Catalog> = OnceLock::new();
    OPEN.get_or_init(|| {
        let store = folder("tools-maps");
        let cut = codes_of(&["I21", "I50", "E11", "A18", "J17", "A70"]);
        build(&store, &release().0, &cut, None).expect("it builds");
        crate::tool_calls::build_fixture(&store, "rf2");
        for map in ["example-icd10cm.sssom.tsv", "2018_I9gem.txt", "2018_I10gem.txt"] {
            add(&store, &fixture(map));
        }
        Catalog::open(&store).expect("it opens")
    })
}

fn ok(profile: Profile, name: &str, arguments: Value) -> Value {
    let answer = call_on(house(), profile, name, arguments);
    assert!(!answer.is_error, "{name}: {}", answer.structured);
    answer.structured
}

fn reason(name: &str, arguments: Value) -> Value {
    let answer = call_on(house(), Core, name, arguments);
    assert!(answer.is_error, "{name}: {}", answer.structured);
    answer.structured["error"]["data"]["reason"].clone()
}

#[test]
fn a_code_is_translated_with_all_that_its_row_says() {
    let ask = |code: &str| {
        ok(
            Core,
            "translate_code",
            json!({"system": "icd9cm", "code": code, "targetSystem": "icd10cm"}),
        )
    };
    let one = ask("25000");
    assert_eq!(one["code"], "250.00");
    assert_eq!(one["normalizedCode"], "250.00");
    let first = &one["matches"][0];
    assert_eq!((&first["code"], &first["relationship"]), (&json!("E11.9"), &json!("related-to")));
    assert!(first["display"].as_str().is_some_and(|name| name.contains("Type 2")), "{first}");
    assert_eq!(
        (&first["primary"], &first["source"]),
        (&json!(true), &json!("gem-icd9cm-icd10cm|2018"))
    );
    let parts = ask("073.0");
    assert!(parts["matches"][0]["code"].is_null(), "{parts}");
    assert_eq!(codes_in(&parts["matches"][0]["codes"]), ["A70", "J17"]);
    assert_eq!(parts["matches"][0]["codes"][1]["choiceList"], 2);
    assert_eq!(ask("365.70")["outcome"], "no-map");
    assert_eq!(ask("999.9")["outcome"], "not-in-map");
}

#[test]
fn maps_are_read_backwards_and_walked_up_to_when_asked() {
    let ask = |more: Value| {
        let mut arguments = json!({"system": "icd10cm", "code": "I21.02", "targetSystem": "mondo"});
        for (name, value) in more.as_object().expect("an object") {
            arguments[name] = value.clone();
        }
        arguments
    };
    assert_eq!(reason("translate_code", ask(json!({}))), "invalid_argument");
    let not = ok(Core, "translate_code", ask(json!({"reverse": true})));
    assert_eq!(not["outcome"], "not-in-map");
    let walked = ok(Core, "translate_code", ask(json!({"reverse": true, "walkUp": true})));
    assert_eq!((&walked["code"], &walked["walkedUpFrom"]), (&json!("I21"), &json!("I21.02")));
    assert_eq!(walked["matches"][0]["relationship"], "source-is-narrower-than-target");
    let map = ask(json!({"reverse": true, "map": "nothing"}));
    assert_eq!(reason("translate_code", map), "invalid_argument");
    let code = ask(json!({"reverse": true, "code": "I99.ZZ"}));
    assert_ne!(reason("translate_code", code), "internal");
}

#[test]
fn find_equivalent_has_the_fields_that_its_clients_know() {
    let arguments =
        json!({"term": "heart failure", "limit": 2, "target_terminologies": ["icd10cm", "loinc"]});
    let answer = ok(Equivalents, "find_equivalent", arguments.clone());
    assert_eq!(answer["ranking"]["method"], "lexical");
    assert_eq!(answer["searched_terminologies"], json!(["icd10cm", "loinc"]));
    assert!(answer["source_terminology"].is_null());
    let icd = &answer["results"]["icd10cm"];
    assert_eq!((&icd["found"], &icd["error"]), (&json!(true), &Value::Null));
    assert_eq!(icd["items"][0]["match_score"], 1.0);
    assert_eq!(icd["items"][0]["rank"], 1);
    assert!(icd["items"].as_array().is_some_and(|items| items.len() == 2));
    assert_eq!(answer["results"]["loinc"]["found"], false);
    assert!(answer["results"]["loinc"]["error"].is_string());
    assert!(answer["results"].get("snomed").is_none());
    assert!(answer["attribution"].as_array().is_some_and(|all| all.len() == 1));
    assert!(answer["groups"].is_array() && answer["provenance"].is_array());
    assert_eq!(ok(Core, "find_equivalent", arguments)["ranking"]["method"], "hybrid");
    let nothing = ok(
        Core,
        "find_equivalent",
        json!({"term": "x ray", "target_terminologies": ["icd10cm"], "source_terminology": "icd10cm"}),
    );
    assert_eq!((&nothing["searched_terminologies"], &nothing["results"]), (&json!([]), &json!({})));
    assert_eq!(reason("find_equivalent", json!({"term": " \u{200B} "})), "blank_query");
    assert_eq!(reason("find_equivalent", json!({"term": "x", "limit": 11})), "invalid_argument");
}

#[test]
fn a_mapping_is_for_a_person_to_confirm() {
    let target = "http://hl7.org/fhir/sid/icd-10-cm?fhir_vs";
    let answer = ok(
        Ontoserver,
        "find_mappings",
        json!({"term": "heart attack", "target": target, "maxResults": 3}),
    );
    assert_eq!(answer["inputTerm"], "heart attack");
    let rows = answer["matches"].as_array().expect("a list");
    assert!(!rows.is_empty() && rows.len() <= 3, "{answer}");
    for row in rows {
        assert_ne!(row["equivalence"], "equivalent");
        assert_eq!(row["accepted_by_validator"], true);
    }
    let mml = json!({"term": "heart attack", "strategy": "MML"});
    assert_eq!(reason("find_mappings", mml), "unsupported_feature");
    // SNOMED CT is where terms go if nothing is said.
    let snomed = ok(Core, "find_mappings", json!({"term": "disorder"}));
    assert!(snomed["provenance"][0]["system"] == "http://snomed.info/sct", "{snomed}");
    let unloaded = json!({"term": "glucose", "target": "http://loinc.org?fhir_vs"});
    assert_eq!(reason("find_mappings", unloaded), "terminology_not_loaded");
    assert_eq!(reason("find_mappings", json!({"term": ""})), "blank_query");
}

#[test]
fn terms_are_harmonized_row_by_row() {
    let answer = ok(
        Core,
        "harmonize_terms",
        json!({"terms": [
            {"term": "heart failure", "domain": "diagnosis"},
            {"term": "glucose", "domain": "lab"},
            {"term": "failure", "domain": "diagnosis"},
        ], "max_candidates": 2}),
    );
    let rows = answer["rows"].as_array().expect("a list");
    assert_eq!((&rows[0]["status"], &rows[0]["match_type"]), (&json!("matched"), &json!("exact")));
    assert_eq!(rows[0]["candidates"].as_array().map(Vec::len), Some(2));
    assert_eq!(rows[2]["match_type"], "needs_review");
    assert_eq!(answer["total"], 3);
    let many: Vec<Value> = vec![json!({"term": "x", "domain": "drug"}); 51];
    assert_eq!(reason("harmonize_terms", json!({"terms": many})), "batch_too_large");
    let wrong = json!({"terms": [{"term": "x", "domain": "dragon"}]});
    assert_eq!(reason("harmonize_terms", wrong), "invalid_argument");
}
