//! FHIR's ValueSet Compose Language, as a tree.
//!
//! Its grammar is that of <https://build.fhir.org/ig/FHIR/ig-guidance/vcl.html>, version 1. A tree is
//! read with [`Expression::parse`] and printed by `Display`; what is printed is read as the same
//! tree. A list may also have one code only, which the grammar leaves out.
//!
//! ```
//! use medterm::valueset::vcl::Expression;
//! # fn main() -> Result<(), medterm::valueset::ExpressionError> {
//! let expression = Expression::parse("(http://loinc.org)(PROPERTY=\"MCnc\",SYSTEM=Bld)")?;
//! assert_eq!(expression.to_string(), "(http://loinc.org)(PROPERTY = MCnc, SYSTEM = Bld)");
//! # Ok(())
//! # }
//! ```

use std::fmt::{Display, Formatter, Result as FmtResult};
use std::str::FromStr;

use super::ecl_print::separated;
use super::{ExpressionError, Position, vcl_parse};

/// A whole expression, or one in brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// One part alone.
    Simple(Part),
    /// `,`: what is in all of them; two at least.
    And(Vec<Part>),
    /// `;`: what is in any of them; two at least.
    Or(Vec<Part>),
    /// `-`: what is in the first and not in the second.
    Minus(Box<[Part; 2]>),
}

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    /// [`ExpressionError`] with the position and what could stand there; also for an expression
    /// longer than [`MAX_EXPRESSION_BYTES`](super::MAX_EXPRESSION_BYTES) or deeper than
    /// [`MAX_DEPTH`](super::MAX_DEPTH).
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        vcl_parse::parse(text)
    }

    /// `property = value`.
    #[must_use]
    pub fn equals(property: &str, value: &str) -> Self {
        let test = Test::Equals(value.to_owned());
        let filter = Filter::Property { property: property.to_owned(), test };
        let (position, content) = (Position::default(), Content::Filter(filter));
        Self::Simple(Part { position, system: None, content })
    }
}

impl Expression {
    /// The terminologies that it is about, by their URIs, `|version` behind those where one is
    /// meant; each once, in the order in which they are named.
    #[must_use]
    pub fn systems(&self) -> Vec<String> {
        let mut systems: Vec<String> = Vec::new();
        let mut open = vec![self];
        while let Some(expression) = open.pop() {
            let parts: &[Part] = match expression {
                Self::Simple(part) => std::slice::from_ref(part),
                Self::And(parts) | Self::Or(parts) => parts,
                Self::Minus(pair) => pair.as_slice(),
            };
            for part in parts {
                if let Some(system) = part.system.as_ref().filter(|one| !systems.contains(one)) {
                    systems.push(system.clone());
                }
            }
            let inner = parts.iter().rev().filter_map(|part| match &part.content {
                Content::Brackets(inner) => Some(inner.as_ref()),
                _ => None,
            });
            open.extend(inner);
        }
        systems
    }
}

impl FromStr for Expression {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Self, ExpressionError> {
        Self::parse(text)
    }
}

/// A part of an expression, and the terminology it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Where it begins.
    pub position: Position,
    /// The URI of the terminology, `|version` behind it; where none is said, the one around it, or
    /// the one that is asked.
    pub system: Option<String>,
    /// Which codes.
    pub content: Content,
}

/// Which codes a part means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// `*`: all codes.
    All,
    /// One code.
    Code(String),
    /// The codes that a property filters.
    Filter(Filter),
    /// `^http://…`, `^(http://…)`: the codes of another value set, by its URI.
    Include(String),
    /// An expression in brackets.
    Brackets(Box<Expression>),
}

/// A filter: by a property's value, or by whose property's value a code is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Filter {
    /// The codes whose property is like this.
    Property {
        /// The property.
        property: String,
        /// What its value must be like.
        test: Test,
    },
    /// `x.property`: the codes that are values of the property of these.
    Of {
        /// Whose property.
        source: Source,
        /// The property.
        property: String,
    },
}

