use crate::terminology::{Code, ConceptOrd, SystemId};
use crate::valueset::{
    ConceptSet, Constraint, ExpressionError, Language, Selection, evaluate, vcl,
};

use super::expand_value_set::Evaluator;
use super::lookup::{code_of, summaries};
use super::open::Entry;
use super::paging::{Total, page};
use super::version_rule::VersionRules;
use super::{Catalog, ConceptList, Error, Page, SearchRequest};

/// The concepts of one terminology that an expression selects, in code order.
#[derive(Debug, Clone)]
pub struct Selected<'c> {
    entry: &'c Entry,
    selection: Selection,
}

impl Catalog {
    /// The concepts of a terminology that an expression selects: in ECL for SNOMED CT, in VCL for other
    /// terminologies, or the URL of an implicit value set.
    ///
    /// # Errors
    /// [`Error::UnknownSystem`], [`Error::UnknownVersion`], and [`Error::Expression`] with the place in
    /// the expression where it is wrong, or asks for what is not loaded.
    pub fn select(&self, system: &str, expression: &str) -> Result<Selected<'_>, Error> {
        let entry = self.entry(system)?;
        Ok(Selected { entry, selection: selection(entry, expression)? })
    }
}

impl<'c> Selected<'c> {
    /// The terminology.
    #[must_use]
    pub fn system(&self) -> &'c SystemId {
        self.entry.system()
    }

    /// Its version.
    #[must_use]
    pub fn version(&self) -> &'c str {
        self.entry.version()
    }

    /// How many concepts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        // An index has no more concepts than there are ords.
        usize::try_from(self.selection.concepts.len()).unwrap_or(usize::MAX)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.selection.concepts.is_empty()
    }

    /// Whether this code, in any accepted spelling, is among them.
    #[must_use]
    pub fn contains(&self, code: &str) -> bool {
        let found = self.entry.index.find(code);
        found.is_some_and(|ord| self.selection.concepts.contains(ord.0))
    }

    /// The codes in the expression that the terminology does not have; they select nothing.
    #[must_use]
    pub fn unknown(&self) -> &[String] {
        &self.selection.unknown
    }

    /// The ords of the concepts in the terminology's index.
    #[must_use]
    pub fn concepts(&self) -> &ConceptSet {
        &self.selection.concepts
    }

    /// The codes, in code order.
    ///
    /// # Errors
    /// [`Error::Index`] for one that cannot be read.
    pub fn codes(&self) -> impl Iterator<Item = Result<Code, Error>> {
        self.selection.concepts.iter().map(|ord| code_of(self.entry, ConceptOrd(ord)))
    }

    /// A slice of them.
    ///
    /// # Errors
    /// [`Error::Index`] when the terminology cannot be read.
    pub fn page(&self, slice: Page) -> Result<ConceptList, Error> {
        let ords: Vec<ConceptOrd> = self.selection.concepts.iter().map(ConceptOrd).collect();
        let (shown, paging) = page(&ords, slice, Total::Exact);
        Ok(ConceptList { of: None, items: summaries(self.entry, shown.iter().copied())?, paging })
    }
}

/// What an expression selects of a terminology.
fn selection(entry: &Entry, expression: &str) -> Result<Selection, Error> {
    let system = entry.system().as_str();
    let failed = |language| {
        move |source: ExpressionError| {
            let system = entry.alias().to_owned();
            Error::Expression { system, language, source }
        }
    };
    let constraint = Constraint::read(expression, system)
        .map_err(failed(Language::of_text(expression, system)))?;
    evaluate(&constraint, entry.index.as_ref()).map_err(failed(constraint.language()))
}

/// The concepts that a search may show, where it is restricted to some.
pub(super) fn within(
    catalog: &Catalog,
    entry: &Entry,
    request: &SearchRequest,
) -> Result<Option<ConceptSet>, Error> {
    let mut within: Option<ConceptSet> = None;
    let mut restrict = |set: ConceptSet| {
        within = Some(match within.take() {
            Some(before) => before & set,
            None => set,
        });
    };
    if let Some(valueset) = &request.valueset {
        let rules = VersionRules::default();
        restrict(match catalog.named(valueset.trim(), &rules)? {
            Some(named) => Evaluator::new(catalog, &rules).named(&named)?.set_of(entry),
            None => selection(entry, valueset)?.concepts,
        });
    }
    for (name, value) in &request.properties {
        let constraint = Constraint::Vcl(vcl::Expression::equals(name, value));
        let selection = evaluate(&constraint, entry.index.as_ref()).map_err(|source| {
            let system = entry.alias().to_owned();
            Error::Expression { system, language: Language::Vcl, source }
        })?;
        restrict(selection.concepts);
    }
    Ok(within)
}
