//! FHIR `ValueSet`s of R4 and R5 as they are written: what they include and what they exclude.

use serde::Deserialize;
use thiserror::Error;

use super::vcl::{self, Test};
use super::{Constraint, Position};

/// A value set as its author defines it.
///
/// ```
/// use medterm::valueset::ValueSet;
/// # fn main() -> Result<(), medterm::valueset::DefinitionError> {
/// let text = r#"{"resourceType": "ValueSet", "url": "http://example.org/types", "compose": {
///     "include": [{"system": "http://hl7.org/fhir/sid/icd-10-cm",
///                  "filter": [{"property": "concept", "op": "is-a", "value": "E11"}]}]}}"#;
/// let valueset = ValueSet::from_json(text)?;
/// assert_eq!(valueset.canonical().as_deref(), Some("http://example.org/types"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct ValueSet {
    /// The name under which the resource that contains it refers to it, behind a `#`.
    pub id: Option<String>,
    /// The canonical URI, by which others refer to it.
    pub url: Option<String>,
    /// The version, by which it is told from others of the same URI.
    pub version: Option<String>,
    /// The name for programs.
    pub name: Option<String>,
    /// The name for people.
    pub title: Option<String>,
    /// `draft`, `active`, `retired` or `unknown`.
    pub status: Option<String>,
    /// Whether it was made for trials only.
    pub experimental: Option<bool>,
    /// BCP 47 language of its displays.
    pub language: Option<String>,
    /// What it is made of.
    pub compose: Option<Compose>,
    /// What it was made of once; read only where there is no `compose`.
    pub expansion: Option<StoredExpansion>,
    /// The value sets it brings along.
    #[serde(deserialize_with = "contained")]
    pub contained: Vec<ValueSet>,
    /// What was added to it that FHIR has no element for.
    pub extension: Vec<Extension>,
}

/// What a value set is made of.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct Compose {
    /// Whether retired concepts are in it; where nothing is said, they are.
    pub inactive: Option<bool>,
    /// What is in it: all of these together.
    pub include: Vec<Include>,
    /// What is not, though it is included.
    pub exclude: Vec<Include>,
    /// What was added to it that FHIR has no element for.
    pub extension: Vec<Extension>,
}

/// Some concepts of one terminology, or of other value sets. All that is said here must hold.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct Include {
    /// The canonical URI of the terminology.
    pub system: Option<String>,
    /// The version of it, `x` for any number in it; `*` for any version.
    pub version: Option<String>,
    /// The concepts, where they are listed.
    pub concept: Vec<ListedConcept>,
    /// What the concepts have in common, where they are not.
    pub filter: Vec<ComposeFilter>,
    /// The canonical URIs of value sets, `|version` behind them, all of which have the concepts.
    pub value_set: Vec<String>,
}

/// A concept that is named by its code.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct ListedConcept {
    /// The code.
    pub code: String,
    /// What it is called in this value set.
    pub display: Option<String>,
    /// What else it is called.
    pub designation: Vec<ListedDesignation>,
    /// What was added to it that FHIR has no element for.
    pub extension: Vec<Extension>,
}

/// Another name that a value set gives a concept.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct ListedDesignation {
    /// BCP 47 language.
    pub language: Option<String>,
    /// What it is for.
    #[serde(rename = "use")]
    pub use_: Option<ListedUse>,
    /// The name.
    pub value: String,
}

/// What a name is for, as a coding.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ListedUse {
    /// The terminology of uses.
    pub system: Option<String>,
    /// The use.
    pub code: Option<String>,
    /// What it is called.
    pub display: Option<String>,
}

/// An addition to a resource. Only texts and codes of it are kept.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct Extension {
    /// What it is.
    pub url: String,
    /// Its value, where it is true or false.
    pub value_boolean: Option<bool>,
    /// Its value, where it is a code.
    pub value_code: Option<String>,
    /// Its value, where it is a URI.
    pub value_uri: Option<String>,
    /// Its value, where it is the canonical URI of a resource.
    pub value_canonical: Option<String>,
    /// Its value, where it is a text.
    pub value_string: Option<String>,
    /// Its parts, where it has no value.
    pub extension: Vec<Self>,
}

