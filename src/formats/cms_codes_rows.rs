//! The rows of CMS's order files and codes files, which ICD-10-CM and ICD-10-PCS share.
//!
//! An order file has columns of fixed width: 1–5 a number, 7–13 the code, 15 whether it may be
//! reported (1) or is a header (0), 17–76 a short title, 78 on the long one. A codes file has the
//! code in columns 1–7 and the long title from column 9 on, and no headers.

use std::path::Path;

use super::file_date::date_in_name;
use super::files::ReleaseFile;
use super::input::Meter;
use super::lines::Lines;
use super::look::{LOOK_BYTES, Look};
use super::{ImportError, ImportErrorKind};

/// Which of the two classifications a file is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CodeSet {
    /// Diagnoses: a letter, then up to six letters and digits.
    Cm,
    /// Procedures: seven letters and digits without I and O; headers have three.
    Pcs,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CodeRow {
    /// The code as the file has it, without a dot.
    pub(super) code: String,
    pub(super) is_billable: bool,
    /// The abbreviated title, in an order file.
    pub(super) short: Option<String>,
    pub(super) title: String,
    pub(super) line: u64,
}

/// What a line has of what it must have.
enum Parsed<'l> {
    Order { code: &'l str, flag: &'l str, short: String, title: String },
    Codes { code: &'l str, title: &'l str },
    Neither,
}

/// The longest code, and the width of its column.
const CODE_CHARS: usize = 7;
/// Where the short title begins in an order file, and how wide it is.
const SHORT_AT: usize = 16;
const SHORT_CHARS: usize = 60;
/// The first characters of ICD-10-PCS codes: its sections.
const SECTIONS: &str = "0123456789BCDFGHX";
const EXPECTED: &str = "a line with a code and its title in CMS's columns";

impl CodeSet {
    /// Whether a file that begins so is an order or codes file of this classification.
    pub(super) fn claims(self, file: &ReleaseFile, beginning: &str) -> bool {
        if !matches!(file.look, Look::Text { .. }) {
            return false;
        }
        let mut lines: Vec<&str> = beginning.lines().collect();
        // The last line looked at may be cut.
        if beginning.len() + 4 >= LOOK_BYTES && lines.len() > 1 {
            lines.pop();
        }
        let mut codes: Vec<&str> = Vec::new();
        for line in lines.into_iter().map(str::trim_end).filter(|line| !line.is_empty()) {
            match parse(line) {
                Parsed::Order { code, .. } | Parsed::Codes { code, .. } => codes.push(code),
                Parsed::Neither => return false,
            }
        }
        Self::of(&codes, &file.name()) == Some(self)
    }

    /// The classification that all these codes are of. Some codes of seven characters could be of
    /// either (X0000XA, X2A5312): then the file's name decides.
    fn of(codes: &[&str], name: &str) -> Option<Self> {
        let all = |set: Self| !codes.is_empty() && codes.iter().all(|code| set.accepts(code));
        match (all(Self::Cm), all(Self::Pcs)) {
            (true, true) => Some(if name.contains("pcs") { Self::Pcs } else { Self::Cm }),
            (true, false) => Some(Self::Cm),
            (false, true) => Some(Self::Pcs),
            (false, false) => None,
        }
    }

    /// Whether a text has the shape of a code or header.
    pub(super) fn accepts(self, code: &str) -> bool {
        let first = code.chars().next().unwrap_or_default();
        let plain = code.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
        match self {
            Self::Cm => {
                let category = code.get(1..3).unwrap_or_default();
                plain
                    && first.is_ascii_uppercase()
                    && (3..=CODE_CHARS).contains(&code.len())
                    && category.contains(|c: char| c.is_ascii_digit())
            }
            Self::Pcs => {
                plain
                    && matches!(code.len(), 3 | CODE_CHARS)
                    && SECTIONS.contains(first)
                    && !code.contains(['I', 'O'])
            }
        }
    }

    fn expected(self) -> &'static str {
        match self {
            Self::Cm => "an ICD-10-CM code without its dot, such as A000",
            Self::Pcs => "an ICD-10-PCS code of seven characters, such as 0DTJ0ZZ",
        }
    }
}

/// A reader of rows.
pub(super) struct CodeRows {
    lines: Lines,
    set: CodeSet,
}

impl CodeRows {
    pub(super) fn open(
        set: CodeSet,
        file: &ReleaseFile,
        meter: &Meter,
    ) -> Result<Self, ImportError> {
        Ok(Self { lines: Lines::new(file.open(meter)?), set })
    }

    pub(super) fn path(&self) -> &Path {
        self.lines.path()
    }

    /// The next row, or `None` after the last. Blank lines are passed over.
    pub(super) fn next(&mut self) -> Result<Option<CodeRow>, ImportError> {
        loop {
            let outcome = match self.lines.next()? {
                None => return Ok(None),
                Some(line) if line.trim().is_empty() => continue,
                Some(line) => row(self.set, line.trim_end()),
            };
            let line = self.lines.line();
            return match outcome {
                Ok(row) => Ok(Some(CodeRow { line, ..row })),
                Err(kind) => Err(self.lines.error(kind)),
            };
        }
    }
}

