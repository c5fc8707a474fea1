//! Refinements of ECL: which concepts have these attributes.
//!
//! What the refinement asks is worked out once; then each concept that may have it is looked at. Where
//! few values are asked for, the concepts that may have it are those that have one of them.
//!
//! Attributes that stand in no role group, number 0, are in none. Counts are of attributes as the
//! release has them. "Is a" is an attribute where it is named, and no part of "any attribute".

use super::attribute_test::{AttributeTest, Names, RefinementTest, ValueTest};
use super::ecl::*;
use super::evaluate::{Evaluated, Evaluation, ords};
use super::search_term::Wanted;
use super::universe::{HeldAttribute, HeldSource, HeldValue};
use super::{ConceptSet, ExpressionError, Position};

/// 116680003 |Is a|.
const IS_A: &str = "116680003";

impl Evaluation<'_> {
    /// Those of a set that have the attributes.
    pub(super) fn refined(
        &self,
        among: ConceptSet,
        refinement: &Refinement,
    ) -> Evaluated<ConceptSet> {
        let test = self.refinement_test(refinement, Place::Free)?;
        let candidates = self.candidates(&among, &test)?;
        let mut found = ConceptSet::new();
        let (mut held, mut sources) = (Vec::new(), Vec::new());
        for ord in ords(&candidates) {
            held.clear();
            self.universe.attributes(ord, &mut held);
            if test.asks_is_a(Direction::Forward) {
                held.extend(self.is_a(ord.0));
            }
            sources.clear();
            if test.asks_sources() {
                self.universe.sources(ord, &mut sources);
            }
            if test.asks_is_a(Direction::Reverse) {
                sources.extend(self.is_a_of(ord.0));
            }
            let looked_at = (held.len() + sources.len() + 1) as u64;
            self.spend(looked_at.saturating_mul(test.size()), test.position())?;
            if test.holds(&held, &sources) {
                found.insert(ord.0);
            }
        }
        Ok(found)
    }

    /// The parents of a concept as attributes.
    fn is_a(&self, ord: u32) -> Vec<HeldAttribute<'static>> {
        let alone: ConceptSet = [ord].into_iter().collect();
        let parents = self.universe.parents(&alone);
        let held = ords(&parents).map(|parent| HeldAttribute {
            group: 0,
            attribute: Names::IS_A,
            value: HeldValue::Concept(parent),
        });
        held.collect()
    }

    /// The children of a concept as attributes that lead to it.
    fn is_a_of(&self, ord: u32) -> Vec<HeldSource> {
        let alone: ConceptSet = [ord].into_iter().collect();
        let children = self.universe.children(&alone);
        ords(&children).map(|source| HeldSource { source, attribute: Names::IS_A }).collect()
    }

    fn refinement_test(
        &self,
        refinement: &Refinement,
        place: Place,
    ) -> Evaluated<RefinementTest<'_>> {
        let all = |all: &[Refinement]| {
            all.iter().map(|one| self.refinement_test(one, place)).collect::<Evaluated<Vec<_>>>()
        };
        Ok(match refinement {
            Refinement::Brackets(inner) => self.refinement_test(inner, place)?,
            Refinement::And(parts) => RefinementTest::All(all(parts)?),
            Refinement::Or(parts) => RefinementTest::Any(all(parts)?),
            Refinement::Group(group) => RefinementTest::Group {
                range: range(group.cardinality),
                content: Box::new(self.refinement_test(&group.content, Place::Grouped)?),
            },
            Refinement::Attribute(attribute) => {
                let at = attribute.name.position;
                if attribute.direction == Direction::Reverse && place == Place::Grouped {
                    let reason = "what leads to a concept is in no group of its own";
                    return Err(ExpressionError::unsupported(at, "R in a group", reason));
                }
                RefinementTest::Attribute(Box::new(AttributeTest {
                    position: at,
                    names: self.names(&attribute.name)?,
                    range: range(attribute.cardinality),
                    direction: attribute.direction,
                    comparison: attribute.comparison,
                    value: self.value_test(&attribute.value, attribute.direction, at)?,
                }))
            }
        })
    }

    fn names(&self, name: &SubExpression) -> Evaluated<Names> {
        let refuse = || {
            let reason = "no attributes are loaded";
            Err(ExpressionError::unsupported(name.position, name.to_string(), reason))
        };
        if *name == SubExpression::of(Focus::Wildcard) {
            return if self.universe.has_attributes() { Ok(Names::any()) } else { refuse() };
        }
        let set = self.sub_expression(name)?;
        let is_named = name.concept().is_some_and(|concept| concept.id == IS_A);
        let is_a = self.universe.find(IS_A).is_some_and(|is_a| set.contains(is_a.0)) || is_named;
        if !is_a && !self.universe.has_attributes() {
            return refuse();
        }
        Ok(Names::of(set, is_a))
    }

    fn value_test(
        &self,
        value: &Value,
        direction: Direction,
        at: Position,
    ) -> Evaluated<ValueTest<'_>> {
        if direction == Direction::Reverse && !matches!(value, Value::Expression(_)) {
            let reason = "only concepts have attributes that lead to another one";
            return Err(ExpressionError::unsupported(at, "R with a value", reason));
        }
        Ok(match value {
            Value::Expression(expression) => ValueTest::Concepts(self.sub_expression(expression)?),
            Value::Number(number) => ValueTest::number(number),
            Value::Text(terms) => {
                let wanted = |term| Wanted::new(term, |text| self.universe.normalize(text));
                ValueTest::Text(terms.iter().map(wanted).collect(), self.universe)
            }
            Value::Boolean(flag) => ValueTest::Boolean(*flag),
        })
    }

    /// The concepts of a set that may pass, fewer than all where that is cheap to know.
    fn candidates(&self, among: &ConceptSet, test: &RefinementTest) -> Evaluated<ConceptSet> {
        match test {
            RefinementTest::Attribute(attribute) => self.candidates_by_value(among, attribute),
            RefinementTest::Group { range, content } if range.0 > 0 => {
                self.candidates(among, content)
            }
            RefinementTest::Group { .. } => Ok(among.clone()),
            RefinementTest::All(all) => {
                all.iter().try_fold(among.clone(), |left, one| self.candidates(&left, one))
            }
            RefinementTest::Any(all) => all
                .iter()
                .try_fold(ConceptSet::new(), |any, one| Ok(any | self.candidates(among, one)?)),
        }
    }

    fn candidates_by_value(
        &self,
        among: &ConceptSet,
        test: &AttributeTest<'_>,
    ) -> Evaluated<ConceptSet> {
        let (ValueTest::Concepts(values), Comparison::Equal) = (&test.value, test.comparison)
        else {
            return Ok(among.clone());
        };
        if test.range.0 == 0 || values.len() > among.len() {
            return Ok(among.clone());
        }
        self.spend(values.len(), test.position)?;
        if test.direction == Direction::Reverse {
            let targets = self.targets(values, &test.names, test.position)?;
            return Ok(targets & among);
        }
        let count = |ord| self.universe.source_count(ord);
        let sources: u64 = ords(values).map(count).fold(0, u64::saturating_add);
        if sources > among.len() || test.names.is_a {
            return Ok(among.clone());
        }
        let (mut found, mut held) = (ConceptSet::new(), Vec::new());
        for value in ords(values) {
            held.clear();
            self.universe.sources(value, &mut held);
            self.spend(held.len() as u64, test.position)?;
            let meant = held.iter().filter(|one| test.names.has(one.attribute));
            found.extend(meant.map(|one| one.source.0));
        }
        Ok(found & among)
    }

    /// The values of the attributes of a set of concepts.
    pub(super) fn values_of(&self, of: &ConceptSet, name: &SubExpression) -> Evaluated<ConceptSet> {
        let names = self.names(name)?;
        self.targets(of, &names, name.position)
    }

    fn targets(&self, of: &ConceptSet, names: &Names, at: Position) -> Evaluated<ConceptSet> {
        let (mut found, mut held) = (ConceptSet::new(), Vec::new());
        if names.is_a {
            found |= self.paid(self.universe.parents(of), at)?;
        }
        for ord in ords(of) {
            held.clear();
            self.universe.attributes(ord, &mut held);
            self.spend(1 + held.len() as u64, at)?;
            for one in held.iter().filter(|one| names.has(one.attribute)) {
                if let HeldValue::Concept(value) = one.value {
                    found.insert(value.0);
                }
            }
        }
        Ok(found)
    }
}

/// Where an attribute stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Outside of groups.
    Free,
    /// In one.
    Grouped,
}

fn range(cardinality: Option<Cardinality>) -> (u32, Option<u32>) {
    cardinality.map_or((1, None), |cardinality| (cardinality.min, cardinality.max))
}
