//! Arguments against the schema that was published for them, so that what a client is told holds.

use serde_json::{Map, Number, Value};

use super::ToolError;
use super::error::Reason;

/// The longest argument that no schema limits, in characters.
const MAX_TEXT_CHARS: usize = 10_000;
/// Arguments that are searched for: too long ones have a reason of their own.
const QUERIES: &[&str] = &["query", "term", "keyword"];

/// Refuses what the schema does not allow, and gives back the rest: arguments that are null are
/// left out, and whole numbers are integers (`5.0` is 5).
pub(super) fn check(
    arguments: Map<String, Value>,
    schema: &Map<String, Value>,
) -> Result<Map<String, Value>, ToolError> {
    object("", arguments, schema)
}

fn object(
    path: &str,
    mut given: Map<String, Value>,
    schema: &Map<String, Value>,
) -> Result<Map<String, Value>, ToolError> {
    let none = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    let rest = schema.get("additionalProperties").and_then(Value::as_object);
    given.retain(|_, value| !value.is_null());
    let mut checked = Map::new();
    for (name, value) in given {
        let at = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        let Some(schema) = properties.get(&name).and_then(Value::as_object).or(rest) else {
            let accepted: Vec<&str> = properties.keys().map(String::as_str).collect();
            return Err(ToolError::new(
                Reason::InvalidArgument,
                format!("{at:?} is no argument of this tool"),
                match accepted.as_slice() {
                    [] => "It takes no arguments.".to_owned(),
                    _ => format!("Accepted: {}.", accepted.join(", ")),
                },
            ));
        };
        checked.insert(name, one(&at, value, schema)?);
    }
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    for name in required.filter_map(Value::as_str) {
        if !checked.contains_key(name) {
            let at = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            return Err(ToolError::argument(&at, "it is required"));
        }
    }
    Ok(checked)
}

fn one(path: &str, value: Value, schema: &Map<String, Value>) -> Result<Value, ToolError> {
    let kind = schema.get("type").and_then(Value::as_str).unwrap_or_default();
    let wrong = |value: &Value| {
        ToolError::argument(path, format!("{} is expected, not {}", article(kind), name_of(value)))
    };
    match (kind, value) {
        ("string", Value::String(text)) => string(path, text, schema),
        ("boolean", value @ Value::Bool(_)) => Ok(value),
        ("integer", Value::Number(number)) => integer(path, &number, schema),
        ("number", Value::Number(number)) => {
            number_in_range(path, &number, schema)?;
            Ok(Value::Number(number))
        }
        ("array", Value::Array(items)) => array(path, items, schema),
        ("object", Value::Object(members)) => object(path, members, schema).map(Value::Object),
        (_, value) => Err(wrong(&value)),
    }
}

fn string(path: &str, text: String, schema: &Map<String, Value>) -> Result<Value, ToolError> {
    let most = limit(schema, "maxLength").unwrap_or(MAX_TEXT_CHARS);
    if text.chars().count() > most {
        return Err(match QUERIES.contains(&path) {
            true => ToolError::too_long(path, most),
            false => ToolError::argument(path, format!("it is longer than {most} characters")),
        });
    }
    let choices = schema.get("enum").and_then(Value::as_array);
    if let Some(choices) = choices.filter(|choices| choices.iter().all(|one| *one != text)) {
        let all: Vec<&str> = choices.iter().filter_map(Value::as_str).collect();
        return Err(ToolError::argument(path, format!("{text:?} is none of {}", all.join(", "))));
    }
    Ok(Value::String(text))
}

fn integer(path: &str, number: &Number, schema: &Map<String, Value>) -> Result<Value, ToolError> {
    // A whole number within what every JSON reader keeps exactly.
    let whole = number.as_i64().or_else(|| {
        let float = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 9e15)?;
        format!("{float:.0}").parse().ok()
    });
    let Some(whole) = whole else {
        return Err(ToolError::argument(path, format!("a whole number is expected, not {number}")));
    };
    number_in_range(path, &Number::from(whole), schema)?;
    Ok(Value::from(whole))
}

fn number_in_range(
    path: &str,
    number: &Number,
    schema: &Map<String, Value>,
) -> Result<(), ToolError> {
    let value = number.as_f64().unwrap_or(f64::NAN);
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    let (least, most) = (bound("minimum"), bound("maximum"));
    if least.is_none_or(|least| value >= least) && most.is_none_or(|most| value <= most) {
        return Ok(());
    }
    let range = match (least, most) {
        (Some(least), Some(most)) => format!("{least} to {most}"),
        (Some(least), None) => format!("at least {least}"),
        (_, Some(most)) => format!("at most {most}"),
        _ => "a number".to_owned(),
    };
    Err(ToolError::argument(path, format!("{number} is out of range: {range}")))
}

fn array(path: &str, items: Vec<Value>, schema: &Map<String, Value>) -> Result<Value, ToolError> {
    if let Some(most) = limit(schema, "maxItems").filter(|most| items.len() > *most) {
        return Err(ToolError::new(
            Reason::BatchTooLarge,
            format!("{path}: {} are too many for one call: give at most {most}", items.len()),
            "Split the call.",
        ));
    }
    if limit(schema, "minItems").is_some_and(|least| items.len() < least) {
        return Err(ToolError::argument(path, "it is empty"));
    }
    let none = Map::new();
    let each = schema.get("items").and_then(Value::as_object).unwrap_or(&none);
    let checked = items.into_iter().enumerate();
    let checked = checked.map(|(at, item)| one(&format!("{path}[{at}]"), item, each));
    checked.collect::<Result<Vec<Value>, ToolError>>().map(Value::Array)
}

fn limit(schema: &Map<String, Value>, name: &str) -> Option<usize> {
    schema.get(name).and_then(Value::as_u64).and_then(|limit| usize::try_from(limit).ok())
}

fn article(kind: &str) -> &'static str {
    match kind {
        "string" => "a text",
        "boolean" => "true or false",
        "integer" => "a whole number",
        "number" => "a number",
        "array" => "a list",
        _ => "an object",
    }
}

fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
