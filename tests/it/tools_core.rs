//! The tools of the core and Ontoserver profiles, as a client sees them.

use medterm::tools::Profile::{Core, Ontoserver};
use serde_json::json;

use crate::tool_calls::*;

#[test]
fn search_has_the_fields_of_the_contract() {
    let answer = ok(
        Core,
        "search_concepts",
        json!({"system": "icd10cm", "query": "heart attack", "limit": 2, "explain": true}),
    );
    let first = &answer["results"][0];
    assert!(first["code"].as_str().is_some_and(|code| code.starts_with("I21")), "{first}");
    for field in [
        "system",
        "version",
        "code",
        "display",
        "active",
        "score",
        "confidence",
        "rank",
        "matchedTerm",
        "matchedOn",
        "signals",
    ] {
        assert!(!first[field].is_null(), "{field}: {first}");
    }
    assert_eq!(first["system"], "http://hl7.org/fhir/sid/icd-10-cm");
    assert_eq!(answer["count"], 2);
    assert_eq!(answer["hasMore"], true);
    assert_eq!(answer["nextOffset"], 2);
    assert_eq!(answer["totalIsExact"], false);
    assert_eq!(answer["search_mode"], "keyword_only");
    assert!(answer["search_note"].is_string(), "{answer}");
    let provenance = &answer["provenance"][0];
    for field in [
        "source",
        "source_url",
        "version",
        "data_vintage",
        "retrieved_at",
        "citation",
        "license",
        "notices",
    ] {
        assert!(!provenance[field].is_null(), "{field}: {provenance}");
    }
    assert!(provenance["retrieval"].is_null() && provenance["derived"] == true, "{provenance}");
}

#[test]
fn a_page_is_a_slice_and_the_text_says_how_it_goes_on() {
    let page = |limit: usize, offset: usize| {
        let answer = ok(
            Core,
            "search_concepts",
            json!({"system": "icd10cm", "query": "fracture of femur", "limit": limit, "offset": offset}),
        );
        codes_in(&answer["results"]).iter().map(|code| (*code).to_owned()).collect::<Vec<_>>()
    };
    let ten = page(10, 0);
    assert_eq!([page(4, 0), page(4, 4), page(2, 8)].concat(), ten);
    let past = ok(
        Core,
        "search_concepts",
        json!({"system": "icd10cm", "query": "asthma", "offset": 100_000}),
    );
    assert_eq!(past["count"], 0);
    assert!(
        past["notice"].as_str().is_some_and(|notice| notice.contains("past the end")),
        "{past}"
    );
    let text = call(
        Core,
        "concept_hierarchy",
        json!({"system": "icd10cm", "code": "E11", "direction": "descendants", "limit": 3}),
    )
    .text;
    assert!(text.starts_with("Showing 1-3 of "), "{text}");
    assert!(text.ends_with("call again with offset=3"), "{text}");
}

#[test]
fn systems_are_named_by_alias_uri_and_oid() {
    for system in [
        "icd10cm",
        "ICD10CM",
        "http://hl7.org/fhir/sid/icd-10-cm",
        "http://terminology.hl7.org/CodeSystem/icd10CM",
        "2.16.840.1.113883.6.90",
        "urn:oid:2.16.840.1.113883.6.90",
        "icd10cm|2026-04-01",
    ] {
        let answer = ok(Core, "lookup_concept", json!({"system": system, "code": "E119"}));
        assert_eq!(answer["code"], "E11.9", "{system}");
        assert_eq!(answer["normalizedCode"], "E11.9", "{system}");
    }
    let snomed = ok(Core, "search_codesystems", json!({"name": "snomed"}));
    let version = snomed["results"][0]["version"].as_str().expect("a version");
    let edition = version.split("/version/").next().expect("an edition");
    for system in [version, edition] {
        let answer = ok(Core, "search_concepts", json!({"system": system, "query": "disorder"}));
        assert_eq!(answer["provenance"][0]["version"], version, "{system}");
    }
    let other = format!("{edition}/version/19990101");
    let asked = json!({"system": other, "query": "disorder"});
    fails(Core, "search_concepts", asked, "unknown_version");
    let code = json!({"system": "icd10cm|1999", "code": "E11"});
    fails(Core, "lookup_concept", code, "unknown_version");
    let code = json!({"system": "loinc", "code": "4548-4"});
    fails(Core, "lookup_concept", code, "terminology_not_loaded");
    fails(Core, "lookup_concept", json!({"system": "icd12", "code": "E11"}), "unknown_system");
    let who = json!({"system": "icd10", "code": "E11"});
    let answer = fails(Core, "lookup_concept", who, "terminology_not_loaded");
    assert!(answer.to_string().contains("icd10cm"), "{answer}");
}

