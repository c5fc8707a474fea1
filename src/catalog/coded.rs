use crate::terminology::{ConceptOrd, Content};

use super::code_request::check_batch;
use super::coded_display::{Called, DisplayRule};
use super::coded_verdict::{Place, Verdict, one, several, status};
use super::expand_members::Members;
use super::expand_request::ValueSetSource;
use super::expand_resolve::NAMELESS;
use super::expand_response::UnresolvedKind;
use super::expand_value_set::{Evaluator, Notes};
use super::lookup::found;
use super::open::Entry;
use super::outcome::{UNKNOWN_VALUESET, unknown_valueset};
use super::version_rule::version_order;
use super::{
    Abstract, Catalog, CodedElement, CodedRequest, CodedResponse, CodedScope, Error, GivenCoding,
    Inactive, InferSystem, Issue, IssueCode, MAX_VALIDATIONS, Severity,
};

impl Catalog {
    /// Whether coded data are right, and in a value set (FHIR `$validate-code`): each code a code of its
    /// terminology, each display one of its names, the version one that the value set means.
    ///
    /// # Errors
    /// [`Error::UnknownValueSet`], and what [`Catalog::expand`] says of a value set that has no meaning
    /// or is too large. What is not loaded of what the value set is made of, an unknown code or
    /// terminology are answers.
    pub fn validate_coded(&self, request: &CodedRequest) -> Result<CodedResponse, Error> {
        let mut request = std::borrow::Cow::Borrowed(request);
        if request.languages.is_empty()
            && let Some(language) = self.valueset_language(&request)?
        {
            request.to_mut().languages.push(language);
        }
        let request = request.as_ref();
        let check = Check { catalog: self, request };
        let (codings, is_one) = match &request.element {
            CodedElement::Code(one) => (vec![(one, Place(String::new()))], true),
            CodedElement::Coding(one) => (vec![(one, Place("Coding".to_owned()))], true),
            CodedElement::Concept(all) => {
                let place = |at| Place(format!("CodeableConcept.coding[{at}]"));
                (all.iter().enumerate().map(|(at, one)| (one, place(at))).collect(), false)
            }
        };
        let mut verdicts = Vec::with_capacity(codings.len());
        for (coding, place) in &codings {
            verdicts.push(check.coding(coding, place)?);
        }
        let name = self.valueset_name(request)?;
        let response = if is_one {
            one(&codings, verdicts, name.as_deref())
        } else {
            several(&codings, verdicts, name.as_deref())
        };
        Ok(response.concluded())
    }

    /// Several checks, each with its answer or its error, in their order.
    ///
    /// # Errors
    /// [`Error::BatchTooLarge`] where there are more than [`MAX_VALIDATIONS`].
    pub fn validate_coded_many(
        &self,
        requests: &[CodedRequest],
    ) -> Result<Vec<Result<CodedResponse, Error>>, Error> {
        check_batch(requests.len(), MAX_VALIDATIONS)?;
        Ok(requests.iter().map(|request| self.validate_coded(request)).collect())
    }

    /// The language that the value set of a request is in.
    fn valueset_language(&self, request: &CodedRequest) -> Result<Option<String>, Error> {
        Ok(match &request.valueset {
            Some(ValueSetSource::Given(valueset)) => valueset.display_language(),
            Some(ValueSetSource::Url(url)) => {
                let named = self.named(url, &request.rules)?;
                named.and_then(|named| named.valueset.display_language())
            }
            _ => None,
        })
    }

    /// What the value set of a request is called.
    fn valueset_name(&self, request: &CodedRequest) -> Result<Option<String>, Error> {
        Ok(match &request.valueset {
            None => None,
            Some(ValueSetSource::Given(valueset)) => {
                Some(valueset.canonical().unwrap_or_else(|| NAMELESS.to_owned()))
            }
            Some(ValueSetSource::Url(url)) => {
                let named = self.named(url, &request.rules)?;
                Some(named.map_or_else(|| url.clone(), |named| named.name))
            }
            Some(ValueSetSource::Expression { text, .. }) => Some(text.clone()),
        })
    }
}

/// A request being checked.
struct Check<'c, 'r> {
    catalog: &'c Catalog,
    request: &'r CodedRequest,
}

