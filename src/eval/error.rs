use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A gold file that cannot be used, and where: `path:line: what is wrong`.
#[derive(Debug)]
pub struct GoldError {
    path: PathBuf,
    line: Option<u64>,
    kind: GoldErrorKind,
}

impl GoldError {
    pub(super) fn new(path: &Path, line: Option<u64>, kind: GoldErrorKind) -> Self {
        Self { path: path.to_owned(), line, kind }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The line, counted from 1, where one is to blame.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        self.line
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> &GoldErrorKind {
        &self.kind
    }
}

impl fmt::Display for GoldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}", self.kind)
    }
}

impl std::error::Error for GoldError {
    /// The cause behind the kind: the kind itself is already in the text.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.kind.source()
    }
}

/// What is wrong with a gold file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GoldErrorKind {
    /// The operating system refused.
    #[error("cannot be read; check that it exists and that you may read it")]
    Io(#[source] io::Error),
    /// The text is not UTF-8.
    #[error("the text is not UTF-8; convert the file, for example with iconv")]
    Encoding,
    /// The first line is not the header.
    #[error("found {found:?}, expected the header query<TAB>accept")]
    Header {
        /// The first line.
        found: String,
    },
    /// A line without a tab.
    #[error(
        "the line has no tab; write query<TAB>accept, with | between codes and - where none is right"
    )]
    Columns,
    /// A line without a query.
    #[error("the query is empty; write the words to search for before the tab")]
    EmptyQuery,
    /// A line that does not say what is right, or says it wrongly.
    #[error(
        "{found:?} does not say which codes are right; write codes with | between them, a * behind \
         one that stands for all codes beginning so, or a single - where none is right"
    )]
    Accept {
        /// The second column.
        found: String,
    },
    /// A header and nothing else.
    #[error("there is no query in it")]
    Empty,
}
