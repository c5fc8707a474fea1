use crate::terminology::{Code, ConceptOrd, DesignationOrd, Property, PropertyValue, property};

use super::open::Entry;
use super::{
    Catalog, ConceptSummary, DesignationView, Error, LookupResponse, PropertyView, Provenance,
};

impl Catalog {
    /// Everything the index knows about a code, notes inherited from above among it.
    ///
    /// # Errors
    /// [`Error::UnknownSystem`], [`Error::UnknownVersion`], [`Error::UnknownCode`] with the codes
    /// near it, and [`Error::Index`].
    pub fn lookup(&self, system: &str, code: &str) -> Result<LookupResponse, Error> {
        let entry = self.entry(system)?;
        let concept = self.find(entry, code)?;
        let records = entry.index.records();
        let details = records.details(concept).map_err(|source| entry.failed(source))?;
        let canonical = code_of(entry, concept)?;
        let hierarchy = entry.index.hierarchy();
        Ok(LookupResponse {
            system: entry.index.manifest().release.system.clone(),
            version: entry.version().to_owned(),
            normalized_code: normalized(&canonical, code),
            code: canonical,
            display: records.display(concept).to_owned(),
            definition: details.definition,
            active: records.is_active(concept),
            replaced_by: replaced_by(&details.properties),
            billable: records.is_billable(concept),
            designations: designations(entry, concept),
            properties: properties(entry, concept)?,
            parents: summaries(entry, hierarchy.parents(concept))?,
            children: summaries(entry, hierarchy.children(concept))?,
            provenance: provenance(entry),
        })
    }

    /// The concept with a code typed in any accepted spelling.
    pub(super) fn find(&self, entry: &Entry, code: &str) -> Result<ConceptOrd, Error> {
        entry.index.find(code).ok_or_else(|| Error::UnknownCode {
            system: entry.alias().to_owned(),
            code: code.to_owned(),
            suggestions: nearby(entry, code),
        })
    }
}

/// The codes before and after the place where a code would stand.
pub(super) fn nearby(entry: &Entry, code: &str) -> Vec<String> {
    let records = entry.index.records();
    let Some(canonical) = entry.index.shape().canonical(code) else { return Vec::new() };
    let category: String = canonical.chars().take(3).collect();
    let at = records.insertion_point(&canonical);
    let around = at.saturating_sub(2)..at.saturating_add(2);
    around
        .map(ConceptOrd)
        .filter(|ord| ord.index() < records.len() && records.is_selectable(*ord))
        .map(|ord| records.code(ord).to_owned())
        .filter(|near| near.starts_with(&category))
        .collect()
}

/// The code as the terminology writes it, where it was given in another spelling.
pub(super) fn normalized(canonical: &Code, given: &str) -> Option<Code> {
    (canonical.as_str() != given).then(|| canonical.clone())
}

pub(super) fn code_of(entry: &Entry, concept: ConceptOrd) -> Result<Code, Error> {
    let text = entry.index.records().code(concept);
    Code::new(text).map_err(|_| {
        entry.failed(crate::disk::DiskError::section(
            &entry.index.folder().join("records.bin"),
            "codes",
            "one of them is no code",
        ))
    })
}

pub(super) fn summary(entry: &Entry, concept: ConceptOrd) -> Result<ConceptSummary, Error> {
    let records = entry.index.records();
    let hierarchy = entry.index.hierarchy();
    Ok(ConceptSummary {
        code: code_of(entry, concept)?,
        display: records.display(concept).to_owned(),
        active: records.is_active(concept),
        billable: records.is_billable(concept),
        depth: hierarchy.depth(concept),
        child_count: hierarchy.children(concept).count(),
    })
}

pub(super) fn summaries(
    entry: &Entry,
    concepts: impl IntoIterator<Item = ConceptOrd>,
) -> Result<Vec<ConceptSummary>, Error> {
    concepts.into_iter().map(|concept| summary(entry, concept)).collect()
}

fn designations(entry: &Entry, concept: ConceptOrd) -> Vec<DesignationView> {
    let records = entry.index.records();
    records
        .designations(concept)
        // The first one is the display.
        .skip(1)
        .map(|ord| records.designation(DesignationOrd(ord)))
        .map(|name| DesignationView {
            language: name.language.to_owned(),
            use_: name.use_,
            value: name.value.to_owned(),
            source: name.source.map(str::to_owned),
        })
        .collect()
}

/// The codes that properties name in the place of a retired concept.
pub(super) fn replaced_by(properties: &[Property]) -> Vec<Code> {
    let stated = properties.iter().filter(|one| one.code == property::REPLACED_BY);
    stated
        .filter_map(|one| match &one.value {
            PropertyValue::Code(code) | PropertyValue::Text(code) => Code::new(code).ok(),
            _ => None,
        })
        .collect()
}

/// The concept's own properties, then the notes of everything above it, nearest first.
fn properties(entry: &Entry, concept: ConceptOrd) -> Result<Vec<PropertyView>, Error> {
    let records = entry.index.records();
    let of = |concept| records.details(concept).map_err(|source| entry.failed(source));
    let mut views: Vec<PropertyView> = of(concept)?
        .properties
        .into_iter()
        .map(|own| PropertyView { code: own.code, value: own.value, inherited_from: None })
        .collect();
    for ancestor in entry.index.hierarchy().ancestors(concept) {
        for note in of(ancestor)?.properties {
            if property::INHERITED.contains(&note.code.as_str()) {
                views.push(PropertyView {
                    code: note.code,
                    value: note.value,
                    inherited_from: Some(code_of(entry, ancestor)?),
                });
            }
        }
    }
    Ok(views)
}

pub(super) fn provenance(entry: &Entry) -> Provenance {
    let release = &entry.index.manifest().release;
    Provenance {
        source: release.title.clone(),
        system: release.system.clone(),
        version: release.version.clone(),
        data_vintage: release.date.clone(),
        publisher: release.publisher.clone(),
        license: release.license.clone(),
        notices: release.notices.clone(),
    }
}
