use super::Error;

/// The most codes that one call looks up.
pub const MAX_LOOKUPS: usize = 50;
/// The most codes that one call validates.
pub const MAX_VALIDATIONS: usize = 100;

/// Which code to look up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookupRequest {
    pub(super) system: String,
    pub(super) version: Option<String>,
    pub(super) code: String,
    pub(super) language: Option<String>,
    pub(super) properties: Vec<String>,
}

impl LookupRequest {
    /// Looks up `code` in `system`: an alias, a canonical URI or an OID, `|version` behind it where
    /// not the default version is meant.
    #[must_use]
    pub fn new(system: &str, code: &str) -> Self {
        Self {
            system: system.to_owned(),
            version: None,
            code: code.to_owned(),
            language: None,
            properties: Vec::new(),
        }
    }

    /// In this version, which must be loaded.
    #[must_use]
    pub fn version(mut self, version: &str) -> Self {
        self.version = Some(version.to_owned());
        self
    }

    /// With the display in this language where there is one (BCP 47, FHIR `displayLanguage`).
    #[must_use]
    pub fn language(mut self, language: &str) -> Self {
        self.language = Some(language.to_owned());
        self
    }

    /// Only with properties of this name. May be called several times.
    #[must_use]
    pub fn property(mut self, name: &str) -> Self {
        self.properties.push(name.to_owned());
        self
    }
}

/// What becomes of a display that is none of the concept's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DisplayCheck {
    /// The answer is that the code with this display is not valid (FHIR).
    #[default]
    Strict,
    /// The code decides alone; the display is warned of.
    Lenient,
}

/// Which code to check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidateRequest {
    pub(super) system: String,
    pub(super) version: Option<String>,
    pub(super) code: String,
    pub(super) display: Option<String>,
    pub(super) display_check: DisplayCheck,
    pub(super) language: Option<String>,
    pub(super) valueset: Option<String>,
}

impl ValidateRequest {
    /// Checks that `code` is a code of `system`: an alias, a canonical URI or an OID, `|version`
    /// behind it where not the default version is meant.
    #[must_use]
    pub fn new(system: &str, code: &str) -> Self {
        Self {
            system: system.to_owned(),
            version: None,
            code: code.to_owned(),
            display: None,
            display_check: DisplayCheck::default(),
            language: None,
            valueset: None,
        }
    }

    /// In this version, which must be loaded.
    #[must_use]
    pub fn version(mut self, version: &str) -> Self {
        self.version = Some(version.to_owned());
        self
    }

    /// Checks also that `display` is one of the concept's names.
    #[must_use]
    pub fn display(mut self, display: &str) -> Self {
        self.display = Some(display.to_owned());
        self
    }

    /// What becomes of a display that is not.
    #[must_use]
    pub fn display_check(mut self, check: DisplayCheck) -> Self {
        self.display_check = check;
        self
    }

    /// The language that the display is in, and that the answer's display should be in (BCP 47).
    #[must_use]
    pub fn language(mut self, language: &str) -> Self {
        self.language = Some(language.to_owned());
        self
    }
}

impl ValidateRequest {
    /// Checks also that the concept is in this value set: the URL of one that is loaded, `|version`
    /// behind it where one is meant, or of an implicit one; or an expression, in ECL for SNOMED CT and
    /// in VCL for other terminologies.
    #[must_use]
    pub fn valueset(mut self, valueset: &str) -> Self {
        self.valueset = Some(valueset.to_owned());
        self
    }
}

/// Refuses a batch of more than `most`.
pub(super) fn check_batch(count: usize, most: usize) -> Result<(), Error> {
    if count <= most { Ok(()) } else { Err(Error::BatchTooLarge { count, most }) }
}
