//! What the characters of an ICD-10-PCS code say, where no table of the release says it.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::terminology::Property;

/// Patterns of the first characters of codes, and what the last of them stands for.
const TABLE: &str = include_str!("pcs_axes.tsv");

/// The sections whose fifth character is an approach, and what it stands for there.
const SECTIONS_WITH_APPROACH: &str = "01234789X";
const APPROACHES: [(char, &str); 7] = [
    ('0', "Open"),
    ('3', "Percutaneous"),
    ('4', "Percutaneous Endoscopic"),
    ('7', "Via Natural or Artificial Opening"),
    ('8', "Via Natural or Artificial Opening Endoscopic"),
    ('F', "Via Natural or Artificial Opening With Percutaneous Endoscopic Assistance"),
    ('X', "External"),
];

/// The property names of the seven characters in most sections.
pub(super) const AXES: [&str; 7] =
    ["section", "bodySystem", "operation", "bodyPart", "approach", "device", "qualifier"];

/// The name of the section, body system or root operation that a text of one to three characters
/// stands for.
pub(super) fn axis_name(prefix: &str) -> Option<&'static str> {
    static PARSED: OnceLock<HashMap<&str, &str>> = OnceLock::new();
    let table = PARSED.get_or_init(|| {
        let rows = TABLE.lines().filter(|line| !line.starts_with('#')).skip(1);
        rows.filter_map(|line| line.split_once('\t')).collect()
    });
    let any = match (prefix.get(..1), prefix.get(2..)) {
        (Some(section), Some(operation)) if prefix.len() == 3 => format!("{section}.{operation}"),
        _ => String::new(),
    };
    table.get(prefix).or_else(|| table.get(any.as_str())).copied()
}

/// What the characters of a code say by themselves.
pub(super) fn known_axes(code: &str) -> Vec<Property> {
    let mut properties: Vec<Property> = (1..=3)
        .filter_map(|length| {
            let name = axis_name(code.get(..length)?)?;
            Some(Property::text(AXES[length - 1], name))
        })
        .collect();
    let mut characters = code.chars();
    let section = characters.next().unwrap_or_default();
    let fifth = characters.nth(3);
    if SECTIONS_WITH_APPROACH.contains(section)
        && let Some((_, name)) = APPROACHES.iter().find(|(one, _)| Some(*one) == fifth)
    {
        properties.push(Property::text(AXES[4], *name));
    }
    properties
}
