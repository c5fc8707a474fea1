//! What lies at a path: a file, the files of a folder, the members of an archive.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::archive::{Member, Place, members};
use super::input::{Input, Meter, Raw, accept, unpack};
use super::look::Look;
use super::tgz;
use super::{Format, ImportError, ImportErrorKind};

/// How far below a folder is looked.
const MAX_FOLDERS_DEEP: usize = 6;
/// The most files of a folder or archive that are looked at.
const MAX_FILES: usize = 20_000;

/// One file that can be opened, any number of times.
#[derive(Debug, Clone)]
pub(super) struct ReleaseFile {
    /// The file; one within an archive is named as if the archive were a folder.
    pub(super) path: PathBuf,
    /// What its beginning looks like.
    pub(super) look: Look,
    /// What it is to which format.
    pub(super) claim: Option<Claim>,
    /// Bytes on disk or in the archive.
    pub(super) size: u64,
    place: FilePlace,
}

#[derive(Debug, Clone)]
enum FilePlace {
    Whole(Place),
    Member(Member),
}

/// What a file is to the format that reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) format: Format,
    pub(super) part: Part,
}

/// Whether a file is a release or belongs to one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// It has the concepts.
    Release,
    /// It adds to the concepts of a release: an index, relations, other names.
    Companion,
}

impl ReleaseFile {
    /// Opens the file for reading, counted by the meter.
    pub(super) fn open(&self, meter: &Meter) -> Result<Input, ImportError> {
        let raw = self
            .place
            .open(meter)
            .map_err(|error| ImportError::new(&self.path, None, ImportErrorKind::reading(error)))?;
        accept(&self.path, unpack(raw), meter.clone())
    }

    /// Whether the file is this to that format.
    pub(super) fn is(&self, format: Format, part: Part) -> bool {
        self.claim == Some(Claim { format, part })
    }

    /// The file's name without a compression's ending, in lower case.
    pub(super) fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let bare = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".xz"));
        bare.map(str::to_owned).unwrap_or(name)
    }

    /// A file of which the text, gzipped, was kept: a part of another one.
    pub(super) fn kept(&self, bytes: Vec<u8>) -> Self {
        let size = bytes.len() as u64;
        let place = FilePlace::Whole(Place::Memory(Arc::from(bytes)));
        Self { path: self.path.clone(), look: self.look.clone(), claim: self.claim, size, place }
    }

    fn look(path: PathBuf, place: FilePlace, size: u64) -> Result<Self, ImportError> {
        let fail = |error| ImportError::new(&path, None, ImportErrorKind::reading(error));
        let looked = unpack(place.open(&Meter::default()).map_err(fail)?);
        let mut file = Self { path, look: looked.look, claim: None, size, place };
        file.claim = Format::claim(&file, &String::from_utf8_lossy(&looked.beginning));
        match looked.failure {
            Some(error) if file.claim.is_none() => {
                Err(ImportError::new(&file.path, None, ImportErrorKind::reading(error)))
            }
            _ => Ok(file),
        }
    }
}

impl FilePlace {
    fn open(&self, meter: &Meter) -> io::Result<Raw> {
        match self {
            Self::Member(member) => member.open(meter),
            Self::Whole(place) => {
                let counted = meter.count(place.open()?);
                let packed = counted.own();
                Ok(Raw { bytes: Box::new(counted), packed })
            }
        }
    }
}

/// Looks at everything at a path, in the order of names.
pub(super) fn files_at(path: &Path) -> Result<Vec<ReleaseFile>, ImportError> {
    let fail = |error| ImportError::new(path, None, ImportErrorKind::reading(error));
    if !fs::metadata(path).map_err(fail)?.is_dir() {
        return files_in(path, Place::Disk(path.to_owned()));
    }
    let mut paths = Vec::new();
    list_folder(path, 0, &mut paths)?;
    if paths.is_empty() {
        let kind = ImportErrorKind::unknown("a folder with nothing in it", None);
        return Err(ImportError::new(path, None, kind));
    }
    let mut files = Vec::new();
    for path in paths {
        // What cannot be opened is not meant: a folder holds much.
        files.extend(files_in(&path, Place::Disk(path.clone())).unwrap_or_default());
    }
    Ok(files)
}

/// The file in memory, or the members where it is an archive.
pub(super) fn files_in_memory(
    name: &Path,
    bytes: &'static [u8],
) -> Result<Vec<ReleaseFile>, ImportError> {
    files_in(name, Place::Static(bytes))
}

/// Reads everything that a reader gives, to be opened again and again.
pub(super) fn files_of_reader(
    name: &Path,
    mut reader: Box<dyn Read + Send>,
) -> Result<Vec<ReleaseFile>, ImportError> {
    let mut bytes = Vec::new();
    reader
        .read_to_end(&mut bytes)
        .map_err(|error| ImportError::new(name, None, ImportErrorKind::reading(error)))?;
    files_in(name, Place::Memory(Arc::from(bytes)))
}

fn files_in(path: &Path, place: Place) -> Result<Vec<ReleaseFile>, ImportError> {
    let fail = |error| ImportError::new(path, None, ImportErrorKind::reading(error));
    let mut magic = Vec::new();
    place.open().and_then(|file| file.take(4).read_to_end(&mut magic)).map_err(fail)?;
    if Look::at(&magic) != Look::Zip {
        let size = place.len().map_err(fail)?;
        let whole = FilePlace::Whole(place);
        let file = ReleaseFile::look(path.to_owned(), whole.clone(), size)?;
        return if file.look == Look::Tar { files_in_tar(path, &whole) } else { Ok(vec![file]) };
    }
    let mut members = members(path, &place)?;
    members.sort_by(|a, b| a.name.cmp(&b.name));
    let mut files = Vec::new();
    for member in members.into_iter().take(MAX_FILES) {
        let (inner, size) = (path.join(&member.name), member.packed_size);
        // A member that does not unpack is not meant; only the chosen one must be sound.
        files.extend(ReleaseFile::look(inner, FilePlace::Member(member), size));
    }
    Ok(files)
}

fn files_in_tar(path: &Path, archive: &FilePlace) -> Result<Vec<ReleaseFile>, ImportError> {
    let fail = |error| ImportError::new(path, None, ImportErrorKind::reading(error));
    let stream = unpack(archive.open(&Meter::default()).map_err(fail)?).stream;
    let look = |name: &str, bytes: &[u8]| {
        let place = FilePlace::Whole(Place::Memory(Arc::from(bytes)));
        ReleaseFile::look(path.join(name), place, bytes.len() as u64)
    };
    let mut members = tgz::members(path, stream, |name, beginning| {
        look(name, beginning).is_ok_and(|file| file.claim.is_some())
    })?;
    members.sort_by(|a, b| a.name.cmp(&b.name));
    let members = members.iter().take(MAX_FILES);
    Ok(members.filter_map(|member| look(&member.name, &member.bytes).ok()).collect())
}

fn list_folder(path: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), ImportError> {
    let fail = |error| ImportError::new(path, None, ImportErrorKind::reading(error));
    let mut entries = Vec::new();
    for entry in fs::read_dir(path).map_err(fail)? {
        entries.push(entry.map_err(fail)?.path());
    }
    entries.sort();
    for entry in entries {
        let hidden = entry.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if hidden || found.len() >= MAX_FILES {
            continue;
        }
        if entry.is_dir() && depth < MAX_FOLDERS_DEEP {
            // A folder within that cannot be read is not meant either.
            let _ = list_folder(&entry, depth + 1, found);
        } else if entry.is_file() {
            found.push(entry);
        }
    }
    Ok(())
}
