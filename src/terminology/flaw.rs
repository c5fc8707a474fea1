use std::fmt;

use super::{SystemId, known_system, mod10, sctid};

/// Why a text cannot be a code of its terminology, whatever release is loaded: it breaks a rule that
/// all codes keep. A text without a flaw may be unknown all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CodeFlaw {
    /// The last digit is not the one that the others ask for: mistyped, or two digits swapped.
    CheckDigit {
        /// The other digits with the one they ask for.
        instead: String,
    },
    /// An identifier of SNOMED CT that is of something else than a concept.
    OtherIdentifier {
        /// What it is of: `description`, `relationship`.
        of: &'static str,
    },
    /// It is not written as the codes of the terminology are.
    Shape {
        /// How they are written.
        expected: &'static str,
    },
    /// It has letters that are never used because they look like digits.
    LetterForDigit {
        /// The same with the digits.
        instead: String,
    },
}

impl CodeFlaw {
    /// The rule of its terminology that a code breaks; `None` where it breaks none that is known
    /// here: check digits of LOINC and SNOMED CT, letters of ICD-10-PCS.
    ///
    /// ```
    /// use medterm::terminology::{CodeFlaw, known_system};
    /// let pcs = known_system("icd10pcs").expect("in the register").id();
    /// let flaw = CodeFlaw::of(&pcs, "odtj4zz").expect("no code has the letter O");
    /// assert_eq!(flaw.suggestion(), Some("0DTJ4ZZ"));
    /// ```
    #[must_use]
    pub fn of(system: &SystemId, typed: &str) -> Option<Self> {
        let typed = typed.trim();
        match known_system(system.as_str())?.alias {
            "snomed" => snomed(typed),
            "loinc" => loinc(typed),
            "icd10pcs" => icd10pcs(typed),
            _ => None,
        }
    }

    /// What may have been meant. To be offered, and never to be taken for it.
    #[must_use]
    pub fn suggestion(&self) -> Option<&str> {
        match self {
            Self::CheckDigit { instead } | Self::LetterForDigit { instead } => Some(instead),
            Self::OtherIdentifier { .. } | Self::Shape { .. } => None,
        }
    }
}

impl fmt::Display for CodeFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CheckDigit { instead } => write!(
                f,
                "its check digit is wrong, so a digit is mistyped; if it is only the last one, it \
                 is {instead}"
            ),
            Self::OtherIdentifier { of } => write!(
                f,
                "it is the identifier of a {of}, not of a concept; look for the concept that it \
                 belongs to by its name"
            ),
            Self::Shape { expected } => write!(f, "it is not {expected}"),
            Self::LetterForDigit { instead } => write!(
                f,
                "its codes have no letter I and no letter O, only the digits 1 and 0, as in {instead}"
            ),
        }
    }
}

fn snomed(typed: &str) -> Option<CodeFlaw> {
    let Some(id) = sctid::parse(typed) else {
        return Some(CodeFlaw::Shape { expected: sctid::EXPECTED });
    };
    if !sctid::check_digit_fits(id) {
        let instead = sctid::with_check_digit(id).unwrap_or(id).to_string();
        return Some(CodeFlaw::CheckDigit { instead });
    }
    match sctid::partition(id) {
        sctid::Partition::Description => Some(CodeFlaw::OtherIdentifier { of: "description" }),
        sctid::Partition::Relationship => Some(CodeFlaw::OtherIdentifier { of: "relationship" }),
        sctid::Partition::Concept | sctid::Partition::Other => None,
    }
}

/// Only terms have such numbers; the codes of parts and answers begin with letters.
fn loinc(typed: &str) -> Option<CodeFlaw> {
    let (digits, check) = typed.split_once('-')?;
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !are_digits(digits) || !are_digits(check) || check.len() != 1 {
        return None;
    }
    let instead = format!("{digits}-{}", mod10::check_digit(digits));
    (instead != typed).then_some(CodeFlaw::CheckDigit { instead })
}

fn icd10pcs(typed: &str) -> Option<CodeFlaw> {
    let upper = typed.trim_end_matches('.').to_ascii_uppercase();
    let is_shaped = upper.len() == 7 && upper.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let instead = upper.replace('I', "1").replace('O', "0");
    (is_shaped && instead != upper).then_some(CodeFlaw::LetterForDigit { instead })
}
