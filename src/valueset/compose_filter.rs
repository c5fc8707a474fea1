//! Which concepts have a property with some value, as VCL asks.

use std::collections::BTreeSet;

use regex::{Regex, RegexBuilder};

use crate::terminology::{ConceptOrd, Property, PropertyValue};

use super::evaluate::{Evaluated, Evaluation, not_loaded, ords};
use super::limits::PATTERN_COST;
use super::universe::HeldValue;
use super::{ConceptSet, ExpressionError, ExpressionErrorKind, Position};

/// How large a regular expression may become, in bytes: those that people write take a few KiB.
const MAX_PATTERN_BYTES: usize = 1 << 18;

/// Values that are meant.
pub(super) enum Values<'v> {
    /// Those written like any of these.
    Texts(BTreeSet<&'v str>),
    /// Codes of these concepts.
    Concepts(ConceptSet),
    /// Those matched from beginning to end.
    Pattern(Regex),
    /// All of them.
    Any,
}

impl Values<'_> {
    pub(super) fn pattern(text: &str, at: Position) -> Evaluated<Self> {
        let whole =
            RegexBuilder::new(&format!("^(?:{text})$")).size_limit(MAX_PATTERN_BYTES).build();
        whole.map(Self::Pattern).map_err(|_| {
            let reason = "it is none, or it is too large";
            let kind = ExpressionErrorKind::Invalid {
                what: "regular expression",
                text: text.to_owned(),
                reason,
            };
            ExpressionError::new(at.0, kind)
        })
    }

    /// Whether a text, or a code, is meant.
    fn has(&self, text: &str, concept: impl FnOnce() -> Option<ConceptOrd>) -> bool {
        match self {
            Self::Texts(texts) => texts.contains(text),
            Self::Concepts(set) => concept().is_some_and(|ord| set.contains(ord.0)),
            Self::Pattern(pattern) => pattern.is_match(text),
            Self::Any => true,
        }
    }
}

