//! SNOMED CT's Expression Constraint Language 2.2, as a tree.
//!
//! A tree is read with [`Expression::parse`], which takes the brief syntax and the words of the long
//! one, and printed in the brief syntax by `Display`. What is printed is read as the same tree.
//! Texts in quotation marks are kept as they are written, with their backslashes.
//!
//! ```
//! use medterm::valueset::ecl::Expression;
//! # fn main() -> Result<(), medterm::valueset::ExpressionError> {
//! let expression = Expression::parse("descendantOf 404684003 MINUS any")?;
//! assert_eq!(expression.to_string(), "< 404684003 MINUS *");
//! # Ok(())
//! # }
//! ```

use std::str::FromStr;

use super::{ExpressionError, Position, ecl_parse};

pub use super::ecl_filter::*;

/// A whole expression, or one in brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// `< 404684003`.
    Simple(SubExpression),
    /// What is in all of them; two at least.
    And(Vec<SubExpression>),
    /// What is in any of them; two at least.
    Or(Vec<SubExpression>),
    /// What is in the first and not in the second.
    Minus(Box<[SubExpression; 2]>),
    /// What is in the first and has these attributes: `< 404684003 : 363698007 = *`.
    Refined(SubExpression, Refinement),
    /// The values of an attribute, then of an attribute of those, and so on: `X . 363698007`.
    Dotted(SubExpression, Vec<SubExpression>),
}

impl Expression {
    /// Reads an expression in the brief or the long syntax.
    ///
    /// # Errors
    /// [`ExpressionError`] with the position and what could stand there; also for an expression
    /// longer than [`MAX_EXPRESSION_BYTES`](super::MAX_EXPRESSION_BYTES) or deeper than
    /// [`MAX_DEPTH`](super::MAX_DEPTH).
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        ecl_parse::parse(text)
    }
}

impl FromStr for Expression {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Self, ExpressionError> {
        Self::parse(text)
    }
}

/// A focus with everything that is said of it without a binary operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubExpression {
    /// Where it begins.
    pub position: Position,
    /// Which way to go from the concepts.
    pub operator: Option<Operator>,
    /// Whether the concepts are reference sets whose members are meant.
    pub member_of: Option<MemberOf>,
    /// The concepts to begin with.
    pub focus: Focus,
    /// What the concepts, their names or memberships must be like.
    pub filters: Vec<Filter>,
    /// Which retired concepts to add.
    pub history: Option<History>,
}

impl SubExpression {
    /// The focus alone.
    #[must_use]
    pub fn of(focus: Focus) -> Self {
        Self {
            position: Position::default(),
            operator: None,
            member_of: None,
            focus,
            filters: Vec::new(),
            history: None,
        }
    }

    /// The one concept that it names, where it is nothing but a concept reference.
    #[must_use]
    pub fn concept(&self) -> Option<&ConceptReference> {
        match &self.focus {
            Focus::Concept(concept)
                if self.operator.is_none()
                    && self.member_of.is_none()
                    && self.filters.is_empty()
                    && self.history.is_none() =>
            {
                Some(concept)
            }
            _ => None,
        }
    }
}

/// Which way to go from a set of concepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `<`
    DescendantOf,
    /// `<<`
    DescendantOrSelfOf,
    /// `<!`
    ChildOf,
    /// `<<!`
    ChildOrSelfOf,
    /// `>`
    AncestorOf,
    /// `>>`
    AncestorOrSelfOf,
    /// `>!`
    ParentOf,
    /// `>>!`
    ParentOrSelfOf,
    /// `!!>`: those with none of the others above them.
    Top,
    /// `!!<`: those with none of the others below them.
    Bottom,
}

impl Operator {
    /// All of them; a symbol that begins like another one stands before it.
    pub const ALL: [Self; 10] = [
        Self::ChildOrSelfOf,
        Self::DescendantOrSelfOf,
        Self::ChildOf,
        Self::DescendantOf,
        Self::ParentOrSelfOf,
        Self::AncestorOrSelfOf,
        Self::ParentOf,
        Self::AncestorOf,
        Self::Top,
        Self::Bottom,
    ];