#[test]
fn lookup_keeps_repeated_values_and_inherited_notes() {
    let answer = ok(Core, "lookup_concept", json!({"system": "icd10cm", "code": "E11.9"}));
    assert_eq!(answer["display"], "Type 2 diabetes mellitus without complications");
    assert_eq!(answer["parents"][0]["code"], "E11");
    assert_eq!(answer["properties"]["parent"], "E11");
    let notes = answer["notes"].as_array().expect("there are notes");
    assert!(notes.iter().any(|note| note["inheritedFrom"] == "E11"), "{notes:?}");
    let many = ok(Core, "lookup_concept", json!({"system": "icd10cm", "code": "E11"}));
    let excludes = many["properties"]["excludes1"].as_str().expect("it excludes");
    assert!(excludes.lines().count() > 2, "{excludes}");
    assert_eq!(many["childCount"], 10);
    let only = ok(
        Core,
        "lookup_concept",
        json!({"system": "icd10cm", "code": "E11", "properties": ["kind"]}),
    );
    assert!(only["properties"].get("excludes1").is_none(), "{only}");
    let text =
        call(Ontoserver, "lookup_concept", json!({"system": "icd10cm", "code": "E11.9"})).text;
    assert!(text.contains("Code: E11.9\nSystem: ") && text.contains("\nProperties:\n  "), "{text}");
}

#[test]
fn a_code_of_another_family_teaches() {
    let answer =
        fails(Core, "lookup_concept", json!({"system": "mesh", "code": "E11"}), "unknown_code");
    let hint = answer["error"]["data"]["recovery"]["hint"].as_str().unwrap_or_default();
    assert!(hint.contains("icd10cm") && hint.contains("lookup_concept"), "{hint}");
}

#[test]
fn several_codes_keep_their_order_and_their_errors() {
    let codes = json!({"system": "icd10cm", "codes": ["i10", "nothing", "E11.9"]});
    let answer = ok(Core, "lookup_concepts", codes);
    assert_eq!(codes_in(&answer["results"]), ["i10", "nothing", "E11.9"]);
    assert_eq!(answer["results"][0]["concept"]["code"], "I10");
    assert_eq!(answer["results"][1]["error"]["reason"], "unknown_code");
    let many: Vec<String> = (0..51).map(|n| n.to_string()).collect();
    fails(Core, "lookup_concepts", json!({"system": "icd10cm", "codes": many}), "batch_too_large");
}

#[test]
fn validation_tells_wrong_displays_headers_and_near_codes() {
    let validate = |arguments| ok(Core, "validate_concept", arguments);
    let right = validate(
        json!({"system": "icd10cm", "code": "I10", "display": "Essential (primary) hypertension"}),
    );
    assert_eq!(right["valid"], true);
    let wrong = json!({"system": "icd10cm", "code": "I10", "display": "Asthma"});
    let answer = validate(wrong.clone());
    assert_eq!(
        (&answer["valid"], &answer["issues"][0]["code"]),
        (&json!(false), &json!("invalid-display"))
    );
    let mut lenient = wrong;
    lenient["lenientDisplay"] = json!(true);
    assert_eq!(validate(lenient)["valid"], true);
    let header = validate(json!({"system": "icd10cm", "code": "E11"}));
    assert_eq!(
        (&header["valid"], &header["issues"][0]["code"]),
        (&json!(true), &json!("not-billable"))
    );
    let within = |code: &str| {
        let valueset = "http://hl7.org/fhir/sid/icd-10-cm?fhir_vs=isa/E11";
        validate(json!({"system": "icd10cm", "code": code, "valueset": valueset}))
    };
    assert_eq!(within("E11.9")["valid"], true);
    assert_eq!(within("I10")["valid"], false);
    let none = validate(json!({"system": "icd10cm", "code": "E11.7"}));
    assert_eq!(none["valid"], false);
    assert!(!none["suggestions"].as_array().is_none_or(Vec::is_empty), "{none}");
}

#[test]
fn many_codes_are_validated_and_told_apart_from_those_that_cannot_be() {
    let codes = json!({"codes": [
        {"code": "E11.9", "terminology": "icd10cm"},
        {"code": "E11.7", "terminology": "icd10cm"},
        {"code": "4548-4", "terminology": "loinc"},
    ]});
    let answer = ok(Core, "validate_codes", codes);
    let rows = answer["results"].as_array().expect("rows");
    assert_eq!((&rows[0]["valid"], &rows[0]["error"]), (&json!(true), &json!(null)));
    assert_eq!((&rows[1]["valid"], &rows[1]["error"]), (&json!(false), &json!(null)));
    assert!(rows[2]["valid"].is_null() && rows[2]["error"].is_string(), "{}", rows[2]);
    let row = json!({"code": "E11.9", "terminology": "icd10cm"});
    let many = vec![row; 101];
    fails(Core, "validate_codes", json!({"codes": many}), "batch_too_large");
}

#[test]
fn subsumption_has_four_outcomes() {
    for (a, b, outcome) in [
        ("E11", "E11.9", "subsumes"),
        ("E11.9", "E11", "subsumed-by"),
        ("E11.9", "e119", "equivalent"),
        ("E11.9", "I10", "not-subsumed"),
    ] {
        let arguments = json!({"system": "icd10cm", "codeA": a, "codeB": b});
        let answer = ok(Ontoserver, "check_subsumption", arguments.clone());
        assert_eq!(answer["outcome"], outcome, "{answer}");
        let text = call(Ontoserver, "check_subsumption", arguments).text;
        assert!(text.starts_with(&format!("Outcome: {outcome}\n")), "{text}");
    }
}

