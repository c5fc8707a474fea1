use std::str::FromStr;

use super::ToolError;

/// A set of tools, so that a client pays only for the schemas that it uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Profile {
    /// Finding, looking up, validating, browsing, translating.
    #[default]
    Core,
    /// The tools of the Ontoserver MCP.
    Ontoserver,
    /// The five ICD-10 tools.
    Icd10,
    /// `find_equivalent` alone.
    Equivalents,
    /// `pubmed_lookup_mesh` alone.
    Mesh,
    /// Every tool there is.
    All,
}

impl Profile {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Core, Self::Ontoserver, Self::Icd10, Self::Equivalents, Self::Mesh, Self::All];

    /// Its name on the command line and in addresses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Ontoserver => "ontoserver",
            Self::Icd10 => "icd10",
            Self::Equivalents => "equivalents",
            Self::Mesh => "mesh",
            Self::All => "all",
        }
    }
}

impl FromStr for Profile {
    type Err = ToolError;

    fn from_str(name: &str) -> Result<Self, ToolError> {
        Self::ALL.into_iter().find(|profile| profile.name() == name).ok_or_else(|| {
            let all = Self::ALL.map(Self::name).join(", ");
            ToolError::argument("profile", format!("{name:?} is none of {all}"))
        })
    }
}
