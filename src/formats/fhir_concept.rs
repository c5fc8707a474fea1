//! The parts of a FHIR concept, as `CodeSystem` and `ValueSet` have them, and what is made of them.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::terminology::{
    Code, Concept, Designation, DesignationUse, Property, PropertyValue, known_system, property,
};

use super::semantic_tag::split_known;

/// FHIR's `Coding`, as far as it is read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RawCoding {
    pub(super) system: Option<String>,
    pub(super) code: Option<String>,
}

/// Another name of a concept.
#[derive(Debug, Deserialize)]
pub(super) struct RawDesignation {
    language: Option<String>,
    #[serde(rename = "use")]
    use_: Option<RawCoding>,
    value: Option<String>,
}

impl RawDesignation {
    /// In this language, where none is stated.
    pub(super) fn or_language(mut self, language: &str) -> Self {
        self.language.get_or_insert_with(|| language.to_owned());
        self
    }
}

/// A property of a concept.
#[derive(Debug)]
pub(super) struct RawProperty {
    pub(super) code: String,
    pub(super) value: Option<RawValue>,
}

/// Its value, by the type in its name: `valueCode`.
#[derive(Debug)]
pub(super) enum RawValue {
    Coding(RawCoding),
    Plain(PropertyValue),
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "camelCase")]
enum Key {
    Code,
    ValueCode,
    ValueCoding,
    ValueString,
    ValueInteger,
    ValueBoolean,
    ValueDateTime,
    ValueDecimal,
    #[serde(other)]
    Other,
}

impl<'de> Deserialize<'de> for RawProperty {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PropertyVisitor)
    }
}

struct PropertyVisitor;

impl<'de> Visitor<'de> for PropertyVisitor {
    type Value = RawProperty;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a property of a concept")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawProperty, A::Error> {
        let mut found = RawProperty { code: String::new(), value: None };
        while let Some(key) = map.next_key()? {
            let plain = match key {
                Key::Code => {
                    found.code = map.next_value()?;
                    continue;
                }
                Key::ValueCoding => {
                    found.value = Some(RawValue::Coding(map.next_value()?));
                    continue;
                }
                Key::Other => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
                Key::ValueCode => PropertyValue::Code(map.next_value()?),
                Key::ValueString => PropertyValue::Text(map.next_value()?),
                Key::ValueInteger => PropertyValue::Integer(map.next_value()?),
                Key::ValueBoolean => PropertyValue::Boolean(map.next_value()?),
                Key::ValueDateTime => PropertyValue::DateTime(map.next_value()?),
                Key::ValueDecimal => PropertyValue::Decimal(map.next_value()?),
            };
            found.value = Some(RawValue::Plain(plain));
        }
        Ok(found)
    }
}

impl RawProperty {
    /// The value where it can be a code.
    pub(super) fn as_code(&self) -> Option<&str> {
        match self.value.as_ref()? {
            RawValue::Coding(coding) => coding.code.as_deref(),
            RawValue::Plain(PropertyValue::Code(text) | PropertyValue::Text(text)) => Some(text),
            RawValue::Plain(_) => None,
        }
    }

    /// Whether it says yes: some publishers write a code or a text for it.
    fn is_true(&self) -> bool {
        match &self.value {
            Some(RawValue::Plain(PropertyValue::Boolean(yes))) => *yes,
            Some(RawValue::Plain(PropertyValue::Code(text) | PropertyValue::Text(text))) => {
                text.eq_ignore_ascii_case("true")
            }
            _ => false,
        }
    }

    /// The property as it is kept. A coding of another terminology becomes `system|code`.
    fn kept(self, system: &str) -> Option<Property> {
        let value = match self.value? {
            RawValue::Plain(value) => value,
            RawValue::Coding(RawCoding { system: None, code }) => PropertyValue::Code(code?),
            RawValue::Coding(RawCoding { system: Some(other), code }) if other == system => {
                PropertyValue::Code(code?)
            }
            RawValue::Coding(RawCoding { system: Some(other), code }) => {
                PropertyValue::Text(format!("{other}|{}", code?))
            }
        };
        (!self.code.is_empty()).then_some(Property { code: self.code, value })
    }
}

/// What a property says of its concept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Parent,
    Child,
    Inactive,
    Status,
    NotSelectable,
    ReplacedBy,
    Comment,
    Other,
}

/// The properties that a code system declares: which of FHIR's own they are.
#[derive(Debug, Default)]
pub(super) struct Meanings(BTreeMap<String, Meaning>);

/// What stands in the URI of a standard property before its name, with HL7 and in its THO.
const STANDARD: &str = "concept-properties#";

impl Meanings {
    /// Notes a property. Its URI tells what it is, whatever its code; where it has none, or that of
    /// the publisher's own, the code does.
    pub(super) fn declare(&mut self, code: &str, uri: Option<&str>) {
        let standard = uri.and_then(|uri| uri.split_once(STANDARD)).map(|(_, name)| name);
        self.0.insert(code.to_owned(), meaning(standard.unwrap_or(code)));
    }

    pub(super) fn of(&self, code: &str) -> Meaning {
        self.0.get(code).copied().unwrap_or_else(|| meaning(code))
    }
}