#[test]
fn code_systems_are_listed_in_pages_with_what_they_can_do() {
    let all = ok(Core, "search_codesystems", json!({}));
    assert_eq!(all["total"], 4);
    let first = ok(Core, "search_codesystems", json!({"_count": 1}));
    assert_eq!(
        (&first["count"], &first["hasMore"], &first["nextOffset"]),
        (&json!(1), &json!(true), &json!(1))
    );
    let one = ok(Core, "search_codesystems", json!({"url": "http://snomed.info/sct"}));
    let row = &one["results"][0];
    assert_eq!((&row["id"], &row["features"]["ecl"]), (&json!("snomed"), &json!(true)));
    assert_eq!(ok(Core, "search_codesystems", json!({"name": "icd"}))["total"], 2);
    assert_eq!(ok(Core, "search_codesystems", json!({"status": "retired"}))["total"], 0);
    let languages =
        &ok(Core, "search_codesystems", json!({"name": "icd10cm"}))["results"][0]["languages"];
    assert_eq!(languages, &json!(["en", "zh-TW"]));
}

#[test]
fn health_names_every_terminology() {
    let answer = ok(Core, "health_check", json!({}));
    assert_eq!(answer["status"], "ok");
    assert_eq!(answer["terminologies"]["icd10cm"]["concepts"], 98_186);
    assert_eq!(answer["terminology"]["icd10cm"]["edition"], "2026-04-01");
    assert_eq!(answer["search_mode"], "keyword_only");
}

#[test]
fn several_systems_are_searched_and_one_that_is_missing_is_told() {
    let query = json!({"systems": ["icd10cm", "mesh", "loinc"], "query": "lantern"});
    let answer = ok(Core, "search_concepts", query);
    assert_eq!(answer["provenance"].as_array().map(Vec::len), Some(2));
    assert_eq!(answer["unavailable"][0]["system"], "loinc");
    assert_eq!(answer["unavailable"][0]["reason"], "terminology_not_loaded");
}

#[test]
fn an_expression_that_cannot_be_read_is_told_where() {
    let search = |system: &str, valueset: &str| json!({"system": system, "query": "eye", "valueset": valueset});
    let answer = fails(Core, "search_concepts", search("snomed", "<< "), "invalid_ecl");
    assert!(answer["error"]["data"]["position"].is_u64(), "{answer}");
    fails(Core, "search_concepts", search("icd10cm", "(("), "invalid_vcl");
    let narrowed = json!({"system": "icd10cm", "query": "diabetes", "under": "O24"});
    let answer = ok(Core, "search_concepts", narrowed);
    assert!(codes_in(&answer["results"]).iter().all(|code| code.starts_with("O24")), "{answer}");
}

#[test]
fn value_sets_are_expanded_in_pages_with_true_totals() {
    let below = |count: usize, offset: usize| {
        json!({
            "valueset": "http://hl7.org/fhir/sid/icd-10-cm?fhir_vs=isa/E11", "_count": count, "_offset": offset,
        })
    };
    let answer = ok(Ontoserver, "expand_valueset", below(3, 0));
    let whole = ok(
        Core,
        "concept_hierarchy",
        json!({"system": "icd10cm", "code": "E11", "direction": "descendants"}),
    );
    let total = whole["total"].as_u64().expect("a total") + 1;
    assert_eq!((&answer["total"], &answer["totalIsExact"]), (&json!(total), &json!(true)));
    assert_eq!(answer["results"][0]["system"], "http://hl7.org/fhir/sid/icd-10-cm");
    let text = call(Ontoserver, "expand_valueset", below(3, 0)).text;
    assert!(text.starts_with(&format!("Showing 1-3 of {total}\n\nE11: ")), "{text}");
    assert!(text.ends_with("More results available — call again with _offset=3"), "{text}");
    let past = ok(Core, "expand_valueset", below(3, 100_000));
    assert!(past["results"] == json!([]) && past["notice"].is_string(), "{past}");
    let mut filtered = below(3, 0);
    filtered["filter"] = json!("kidney");
    let answer = ok(Core, "expand_valueset", filtered);
    assert_eq!(answer["results"][0]["code"], "E11.2", "{answer}");
    let ecl = json!({"valueset": "http://snomed.info/sct?fhir_vs=ecl/<<"});
    fails(Core, "expand_valueset", ecl, "invalid_ecl");
    let ecl = json!({"valueset": "http://snomed.info/sct?fhir_vs=ecl/*"});
    let all = ok(Core, "expand_valueset", ecl);
    assert!(all["total"].as_u64().is_some_and(|total| total > 5), "{all}");
    let absent = json!({"valueset": "http://example.org/none"});
    fails(Core, "expand_valueset", absent, "invalid_argument");
}