/// What a property's value must be like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Test {
    /// `=`
    Equals(String),
    /// `<<`: this code or one below it.
    IsA(String),
    /// `~<<`: neither this code nor one below it.
    IsNotA(String),
    /// `<`: a code below this one.
    DescendantOf(String),
    /// `/`: the whole value is matched by the regular expression.
    Matches(String),
    /// `^`: one of these.
    In(Values),
    /// `~^`: none of these.
    NotIn(Values),
    /// `>>`: this code or one above it.
    Generalizes(String),
    /// `<!`: a code directly below this one.
    ChildOf(String),
    /// `!!<`: a code below this one with none below itself.
    DescendantLeaf(String),
    /// `?`: whether there is a value; `true` or `false`.
    Exists(bool),
}

/// Several values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Values {
    /// These codes.
    Codes(Vec<String>),
    /// The codes of another value set.
    ValueSet(String),
    /// The codes that all of the filters let pass.
    Filters(Vec<Filter>),
}

/// Codes whose property's values are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// All codes.
    All,
    /// One code.
    Code(String),
    /// Several values.
    Values(Values),
}

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        match self {
            Self::Simple(one) => one.fmt(f),
            Self::And(all) => separated(f, all, ", "),
            Self::Or(all) => separated(f, all, " ; "),
            Self::Minus(pair) => separated(f, pair.as_slice(), " - "),
        }
    }
}

impl Display for Part {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        if let Some(system) = &self.system {
            write!(f, "({system})")?;
        }
        match &self.content {
            Content::All => f.write_str("*"),
            Content::Code(code) => text(f, code),
            Content::Filter(filter) => filter.fmt(f),
            // Without brackets, what follows would be read as part of it.
            Content::Include(uri) => write!(f, "^({uri})"),
            Content::Brackets(inner) => write!(f, "({inner})"),
        }
    }
}

impl Display for Filter {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        match self {
            Self::Property { property, test } => {
                text(f, property)?;
                test.fmt(f)
            }
            Self::Of { source, property } => {
                match source {
                    Source::All => f.write_str("*")?,
                    Source::Code(code) => text(f, code)?,
                    Source::Values(values) => values.fmt(f)?,
                }
                f.write_str(".")?;
                text(f, property)
            }
        }
    }
}

impl Display for Test {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        let (sign, value) = match self {
            Self::Equals(value) => ("=", value),
            Self::IsA(value) => ("<<", value),
            Self::IsNotA(value) => ("~<<", value),
            Self::DescendantOf(value) => ("<", value),
            Self::Generalizes(value) => (">>", value),
            Self::ChildOf(value) => ("<!", value),
            Self::DescendantLeaf(value) => ("!!<", value),
            Self::Matches(pattern) => {
                f.write_str(" / ")?;
                return quoted(f, pattern);
            }
            Self::In(values) => return write!(f, " ^ {values}"),
            Self::NotIn(values) => return write!(f, " ~^ {values}"),
            Self::Exists(exists) => return write!(f, " ? {exists}"),
        };
        write!(f, " {sign} ")?;
        text(f, value)
    }
}

impl Display for Values {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        match self {
            Self::Codes(codes) => {
                f.write_str("{")?;
                for (nth, code) in codes.iter().enumerate() {
                    f.write_str(if nth > 0 { ", " } else { "" })?;
                    text(f, code)?;
                }
                f.write_str("}")
            }
            // Other signs after it would be read as part of it.
            Self::ValueSet(uri) => write!(f, "{uri} "),
            Self::Filters(filters) => {
                f.write_str("{")?;
                separated(f, filters, ", ")?;
                f.write_str("}")
            }
        }
    }
}

/// A code or value, in quotation marks where it needs them.
fn text(f: &mut Formatter<'_>, text: &str) -> FmtResult {
    if vcl_parse::is_simple(text) { f.write_str(text) } else { quoted(f, text) }
}

fn quoted(f: &mut Formatter<'_>, text: &str) -> FmtResult {
    f.write_str("\"")?;
    for letter in text.chars() {
        if matches!(letter, '"' | '\\') {
            f.write_str("\\")?;
        }
        write!(f, "{letter}")?;
    }
    f.write_str("\"")
}
