//! What is found of coded data, and the answer that is made of it.

use crate::terminology::{ConceptOrd, property};

use super::lookup::own_properties;
use super::open::Entry;
use super::{CodedResponse, GivenCoding, Issue, IssueCode, Severity};

/// Where in the data a code is.
pub(super) struct Place(pub(super) String);

impl Place {
    fn element(&self, name: &str) -> String {
        if self.0.is_empty() { name.to_owned() } else { format!("{}.{name}", self.0) }
    }

    pub(super) fn code(&self) -> String {
        self.element("code")
    }

    pub(super) fn system(&self) -> String {
        self.element("system")
    }

    pub(super) fn version(&self) -> String {
        self.element("version")
    }

    pub(super) fn display(&self) -> String {
        self.element("display")
    }

    pub(super) fn whole(&self) -> String {
        if self.0.is_empty() { "code".to_owned() } else { self.0.clone() }
    }
}

/// What is found of one code.
#[derive(Default)]
pub(super) struct Verdict<'c> {
    pub(super) issues: Vec<Issue>,
    /// Whether the value set has it.
    pub(super) is_member: bool,
    /// Something that is needed to tell is not loaded.
    pub(super) is_undecided: bool,
    /// It may be in a part of the terminology that is not loaded.
    pub(super) is_outside_excerpt: bool,
    pub(super) unknown_systems: Vec<String>,
    pub(super) needed_systems: Vec<String>,
    pub(super) system: Option<String>,
    pub(super) entry: Option<&'c Entry>,
    pub(super) concept: Option<ConceptOrd>,
    pub(super) display: Option<String>,
    pub(super) normalized_code: Option<String>,
}

/// The name in HL7's catalog of the sentence that a code is not in the value set.
const NOT_IN: &str = "None_of_the_provided_codes_are_in_the_value_set_one";

/// Data of one code.
pub(super) fn one(
    codings: &[(&GivenCoding, Place)],
    verdicts: Vec<Verdict<'_>>,
    valueset: Option<&str>,
) -> CodedResponse {
    let mut response = CodedResponse { valid: Some(true), ..CodedResponse::default() };
    for ((coding, place), verdict) in codings.iter().zip(verdicts) {
        if let Some(name) = valueset.filter(|_| verdict.is_missing()) {
            let issue = Issue::new(IssueCode::NotInValueset, Severity::Error, not_in(coding, name));
            response.issues.push(issue.called(NOT_IN).at(place.code()));
        }
        if verdict.is_outside_excerpt {
            response.valid = None;
        }
        response.code = Some(coding.code.clone());
        response.system = coding.system.clone().or_else(|| verdict.system.clone());
        response.take(verdict);
    }
    response
}

/// Data of several codes, one of which must be in the value set.
pub(super) fn several(
    codings: &[(&GivenCoding, Place)],
    verdicts: Vec<Verdict<'_>>,
    valueset: Option<&str>,
) -> CodedResponse {
    let mut response = CodedResponse { valid: Some(true), ..CodedResponse::default() };
    let is_in = verdicts.iter().any(|verdict| verdict.is_member);
    let is_open = verdicts.iter().any(|one| one.is_undecided || one.is_outside_excerpt);
    if !is_in && is_open && verdicts.iter().any(|one| one.is_outside_excerpt) {
        response.valid = None;
    }
    if let Some(name) = valueset.filter(|_| !is_in && !is_open) {
        let message = format!("No valid coding was found for the value set '{name}'");
        let issue = Issue::new(IssueCode::NotInValueset, Severity::Error, message);
        response.issues.push(issue.called("TX_GENERAL_CC_ERROR_MESSAGE"));
    }
    for ((coding, place), verdict) in codings.iter().zip(verdicts) {
        if let Some(name) = valueset.filter(|_| verdict.is_missing()) {
            let (code, message) = (IssueCode::ThisCodeNotInValueset, not_in(coding, name));
            let issue = Issue::new(code, Severity::Information, message);
            response.issues.push(issue.called(NOT_IN).at(place.code()));
        }
        if verdict.is_member && response.code.is_none() {
            response.code = Some(coding.code.clone());
            response.system = coding.system.clone();
            response.take_concept(&verdict);
        }
        response.take_issues(verdict);
    }
    response
}

fn not_in(coding: &GivenCoding, valueset: &str) -> String {
    let system = coding.system.as_deref().unwrap_or_default();
    let version = coding.version.as_ref().map(|version| format!("|{version}")).unwrap_or_default();
    let code = &coding.code;
    let display = coding.display.as_ref().map(|text| format!(" ('{text}')")).unwrap_or_default();
    format!(
        "The provided code '{system}{version}#{code}{display}' was not found in the value set \
         '{valueset}'"
    )
}

impl Verdict<'_> {
    /// Whether it can be said that the value set does not have the code.
    fn is_missing(&self) -> bool {
        !self.is_member && !self.is_undecided && !self.is_outside_excerpt
    }
}

impl CodedResponse {
    fn take(&mut self, verdict: Verdict<'_>) {
        self.take_concept(&verdict);
        self.take_issues(verdict);
    }

    fn take_concept(&mut self, verdict: &Verdict<'_>) {
        let Some(entry) = verdict.entry else { return };
        let release = &entry.index.manifest().release;
        self.version = release.published_version().map(str::to_owned);
        self.display.clone_from(&verdict.display);
        self.normalized_code.clone_from(&verdict.normalized_code);
        if let Some(concept) = verdict.concept {
            self.active = Some(entry.index.records().is_active(concept));
            self.status = status(entry, concept);
        }
    }

    fn take_issues(&mut self, verdict: Verdict<'_>) {
        self.issues.extend(verdict.issues);
        self.unknown_systems.extend(verdict.unknown_systems);
        self.needed_systems.extend(verdict.needed_systems);
    }
}

/// The publisher's word for how far a retired concept is in use.
pub(super) fn status(entry: &Entry, concept: ConceptOrd) -> Option<String> {
    if entry.index.records().is_active(concept) {
        return None;
    }
    let found = own_properties(entry, concept, &[property::STATUS.to_owned()]).ok()?;
    found.into_iter().find_map(|one| one.value.as_text().map(str::to_owned))
}
