//! Tools over a store that is not as it should be: in maintenance, or damaged.

use std::path::PathBuf;

use medterm::Catalog;
use medterm::catalog::Maintenance;
use medterm::tools::Profile::{All, Core, Icd10};
use serde_json::json;

use crate::support::*;
use crate::tool_calls::*;

/// A store with a few codes of ICD-10-CM, and three small terminologies; and the folders of the last two.
fn small_house(name: &str) -> (PathBuf, Vec<PathBuf>) {
    let store = folder(name);
    build(&store, &release().0, &codes_of(&["I1", "E11"]), None).expect("it builds");
    let folders = ["icd10pcs/icd10pcs_codes_2024.txt", "mesh", "rf2"]
        .map(|fixture| build_fixture(&store, fixture));
    (store, folders[1..].to_vec())
}

#[test]
fn maintenance_is_said_in_two_languages_and_the_others_answer() {
    let (store, _) = small_house("tools-maintenance");
    let catalog = Catalog::open(&store).expect("it opens");
    let keyword = json!({"keyword": "hypertension"});
    assert!(!call_on(&catalog, Icd10, "search_medical_codes", keyword.clone()).is_error);
    let says = Maintenance::new("back at noon");
    catalog.set_maintenance("icd10cm", Some(&says)).expect("it can be switched");
    // The catalog that is open notices, without being opened again.
    let answer = call_on(&catalog, All, "infer_complications", json!({"code": "I10"}));
    let error = &answer.structured["error"];
    assert!(answer.is_error);
    assert_eq!((&error["code"], &error["module"]), (&json!("MODULE_MAINTENANCE"), &json!("icd")));
    assert_eq!(error["data"]["reason"], "maintenance");
    assert_eq!(error["data"]["retryable"], true);
    assert!(error["message"].as_str().is_some_and(|text| text.contains("back at noon")), "{error}");
    assert!(error["message_zh"].as_str().is_some_and(|text| text.contains("維護")), "{error}");
    let lookup = json!({"system": "icd10cm", "code": "I10"});
    let answer = call_on(&catalog, Core, "lookup_concept", lookup.clone());
    assert_eq!(answer.structured["error"]["code"], "MODULE_MAINTENANCE");
    let both = json!({"systems": ["icd10cm", "mesh"], "query": "lantern"});
    let answer = call_on(&catalog, Core, "search_concepts", both);
    assert!(!answer.is_error, "{}", answer.structured);
    assert_eq!(answer.structured["unavailable"][0]["reason"], "maintenance");
    assert!(!codes_in(&answer.structured["results"]).is_empty());
    let answer = call_on(&catalog, Icd10, "search_medical_codes", keyword);
    assert!(answer.structured["procedures"].is_array(), "{}", answer.structured);
    assert!(answer.structured["diagnoses_note"].is_string(), "{}", answer.structured);
    let health = call_on(&catalog, Core, "health_check", json!({})).structured;
    assert_eq!(
        (&health["status"], &health["terminologies"]["icd10cm"]["maintenance"]),
        (&json!("degraded"), &json!(true))
    );
    catalog.set_maintenance("icd10cm", None).expect("it can be switched back");
    assert!(!call_on(&catalog, Core, "lookup_concept", lookup).is_error);
}

#[test]
fn broken_terminologies_are_told_and_the_others_answer() {
    let (store, folders) = small_house("tools-broken");
    std::fs::remove_file(folders[0].join("records.bin")).expect("it is ours");
    let lexical = folders[1].join("lexical.bin");
    let mut bytes = std::fs::read(&lexical).expect("it is there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xFF;
    std::fs::write(&lexical, bytes).expect("it is ours");
    let catalog = Catalog::open(&store).expect("it opens all the same");
    let health = call_on(&catalog, Core, "health_check", json!({})).structured;
    assert_eq!(health["status"], "degraded");
    for alias in ["mesh", "snomed"] {
        assert_eq!(health["terminologies"][alias]["loaded"], false, "{health}");
        let said = health["problems"].to_string();
        assert!(said.contains(alias) && !said.contains(store.to_str().expect("a path")), "{said}");
        let search = json!({"system": alias, "query": "lantern"});
        let answer = call_on(&catalog, Core, "search_concepts", search);
        assert_eq!(answer.structured["error"]["data"]["reason"], "index_incompatible", "{alias}");
        assert!(
            !answer.text.contains(".bin") && !answer.text.contains("target"),
            "{}",
            answer.text
        );
    }
    let lookup = json!({"system": "icd10cm", "code": "I10"});
    assert!(!call_on(&catalog, Core, "lookup_concept", lookup).is_error);
}
