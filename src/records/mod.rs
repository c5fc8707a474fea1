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

mod columns;
mod details;
mod error;
mod layout;
mod reader;
mod writer;

pub use details::Details;
pub use error::RecordsError;
pub use layout::RECORDS_FORMAT;
pub use reader::{DesignationRef, Records};
pub use writer::{RecordsSummary, write_records};

#[cfg(test)]
mod tests;
