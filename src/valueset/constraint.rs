use std::fmt::{self, Display, Formatter};

use super::{ExpressionError, Position, ecl, vcl};

/// The canonical URI of SNOMED CT, whose expressions are ECL.
pub(super) const SNOMED: &str = "http://snomed.info/sct";

/// Where value sets that are VCL expressions begin.
const VCL_URL: &str = "http://fhir.org/VCL?";

/// A language of expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// SNOMED CT's Expression Constraint Language.
    Ecl,
    /// FHIR's ValueSet Compose Language.
    Vcl,
}

impl Language {
    /// The language of a terminology: ECL for SNOMED CT, VCL for all others.
    #[must_use]
    pub fn of(system: &str) -> Self {
        if system == SNOMED { Self::Ecl } else { Self::Vcl }
    }

    /// The language of the expression in a text that is asked of a terminology: the URL of an implicit
    /// value set says its own.
    #[must_use]
    pub fn of_text(text: &str, system: &str) -> Self {
        if text.trim_start().starts_with(VCL_URL) { Self::Vcl } else { Self::of(system) }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ecl => "ECL",
            Self::Vcl => "VCL",
        }
    }
}

/// An expression of either language.
///
/// ```
/// use medterm::valueset::{Constraint, Language};
/// # fn main() -> Result<(), medterm::valueset::ExpressionError> {
/// let constraint = Constraint::read("<<73211009", "http://snomed.info/sct")?;
/// assert_eq!((constraint.language(), constraint.to_string()), (Language::Ecl, "<< 73211009".into()));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Constraint {
    /// ECL.
    Ecl(ecl::Expression),
    /// VCL.
    Vcl(vcl::Expression),
}

impl Constraint {
    /// Reads an expression of this language.
    ///
    /// # Errors
    /// [`ExpressionError`], with the position and what could stand there.
    pub fn parse(text: &str, language: Language) -> Result<Self, ExpressionError> {
        match language {
            Language::Ecl => ecl::Expression::parse(text).map(Self::Ecl),
            Language::Vcl => vcl::Expression::parse(text).map(Self::Vcl),
        }
    }

    /// Reads what is asked of a terminology: the URL of an implicit value set, or an expression in the
    /// terminology's language.
    ///
    /// # Errors
    /// As [`Constraint::parse`].
    pub fn read(text: &str, system: &str) -> Result<Self, ExpressionError> {
        match Self::implicit(text.trim())? {
            Some(read) => Ok(read),
            None => Self::parse(text, Language::of(system)),
        }
    }

    /// The meaning of the URL of an implicit value set: `http://fhir.org/VCL?v1=…`, or `?fhir_vs`,
    /// `?fhir_vs=isa/…`, `?fhir_vs=refset/…`, `?fhir_vs=ecl/…` behind a terminology's URI. `None` for
    /// any other text.
    ///
    /// # Errors
    /// [`ExpressionError`] about the expression in the URL, with its place there.
    pub fn implicit(url: &str) -> Result<Option<Self>, ExpressionError> {
        if let Some(query) = url.strip_prefix(VCL_URL) {
            let Some(text) = query.split('&').find_map(|one| one.strip_prefix("v1=")) else {
                return Ok(None);
            };
            return vcl::Expression::parse(&percent_decoded(text))
                .map(|read| Some(Self::Vcl(read)));
        }
        let Some((system, what)) = url.split_once("?fhir_vs") else { return Ok(None) };
        if system.is_empty() || !system.contains(':') {
            return Ok(None);
        }
        let content = match what.split_once('/') {
            None if what.is_empty() => vcl::Content::All,
            Some(("=isa", code)) => {
                let test = vcl::Test::IsA(percent_decoded(code));
                vcl::Content::Filter(vcl::Filter::Property { property: "concept".into(), test })
            }
            Some(("=refset", code)) => constrained(format!("^ {}", percent_decoded(code)))?,
            Some(("=ecl", text)) => constrained(percent_decoded(text))?,
            _ => return Ok(None),
        };
        // An edition or a version of it stands in the path of SNOMED CT's URI.
        let system = match system.strip_prefix(SNOMED) {
            Some(path) if path.starts_with('/') => format!("{SNOMED}|{system}"),
            _ => system.to_owned(),
        };
        let part = vcl::Part { position: Position::default(), system: Some(system), content };
        Ok(Some(Self::Vcl(vcl::Expression::Simple(part))))
    }

    /// The language it is in.
    #[must_use]
    pub fn language(&self) -> Language {
        match self {
            Self::Ecl(_) => Language::Ecl,
            Self::Vcl(_) => Language::Vcl,
        }
    }
}

impl Display for Constraint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ecl(expression) => expression.fmt(f),
            Self::Vcl(expression) => expression.fmt(f),
        }
    }
}

/// An ECL expression as FHIR has it within a value set; read now, so that its errors have its places.
fn constrained(text: String) -> Result<vcl::Content, ExpressionError> {
    ecl::Expression::parse(&text)?;
    let test = vcl::Test::Equals(text);
    Ok(vcl::Content::Filter(vcl::Filter::Property { property: "constraint".into(), test }))
}

/// The text that a part of a URL stands for; what is no escape stays as it is.
pub(crate) fn percent_decoded(text: &str) -> String {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        let escaped = if *first == b'%' { after.get(..2) } else { None };
        let hex = escaped.and_then(|two| std::str::from_utf8(two).ok());
        match hex.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                rest = &after[2..];
            }
            None => decoded.push(*first),
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}
