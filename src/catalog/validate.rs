use crate::terminology::{Code, ConceptOrd, Content, language_fits};

use super::code_request::check_batch;
use super::display::{compared, display, names};
use super::expand_request::ValueSetSource;
use super::expand_response::UnresolvedKind;
use super::expand_value_set::Evaluator;
use super::lookup::{code_of, found, normalized, replaced_by};
use super::open::Entry;
use super::outcome::{Needed, unknown_system, unknown_valueset};
use super::version_rule::VersionRules;
use super::{
    Catalog, DisplayCheck, Error, Issue, IssueCode, MAX_VALIDATIONS, Severity, ValidateRequest,
    ValidateResponse,
};

impl Catalog {
    /// Whether a code is one, and whether a display is one of its names (FHIR `$validate-code`).
    ///
    /// A wrong display makes the answer false, unless the check is lenient; a header or grouper is a
    /// valid code with an issue. Of a code that is none the answer says what may have been meant.
    ///
    /// # Errors
    /// [`Error::UnknownSystem`], [`Error::UnknownVersion`], [`Error::InvalidRequest`] where the
    /// version is asked for twice, and [`Error::Index`]. An unknown code is an answer, not an error.
    pub fn validate_code(&self, request: &ValidateRequest) -> Result<ValidateResponse, Error> {
        let entry = self.entry_of(&request.system, request.version.as_deref())?;
        let mut response = ValidateResponse {
            system: entry.system().clone(),
            version: entry.version().to_owned(),
            code: request.code.clone(),
            valid: Some(false),
            display: None,
            normalized_code: None,
            active: None,
            replaced_by: Vec::new(),
            message: None,
            issues: Vec::new(),
            suggestions: Vec::new(),
            elsewhere: Vec::new(),
        };
        match found(entry, &request.code)? {
            Some(concept) => known(entry, concept, request, &mut response)?,
            None => self.unknown(entry, request, &mut response)?,
        }
        if let Some(valueset) = &request.valueset {
            self.check_membership(entry, request, valueset, &mut response)?;
        }
        response.issues.sort_by_key(|issue| issue.severity);
        response.message = response.issues.first().map(|issue| issue.message.clone());
        Ok(response)
    }

    /// Several validations, each with its answer or its error, in their order.
    ///
    /// # Errors
    /// [`Error::BatchTooLarge`] where there are more than [`MAX_VALIDATIONS`].
    pub fn validate_codes(
        &self,
        requests: &[ValidateRequest],
    ) -> Result<Vec<Result<ValidateResponse, Error>>, Error> {
        check_batch(requests.len(), MAX_VALIDATIONS)?;
        Ok(requests.iter().map(|request| self.validate_code(request)).collect())
    }

    /// Whether the value set has the concept. What it is made of and is not loaded is told, and what
    /// cannot be told for that is no member.
    fn check_membership(
        &self,
        entry: &Entry,
        request: &ValidateRequest,
        valueset: &str,
        response: &mut ValidateResponse,
    ) -> Result<(), Error> {
        let version = entry.version();
        let source = ValueSetSource::of_text(valueset, &format!("{}|{version}", entry.alias()));
        let rules = VersionRules::default();
        let evaluator = Evaluator::new(self, &rules);
        let mut evaluator = evaluator.for_code(Some(entry.system().as_str()), Some(version));
        let members = evaluator.source(&source)?;
        for one in &evaluator.notes.unresolved {
            let (code, message) = match one.kind {
                UnresolvedKind::System => {
                    (IssueCode::UnknownSystem, unknown_system(&one.system, None, Needed::Expansion))
                }
                UnresolvedKind::Valueset => {
                    (IssueCode::UnknownValueset, unknown_valueset(&one.system))
                }
            };
            response.issues.push(Issue::new(code, Severity::Warning, message));
        }
        let problems = evaluator.notes.resolutions.iter().filter_map(|one| one.problem.as_ref());
        response.issues.extend(
            problems.map(|problem| Issue { severity: Severity::Warning, ..problem.issue() }),
        );
        let concept = found(entry, &request.code)?;
        let is_member = concept.is_some_and(|one| members.find(entry, one).is_some());
        if is_member || response.valid.is_none() {
            return Ok(());
        }
        response.valid = Some(false);
        let message = format!("{} is not in the value set {valueset}", request.code);
        let issue = Issue::new(IssueCode::NotInValueset, Severity::Error, message);
        response.issues.push(issue);
        Ok(())
    }

