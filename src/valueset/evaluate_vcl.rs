//! VCL, from tree to set.
//!
//! An expression about several terminologies is evaluated over each of them; in one, what is said of
//! another is the empty set. The properties `concept`, `code`, `display`, `parent`, `child`,
//! `ancestor`, `descendant` and `inactive` are what FHIR says they are, `constraint` and `expression`
//! are ECL; any other is a property that concepts have, or an attribute, by its code.

use std::collections::BTreeSet;

use super::compose_filter::Values as Wanted;
use super::constraint::SNOMED;
use super::evaluate::{Evaluated, Evaluation};
use super::vcl::*;
use super::{
    ConceptSet, Constraint, ExpressionError, ExpressionErrorKind, MAX_DEPTH, Position, ecl,
};

impl Evaluation<'_> {
    pub(super) fn compose(&self, expression: &Expression) -> Evaluated<ConceptSet> {
        match expression {
            Expression::Simple(one) => self.part(one),
            Expression::And(all) => {
                let mut sets = all.iter().map(|one| self.part(one));
                let first = sets.next().unwrap_or_else(|| Ok(self.all()))?;
                sets.try_fold(first, |both, set| Ok(both & set?))
            }
            Expression::Or(all) => {
                all.iter().try_fold(ConceptSet::new(), |any, one| Ok(any | self.part(one)?))
            }
            Expression::Minus(pair) => Ok(self.part(&pair[0])? - self.part(&pair[1])?),
        }
    }

    fn part(&self, part: &Part) -> Evaluated<ConceptSet> {
        let at = part.position;
        self.spend(1, at)?;
        if let Some(system) = &part.system
            && !self.is_own(system, at)?
        {
            return Ok(ConceptSet::new());
        }
        match &part.content {
            Content::All => self.paid(self.all(), at),
            Content::Code(code) => Ok(self.one(code)),
            Content::Filter(filter) => self.filter(filter, at),
            Content::Include(uri) => self.include(uri, at),
            Content::Brackets(inner) => self.compose(inner),
        }
    }

    /// Whether a system's URI is that of this terminology. Another version of it is neither: nothing
    /// is known of it.
    fn is_own(&self, system: &str, at: Position) -> Evaluated<bool> {
        let (uri, version) = match system.split_once('|') {
            Some((uri, version)) => (uri, Some(version.trim())),
            None => (system, None),
        };
        if uri != self.universe.system() {
            return Ok(false);
        }
        let own = self.universe.version();
        // An edition of SNOMED CT is the beginning of its versions.
        let is_same = |asked: &str| {
            let rest = own.strip_prefix(asked);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("/version/"))
        };
        match version {
            Some(version) if !is_same(version) => {
                let reason = "another version of the terminology answers here";
                Err(ExpressionError::unsupported(at, system, reason))
            }
            _ => Ok(true),
        }
    }

    /// The codes of another value set.
    pub(super) fn include(&self, uri: &str, at: Position) -> Evaluated<ConceptSet> {
        let moved = |error: ExpressionError| error.moved(at);
        match Constraint::implicit(uri).map_err(moved)? {
            Some(Constraint::Vcl(inner)) => self.within(at, || self.compose(&inner).map_err(moved)),
            Some(Constraint::Ecl(inner)) => {
                self.within(at, || self.expression(&inner).map_err(moved))
            }
            None => {
                let reason = "value sets other than those of expressions are not loaded";
                Err(ExpressionError::unsupported(at, uri, reason))
            }
        }
    }

    /// The concepts of an ECL expression that stands in a text.
    pub(super) fn constrained(&self, text: &str, at: Position) -> Evaluated<ConceptSet> {
        if self.universe.system() != SNOMED {
            let reason = "it is a filter of SNOMED CT";
            return Err(ExpressionError::unsupported(at, "constraint", reason));
        }
        let inner = ecl::Expression::parse(text).map_err(|error| error.moved(at))?;
        self.within(at, || self.expression(&inner).map_err(|error| error.moved(at)))
    }

    /// Evaluates what came to light within another expression.
    fn within(
        &self,
        at: Position,
        evaluate: impl FnOnce() -> Evaluated<ConceptSet>,
    ) -> Evaluated<ConceptSet> {
        let depth = self.depth.get();
        // Each of them may be as deep as one that is read, so there may be only a few.
        if depth >= MAX_DEPTH / 16 {
            return Err(ExpressionError::new(at.0, ExpressionErrorKind::TooDeep));
        }
        self.depth.set(depth + 1);
        let found = evaluate();
        self.depth.set(depth);
        found
    }

    pub(super) fn filter(&self, filter: &Filter, at: Position) -> Evaluated<ConceptSet> {
        match filter {
            Filter::Property { property, test } => self.property_filter(property, test, at),
            Filter::Of { source, property } => {
                let of = match source {
                    Source::All => self.all(),
                    Source::Code(code) => self.one(code),
                    Source::Values(values) => self.concepts_of(values, at)?,
                };
                self.property_values(&of, property, at)
            }
        }
    }

    /// Values that are meant as concepts.
    fn concepts_of(&self, values: &Values, at: Position) -> Evaluated<ConceptSet> {
        match values {
            Values::Codes(codes) => {
                Ok(codes.iter().fold(ConceptSet::new(), |any, code| any | self.one(code)))
            }
            Values::ValueSet(uri) => self.include(uri, at),
            Values::Filters(filters) => {
                let mut sets = filters.iter().map(|filter| self.filter(filter, at));
                let first = sets.next().unwrap_or_else(|| Ok(self.all()))?;
                sets.try_fold(first, |both, set| Ok(both & set?))
            }
        }
    }

    fn property_filter(&self, property: &str, test: &Test, at: Position) -> Evaluated<ConceptSet> {
        use ecl::Operator as To;
        let below = |operator, code: &String| self.follow(operator, &self.one(code), at);
        let (wanted, is_negated) = match test {
            Test::Equals(text) if matches!(property, "constraint" | "expression") => {
                return self.constrained(text, at);
            }
            Test::Equals(value) => (Wanted::Texts([value.as_str()].into()), false),
            Test::In(Values::Codes(codes)) => (Wanted::Texts(texts(codes)), false),
            Test::NotIn(Values::Codes(codes)) => (Wanted::Texts(texts(codes)), true),
            Test::In(values) => (Wanted::Concepts(self.concepts_of(values, at)?), false),
            Test::NotIn(values) => (Wanted::Concepts(self.concepts_of(values, at)?), true),
            Test::IsA(code) => (Wanted::Concepts(below(To::DescendantOrSelfOf, code)?), false),
            Test::IsNotA(code) => (Wanted::Concepts(below(To::DescendantOrSelfOf, code)?), true),
            Test::DescendantOf(code) => (Wanted::Concepts(below(To::DescendantOf, code)?), false),
            Test::ChildOf(code) => (Wanted::Concepts(below(To::ChildOf, code)?), false),
            Test::Generalizes(code) => {
                (Wanted::Concepts(below(To::AncestorOrSelfOf, code)?), false)
            }
            Test::DescendantLeaf(code) => {
                let all = below(To::DescendantOf, code)?;
                let above = self.paid(self.universe.parents(&self.universe.children(&all)), at)?;
                (Wanted::Concepts(all - above), false)
            }
            Test::Matches(pattern) => (Wanted::pattern(pattern, at)?, false),
            Test::Exists(exists) => (Wanted::Any, !exists),
        };
        let found = self.with_values(property, &wanted, at)?;
        Ok(if is_negated { self.all() - found } else { found })
    }
}

fn texts(codes: &[String]) -> BTreeSet<&str> {
    codes.iter().map(String::as_str).collect()
}
