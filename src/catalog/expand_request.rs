use std::sync::Arc;

use crate::valueset::{Include, Language, ValueSet};

use super::version_rule::{VersionRule, VersionRules};
use super::{Error, Inactive, MAX_QUERY_CHARS};

/// The most concepts that one page of an expansion may hold.
pub const MAX_EXPANSION: usize = 10_000;
/// The concepts of a page where no number is asked for.
const USUAL_COUNT: usize = 100;

/// Which value set to expand, and how.
#[derive(Debug, Clone)]
pub struct ValueSetRequest {
    pub(super) valueset: ValueSetSource,
    pub(super) filter: Option<String>,
    pub(super) offset: usize,
    /// `None` for all of them.
    pub(super) count: Option<usize>,
    pub(super) most: usize,
    pub(super) inactive: Inactive,
    pub(super) languages: Vec<String>,
    pub(super) details: Details,
    pub(super) properties: Vec<String>,
    pub(super) rules: VersionRules,
    pub(super) missing: Missing,
}

/// Where a value set is from.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ValueSetSource {
    /// Its URL, `|version` behind it where a version of it is meant: one that is loaded, or an
    /// implicit one.
    Url(String),
    /// An expression that is asked of a terminology.
    Expression {
        /// The terminology: an alias, a canonical URI or an OID.
        system: String,
        /// The expression.
        text: String,
    },
    /// Its definition.
    Given(Arc<ValueSet>),
}

impl ValueSetSource {
    /// What a text means that is asked of a terminology: the URL of a value set, or an expression.
    #[must_use]
    pub fn of_text(text: &str, system: &str) -> Self {
        let text = text.trim();
        let is_url = ["http://", "https://", "urn:"].iter().any(|start| text.starts_with(start));
        match is_url && !text.contains(char::is_whitespace) {
            true => Self::Url(text.to_owned()),
            false => Self::Expression { system: system.to_owned(), text: text.to_owned() },
        }
    }
}

/// How much is told of each concept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum Details {
    /// Its code and its name.
    #[default]
    Display,
    /// Its other names as well.
    Designations,
}

/// What becomes of an expansion a part of which is about what is not loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Missing {
    /// The rest is expanded, and the part is told.
    #[default]
    Told,
    /// Nothing is expanded; the part is the error.
    Refused,
}

impl ValueSetRequest {
    /// Expands the value set with this URL, `|version` behind it where a version of it is meant: one
    /// that is loaded, or an implicit one (`?fhir_vs` behind the URI of a terminology,
    /// `?fhir_vs=isa/…`, `?fhir_vs=refset/…`, `?fhir_vs=ecl/…`, `http://fhir.org/VCL?v1=…`).
    #[must_use]
    pub fn new(url: &str) -> Self {
        Self::from_source(ValueSetSource::Url(url.trim().to_owned()))
    }

    /// Expands what an expression selects of SNOMED CT.
    #[must_use]
    pub fn ecl(text: &str) -> Self {
        Self::expression("snomed", text)
    }

    /// Expands what an expression selects of a terminology: in ECL for SNOMED CT, in VCL for others.
    #[must_use]
    pub fn expression(system: &str, text: &str) -> Self {
        let (system, text) = (system.to_owned(), text.to_owned());
        Self::from_source(ValueSetSource::Expression { system, text })
    }

    /// Expands a value set that need not be loaded.
    #[must_use]
    pub fn given(valueset: impl Into<Arc<ValueSet>>) -> Self {
        Self::from_source(ValueSetSource::Given(valueset.into()))
    }

    /// Expands a whole terminology, by its canonical URI.
    #[must_use]
    pub fn all_of(system: &str) -> Self {
        Self::given(ValueSet::including(Include::system(system)))
    }

    /// Expands the value set from there.
    #[must_use]
    pub fn from_source(valueset: ValueSetSource) -> Self {
        Self {
            valueset,
            filter: None,
            offset: 0,
            count: Some(USUAL_COUNT),
            most: MAX_EXPANSION,
            inactive: Inactive::default(),
            languages: Vec::new(),
            details: Details::default(),
            properties: Vec::new(),
            rules: VersionRules::default(),
            missing: Missing::default(),
        }
    }

    /// Only concepts that these words mean or that have them in a name, the best ones first.
    ///
    /// # Errors
    /// [`Error::InvalidRequest`] where there is nothing to search for, or too much.
    pub fn filter(mut self, text: &str) -> Result<Self, Error> {
        if crate::text::normalize(text).is_empty() {
            return Err(Error::invalid("filter", "it has no letter and no digit to search for"));
        }
        if text.chars().count() > MAX_QUERY_CHARS {
            let reason = format!("it is longer than {MAX_QUERY_CHARS} characters");
            return Err(Error::invalid("filter", reason));
        }
        self.filter = Some(text.to_owned());
        Ok(self)
    }

    /// How many concepts of the total order to pass over.
    #[must_use]
    pub fn offset(mut self, offset: usize) -> Self {
        self.offset = offset;
        self
    }

    /// How many concepts to return at most, up to [`MAX_EXPANSION`]; 0 asks for their number alone.
    ///
    /// # Errors
    /// [`Error::InvalidRequest`] where it is more.
    pub fn count(mut self, count: usize) -> Result<Self, Error> {
        if count > MAX_EXPANSION {
            return Err(Error::invalid("count", format!("{count} is not in 0..={MAX_EXPANSION}")));
        }
        self.count = Some(count);
        Ok(self)
    }

    /// Returns all concepts, or [`Error::TooCostly`] where they are more than `most`, which may be
    /// [`MAX_EXPANSION`] or less.
    #[must_use]
    pub fn whole(mut self, most: usize) -> Self {
        self.count = None;
        self.most = most.min(MAX_EXPANSION);
        self
    }

    /// Whether retired concepts are in it, where the value set has them.
    #[must_use]
    pub fn inactive(mut self, inactive: Inactive) -> Self {
        self.inactive = inactive;
        self
    }

    /// Shows names in this language where the concept has one (BCP 47, FHIR `displayLanguage`). May
    /// be called several times; the earlier one is preferred.
    #[must_use]
    pub fn language(mut self, tag: &str) -> Self {
        self.languages.push(tag.to_owned());
        self
    }

    /// How much is told of each concept.
    #[must_use]
    pub fn details(mut self, details: Details) -> Self {
        self.details = details;
        self
    }

    /// Tells this property of each concept that has it. May be called several times.
    #[must_use]
    pub fn property(mut self, name: &str) -> Self {
        self.properties.push(name.to_owned());
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

    /// What becomes of a part that is about what is not loaded.
    #[must_use]
    pub fn missing(mut self, missing: Missing) -> Self {
        self.missing = missing;
        self
    }
}

/// The language of an expression that is asked of a terminology, for messages.
pub(super) fn language_of(system: &str, text: &str) -> Language {
    Language::of_text(text, system)
}
