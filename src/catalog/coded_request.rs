use std::sync::Arc;

use crate::valueset::ValueSet;

use super::expand_request::ValueSetSource;
use super::version_rule::{VersionRule, VersionRules};
use super::{DisplayCheck, Error, Inactive};

/// A code as data have it (FHIR `Coding`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct GivenCoding {
    /// The canonical URI of the terminology.
    pub system: Option<String>,
    /// The version of it.
    pub version: Option<String>,
    /// The code.
    pub code: String,
    /// What the data call it.
    pub display: Option<String>,
}

impl GivenCoding {
    /// A code of a terminology.
    #[must_use]
    pub fn new(system: &str, code: &str) -> Self {
        Self { system: Some(system.to_owned()), ..Self::bare(code) }
    }

    /// A code that does not say of which terminology it is.
    #[must_use]
    pub fn bare(code: &str) -> Self {
        Self { code: code.to_owned(), ..Self::default() }
    }

    /// Of this version.
    #[must_use]
    pub fn version(mut self, version: &str) -> Self {
        self.version = Some(version.to_owned());
        self
    }

    /// Called so.
    #[must_use]
    pub fn display(mut self, display: &str) -> Self {
        self.display = Some(display.to_owned());
        self
    }
}

/// The element of data that has the code: issues say where in it they are.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CodedElement {
    /// A code alone (FHIR `code`); issues are at `code`, `system`, `version` and `display`.
    Code(GivenCoding),
    /// FHIR's `Coding`.
    Coding(GivenCoding),
    /// FHIR's `CodeableConcept`: several codes for the same thing, of which one must be in the value
    /// set and all must be right.
    Concept(Vec<GivenCoding>),
}

/// Whether the terminology of a code that names none is told from the value set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InferSystem {
    /// A code without a terminology is in no value set.
    #[default]
    No,
    /// It is the one concept of the value set that has the code.
    Yes,
}

/// Whether a heading may be used as a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Abstract {
    /// It may, where the value set has it.
    #[default]
    Allowed,
    /// It may not.
    Refused,
}

/// Which coded data to check, and against what (FHIR `$validate-code`).
#[derive(Debug, Clone)]
pub struct CodedRequest {
    pub(super) element: CodedElement,
    /// `None`: against the terminology alone.
    pub(super) valueset: Option<ValueSetSource>,
    pub(super) infer: InferSystem,
    pub(super) display_check: DisplayCheck,
    pub(super) inactive: Inactive,
    pub(super) headings: Abstract,
    pub(super) languages: Vec<String>,
    pub(super) rules: VersionRules,
    pub(super) scope: CodedScope,
}

/// What of coded data is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CodedScope {
    /// All of it: the codes, their versions and displays, and whether they are in the value set.
    #[default]
    All,
    /// Whether they are in the value set.
    MembershipOnly,
}

impl CodedRequest {
    /// Checks the data against their terminologies.
    #[must_use]
    pub fn new(element: CodedElement) -> Self {
        Self {
            element,
            valueset: None,
            infer: InferSystem::default(),
            display_check: DisplayCheck::default(),
            inactive: Inactive::Shown,
            headings: Abstract::default(),
            languages: Vec::new(),
            rules: VersionRules::default(),
            scope: CodedScope::default(),
        }
    }

    /// Checks a code.
    #[must_use]
    pub fn coding(coding: GivenCoding) -> Self {
        Self::new(CodedElement::Coding(coding))
    }

    /// Whether it is in the value set of this URL: one that is loaded, `|version` behind it where one
    /// is meant, or an implicit one.
    #[must_use]
    pub fn valueset(self, url: &str) -> Self {
        self.valueset_from(ValueSetSource::Url(url.trim().to_owned()))
    }

    /// Whether it is in this value set, which need not be loaded.
    #[must_use]
    pub fn given(self, valueset: impl Into<Arc<ValueSet>>) -> Self {
        self.valueset_from(ValueSetSource::Given(valueset.into()))
    }

    /// Whether it is in the value set from there.
    #[must_use]
    pub fn valueset_from(mut self, source: ValueSetSource) -> Self {
        self.valueset = Some(source);
        self
    }

    /// Whether the terminology of a code that names none is told from the value set.
    #[must_use]
    pub fn infer_system(mut self, infer: InferSystem) -> Self {
        self.infer = infer;
        self
    }

    /// What becomes of a display that is none of the concept's names.
    #[must_use]
    pub fn display_check(mut self, check: DisplayCheck) -> Self {
        self.display_check = check;
        self
    }

    /// Whether retired concepts count as members of the value set; they do where nothing is said.
    #[must_use]
    pub fn inactive(mut self, inactive: Inactive) -> Self {
        self.inactive = inactive;
        self
    }

    /// Whether a heading may be used as a code.
    #[must_use]
    pub fn headings(mut self, headings: Abstract) -> Self {
        self.headings = headings;
        self
    }

    /// A language that the displays may be in (BCP 47). May be called several times; the answer's
    /// display is in the first of them that has a name.
    #[must_use]
    pub fn language(mut self, tag: &str) -> Self {
        self.languages.push(tag.to_owned());
        self
    }

    /// What is checked.
    #[must_use]
    pub fn scope(mut self, scope: CodedScope) -> Self {
        self.scope = scope;
        self
    }

    /// Which version of a terminology is meant, `system|version`. May be called several times.
    ///
    /// # Errors
    /// [`Error::InvalidRequest`] where there is no version behind the terminology.
    pub fn system_version(mut self, rule: VersionRule, canonical: &str) -> Result<Self, Error> {
        self.rules.add_system(rule, canonical)?;
        Ok(self)
    }

    /// Which version of a value set is meant by its URL alone, `url|version`. May be called several
    /// times.
    ///
    /// # Errors
    /// [`Error::InvalidRequest`] where there is no version behind the URL.
    pub fn valueset_version(mut self, canonical: &str) -> Result<Self, Error> {
        self.rules.add_valueset(canonical)?;
        Ok(self)
    }
}
