use crate::terminology::{Code, ConceptOrd, Content, DesignationOrd, DesignationUse};
use crate::text::normalize;

use super::lookup::{code_of, nearby, normalized, replaced_by};
use super::open::Entry;
use super::{Catalog, Error, Issue, ValidateRequest, ValidateResponse};

impl Catalog {
    /// Whether a code is one, and whether a display is one of its names (FHIR `$validate-code`).
    ///
    /// A wrong display makes the answer false; a header or grouper is a valid code with an issue.
    ///
    /// # Errors
    /// [`Error::UnknownSystem`], [`Error::UnknownVersion`] and [`Error::Index`]. An unknown code is
    /// an answer, not an error.
    pub fn validate_code(&self, request: &ValidateRequest) -> Result<ValidateResponse, Error> {
        let entry = self.entry(&request.system)?;
        let mut response = ValidateResponse {
            system: entry.index.manifest().release.system.clone(),
            version: entry.version().to_owned(),
            code: request.code.clone(),
            valid: Some(false),
            display: None,
            normalized_code: None,
            active: None,
            replaced_by: Vec::new(),
            message: None,
            issues: Vec::new(),
        };
        match entry.index.find(&request.code) {
            Some(concept) => known(entry, concept, request, &mut response)?,
            None => unknown(entry, request, &mut response),
        }
        response.message = response.issues.first().map(|issue| issue.message.clone());
        Ok(response)
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
    let display = records.display(concept);
    response.valid = Some(true);
    response.display = Some(display.to_owned());
    response.active = Some(records.is_active(concept));
    response.normalized_code = normalized(&code, &request.code);
    let issues = &mut response.issues;
    let mut issue = |kind: &str, message: String| {
        issues.push(Issue { code: kind.to_owned(), message });
    };
    if let Some(given) = &request.display
        && !is_a_name(entry, concept, given)
    {
        response.valid = Some(false);
        issue("invalid-display", format!("{given:?} is no name of {code}; it is {display:?}"));
    }
    if !records.is_active(concept) {
        let details = records.details(concept).map_err(|source| entry.failed(source))?;
        response.replaced_by = replaced_by(&details.properties);
        issue("inactive", retired(&code, &response.replaced_by));
    }
    if !records.is_selectable(concept) {
        issue("abstract", format!("{code} is a chapter or block: choose a code below it"));
    } else if records.is_billable(concept) == Some(false) {
        issue("not-billable", format!("{code} is a header: a claim needs a code below it"));
    }
    Ok(())
}

/// Says that a code is retired, and what to use instead.
pub(super) fn retired(code: &Code, replaced_by: &[Code]) -> String {
    if replaced_by.is_empty() {
        return format!("{code} is retired");
    }
    let instead: Vec<&str> = replaced_by.iter().map(Code::as_str).collect();
    format!("{code} is retired; use {} instead", instead.join(" or "))
}

/// A name that is only close in meaning or was borrowed, and a bag of words, are no name of it.
fn is_a_name(entry: &Entry, concept: ConceptOrd, given: &str) -> bool {
    let records = entry.index.records();
    let given = normalize(given);
    records
        .designations(concept)
        .map(|ord| records.designation(DesignationOrd(ord)))
        .filter(|name| name.use_.names_literally() && name.use_ != DesignationUse::WordBag)
        .any(|name| normalize(name.value) == given)
}

fn unknown(entry: &Entry, request: &ValidateRequest, response: &mut ValidateResponse) {
    let system = entry.alias();
    if entry.index.manifest().release.content != Content::Complete {
        response.valid = None;
        response.issues.push(Issue {
            code: "code-not-in-fragment".to_owned(),
            message: format!(
                "{:?} is not in the excerpt of {system} that is loaded; nothing can be said about it",
                request.code
            ),
        });
        return;
    }
    let near = nearby(entry, &request.code);
    let hint = if near.is_empty() {
        String::new()
    } else {
        format!("; codes near it: {}", near.join(", "))
    };
    response.issues.push(Issue {
        code: "unknown-code".to_owned(),
        message: format!("{:?} is not a code of {system}{hint}", request.code),
    });
}
