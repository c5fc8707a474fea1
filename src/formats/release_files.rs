//! From paths to releases: which files belong together, and which format reads them.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::fhir::Selected;
use super::fhir_index;
use super::files::{Part, ReleaseFile, files_at, files_in_memory, files_of_reader};
use super::input::{Input, Meter};
use super::look::Look;
use super::{Format, ImportError, ImportErrorKind, ImportOptions, Source, Tally};

/// The most names of files that a message lists.
const LISTED_NAMES: usize = 12;

/// The files of one release: what one index is built from.
///
/// Beside the file or files with the concepts, these are the files that add to them: an
/// alphabetical index, relations, names of other kinds.
#[derive(Debug, Clone)]
pub struct ReleaseFiles {
    path: PathBuf,
    format: Format,
    files: Vec<ReleaseFile>,
    /// Which of the resources of a package it is.
    selected: Option<Selected>,
    /// What the package has beside its releases; told with the first of them.
    beside: Tally,
}

impl ReleaseFiles {
    /// The releases at these paths. A path with files that only add to a release, such as an
    /// alphabetical index, goes with the release of its terminology among the other paths.
    ///
    /// # Errors
    /// [`ImportErrorKind::UnknownFormat`] when a path holds none of [`Format::ALL`],
    /// [`ImportErrorKind::Ambiguous`] when one holds several releases,
    /// [`ImportErrorKind::Companion`] when one only adds to a release that is not given; the other
    /// kinds when it cannot be read far enough to tell.
    pub fn find(paths: &[PathBuf]) -> Result<Vec<Self>, ImportError> {
        let mut releases: Vec<Self> = Vec::new();
        let mut companions: Vec<Self> = Vec::new();
        for path in paths {
            let found = Self::of(path, files_at(path)?, None)?;
            if found.format.is_collection() {
                releases.extend(fhir_index::releases(&found)?);
                continue;
            }
            if !found.has_release() {
                companions.push(found);
                continue;
            }
            match releases.iter_mut().find(|other| other.is_whole_with(&found)) {
                Some(release) => release.join(found),
                None => releases.push(found),
            }
        }
        for companion in companions {
            let family = companion.format.family();
            let mut fitting = releases.iter_mut().filter(|one| one.format.family() == family);
            match (fitting.next(), fitting.next()) {
                (Some(release), None) => release.files.extend(companion.files),
                _ => {
                    let kind = ImportErrorKind::Companion { of: companion.format.title() };
                    return Err(ImportError::new(&companion.path, None, kind));
                }
            }
        }
        Ok(releases)
    }

    /// The release of this format at a path, where several could be meant or the content alone does
    /// not tell.
    ///
    /// # Errors
    /// As [`ReleaseFiles::find`]; [`ImportErrorKind::Ambiguous`] where there are several, as in a
    /// package of FHIR.
    pub fn find_as(format: Format, path: &Path) -> Result<Self, ImportError> {
        Self::of(path, files_at(path)?, Some(format))?.sole()
    }

    /// All releases of this format at a path: more than one only where a path holds many, as a
    /// package of FHIR does.
    ///
    /// # Errors
    /// As [`ReleaseFiles::find`].
    pub fn find_all_as(format: Format, path: &Path) -> Result<Vec<Self>, ImportError> {
        let found = Self::of(path, files_at(path)?, Some(format))?;
        if format.is_collection() {
            return fhir_index::releases(&found);
        }
        Ok(vec![found.with_release()?])
    }

    pub(super) fn in_memory(
        format: Format,
        name: &str,
        bytes: &'static [u8],
    ) -> Result<Self, ImportError> {
        let path = Path::new(name);
        Self::of(path, files_in_memory(path, bytes)?, Some(format))?.sole()
    }

    pub(super) fn of_reader(
        format: Format,
        name: &str,
        reader: Box<dyn Read + Send>,
    ) -> Result<Self, ImportError> {
        let path = Path::new(name);
        Self::of(path, files_of_reader(path, reader)?, Some(format))?.sole()
    }

    /// The format that reads them.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// The path they were found at; of several, the first.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Begins to read.
    ///
    /// # Errors
    /// Any [`ImportErrorKind`]: a file cannot be read, or has no valid header.
    pub fn open(&self, options: &ImportOptions) -> Result<Box<dyn Source>, ImportError> {
        self.format.open(self, options)
    }

    /// The files with concepts.
    pub(super) fn releases(&self) -> impl Iterator<Item = &ReleaseFile> {
        self.files.iter().filter(|file| file.is(self.format, Part::Release))
    }

    /// The other files of the terminology, which add to the concepts.
    pub(super) fn companions(&self) -> impl Iterator<Item = &ReleaseFile> {
        self.files.iter().filter(|file| !file.is(self.format, Part::Release))
    }

    /// The file with the concepts, where the format has but one.
    pub(super) fn main(&self) -> Result<&ReleaseFile, ImportError> {
        self.releases().next().ok_or_else(|| self.error(ImportErrorKind::Empty))
    }

    /// Opens the file with the concepts, counted alone.
    pub(super) fn open_main(&self) -> Result<Input, ImportError> {
        self.main()?.open(&self.meter())
    }

    /// A counter for the reading of all files.
    pub(super) fn meter(&self) -> Meter {
        Meter::new(Some(self.files.iter().map(|file| file.size).sum()))
    }

