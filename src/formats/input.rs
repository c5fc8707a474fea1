//! From a path to the bytes of the one file to read: folders, gzip and ZIP are opened here.

use std::fs::{self, File};
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::Crc;
use flate2::read::{DeflateDecoder, MultiGzDecoder};
use zip::{CompressionMethod, ZipArchive};

use super::look::{LOOK_BYTES, Look};
use super::source::Progress;
use super::{Format, ImportError, ImportErrorKind};

/// The most names of files that a message lists.
const LISTED_NAMES: usize = 12;

type Bytes = Box<dyn Read + Send>;

/// The one file to read, decompressed, and what is known about it.
pub(super) struct Input {
    pub format: Format,
    /// The file; one within an archive is named as if the archive were a folder.
    pub path: PathBuf,
    pub reader: BufReader<Bytes>,
    pub meter: Meter,
}

impl Input {
    /// Opens a file, or finds the one file of a known format in a folder.
    pub(super) fn from_path(path: &Path) -> Result<Self, ImportError> {
        let fail = |error| ImportError::new(path, None, ImportErrorKind::reading(error));
        if fs::metadata(path).map_err(fail)?.is_dir() {
            return from_folder(path);
        }
        let mut file = File::open(path).map_err(fail)?;
        let mut magic = Vec::new();
        file.by_ref().take(4).read_to_end(&mut magic).map_err(fail)?;
        file.seek(SeekFrom::Start(0)).map_err(fail)?;
        if Look::at(&magic) == Look::Zip {
            return from_zip(path, file);
        }
        let total = file.metadata().map_err(fail)?.len();
        from_stream(path, Box::new(file), Some(total))
    }

    /// Takes the bytes from a reader. `total` is how many there are, where known.
    pub(super) fn from_reader(
        name: &Path,
        mut reader: Bytes,
        total: Option<u64>,
    ) -> Result<Self, ImportError> {
        let fail = |error| ImportError::new(name, None, ImportErrorKind::reading(error));
        let mut magic = Vec::new();
        reader.by_ref().take(4).read_to_end(&mut magic).map_err(fail)?;
        let is_zip = Look::at(&magic) == Look::Zip;
        let mut whole = Cursor::new(magic).chain(reader);
        if is_zip {
            let mut bytes = Vec::new();
            whole.read_to_end(&mut bytes).map_err(fail)?;
            return from_zip(name, Cursor::new(bytes));
        }
        from_stream(name, Box::new(whole), total)
    }
}

/// How far a reader has come: shared between the reader at the bottom and whoever asks.
#[derive(Debug, Clone)]
pub(super) struct Meter {
    read: Arc<AtomicU64>,
    total: Option<u64>,
}

impl Meter {
    fn new(total: Option<u64>) -> Self {
        Self { read: Arc::default(), total }
    }

    pub(super) fn progress(&self) -> Progress {
        Progress { read_bytes: self.read.load(Ordering::Relaxed), total_bytes: self.total }
    }
}

