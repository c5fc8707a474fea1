//! ECL as it is printed: the brief syntax, one space around operators.

use std::fmt::{self, Display, Formatter, Result};

use super::ecl::*;
use super::ecl_parse::is_identifier;

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Simple(one) => one.fmt(f),
            Self::And(all) => separated(f, all, " AND "),
            Self::Or(all) => separated(f, all, " OR "),
            Self::Minus(pair) => separated(f, pair.as_slice(), " MINUS "),
            Self::Refined(focus, refinement) => write!(f, "{focus} : {refinement}"),
            Self::Dotted(focus, attributes) => {
                write!(f, "{focus} . ")?;
                separated(f, attributes, " . ")
            }
        }
    }
}

impl Display for SubExpression {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if let Some(operator) = self.operator {
            write!(f, "{} ", operator.symbol())?;
        }
        match &self.member_of {
            None => {}
            Some(MemberOf::Members) => f.write_str("^ ")?,
            Some(MemberOf::AllFields) => f.write_str("^ [*] ")?,
            Some(MemberOf::Fields(fields)) => write!(f, "^ [{}] ", fields.join(", "))?,
        }
        self.focus.fmt(f)?;
        for filter in &self.filters {
            write!(f, " {filter}")?;
        }
        match &self.history {
            None => Ok(()),
            Some(history) => write!(f, " {{{{ + {history} }}}}"),
        }
    }
}

impl Display for Focus {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Wildcard => f.write_str("*"),
            Self::Concept(concept) => concept.fmt(f),
            Self::Identifier(identifier) => identifier.fmt(f),
            Self::Nested(inner) => write!(f, "({inner})"),
        }
    }
}

impl Display for ConceptReference {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(&self.id)?;
        term(f, self.term.as_deref())
    }
}

impl Display for AlternateIdentifier {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self { scheme, code, .. } = self;
        let is_bare = |letter: char| letter.is_ascii_alphanumeric() || "-._".contains(letter);
        if code.chars().all(is_bare) {
            write!(f, "{scheme}#{code}")?;
        } else {
            write!(f, "\"{scheme}#{code}\"")?;
        }
        term(f, self.term.as_deref())
    }
}

fn term(f: &mut Formatter<'_>, term: Option<&str>) -> Result {
    term.map_or(Ok(()), |term| write!(f, " |{term}|"))
}

impl Display for Refinement {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Attribute(attribute) => attribute.fmt(f),
            Self::Group(Group { cardinality, content }) => {
                optional(f, cardinality.as_ref())?;
                write!(f, "{{ {content} }}")
            }
            Self::Brackets(inner) => write!(f, "({inner})"),
            Self::And(all) => separated(f, all, ", "),
            Self::Or(all) => separated(f, all, " OR "),
        }
    }
}

impl Display for Cardinality {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.max {
            Some(max) => write!(f, "[{}..{max}]", self.min),
            None => write!(f, "[{}..*]", self.min),
        }
    }
}

impl Display for Attribute {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        optional(f, self.cardinality.as_ref())?;
        if self.direction == Direction::Reverse {
            f.write_str("R ")?;
        }
        write!(f, "{} {} {}", self.name, self.comparison.symbol(), self.value)
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Expression(value) => value.fmt(f),
            Self::Number(number) => write!(f, "#{number}"),
            Self::Text(terms) => one_or_more(f, terms),
            Self::Boolean(value) => value.fmt(f),
        }
    }
}

impl Display for SearchTerm {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.kind {
            SearchKind::Wild => f.write_str("wild:")?,
            // Without it, it would be read as an identifier of another scheme.
            SearchKind::Match if is_identifier(&self.text) => f.write_str("match:")?,
            SearchKind::Match => {}
        }
        write!(f, "\"{}\"", self.text)
    }
}

impl Display for History {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::All => f.write_str("HISTORY"),
            Self::Minimum => f.write_str("HISTORY-MIN"),
            Self::Moderate => f.write_str("HISTORY-MOD"),
            Self::Maximum => f.write_str("HISTORY-MAX"),
            Self::Over(refsets) => write!(f, "HISTORY ({refsets})"),
        }
    }
}

impl Display for Filter {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Description(all) => {
                f.write_str("{{ D ")?;
                separated(f, all, ", ")?;
            }
            Self::Concept(all) => {
                f.write_str("{{ C ")?;
                separated(f, all, ", ")?;
            }
            Self::Member(all) => {
                f.write_str("{{ M ")?;
                separated(f, all, ", ")?;
            }
        }
        f.write_str(" }}")
    }
}

