//! ICD-11 MMS: WHO's simple tabulation as text, alone or in its ZIP. The spreadsheet beside it has
//! the same rows and is not read.
//!
//! - Columns go by their names, in any order; what a release has no column for is left away.
//! - What is above a row is told by the dashes before its title; without them by its kind, its
//!   depth and its groupings.
//! - Chapters are coded by their number as it is in the file (`01`, `X`), blocks by their `BlockId`,
//!   in old releases by the last part of their address.
//! - Codes of chapter X are extension codes, all others stem codes: the property `codeKind`.
//! - The version is that of the release in the addresses (`2025-01`), else the day in the header or
//!   the file's name.
//!
//! The file is read twice: first to count the chapters, since an excerpt looks like a release.

use std::collections::HashSet;

use crate::terminology::{Code, Concept, Content, Release};

use super::files::{Part, ReleaseFile};
use super::icd11_release::{Head, release};
use super::icd11_row::{Columns, Row};
use super::icd11_tree::Tree;
use super::input::Meter;
use super::lines::Lines;
use super::source::{Progress, Source};
use super::{ImportError, ImportErrorKind, ReleaseFiles, Tally};

/// ICD-11 has 28 chapters with its supplementary ones; a file with fewer than 26 is an excerpt.
const FEWEST_CHAPTERS: usize = 26;

const REPEATED: &str = "the code is given a second time";
const UNCODED: &str = "the row has no code";

/// What a file is to this format.
pub(super) fn claim(_: &ReleaseFile, beginning: &str) -> Option<Part> {
    let header = beginning.lines().next().unwrap_or_default();
    Columns::are_in(header).then_some(Part::Release)
}

/// Begins to read.
pub(super) fn open(files: &ReleaseFiles) -> Result<Box<dyn Source>, ImportError> {
    let file = files.main()?.clone();
    let (head, content) = survey(&file)?;
    let meter = files.meter();
    let mut lines = Lines::new(file.open(&meter)?);
    let columns = header(&mut lines)?;
    Ok(Box::new(Icd11 {
        release: release(head, content).map_err(|kind| files.error(kind))?,
        lines,
        columns,
        meter,
        tree: Tree::default(),
        seen: HashSet::new(),
        tally: Tally::default(),
    }))
}

fn header(lines: &mut Lines) -> Result<Columns, ImportError> {
    let found = match lines.next()? {
        Some(header) => Columns::of(header),
        None => return Err(lines.error(ImportErrorKind::Empty)),
    };
    found.map_err(|kind| lines.error(kind))
}

/// The first reading: all rows are whole, how many chapters there are, and which release it is.
fn survey(file: &ReleaseFile) -> Result<(Head, Content), ImportError> {
    let mut lines = Lines::new(file.open(&Meter::default())?);
    let columns = header(&mut lines)?;
    let mut head = Head::new(&file.path, &columns);
    let mut chapters = 0;
    let mut rows = 0_u64;
    loop {
        let outcome = match lines.next()? {
            Some(line) if line.trim().is_empty() => continue,
            Some(line) => columns.row(line).map(|row| {
                head.take(&row);
                rows += 1;
                chapters += usize::from(row.kind == "chapter");
            }),
            None => break,
        };
        outcome.map_err(|kind| lines.error(kind))?;
    }
    if rows == 0 {
        let (element, inside) = ("row", "the table".to_owned());
        return Err(lines.error(ImportErrorKind::Missing { element, inside }));
    }
    let is_whole = chapters >= FEWEST_CHAPTERS;
    Ok((head, if is_whole { Content::Complete } else { Content::Fragment }))
}

/// A release being read.
struct Icd11 {
    release: Release,
    lines: Lines,
    columns: Columns,
    meter: Meter,
    tree: Tree,
    seen: HashSet<Code>,
    tally: Tally,
}

impl Icd11 {
    /// The next concept, or `None` after the last.
    fn step(&mut self) -> Result<Option<Concept>, ImportError> {
        loop {
            let outcome = match self.lines.next()? {
                Some(line) if line.trim().is_empty() => continue,
                Some(line) => self.columns.row(line).and_then(|row| {
                    let code = row.code()?;
                    let parent = self.tree.above(&row, code.as_ref());
                    let concept = code.map(|code| concept(&row, code, parent)).transpose()?;
                    Ok((concept, plural(&row.kind), row.title.clone()))
                }),
                None => return Ok(None),
            };
            let (concept, kind, title) = outcome.map_err(|kind| self.lines.error(kind))?;
            let (path, line) = (self.lines.path(), self.lines.line());
            match concept {
                None => self.tally.leave_out(UNCODED, path, line, &title),
                Some(one) if !self.seen.insert(one.code.clone()) => {
                    self.tally.leave_out(REPEATED, path, line, one.code.as_str());
                }
                Some(concept) => {
                    self.tally.read(kind);
                    return Ok(Some(concept));
                }
            }
        }
    }
}

fn concept(row: &Row, code: Code, parent: Option<Code>) -> Result<Concept, ImportErrorKind> {
    if row.title.is_empty() {
        let inside = format!("the row of {code}");
        return Err(ImportErrorKind::Missing { element: "title", inside });
    }
    let mut concept = Concept::new(code, &row.title);
    concept.properties = row.properties();
    concept.parents = parent.into_iter().collect();
    Ok(concept)
}

fn plural(kind: &str) -> &'static str {
    match kind {
        "chapter" => "chapters",
        "block" => "blocks",
        "category" => "categories",
        _ => "other rows",
    }
}

impl Iterator for Icd11 {
    type Item = Result<Concept, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}

impl Source for Icd11 {
    fn release(&self) -> &Release {
        &self.release
    }

    fn progress(&self) -> Progress {
        self.meter.progress()
    }

    fn tally(&self) -> Tally {
        self.tally.clone()
    }
}
