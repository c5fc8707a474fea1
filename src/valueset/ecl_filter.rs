use super::ecl::{Comparison, ConceptReference, SubExpression, Value};

/// What stands in double braces behind a sub-expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Filter {
    /// `{{ D … }}`: one name of the concept must be like all of this.
    Description(Vec<DescriptionFilter>),
    /// `{{ C … }}`: the concept must be like all of this.
    Concept(Vec<ConceptFilter>),
    /// `{{ M … }}`: one membership must be like all of this.
    Member(Vec<MemberFilter>),
}

/// What a name of a concept must be like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DescriptionFilter {
    /// `term = ("heart" wild:"*attack")`: like any of the texts.
    Term(Comparison, Vec<SearchTerm>),
    /// `language = en`: in any of the languages, two letters each.
    Language(Comparison, Vec<String>),
    /// `type = (syn fsn)`: any of the types.
    Type(Comparison, Vec<DescriptionType>),
    /// `typeId = 900000000000013009`.
    TypeId(Comparison, ConceptChoice),
    /// `dialect = en-gb (prefer)`, `dialectId = 900000000000508004`.
    Dialect(Comparison, Dialects),
    /// `moduleId = 900000000000207008`.
    Module(Comparison, ConceptChoice),
    /// `effectiveTime >= "20250101"`: any of the days; an empty text is no day.
    EffectiveTime(Comparison, Vec<String>),
    /// `active = true`.
    Active(Comparison, bool),
    /// `id = 754786011`: any of the identifiers.
    Id(Comparison, Vec<String>),
}

/// What a concept must be like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConceptFilter {
    /// `definitionStatus = defined`: any of the statuses.
    DefinitionStatus(Comparison, Vec<DefinitionStatus>),
    /// `definitionStatusId = 900000000000073002`.
    DefinitionStatusId(Comparison, ConceptChoice),
    /// `moduleId = 900000000000207008`.
    Module(Comparison, ConceptChoice),
    /// `effectiveTime >= "20250101"`.
    EffectiveTime(Comparison, Vec<String>),
    /// `active = true`.
    Active(Comparison, bool),
}

/// What a member of a reference set must be like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberFilter {
    /// `moduleId = 900000000000207008`.
    Module(Comparison, ConceptChoice),
    /// `effectiveTime >= "20250101"`.
    EffectiveTime(Comparison, Vec<String>),
    /// `active = true`.
    Active(Comparison, bool),
    /// `mapTarget = "J45.9"`.
    Field(String, Comparison, MemberValue),
}

/// What a field of a member is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberValue {
    /// A concept, number, text or flag.
    Value(Value),
    /// Days, where an order is asked for.
    Days(Vec<String>),
}

/// A text to look for in names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchTerm {
    /// How it is looked for.
    pub kind: SearchKind,
    /// What stands between the quotation marks, with its backslashes.
    pub text: String,
}

/// How a text is looked for in names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchKind {
    /// `match:`: each word is the beginning of a word, in any order. This is so where nothing is said.
    Match,
    /// `wild:`: the whole name, where `*` stands for any letters.
    Wild,
}

/// The type of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DescriptionType {
    /// `syn`
    Synonym,
    /// `fsn`
    FullySpecifiedName,
    /// `def`
    Definition,
}

impl DescriptionType {
    /// How the brief syntax writes it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Synonym => "syn",
            Self::FullySpecifiedName => "fsn",
            Self::Definition => "def",
        }
    }
}

/// Whether a concept's attributes say all that it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefinitionStatus {
    /// They are necessary.
    Primitive,
    /// They are necessary and sufficient.
    Defined,
}

impl DefinitionStatus {
    /// How it is written.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Primitive => "primitive",
            Self::Defined => "defined",
        }
    }
}

/// Concepts that a field may have as its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConceptChoice {
    /// Those of an expression.
    Expression(Box<SubExpression>),
    /// `(123456 234567)`: these, two at least.
    Set(Vec<ConceptReference>),
}

/// Which dialects, and how a name stands in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialects {
    /// Which dialects.
    pub choice: DialectChoice,
    /// How a name must stand in those that say nothing of their own.
    pub acceptability: Option<Acceptability>,
}

/// Which dialects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DialectChoice {
    /// By alias: `en-gb`.
    Aliases(Vec<(String, Option<Acceptability>)>),
    /// By language reference set, in brackets.
    Ids(Vec<(ConceptReference, Option<Acceptability>)>),
    /// The language reference sets of an expression.
    Expression(Box<SubExpression>),
}

/// How a name stands in a dialect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Acceptability {
    /// By words: `(accept prefer)`.
    Words(Vec<AcceptabilityWord>),
    /// By concepts.
    Concepts(Vec<ConceptReference>),
}

/// How a name stands in a dialect, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AcceptabilityWord {
    /// `accept`
    Acceptable,
    /// `prefer`
    Preferred,
}

impl AcceptabilityWord {
    /// How the brief syntax writes it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Acceptable => "accept",
            Self::Preferred => "prefer",
        }
    }
}