impl Display for DescriptionFilter {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Term(comparison, terms) => {
                says(f, "term", *comparison)?;
                one_or_more(f, terms)
            }
            Self::Language(comparison, codes) => {
                says(f, "language", *comparison)?;
                one_or_more(f, codes)
            }
            Self::Type(comparison, types) => {
                says(f, "type", *comparison)?;
                one_or_more(f, &types.iter().map(|one| one.word()).collect::<Vec<_>>())
            }
            Self::TypeId(comparison, choice) => {
                says(f, "typeId", *comparison)?;
                choice.fmt(f)
            }
            Self::Dialect(comparison, dialects) => dialect(f, *comparison, dialects),
            Self::Module(comparison, choice) => module(f, *comparison, choice),
            Self::EffectiveTime(comparison, days) => time(f, *comparison, days),
            Self::Active(comparison, active) => {
                says(f, "active", *comparison)?;
                active.fmt(f)
            }
            Self::Id(comparison, ids) => {
                says(f, "id", *comparison)?;
                one_or_more(f, ids)
            }
        }
    }
}

impl Display for ConceptFilter {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::DefinitionStatus(comparison, statuses) => {
                says(f, "definitionStatus", *comparison)?;
                one_or_more(f, &statuses.iter().map(|one| one.word()).collect::<Vec<_>>())
            }
            Self::DefinitionStatusId(comparison, choice) => {
                says(f, "definitionStatusId", *comparison)?;
                choice.fmt(f)
            }
            Self::Module(comparison, choice) => module(f, *comparison, choice),
            Self::EffectiveTime(comparison, days) => time(f, *comparison, days),
            Self::Active(comparison, active) => {
                says(f, "active", *comparison)?;
                active.fmt(f)
            }
        }
    }
}

impl Display for MemberFilter {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Module(comparison, choice) => module(f, *comparison, choice),
            Self::EffectiveTime(comparison, days) => time(f, *comparison, days),
            Self::Active(comparison, active) => {
                says(f, "active", *comparison)?;
                active.fmt(f)
            }
            Self::Field(name, comparison, value) => {
                says(f, name, *comparison)?;
                match value {
                    MemberValue::Value(value) => value.fmt(f),
                    MemberValue::Days(days) => one_or_more(f, &quoted(days)),
                }
            }
        }
    }
}

impl Display for ConceptChoice {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Expression(one) => one.fmt(f),
            Self::Set(all) => bracketed(f, all),
        }
    }
}

impl Display for Acceptability {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Words(all) => bracketed(f, &all.iter().map(|one| one.word()).collect::<Vec<_>>()),
            Self::Concepts(all) => bracketed(f, all),
        }
    }
}

fn dialect(f: &mut Formatter<'_>, comparison: Comparison, dialects: &Dialects) -> Result {
    match &dialects.choice {
        DialectChoice::Expression(one) => {
            says(f, "dialectId", comparison)?;
            one.fmt(f)?;
        }
        DialectChoice::Ids(all) => {
            says(f, "dialectId", comparison)?;
            bracketed(f, &all.iter().map(accepted).collect::<Vec<_>>())?;
        }
        DialectChoice::Aliases(all) => {
            says(f, "dialect", comparison)?;
            match all.as_slice() {
                [(alias, None)] => f.write_str(alias)?,
                all => bracketed(f, &all.iter().map(accepted).collect::<Vec<_>>())?,
            }
        }
    }
    dialects.acceptability.as_ref().map_or(Ok(()), |one| write!(f, " {one}"))
}

fn accepted<T: Display>((dialect, acceptability): &(T, Option<Acceptability>)) -> String {
    match acceptability {
        Some(acceptability) => format!("{dialect} {acceptability}"),
        None => dialect.to_string(),
    }
}

fn says(f: &mut Formatter<'_>, what: &str, comparison: Comparison) -> Result {
    write!(f, "{what} {} ", comparison.symbol())
}

fn module(f: &mut Formatter<'_>, comparison: Comparison, choice: &ConceptChoice) -> Result {
    says(f, "moduleId", comparison)?;
    choice.fmt(f)
}

fn time(f: &mut Formatter<'_>, comparison: Comparison, days: &[String]) -> Result {
    says(f, "effectiveTime", comparison)?;
    one_or_more(f, &quoted(days))
}

fn quoted(days: &[String]) -> Vec<String> {
    days.iter().map(|day| format!("\"{day}\"")).collect()
}

fn optional(f: &mut Formatter<'_>, cardinality: Option<&Cardinality>) -> Result {
    cardinality.map_or(Ok(()), |cardinality| write!(f, "{cardinality} "))
}

/// One as it is, several in brackets.
fn one_or_more<T: Display>(f: &mut Formatter<'_>, all: &[T]) -> Result {
    match all {
        [one] => one.fmt(f),
        all => bracketed(f, all),
    }
}

fn bracketed<T: Display>(f: &mut Formatter<'_>, all: &[T]) -> Result {
    f.write_str("(")?;
    separated(f, all, " ")?;
    f.write_str(")")
}

/// All of them, with this between two.
pub(super) fn separated<T: Display>(
    f: &mut Formatter<'_>,
    all: &[T],
    between: &str,
) -> fmt::Result {
    for (nth, one) in all.iter().enumerate() {
        if nth > 0 {
            f.write_str(between)?;
        }
        one.fmt(f)?;
    }
    Ok(())
}
