//! The rules by which the suite compares: what is expected, and what was answered.

use serde_json::{Map, Value};

/// Why an answer is not the one that is expected.
pub(crate) fn difference(expected: &Value, actual: &Value) -> Option<String> {
    if actual["resourceType"] != expected["resourceType"] {
        return Some(format!("{} is expected, not {actual}", expected["resourceType"]));
    }
    values("", expected, actual)
}

fn values(at: &str, expected: &Value, actual: &Value) -> Option<String> {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => objects(at, expected, actual),
        (Value::Array(expected), Value::Array(actual)) => arrays(at, expected, actual),
        (Value::String(expected), Value::String(actual)) => {
            (!text(expected, actual)).then(|| format!("{at}: {expected:?}, not {actual:?}"))
        }
        (Value::Number(expected), Value::Number(actual)) => {
            let same = expected.as_f64() == actual.as_f64();
            (!same).then(|| format!("{at}: {expected}, not {actual}"))
        }
        _ => (expected != actual).then(|| format!("{at}: {expected}, not {actual}")),
    }
}

fn objects(at: &str, expected: &Map<String, Value>, actual: &Map<String, Value>) -> Option<String> {
    let optional = |name: &str| {
        // `location` repeats `expression`, which FHIR has in its place; some answers have both.
        if name == "location"
            && (expected.contains_key("expression") || actual.contains_key("expression"))
        {
            return true;
        }
        ["$optional-properties$", "$optional"].iter().any(|list| {
            let list = expected.get(*list).and_then(Value::as_array);
            list.is_some_and(|list| list.iter().any(|one| one == name))
        })
    };
    let counted = |name: &str| {
        let list = expected.get("$count-arrays$").and_then(Value::as_array);
        list.is_some_and(|list| list.iter().any(|one| one == name))
    };
    for (name, value) in expected.iter().filter(|(name, _)| !name.starts_with('$')) {
        let place = format!("{at}.{name}");
        let Some(own) = actual.get(name) else {
            let is_nothing = value.as_array().is_some_and(|all| all.iter().all(is_optional));
            if optional(name)
                || is_nothing
                || matches!(value.as_str(), Some("$id$" | "$uuid$" | "$instant$"))
            {
                continue;
            }
            return Some(format!("{place}: {value} is missing"));
        };
        if counted(name) {
            let (all, own) = (value.as_array().map(Vec::len), own.as_array().map(Vec::len));
            if all != own {
                return Some(format!("{place}: {all:?} of them, not {own:?}"));
            }
            continue;
        }
        if let Some(difference) = values(&place, value, own) {
            return Some(difference);
        }
    }
    let unexpected = actual.keys().find(|name| !expected.contains_key(*name) && !optional(name));
    unexpected.map(|name| format!("{at}.{name}: unexpected {}", actual[name]))
}

/// Whether an item of a list may be missing.
fn is_optional(item: &Value) -> bool {
    match item.get("$optional$") {
        Some(Value::Bool(optional)) => *optional,
        // Optional but for the server, or in the version, that is named; ours is R5 and none of theirs.
        Some(Value::String(when)) => match when.as_str() {
            "!tx.fhir.org" | "warning:version" => true,
            when => when.strip_prefix("version:").is_none_or(|version| version == "5"),
        },
        _ => false,
    }
}

/// The order of lists never matters.
fn arrays(at: &str, expected: &[Value], actual: &[Value]) -> Option<String> {
    let mut left: Vec<&Value> = actual.iter().collect();
    // Exact ones first: an optional item must not take what another one needs.
    let (optional, needed): (Vec<&Value>, Vec<&Value>) =
        expected.iter().partition(|item| is_optional(item));
    for item in needed {
        let found = left.iter().position(|own| values(at, item, own).is_none());
        match found {
            Some(found) => drop(left.remove(found)),
            None => return Some(nearest(at, item, &left)),
        }
    }
    for item in optional {
        if let Some(found) = left.iter().position(|own| values(at, item, own).is_none()) {
            left.remove(found);
        }
    }
    left.first().map(|own| format!("{at}[]: unexpected {own}"))
}

/// Why none of the items is the one that is expected: that of the same name says best.
fn nearest(at: &str, expected: &Value, left: &[&Value]) -> String {
    let name = expected.get("name").or_else(|| expected.get("code"));
    let same = left
        .iter()
        .find(|own| name.is_some() && own.get("name").or_else(|| own.get("code")) == name);
    let inner = same.and_then(|own| values(&format!("{at}[]"), expected, own));
    inner.unwrap_or_else(|| format!("{at}[]: {expected} is missing"))
}

/// Whether a text is what the pattern means.
fn text(pattern: &str, text: &str) -> bool {
    let Some(inner) = pattern.strip_prefix('$').and_then(|rest| rest.strip_suffix('$')) else {
        return pattern == text
            // A canonical URI whose version may be any.
            || pattern.strip_suffix("$version$").is_some_and(|start| text.starts_with(start));
    };
    if let Some(choices) = inner.strip_prefix("choice:") {
        return choices.split('|').any(|one| one == text);
    }
    if let Some(fragments) = inner.strip_prefix("fragments:") {
        return fragments.split('|').all(|one| text.contains(one));
    }
    if let Some(external) = inner.strip_prefix("external:") {
        // Messages of other servers are not at hand; then only the part is compared.
        let part = external.split_once(':').map_or("", |(_, part)| part);
        return text.contains(part);
    }
    match inner {
        "uuid" => text.starts_with("urn:uuid:"),
        _ => true,
    }
}

#[test]
fn what_is_compared_can_differ() {
    use serde_json::json;
    let expected = json!({"$optional-properties$": ["id"], "id": "$id$", "a": [
        {"name": "x", "value": "$external:1:foo$"}, {"$optional$": true, "name": "y"}]});
    let same = json!({"a": [{"name": "x", "value": "a foo"}]});
    assert_eq!(difference(&expected, &same), None);
    for other in [
        json!({"a": [{"name": "x", "value": "bar"}]}),
        json!({"a": []}),
        json!({"a": [{"name": "x", "value": "foo"}, {"name": "z"}]}),
        json!({"a": [{"name": "x", "value": "foo"}], "b": 1}),
        json!({}),
    ] {
        assert!(difference(&expected, &other).is_some(), "{other}");
    }
}
