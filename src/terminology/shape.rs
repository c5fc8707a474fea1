use super::{CodeCase, Release, SystemId};

/// How a terminology writes its codes, and which other spellings of them people type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CodeShape {
    /// ICD-10-CM, and ICD-10 elsewhere: a letter and two letters or digits, one a digit, then up to
    /// four after a dot.
    Icd10Cm,
    /// ICD-10-PCS: seven letters and digits without I and O, no dot.
    Icd10Pcs,
    /// MeSH: the unique identifier as it stands, in any case; a tree number names a record too.
    Mesh,
    /// Anything else: the code as it stands, letters in any case.
    FoldCase,
    /// Anything else whose letters mean different things in upper and lower case (UCUM).
    Exact,
}

impl CodeShape {
    /// The shape of the codes of a terminology.
    #[must_use]
    pub fn of(system: &SystemId) -> Self {
        match super::known_system(system.as_str()).map(|known| known.alias) {
            Some("icd10cm" | "icd10" | "icd10am" | "cid10") => Self::Icd10Cm,
            Some("icd10pcs") => Self::Icd10Pcs,
            Some("mesh") => Self::Mesh,
            Some("ucum") => Self::Exact,
            _ => Self::FoldCase,
        }
    }

    /// The shape of the codes of a release. Whether they fold case is what the release says, but for
    /// the terminologies whose shape is known here: publishers of FHIR resources tend to call every
    /// code case-sensitive, and `e11.9` is E11.9 whoever packed it. Where nothing is said, case
    /// folds.
    #[must_use]
    pub fn of_release(release: &Release) -> Self {
        match (Self::of(&release.system), release.code_case) {
            (Self::FoldCase, Some(CodeCase::Sensitive)) => Self::Exact,
            (known, _) => known,
        }
    }

    /// The typed text as a whole code in the terminology's own spelling, or `None` when it does not
    /// have the shape of one. Whether the code exists is for the index to say.
    ///
    /// ```
    /// use medterm::terminology::CodeShape;
    /// assert_eq!(CodeShape::Icd10Cm.canonical(" e119. ").as_deref(), Some("E11.9"));
    /// assert_eq!(CodeShape::Icd10Cm.canonical("E1"), None);
    /// ```
    #[must_use]
    pub fn canonical(self, typed: &str) -> Option<String> {
        match self {
            Self::Icd10Cm => {
                let bare = bare_icd(typed)?;
                let category = bare.get(..3)?;
                (bare.len() <= 7 && is_category(category)).then(|| dotted(&bare))
            }
            Self::Icd10Pcs => {
                let bare = bare_icd(typed)?;
                (bare.len() == 7 && !bare.contains(['I', 'O'])).then_some(bare)
            }
            Self::Mesh | Self::FoldCase | Self::Exact => {
                let trimmed = typed.trim();
                (!trimmed.is_empty()).then(|| trimmed.to_owned())
            }
        }
    }

    /// The typed text as the beginning of codes, three characters or more, in the terminology's own
    /// spelling. Only for terminologies whose codes are read by position.
    #[must_use]
    pub fn prefix(self, typed: &str) -> Option<String> {
        match self {
            Self::Icd10Cm => self.canonical(typed),
            Self::Icd10Pcs => {
                let bare = bare_icd(typed)?;
                ((3..7).contains(&bare.len()) && bare.contains(|c: char| c.is_ascii_digit()))
                    .then_some(bare)
            }
            Self::Mesh | Self::FoldCase | Self::Exact => None,
        }
    }

    /// Whether a code typed in another case is the same code.
    #[must_use]
    pub fn folds_case(self) -> bool {
        self != Self::Exact
    }
}

/// Whether a text is written like a tree number of MeSH: `C14.280.647`.
pub(crate) fn is_tree_number(text: &str) -> bool {
    let mut levels = text.split('.');
    let is_first = levels.next().is_some_and(|first| {
        let digits = first.trim_start_matches(|c: char| c.is_ascii_uppercase());
        first.len() == 3 && digits.len() == 2 && are_digits(digits)
    });
    is_first && levels.all(|level| level.len() == 3 && are_digits(level))
}

fn are_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Letters and digits in upper case, without spaces and dots; `None` when anything else is in it.
fn bare_icd(typed: &str) -> Option<String> {
    let bare: String = typed
        .chars()
        .map(narrow)
        .filter(|c| !c.is_whitespace() && *c != '.')
        .map(|c| c.to_ascii_uppercase())
        .collect();
    (!bare.is_empty() && bare.chars().all(|c| c.is_ascii_alphanumeric())).then_some(bare)
}

fn is_category(category: &str) -> bool {
    // Most have a digit in the second place; the release of April 2026 brought QA0.
    category.starts_with(|c: char| c.is_ascii_uppercase())
        && category.chars().skip(1).any(|c| c.is_ascii_digit())
}

fn dotted(bare: &str) -> String {
    let (category, rest) = bare.split_at(3);
    if rest.is_empty() { category.to_owned() } else { format!("{category}.{rest}") }
}

/// The ASCII character of a full-width one, as Chinese and Japanese input methods type codes.
fn narrow(c: char) -> char {
    match u32::from(c) {
        wide @ 0xff01..=0xff5e => char::from_u32(wide - 0xfee0).unwrap_or(c),
        _ => c,
    }
}
