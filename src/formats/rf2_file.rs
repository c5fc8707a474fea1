//! The files of an RF2 release: what each holds, told from its columns, and what its name says.

use std::path::Path;

use super::ImportError;
use super::file_date::date_in_name;
use super::files::{Part, ReleaseFile};
use super::input::Meter;
use super::lines::Lines;
use super::rf2_row::{Row, Stamp, read_rows};

/// The columns that every file of the format begins with.
pub(super) const COMMON: [&str; 4] = ["id", "effectiveTime", "active", "moduleId"];

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    Concept,
    /// Names and text definitions, which have the same columns.
    Description,
    Relationship,
    ConcreteValue,
    Language,
    Simple,
    Association,
    AttributeValue,
    /// Simple, complex and extended maps.
    Map,
    /// Metadata, and what no concept has.
    Other,
}

impl FileKind {
    /// What the file holds, by the line that names its columns; by its name where a column that
    /// tells is missing, so that the error names the column.
    fn of(header: &str, name: &str) -> Option<Self> {
        let columns: Vec<&str> = header.trim_end().split('\t').map(str::trim).collect();
        let has = |column: &str| columns.iter().any(|one| one.eq_ignore_ascii_case(column));
        if columns.iter().zip(COMMON).filter(|(a, b)| a.eq_ignore_ascii_case(b)).count() < 3 {
            return if header.trim().is_empty() { Self::by_name(name) } else { None };
        }
        let by_columns = [
            ("definitionStatusId", Self::Concept),
            ("term", Self::Description),
            ("destinationId", Self::Relationship),
            ("value", Self::ConcreteValue),
            ("acceptabilityId", Self::Language),
            ("mapTarget", Self::Map),
            ("targetComponentId", Self::Association),
            ("valueId", Self::AttributeValue),
        ];
        let told = by_columns.into_iter().find(|(column, _)| has(column)).map(|(_, kind)| kind);
        let is_simple = columns.len() == 6 && has("refsetId");
        let told = told.or(is_simple.then_some(Self::Simple)).or_else(|| Self::by_name(name));
        Some(told.unwrap_or(Self::Other))
    }

    fn by_name(name: &str) -> Option<Self> {
        let name = name.strip_prefix('x').unwrap_or(name);
        let is = |beginning: &str| name.starts_with(beginning);
        match () {
            () if is("sct2_concept_") => Some(Self::Concept),
            () if is("sct2_description_") || is("sct2_textdefinition_") => Some(Self::Description),
            () if is("sct2_relationship_") => Some(Self::Relationship),
            () if is("der2_crefset_language") => Some(Self::Language),
            () if is("sct2_") || is("der2_") => Some(Self::Other),
            () => None,
        }
    }
}

/// What the name of a file says: `sct2_Description_Snapshot-en_INT_20250101.txt`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FileName {
    /// Whether it holds what is valid now; the other files of a release hold all that ever was, or
    /// what has changed.
    pub(super) is_snapshot: bool,
    /// The language of its names.
    pub(super) language: Option<String>,
    /// Who made it: `INT`, or a country with its namespace, `US1000124`.
    pub(super) place: Option<String>,
    /// The date, ISO 8601.
    pub(super) date: Option<String>,
}

impl FileName {
    /// Reads a name in lower case.
    pub(super) fn read(name: &str) -> Self {
        let bare = name.split('.').next().unwrap_or_default();
        let parts: Vec<&str> = bare.split('_').collect();
        let (content, language) = match parts.get(2).and_then(|part| part.split_once('-')) {
            Some((content, language)) => (content, Some(language.to_owned())),
            None => (parts.get(2).copied().unwrap_or_default(), None),
        };
        let is_place = |part: &&&str| part.starts_with(|c: char| c.is_ascii_alphabetic());
        Self {
            is_snapshot: !content.ends_with("full") && !content.ends_with("delta"),
            language,
            place: parts.get(3).filter(is_place).map(|part| part.to_uppercase()),
            date: parts.last().and_then(|part| date_in_name(part)),
        }
    }

    /// The namespace of an extension.
    pub(super) fn namespace(&self) -> Option<u64> {
        self.place.as_deref()?.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().ok()
    }
}

/// What a file is to the format.
pub(super) fn claim(file: &ReleaseFile, beginning: &str) -> Option<Part> {
    let name = file.name();
    let kind = FileKind::of(beginning.lines().next().unwrap_or_default(), &name)?;
    let has_concepts = kind == FileKind::Concept && FileName::read(&name).is_snapshot;
    Some(if has_concepts { Part::Release } else { Part::Companion })
}

/// One file that is read.
#[derive(Debug, Clone)]
pub(super) struct Rf2File {
    file: ReleaseFile,
    pub(super) kind: FileKind,
    pub(super) name: FileName,
}

impl Rf2File {
    pub(super) fn path(&self) -> &Path {
        &self.file.path
    }
}

/// The snapshot files of a release and of what is stacked on it, in the order in which they were
/// given.
#[derive(Debug, Clone)]
pub(super) struct Rf2Files {
    pub(super) files: Vec<Rf2File>,
    pub(super) meter: Meter,
}

impl Rf2Files {
    /// Chooses the files of these kinds.
    pub(super) fn choose<'f>(
        files: impl Iterator<Item = &'f ReleaseFile>,
        kinds: &[FileKind],
    ) -> Result<Self, ImportError> {
        let mut chosen = Vec::new();
        let mut total = 0;
        for file in files {
            let name = FileName::read(&file.name());
            if !name.is_snapshot {
                continue;
            }
            let mut lines = Lines::new(file.open(&Meter::default())?);
            let header = lines.next()?.unwrap_or_default();
            let kind = FileKind::of(header, &file.name()).unwrap_or(FileKind::Other);
            if kinds.contains(&kind) {
                total += file.size;
                chosen.push(Rf2File { file: file.clone(), kind, name });
            }
        }
        Ok(Self { files: chosen, meter: Meter::new(Some(total)) })
    }

    /// The same files, counted anew.
    pub(super) fn again(&self) -> Self {
        let total = self.files.iter().map(|file| file.file.size).sum();
        Self { files: self.files.clone(), meter: Meter::new(Some(total)) }
    }

    /// The files of a kind.
    pub(super) fn of(&self, kind: FileKind) -> impl Iterator<Item = &Rf2File> {
        self.files.iter().filter(move |file| file.kind == kind)
    }

    /// The path of the file that a stamp names.
    pub(super) fn path(&self, stamp: Stamp) -> &Path {
        self.files.get(usize::from(stamp.file)).map_or(Path::new(""), Rf2File::path)
    }

    /// Reads all rows of the files of a kind; the first cells of a row are those of [`COMMON`], and
    /// those of `columns` follow.
    pub(super) fn rows(
        &self,
        kind: FileKind,
        columns: &[&'static str],
        each: impl FnMut(&Row<'_>, Stamp) -> Result<(), ImportError>,
    ) -> Result<(), ImportError> {
        self.rows_with(kind, columns, &[], each)
    }

    /// The same with columns that not every file has: their cells are empty in the others.
    pub(super) fn rows_with(
        &self,
        kind: FileKind,
        columns: &[&'static str],
        optional: &[&'static str],
        mut each: impl FnMut(&Row<'_>, Stamp) -> Result<(), ImportError>,
    ) -> Result<(), ImportError> {
        for (number, file) in (0u16..).zip(&self.files) {
            if file.kind == kind {
                let input = file.file.open(&self.meter)?;
                read_rows(input, [columns, optional], |row| each(row, row.stamp(number)?))?;
            }
        }
        Ok(())
    }
}
