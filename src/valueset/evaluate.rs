//! What both languages are evaluated with: a universe, and a budget of steps.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use crate::terminology::{ConceptOrd, Property, PropertyValue};

use super::limits::PROPERTIES_COST;
use super::universe::DataError;
use super::{
    ConceptSet, Constraint, ExpressionError, ExpressionErrorKind, MAX_COST, Position, Universe,
};

/// What an expression selects.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Selection {
    /// The concepts.
    pub concepts: ConceptSet,
    /// The codes in the expression that the terminology does not have, sorted: they select nothing.
    pub unknown: Vec<String>,
}

/// The concepts of a terminology that an expression selects.
///
/// # Errors
/// [`ExpressionError`] with the part of the expression that the data has no answer to, or when the
/// evaluation takes more than [`MAX_COST`] steps.
pub fn evaluate(
    constraint: &Constraint,
    universe: &dyn Universe,
) -> Result<Selection, ExpressionError> {
    let evaluation = Evaluation {
        universe,
        steps: Cell::new(0),
        depth: Cell::new(0),
        unknown: RefCell::default(),
    };
    let concepts = match constraint {
        Constraint::Ecl(expression) => evaluation.expression(expression)?,
        Constraint::Vcl(expression) => evaluation.compose(expression)?,
    };
    Ok(Selection { concepts, unknown: evaluation.unknown.into_inner().into_iter().collect() })
}

/// The evaluation of one expression.
pub(super) struct Evaluation<'u> {
    pub(super) universe: &'u dyn Universe,
    steps: Cell<u64>,
    /// How many expressions are evaluated within expressions that only come to light now.
    pub(super) depth: Cell<usize>,
    unknown: RefCell<BTreeSet<String>>,
}

pub(super) type Evaluated<T> = Result<T, ExpressionError>;

/// The ords of a set.
pub(super) fn ords(set: &ConceptSet) -> impl Iterator<Item = ConceptOrd> {
    set.iter().map(ConceptOrd)
}

impl Evaluation<'_> {
    /// Takes so many steps.
    pub(super) fn spend(&self, steps: u64, at: Position) -> Evaluated<()> {
        let spent = self.steps.get().saturating_add(steps);
        self.steps.set(spent);
        if spent > MAX_COST {
            return Err(ExpressionError::new(at.0, ExpressionErrorKind::TooCostly));
        }
        Ok(())
    }

    /// A set that was made at the cost of its size.
    pub(super) fn paid(&self, set: ConceptSet, at: Position) -> Evaluated<ConceptSet> {
        self.spend(set.len() + 1, at)?;
        Ok(set)
    }

    pub(super) fn all(&self) -> ConceptSet {
        let mut all = ConceptSet::new();
        all.insert_range(0..self.universe.len());
        all
    }

    /// The concept with this code alone, or none, which is noted.
    pub(super) fn one(&self, code: &str) -> ConceptSet {
        let found = self.universe.find(code);
        if found.is_none() {
            self.unknown.borrow_mut().insert(code.to_owned());
        }
        found.map(|ord| ord.0).into_iter().collect()
    }

    pub(super) fn data(at: Position) -> impl Fn(DataError) -> ExpressionError {
        move |source| ExpressionError::new(at.0, ExpressionErrorKind::Data(source))
    }

    pub(super) fn properties(&self, ord: ConceptOrd, at: Position) -> Evaluated<Vec<Property>> {
        self.spend(PROPERTIES_COST, at)?;
        self.universe.properties(ord).map_err(Self::data(at))
    }

    /// The concepts among these that have the property with a value that is meant; and whether any of
    /// them has the property at all.
    pub(super) fn scan_properties(
        &self,
        among: &ConceptSet,
        at: Position,
        is_meant: &dyn Fn(&Property) -> Option<bool>,
    ) -> Evaluated<(ConceptSet, bool)> {
        let (mut found, mut seen) = (ConceptSet::new(), false);
        for ord in ords(among) {
            for property in self.properties(ord, at)? {
                let Some(meant) = is_meant(&property) else { continue };
                seen = true;
                if meant {
                    found.insert(ord.0);
                }
            }
        }
        Ok((found, seen))
    }

    /// The concepts that have the property with any of these codes as its value.
    pub(super) fn with_codes(
        &self,
        property: &str,
        codes: &BTreeSet<String>,
        at: Position,
    ) -> Evaluated<ConceptSet> {
        let mut all = ConceptSet::new();
        for code in codes {
            let value = PropertyValue::Code(code.clone());
            let known = self.universe.with_property(property, &value).map_err(Self::data(at))?;
            let Some(known) = known else { return self.scan_codes(property, codes, at) };
            all |= self.paid(known, at)?;
        }
        Ok(all)
    }

    fn scan_codes(
        &self,
        property: &str,
        codes: &BTreeSet<String>,
        at: Position,
    ) -> Evaluated<ConceptSet> {
        let (found, seen) = self.scan_properties(&self.all(), at, &|one| {
            let is_one = || matches!(&one.value, PropertyValue::Code(own) if codes.contains(own));
            (one.code == property).then(is_one)
        })?;
        if seen { Ok(found) } else { Err(not_loaded(property, at)) }
    }
}

/// No concept says this of itself.
pub(super) fn not_loaded(property: &str, at: Position) -> ExpressionError {
    ExpressionError::unsupported(
        at,
        property,
        "no concept of the terminology that is loaded has it",
    )
}