fn meaning(name: &str) -> Meaning {
    let bare: String = name.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).collect();
    match bare.to_ascii_lowercase().as_str() {
        "parent" | "subsumedby" => Meaning::Parent,
        "child" => Meaning::Child,
        "inactive" | "retired" | "deprecated" => Meaning::Inactive,
        "status" => Meaning::Status,
        "notselectable" | "abstract" => Meaning::NotSelectable,
        "replacedby" => Meaning::ReplacedBy,
        "comment" | "comments" => Meaning::Comment,
        _ => Meaning::Other,
    }
}

/// The statuses of a concept that is not to be used any more.
const RETIRED: [&str; 5] = ["retired", "deprecated", "inactive", "withdrawn", "entered-in-error"];

/// Gives the concept a property. That it is retired or no code to choose is also said in our own
/// words; a parent becomes one; what cannot be kept is handed back.
pub(super) fn add_property(
    concept: &mut Concept,
    raw: RawProperty,
    meanings: &Meanings,
    system: &str,
) -> Result<(), String> {
    let code = raw.code.clone();
    let own_name = match meanings.of(&raw.code) {
        Meaning::Parent => {
            let parent = raw.as_code().and_then(|text| Code::new(text).ok()).ok_or(code)?;
            add_parent(concept, parent);
            return Ok(());
        }
        Meaning::Child => return Ok(()),
        Meaning::NotSelectable => {
            if concept.flag(property::NOT_SELECTABLE).is_none() {
                let is_heading = raw.is_true();
                concept.properties.push(Property::boolean(property::NOT_SELECTABLE, is_heading));
            }
            return Ok(());
        }
        Meaning::Inactive => {
            concept.active &= !raw.is_true();
            None
        }
        Meaning::Status => {
            let status = raw.as_code().unwrap_or_default().to_ascii_lowercase();
            concept.active &= !RETIRED.contains(&status.as_str());
            Some(property::STATUS)
        }
        Meaning::ReplacedBy => Some(property::REPLACED_BY),
        Meaning::Comment => Some(property::NOTE),
        Meaning::Other => None,
    };
    let mut kept = raw.kept(system).ok_or(code)?;
    if let Some(name) = own_name {
        name.clone_into(&mut kept.code);
    }
    concept.properties.push(kept);
    Ok(())
}

/// Gives the concept a parent that is not known yet and not the concept itself.
pub(super) fn add_parent(concept: &mut Concept, parent: Code) {
    if parent != concept.code && !concept.parents.contains(&parent) {
        concept.parents.push(parent);
    }
}

/// Gives the concept a name. `language` is that of the release.
pub(super) fn add_designation(concept: &mut Concept, raw: RawDesignation, language: &str) {
    let Some(value) = raw.value.filter(|value| !value.trim().is_empty()) else { return };
    let own = raw.language.filter(|tag| !tag.is_empty()).unwrap_or_else(|| language.to_owned());
    let role = raw.use_.and_then(|coding| coding.code).unwrap_or_default();
    if DEFINITIONS.contains(&role.as_str()) {
        concept.definition.get_or_insert(value);
        return;
    }
    // Without a use, a name is one to be shown (FHIR: `designation.use`). Each language has one.
    let is_preferred = role.is_empty() || PREFERRED.contains(&role.as_str());
    let has_display = own == language
        || concept
            .designations
            .iter()
            .any(|other| other.language == own && other.use_ == DesignationUse::Display);
    let use_ = match is_preferred && !has_display {
        true => DesignationUse::Display,
        false => DesignationUse::Synonym,
    };
    add_name(concept, Designation::new(own, use_, value), language);
}

/// Names a concept that has no display.
pub(super) fn name(concept: &mut Concept, language: &str) {
    if !concept.display.is_empty() {
        return;
    }
    let own = concept.designations.iter().position(|name| name.language == language);
    concept.display = match own {
        Some(at) => concept.designations.remove(at).value,
        None => concept.code.to_string(),
    };
}

/// The uses of a preferred name: HL7's and that of SNOMED CT.
const PREFERRED: [&str; 4] = ["display", "preferredForLanguage", "preferred", "900000000000548007"];
/// The uses of texts that are no names.
const DEFINITIONS: [&str; 2] = ["definition", "900000000000550004"];

fn add_name(concept: &mut Concept, name: Designation, language: &str) {
    let is_display = name.language == language && name.value == concept.display;
    let is_known =
        concept.designations.iter().any(|d| d.language == name.language && d.value == name.value);
    if !is_display && !is_known {
        concept.designations.push(name);
    }
}

/// Of a concept of SNOMED CT named by its fully specified name: the name without its tag, and the
/// tag.
pub(super) fn take_tag_off(concept: &mut Concept, system: &str, language: &str) {
    if known_system(system).is_none_or(|known| known.alias != "snomed") {
        return;
    }
    let Some((name, tag)) = split_known(&concept.display) else { return };
    let (name, tag) = (name.to_owned(), tag.to_owned());
    add_name(concept, Designation::new(language, DesignationUse::Synonym, name), language);
    concept.properties.push(Property::text(property::SEMANTIC_TAG, tag));
}
