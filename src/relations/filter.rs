//! Which properties can be filtered by, and under which name a value of theirs is kept.

use std::collections::BTreeMap;

use crate::terminology::{Concept, PropertyValue};

/// The most values that a property may have to be one that is filtered by: statuses, kinds, tags and
/// flags have fewer, notes and numbers of other registers have one for each concept.
pub const MAX_FILTER_VALUES: usize = 256;

/// The longest text that is filtered by, in bytes: what is longer is a note.
const MAX_FILTER_BYTES: usize = 128;

/// Between a property, the type of its value, and the value: no text of a release has it.
const SEPARATOR: char = '\u{1f}';

/// A value of a property to filter by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FilterValue<'v> {
    /// A text, in exactly these letters.
    Text(&'v str),
    /// A code of the same terminology.
    Code(&'v str),
    /// True or false. Where a concept says neither, it has neither.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
}

impl<'v> FilterValue<'v> {
    /// What can be filtered by of a property's value: decimals and times cannot, and no long text.
    pub(super) fn of(value: &'v PropertyValue) -> Option<Self> {
        let is_short = |text: &str| text.len() <= MAX_FILTER_BYTES && !text.contains(SEPARATOR);
        match value {
            PropertyValue::Text(text) if is_short(text) => Some(Self::Text(text)),
            PropertyValue::Code(code) if is_short(code) => Some(Self::Code(code)),
            PropertyValue::Boolean(value) => Some(Self::Boolean(*value)),
            PropertyValue::Integer(value) => Some(Self::Integer(*value)),
            _ => None,
        }
    }

    /// The name under which the concepts are kept that have the property with this value.
    pub(super) fn name(self, property: &str) -> String {
        let (kind, value) = match self {
            Self::Text(text) => ('t', text.to_owned()),
            Self::Code(code) => ('c', code.to_owned()),
            Self::Boolean(value) => ('b', value.to_string()),
            Self::Integer(value) => ('i', value.to_string()),
        };
        format!("{property}{SEPARATOR}{kind}{value}")
    }
}

/// A property's name as all its values begin.
pub(super) fn beginning(property: &str) -> String {
    format!("{property}{SEPARATOR}")
}

/// The property and the value that a name was made of.
pub(super) fn parts(name: &str) -> Option<(&str, FilterValue<'_>)> {
    let (property, rest) = name.split_once(SEPARATOR)?;
    let mut letters = rest.chars();
    let value = match (letters.next()?, letters.as_str()) {
        ('t', text) => FilterValue::Text(text),
        ('c', code) => FilterValue::Code(code),
        ('b', value) => FilterValue::Boolean(value == "true"),
        ('i', value) => FilterValue::Integer(value.parse().ok()?),
        _ => return None,
    };
    Some((property, value))
}

/// The ords of the concepts by the name of a property's value, for every property that all of the
/// release's values can be filtered by: half an answer is none.
pub(super) fn filters(concepts: &[Concept]) -> BTreeMap<String, Vec<u32>> {
    let mut properties: BTreeMap<&str, Option<BTreeMap<FilterValue<'_>, Vec<u32>>>> =
        BTreeMap::new();
    for (ord, concept) in (0u32..).zip(concepts) {
        for property in &concept.properties {
            let entry = properties.entry(&property.code).or_insert_with(|| Some(BTreeMap::new()));
            let Some(values) = entry else { continue };
            match FilterValue::of(&property.value) {
                Some(value) => {
                    let ords = values.entry(value).or_default();
                    // A property may state a value twice.
                    if ords.last() != Some(&ord) {
                        ords.push(ord);
                    }
                    if values.len() > MAX_FILTER_VALUES {
                        *entry = None;
                    }
                }
                None => *entry = None,
            }
        }
    }
    let mut filters = BTreeMap::new();
    for (property, values) in properties {
        let mut values = values.unwrap_or_default();
        // Whoever filters by a flag that all concepts have may ask for its opposite.
        if values.keys().any(|value| matches!(value, FilterValue::Boolean(_))) {
            for flag in [false, true] {
                values.entry(FilterValue::Boolean(flag)).or_default();
            }
        }
        for (value, ords) in values {
            filters.insert(value.name(property), ords);
        }
    }
    filters
}
