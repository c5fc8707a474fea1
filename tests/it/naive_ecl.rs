//! ECL over a list of concepts, the slow and simple way: what the real evaluation must agree with.

use std::collections::{BTreeMap, BTreeSet};

use medterm::terminology::{Concept, PropertyValue, RelationValue, property};
use medterm::text::normalize;
use medterm::valueset::ecl::*;

pub(crate) type Codes = BTreeSet<String>;

/// A release, and the attribute that its parents are.
pub(crate) struct Naive<'c> {
    concepts: BTreeMap<&'c str, &'c Concept>,
    above: BTreeMap<&'c str, Codes>,
}

const IS_A: &str = "116680003";

impl<'c> Naive<'c> {
    pub(crate) fn new(concepts: &'c [Concept]) -> Self {
        let concepts: BTreeMap<&str, &Concept> =
            concepts.iter().map(|concept| (concept.code.as_str(), concept)).collect();
        let mut naive = Self { concepts, above: BTreeMap::new() };
        let codes: Vec<&str> = naive.concepts.keys().copied().collect();
        for code in codes {
            let mut above = naive.parents(code);
            loop {
                let next: Codes =
                    above.iter().flat_map(|one| naive.parents(one)).chain(above.clone()).collect();
                if next == above {
                    break;
                }
                above = next;
            }
            naive.above.insert(code, above);
        }
        naive
    }

    fn all(&self) -> Codes {
        self.concepts.keys().map(|code| (*code).to_owned()).collect()
    }

    fn those(&self, is_meant: impl Fn(&Concept) -> bool) -> Codes {
        let meant = self.concepts.iter().filter(|(_, concept)| is_meant(concept));
        meant.map(|(code, _)| (*code).to_owned()).collect()
    }

    fn parents(&self, code: &str) -> Codes {
        let parents = self.concepts.get(code).map(|one| one.parents.as_slice()).unwrap_or_default();
        let known = parents.iter().filter(|one| self.concepts.contains_key(one.as_str()));
        known.map(ToString::to_string).collect()
    }

    pub(crate) fn expression(&self, expression: &Expression) -> Codes {
        match expression {
            Expression::Simple(one) => self.sub(one),
            Expression::And(all) => {
                let all: Vec<Codes> = all.iter().map(|one| self.sub(one)).collect();
                self.those(|one| all.iter().all(|set| set.contains(one.code.as_str())))
            }
            Expression::Or(all) => all.iter().flat_map(|one| self.sub(one)).collect(),
            Expression::Minus(pair) => &self.sub(&pair[0]) - &self.sub(&pair[1]),
            Expression::Refined(focus, refinement) => {
                let focus = self.sub(focus);
                focus.into_iter().filter(|code| self.refined(code, refinement)).collect()
            }
            Expression::Dotted(focus, names) => names.iter().fold(self.sub(focus), |set, name| {
                let rows = set.iter().flat_map(|code| self.rows(code));
                let named = rows.filter(|row| self.is_named(name, &row.attribute));
                named
                    .filter_map(|row| match row.value {
                        RelationValue::Concept(code) => Some(code.to_string()),
                        _ => None,
                    })
                    .collect()
            }),
        }
    }

    fn sub(&self, one: &SubExpression) -> Codes {
        let mut set = match &one.focus {
            Focus::Wildcard => self.all(),
            Focus::Concept(concept) => self.those(|own| own.code.as_str() == concept.id),
            Focus::Nested(inner) => self.expression(inner),
            Focus::Identifier(_) => panic!("not asked"),
        };
        if one.member_of.is_some() {
            set = self.those(|own| own.refsets.iter().any(|refset| set.contains(refset.as_str())));
        }
        if let Some(operator) = one.operator {
            set = self.follow(operator, &set);
        }
        for filter in &one.filters {
            set.retain(|code| self.passes(self.concepts[code.as_str()], filter));
        }
        if let Some(history) = &one.history {
            set = &set | &self.history(history, &set);
        }
        set
    }

