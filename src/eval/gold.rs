use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::{GoldError, GoldErrorKind};

/// A file of queries and of the codes that are right for each.
///
/// Tab-separated UTF-8 text. The first line is `query<TAB>accept`; of further columns only one named
/// `pair` is read: lines with the same value there ask for opposites of each other. Empty lines are
/// passed over.
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
    /// What is right for the other lines of the same pair, and so just wrong for this one; `None`
    /// where the line is of no pair.
    pub opposite: Option<Accept>,
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
        let columns: Vec<&str> = header.split('\t').map(str::trim).collect();
        if !columns.starts_with(&["query", "accept"]) {
            return Err(fail(
                1,
                GoldErrorKind::Header { found: header.chars().take(80).collect() },
            ));
        }
        let pair = columns.iter().position(|column| *column == "pair");
        let mut queries = Vec::new();
        let mut pairs = Vec::new();
        for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
            let columns: Vec<&str> = text.split('\t').map(str::trim).collect();
            let [query, accept, ..] = columns[..] else {
                return Err(fail(line, GoldErrorKind::Columns));
            };
            if query.is_empty() {
                return Err(fail(line, GoldErrorKind::EmptyQuery));
            }
            let Some(accept) = Accept::parse(accept) else {
                return Err(fail(line, GoldErrorKind::Accept { found: accept.to_owned() }));
            };
            queries.push(GoldQuery { line, query: query.to_owned(), accept, opposite: None });
            pairs.push(pair.and_then(|at| columns.get(at).copied()).unwrap_or_default());
        }
        pair_up(&mut queries, &pairs);
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

/// Tells each query of a pair what the others accept. A pair is named by a text that is not empty.
fn pair_up(queries: &mut [GoldQuery], pairs: &[&str]) {
    let mut lines: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, pair) in pairs.iter().enumerate().filter(|(_, pair)| !pair.is_empty()) {
        lines.entry(pair).or_default().push(at);
    }
    for pair in lines.values() {
        for at in pair {
            let others = pair.iter().filter(|other| *other != at);
            let codes: Vec<String> =
                others.flat_map(|other| queries[*other].accept.patterns()).cloned().collect();
            queries[*at].opposite = (!codes.is_empty()).then_some(Accept::Codes(codes));
        }
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
