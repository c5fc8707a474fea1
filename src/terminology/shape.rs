use super::SystemId;

/// How a terminology writes its codes, and which other spellings of them people type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CodeShape {
    /// ICD-10-CM: a letter and two letters or digits, one a digit, then up to four after a dot.
    Icd10Cm,
    /// ICD-10-PCS: seven letters and digits without I and O, no dot.
    Icd10Pcs,
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
            Some("icd10cm") => Self::Icd10Cm,
            Some("icd10pcs") => Self::Icd10Pcs,
            Some("ucum") => Self::Exact,
            _ => Self::FoldCase,
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
            Self::FoldCase | Self::Exact => {
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
            Self::FoldCase | Self::Exact => None,
        }
    }

    /// Whether a code typed in another case is the same code.
    #[must_use]
    pub fn folds_case(self) -> bool {
        self != Self::Exact
    }
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