    /// An error about the release as a whole.
    pub(super) fn error(&self, kind: ImportErrorKind) -> ImportError {
        ImportError::new(&self.path, None, kind)
    }

    /// All files.
    pub(super) fn files(&self) -> &[ReleaseFile] {
        &self.files
    }

    /// Which of the resources of a package it is.
    pub(super) fn selected(&self) -> Option<&Selected> {
        self.selected.as_ref()
    }

    /// What was found and left out beside the releases at the path, where this is the first.
    pub(super) fn beside(&self) -> &Tally {
        &self.beside
    }

    /// Has what is beside the releases told with this one.
    pub(super) fn tell_beside(&mut self, tally: Tally) {
        self.beside = tally;
    }

    /// One release of many.
    pub(super) fn select(&self, files: Vec<ReleaseFile>, selected: Selected) -> Self {
        let path = files.first().map_or(&self.path, |file| &file.path).clone();
        let beside = Tally::default();
        Self { path, format: self.format, files, selected: Some(selected), beside }
    }

    /// The one release that these files are.
    fn sole(self) -> Result<Self, ImportError> {
        if !self.format.is_collection() {
            return self.with_release();
        }
        let mut releases = fhir_index::releases(&self)?;
        match releases.pop() {
            Some(only) if releases.is_empty() => Ok(only),
            last => {
                let all = releases.iter().chain(&last);
                let name = |one: &Self| one.selected.as_ref().map(|it| it.alias.clone());
                let found = all.filter_map(name).collect();
                Err(self.error(ImportErrorKind::Ambiguous { found }))
            }
        }
    }

    /// Whether the other files are a part of this release. Some publishers split one into files of
    /// equal rank, MeSH into descriptors, qualifiers and supplementary records, or give it in two
    /// formats that add to each other, ICD-10-PCS as tables and as codes.
    fn is_whole_with(&self, other: &Self) -> bool {
        if self.format == other.format {
            return self.format.is_in_parts();
        }
        self.format.family() == other.format.family()
    }

    /// Takes in files of the same release; the first of the formats reads them all.
    fn join(&mut self, other: Self) {
        let both = [self.format, other.format];
        if let Some(first) = Format::ALL.iter().find(|format| both.contains(format)) {
            self.format = *first;
        }
        self.files.extend(other.files);
    }

    fn has_release(&self) -> bool {
        self.releases().next().is_some()
    }

    fn with_release(self) -> Result<Self, ImportError> {
        if self.has_release() {
            return Ok(self);
        }
        Err(self.error(ImportErrorKind::Companion { of: self.format.title() }))
    }

    /// Chooses the format of the files at one path, and keeps the files that belong to it.
    fn of(
        path: &Path,
        mut files: Vec<ReleaseFile>,
        asked: Option<Format>,
    ) -> Result<Self, ImportError> {
        if let (Some(Format::Delimited), [file]) = (asked, files.as_mut_slice()) {
            file.claim = Format::as_table(file);
        }
        let fail = |kind| Err(ImportError::new(path, None, kind));
        let offered: Vec<Format> = Format::ALL
            .iter()
            .copied()
            .filter(|format| files.iter().any(|file| file.is(*format, Part::Release)))
            .collect();
        let format = match (asked, offered.first()) {
            (Some(asked), _) if offered.contains(&asked) => asked,
            // Most texts could be a table; what it looks like says more.
            (Some(_), Some(Format::Delimited)) => return fail(unknown(&files, asked)),
            (Some(asked), Some(other)) => {
                return fail(ImportErrorKind::unknown(other.title(), Some(asked)));
            }
            (None, Some(first)) => *first,
            (_, None) => match files.iter().find_map(|file| file.claim) {
                Some(claim) => claim.format,
                None => return fail(unknown(&files, asked)),
            },
        };
        // A table is what any text with columns may be: nobody means one beside a release.
        let is_rival = |other: &Format| {
            other.family() != format.family() && *other != Format::Delimited && asked.is_none()
        };
        let mut meant: Vec<Format> = vec![format];
        meant.extend(offered.into_iter().filter(is_rival));
        let chosen: Vec<&ReleaseFile> = files
            .iter()
            .filter(|file| meant.iter().any(|format| file.is(*format, Part::Release)))
            .collect();
        if meant.len() > 1 || (chosen.len() > 1 && !format.is_in_parts() && !format.is_collection())
        {
            let found = chosen.iter().map(|file| file.path.display().to_string()).collect();
            return fail(ImportErrorKind::Ambiguous { found });
        }
        files.retain(|file| file.claim.is_some_and(|one| one.format.family() == format.family()));
        let beside = Tally::default();
        Ok(Self { path: path.to_owned(), format, files, selected: None, beside })
    }
}

/// The error for a path that holds no release.
fn unknown(files: &[ReleaseFile], asked: Option<Format>) -> ImportErrorKind {
    match files {
        [] => ImportErrorKind::unknown("an archive with no readable file in it", asked),
        [one] => match &one.look {
            Look::Empty => ImportErrorKind::Empty,
            Look::Utf16 => ImportErrorKind::Encoding { found: one.look.described() },
            other => ImportErrorKind::unknown(other.described(), asked),
        },
        many => {
            let names: Vec<String> =
                many.iter().take(LISTED_NAMES).map(ReleaseFile::name).collect();
            let more = match many.len().saturating_sub(LISTED_NAMES) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            ImportErrorKind::unknown(format!("files named {}{more}", names.join(", ")), asked)
        }
    }
}
