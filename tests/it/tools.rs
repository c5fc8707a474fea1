//! What holds for every tool: what it says of itself, what it costs a client, what it refuses.

use medterm::tools::{Profile, Reason, Registry, ToolDescription};
use serde_json::{Map, Value, json};

use crate::tool_calls::*;

fn listed(profile: Profile) -> Vec<ToolDescription> {
    Registry::new(profile).tools(Some(house()))
}

fn names(profile: Profile) -> Vec<&'static str> {
    listed(profile).iter().map(|tool| tool.name).collect()
}

/// A tool as `tools/list` has it.
fn as_listed(tool: &ToolDescription) -> Value {
    json!({
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": *tool.input_schema,
        "outputSchema": *tool.output_schema,
        "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false},
    })
}

#[test]
fn each_profile_lists_its_own_tools() {
    assert!(listed(Profile::Core).len() <= 16);
    assert_eq!(
        names(Profile::Icd10),
        [
            "health_check",
            "search_medical_codes",
            "infer_complications",
            "get_nearby_codes",
            "check_medical_conflict",
            "browse_icd_category"
        ]
    );
    assert_eq!(names(Profile::Mesh), ["health_check", "pubmed_lookup_mesh"]);
    let all = names(Profile::All);
    for profile in Profile::ALL {
        assert!(names(profile).contains(&"health_check"), "{profile:?}");
        assert!(names(profile).iter().all(|name| all.contains(name)), "{profile:?}");
        assert_eq!(profile.name().parse::<Profile>().ok(), Some(profile));
    }
    let wrong = "icd9".parse::<Profile>().expect_err("there is no such profile");
    assert!(wrong.to_string().contains("ontoserver"), "{wrong}");
}

#[test]
fn core_costs_a_client_little() {
    let tools = listed(Profile::Core);
    let inputs: usize = tools
        .iter()
        .map(|tool| tool.description.chars().count() + json!(*tool.input_schema).to_string().len())
        .sum();
    let whole: usize = tools.iter().map(|tool| as_listed(tool).to_string().len()).sum();
    println!("core: {} tools, inputs and descriptions {inputs}, all {whole}", tools.len());
    assert!(inputs < 14_000, "{inputs}");
    assert!(whole < 40_000, "{whole}");
}

/// Every schema in a schema.
fn visit(schema: &Value, look: &mut impl FnMut(&Map<String, Value>)) {
    let Some(object) = schema.as_object() else { return };
    look(object);
    for inner in ["items", "additionalProperties"] {
        object.get(inner).into_iter().for_each(|inner| visit(inner, look));
    }
    for property in object.get("properties").and_then(Value::as_object).into_iter().flatten() {
        visit(property.1, look);
    }
}

#[test]
fn schemas_are_plain_and_strict() {
    for tool in listed(Profile::All) {
        for schema in [&tool.input_schema, &tool.output_schema] {
            let schema = Value::Object((**schema).clone());
            jsonschema::draft202012::meta::validate(&schema)
                .unwrap_or_else(|error| panic!("{}: {error}", tool.name));
            assert_eq!(schema["type"], "object", "{}", tool.name);
            let text = schema.to_string();
            for absent in ["draft-07", "\"format\"", "\"$ref\"", "oneOf", "anyOf", "allOf"] {
                assert!(!text.contains(absent), "{}: {absent} in {text}", tool.name);
            }
            visit(&schema, &mut |one| {
                assert!(one.contains_key("type"), "{}: {one:?} has no type", tool.name);
            });
        }
        let input = &tool.input_schema;
        assert_eq!(input.get("additionalProperties"), Some(&json!(false)), "{}", tool.name);
        visit(&json!(**input), &mut |one| {
            assert!(one["type"].is_string(), "{}: {one:?} is a union", tool.name);
        });
        assert!(tool.output_schema["properties"].get("error").is_some(), "{}", tool.name);
        assert!(tool.output_schema.get("required").is_none(), "{}", tool.name);
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        assert!(tool.name.chars().all(is_name) && tool.name.len() <= 64, "{}", tool.name);
        assert!(!tool.title.is_empty() && tool.description.len() > 40, "{}", tool.name);
    }
}

/// Arguments that a tool answers.
fn sound(name: &str) -> Value {
    match name {
        "search_concepts" => json!({"system": "icd10cm", "query": "asthma"}),
        "lookup_concept" | "validate_concept" | "concept_hierarchy" => {
            json!({"system": "icd10cm", "code": "E11"})
        }
        "lookup_concepts" => json!({"system": "icd10cm", "codes": ["E11", "none"]}),
        "validate_codes" => json!({"codes": [{"code": "E11", "terminology": "icd10cm"}]}),
        "check_subsumption" => json!({"system": "icd10cm", "codeA": "E11", "codeB": "E11.9"}),
        "search_codesystems" | "health_check" | "browse_icd_category" => json!({}),
        "expand_valueset" => {
            json!({"valueset": "http://hl7.org/fhir/sid/icd-10-cm?fhir_vs=isa/E11"})
        }
        "translate_code" => {
            json!({"system": "icd9cm", "code": "25000", "targetSystem": "icd10cm"})
        }
        "find_mappings" => json!({"term": "asthma"}),
        "find_equivalent" => json!({"term": "asthma"}),
        "harmonize_terms" => json!({"terms": [{"term": "asthma", "domain": "diagnosis"}]}),
        "search_medical_codes" => json!({"keyword": "asthma"}),
        "infer_complications" | "get_nearby_codes" => json!({"code": "E11"}),
        "check_medical_conflict" => {
            json!({"diagnosis_code": "K35.80", "procedure_code": "0DTJ0ZZ"})
        }
        "pubmed_lookup_mesh" => json!({"query": "lantern"}),
        other => panic!("write down what {other} is called with"),
    }
}