/// A reader that counts what it hands on.
struct Metered<R> {
    inner: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// A plain or gzipped stream.
fn from_stream(path: &Path, reader: Bytes, total: Option<u64>) -> Result<Input, ImportError> {
    let meter = Meter::new(total);
    let metered: Bytes = Box::new(Metered { inner: reader, read: Arc::clone(&meter.read) });
    let (look, stream) = look_into(path, metered)?;
    if look != Look::Gzip {
        return accept(path, look, stream, meter);
    }
    // Several members may follow one another in a gzip file (bgzip, cat), and all are content.
    let (look, stream) = look_into(path, Box::new(MultiGzDecoder::new(stream)))?;
    match look {
        Look::Gzip | Look::Zip => {
            let found = format!("a gzip file that holds {}", look.described());
            Err(ImportError::new(path, None, ImportErrorKind::unknown(found, None)))
        }
        _ => accept(path, look, stream, meter),
    }
}

fn accept(path: &Path, look: Look, stream: Bytes, meter: Meter) -> Result<Input, ImportError> {
    let kind = match Format::of(&look) {
        Some(format) => {
            let reader = BufReader::with_capacity(64 * 1024, stream);
            return Ok(Input { format, path: path.to_owned(), reader, meter });
        }
        None if look == Look::Empty => ImportErrorKind::Empty,
        None if look == Look::Utf16 => ImportErrorKind::Encoding { found: look.described() },
        None => ImportErrorKind::unknown(look.described(), None),
    };
    Err(ImportError::new(path, None, kind))
}

/// Looks at the beginning of a stream and gives back the stream from its beginning.
fn look_into(path: &Path, mut stream: Bytes) -> Result<(Look, Bytes), ImportError> {
    let mut beginning = Vec::new();
    let outcome = stream.by_ref().take(LOOK_BYTES as u64).read_to_end(&mut beginning);
    // A stream that breaks off later than its root element is opened all the same: the reader
    // meets the same error again and can then say in which line.
    let look = Look::at(&beginning);
    match outcome {
        Err(error) if Format::of(&look).is_none() => {
            Err(ImportError::new(path, None, ImportErrorKind::reading(error)))
        }
        Err(error) => {
            let broken = Broken { error: Some(error) };
            Ok((look, Box::new(Cursor::new(beginning).chain(broken))))
        }
        Ok(_) => Ok((look, Box::new(Cursor::new(beginning).chain(stream)))),
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

/// The one file of a known format in a ZIP archive, chosen by content among its XML files.
fn from_zip<R: Read + Seek + Send + 'static>(path: &Path, reader: R) -> Result<Input, ImportError> {
    let damaged = |error: zip::result::ZipError| {
        let kind = match error {
            zip::result::ZipError::Io(error) => ImportErrorKind::reading(error),
            other => ImportErrorKind::Damaged(Box::new(other)),
        };
        ImportError::new(path, None, kind)
    };
    let mut archive = ZipArchive::new(reader).map_err(damaged)?;
    let mut names = Vec::new();
    let mut fitting = Vec::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index_raw(index).map_err(damaged)?;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        let readable = !entry.encrypted();
        let Some(member) = Member::of(&mut entry) else { continue };
        if readable && has_extension(&name, &["xml"]) {
            let mut beginning = Vec::new();
            // A member that does not decompress does not fit; only the chosen one must be sound.
            let _ = member.decompressed(entry).take(LOOK_BYTES as u64).read_to_end(&mut beginning);
            if let Some(format) = Format::of(&Look::at(&beginning)) {
                fitting.push((format, name.clone(), member));
            }
        }
        names.push(name);
    }
    let [(format, name, member)] = fitting.as_slice() else {
        let found: Vec<String> = fitting.into_iter().map(|(_, name, _)| name).collect();
        return Err(ImportError::new(path, None, no_single_file("a ZIP archive", found, names)));
    };
    let inner = path.join(name);
    let mut file = archive.into_inner();
    file.seek(SeekFrom::Start(member.start))
        .map_err(|error| ImportError::new(path, None, ImportErrorKind::reading(error)))?;
    let meter = Meter::new(Some(member.compressed_size));
    let metered = Metered { inner: file.take(member.compressed_size), read: meter.read.clone() };
    let checked =
        Checked { inner: member.decompressed(metered), crc: Crc::new(), expected: member.crc32 };
    let reader = BufReader::with_capacity(64 * 1024, Box::new(checked) as Bytes);
    Ok(Input { format: *format, path: inner, reader, meter })
}

/// Where one file of a ZIP archive lies, and how.
#[derive(Debug, Clone, Copy)]
struct Member {
    start: u64,
    compressed_size: u64,
    crc32: u32,
    is_deflated: bool,
}

impl Member {
    /// `None` for folders and for compression methods other than the two that ZIP files use.
    fn of<R: Read>(entry: &mut zip::read::ZipFile<'_, R>) -> Option<Self> {
        let is_deflated = match entry.compression() {
            CompressionMethod::Deflated => true,
            CompressionMethod::Stored => false,
            _ => return None,
        };
        if entry.is_dir() {
            return None;
        }
        Some(Self {
            start: entry.data_start()?,
            compressed_size: entry.compressed_size(),
            crc32: entry.crc32(),
            is_deflated,
        })
    }

    fn decompressed<'a, R: Read + Send + 'a>(&self, raw: R) -> Box<dyn Read + Send + 'a> {
        if self.is_deflated { Box::new(DeflateDecoder::new(raw)) } else { Box::new(raw) }
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

/// The one file of a known format in a folder, not in the folders below it.
fn from_folder(path: &Path) -> Result<Input, ImportError> {
    let fail = |error| ImportError::new(path, None, ImportErrorKind::reading(error));
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(fail)? {
        files.push(entry.map_err(fail)?.path());
    }
    files.sort();
    let mut fitting: Vec<Input> = Vec::new();
    let mut names = Vec::new();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if file.is_file() && has_extension(&name, &["xml", "gz", "zip"]) {
            // What cannot be opened or is something else is not meant: a folder holds much.
            fitting.extend(Input::from_path(&file));
        }
        names.push(name);
    }
    if fitting.len() == 1
        && let Some(input) = fitting.pop()
    {
        return Ok(input);
    }
    let found = fitting.iter().map(|input| input.path.display().to_string()).collect();
    Err(ImportError::new(path, None, no_single_file("a folder", found, names)))
}

/// The error for a container in which not exactly one file fits.
fn no_single_file(container: &str, fitting: Vec<String>, names: Vec<String>) -> ImportErrorKind {
    if fitting.len() > 1 {
        return ImportErrorKind::Ambiguous { found: fitting };
    }
    if names.is_empty() {
        return ImportErrorKind::unknown(format!("{container} with nothing in it"), None);
    }
    let listed = names[..names.len().min(LISTED_NAMES)].join(", ");
    let more = names.len().saturating_sub(LISTED_NAMES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    ImportErrorKind::unknown(format!("{container} with {listed}{more}"), None)
}

fn has_extension(name: &str, extensions: &[&str]) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|own| extensions.iter().any(|one| own.eq_ignore_ascii_case(one)))
}
