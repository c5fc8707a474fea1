//! The concepts of a FHIR `CodeSystem`, read into one flat list: a concept before those within it.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::fhir_concept::{RawDesignation, RawProperty};
use super::fhir_json::Line;

/// One concept as it stands in the file.
#[derive(Debug, Default)]
pub(super) struct RawConcept {
    pub(super) code: Option<String>,
    pub(super) display: Option<String>,
    pub(super) definition: Option<String>,
    pub(super) designations: Vec<RawDesignation>,
    pub(super) properties: Vec<RawProperty>,
    /// The place in the list of the concept around it.
    pub(super) within: Option<u32>,
    /// Where it begins.
    pub(super) line: u64,
}

/// Reads a resource: its concepts and nothing else of it.
pub(super) struct Reader(pub(super) Line);

impl<'de> DeserializeSeed<'de> for Reader {
    type Value = Vec<RawConcept>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Reader {
    type Value = Vec<RawConcept>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a resource")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(key) = map.next_key()? {
            match key {
                Key::Concept => {
                    map.next_value_seed(Level { list: &mut list, line: &self.0, within: None })?;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(list)
    }
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "camelCase")]
enum Key {
    Code,
    Display,
    Definition,
    Designation,
    Property,
    Concept,
    #[serde(other)]
    Other,
}

/// The concepts of one level.
struct Level<'a> {
    list: &'a mut Vec<RawConcept>,
    line: &'a Line,
    within: Option<u32>,
}

impl<'de> DeserializeSeed<'de> for Level<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Level<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of concepts")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut level: A) -> Result<(), A::Error> {
        let Self { list, line, within } = self;
        while level.next_element_seed(One(Level { list: &mut *list, line, within }))?.is_some() {}
        Ok(())
    }
}

/// One concept of a level.
struct One<'a>(Level<'a>);

impl<'de> DeserializeSeed<'de> for One<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for One<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a concept")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Level { list, line, within } = self.0;
        let at = list.len();
        // Its place is taken before those within it take theirs.
        list.push(RawConcept::default());
        let mut concept = RawConcept { within, line: line.number(), ..RawConcept::default() };
        while let Some(key) = map.next_key()? {
            match key {
                Key::Code => concept.code = map.next_value()?,
                Key::Display => concept.display = map.next_value()?,
                Key::Definition => concept.definition = map.next_value()?,
                Key::Designation => concept.designations = map.next_value()?,
                Key::Property => concept.properties = map.next_value()?,
                Key::Concept => {
                    let within = u32::try_from(at).ok();
                    map.next_value_seed(Level { list: &mut *list, line, within })?;
                }
                Key::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        if let Some(place) = list.get_mut(at) {
            *place = concept;
        }
        Ok(())
    }
}
