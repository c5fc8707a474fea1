//! Filters of ECL, from tree to set.

use std::cell::LazyCell;

use crate::terminology::PropertyValue;

use super::ecl::*;
use super::evaluate::{Evaluated, Evaluation, not_loaded, ords};
use super::limits::NAME_COST;
use super::search_term::Wanted;
use super::universe::HeldName;
use super::{ConceptSet, ExpressionError, Position};

/// The properties that say of an RF2 release's concepts what filters ask.
const MODULE_ID: &str = "moduleId";
const SUFFICIENTLY_DEFINED: &str = "sufficientlyDefined";
const PRIMITIVE_ID: &str = "900000000000074008";
const DEFINED_ID: &str = "900000000000073002";

/// What one name must be like.
enum NameTest {
    Term(Comparison, Vec<Wanted>),
    Language(Comparison, Vec<String>),
}

impl NameTest {
    /// How much there is to compare a name with.
    fn size(&self) -> u64 {
        match self {
            Self::Term(_, wanted) => wanted.iter().map(Wanted::size).sum(),
            Self::Language(_, codes) => codes.len() as u64,
        }
    }
}

impl Evaluation<'_> {
    pub(super) fn concept_filters(
        &self,
        mut found: ConceptSet,
        filters: &[ConceptFilter],
        at: Position,
    ) -> Evaluated<ConceptSet> {
        for filter in filters {
            let (comparison, set) = match filter {
                ConceptFilter::Active(comparison, active) => {
                    let is_meant = |ord: &_| self.universe.is_active(*ord) == *active;
                    let set = ords(&found).filter(is_meant).map(|ord| ord.0).collect();
                    (comparison, self.paid(set, at)?)
                }
                ConceptFilter::DefinitionStatus(comparison, statuses) => {
                    (comparison, self.with_statuses(statuses, at)?)
                }
                ConceptFilter::DefinitionStatusId(comparison, choice) => {
                    let codes = self.codes_of_choice(choice)?;
                    let known = [
                        (PRIMITIVE_ID, DefinitionStatus::Primitive),
                        (DEFINED_ID, DefinitionStatus::Defined),
                    ];
                    let statuses = known.into_iter().filter(|(id, _)| codes.contains(*id));
                    let statuses: Vec<_> = statuses.map(|(_, status)| status).collect();
                    (comparison, self.with_statuses(&statuses, at)?)
                }
                ConceptFilter::Module(comparison, choice) => {
                    let codes = self.codes_of_choice(choice)?;
                    (comparison, self.with_codes(MODULE_ID, &codes, at)?)
                }
                ConceptFilter::EffectiveTime(..) => {
                    let reason = "when concepts took effect is not loaded";
                    return Err(ExpressionError::unsupported(at, filter.to_string(), reason));
                }
            };
            match comparison {
                Comparison::NotEqual => found -= set,
                _ => found &= set,
            }
        }
        Ok(found)
    }

    fn with_statuses(&self, statuses: &[DefinitionStatus], at: Position) -> Evaluated<ConceptSet> {
        let mut all = ConceptSet::new();
        for status in [DefinitionStatus::Primitive, DefinitionStatus::Defined] {
            let value = PropertyValue::Boolean(status == DefinitionStatus::Defined);
            let set = self.universe.with_property(SUFFICIENTLY_DEFINED, &value);
            let set = set.map_err(Self::data(at))?;
            let set = set.ok_or_else(|| not_loaded("definitionStatus", at))?;
            if statuses.contains(&status) {
                all |= self.paid(set, at)?;
            }
        }
        Ok(all)
    }

    /// The concepts one name of which is all that the filters ask.
    pub(super) fn description_filters(
        &self,
        among: &ConceptSet,
        filters: &[DescriptionFilter],
        at: Position,
    ) -> Evaluated<ConceptSet> {
        let mut tests = Vec::new();
        for filter in filters {
            tests.extend(self.name_test(filter, at)?);
        }
        let cost = NAME_COST + tests.iter().map(NameTest::size).sum::<u64>();
        let mut found = ConceptSet::new();
        let mut names = Vec::new();
        for ord in ords(among) {
            names.clear();
            self.universe.names(ord, &mut names);
            self.spend(1 + cost * names.len() as u64, at)?;
            if names.iter().any(|name| self.is_like(name, &tests)) {
                found.insert(ord.0);
            }
        }
        Ok(found)
    }

    fn name_test(&self, filter: &DescriptionFilter, at: Position) -> Evaluated<Option<NameTest>> {
        let reason = match filter {
            DescriptionFilter::Term(comparison, terms) => {
                let wanted = |term| Wanted::new(term, |text| self.universe.normalize(text));
                let wanted = terms.iter().map(wanted).collect();
                return Ok(Some(NameTest::Term(*comparison, wanted)));
            }
            DescriptionFilter::Language(comparison, codes) => {
                let codes = codes.iter().map(|code| code.to_ascii_lowercase()).collect();
                return Ok(Some(NameTest::Language(*comparison, codes)));
            }
            DescriptionFilter::Active(comparison, active)
                if (*comparison == Comparison::Equal) == *active =>
            {
                return Ok(None);
            }
            DescriptionFilter::Active(..) => "not all retired names are loaded",
            DescriptionFilter::Type(..) | DescriptionFilter::TypeId(..) => {
                "which names are fully specified is not loaded"
            }
            DescriptionFilter::Dialect(..) => "which names a dialect accepts is not loaded",
            DescriptionFilter::Module(..) => "the modules of names are not loaded",
            DescriptionFilter::EffectiveTime(..) => "when names took effect is not loaded",
            DescriptionFilter::Id(..) => "the identifiers of names are not loaded",
        };
        Err(ExpressionError::unsupported(at, filter.to_string(), reason))
    }

    fn is_like(&self, name: &HeldName<'_>, tests: &[NameTest]) -> bool {
        tests.iter().all(|test| {
            let (comparison, found) = match test {
                NameTest::Term(comparison, wanted) => {
                    let normal = LazyCell::new(|| self.universe.normalize(name.value));
                    (comparison, wanted.iter().any(|one| one.is_in(name.value, &normal)))
                }
                NameTest::Language(comparison, codes) => {
                    let primary = name.language.split('-').next().unwrap_or_default();
                    let is_meant = |code: &String| code.eq_ignore_ascii_case(primary);
                    (comparison, codes.iter().any(is_meant))
                }
            };
            (*comparison == Comparison::Equal) == found
        })
    }
}