fn row(set: CodeSet, text: &str) -> Result<CodeRow, ImportErrorKind> {
    let found = match parse(text) {
        Parsed::Order { code, flag, short, title } => CodeRow {
            code: code.to_owned(),
            is_billable: flag == "1",
            short: Some(short).filter(|short| !short.is_empty() && *short != title),
            title,
            line: 0,
        },
        Parsed::Codes { code, title } => CodeRow {
            code: code.to_owned(),
            is_billable: true,
            short: None,
            title: title.trim().to_owned(),
            line: 0,
        },
        Parsed::Neither => {
            let shown: String = text.chars().take(40).collect();
            return Err(ImportErrorKind::InvalidValue {
                what: "line".to_owned(),
                text: shown,
                expected: EXPECTED,
            });
        }
    };
    let is_header = found.code.len() < CODE_CHARS;
    if !set.accepts(&found.code) || (set == CodeSet::Pcs && is_header == found.is_billable) {
        return Err(ImportErrorKind::InvalidCode { text: found.code, expected: set.expected() });
    }
    if found.title.is_empty() {
        return Err(ImportErrorKind::Missing { element: "title", inside: found.code });
    }
    Ok(found)
}

fn parse(text: &str) -> Parsed<'_> {
    match order(text) {
        Some(order) => order,
        None => codes(text).unwrap_or(Parsed::Neither),
    }
}

/// The columns of an order file. Its first 16 are ASCII; titles may not be.
fn order(text: &str) -> Option<Parsed<'_>> {
    let number = text.get(..5)?;
    let flag = text.get(14..15)?;
    let sound = number.bytes().all(|b| b.is_ascii_digit())
        && [5, 13].iter().all(|at| text.as_bytes().get(*at) == Some(&b' '))
        && matches!(flag, "0" | "1")
        && text.as_bytes().get(15).is_none_or(|b| *b == b' ');
    if !sound {
        return None;
    }
    let titles = text.get(SHORT_AT..).unwrap_or_default();
    let short: String = titles.chars().take(SHORT_CHARS).collect();
    let title: String = titles.chars().skip(SHORT_CHARS).collect();
    let (short, title) = (short.trim().to_owned(), title.trim().to_owned());
    Some(Parsed::Order { code: text.get(6..13)?.trim_end(), flag, short, title })
}

/// The columns of a codes file.
fn codes(text: &str) -> Option<Parsed<'_>> {
    let (column, title) = match text.split_at_checked(CODE_CHARS + 1) {
        Some(split) => split,
        // A row that was cut after its code.
        None => (text, ""),
    };
    let code = column.trim_end();
    let padded = column.len() <= CODE_CHARS || column.ends_with(' ');
    let sound = padded
        && !code.is_empty()
        && code.bytes().all(|b| b.is_ascii_alphanumeric())
        && !title.starts_with(' ');
    sound.then_some(Parsed::Codes { code, title })
}

/// The version and date of a release, from the name of its file or of the archive it lies in: the
/// day where the name has one (the releases of April), else the fiscal year, which begins with the
/// October before.
pub(super) fn version_of(path: &Path) -> Result<(String, Option<String>), ImportErrorKind> {
    let names: Vec<String> = path
        .ancestors()
        .enumerate()
        .filter_map(|(nth, one)| {
            let name = one.file_name()?.to_string_lossy().into_owned();
            (nth < 2 || name.to_ascii_lowercase().ends_with(".zip")).then_some(name)
        })
        .collect();
    if let Some(date) = names.iter().find_map(|name| date_in_name(name)) {
        return Ok((date.clone(), Some(date)));
    }
    match names.iter().find_map(|name| fiscal_year(name)) {
        Some(year) => Ok((year.to_string(), Some(first_day(year)))),
        None => Err(ImportErrorKind::Unsaid {
            what: "which year it is for",
            remedy: "give it the name under which CMS publishes it, such as icd10pcs_order_2026.txt",
        }),
    }
}

/// The day on which the release of a fiscal year takes effect.
pub(super) fn first_day(year: u32) -> String {
    format!("{:04}-10-01", year.saturating_sub(1))
}

/// The year that stands in a name as a word of its own.
pub(super) fn fiscal_year(name: &str) -> Option<u32> {
    name.split(|c: char| !c.is_ascii_digit())
        .filter(|digits| digits.len() == 4)
        .filter_map(|digits| digits.parse().ok())
        .find(|year| (2000..=2100).contains(year))
}

/// Of the files of one release that hold the same codes, the one to read: an order file, which has
/// the headers, before a codes file.
///
/// # Errors
/// [`ImportErrorKind::Ambiguous`] when there are two of the same kind.
pub(super) fn richest<'f>(
    files: impl Iterator<Item = &'f ReleaseFile>,
) -> Result<Option<&'f ReleaseFile>, ImportErrorKind> {
    let is_order = |file: &&ReleaseFile| match &file.look {
        Look::Text { first_line } => order_beginning(first_line),
        _ => false,
    };
    let (orders, codes): (Vec<_>, Vec<_>) = files.partition(is_order);
    let chosen = if orders.is_empty() { codes } else { orders };
    if chosen.len() > 1 {
        let found = chosen.iter().map(|file| file.path.display().to_string()).collect();
        return Err(ImportErrorKind::Ambiguous { found });
    }
    Ok(chosen.first().copied())
}

/// The first line of a file, which may be shortened.
fn order_beginning(line: &str) -> bool {
    matches!(parse(line), Parsed::Order { .. })
}
