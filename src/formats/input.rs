//! From the bytes of one file to the text in it: gzip and xz are opened here, a byte order mark is
//! dropped, and data that unpacks to far more than it is gets refused.

use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;

use super::look::{LOOK_BYTES, Look};
use super::source::Progress;
use super::{ImportError, ImportErrorKind};

pub(super) type Bytes = Box<dyn Read + Send>;

/// One file, decompressed.
pub(super) struct Input {
    /// The file; one within an archive is named as if the archive were a folder.
    pub(super) path: PathBuf,
    pub(super) reader: BufReader<Bytes>,
    pub(super) meter: Meter,
}

/// How far the reading of a release has come: shared by the readers of all its files.
#[derive(Debug, Clone, Default)]
pub(super) struct Meter {
    read: Arc<AtomicU64>,
    total: Option<u64>,
}

impl Meter {
    pub(super) fn new(total: Option<u64>) -> Self {
        Self { read: Arc::default(), total }
    }

    /// The reader, counted.
    pub(super) fn count<R: Read + Send>(&self, inner: R) -> Metered<R> {
        Metered { inner, read: [Arc::clone(&self.read), Arc::default()] }
    }

    pub(super) fn progress(&self) -> Progress {
        Progress { read_bytes: self.read.load(Ordering::Relaxed), total_bytes: self.total }
    }
}

/// A stream from its beginning, and what it looks like.
pub(super) struct Looked {
    pub(super) look: Look,
    /// The first bytes, decompressed.
    pub(super) beginning: Vec<u8>,
    pub(super) stream: Bytes,
    /// The error that came before so many bytes were read as are looked at.
    pub(super) failure: Option<io::Error>,
}

/// The bytes of a file as they are in a folder or archive, and how many of them were read.
pub(super) struct Raw {
    pub(super) bytes: Bytes,
    pub(super) packed: Arc<AtomicU64>,
}

/// Unpacks a file, one layer deep, and looks at its beginning.
pub(super) fn unpack(raw: Raw) -> Looked {
    let outer = look_into(raw.bytes);
    let unpacked: Bytes = match outer.look {
        // Several members may follow one another in a gzip file (bgzip, cat), and all are content.
        Look::Gzip => Box::new(MultiGzDecoder::new(outer.stream)),
        Look::Xz => Box::new(XzReader::new_mem_limit(outer.stream, true, MAX_XZ_KIB)),
        _ => return outer,
    };
    let mut inner =
        look_into(Box::new(Bounded { inner: unpacked, packed: raw.packed, unpacked: 0 }));
    if matches!(inner.look, Look::Gzip | Look::Xz | Look::Zip) {
        inner.look = Look::PackedTwice;
    }
    inner
}

/// The reader of a looked-at stream that a format is going to read.
pub(super) fn accept(path: &Path, looked: Looked, meter: Meter) -> Result<Input, ImportError> {
    let kind = match looked.look {
        Look::Empty => ImportErrorKind::Empty,
        Look::Utf16 => ImportErrorKind::Encoding { found: looked.look.described() },
        _ => {
            let reader = BufReader::with_capacity(64 * 1024, looked.stream);
            return Ok(Input { path: path.to_owned(), reader, meter });
        }
    };
    Err(ImportError::new(path, None, kind))
}

fn look_into(mut stream: Bytes) -> Looked {
    let mut beginning = Vec::new();
    let outcome = stream.by_ref().take(LOOK_BYTES as u64).read_to_end(&mut beginning);
    let look = Look::at(&beginning);
    if beginning.starts_with(BYTE_ORDER_MARK) {
        beginning.drain(..BYTE_ORDER_MARK.len());
    }
    let start = Cursor::new(beginning.clone());
    // A stream that breaks off is opened all the same: the reader meets the error again and can
    // then say in which line.
    let (stream, failure): (Bytes, _) = match outcome {
        Ok(_) => (Box::new(start.chain(stream)), None),
        Err(error) => {
            let again = io::Error::new(error.kind(), error.to_string());
            (Box::new(start.chain(Broken { error: Some(error) })), Some(again))
        }
    };
    Looked { look, beginning, stream, failure }
}

/// UTF-8's byte order mark, which says nothing and would be read as a part of the first word.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A reader that counts what it hands on: for the whole release, and for this file alone.
pub(super) struct Metered<R> {
    inner: R,
    read: [Arc<AtomicU64>; 2],
}

impl<R> Metered<R> {
    /// The count of this file alone.
    pub(super) fn own(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.read[1])
    }
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        for meter in &self.read {
            meter.fetch_add(count as u64, Ordering::Relaxed);
        }
        Ok(count)
    }
}

/// The end of a stream that broke off: gives its error once more.
struct Broken {
    error: Option<io::Error>,
}

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(self.error.take().unwrap_or_else(|| io::ErrorKind::UnexpectedEof.into()))
    }
}

/// The most memory that an xz file may ask for, in KiB: the strongest preset takes 65 MiB.
const MAX_XZ_KIB: u32 = 128 << 10;

/// Unpacked bytes beyond which their relation to the packed ones is looked at.
const FREE_BYTES: u64 = 64 << 20;
/// The most bytes that one packed byte may become. Terminologies stay below 40 (XML with long
/// element names); what is made to fill a disk comes to 1,000.
const MAX_EXPANSION: u64 = 250;

/// A reader of unpacked data that stops where there is far too much of it.
pub(super) struct Bounded<R> {
    pub(super) inner: R,
    pub(super) packed: Arc<AtomicU64>,
    pub(super) unpacked: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.unpacked += count as u64;
        let packed = self.packed.load(Ordering::Relaxed);
        if self.unpacked > FREE_BYTES && self.unpacked / MAX_EXPANSION > packed {
            return Err(io::Error::new(io::ErrorKind::InvalidData, Refusal::Expands));
        }
        Ok(count)
    }
}

/// Why a reader of ours refused to go on: carried through other libraries inside an `io::Error`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refusal {
    #[error("it unpacks to more than {MAX_EXPANSION} times its size")]
    Expands,
    #[error("one line or element is longer than {} MiB", .limit >> 20)]
    TooLong { limit: usize },
    #[error("the files to be read in it have more than {} MiB, compressed", .limit >> 20)]
    TooMuch { limit: usize },
}

impl Refusal {
    /// The refusal that an error carries.
    pub(super) fn within(error: &io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref::<Self>().copied()
    }
}
