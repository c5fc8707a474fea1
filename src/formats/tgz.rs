//! The files of a tar archive, packed or not, such as the NPM packages of FHIR: read in one pass,
//! never extracted to disk.
//!
//! A packed archive can only be read from its beginning, so the members that a format reads are kept
//! in memory, compressed one by one; all others are passed over as they stream by.

use std::io::{self, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Archive, EntryType};

use super::archive::stays_inside;
use super::input::{Bytes, Refusal};
use super::look::{LOOK_BYTES, Look};
use super::{ImportError, ImportErrorKind};

/// The most bytes, compressed, that are kept of one archive: some ten times as many of JSON.
const MAX_KEPT_BYTES: usize = 1 << 30;

/// One file of an archive, kept.
pub(super) struct TarMember {
    pub(super) name: String,
    /// Its content, gzipped where it was not so in the archive.
    pub(super) bytes: Vec<u8>,
}

/// The members that `is_meant` tells by name and beginning, in the order of the archive. Links and
/// devices are passed over.
pub(super) fn members(
    path: &Path,
    stream: Bytes,
    is_meant: impl Fn(&str, &[u8]) -> bool,
) -> Result<Vec<TarMember>, ImportError> {
    let fail = |error| ImportError::new(path, None, reading(error));
    let mut archive = Archive::new(stream);
    let mut found = Vec::new();
    let mut kept = 0;
    for entry in archive.entries().map_err(fail)? {
        let mut entry = entry.map_err(fail)?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        // Nothing is written under this name; but whoever made such an archive meant no good.
        if !stays_inside(&name) {
            return Err(ImportError::new(path, None, ImportErrorKind::UnsafePath { name }));
        }
        if !matches!(entry.header().entry_type(), EntryType::Regular | EntryType::Continuous) {
            continue;
        }
        let mut beginning = Vec::new();
        let limit = LOOK_BYTES as u64;
        entry.by_ref().take(limit).read_to_end(&mut beginning).map_err(fail)?;
        if !is_meant(&name, &beginning) {
            continue;
        }
        let bytes = keep(beginning, &mut entry, MAX_KEPT_BYTES - kept).map_err(fail)?;
        kept += bytes.len();
        found.push(TarMember { name, bytes });
    }
    Ok(found)
}

/// Everything of one member.
fn keep(beginning: Vec<u8>, rest: &mut impl Read, limit: usize) -> io::Result<Vec<u8>> {
    let is_packed = matches!(Look::at(&beginning), Look::Gzip | Look::Xz);
    if is_packed {
        let mut bytes = beginning;
        rest.read_to_end(&mut bytes)?;
        return within(bytes, limit);
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&beginning)?;
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = rest.read(&mut buffer)?;
        if count == 0 {
            return within(packed.finish()?, limit);
        }
        packed.write_all(&buffer[..count])?;
        if packed.get_ref().len() > limit {
            return Err(too_much());
        }
    }
}

fn within(bytes: Vec<u8>, limit: usize) -> io::Result<Vec<u8>> {
    if bytes.len() > limit { Err(too_much()) } else { Ok(bytes) }
}

fn too_much() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, Refusal::TooMuch { limit: MAX_KEPT_BYTES })
}

/// The kind for a failed read: the library of archives wraps the errors of its reader.
fn reading(error: io::Error) -> ImportErrorKind {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&error);
    while let Some(one) = cause {
        if let Some(inner) = one.downcast_ref::<io::Error>() {
            if let Some(refusal) = Refusal::within(inner) {
                return refusal.into();
            }
            if inner.kind() == io::ErrorKind::UnexpectedEof {
                return ImportErrorKind::Truncated { inside: "the archive".to_owned() };
            }
        }
        cause = one.source();
    }
    match error.kind() {
        io::ErrorKind::Other => ImportErrorKind::Damaged(Box::new(error)),
        _ => ImportErrorKind::reading(error),
    }
}
