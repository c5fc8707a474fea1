use std::fmt;

use super::look::Look;

/// A publisher's file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// The tabular list of ICD-10-CM: the XML that NCHS and CMS publish, alone or in its ZIP.
    CmsTabular,
}

impl Format {
    /// All formats, in the order in which they are listed to people.
    pub const ALL: &'static [Self] = &[Self::CmsTabular];

    /// The name used on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::CmsTabular => "icd10cm-tabular",
        }
    }

    /// The name for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::CmsTabular => "the ICD-10-CM tabular list (XML, also within .gz or .zip)",
        }
    }

    /// The format with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.name() == name)
    }

    /// The format whose files begin like this.
    pub(super) fn of(look: &Look) -> Option<Self> {
        match look {
            Look::Xml { root } if root == super::cms_tabular::ROOT => Some(Self::CmsTabular),
            _ => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