#[test]
fn every_tool_answers_and_refuses_alike() {
    for tool in listed(Profile::All) {
        let name = tool.name;
        ok(Profile::All, name, sound(name));
        let mut unknown = sound(name);
        unknown["surprise"] = json!(1);
        let answer = fails(Profile::All, name, unknown, "invalid_argument");
        assert!(answer["error"]["message"].as_str().is_some_and(|text| text.contains("surprise")));
        let hint = answer["error"]["data"]["recovery"]["hint"].as_str().unwrap_or_default();
        for accepted in tool.input_schema["properties"].as_object().into_iter().flatten() {
            assert!(hint.contains(accepted.0.as_str()), "{name}: {hint}");
        }
        for (argument, schema) in tool.input_schema["properties"].as_object().into_iter().flatten()
        {
            let mut wrong = sound(name);
            wrong[argument] = match schema["type"].as_str() {
                Some("object") => json!([1]),
                _ => json!({"a": 1}),
            };
            fails(Profile::All, name, wrong, "invalid_argument");
            let mut null = sound(name);
            null[argument] = Value::Null;
            let required = tool.input_schema.get("required").and_then(Value::as_array);
            if !required.is_some_and(|all| all.iter().any(|one| one == argument))
                && (argument != "system" || name == "search_medical_codes")
            {
                ok(Profile::All, name, null);
            } else {
                fails(Profile::All, name, null, "invalid_argument");
            }
        }
    }
}

#[test]
fn queries_without_words_and_without_end_are_refused() {
    let long = "word ".repeat(2_000);
    let cases = [
        ("search_concepts", "query", json!({"system": "icd10cm"})),
        ("search_medical_codes", "keyword", json!({})),
        ("search_medical_codes", "keyword", json!({"system": "icd10pcs"})),
        ("pubmed_lookup_mesh", "query", json!({})),
        ("find_mappings", "term", json!({})),
        ("find_equivalent", "term", json!({})),
    ];
    for (tool, argument, rest) in cases {
        for blank in ["", "   ", "\u{200B}", "\u{200B}\u{2060} \u{FEFF}", "[mh]", "--"] {
            // A tag alone says where to search, not what for.
            if blank == "[mh]" && tool != "pubmed_lookup_mesh" {
                continue;
            }
            let mut arguments = rest.clone();
            arguments[argument] = json!(blank);
            fails(Profile::All, tool, arguments, "blank_query");
        }
        let mut arguments = rest.clone();
        arguments[argument] = json!(long);
        fails(Profile::All, tool, arguments, "query_too_long");
    }
}

#[test]
fn texts_of_releases_cannot_act_on_a_terminal() {
    let answer = call(
        Profile::Core,
        "search_concepts",
        json!({"system": "a\u{202E}b\u{1B}[31m", "query": "x"}),
    );
    for text in [answer.text, answer.structured.to_string()] {
        assert!(!text.contains('\u{202E}') && !text.contains('\u{1B}'), "{text:?}");
    }
}

#[test]
fn a_tool_of_another_profile_is_not_there() {
    let registry = Registry::new(Profile::Mesh);
    assert!(registry.call(house(), "search_concepts", Map::new()).is_none());
    assert!(registry.call(house(), "nothing", Map::new()).is_none());
}

#[test]
fn every_reason_has_a_name_a_number_and_a_meaning() {
    let mut seen = std::collections::BTreeSet::new();
    for reason in Reason::ALL {
        assert!(seen.insert(reason.name()), "{reason:?}");
        assert!((-32_699..=-32_000).contains(&reason.code()), "{reason:?}");
        assert!(!reason.meaning().is_empty());
    }
}

#[test]
fn the_documents_list_every_tool_and_every_reason() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/TOOLS.md");
    let document = std::fs::read_to_string(path).expect("docs/TOOLS.md");
    for reason in Reason::ALL {
        let retryable = if reason.is_retryable() { "yes" } else { "no" };
        let (name, code, meaning) = (reason.name(), reason.code(), reason.meaning());
        let row = format!("| `{name}` | {code} | {retryable} | {meaning} |");
        assert!(document.contains(&row), "docs/TOOLS.md lacks {row}");
    }
    for tool in listed(Profile::All) {
        assert!(document.contains(&format!("| `{}` |", tool.name)), "{}", tool.name);
    }
}