impl<'c> Check<'c, '_> {
    fn coding(&self, given: &GivenCoding, place: &Place) -> Result<Verdict<'c>, Error> {
        let mut verdict = Verdict::default();
        let (mut members, notes) = match &self.request.valueset {
            Some(source) => {
                let evaluator = Evaluator::new(self.catalog, &self.request.rules);
                let mut evaluator =
                    evaluator.for_code(given.system.as_deref(), given.version.as_deref());
                let members = evaluator.source(source)?;
                (Some(members), evaluator.notes)
            }
            None => (None, Notes::default()),
        };
        let mut retired = notes.retired;
        if let Some(members) =
            members.as_mut().filter(|_| self.request.inactive == Inactive::Hidden)
        {
            retired.add(members.remove_inactive());
        }
        for one in notes.unresolved.iter().filter(|one| one.kind == UnresolvedKind::Valueset) {
            let message = unknown_valueset(&one.system);
            let issue = Issue::new(IssueCode::UnknownValueset, Severity::Error, message)
                .called(UNKNOWN_VALUESET);
            verdict.issues.push(issue);
            verdict.is_undecided = true;
        }
        let inferred;
        let coding = match self.with_system(given, members.as_ref(), place, &mut verdict) {
            Some(coding) => {
                inferred = coding;
                &inferred
            }
            None => return Ok(verdict),
        };
        let rules = &self.request.rules;
        let entry =
            self.catalog.check_system(coding, place, &notes.resolutions, rules, &mut verdict)?;
        verdict.entry = entry;
        let Some(entry) = entry else { return Ok(verdict) };
        self.concept(coding, place, entry, members.as_ref(), &retired, &mut verdict)?;
        if self.request.scope == CodedScope::MembershipOnly {
            verdict.issues.clear();
        }
        Ok(verdict)
    }

    /// The code with its terminology: that which is given, or that which can be told.
    fn with_system(
        &self,
        given: &GivenCoding,
        members: Option<&Members<'c>>,
        place: &Place,
        verdict: &mut Verdict<'c>,
    ) -> Option<GivenCoding> {
        if given.system.as_deref().is_some_and(|system| !system.trim().is_empty()) {
            return Some(given.clone());
        }
        if self.request.infer == InferSystem::No {
            let message = "Coding has no system. A code with no system has no defined meaning, and \
                           it cannot be validated. A system should be provided";
            let issue = Issue::new(IssueCode::InvalidSystem, Severity::Warning, message)
                .called("Coding_has_no_system__cannot_validate");
            verdict.issues.push(issue.at(place.whole()));
            return None;
        }
        let mut systems: Vec<&str> = Vec::new();
        for entry in members.map(Members::entries).unwrap_or_default() {
            let concept = entry.index.find(&given.code);
            let is_in =
                concept.is_some_and(|one| members.is_some_and(|m| m.find(entry, one).is_some()));
            if is_in && !systems.contains(&entry.system().as_str()) {
                systems.push(entry.system().as_str());
            }
        }
        if let [only] = systems.as_slice() {
            verdict.system = Some((*only).to_owned());
            return Some(GivenCoding { system: Some((*only).to_owned()), ..given.clone() });
        }
        let name = self.catalog.valueset_name(self.request).ok().flatten().unwrap_or_default();
        let mut message = format!(
            "The System URI could not be determined for the code '{}' in the ValueSet '{name}'",
            given.code
        );
        let mut id = "UNABLE_TO_INFER_CODESYSTEM";
        if !systems.is_empty() {
            id = "Unable_to_resolve_system__value_set_has_multiple_matches";
            let several = systems.join(", ");
            message.push_str(&format!(": value set expansion has multiple matches: [{several}]"));
        }
        let issue = Issue::new(IssueCode::CannotInferSystem, Severity::Error, message).called(id);
        verdict.issues.push(issue.at(place.code()));
        None
    }

    fn concept(
        &self,
        coding: &GivenCoding,
        place: &Place,
        looked: &'c Entry,
        members: Option<&Members<'c>>,
        retired: &Members<'c>,
        verdict: &mut Verdict<'c>,
    ) -> Result<(), Error> {
        let candidates = match members {
            Some(members) => self.candidates(coding, looked, members)?,
            None => Vec::new(),
        };
        let languages = &self.request.languages;
        let called = |(entry, concept): (&'c Entry, ConceptOrd)| Called {
            entry,
            concept,
            segment: members.and_then(|members| members.find(entry, concept)),
        };
        let named = coding.display.as_deref().and_then(|display| {
            candidates.iter().find(|one| called(**one).is_called(display, languages))
        });
        let member = named.or_else(|| candidates.first()).copied();
        verdict.is_member = member.is_some();
        let found = match member {
            Some(member) => Some(member),
            None => found(looked, &coding.code)?.map(|concept| (looked, concept)),
        };
        let Some((entry, concept)) = found else {
            no_code(coding, place, looked, verdict);
            return Ok(());
        };
        verdict.is_member |= members.is_none();
        (verdict.entry, verdict.concept) = (Some(entry), Some(concept));
        let called = called((entry, concept));
        verdict.display = Some(called.shown(languages));
        spelling(coding, place, entry, concept, verdict);
        let records = entry.index.records();
        if !records.is_active(concept) {
            if retired.find(entry, concept).is_some() {
                let message = format!("The concept '{}' is valid but is not active", coding.code);
                let issue = Issue::new(IssueCode::InactiveNotAllowed, Severity::Error, message)
                    .called("STATUS_CODE_WARNING_CODE");
                verdict.issues.push(issue.at(place.code()));
            }
            let status = match status(entry, concept).filter(|status| status != "inactive") {
                Some(status) => format!("{status} and inactive"),
                None => "inactive".to_owned(),
            };
            let message = format!(
                "The concept '{}' has a status of {status} and its use should be reviewed",
                coding.code
            );
            let issue = Issue::new(IssueCode::Inactive, Severity::Warning, message)
                .called("INACTIVE_CONCEPT_FOUND");
            verdict.issues.push(issue.at(place.whole()));
        }
        if self.request.headings == Abstract::Refused && !records.is_selectable(concept) {
            let system = entry.system();
            let message = format!(
                "Code '{system}#{}' is abstract, and not allowed in this context",
                coding.code
            );
            let issue = Issue::new(IssueCode::AbstractNotAllowed, Severity::Error, message)
                .called("ABSTRACT_CODE_NOT_ALLOWED");
            verdict.issues.push(issue.at(place.code()));
            verdict.is_member = false;
        }
        let segment = called.segment.filter(|_| verdict.is_member);
        if let Some(name) = segment.and_then(|segment| segment.name(concept))
            && name.is_deprecated()
        {
            let valueset = self.catalog.valueset_name(self.request)?.unwrap_or_default();
            let message = format!(
                "The presence of the concept '{}' in the system '{}' in the value set {valueset} is \
                 marked with a status of deprecated and its use should be reviewed",
                coding.code,
                entry.system()
            );
            let issue = Issue::new(IssueCode::DeprecatedInValueset, Severity::Warning, message)
                .called("CONCEPT_DEPRECATED_IN_VALUESET");
            verdict.issues.push(issue.at(place.code()));
        }
        if let Some(display) = &coding.display {
            let check = self.request.display_check;
            let issue = called.check(display, &DisplayRule { languages, check });
            verdict.issues.extend(issue.map(|issue| issue.at(place.display())));
        }
        Ok(())
    }

    /// The members that have the code: of the version that is asked for where the value set has one,
    /// or of each, the last version first.
    fn candidates(
        &self,
        coding: &GivenCoding,
        looked: &'c Entry,
        members: &Members<'c>,
    ) -> Result<Vec<(&'c Entry, ConceptOrd)>, Error> {
        let mut entries = members.entries();
        entries.retain(|entry| entry.system() == looked.system());
        if coding.version.as_deref() == Some(looked.version()) {
            entries.retain(|entry| std::ptr::eq(*entry, looked));
        }
        entries.sort_by(|a, b| version_order(b.version(), a.version()));
        let mut candidates = Vec::new();
        for entry in entries {
            if let Some(concept) = found(entry, &coding.code)?
                && members.find(entry, concept).is_some()
            {
                candidates.push((entry, concept));
            }
        }
        Ok(candidates)
    }
}

