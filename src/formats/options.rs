use crate::terminology::SystemId;

/// What the files do not say themselves, or say too much of. The default suits every release that
/// is complete as its publisher made it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportOptions {
    /// Of a table, which column is what: see [`Column`](super::Column).
    pub columns: Vec<super::Column>,
    /// Of a table, the terminology it belongs to.
    pub system: Option<SystemId>,
    /// Of a table, the version it is.
    pub version: Option<String>,
    /// Of a table, the language of its displays, BCP 47; English where it is not said. Of SNOMED CT,
    /// the language or dialect whose preferred names are displayed: `en-GB`, `sv`.
    pub language: Option<String>,
    /// Of RxNorm, the sources (SAB) whose names are read; RXNORM alone where none is named.
    pub sources: Vec<String>,
    /// Of RxNorm, whether names that NLM suppressed are read.
    pub suppressed: Suppressed,
}

/// Whether names that the publisher marked as suppressed are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Suppressed {
    /// They stay out.
    #[default]
    LeftOut,
    /// They are read like others.
    Read,
}