    fn unknown(
        &self,
        entry: &Entry,
        request: &ValidateRequest,
        response: &mut ValidateResponse,
    ) -> Result<(), Error> {
        let hints = self.hints(entry, &request.code)?;
        let (code, severity) = if hints.flaw.is_some() {
            (IssueCode::InvalidCodeFormat, Severity::Error)
        } else if entry.index.manifest().release.content == Content::Complete {
            (IssueCode::UnknownCode, Severity::Error)
        } else {
            response.valid = None;
            (IssueCode::CodeNotInFragment, Severity::Warning)
        };
        let message = match code {
            IssueCode::CodeNotInFragment => format!(
                "{:?} is not in the excerpt of {} that is loaded; nothing can be said about it",
                request.code,
                entry.alias()
            ),
            _ => format!("{:?} is not a code of {}{hints}", request.code, entry.alias()),
        };
        response.issues.push(Issue::new(code, severity, message));
        response.suggestions = hints.suggestions;
        response.elsewhere = hints.elsewhere;
        Ok(())
    }
}

fn known(
    entry: &Entry,
    concept: ConceptOrd,
    request: &ValidateRequest,
    response: &mut ValidateResponse,
) -> Result<(), Error> {
    let records = entry.index.records();
    let code = code_of(entry, concept)?;
    let (_, shown) = display(entry, concept, request.language.as_deref());
    response.valid = Some(true);
    response.display = Some(shown.value.to_owned());
    response.active = Some(records.is_active(concept));
    response.normalized_code = normalized(&code, &request.code);
    check_display(entry, concept, request, response);
    let mut warn = |code, message| {
        response.issues.push(Issue::new(code, Severity::Warning, message));
    };
    if !records.is_active(concept) {
        let details = records.details(concept).map_err(|source| entry.failed(source))?;
        response.replaced_by = replaced_by(&details.properties);
        warn(IssueCode::Inactive, retired(&code, &response.replaced_by));
    }
    if !records.is_selectable(concept) {
        let message = format!("{code} is a chapter, block or group: choose a code below it");
        warn(IssueCode::Abstract, message);
    } else if records.is_billable(concept) == Some(false) {
        let message = format!("{code} is a header: a claim needs a code below it");
        warn(IssueCode::NotBillable, message);
    }
    Ok(())
}

/// Compares the display that is given with the names of the concept: with those in the language that is asked for,
/// or with all where that has none.
fn check_display(
    entry: &Entry,
    concept: ConceptOrd,
    request: &ValidateRequest,
    response: &mut ValidateResponse,
) {
    let Some(given) = request.display.as_deref() else { return };
    let shape = entry.index.shape();
    let wanted = compared(shape, given);
    let right: Vec<&str> = names(entry, concept)
        .filter(|(_, name)| compared(shape, name.value) == wanted)
        .map(|(_, name)| name.language)
        .collect();
    let shown = response.display.as_deref().unwrap_or_default();
    let (code, asked) = (&request.code, request.language.as_deref());
    let fits = |tag: &&str| asked.is_none_or(|asked| language_fits(asked, tag));
    let has_language = names(entry, concept).any(|(_, name)| fits(&name.language));
    if !has_language {
        let asked = asked.unwrap_or_default();
        let message = format!("{code} has no name in {asked:?}; those of other languages count");
        let code = IssueCode::NoDisplayInLanguage;
        response.issues.push(Issue::new(code, Severity::Information, message));
    }
    let message = if right.is_empty() {
        format!("{given:?} is no name of {code}; it is {shown:?}")
    } else if has_language && !right.iter().any(fits) {
        let (other, asked) = (right[0], asked.unwrap_or_default());
        format!("{given:?} is a name of {code} in {other:?}; in {asked:?} it is {shown:?}")
    } else {
        return;
    };
    let severity = match request.display_check {
        DisplayCheck::Strict => Severity::Error,
        DisplayCheck::Lenient => Severity::Warning,
    };
    if severity == Severity::Error {
        response.valid = Some(false);
    }
    response.issues.push(Issue::new(IssueCode::InvalidDisplay, severity, message));
}

/// Says that a code is retired, and what to use instead.
pub(super) fn retired(code: &Code, replaced_by: &[Code]) -> String {
    if replaced_by.is_empty() {
        return format!("{code} is retired");
    }
    let instead: Vec<&str> = replaced_by.iter().map(Code::as_str).collect();
    format!("{code} is retired; use {} instead", instead.join(" or "))
}
