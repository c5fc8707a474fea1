use serde::{Deserialize, Serialize};

use super::Code;

/// One defining attribute of a concept: SNOMED CT's relationships other than "is a".
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Relation {
    /// Relations of the same number belong together (role group); 0 stands for none.
    pub group: u16,
    /// The attribute, itself a concept: 363698007 |Finding site|.
    pub attribute: Code,
    /// What the attribute is.
    pub value: RelationValue,
}

/// The value of a relation: a concept, or a concrete value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum RelationValue {
    /// A concept of the same terminology.
    Concept(Code),
    /// A whole number.
    Integer(i64),
    /// A finite number.
    Decimal(f64),
    /// A text.
    Text(String),
}
