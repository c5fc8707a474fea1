use std::fmt;

use serde::{Deserialize, Serialize};

use super::{SystemId, TerminologyError};

/// The longest code accepted, in characters. The longest in use are post-coordinated expressions,
/// which are not codes; published codes stay under 60.
const MAX_CODE_CHARS: usize = 200;

/// A code as its terminology writes it: `E11.9`, `0DTJ4ZZ`, `22298006`.
///
/// Never empty, no leading or trailing space, no control characters. Ordering is by bytes, which is
/// the code order of every terminology that has one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Code(Box<str>);

impl Code {
    /// Accepts `text` as a code, without its surrounding white space.
    ///
    /// # Errors
    /// [`TerminologyError::InvalidCode`] when it is empty, too long, or has control characters.
    pub fn new(text: &str) -> Result<Self, TerminologyError> {
        let code = text.trim();
        let refuse = |reason| TerminologyError::InvalidCode { text: text.to_owned(), reason };
        if code.is_empty() {
            return Err(refuse("it is empty"));
        }
        if code.chars().any(char::is_control) {
            return Err(refuse("it has control characters"));
        }
        if code.chars().count() > MAX_CODE_CHARS {
            return Err(refuse("it is longer than 200 characters"));
        }
        Ok(Self(code.into()))
    }

    /// The code as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Code {
    type Error = TerminologyError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::new(&text)
    }
}

impl From<Code> for String {
    fn from(code: Code) -> Self {
        code.0.into()
    }
}

/// A code and the terminology it belongs to, as FHIR's `Coding`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Coding {
    /// The terminology.
    pub system: SystemId,
    /// The code within it.
    pub code: Code,
}

impl fmt::Display for Coding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}|{}", self.system, self.code)
    }
}
