use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::Format;
use super::input::Refusal;

/// A release that cannot be read, and where.
///
/// Its text is `path:line: what was found, what was expected, what to do next`. The cause, where
/// another library reported one, is the [`source`](Error::source).
#[derive(Debug)]
pub struct ImportError {
    path: PathBuf,
    line: Option<u64>,
    kind: Box<ImportErrorKind>,
}

impl ImportError {
    pub(super) fn new(path: &Path, line: Option<u64>, kind: ImportErrorKind) -> Self {
        Self { path: path.to_owned(), line, kind: Box::new(kind) }
    }

    /// The file. A file within an archive is named as if the archive were a folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The line, counted from 1, where the file has lines and was read that far.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        self.line
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> &ImportErrorKind {
        &self.kind
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}", self.kind)
    }
}

impl Error for ImportError {
    /// The cause behind the kind: the kind itself is already in the text.
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.kind.source()
    }
}

/// What is wrong with a release.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImportErrorKind {
    /// The operating system refused.
    #[error("cannot be read; check that it exists and that you may read it")]
    Io(#[source] io::Error),
    /// A gzip or ZIP file whose content does not decompress, or not to what its checksum says.
    #[error("the compressed data is damaged; fetch the file again")]
    Damaged(#[source] Box<dyn Error + Send + Sync>),
    /// Not well-formed XML.
    #[error("the markup is not well-formed XML; fetch the file again, unedited")]
    Xml(#[source] Box<dyn Error + Send + Sync>),
    /// Not JSON, or not of the shape that the format has.
    #[error("the text is not JSON of this format; fetch the file again, unedited")]
    Json(#[source] Box<dyn Error + Send + Sync>),
    /// Parts within parts without end.
    #[error("column {column}: it is nested deeper than {limit} levels; no terminology is")]
    TooDeep {
        /// The column, counted from 1 in bytes.
        column: usize,
        /// The most levels that are read.
        limit: usize,
    },
    /// Not UTF-8.
    #[error("found {found}, expected UTF-8; convert the file, for example with iconv")]
    Encoding {
        /// What the text is instead.
        found: String,
    },
    /// The file ends too early.
    #[error("the file ends inside {inside}: it is cut short; fetch it again")]
    Truncated {
        /// The innermost part that was begun and not ended.
        inside: String,
    },
    /// The content is of no format read here, or not of the one asked for.
    #[error("found {found}, expected {supported}; give the publisher's file as it was downloaded")]
    UnknownFormat {
        /// What the content looks like.
        found: String,
        /// The formats that are read.
        supported: String,
    },
    /// Several files could be meant.
    #[error("found {} files of this kind: {}; name the one to read", found.len(), found.join(", "))]
    Ambiguous {
        /// The files, by name.
        found: Vec<String>,
    },
    /// A part that the format requires is not there.
    #[error("{inside} has no {element}; fetch the file again, unedited")]
    Missing {
        /// The element or attribute.
        element: &'static str,
        /// Where it was expected.
        inside: String,
    },
    /// A part stands where the format does not have it.
    #[error("found {element} in {inside}, where it has no place; fetch the file again, unedited")]
    Misplaced {
        /// The part.
        element: String,
        /// Where it was found.
        inside: String,
    },
    /// A reference to an entity that XML does not define.
    #[error(
        "found the entity &{name};, expected one of &lt; &gt; &amp; &quot; &apos; or a character \
         number; write the character itself"
    )]
    UndefinedEntity {
        /// The entity's name.
        name: String,
    },
    /// The release has the code twice.
    #[error("the code {code} is given a second time; remove one of the two")]
    Duplicate {
        /// The code.
        code: String,
    },
    /// The text stands where a code is expected and is not one.
    #[error("found {text:?}, expected {expected}; fetch the file again, unedited")]
    InvalidCode {
        /// The text as it is in the file.
        text: String,
        /// What a code looks like there.
        expected: &'static str,
    },
    /// A column that the format requires is not among those of the table.
    #[error("there is no column {column:?}; the columns are {}", found.join(", "))]
    MissingColumn {
        /// The column.
        column: String,
        /// The columns there are.
        found: Vec<String>,
    },
    /// It cannot be told which column holds what.
    #[error(
        "no column could be told to hold the {role}; the columns are {}; name it with --columns \
         {role}=COLUMN", found.join(", ")
    )]
    UnclearColumn {
        /// What was looked for.
        role: String,
        /// The columns there are.
        found: Vec<String>,
    },
    /// A row has fewer cells than the table has columns.
    #[error(
        "the row has {found} cells, expected {expected}: it is cut short; fetch the file again"
    )]
    ShortRow {
        /// Cells in the row.
        found: usize,
        /// Columns of the table.
        expected: usize,
    },
    /// A value is none that the format has there.
    #[error("found {text:?} as {what}, expected {expected}")]
    InvalidValue {
        /// What the value is for.
        what: String,
        /// The value as it is in the file.
        text: String,
        /// What is right there.
        expected: &'static str,
    },
    /// What the files do not say has to be said beside them.
    #[error("the file does not say {what}; {remedy}")]
    Unsaid {
        /// What is missing.
        what: &'static str,
        /// How to say it.
        remedy: &'static str,
    },
    /// The file adds to a release that is not given with it.
    #[error("this adds to a release: {of}; give both in one command")]
    Companion {
        /// The release it adds to.
        of: &'static str,
    },
    /// A line or element that never ends.
    #[error("{reason}; give the publisher's file, unedited")]
    TooLong {
        /// What is too long.
        reason: String,
    },
    /// Packed data that unpacks to far more than any release does.
    #[error("{reason}; it is no terminology, or somebody means harm; fetch it from its publisher")]
    Expands {
        /// How much more.
        reason: String,
    },
    /// An archive with a file whose name leads out of it.
    #[error("the archive holds {name:?}, a path that leads out of it; fetch it from its publisher")]
    UnsafePath {
        /// The name in the archive.
        name: String,
    },
    /// Nothing is in the file.
    #[error("the file is empty; fetch it again")]
    Empty,
}

impl ImportErrorKind {
    /// The kind for content that is not `expected`, or of no known format when that is `None`.
    pub(super) fn unknown(found: impl Into<String>, expected: Option<Format>) -> Self {
        let supported = match expected {
            Some(format) => format.title().to_owned(),
            None => {
                let titles: Vec<&str> = Format::ALL.iter().map(|format| format.title()).collect();
                format!("one of: {}", titles.join(", "))
            }
        };
        Self::UnknownFormat { found: found.into(), supported }
    }

    /// The kind for a failed read, which may be the fault of the disk or of the compressed data.
    pub(super) fn reading(error: io::Error) -> Self {
        if let Some(refusal) = Refusal::within(&error) {
            return refusal.into();
        }
        match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                Self::Truncated { inside: "the compressed data".to_owned() }
            }
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
                Self::Damaged(Box::new(error))
            }
            _ => Self::Io(error),
        }
    }
}

impl From<Refusal> for ImportErrorKind {
    fn from(refusal: Refusal) -> Self {
        let reason = refusal.to_string();
        match refusal {
            Refusal::Expands => Self::Expands { reason },
            Refusal::TooLong { .. } | Refusal::TooMuch { .. } => Self::TooLong { reason },
        }
    }
}
