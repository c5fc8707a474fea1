use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::check::check;
use super::clean::{clean, clean_text};
use super::pubmed_lookup_mesh::{entrez_uid, without_tags};
use super::schema::{input, output};
use super::{Reason, ToolError};

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Example {
    /// What it is called
    #[schemars(length(max = 5))]
    name: String,
    #[schemars(range(min = 1, max = 9))]
    #[serde(default)]
    count: usize,
    kind: Option<Kind>,
    #[schemars(length(min = 1, max = 2))]
    parts: Option<Vec<Part>>,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Round,
    Square,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Part {
    share: f64,
}

fn checked(arguments: Value) -> Result<Map<String, Value>, ToolError> {
    match arguments {
        Value::Object(arguments) => check(arguments, &input::<Example>()),
        other => panic!("{other} are no arguments"),
    }
}

fn refused(arguments: Value) -> (Reason, String) {
    let error = checked(arguments).expect_err("it is refused");
    (error.reason(), error.to_string())
}

#[test]
fn an_input_schema_is_closed_and_has_one_type_each() {
    let schema = Value::Object((*input::<Example>()).clone());
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["required"], json!(["name"]));
    let kind = &schema["properties"]["kind"];
    assert_eq!((&kind["type"], &kind["enum"]), (&json!("string"), &json!(["round", "square"])));
    assert_eq!(schema["properties"]["name"]["description"], "What it is called");
    let count = &schema["properties"]["count"];
    assert_eq!(count, &json!({"type": "integer", "minimum": 1, "maximum": 9, "default": 0}));
    assert_eq!(schema["properties"]["parts"]["type"], "array");
}

#[test]
fn an_output_schema_requires_nothing_so_that_an_error_fits() {
    let schema = Value::Object((*output::<Example>()).clone());
    assert!(schema.get("required").is_none() && schema["properties"]["error"].is_object());
}

#[test]
fn what_fits_is_taken_and_whole_numbers_are_integers() {
    let taken = checked(json!({"name": "a", "count": 5.0, "kind": null, "parts": [{"share": 1}]}));
    let taken = taken.expect("it fits");
    assert_eq!(taken["count"], json!(5));
    assert!(!taken.contains_key("kind"));
    let example: Example = serde_json::from_value(Value::Object(taken)).expect("it is read");
    assert_eq!((example.count, example.parts.map(|parts| parts.len())), (5, Some(1)));
}

#[test]
fn what_does_not_fit_is_refused_with_its_place() {
    use Reason::{BatchTooLarge, InvalidArgument};
    let part = json!({"share": 1});
    for (arguments, reason, words) in [
        (json!({}), InvalidArgument, "name: it is required"),
        (json!({"name": null}), InvalidArgument, "name: it is required"),
        (json!({"name": 1}), InvalidArgument, "name: a text is expected, not a number"),
        (json!({"name": "abcdef"}), InvalidArgument, "longer than 5"),
        (json!({"name": "a", "count": 10}), InvalidArgument, "10 is out of range: 1 to 9"),
        (json!({"name": "a", "count": 1.5}), InvalidArgument, "a whole number is expected"),
        (json!({"name": "a", "count": "1"}), InvalidArgument, "a whole number is expected"),
        (json!({"name": "a", "kind": "flat"}), InvalidArgument, "none of round, square"),
        (json!({"name": "a", "parts": []}), InvalidArgument, "parts: it is empty"),
        (json!({"name": "a", "parts": [part, part, part]}), BatchTooLarge, "at most 2"),
        (json!({"name": "a", "parts": [{}]}), InvalidArgument, "parts[0].share: it is required"),
        (json!({"name": "a", "other": 1}), InvalidArgument, "\"other\" is no argument"),
    ] {
        let (found, message) = refused(arguments.clone());
        assert_eq!(found, reason, "{arguments}");
        assert!(message.contains(words), "{arguments}: {message}");
    }
}

#[test]
fn texts_lose_what_acts_on_a_terminal_and_nothing_else() {
    assert_eq!(clean_text("a\u{202E}b\u{0}c\u{1B}[1m\u{2066}d\ne\tf 高 é"), "abc[1md\ne\tf 高 é");
    let mut value = json!({"a": ["x\u{200F}y", {"b": "\u{9B}z"}], "n": 1});
    clean(&mut value);
    assert_eq!(value, json!({"a": ["xy", {"b": "z"}], "n": 1}));
}

#[test]
fn an_error_is_a_payload_with_a_hint() {
    use super::error::ErrorCode::{Number, Word};
    let error = ToolError::argument("limit", "0 is out of range");
    let payload = error.payload(Number);
    assert_eq!(payload["error"]["code"], -32602);
    assert_eq!(payload["error"]["data"]["reason"], "invalid_argument");
    assert!(payload["error"]["data"]["recovery"]["hint"].is_string());
    assert_eq!(error.payload(Word)["error"]["code"], "INVALID_ARGUMENT");
    let maintenance = ToolError::maintenance("icd", "ICD-10-CM", None).payload(Number);
    assert_eq!(maintenance["error"]["code"], "MODULE_MAINTENANCE");
}

#[test]
fn keys_of_entrez_follow_from_identifiers_of_six_digits() {
    for (mesh_id, key) in [
        ("D003924", Some("68003924")),
        ("C012345", Some("67012345")),
        ("Q000188", Some("81000188")),
        ("D000086382", None),
        ("C000657245", None),
        ("X000001", None),
        ("", None),
    ] {
        assert_eq!(entrez_uid(mesh_id).as_deref(), key, "{mesh_id}");
    }
}

#[test]
fn field_tags_of_pubmed_are_no_words() {
    assert_eq!(without_tags("eye [mh] AND ear[ti]"), "eye   AND ear ");
    assert_eq!(without_tags("an open [bracket"), "an open [bracket");
}
