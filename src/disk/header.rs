use std::path::Path;

use bytemuck::{Pod, Zeroable};
use twox_hash::XxHash3_64;

use super::{DiskError, DiskErrorKind};

/// The length of a part's header in bytes, and the alignment of everything after it.
pub const HEADER_LEN: usize = 64;

const MAGIC: [u8; 8] = *b"medterm\x01";

/// Which part of an index a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum PartKind {
    /// Codes, designations and properties.
    Records,
    /// Parents and children.
    Hierarchy,
    /// The BM25 postings.
    Lexical,
    /// The embedding matrix.
    Dense,
    /// Attributes, reference sets and filters.
    Relations,
    /// A published map between two terminologies, which is a part of no index.
    Map,
}

impl PartKind {
    /// The part's name in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Records => "records",
            Self::Hierarchy => "hierarchy",
            Self::Lexical => "lexical",
            Self::Dense => "dense",
            Self::Relations => "relations",
            Self::Map => "map",
        }
    }

    fn tag(self) -> [u8; 4] {
        match self {
            Self::Records => *b"RECO",
            Self::Hierarchy => *b"HIER",
            Self::Lexical => *b"LEXI",
            Self::Dense => *b"DENS",
            Self::Relations => *b"RELA",
            Self::Map => *b"MAPS",
        }
    }
}

/// The first 64 bytes of a part, little-endian.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Header {
    magic: [u8; 8],
    tag: [u8; 4],
    format: u32,
    /// Length of the whole file.
    pub(super) file_len: u64,
    /// Where the table of sections begins.
    pub(super) table_at: u64,
    /// How many sections there are.
    pub(super) sections: u64,
    /// Checksum of the table of sections.
    pub(super) table_checksum: u64,
    reserved: [u8; 8],
    /// Checksum of the 56 bytes before.
    checksum: u64,
}

impl Header {
    pub(super) fn new(kind: PartKind, format: u32) -> Self {
        Self { magic: MAGIC, tag: kind.tag(), format, ..Self::zeroed() }
    }

    pub(super) fn sealed(mut self) -> Self {
        self.checksum = self.own_checksum();
        self
    }

    fn own_checksum(&self) -> u64 {
        checksum(&bytemuck::bytes_of(self)[..HEADER_LEN - 8])
    }

    /// Refuses another file, another kind and another format before anything else is believed.
    pub(super) fn check(
        &self,
        path: &Path,
        kind: PartKind,
        format: u32,
        found_len: u64,
    ) -> Result<(), DiskError> {
        let refuse = |kind| Err(DiskError::new(path, kind));
        if self.magic != MAGIC || self.tag != kind.tag() {
            return refuse(DiskErrorKind::Magic { expected: kind.name() });
        }
        if self.format != format {
            return refuse(DiskErrorKind::Version { found: self.format, supported: format });
        }
        if self.checksum != self.own_checksum() {
            return refuse(DiskErrorKind::Checksum { what: "the header".to_owned() });
        }
        if self.file_len != found_len {
            return refuse(DiskErrorKind::Length { expected: self.file_len, found: found_len });
        }
        Ok(())
    }
}

/// One row of the table of sections.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct SectionEntry {
    /// The name, padded with zero bytes.
    pub(super) name: [u8; 16],
    pub(super) at: u64,
    pub(super) len: u64,
    pub(super) checksum: u64,
}

/// XXH3, 64 bits.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}