/// What is to be said of a code that the terminology does not have.
fn no_code(coding: &GivenCoding, place: &Place, entry: &Entry, verdict: &mut Verdict<'_>) {
    let release = &entry.index.manifest().release;
    let version = release.published_version();
    let version = version.map(|version| format!(" version '{version}'")).unwrap_or_default();
    let (code, system) = (&coding.code, entry.system());
    let issue = if release.content == Content::Complete {
        let message = format!("Unknown code '{code}' in the CodeSystem '{system}'{version}");
        Issue::new(IssueCode::UnknownCode, Severity::Error, message)
            .called("Unknown_Code_in_Version")
    } else {
        verdict.is_outside_excerpt = true;
        let message = format!(
            "Unknown Code '{code}' in the CodeSystem '{system}'{version} - note that the code \
             system is labeled as a fragment, so the code may be valid in some other fragment"
        );
        Issue::new(IssueCode::CodeNotInFragment, Severity::Warning, message)
            .called("UNKNOWN_CODE_IN_FRAGMENT")
    };
    verdict.issues.push(issue.at(place.code()));
}

/// What is to be said of a code in another spelling.
fn spelling(
    coding: &GivenCoding,
    place: &Place,
    entry: &Entry,
    concept: ConceptOrd,
    verdict: &mut Verdict<'_>,
) {
    let own = entry.index.records().code(concept);
    if own == coding.code {
        return;
    }
    verdict.normalized_code = Some(own.to_owned());
    if own.to_lowercase() == coding.code.to_lowercase() {
        let release = &entry.index.manifest().release;
        let version = release.published_version();
        let version = version.map(|version| format!("|{version}")).unwrap_or_default();
        let message = format!(
            "The code '{}' differs from the correct code '{own}' by case. Although the code \
             system '{}{version}' is case insensitive, implementers are strongly encouraged to \
             use the correct case anyway",
            coding.code, release.system
        );
        let issue = Issue::new(IssueCode::CodeCase, Severity::Information, message)
            .called("CODE_CASE_DIFFERENCE");
        verdict.issues.push(issue.at(place.code()));
    }
}
