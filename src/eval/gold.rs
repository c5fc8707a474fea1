use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::{GoldError, GoldErrorKind};

/// A file of queries and of the codes that are right for each.
///
/// Tab-separated UTF-8 text. The first line is `query<TAB>accept`; further columns are allowed and
/// not read. Empty lines are passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gold {
    path: PathBuf,
    queries: Vec<GoldQuery>,
}

/// One line of a gold file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoldQuery {
    /// Where it stands in the file, from 1.
    pub line: u64,
    /// The words to search for.
    pub query: String,
    /// What is right.
    pub accept: Accept,
}

/// Which codes are right for a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Accept {
    /// None: the query is outside of the terminology's scope. Right when nothing is found with
    /// confidence. Written `-`.
    Nothing,
    /// These, never empty. One that ends in `*` stands for every code beginning so.
    Codes(Vec<String>),
}

impl Gold {
    /// Reads a gold file.
    ///
    /// # Errors
    /// [`GoldError`] with path and line: the file cannot be read, has another header, or a line
    /// does not say which codes are right.
    pub fn open(path: &Path) -> Result<Self, GoldError> {
        let bytes =
            fs::read(path).map_err(|error| GoldError::new(path, None, GoldErrorKind::Io(error)))?;
        match std::str::from_utf8(&bytes) {
            Ok(text) => Self::parse(path, text),
            Err(error) => {
                let before = &bytes[..error.valid_up_to()];
                let line = 1 + before.iter().filter(|byte| **byte == b'\n').count() as u64;
                Err(GoldError::new(path, Some(line), GoldErrorKind::Encoding))
            }
        }
    }

    /// Reads a gold file's text. `path` stands in errors and in reports.
    ///
    /// # Errors
    /// As [`Gold::open`], but for the reading.
    pub fn parse(path: &Path, text: &str) -> Result<Self, GoldError> {
        let fail = |line, kind| GoldError::new(path, Some(line), kind);
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = (1..).zip(text.lines());
        let header = lines.next().map_or("", |(_, header)| header);
        let mut columns = header.split('\t').map(str::trim);
        if (columns.next(), columns.next()) != (Some("query"), Some("accept")) {
            return Err(fail(
                1,
                GoldErrorKind::Header { found: header.chars().take(80).collect() },
            ));
        }
        let mut queries = Vec::new();
        for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
            let mut columns = text.split('\t').map(str::trim);
            let (Some(query), Some(accept)) = (columns.next(), columns.next()) else {
                return Err(fail(line, GoldErrorKind::Columns));
            };
            if query.is_empty() {
                return Err(fail(line, GoldErrorKind::EmptyQuery));
            }
            let Some(accept) = Accept::parse(accept) else {
                return Err(fail(line, GoldErrorKind::Accept { found: accept.to_owned() }));
            };
            queries.push(GoldQuery { line, query: query.to_owned(), accept });
        }
        if queries.is_empty() {
            return Err(GoldError::new(path, None, GoldErrorKind::Empty));
        }
        Ok(Self { path: path.to_owned(), queries })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its queries, in its order; never empty.
    #[must_use]
    pub fn queries(&self) -> &[GoldQuery] {
        &self.queries
    }
}

impl Accept {
    /// Reads the second column: `I21.9`, `I21*|I22*`, `-`. `None` when it is none of these.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text == "-" {
            return Some(Self::Nothing);
        }
        let codes: Vec<String> = text.split('|').map(|code| code.trim().to_owned()).collect();
        let is_code = |code: &String| {
            let stem = code.strip_suffix('*').unwrap_or(code);
            !stem.is_empty() && stem != "-" && !stem.contains('*')
        };
        codes.iter().all(is_code).then_some(Self::Codes(codes))
    }

    /// Whether a code is right.
    ///
    /// ```
    /// use medterm::eval::Accept;
    /// let accept = Accept::parse("I21*|I25.2").expect("well-formed");
    /// assert!(accept.accepts("I21.9") && accept.accepts("I25.2"));
    /// assert!(!accept.accepts("I25.20"));
    /// ```
    #[must_use]
    pub fn accepts(&self, code: &str) -> bool {
        self.patterns().iter().any(|pattern| match pattern.strip_suffix('*') {
            Some(prefix) => code.starts_with(prefix),
            None => code == pattern,
        })
    }

    /// Whether a code has the same first three characters as one that is right.
    pub(super) fn accepts_family(&self, code: &str) -> bool {
        let family = |text: &str| text.chars().take(3).collect::<String>();
        let found = family(code);
        self.patterns().iter().any(|pattern| match pattern.strip_suffix('*') {
            Some(prefix) => found.starts_with(&family(prefix)),
            None => found == family(pattern),
        })
    }

    fn patterns(&self) -> &[String] {
        match self {
            Self::Nothing => &[],
            Self::Codes(codes) => codes,
        }
    }
}

impl fmt::Display for Accept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("-"),
            Self::Codes(codes) => f.write_str(&codes.join("|")),
        }
    }
}
