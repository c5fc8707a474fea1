use crate::terminology::{Code, ConceptOrd, DesignationOrd, Property, PropertyValue, property};

use super::code_request::check_batch;
use super::display::display;
use super::open::Entry;
use super::{
    Catalog, ConceptSummary, DesignationView, Error, LookupRequest, LookupResponse, MAX_LOOKUPS,
    PropertyView, Provenance,
};

/// The most parents, and the most children, that a look-up lists; their counts are whole.
const MAX_NEIGHBORS: usize = 100;

impl Catalog {
    /// Everything the index knows about a code, notes inherited from above among it.
    ///
    /// # Errors
    /// [`Error::UnknownSystem`], [`Error::UnknownVersion`], [`Error::UnknownCode`] with the codes
    /// near it, and [`Error::Index`].
    pub fn lookup(&self, system: &str, code: &str) -> Result<LookupResponse, Error> {
        self.lookup_with(&LookupRequest::new(system, code))
    }

    /// Everything the index knows about a code, in a version and a language.
    ///
    /// # Errors
    /// As [`Catalog::lookup`], and [`Error::InvalidRequest`] where the version is asked for twice.
    pub fn lookup_with(&self, request: &LookupRequest) -> Result<LookupResponse, Error> {
        let entry = self.entry_of(&request.system, request.version.as_deref())?;
        let concept = self.find(entry, &request.code)?;
        let records = entry.index.records();
        let details = records.details(concept).map_err(|source| entry.failed(source))?;
        let canonical = code_of(entry, concept)?;
        let hierarchy = entry.index.hierarchy();
        let (shown, name) = display(entry, concept, request.language.as_deref());
        let first = |list: Vec<ConceptOrd>| summaries(entry, list.into_iter().take(MAX_NEIGHBORS));
        Ok(LookupResponse {
            system: entry.system().clone(),
            version: entry.version().to_owned(),
            normalized_code: normalized(&canonical, &request.code),
            code: canonical,
            display: name.value.to_owned(),
            language: name.language.to_owned(),
            definition: details.definition,
            active: records.is_active(concept),
            replaced_by: replaced_by(&details.properties),
            billable: records.is_billable(concept),
            designations: designations(entry, concept, shown),
            properties: properties(entry, concept, &request.properties)?,
            parents: first(hierarchy.parents(concept).collect())?,
            parent_count: hierarchy.parents(concept).count(),
            children: first(hierarchy.children(concept).collect())?,
            child_count: hierarchy.children(concept).count(),
            provenance: provenance(entry),
        })
    }

    /// Several look-ups, each with its answer or its error, in their order.
    ///
    /// # Errors
    /// [`Error::BatchTooLarge`] where there are more than [`MAX_LOOKUPS`].
    pub fn lookup_many(
        &self,
        requests: &[LookupRequest],
    ) -> Result<Vec<Result<LookupResponse, Error>>, Error> {
        check_batch(requests.len(), MAX_LOOKUPS)?;
        Ok(requests.iter().map(|request| self.lookup_with(request)).collect())
    }

    /// The concept with a code typed in any accepted spelling.
    pub(super) fn find(&self, entry: &Entry, code: &str) -> Result<ConceptOrd, Error> {
        match found(entry, code)? {
            Some(concept) => Ok(concept),
            None => Err(Error::UnknownCode {
                system: entry.alias().to_owned(),
                code: code.to_owned(),
                hints: Box::new(self.hints(entry, code)?),
            }),
        }
    }
}

/// The concept that has a code, or a tree number of MeSH.
pub(super) fn found(entry: &Entry, code: &str) -> Result<Option<ConceptOrd>, Error> {
    match entry.index.find(code) {
        Some(concept) => Ok(Some(concept)),
        None => entry.index.find_tree_number(code).map_err(|source| entry.failed(source)),
    }
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
        path: None,
    })
}

pub(super) fn summaries(
    entry: &Entry,
    concepts: impl IntoIterator<Item = ConceptOrd>,
) -> Result<Vec<ConceptSummary>, Error> {
    concepts.into_iter().map(|concept| summary(entry, concept)).collect()
}

/// The names but the one that is shown as the display.
fn designations(entry: &Entry, concept: ConceptOrd, shown: DesignationOrd) -> Vec<DesignationView> {
    let records = entry.index.records();
    records
        .designations(concept)
        .map(DesignationOrd)
        .filter(|ord| *ord != shown)
        .map(|ord| records.designation(ord))
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

/// The concept's own properties of these names, or all where none is named.
pub(super) fn own_properties(
    entry: &Entry,
    concept: ConceptOrd,
    wanted: &[String],
) -> Result<Vec<PropertyView>, Error> {
    let details = entry.index.records().details(concept).map_err(|source| entry.failed(source))?;
    let is_wanted = |code: &str| wanted.is_empty() || wanted.iter().any(|name| name == code);
    let own = details.properties.into_iter().filter(|own| is_wanted(&own.code));
    let view =
        |own: Property| PropertyView { code: own.code, value: own.value, inherited_from: None };
    Ok(own.map(view).collect())
}

/// The concept's own properties, then the notes of everything above it, nearest first. A part has
/// not what is noted of the whole, nor a member what is noted of its group.
fn properties(
    entry: &Entry,
    concept: ConceptOrd,
    wanted: &[String],
) -> Result<Vec<PropertyView>, Error> {
    let records = entry.index.records();
    let is_wanted = |code: &str| wanted.is_empty() || wanted.iter().any(|name| name == code);
    let of = |concept| records.details(concept).map_err(|source| entry.failed(source));
    let mut views = own_properties(entry, concept, wanted)?;
    let is_inherited = |code: &str| property::INHERITED.contains(&code) && is_wanted(code);
    if !entry.index.manifest().release.has_subsumption()
        || !property::INHERITED.into_iter().any(is_wanted)
    {
        return Ok(views);
    }
    for ancestor in entry.index.hierarchy().ancestors(concept) {
        for note in of(ancestor)?.properties {
            if is_inherited(&note.code) {
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