    fn follow(&self, operator: Operator, set: &Codes) -> Codes {
        let above: Codes = set.iter().flat_map(|code| self.above[code.as_str()].clone()).collect();
        let below = self.those(|one| !self.above[one.code.as_str()].is_disjoint(set));
        let parents: Codes = set.iter().flat_map(|code| self.parents(code)).collect();
        let children = self.those(|one| !self.parents(one.code.as_str()).is_disjoint(set));
        match operator {
            Operator::DescendantOf => below,
            Operator::DescendantOrSelfOf => &below | set,
            Operator::ChildOf => children,
            Operator::ChildOrSelfOf => &children | set,
            Operator::AncestorOf => above,
            Operator::AncestorOrSelfOf => &above | set,
            Operator::ParentOf => parents,
            Operator::ParentOrSelfOf => &parents | set,
            Operator::Top => set - &below,
            Operator::Bottom => set - &above,
        }
    }

    fn rows(&self, code: &str) -> Vec<Row> {
        let concept = self.concepts[code];
        let known = |code: &str| self.concepts.contains_key(code);
        let own = concept.relations.iter().filter(|one| {
            known(one.attribute.as_str())
                && !matches!(&one.value, RelationValue::Concept(code) if !known(code.as_str()))
        });
        let mut rows: Vec<Row> = own
            .map(|one| Row {
                source: code.to_owned(),
                group: one.group,
                attribute: one.attribute.to_string(),
                value: one.value.clone(),
            })
            .collect();
        rows.extend(concept.parents.iter().filter(|one| known(one.as_str())).map(|parent| Row {
            source: code.to_owned(),
            group: 0,
            attribute: IS_A.to_owned(),
            value: RelationValue::Concept(parent.clone()),
        }));
        rows
    }

    /// "Is a" is an attribute where it is named.
    fn is_named(&self, name: &SubExpression, attribute: &str) -> bool {
        if *name == SubExpression::of(Focus::Wildcard) {
            return attribute != IS_A;
        }
        name.concept().is_some_and(|concept| concept.id == attribute)
            || self.sub(name).contains(attribute)
    }

    fn refined(&self, code: &str, refinement: &Refinement) -> bool {
        self.holds(code, &self.rows(code), refinement)
    }

    fn holds(&self, code: &str, rows: &[Row], refinement: &Refinement) -> bool {
        match refinement {
            Refinement::Brackets(inner) => self.holds(code, rows, inner),
            Refinement::And(all) => all.iter().all(|one| self.holds(code, rows, one)),
            Refinement::Or(all) => all.iter().any(|one| self.holds(code, rows, one)),
            Refinement::Group(group) => {
                let numbers: BTreeSet<u16> = rows.iter().map(|row| row.group).collect();
                let holding = numbers.into_iter().filter(|number| {
                    let own = rows.iter().filter(|row| row.group == *number).cloned();
                    *number > 0 && self.holds(code, &own.collect::<Vec<_>>(), &group.content)
                });
                is_in(holding.count(), group.cardinality)
            }
            Refinement::Attribute(one) => {
                let reversed: Vec<Row>;
                let rows = if one.direction == Direction::Reverse {
                    let all = self.concepts.keys().flat_map(|source| self.rows(source));
                    let to = |row: &Row| matches!(&row.value, RelationValue::Concept(to) if to.as_str() == code);
                    reversed = all
                        .filter(to)
                        .map(|row| {
                            let source = medterm::terminology::Code::new(&row.source);
                            Row { value: RelationValue::Concept(source.expect("a code")), ..row }
                        })
                        .collect();
                    &reversed
                } else {
                    rows
                };
                let named = rows.iter().filter(|row| self.is_named(&one.name, &row.attribute));
                let meant =
                    named.filter(|row| self.is_like(&row.value, one.comparison, &one.value));
                is_in(meant.count(), one.cardinality)
            }
        }
    }

