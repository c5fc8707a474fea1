//! What expressions ask of a terminology, answered by its parts.

use crate::hierarchy::Hierarchy;
use crate::relations::{FilterValue, Relations, StoredValue};
use crate::terminology::{ConceptOrd, DesignationOrd, Property, PropertyValue};
use crate::text::normalize;
use crate::valueset::{
    ConceptSet, DataError, HeldAttribute, HeldName, HeldSource, HeldValue, Universe,
};

use super::TerminologyIndex;

/// The concepts of a set.
fn ords(set: &ConceptSet) -> impl Iterator<Item = ConceptOrd> {
    set.iter().map(ConceptOrd)
}

/// Concepts, ascending, as a set.
fn set(ords: &[ConceptOrd]) -> ConceptSet {
    // Not `from_sorted_iter`: it looks for the greatest one anew each time it adds one.
    ords.iter().map(|ord| ord.0).collect()
}

/// The neighbors of all of these, in one direction.
fn neighbors<I: Iterator<Item = ConceptOrd>>(
    of: &ConceptSet,
    direction: impl Fn(ConceptOrd) -> I,
) -> ConceptSet {
    ords(of).flat_map(direction).map(|ord| ord.0).collect()
}

impl Universe for TerminologyIndex {
    fn system(&self) -> &str {
        self.manifest().release.system.as_str()
    }

    fn version(&self) -> &str {
        &self.manifest().release.version
    }

    fn len(&self) -> u32 {
        // An index has no more concepts than there are ords.
        u32::try_from(self.records.len()).unwrap_or(u32::MAX)
    }

    fn find(&self, code: &str) -> Option<ConceptOrd> {
        Self::find(self, code)
    }

    fn code(&self, ord: ConceptOrd) -> &str {
        self.records.code(ord)
    }

    fn display(&self, ord: ConceptOrd) -> &str {
        self.records.display(ord)
    }

    fn is_active(&self, ord: ConceptOrd) -> bool {
        self.records.is_active(ord)
    }

    fn has_hierarchy(&self) -> bool {
        self.hierarchy.has_edges()
    }

    fn ancestors(&self, of: &ConceptSet) -> ConceptSet {
        set(&self.hierarchy.above(ords(of)))
    }

    fn descendants(&self, of: &ConceptSet) -> ConceptSet {
        set(&self.hierarchy.below(ords(of)))
    }

    fn parents(&self, of: &ConceptSet) -> ConceptSet {
        neighbors(of, |ord| Hierarchy::parents(&self.hierarchy, ord))
    }

    fn children(&self, of: &ConceptSet) -> ConceptSet {
        neighbors(of, |ord| Hierarchy::children(&self.hierarchy, ord))
    }

    fn members(&self, refset: &str) -> Result<Option<ConceptSet>, DataError> {
        match self.relations() {
            Some(relations) => relations.members(refset).map_err(DataError::from),
            None => Ok(None),
        }
    }

    fn has_attributes(&self) -> bool {
        self.relations().is_some_and(|relations| relations.relation_count() > 0)
    }

    fn attributes<'u>(&'u self, ord: ConceptOrd, into: &mut Vec<HeldAttribute<'u>>) {
        let start = into.len();
        let stored = self.relations().into_iter().flat_map(|relations| relations.relations(ord));
        into.extend(stored.map(|stored| HeldAttribute {
            group: stored.group,
            attribute: stored.attribute,
            value: match stored.value {
                StoredValue::Concept(value) => HeldValue::Concept(value),
                StoredValue::Integer(value) => HeldValue::Integer(value),
                StoredValue::Decimal(value) => HeldValue::Decimal(value),
                StoredValue::Text(text) => HeldValue::Text(text),
            },
        }));
        // Most releases have them in the order of their groups; stable, and quick where they do.
        into[start..].sort_by_key(|one| one.group);
    }

    fn source_count(&self, value: ConceptOrd) -> u64 {
        self.relations().map_or(0, |relations| relations.source_count(value) as u64)
    }

    fn sources(&self, value: ConceptOrd, into: &mut Vec<HeldSource>) {
        let sources = self.relations().into_iter().flat_map(|relations| relations.sources(value));
        into.extend(sources.map(|one| HeldSource { source: one.source, attribute: one.attribute }));
    }

    fn names<'u>(&'u self, ord: ConceptOrd, into: &mut Vec<HeldName<'u>>) {
        let names = self.records.designations(ord).map(DesignationOrd);
        let names = names.map(|name| self.records.designation(name));
        // What has a source is retired or from elsewhere.
        let own = names.filter(|name| name.source.is_none());
        into.extend(own.map(|name| HeldName { language: name.language, value: name.value }));
    }

    fn normalize(&self, text: &str) -> String {
        normalize(text)
    }

    fn properties(&self, ord: ConceptOrd) -> Result<Vec<Property>, DataError> {
        Ok(self.records.details(ord)?.properties)
    }

    fn with_property(
        &self,
        property: &str,
        value: &PropertyValue,
    ) -> Result<Option<ConceptSet>, DataError> {
        let Some(relations) = self.relations() else { return Ok(None) };
        let value = match value {
            PropertyValue::Text(text) => FilterValue::Text(text),
            PropertyValue::Code(code) => FilterValue::Code(code),
            PropertyValue::Boolean(value) => FilterValue::Boolean(*value),
            PropertyValue::Integer(value) => FilterValue::Integer(*value),
            _ => return Ok(None),
        };
        Relations::filter(relations, property, value).map_err(DataError::from)
    }
}