impl Extension {
    /// The value of a part, where it is a code or a text.
    fn part(&self, name: &str) -> Option<&str> {
        let part = self.extension.iter().find(|one| one.url == name)?;
        part.value_code.as_deref().or(part.value_string.as_deref())
    }
}

/// What the concepts of a part have in common.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ComposeFilter {
    /// The property.
    pub property: String,
    /// FHIR's word for how its value is compared: `=`, `is-a`, `regex` …
    pub op: String,
    /// What it is compared with.
    pub value: Option<String>,
}

/// What a value set was made of when somebody expanded it.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct StoredExpansion {
    /// The concepts, some of them within others.
    pub contains: Vec<StoredConcept>,
}

/// A concept of a stored expansion.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct StoredConcept {
    /// The canonical URI of its terminology.
    pub system: Option<String>,
    /// The version of that.
    pub version: Option<String>,
    /// The code; a heading has none.
    pub code: Option<String>,
    /// Its name.
    pub display: Option<String>,
    /// The concepts that are shown within it.
    pub contains: Vec<Self>,
}

/// Why a text is no value set.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DefinitionError {
    /// It is no JSON, or the elements have other types than FHIR says.
    #[error("{0}")]
    Json(#[source] serde_json::Error),
    /// It is another resource.
    #[error("it is a {0}, not a ValueSet")]
    OtherResource(String),
}

impl DefinitionError {
    /// The line and the column where it is wrong, both counted from 1, where that is known.
    #[must_use]
    pub fn line_and_column(&self) -> Option<(usize, usize)> {
        match self {
            Self::Json(error) => Some((error.line(), error.column())),
            Self::OtherResource(_) => None,
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Typed {
    resource_type: Option<String>,
}

impl ValueSet {
    /// Reads a value set.
    ///
    /// # Errors
    /// [`DefinitionError`], with the line and column.
    pub fn from_json(text: &str) -> Result<Self, DefinitionError> {
        let typed: Typed = serde_json::from_str(text).map_err(DefinitionError::Json)?;
        match typed.resource_type.as_deref() {
            Some("ValueSet") => serde_json::from_str(text).map_err(DefinitionError::Json),
            other => Err(DefinitionError::OtherResource(other.unwrap_or("text").to_owned())),
        }
    }

    /// A value set of this one part.
    #[must_use]
    pub fn including(include: Include) -> Self {
        let compose = Compose { include: vec![include], ..Compose::default() };
        Self { compose: Some(compose), ..Self::default() }
    }

    /// The language that displays are to be in where nobody asks for another: that of an expansion, as
    /// its author wants it, or its own.
    #[must_use]
    pub fn display_language(&self) -> Option<String> {
        let asks = |one: &&Extension| {
            one.url == EXPANSION_PARAMETER && one.part("name") == Some("displayLanguage")
        };
        let compose = self.compose.iter().flat_map(|compose| &compose.extension);
        let wanted = compose.filter(asks).find_map(|one| one.part("value"));
        wanted.map(str::to_owned).or_else(|| self.language.clone())
    }

    /// Its URI, `|version` behind it where it has one; `None` where it has no URI.
    #[must_use]
    pub fn canonical(&self) -> Option<String> {
        let url = self.url.as_ref()?;
        Some(match &self.version {
            Some(version) => format!("{url}|{version}"),
            None => url.clone(),
        })
    }
}

/// The extension by which an author says how a value set is to be expanded.
const EXPANSION_PARAMETER: &str =
    "http://hl7.org/fhir/StructureDefinition/valueset-expansion-parameter";

/// The extensions by which a value set says that a concept should not be used there any more.
const DEPRECATED: &str = "http://hl7.org/fhir/StructureDefinition/valueset-deprecated";
const STANDARDS_STATUS: &str =
    "http://hl7.org/fhir/StructureDefinition/structuredefinition-standards-status";

impl ListedConcept {
    /// Whether the value set says that the concept should not be used there any more.
    #[must_use]
    pub fn is_deprecated(&self) -> bool {
        let says = |one: &Extension| match one.url.as_str() {
            DEPRECATED => {
                one.value_boolean == Some(true) || one.value_code.as_deref() == Some("true")
            }
            STANDARDS_STATUS => one.value_code.as_deref() == Some("deprecated"),
            _ => false,
        };
        self.extension.iter().any(says)
    }
}

impl Include {
    /// All concepts of a terminology.
    #[must_use]
    pub fn system(uri: &str) -> Self {
        Self { system: Some(uri.to_owned()), ..Self::default() }
    }

    /// Its filters as an expression; `None` where it has none.
    ///
    /// # Errors
    /// The number of the filter that is none, and what is wrong with it.
    pub fn constraint(&self) -> Result<Option<Constraint>, (usize, FilterError)> {
        let mut parts = Vec::with_capacity(self.filter.len());
        for (at, filter) in self.filter.iter().enumerate() {
            let test = filter.test().map_err(|error| (at, error))?;
            let property = filter.property.clone();
            let content = vcl::Content::Filter(vcl::Filter::Property { property, test });
            parts.push(vcl::Part { position: Position::default(), system: None, content });
        }
        let expression = match parts.len() {
            0 => return Ok(None),
            1 => parts.pop().map(vcl::Expression::Simple),
            _ => Some(vcl::Expression::And(parts)),
        };
        Ok(expression.map(Constraint::Vcl))
    }
}

/// Why a filter of a value set is none.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FilterError {
    /// There is nothing to compare with.
    #[error("filter with property = {property}, op = {op} has no value")]
    NoValue {
        /// The property.
        property: String,
        /// The operator.
        op: String,
    },
    /// There is no property to compare.
    #[error("filter with op = {op} has no property")]
    NoProperty {
        /// The operator.
        op: String,
    },
    /// The operator is none of FHIR's.
    #[error("filter with property = {property} has the unknown operator {op:?}")]
    Operator {
        /// The property.
        property: String,
        /// The operator.
        op: String,
    },
    /// `exists` is compared with something other than true and false.
    #[error(
        "filter with property = {property}, op = exists must have true or false, not {value:?}"
    )]
    NotBoolean {
        /// The property.
        property: String,
        /// What it is compared with.
        value: String,
    },
}

