//! ECL, from tree to set.
//!
//! The substrate is the release that is loaded: its concepts, retired ones among them (`*` is all of
//! them; retired ones have lost their place in the hierarchy), the names in use, the members in use.
//! A concept that the release does not have is the empty set, and is told. Historical associations
//! are reference sets too.

use std::collections::BTreeSet;

use crate::terminology::{PropertyValue, property};

use super::ecl::*;
use super::evaluate::{Evaluated, Evaluation, ords};
use super::{ConceptSet, ExpressionError, Position};

const REFERENCED_COMPONENT: &str = "referencedComponentId";
const TARGET_COMPONENT: &str = "targetComponentId";

impl Evaluation<'_> {
    pub(super) fn expression(&self, expression: &Expression) -> Evaluated<ConceptSet> {
        match expression {
            Expression::Simple(one) => self.sub_expression(one),
            Expression::And(all) => {
                let mut sets = all.iter().map(|one| self.sub_expression(one));
                let first = sets.next().unwrap_or_else(|| Ok(self.all()))?;
                sets.try_fold(first, |both, set| Ok(both & set?))
            }
            Expression::Or(all) => all
                .iter()
                .try_fold(ConceptSet::new(), |any, one| Ok(any | self.sub_expression(one)?)),
            Expression::Minus(pair) => {
                Ok(self.sub_expression(&pair[0])? - self.sub_expression(&pair[1])?)
            }
            Expression::Refined(focus, refinement) => {
                let focus = self.sub_expression(focus)?;
                self.refined(focus, refinement)
            }
            Expression::Dotted(focus, attributes) => {
                let focus = self.sub_expression(focus)?;
                attributes.iter().try_fold(focus, |set, name| self.values_of(&set, name))
            }
        }
    }

    /// First the focus, then its members, then where the operator leads, then the filters of that, and
    /// the history of what is left.
    pub(super) fn sub_expression(&self, one: &SubExpression) -> Evaluated<ConceptSet> {
        let at = one.position;
        self.spend(1, at)?;
        let start = match &one.member_of {
            Some(member_of) => self.members(one, member_of)?,
            None => self.focus(&one.focus, at)?,
        };
        let mut found = match one.operator {
            Some(operator) => self.follow(operator, &start, at)?,
            None => start,
        };
        for filter in &one.filters {
            found = match filter {
                Filter::Concept(filters) => self.concept_filters(found, filters, at)?,
                Filter::Description(filters) => self.description_filters(&found, filters, at)?,
                // They were seen to with the members.
                Filter::Member(_) => found,
            };
        }
        match &one.history {
            Some(history) => Ok(self.history(&found, history, at)? | found),
            None => Ok(found),
        }
    }

    fn focus(&self, focus: &Focus, at: Position) -> Evaluated<ConceptSet> {
        match focus {
            Focus::Wildcard => self.paid(self.all(), at),
            Focus::Concept(concept) => Ok(self.one(&concept.id)),
            Focus::Identifier(identifier) => Err(ExpressionError::unsupported(
                at,
                identifier.to_string(),
                "identifiers of other schemes are not loaded",
            )),
            Focus::Nested(inner) => self.expression(inner),
        }
    }

    /// Where an operator leads from a set.
    pub(super) fn follow(
        &self,
        operator: Operator,
        set: &ConceptSet,
        at: Position,
    ) -> Evaluated<ConceptSet> {
        let universe = self.universe;
        if !universe.has_hierarchy() {
            let reason = "the terminology that is loaded has no hierarchy";
            return Err(ExpressionError::unsupported(at, operator.symbol(), reason));
        }
        self.spend(set.len(), at)?;
        let found = match operator {
            Operator::DescendantOf => universe.descendants(set),
            Operator::DescendantOrSelfOf => universe.descendants(set) | set,
            Operator::ChildOf => universe.children(set),
            Operator::ChildOrSelfOf => universe.children(set) | set,
            Operator::AncestorOf => universe.ancestors(set),
            Operator::AncestorOrSelfOf => universe.ancestors(set) | set,
            Operator::ParentOf => universe.parents(set),
            Operator::ParentOrSelfOf => universe.parents(set) | set,
            Operator::Top => set - universe.descendants(set),
            Operator::Bottom => set - universe.ancestors(set),
        };
        self.paid(found, at)
    }

    /// The members of the reference sets of a focus, or what their fields hold.
    fn members(&self, one: &SubExpression, member_of: &MemberOf) -> Evaluated<ConceptSet> {
        let at = one.position;
        let refuse = |feature: &str, reason| Err(ExpressionError::unsupported(at, feature, reason));
        let asks_target = match member_of {
            MemberOf::Members => false,
            MemberOf::Fields(fields) => match fields.as_slice() {
                [field] if field.eq_ignore_ascii_case(REFERENCED_COMPONENT) => false,
                [field] if field.eq_ignore_ascii_case(TARGET_COMPONENT) => true,
                _ => {
                    return refuse(
                        "^ [fields]",
                        "only one field that holds concepts is a set of them",
                    );
                }
            },
            MemberOf::AllFields => {
                return refuse("^ [*]", "only one field that holds concepts is a set of them");
            }
        };
        if one.focus == Focus::Wildcard {
            return refuse(
                "^ *",
                "not all reference sets of a release are loaded; name those you mean",
            );
        }
        let refsets = self.codes_of_focus(&one.focus, at)?;
        let targets = self.member_targets(&one.filters, at)?;
        let is_one_of_many = refsets.len() > 1;
        let mut found = ConceptSet::new();
        for refset in &refsets {
            if let Some(name) = association(refset) {
                found |= match asks_target {
                    true => self.association_targets(name, targets.as_ref(), at)?,
                    false => self.associated(&[name], targets.as_ref(), &self.all(), at)?.0,
                };
                continue;
            }
            if asks_target || targets.is_some() {
                return refuse(
                    &format!("the field {TARGET_COMPONENT} of {refset}"),
                    "it is not loaded",
                );
            }
            let members = self.universe.members(refset).map_err(Self::data(at))?;
            match members {
                Some(members) => found |= self.paid(members, at)?,
                // A group of reference sets has no members of its own.
                None if is_one_of_many && self.has_children(refset) => {}
                None => return refuse(&format!("^ {refset}"), "its members are not loaded"),
            }
        }
        Ok(found)
    }

    fn has_children(&self, code: &str) -> bool {
        self.universe.find(code).is_some_and(|ord| {
            let alone: ConceptSet = [ord.0].into_iter().collect();
            !self.universe.children(&alone).is_empty()
        })
    }

    /// What the filters ask of the target of an association; `None` where they do not.
    fn member_targets(&self, filters: &[Filter], at: Position) -> Evaluated<Option<ConceptSet>> {
        let mut targets: Option<ConceptSet> = None;
        let member = filters.iter().filter_map(|filter| match filter {
            Filter::Member(filters) => Some(filters),
            _ => None,
        });
        for filter in member.flatten() {
            match filter {
                // Only members in use are loaded.
                MemberFilter::Active(comparison, active)
                    if (*comparison == Comparison::Equal) == *active => {}
                MemberFilter::Field(
                    name,
                    comparison,
                    MemberValue::Value(Value::Expression(of)),
                ) if name.eq_ignore_ascii_case(TARGET_COMPONENT) => {
                    let mut set = self.sub_expression(of)?;
                    if *comparison == Comparison::NotEqual {
                        set = self.all() - set;
                    }
                    targets = Some(match targets {
                        Some(before) => before & set,
                        None => set,
                    });
                }
                other => {
                    let reason = "of members, only whom they belong to is loaded";
                    return Err(ExpressionError::unsupported(at, other.to_string(), reason));
                }
            }
        }
        Ok(targets)
    }

    /// The retired concepts that lead to one of these.
    fn history(&self, of: &ConceptSet, history: &History, at: Position) -> Evaluated<ConceptSet> {
        let names: Vec<&str> = match history {
            History::Minimum => vec!["sameAs"],
            History::Moderate => {
                vec!["sameAs", property::REPLACED_BY, "wasA", "partiallyEquivalentTo"]
            }
            History::All | History::Maximum => {
                property::ASSOCIATIONS.iter().map(|(_, name)| *name).collect()
            }
            History::Over(refsets) => {
                let refsets = self.codes_of(refsets, at)?;
                let name = |refset: &String| {
                    association(refset).ok_or_else(|| {
                        let reason = "it is no historical association that is loaded";
                        ExpressionError::unsupported(at, refset.clone(), reason)
                    })
                };
                refsets.iter().map(name).collect::<Evaluated<_>>()?
            }
        };
        let all = self.all();
        let retired = ords(&all).filter(|ord| !self.universe.is_active(*ord));
        let retired: ConceptSet = retired.map(|ord| ord.0).collect();
        let (found, any) = self.associated(&names, Some(of), &retired, at)?;
        if !any && !retired.is_empty() {
            let reason = "no historical associations are loaded";
            return Err(ExpressionError::unsupported(at, "HISTORY", reason));
        }
        Ok(found)
    }

    /// The concepts among these that an association leads from, to one of the targets; and whether
    /// there is any association.
    fn associated(
        &self,
        names: &[&str],
        targets: Option<&ConceptSet>,
        among: &ConceptSet,
        at: Position,
    ) -> Evaluated<(ConceptSet, bool)> {
        self.scan_properties(among, at, &|one| {
            property::ASSOCIATIONS.iter().find(|(_, name)| *name == one.code)?;
            let is_target = |targets: &ConceptSet| match &one.value {
                PropertyValue::Code(code) => {
                    self.universe.find(code).is_some_and(|ord| targets.contains(ord.0))
                }
                _ => false,
            };
            Some(names.contains(&one.code.as_str()) && targets.is_none_or(is_target))
        })
    }

    fn association_targets(
        &self,
        name: &str,
        among: Option<&ConceptSet>,
        at: Position,
    ) -> Evaluated<ConceptSet> {
        let mut found = ConceptSet::new();
        for ord in ords(&self.all()) {
            for one in self.properties(ord, at)? {
                if let PropertyValue::Code(code) = &one.value
                    && one.code == name
                {
                    found.extend(self.universe.find(code).map(|ord| ord.0));
                }
            }
        }
        Ok(match among {
            Some(among) => found & among,
            None => found,
        })
    }

    /// The codes that an expression means. Those that it names are meant also where the release does
    /// not have them as concepts.
    fn codes_of(&self, expression: &Expression, at: Position) -> Evaluated<BTreeSet<String>> {
        match expression {
            Expression::Simple(one) => self.codes_of_sub(one),
            Expression::Or(all) => {
                let mut codes = BTreeSet::new();
                for one in all {
                    codes.append(&mut self.codes_of_sub(one)?);
                }
                Ok(codes)
            }
            other => self.codes_in(&self.expression(other)?, at),
        }
    }

    fn codes_of_sub(&self, one: &SubExpression) -> Evaluated<BTreeSet<String>> {
        let is_bare = one.operator.is_none()
            && one.member_of.is_none()
            && one.filters.is_empty()
            && one.history.is_none();
        match &one.focus {
            focus if is_bare => self.codes_of_focus(focus, one.position),
            _ => self.codes_in(&self.sub_expression(one)?, one.position),
        }
    }

    fn codes_of_focus(&self, focus: &Focus, at: Position) -> Evaluated<BTreeSet<String>> {
        match focus {
            Focus::Concept(concept) => Ok(BTreeSet::from([concept.id.clone()])),
            Focus::Nested(inner) => self.codes_of(inner, at),
            other => self.codes_in(&self.focus(other, at)?, at),
        }
    }

    fn codes_in(&self, set: &ConceptSet, at: Position) -> Evaluated<BTreeSet<String>> {
        self.spend(set.len(), at)?;
        Ok(ords(set).map(|ord| self.universe.code(ord).to_owned()).collect())
    }

    pub(super) fn codes_of_choice(&self, choice: &ConceptChoice) -> Evaluated<BTreeSet<String>> {
        match choice {
            ConceptChoice::Expression(one) => self.codes_of_sub(one),
            ConceptChoice::Set(all) => Ok(all.iter().map(|concept| concept.id.clone()).collect()),
        }
    }
}

/// The property that the members of an association reference set are.
fn association(refset: &str) -> Option<&'static str> {
    let id: u64 = refset.parse().ok()?;
    property::ASSOCIATIONS.iter().find(|(known, _)| *known == id).map(|(_, name)| *name)
}