    fn is_like(&self, value: &RelationValue, comparison: Comparison, asked: &Value) -> bool {
        let equal = match (value, asked) {
            (RelationValue::Concept(code), Value::Expression(set)) => {
                self.sub(set).contains(code.as_str())
            }
            (RelationValue::Text(text), Value::Text(terms)) => {
                terms.iter().any(|term| is_found(text, &term.text))
            }
            (RelationValue::Text(text), Value::Boolean(flag)) => match text.as_str() {
                "true" => *flag,
                "false" => !*flag,
                _ => return false,
            },
            (RelationValue::Integer(_) | RelationValue::Decimal(_), Value::Number(asked)) => {
                let value = match value {
                    #[allow(clippy::cast_precision_loss, reason = "they are small")]
                    RelationValue::Integer(value) => *value as f64,
                    RelationValue::Decimal(value) => *value,
                    _ => f64::NAN,
                };
                let asked: f64 = asked.parse().expect("a number");
                return match comparison {
                    Comparison::Equal => value == asked,
                    Comparison::NotEqual => value != asked,
                    Comparison::LessOrEqual => value <= asked,
                    Comparison::Less => value < asked,
                    Comparison::GreaterOrEqual => value >= asked,
                    Comparison::Greater => value > asked,
                };
            }
            _ => return false,
        };
        (comparison == Comparison::Equal) == equal
    }

    fn passes(&self, concept: &Concept, filter: &Filter) -> bool {
        let is = |comparison: &Comparison, equal: bool| (*comparison == Comparison::Equal) == equal;
        match filter {
            Filter::Concept(filters) => filters.iter().all(|filter| match filter {
                ConceptFilter::Active(comparison, active) => {
                    is(comparison, concept.active == *active)
                }
                ConceptFilter::DefinitionStatus(comparison, statuses) => {
                    let own = match concept.flag("sufficientlyDefined") {
                        Some(true) => DefinitionStatus::Defined,
                        _ => DefinitionStatus::Primitive,
                    };
                    is(comparison, statuses.contains(&own))
                }
                ConceptFilter::Module(comparison, ConceptChoice::Set(modules)) => {
                    let own = values(concept, "moduleId");
                    is(comparison, modules.iter().any(|module| own.contains(&module.id.as_str())))
                }
                other => panic!("{other} is not asked"),
            }),
            Filter::Description(filters) => {
                let display = ("en", concept.display.as_str());
                let others = concept.designations.iter().filter(|one| one.source.is_none());
                let others = others.map(|one| (one.language.as_str(), one.value.as_str()));
                std::iter::once(display).chain(others).any(|(language, name)| {
                    filters.iter().all(|filter| match filter {
                        DescriptionFilter::Term(comparison, terms) => {
                            is(comparison, terms.iter().any(|term| is_found(name, &term.text)))
                        }
                        DescriptionFilter::Language(comparison, codes) => {
                            is(comparison, codes.iter().any(|code| language.starts_with(code)))
                        }
                        other => panic!("{other} is not asked"),
                    })
                })
            }
            Filter::Member(_) => true,
        }
    }

    fn history(&self, history: &History, targets: &Codes) -> Codes {
        let names: Vec<&str> = match history {
            History::Minimum => vec!["sameAs"],
            History::Moderate => {
                vec!["sameAs", property::REPLACED_BY, "wasA", "partiallyEquivalentTo"]
            }
            _ => property::ASSOCIATIONS.iter().map(|(_, name)| *name).collect(),
        };
        self.those(|one| {
            let mut targeted = names.iter().flat_map(|name| values(one, name));
            !one.active && targeted.any(|code| targets.contains(code))
        })
    }
}

#[derive(Debug, Clone)]
struct Row {
    source: String,
    group: u16,
    attribute: String,
    value: RelationValue,
}

fn is_in(count: usize, cardinality: Option<Cardinality>) -> bool {
    let cardinality = cardinality.unwrap_or(Cardinality { min: 1, max: None });
    count >= cardinality.min as usize && cardinality.max.is_none_or(|max| count <= max as usize)
}

/// Whether each word begins a word of the name.
fn is_found(name: &str, words: &str) -> bool {
    let (name, words) = (normalize(name), normalize(words));
    words.split(' ').all(|word| name.split(' ').any(|own| own.starts_with(word)))
}

fn values<'c>(concept: &'c Concept, name: &str) -> Vec<&'c str> {
    let own = concept.properties.iter().filter(|one| one.code == name);
    own.filter_map(|one| match &one.value {
        PropertyValue::Code(code) => Some(code.as_str()),
        _ => None,
    })
    .collect()
}