impl ComposeFilter {
    fn test(&self) -> Result<Test, FilterError> {
        let (property, op) = (self.property.clone(), self.op.clone());
        if property.is_empty() {
            return Err(FilterError::NoProperty { op });
        }
        let Some(value) = self.value.clone().filter(|value| !value.trim().is_empty()) else {
            return Err(FilterError::NoValue { property, op });
        };
        let listed =
            || vcl::Values::Codes(value.split(',').map(|code| code.trim().to_owned()).collect());
        Ok(match op.as_str() {
            "=" => Test::Equals(value),
            "is-a" => Test::IsA(value),
            "descendent-of" => Test::DescendantOf(value),
            "is-not-a" => Test::IsNotA(value),
            "regex" => Test::Matches(value),
            "in" => Test::In(listed()),
            "not-in" => Test::NotIn(listed()),
            "generalizes" => Test::Generalizes(value),
            "child-of" => Test::ChildOf(value),
            "descendent-leaf" => Test::DescendantLeaf(value),
            "exists" => match value.trim().parse() {
                Ok(exists) => Test::Exists(exists),
                Err(_) => return Err(FilterError::NotBoolean { property, value }),
            },
            _ => return Err(FilterError::Operator { property, op }),
        })
    }
}

/// The value sets among the resources that another one contains.
fn contained<'de, D: serde::Deserializer<'de>>(all: D) -> Result<Vec<ValueSet>, D::Error> {
    let all = Vec::<serde_json::Value>::deserialize(all)?;
    let is_one = |one: &serde_json::Value| {
        one.get("resourceType").and_then(serde_json::Value::as_str) == Some("ValueSet")
    };
    let ours = all.into_iter().filter(is_one);
    ours.map(|one| serde_json::from_value(one).map_err(serde::de::Error::custom)).collect()
}
