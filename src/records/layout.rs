//! The layout of the part's file.

/// The format of `records.bin` that this version writes and reads.
pub const RECORDS_FORMAT: u32 = 2;

/// The names of the sections, in the order in which they are written.
pub(super) mod section {
    pub(in crate::records) const CODE_AT: &str = "code_at";
    pub(in crate::records) const CODES: &str = "codes";
    pub(in crate::records) const FOLDED: &str = "folded";
    pub(in crate::records) const FLAGS: &str = "flags";
    pub(in crate::records) const TEXTS: &str = "texts";
    pub(in crate::records) const TEXT_AT: &str = "text_at";
    pub(in crate::records) const DESIGNATION_AT: &str = "designation_at";
    pub(in crate::records) const OWNER: &str = "owner";
    pub(in crate::records) const USE: &str = "use";
    pub(in crate::records) const LANGUAGE: &str = "language";
    pub(in crate::records) const LANGUAGES: &str = "languages";
    pub(in crate::records) const LANGUAGE_AT: &str = "language_at";
    /// The number of each designation's source in the table of sources, counted from 1; 0 where the
    /// release itself gives it. Empty where no designation has a source.
    pub(in crate::records) const SOURCE: &str = "source";
    pub(in crate::records) const SOURCES: &str = "sources";
    pub(in crate::records) const SOURCE_AT: &str = "source_at";
    pub(in crate::records) const DETAILS: &str = "details";
    pub(in crate::records) const DETAILS_AT: &str = "details_at";
}

/// The bits of a concept's byte in the section of flags.
pub(super) mod flag {
    pub(in crate::records) const ACTIVE: u8 = 1;
    pub(in crate::records) const NOT_SELECTABLE: u8 = 1 << 1;
    /// Whether the release says anything about billing at all.
    pub(in crate::records) const BILLABLE_STATED: u8 = 1 << 2;
    pub(in crate::records) const BILLABLE: u8 = 1 << 3;
}
