//! FHIR's JSON: from the bytes of one file to what is wanted of the resource in it, in one pass.

use std::cell::Cell;
use std::fmt;
use std::io::{self, Read};
use std::path::Path;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::input::{Input, Refusal};
use super::{ImportError, ImportErrorKind};

/// The longest file that is read: a JSON resource has no end before its last bracket, so what is
/// wanted of it has to be in memory as a whole.
const MAX_BYTES: usize = 8 << 30;

/// The most objects and arrays within one another, as `serde_json` has it. A level of concepts takes
/// two, so that concepts may be nested some 60 deep; the deepest published nest 15.
const MAX_DEPTH: usize = 128;

/// Reads one document to its end. The seed may ask which line is being read.
pub(super) fn read<S>(input: Input, seed: impl FnOnce(Line) -> S) -> Result<S::Value, ImportError>
where
    S: DeserializeSeed<'static>,
{
    let at = std::rc::Rc::new(Cell::new(1));
    let reader = Counted { inner: input.reader, line: at.clone(), left: MAX_BYTES };
    let mut json = serde_json::Deserializer::from_reader(reader);
    let value = seed(Line(at)).deserialize(&mut json).and_then(|value| json.end().map(|()| value));
    value.map_err(|error| failure(&input.path, error))
}

/// The line that is being read, counted from 1.
#[derive(Clone)]
pub(super) struct Line(std::rc::Rc<Cell<u64>>);

impl Line {
    pub(super) fn number(&self) -> u64 {
        self.0.get()
    }
}

struct Counted<R> {
    inner: R,
    line: std::rc::Rc<Cell<u64>>,
    left: usize,
}

impl<R: Read> Read for Counted<R> {
    /// `serde_json` asks for one byte at a time.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        let lines = buffer[..count].iter().filter(|byte| **byte == b'\n').count() as u64;
        self.line.set(self.line.get() + lines);
        self.left = self.left.checked_sub(count).ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidData, Refusal::TooLong { limit: MAX_BYTES })
        })?;
        Ok(count)
    }
}

/// The error of a document that cannot be read.
pub(super) fn failure(path: &Path, error: serde_json::Error) -> ImportError {
    let (line, column) = (error.line() as u64, error.column());
    let kind = match error.classify() {
        serde_json::error::Category::Io => ImportErrorKind::reading(error.into()),
        serde_json::error::Category::Eof => {
            ImportErrorKind::Truncated { inside: format!("the JSON, at column {column}") }
        }
        serde_json::error::Category::Syntax | serde_json::error::Category::Data => {
            // The library tells these two apart by their text alone.
            let text = error.to_string();
            if text.starts_with("recursion limit exceeded") {
                ImportErrorKind::TooDeep { column, limit: MAX_DEPTH }
            } else if text.starts_with("invalid unicode code point") {
                let found = format!("bytes that are no text (at column {column})");
                ImportErrorKind::Encoding { found }
            } else {
                ImportErrorKind::Json(Box::new(error))
            }
        }
    };
    ImportError::new(path, (line > 0).then_some(line), kind)
}

/// A text where there is one: other resources have other things under the same name.
#[derive(Debug, Default)]
pub(super) struct Lenient(Option<String>);

impl Lenient {
    /// The text, where it is not empty.
    pub(super) fn stated(&self) -> Option<&str> {
        self.0.as_deref().map(str::trim).filter(|text| !text.is_empty())
    }
}

impl<'de> Deserialize<'de> for Lenient {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyVisitor).map(|any| match any {
            Any::Text(text) => Self(Some(text)),
            _ => Self(None),
        })
    }
}

/// True or false where it is one of them.
#[derive(Debug, Default)]
pub(super) struct Truth(pub(super) Option<bool>);

impl<'de> Deserialize<'de> for Truth {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyVisitor).map(|any| match any {
            Any::Truth(truth) => Self(Some(truth)),
            _ => Self(None),
        })
    }
}

/// Whether a list has anything in it.
#[derive(Debug, Default)]
pub(super) struct Filled(pub(super) bool);

impl<'de> Deserialize<'de> for Filled {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let any = deserializer.deserialize_any(AnyVisitor)?;
        Ok(Self(matches!(any, Any::Many(true))))
    }
}

enum Any {
    Text(String),
    /// A list, and whether it has anything in it.
    Many(bool),
    Truth(bool),
    Other,
}

struct AnyVisitor;

impl<'de> Visitor<'de> for AnyVisitor {
    type Value = Any;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<E>(self, text: &str) -> Result<Any, E> {
        Ok(Any::Text(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Any, E> {
        Ok(Any::Other)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Any, E> {
        Ok(Any::Truth(truth))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Any, E> {
        Ok(Any::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Any, E> {
        Ok(Any::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Any, E> {
        Ok(Any::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Any, A::Error> {
        let mut filled = false;
        while list.next_element::<IgnoredAny>()?.is_some() {
            filled = true;
        }
        Ok(Any::Many(filled))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Any, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Any::Other)
    }
}
