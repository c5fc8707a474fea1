//! The files of a ZIP archive, read where they lie: nothing is ever extracted to disk.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use flate2::Crc;
use flate2::read::DeflateDecoder;
use zip::{CompressionMethod, ZipArchive};

use super::input::{Bounded, Bytes, Meter, Raw};
use super::{ImportError, ImportErrorKind};

/// Where the bytes of a file or an archive are: both can be opened again and again.
#[derive(Debug, Clone)]
pub(super) enum Place {
    Disk(PathBuf),
    Static(&'static [u8]),
    Memory(Arc<[u8]>),
}

pub(super) trait SeekRead: Read + Seek + Send {}
impl<T: Read + Seek + Send> SeekRead for T {}

impl Place {
    pub(super) fn open(&self) -> io::Result<Box<dyn SeekRead>> {
        Ok(match self {
            Self::Disk(path) => Box::new(File::open(path)?),
            Self::Static(bytes) => Box::new(Cursor::new(*bytes)),
            Self::Memory(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
        })
    }

    pub(super) fn len(&self) -> io::Result<u64> {
        Ok(match self {
            Self::Disk(path) => std::fs::metadata(path)?.len(),
            Self::Static(bytes) => bytes.len() as u64,
            Self::Memory(bytes) => bytes.len() as u64,
        })
    }
}

/// One file of a ZIP archive: where it lies, and how.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) name: String,
    archive: Place,
    start: u64,
    pub(super) packed_size: u64,
    crc32: u32,
    is_deflated: bool,
}

/// The readable files of an archive, in its order. Encrypted ones and methods of compression other
/// than the two that ZIP files use are passed over.
pub(super) fn members(path: &Path, archive: &Place) -> Result<Vec<Member>, ImportError> {
    let fail = |kind| ImportError::new(path, None, kind);
    let damaged = |error: zip::result::ZipError| {
        fail(match error {
            zip::result::ZipError::Io(error) => ImportErrorKind::reading(error),
            other => ImportErrorKind::Damaged(Box::new(other)),
        })
    };
    let reader = archive.open().map_err(|error| fail(ImportErrorKind::reading(error)))?;
    let mut zip = ZipArchive::new(reader).map_err(damaged)?;
    let mut found = Vec::new();
    for index in 0..zip.len() {
        let entry = zip.by_index_raw(index).map_err(damaged)?;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        // Nothing is written under this name; but whoever made such an archive meant no good.
        if !stays_inside(&name) {
            return Err(fail(ImportErrorKind::UnsafePath { name }));
        }
        let is_deflated = match entry.compression() {
            CompressionMethod::Deflated => true,
            CompressionMethod::Stored => false,
            _ => continue,
        };
        if entry.is_dir() || entry.encrypted() {
            continue;
        }
        let Some(start) = entry.data_start() else { continue };
        found.push(Member {
            name,
            archive: archive.clone(),
            start,
            packed_size: entry.compressed_size(),
            crc32: entry.crc32(),
            is_deflated,
        });
    }
    Ok(found)
}

/// Whether a name in an archive leads to no place outside of it.
pub(super) fn stays_inside(name: &str) -> bool {
    let slashed = name.replace('\\', "/");
    let drive = slashed.as_bytes().get(1) == Some(&b':');
    !drive
        && Path::new(&slashed)
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

impl Member {
    /// The member, decompressed; its end is an error where the checksum differs.
    pub(super) fn open(&self, meter: &Meter) -> io::Result<Raw> {
        let mut archive = self.archive.open()?;
        archive.seek(SeekFrom::Start(self.start))?;
        let counted = meter.count(archive.take(self.packed_size));
        let packed = counted.own();
        let inner: Bytes = if self.is_deflated {
            Box::new(DeflateDecoder::new(counted))
        } else {
            Box::new(counted)
        };
        let bounded = Bounded { inner, packed: Arc::clone(&packed), unpacked: 0 };
        let bytes = Box::new(Checked { inner: bounded, crc: Crc::new(), expected: self.crc32 });
        Ok(Raw { bytes, packed })
    }
}

/// A reader that compares the checksum of what it handed on with the expected one at the end.
struct Checked<R> {
    inner: R,
    crc: Crc,
    expected: u32,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.crc.update(&buffer[..count]);
        if count == 0 && !buffer.is_empty() && self.crc.sum() != self.expected {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum differs"));
        }
        Ok(count)
    }
}
