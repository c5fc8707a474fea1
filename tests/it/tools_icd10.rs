//! The five ICD-10 tools, and `pubmed_lookup_mesh`.

use medterm::Catalog;
use medterm::tools::Profile::{Icd10, Mesh};
use medterm::tools::{Profile, Registry};
use serde_json::{Value, json};

use crate::support::folder;
use crate::tool_calls::*;

/// The text of these tools is the answer itself.
fn icd(name: &str, arguments: Value) -> Value {
    let answer = call(Icd10, name, arguments);
    assert!(!answer.is_error, "{name}: {}", answer.structured);
    let text: Value = serde_json::from_str(&answer.text).expect("the text is JSON");
    assert_eq!(text, answer.structured, "{name}");
    text
}

#[test]
fn diagnoses_and_procedures_stand_under_keys_of_their_own() {
    let answer = icd("search_medical_codes", json!({"keyword": "hypertension"}));
    assert_eq!(answer["diagnoses"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        answer["diagnoses"][0],
        json!({"code": "I10", "name_zh": "原發性高血壓", "name_en": "Essential (primary) hypertension"})
    );
    assert!(answer["procedures"].is_array(), "{answer}");
    let one = icd("search_medical_codes", json!({"keyword": "asthma", "type": "diagnosis"}));
    assert!(one.get("procedures").is_none() && one["diagnoses"][0]["name_zh"].is_null(), "{one}");
    // More than ten are taken for ten.
    let many = icd(
        "search_medical_codes",
        json!({"keyword": "fracture", "type": "diagnosis", "limit": 500}),
    );
    assert_eq!(many["diagnoses"].as_array().map(Vec::len), Some(10));
    let chinese = icd("search_medical_codes", json!({"keyword": "高血壓", "type": "diagnosis"}));
    assert_eq!(chinese["diagnoses"][0]["code"], "I10");
}

#[test]
fn another_code_system_is_searched_by_words_of_its_name() {
    let answer = icd("search_medical_codes", json!({"keyword": "lantern", "system": "nlm mesh"}));
    assert_eq!(answer["codesystem"]["id"], "mesh");
    assert_eq!(answer["results"][0]["accepted_by_validator"], true);
    let pcs = icd("search_medical_codes", json!({"keyword": "0DTJ0ZZ", "system": "icd10pcs"}));
    assert_eq!(pcs["codesystem"]["id"], "icd10pcs");
    fails(
        Icd10,
        "search_medical_codes",
        json!({"keyword": "lantern", "system": "no such words"}),
        "unknown_system",
    );
}

#[test]
fn subdivisions_are_children_and_never_a_prefix() {
    let answer = icd("infer_complications", json!({"code": "E11"}));
    assert_eq!(answer["base_code"], "E11");
    assert_eq!(answer["total"], 10);
    assert!(
        codes_in(&answer["potential_complications_or_specifics"]).contains(&"E11.2"),
        "{answer}"
    );
    let leaf = icd("infer_complications", json!({"code": "E11.9"}));
    let related = codes_in(&leaf["related_codes"]);
    assert!(related.len() == 10 && related.iter().all(|code| code.starts_with("E11")), "{leaf}");
    assert!(!related.contains(&"E11.9") && leaf["hasMore"] == true, "{leaf}");
    let wide = icd("infer_complications", json!({"code": "S72.0"}));
    assert!(
        wide["potential_complications_or_specifics"]
            .as_array()
            .is_some_and(|rows| rows.len() <= 15)
    );
    // E1 is the beginning of codes, and none itself.
    let answer = fails(Icd10, "infer_complications", json!({"code": "E1"}), "unknown_code");
    assert_eq!(answer["error"]["code"], "UNKNOWN_CODE");
}

#[test]
fn neighbors_are_told_even_for_a_code_that_is_none() {
    let answer = icd("get_nearby_codes", json!({"code": "I10"}));
    assert_eq!(answer["target"]["name_zh"], "原發性高血壓");
    let rels: Vec<&str> = answer["nearby_options"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| one["rel"].as_str())
        .collect();
    assert_eq!(rels, ["prev", "prev", "next", "next"]);
    assert_eq!(codes_in(&answer["nearby_options"])[2], "I11");
    let first = icd("get_nearby_codes", json!({"code": "A00"}));
    assert_eq!(first["nearby_options"].as_array().map(Vec::len), Some(2));
    let none = fails(Icd10, "get_nearby_codes", json!({"code": "I12.5"}), "unknown_code");
    assert_eq!(codes_in(&none["nearby_options"]), ["I12", "I12.0", "I12.9", "I13"]);
}

#[test]
fn a_diagnosis_and_a_procedure_stand_side_by_side() {
    let both = json!({"diagnosis_code": "K35.80", "procedure_code": "0DTJ0ZZ"});
    let answer = icd("check_medical_conflict", both);
    assert_eq!(answer["diagnosis_info"]["code"], "K35.80");
    assert_eq!(answer["procedure_info"]["code"], "0DTJ0ZZ");
    assert!(
        answer["diagnosis_info"]["notes"].as_array().is_some_and(|notes| !notes.is_empty()),
        "{answer}"
    );
    let one = json!({"diagnosis_code": "K35.80", "procedure_code": "0DTJ0ZI"});
    let answer = icd("check_medical_conflict", one);
    assert!(
        answer["procedure_info"].is_null() && answer["procedure_message"].is_string(),
        "{answer}"
    );
}

#[test]
fn categories_have_true_totals() {
    let all = icd("browse_icd_category", json!({}));
    let categories = all["categories"].as_array().expect("categories");
    assert_eq!(all["total_categories"], categories.len());
    assert!(categories.len() > 1_900, "{}", categories.len());
    let e11 = categories.iter().find(|one| one["category"] == "E11").expect("E11 is one");
    let one = icd("browse_icd_category", json!({"category": "E11", "limit": 5}));
    assert_eq!(one["total"], e11["code_count"]);
    assert_eq!(one["codes"].as_array().map(Vec::len), Some(5));
    assert_eq!((&one["hasMore"], &one["codes"][0]["code"]), (&json!(true), &json!("E11")));
    let leaf = icd("browse_icd_category", json!({"category": "I10"}));
    assert_eq!((&leaf["total"], &leaf["hasMore"]), (&json!(1), &json!(false)));
    fails(Icd10, "browse_icd_category", json!({"category": "ZZZ"}), "unknown_code");
}

#[test]
fn without_icd10cm_the_group_is_not_listed() {
    let store = folder("tools-mesh");
    build_fixture(&store, "mesh");
    let catalog = Catalog::open(&store).expect("it opens");
    let names = |catalog| -> Vec<&str> {
        Registry::new(Profile::Icd10).tools(catalog).iter().map(|tool| tool.name).collect()
    };
    assert_eq!(names(Some(&catalog)), ["health_check"]);
    assert_eq!(names(None).len(), 6);
    let answer = call_on(&catalog, Icd10, "search_medical_codes", json!({"keyword": "lantern"}));
    assert_eq!(answer.structured["error"]["code"], "TERMINOLOGY_NOT_LOADED");
}

#[test]
fn mesh_records_come_in_pages_without_loss() {
    let page = |query: &str, max: usize, offset: usize| {
        ok(Mesh, "pubmed_lookup_mesh", json!({"query": query, "maxResults": max, "offset": offset}))
    };
    let whole = page("lantern", 50, 0);
    let ids = |answer: &Value| -> Vec<String> {
        let rows = answer["results"].as_array().expect("rows");
        rows.iter().filter_map(|row| row["meshId"].as_str().map(str::to_owned)).collect()
    };
    let (mut paged, mut offset) = (Vec::new(), 0);
    loop {
        let answer = page("lantern", 1, offset);
        paged.extend(ids(&answer));
        match answer["nextOffset"].as_u64() {
            Some(next) => offset = usize::try_from(next).expect("a small number"),
            None => break,
        }
    }
    assert_eq!(paged, ids(&whole));
    let past = page("lantern", 10, 5_000);
    assert_eq!(past["results"], json!([]));
    assert!(past["notice"].is_string(), "{past}");
    let bare =
        ok(Mesh, "pubmed_lookup_mesh", json!({"query": "lantern [mh]", "includeDetails": false}));
    let first = bare["results"][0].as_object().expect("a record");
    assert_eq!(first.keys().collect::<Vec<_>>(), ["entrezUid", "meshId", "name"]);
}
