//! Part 1 of an index: codes, designations, properties, and the numbers they go by.
//!
//! Floor 2, importing terminology and disk. [`write_records`] writes `records.bin` once;
//! [`Records`] reads it where it lies: everything is mapped and, but for one byte a designation,
//! looked at only when it is asked for, so opening takes well under a millisecond. What every search hit
//! needs (code, display, flags) is a pair of array look-ups; what only a look-up needs (properties,
//! definition) is decoded when it is asked for.
//!
//! Damage that checksums would find is not looked for when opening. It can make an answer wrong or
//! empty, but never a panic and never an endless loop; [`Records::verify`] finds it.

mod details;
mod error;
mod reader;
mod writer;

pub use details::Details;
pub use error::RecordsError;
pub use reader::{DesignationRef, Records};
pub use writer::{RecordsSummary, write_records};

/// The format of `records.bin` that this version writes and reads.
pub const RECORDS_FORMAT: u32 = 1;

/// The names of the sections, in the order in which they are written.
mod section {
    pub(super) const CODE_AT: &str = "code_at";
    pub(super) const CODES: &str = "codes";
    pub(super) const FOLDED: &str = "folded";
    pub(super) const FLAGS: &str = "flags";
    pub(super) const TEXTS: &str = "texts";
    pub(super) const TEXT_AT: &str = "text_at";
    pub(super) const DESIGNATION_AT: &str = "designation_at";
    pub(super) const OWNER: &str = "owner";
    pub(super) const USE: &str = "use";
    pub(super) const LANGUAGE: &str = "language";
    pub(super) const LANGUAGES: &str = "languages";
    pub(super) const LANGUAGE_AT: &str = "language_at";
    pub(super) const DETAILS: &str = "details";
    pub(super) const DETAILS_AT: &str = "details_at";
}

/// The bits of a concept's byte in the section of flags.
mod flag {
    pub(super) const ACTIVE: u8 = 1;
    pub(super) const NOT_SELECTABLE: u8 = 1 << 1;
    /// Whether the release says anything about billing at all.
    pub(super) const BILLABLE_STATED: u8 = 1 << 2;
    pub(super) const BILLABLE: u8 = 1 << 3;
}

#[cfg(test)]
mod tests;
