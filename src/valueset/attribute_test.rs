//! What a refinement asks of one concept's attributes, worked out.

use std::cell::LazyCell;
use std::cmp::Ordering;

use crate::terminology::ConceptOrd;

use super::ecl::{Comparison, Direction};
use super::search_term::Wanted;
use super::universe::{HeldAttribute, HeldSource, HeldValue};
use super::{ConceptSet, Position, Universe};

/// What a refinement asks.
pub(super) enum RefinementTest<'u> {
    Attribute(Box<AttributeTest<'u>>),
    /// So many groups, each of which has all this.
    Group {
        range: (u32, Option<u32>),
        content: Box<RefinementTest<'u>>,
    },
    All(Vec<RefinementTest<'u>>),
    Any(Vec<RefinementTest<'u>>),
}

/// What an attribute must be like.
pub(super) struct AttributeTest<'u> {
    pub(super) position: Position,
    pub(super) names: Names,
    /// How often it must be there.
    pub(super) range: (u32, Option<u32>),
    pub(super) direction: Direction,
    pub(super) comparison: Comparison,
    pub(super) value: ValueTest<'u>,
}

/// Which attributes are meant.
pub(super) struct Names {
    /// These, or any.
    set: Option<ConceptSet>,
    /// The only one, which is the usual case: comparing is quicker than looking it up.
    only: Option<ConceptOrd>,
    /// Whether the parents are.
    pub(super) is_a: bool,
}

/// What a value is compared with.
pub(super) enum ValueTest<'u> {
    Concepts(ConceptSet),
    Integer(i64),
    Decimal(f64),
    Text(Vec<Wanted>, &'u dyn Universe),
    Boolean(bool),
}

impl Names {
    /// The number of "is a" among the attributes of a concept, whether or not it is a concept of the
    /// release.
    pub(super) const IS_A: ConceptOrd = ConceptOrd(u32::MAX);

    pub(super) fn any() -> Self {
        Self { set: None, only: None, is_a: false }
    }

    pub(super) fn of(set: ConceptSet, is_a: bool) -> Self {
        let only = set.min().filter(|_| set.len() == 1).map(ConceptOrd);
        Self { set: Some(set), only, is_a }
    }

    pub(super) fn has(&self, attribute: ConceptOrd) -> bool {
        match &self.set {
            _ if attribute == Self::IS_A => self.is_a,
            Some(_) if self.only.is_some() => self.only == Some(attribute),
            Some(set) => set.contains(attribute.0),
            None => true,
        }
    }
}

impl RefinementTest<'_> {
    pub(super) fn holds(&self, held: &[HeldAttribute<'_>], sources: &[HeldSource]) -> bool {
        match self {
            Self::Attribute(test) => test.holds(held, sources),
            Self::All(all) => all.iter().all(|one| one.holds(held, sources)),
            Self::Any(all) => all.iter().any(|one| one.holds(held, sources)),
            Self::Group { range, content } => {
                // They come in the order of their groups.
                let groups = held.chunk_by(|one, next| one.group == next.group);
                let groups = groups.filter(|group| group.first().is_some_and(|one| one.group > 0));
                let holding = groups.filter(|group| content.holds(group, &[])).count();
                is_in(holding, *range)
            }
        }
    }

    /// How many attributes it asks for.
    pub(super) fn size(&self) -> u64 {
        match self {
            Self::Attribute(test) => match &test.value {
                ValueTest::Text(terms, _) => terms.iter().map(Wanted::size).sum(),
                _ => 1,
            },
            Self::Group { content, .. } => content.size(),
            Self::All(all) | Self::Any(all) => all.iter().map(Self::size).sum(),
        }
    }

    pub(super) fn asks_is_a(&self, direction: Direction) -> bool {
        self.any_attribute(&|test| test.names.is_a && test.direction == direction)
    }

    pub(super) fn asks_sources(&self) -> bool {
        self.any_attribute(&|test| test.direction == Direction::Reverse)
    }

    fn any_attribute(&self, is_meant: &dyn Fn(&AttributeTest<'_>) -> bool) -> bool {
        match self {
            Self::Attribute(test) => is_meant(test),
            Self::Group { content, .. } => content.any_attribute(is_meant),
            Self::All(all) | Self::Any(all) => all.iter().any(|one| one.any_attribute(is_meant)),
        }
    }

    /// Where its first attribute stands.
    pub(super) fn position(&self) -> Position {
        match self {
            Self::Attribute(test) => test.position,
            Self::Group { content, .. } => content.position(),
            Self::All(all) | Self::Any(all) => all.first().map(Self::position).unwrap_or_default(),
        }
    }
}

impl AttributeTest<'_> {
    fn holds(&self, held: &[HeldAttribute<'_>], sources: &[HeldSource]) -> bool {
        let count = match self.direction {
            Direction::Forward => {
                let named = held.iter().filter(|one| self.names.has(one.attribute));
                named.filter(|one| self.value.is_like(one.value, self.comparison)).count()
            }
            Direction::Reverse => {
                let named = sources.iter().filter(|one| self.names.has(one.attribute));
                let value = |one: &HeldSource| HeldValue::Concept(one.source);
                named.filter(|one| self.value.is_like(value(one), self.comparison)).count()
            }
        };
        is_in(count, self.range)
    }
}

impl<'u> ValueTest<'u> {
    /// A number as it is written.
    pub(super) fn number(text: &str) -> Self {
        match text.parse() {
            Ok(integer) => Self::Integer(integer),
            // What is too large for a float is compared as infinity.
            Err(_) => Self::Decimal(text.parse().unwrap_or_default()),
        }
    }

    /// Whether a value is compared with this like that. A value of another kind is neither equal nor
    /// unequal to it.
    fn is_like(&self, value: HeldValue<'_>, comparison: Comparison) -> bool {
        let is_equal = match (self, value) {
            (Self::Concepts(set), HeldValue::Concept(value)) => set.contains(value.0),
            (Self::Text(wanted, universe), HeldValue::Text(text)) => {
                let normal = LazyCell::new(|| universe.normalize(text));
                wanted.iter().any(|one| one.is_in(text, &normal))
            }
            (Self::Boolean(flag), HeldValue::Text(text @ ("true" | "false"))) => {
                (text == "true") == *flag
            }
            (Self::Integer(_) | Self::Decimal(_), value) => {
                let order = self.order(value);
                return order.is_some_and(|order| is_ordered(order, comparison));
            }
            _ => return false,
        };
        (comparison == Comparison::Equal) == is_equal
    }

    /// How a number stands to this one.
    #[allow(clippy::cast_precision_loss, reason = "a whole number is compared with a decimal one")]
    fn order(&self, value: HeldValue<'_>) -> Option<Ordering> {
        match (value, self) {
            (HeldValue::Integer(value), Self::Integer(own)) => Some(value.cmp(own)),
            (HeldValue::Integer(value), Self::Decimal(own)) => (value as f64).partial_cmp(own),
            (HeldValue::Decimal(value), Self::Integer(own)) => value.partial_cmp(&(*own as f64)),
            (HeldValue::Decimal(value), Self::Decimal(own)) => value.partial_cmp(own),
            _ => None,
        }
    }
}

fn is_ordered(order: Ordering, comparison: Comparison) -> bool {
    match comparison {
        Comparison::Equal => order.is_eq(),
        Comparison::NotEqual => order.is_ne(),
        Comparison::LessOrEqual => order.is_le(),
        Comparison::Less => order.is_lt(),
        Comparison::GreaterOrEqual => order.is_ge(),
        Comparison::Greater => order.is_gt(),
    }
}

fn is_in(count: usize, (min, max): (u32, Option<u32>)) -> bool {
    count >= min as usize && max.is_none_or(|max| count <= max as usize)
}
