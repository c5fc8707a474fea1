//! A FHIR `Bundle`, taken apart.

use std::fmt;
use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::fhir::{CODE_SYSTEM, CONCEPT_MAP, VALUE_SET};
use super::fhir_json::Line;
use super::fhir_release::Head;

/// One resource of a bundle.
pub(super) struct Part {
    pub(super) head: Head,
    /// Gzipped, and with as many empty lines after its first bracket as are before it in the bundle,
    /// so that errors in it are told with its line in the file. Empty where its type is none that is
    /// read.
    pub(super) text: Vec<u8>,
    /// Where it begins.
    pub(super) line: u64,
}

/// Reads the entries of a bundle one by one: never more than one is in memory unpacked.
pub(super) struct BundleReader<'a> {
    pub(super) line: Line,
    pub(super) parts: &'a mut Vec<Part>,
}

impl BundleReader<'_> {
    /// Keeps a resource whose last line was just read.
    fn take(&mut self, text: &str) -> io::Result<()> {
        let mut head: Head = serde_json::from_str(text)?;
        let breaks = text.bytes().filter(|byte| *byte == b'\n').count() as u64;
        let before = self.line.number().saturating_sub(breaks + 1);
        let mut kept = Vec::new();
        if matches!(head.kind.stated(), Some(CODE_SYSTEM | VALUE_SET | CONCEPT_MAP)) {
            let mut packed = GzEncoder::new(&mut kept, Compression::fast());
            let (bracket, rest) = text.as_bytes().split_at(1);
            packed.write_all(bracket)?;
            io::copy(&mut io::repeat(b'\n').take(before), &mut packed)?;
            packed.write_all(rest)?;
            packed.finish()?;
        } else {
            (head.property, head.compose, head.expansion) = (None, None, None);
        }
        self.parts.push(Part { head, text: kept, line: before + 1 });
        Ok(())
    }
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "camelCase")]
enum Key {
    Entry,
    Resource,
    #[serde(other)]
    Other,
}

impl<'de> DeserializeSeed<'de> for BundleReader<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for BundleReader<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a bundle")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key()? {
            match key {
                Key::Entry => map.next_value_seed(Entries(&mut self))?,
                Key::Resource | Key::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// The list of entries, and each of them.
struct Entries<'r, 'a>(&'r mut BundleReader<'a>);

impl<'de> DeserializeSeed<'de> for Entries<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Entries<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the entries of a bundle")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Entries(&mut *self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entry: A) -> Result<(), A::Error> {
        while let Some(key) = entry.next_key()? {
            match key {
                Key::Resource => {
                    let resource: Box<RawValue> = entry.next_value()?;
                    self.0.take(resource.get()).map_err(A::Error::custom)?;
                }
                Key::Entry | Key::Other => drop(entry.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}