impl Evaluation<'_> {
    /// The concepts that have the property with a value that is meant.
    pub(super) fn with_values(
        &self,
        property: &str,
        wanted: &Values<'_>,
        at: Position,
    ) -> Evaluated<ConceptSet> {
        let universe = self.universe;
        // From the concepts that are meant as values to those that have them.
        let related = |from: ConceptSet| -> Evaluated<Option<ConceptSet>> {
            Ok(Some(match property {
                "concept" | "code" => from,
                "parent" => universe.children(&from),
                "child" => universe.parents(&from),
                "ancestor" => universe.descendants(&from),
                "descendant" => universe.ancestors(&from),
                _ => return Ok(None),
            }))
        };
        if is_of_hierarchy(property) || matches!(property, "concept" | "code") {
            self.has_hierarchy_for(property, at)?;
            let from = self.concepts_meant(wanted, at)?;
            self.spend(from.len(), at)?;
            let found = related(from)?.unwrap_or_default();
            return self.paid(found, at);
        }
        let cost = match wanted {
            Values::Pattern(_) => PATTERN_COST,
            _ => 1,
        };
        let of_each = |text: &dyn Fn(ConceptOrd) -> String| -> Evaluated<ConceptSet> {
            let all = self.paid(self.all(), at)?;
            self.spend(all.len().saturating_mul(cost), at)?;
            let is_meant = |ord: &ConceptOrd| wanted.has(&text(*ord), || None);
            Ok(ords(&all).filter(is_meant).map(|ord| ord.0).collect())
        };
        match property {
            "display" => of_each(&|ord| universe.display(ord).to_owned()),
            "inactive" => of_each(&|ord| (!universe.is_active(ord)).to_string()),
            _ => self.with_property_values(property, wanted, at),
        }
    }

    /// Without a hierarchy, nothing is said rather than something false.
    fn has_hierarchy_for(&self, property: &str, at: Position) -> Evaluated<()> {
        if self.universe.has_hierarchy() || !is_of_hierarchy(property) {
            return Ok(());
        }
        let reason = "the terminology that is loaded has no hierarchy";
        Err(ExpressionError::unsupported(at, property, reason))
    }

    /// The concepts that are meant by their codes.
    fn concepts_meant(&self, wanted: &Values<'_>, at: Position) -> Evaluated<ConceptSet> {
        match wanted {
            Values::Concepts(set) => Ok(set.clone()),
            Values::Texts(codes) => {
                Ok(codes.iter().fold(ConceptSet::new(), |any, code| any | self.one(code)))
            }
            Values::Any => Ok(self.all()),
            Values::Pattern(pattern) => {
                let all = self.paid(self.all(), at)?;
                self.spend(all.len() * PATTERN_COST, at)?;
                let is_meant = |ord: &ConceptOrd| pattern.is_match(self.universe.code(*ord));
                Ok(ords(&all).filter(is_meant).map(|ord| ord.0).collect())
            }
        }
    }

    fn with_property_values(
        &self,
        property: &str,
        wanted: &Values<'_>,
        at: Position,
    ) -> Evaluated<ConceptSet> {
        if let Values::Texts(texts) = wanted
            && let Some(found) = self.known_values(property, texts, at)?
        {
            return Ok(found);
        }
        let is_meant = |one: &Property| {
            let text = text_of(&one.value);
            let concept = || match &one.value {
                PropertyValue::Code(code) | PropertyValue::Text(code) => self.universe.find(code),
                _ => None,
            };
            (one.code == property).then(|| wanted.has(&text, concept))
        };
        let attribute = self.universe.find(property);
        let (mut found, mut seen) = (ConceptSet::new(), false);
        if let Some(attribute) = attribute {
            (found, seen) = self.with_attribute_values(attribute, wanted, at)?;
        }
        if !seen {
            (found, seen) = self.scan_properties(&self.all(), at, &is_meant)?;
        }
        if seen { Ok(found) } else { Err(not_loaded(property, at)) }
    }

    /// The concepts that have the property with one of these values, where that is known at once.
    fn known_values(
        &self,
        property: &str,
        texts: &BTreeSet<&str>,
        at: Position,
    ) -> Evaluated<Option<ConceptSet>> {
        let mut all = ConceptSet::new();
        for text in texts {
            let typed = [
                Some(PropertyValue::Text(text.to_string())),
                Some(PropertyValue::Code(text.to_string())),
                text.parse().ok().map(PropertyValue::Boolean),
                text.parse().ok().map(PropertyValue::Integer),
            ];
            for value in typed.into_iter().flatten() {
                let known = self.universe.with_property(property, &value);
                let Some(known) = known.map_err(Self::data(at))? else { return Ok(None) };
                all |= self.paid(known, at)?;
            }
        }
        Ok(Some(all))
    }

    fn with_attribute_values(
        &self,
        attribute: ConceptOrd,
        wanted: &Values<'_>,
        at: Position,
    ) -> Evaluated<(ConceptSet, bool)> {
        let (mut found, mut seen, mut held) = (ConceptSet::new(), false, Vec::new());
        for ord in ords(&self.all()) {
            held.clear();
            self.universe.attributes(ord, &mut held);
            self.spend(1 + held.len() as u64, at)?;
            for one in held.iter().filter(|one| one.attribute == attribute) {
                seen = true;
                let is_meant = match one.value {
                    HeldValue::Concept(value) => {
                        wanted.has(self.universe.code(value), || Some(value))
                    }
                    HeldValue::Integer(value) => wanted.has(&value.to_string(), || None),
                    HeldValue::Decimal(value) => wanted.has(&value.to_string(), || None),
                    HeldValue::Text(text) => wanted.has(text, || None),
                };
                if is_meant {
                    found.insert(ord.0);
                }
            }
        }
        Ok((found, seen))
    }

    /// The concepts that are values of the property of these.
    pub(super) fn property_values(
        &self,
        of: &ConceptSet,
        property: &str,
        at: Position,
    ) -> Evaluated<ConceptSet> {
        let universe = self.universe;
        self.has_hierarchy_for(property, at)?;
        self.spend(of.len(), at)?;
        let related = match property {
            "concept" | "code" => Some(of.clone()),
            "parent" => Some(universe.parents(of)),
            "child" => Some(universe.children(of)),
            "ancestor" => Some(universe.ancestors(of)),
            "descendant" => Some(universe.descendants(of)),
            _ => None,
        };
        if let Some(related) = related {
            return self.paid(related, at);
        }
        let attribute = universe.find(property);
        let (mut found, mut held) = (ConceptSet::new(), Vec::new());
        for ord in ords(of) {
            held.clear();
            universe.attributes(ord, &mut held);
            self.spend(held.len() as u64, at)?;
            for one in held.iter().filter(|one| Some(one.attribute) == attribute) {
                if let HeldValue::Concept(value) = one.value {
                    found.insert(value.0);
                }
            }
            for one in self.properties(ord, at)?.iter().filter(|one| one.code == property) {
                if let PropertyValue::Code(code) | PropertyValue::Text(code) = &one.value {
                    found.extend(universe.find(code).map(|ord| ord.0));
                }
            }
        }
        Ok(found)
    }
}

fn is_of_hierarchy(property: &str) -> bool {
    matches!(property, "parent" | "child" | "ancestor" | "descendant")
}

/// A value as an expression writes it.
fn text_of(value: &PropertyValue) -> String {
    match value {
        PropertyValue::Text(text) | PropertyValue::Code(text) | PropertyValue::DateTime(text) => {
            text.clone()
        }
        PropertyValue::Boolean(value) => value.to_string(),
        PropertyValue::Integer(value) => value.to_string(),
        PropertyValue::Decimal(value) => value.to_string(),
    }
}
