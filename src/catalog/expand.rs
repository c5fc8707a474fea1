use crate::terminology::{ConceptOrd, DesignationOrd};
use crate::valueset::ListedConcept;

use super::coded_verdict::status;
use super::display::{display, preferred};
use super::expand_members::Segment;
use super::expand_request::ValueSetSource;
use super::expand_response::UnresolvedKind;
use super::expand_value_set::{Evaluator, Notes};
use super::lookup::{code_of, own_properties, provenance};
use super::open::Entry;
use super::paging::paging;
use super::{
    AppliedVersion, Catalog, DesignationView, Details, Error, Expansion, ExpansionItem, Inactive,
    Missing, UsedTerminology, ValueSetRequest,
};

/// The property that stands for the definition of a concept.
const DEFINITION: &str = "definition";

impl Catalog {
    /// The concepts of a value set (FHIR `$expand`): a page of them, in one order. Concepts that a value
    /// set lists stand in the order of its list, others by code; with a text filter, the best come
    /// first. What is read of the terminology is the page, however large the value set is.
    ///
    /// # Errors
    /// [`Error::UnknownValueSet`]; [`Error::UnknownVersion`] and [`Error::VersionRefused`] where a
    /// version is asked for that is not loaded or not allowed: another one never answers;
    /// [`Error::InvalidValueSet`], [`Error::ImportCycle`], [`Error::Definition`] and
    /// [`Error::Expression`] for what has no meaning; [`Error::TooCostly`]; [`Error::Index`].
    pub fn expand(&self, request: &ValueSetRequest) -> Result<Expansion, Error> {
        let mut evaluator = Evaluator::new(self, &request.rules);
        let mut members = evaluator.source(&request.valueset)?;
        let notes = evaluator.notes;
        refuse_missing(self, request, &notes)?;
        if request.inactive == Inactive::Hidden {
            members.remove_inactive();
        }
        let ranked = match &request.filter {
            Some(text) => Some(self.ranked(&members, text)?),
            None => None,
        };
        let total = ranked.as_ref().map_or_else(|| members.len(), Vec::len);
        let count = match request.count {
            Some(count) => count,
            None if total > request.most => {
                let what = format!("{total} concepts");
                return Err(Error::TooCostly { what, most: request.most as u64 });
            }
            None => total,
        };
        let page = match &ranked {
            Some(ranked) => ranked.iter().skip(request.offset).take(count).copied().collect(),
            None => members.slice(request.offset, count),
        };
        let contains = page
            .iter()
            .map(|(segment, concept)| item(segment, *concept, request))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Expansion {
            url: self.url_of(request)?,
            paging: paging(total, request.offset, contains.len()),
            contains,
            applied_versions: applied(&notes),
            unresolved: notes.unresolved,
            unknown: notes.unknown,
            used: notes.used.iter().map(|entry| used(entry)).collect(),
            used_valuesets: notes.used_valuesets,
            provenance: notes.used.iter().map(|entry| provenance(entry)).collect(),
        })
    }

    fn url_of(&self, request: &ValueSetRequest) -> Result<Option<String>, Error> {
        Ok(match &request.valueset {
            ValueSetSource::Given(valueset) => valueset.canonical(),
            ValueSetSource::Url(url) => {
                let named = self.named(url, &request.rules)?;
                Some(named.map_or_else(|| url.clone(), |named| named.name))
            }
            ValueSetSource::Expression { .. } => None,
        })
    }
}

/// The versions that a request's rules chose.
fn applied(notes: &Notes<'_>) -> Vec<AppliedVersion> {
    let mut applied: Vec<AppliedVersion> = Vec::new();
    for one in &notes.resolutions {
        let Some((rule, version)) = one.by_rule.zip(one.meant.clone()) else { continue };
        let one = AppliedVersion { rule, system: one.system.clone(), version };
        if !applied.contains(&one) {
            applied.push(one);
        }
    }
    applied
}

/// What is told of a terminology that was used.
pub(super) fn used(entry: &Entry) -> UsedTerminology {
    let release = &entry.index.manifest().release;
    UsedTerminology {
        system: release.system.clone(),
        version: release.published_version().map(str::to_owned),
    }
}

fn refuse_missing(
    catalog: &Catalog,
    request: &ValueSetRequest,
    notes: &Notes<'_>,
) -> Result<(), Error> {
    let Some(first) = notes.unresolved.first().filter(|_| request.missing == Missing::Refused)
    else {
        return Ok(());
    };
    Err(match first.kind {
        UnresolvedKind::System => catalog.unknown_system(&first.system),
        UnresolvedKind::Valueset => Error::UnknownValueSet { url: first.system.clone() },
    })
}

fn item(
    segment: &Segment<'_>,
    concept: ConceptOrd,
    request: &ValueSetRequest,
) -> Result<ExpansionItem, Error> {
    let entry = segment.entry;
    let release = &entry.index.manifest().release;
    let records = entry.index.records();
    let listed = segment.name(concept).map(AsRef::as_ref);
    let (shown, name, language) = shown(entry, concept, listed, &request.languages);
    let properties = match request.properties.as_slice() {
        [] => Vec::new(),
        wanted => own_properties(entry, concept, wanted)?,
    };
    let definition = match request.properties.iter().any(|name| name == DEFINITION) {
        true => records.details(concept).map_err(|source| entry.failed(source))?.definition,
        false => None,
    };
    let designations = match request.details {
        Details::Display => Vec::new(),
        Details::Designations => designations(entry, concept, shown, listed),
    };
    Ok(ExpansionItem {
        system: release.system.clone(),
        version: release.published_version().map(str::to_owned),
        code: code_of(entry, concept)?,
        display: name,
        language,
        inactive: !records.is_active(concept),
        is_abstract: !records.is_selectable(concept),
        status: status(entry, concept),
        definition,
        designations,
        properties,
    })
}

/// The name to show and its language: that of the value set, or the terminology's own, which then is
/// not among the other names.
fn shown(
    entry: &Entry,
    concept: ConceptOrd,
    listed: Option<&ListedConcept>,
    languages: &[String],
) -> (Option<DesignationOrd>, String, String) {
    if let Some(name) = listed.and_then(|listed| listed.display.as_ref())
        && languages.is_empty()
    {
        let language = entry.index.manifest().release.language.clone();
        return (None, name.clone(), language);
    }
    let found = languages.iter().find_map(|language| preferred(entry, concept, language));
    let (ord, name) = found.unwrap_or_else(|| display(entry, concept, None));
    (Some(ord), name.value.to_owned(), name.language.to_owned())
}

/// The names but the one that is shown: those of the value set first.
fn designations(
    entry: &Entry,
    concept: ConceptOrd,
    shown: Option<DesignationOrd>,
    listed: Option<&ListedConcept>,
) -> Vec<DesignationView> {
    let records = entry.index.records();
    let language = entry.index.manifest().release.language.as_str();
    let of_list = listed.into_iter().flat_map(|listed| &listed.designation);
    let of_list = of_list.map(|name| DesignationView {
        language: name.language.clone().unwrap_or_else(|| language.to_owned()),
        use_: crate::terminology::DesignationUse::Synonym,
        value: name.value.clone(),
        source: None,
    });
    let own = records.designations(concept).map(DesignationOrd);
    let own = own.filter(|ord| Some(*ord) != shown).map(|ord| records.designation(ord));
    let own = own.map(|name| DesignationView {
        language: name.language.to_owned(),
        use_: name.use_,
        value: name.value.to_owned(),
        source: name.source.map(str::to_owned),
    });
    of_list.chain(own).collect()
}