    /// How the brief syntax writes it.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::DescendantOf => "<",
            Self::DescendantOrSelfOf => "<<",
            Self::ChildOf => "<!",
            Self::ChildOrSelfOf => "<<!",
            Self::AncestorOf => ">",
            Self::AncestorOrSelfOf => ">>",
            Self::ParentOf => ">!",
            Self::ParentOrSelfOf => ">>!",
            Self::Top => "!!>",
            Self::Bottom => "!!<",
        }
    }

    /// How the long syntax writes it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::DescendantOf => "descendantOf",
            Self::DescendantOrSelfOf => "descendantOrSelfOf",
            Self::ChildOf => "childOf",
            Self::ChildOrSelfOf => "childOrSelfOf",
            Self::AncestorOf => "ancestorOf",
            Self::AncestorOrSelfOf => "ancestorOrSelfOf",
            Self::ParentOf => "parentOf",
            Self::ParentOrSelfOf => "parentOrSelfOf",
            Self::Top => "top",
            Self::Bottom => "bottom",
        }
    }
}

/// What of a reference set is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberOf {
    /// `^`: its members.
    Members,
    /// `^ [*]`: all its fields.
    AllFields,
    /// `^ [targetComponentId]`: these fields, one at least.
    Fields(Vec<String>),
}

/// The concepts that a sub-expression begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Focus {
    /// `*`: all concepts.
    Wildcard,
    /// `73211009 |Diabetes mellitus|`.
    Concept(ConceptReference),
    /// `LOINC#54486-6`.
    Identifier(AlternateIdentifier),
    /// An expression in brackets.
    Nested(Box<Expression>),
}

/// A concept by its identifier; the term is for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConceptReference {
    /// 6 to 18 digits.
    pub id: String,
    /// The term between the bars, without the white space around it.
    pub term: Option<String>,
}

/// A concept by its identifier in another scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlternateIdentifier {
    /// The scheme's alias: a letter, then letters, digits and dashes.
    pub scheme: String,
    /// The code in that scheme.
    pub code: String,
    /// The term between the bars.
    pub term: Option<String>,
}

/// Which attributes a concept must have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refinement {
    /// One attribute.
    Attribute(Box<Attribute>),
    /// Attributes that stand together in one role group.
    Group(Group),
    /// A refinement in brackets.
    Brackets(Box<Refinement>),
    /// All of them; two at least.
    And(Vec<Refinement>),
    /// Any of them; two at least.
    Or(Vec<Refinement>),
}

/// Attributes in braces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// How many groups must be like this; one at least where nothing is said.
    pub cardinality: Option<Cardinality>,
    /// The attributes, without groups among them.
    pub content: Box<Refinement>,
}

/// How often something may be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cardinality {
    /// At least so often.
    pub min: u32,
    /// At most so often; `None` without a limit.
    pub max: Option<u32>,
}

/// An attribute and what its value must be like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// How often it must be there; once at least where nothing is said.
    pub cardinality: Option<Cardinality>,
    /// From where to where it is followed.
    pub direction: Direction,
    /// Which attributes.
    pub name: SubExpression,
    /// How the value is compared.
    pub comparison: Comparison,
    /// What it is compared with.
    pub value: Value,
}

/// From where to where an attribute is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the concept that has the attribute to its value.
    Forward,
    /// `R`: from the value to the concepts that have the attribute.
    Reverse,
}

/// How a value is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<=`
    LessOrEqual,
    /// `<`
    Less,
    /// `>=`
    GreaterOrEqual,
    /// `>`
    Greater,
}

impl Comparison {
    /// How the brief syntax writes it.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::LessOrEqual => "<=",
            Self::Less => "<",
            Self::GreaterOrEqual => ">=",
            Self::Greater => ">",
        }
    }

    /// Whether it asks for an order, which concepts and texts do not have.
    #[must_use]
    pub fn is_order(self) -> bool {
        !matches!(self, Self::Equal | Self::NotEqual)
    }
}

/// What the value of an attribute is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A set of concepts.
    Expression(SubExpression),
    /// `#-2.5`, without the sign `#`, as it is written.
    Number(String),
    /// Texts, any of which is meant; one at least.
    Text(Vec<SearchTerm>),
    /// True or false.
    Boolean(bool),
}

/// Which retired concepts are added: those that a historical association leads from to one of the
/// concepts found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum History {
    /// `{{ + HISTORY }}`: over all associations.
    All,
    /// `{{ + HISTORY-MIN }}`: |SAME AS|.
    Minimum,
    /// `{{ + HISTORY-MOD }}`: |SAME AS|, |REPLACED BY|, |WAS A|, |PARTIALLY EQUIVALENT TO|.
    Moderate,
    /// `{{ + HISTORY-MAX }}`: over all associations.
    Maximum,
    /// `{{ + HISTORY (…) }}`: over these association reference sets.
    Over(Box<Expression>),
}
