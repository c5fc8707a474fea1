//! JSON Schemas of requests and responses: 2020-12, self-contained, as plain as clients need them.

use std::sync::Arc;

use schemars::JsonSchema;
use schemars::generate::{Contract, SchemaSettings};
use serde_json::{Map, Value, json};

/// An object schema.
pub(super) type Schema = Arc<Map<String, Value>>;

/// The schema of a request: a closed object whose arguments have one type each.
pub(super) fn input<T: JsonSchema>() -> Schema {
    let mut schema = plain::<T>(Contract::Deserialize);
    walk(&mut schema, &mut |object| {
        without_null(object);
    });
    let mut schema = object(schema);
    // Some clients look for it even where a tool takes nothing.
    schema.entry("properties").or_insert_with(|| json!({}));
    Arc::new(schema)
}

/// The schema of a response: what it says on success, or its error; so nothing is required on top.
/// Only what stands on top is described.
pub(super) fn output<T: JsonSchema>() -> Schema {
    let mut schema = object(plain::<T>(Contract::Serialize));
    schema.remove("required");
    schema.remove("description");
    schema.remove("additionalProperties");
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for property in properties.values_mut() {
            for part in ["items", "properties", "additionalProperties"] {
                if let Some(inner) = property.get_mut(part) {
                    walk(inner, &mut |object| {
                        object.remove("description");
                    });
                }
            }
        }
        properties.insert("error".to_owned(), error());
    }
    Arc::new(schema)
}

fn error() -> Value {
    json!({
        "type": "object",
        "description": "Only where the call failed",
        "properties": {
            "code": {"type": ["integer", "string"]},
            "message": {"type": "string"},
            "data": {"type": "object"},
        },
        "required": ["code", "message"],
    })
}

fn plain<T: JsonSchema>(contract: Contract) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.contract = contract;
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    walk(&mut schema, &mut |object| {
        for name in ["title", "format", "$defs", "$schema"] {
            // An argument may be called `title`; only the annotation is a text.
            if object.get(name).is_some_and(|value| !value.is_object() || name == "$defs") {
                object.remove(name);
            }
        }
        // The largest number that is safe in every client needs no mention; nor do the bounds of a type.
        for bound in ["minimum", "maximum"] {
            if object.get(bound).and_then(Value::as_f64).is_some_and(|limit| limit >= 65_535.0) {
                object.remove(bound);
            }
        }
        without_variants(object);
    });
    schema
}

/// Writes the variants of an enumeration as `enum`, whether or not they are described.
fn without_variants(object: &mut Map<String, Value>) {
    let names = object.get("oneOf").and_then(Value::as_array).and_then(|variants| {
        let name = |variant: &Value| {
            let one = variant.get("enum").and_then(Value::as_array).filter(|all| all.len() == 1);
            variant.get("const").cloned().or_else(|| one.map(|all| all[0].clone()))
        };
        variants.iter().map(name).collect::<Option<Vec<Value>>>()
    });
    if let Some(names) = names {
        object.remove("oneOf");
        object.insert("type".to_owned(), json!("string"));
        object.insert("enum".to_owned(), Value::Array(names));
    }
}

/// An argument that may be left out is not given as null.
fn without_null(object: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|one| one != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    let is_null = |one: &Value| one.get("type").is_some_and(|kind| kind == "null");
    if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
        choices.retain(|one| !is_null(one));
        if let [Value::Object(only)] = choices.as_slice() {
            let only = only.clone();
            object.remove("anyOf");
            for (name, value) in only {
                object.entry(name).or_insert(value);
            }
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if object.get("default").is_some_and(Value::is_null) {
        object.remove("default");
    }
}

/// Visits every schema in a schema, the inner ones first.
fn walk(schema: &mut Value, visit: &mut impl FnMut(&mut Map<String, Value>)) {
    let Value::Object(object) = schema else { return };
    for name in ["items", "additionalProperties"] {
        if let Some(inner) = object.get_mut(name) {
            walk(inner, visit);
        }
    }
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.values_mut().for_each(|property| walk(property, visit));
    }
    for name in ["anyOf", "oneOf", "allOf"] {
        if let Some(Value::Array(choices)) = object.get_mut(name) {
            choices.iter_mut().for_each(|choice| walk(choice, visit));
        }
    }
    visit(object);
}

fn object(schema: Value) -> Map<String, Value> {
    match schema {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}
