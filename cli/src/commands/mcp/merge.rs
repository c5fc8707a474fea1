//! Puts one entry into a JSON file that somebody else wrote, and leaves every other byte of a value as
//! it was.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// An object whose members keep their order and their text.
#[derive(Debug, Default)]
struct Members(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

impl Members {
    fn read(text: &str) -> Result<Self, serde_json::Error> {
        if text.trim().is_empty() { Ok(Self::default()) } else { serde_json::from_str(text) }
    }

    fn text_of(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| value.get())
    }

    fn set(&mut self, name: &str, text: String) -> Result<(), serde_json::Error> {
        let value = RawValue::from_string(text)?;
        match self.0.iter_mut().find(|(own, _)| own == name) {
            Some(member) => member.1 = value,
            None => self.0.push((name.to_owned(), value)),
        }
        Ok(())
    }

    /// The object with one member a line.
    fn render(&self, indent: &str) -> String {
        let line = |(name, value): &(String, Box<RawValue>)| {
            format!("{indent}  {}: {}", Value::from(name.as_str()), value.get())
        };
        let lines: Vec<String> = self.0.iter().map(line).collect();
        format!("{{\n{}\n{indent}}}", lines.join(",\n"))
    }
}

/// The text of a file with `value` as its member `name` of the object `key`.
pub fn merged(
    text: &str,
    key: &str,
    name: &str,
    value: &Value,
) -> Result<String, serde_json::Error> {
    let mut whole = Members::read(text)?;
    let mut servers = Members::read(whole.text_of(key).unwrap_or_default())?;
    let entry = serde_json::to_string_pretty(value)?.replace('\n', "\n    ");
    servers.set(name, entry)?;
    whole.set(key, servers.render("  "))?;
    let text = whole.render("");
    // What is written can be read.
    serde_json::from_str::<Value>(&text)?;
    Ok(text + "\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn merge(text: &str) -> String {
        merged(text, "mcpServers", "medterm", &json!({"command": "medterm", "args": ["serve"]}))
            .expect("it merges")
    }

    const ALONE: &str = r#"{
  "mcpServers": {
    "medterm": {
      "args": [
        "serve"
      ],
      "command": "medterm"
    }
  }
}
"#;

    #[test]
    fn a_file_without_anything_has_the_entry_alone() {
        for text in ["", " \n", "{}", "{\"mcpServers\": {}}"] {
            assert_eq!(merge(text), ALONE);
        }
        assert_eq!(merge(ALONE), ALONE);
    }

    #[test]
    fn what_others_wrote_stays_as_it_was() {
        let text = r#"{"z": 1.50, "mcpServers": {"other": {"command":  "x",
 "env": {"B": "1", "A": "2"}}, "medterm": {"command": "old"}}, "a": [1,  2]}"#;
        let merged = merge(text);
        for part in [
            "\"z\": 1.50",
            "\"a\": [1,  2]",
            "{\"command\":  \"x\",\n \"env\": {\"B\": \"1\", \"A\": \"2\"}}",
        ] {
            assert!(merged.contains(part), "{part}\n{merged}");
        }
        assert!(!merged.contains("old"), "{merged}");
        assert!(merged.find("\"z\"") < merged.find("\"a\""), "{merged}");
    }

    #[test]
    fn what_is_no_object_is_not_written_over() {
        for text in ["[]", "{", "// a comment\n{}", "{\"mcpServers\": []}", "{} x"] {
            assert!(merged(text, "mcpServers", "medterm", &json!({})).is_err(), "{text}");
        }
    }
}
