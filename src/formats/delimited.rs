//! A table of codes: CSV, TSV, or with semicolons or bars.
//!
//! - The columns are told by the names that are usual for them, or by what is said of them; see
//!   [`Column`](super::Column). A column without a role is a property of its name, unless something
//!   was said of the columns.
//! - Several synonyms or parents in a cell are divided by `|`.
//! - Rows of one code that follow one another are one concept: their names, parents and properties
//!   are joined, the first display is the concept's. A code that comes again elsewhere is counted
//!   and left out.
//! - Codes of ICD-10-CM and ICD-10-PCS may be written without their dot and in small letters.
//! - The table of a terminology that is published is an excerpt of it; any other table is all there
//!   is of its own.

use std::collections::HashSet;

use crate::terminology::{CodeShape, Concept, Content, Release, SystemId, known_system};

use super::columns::ColumnRole;
use super::delimited_columns::{CODES, Roles, UsualNames, is_table, open_table};
use super::delimited_row::{Cells, Open, Reader};
use super::file_date::date_in_name;
use super::files::{Part, ReleaseFile};
use super::input::Meter;
use super::look::Look;
use super::source::{Progress, Source};
use super::table::Table;
use super::{ImportError, ImportErrorKind, ImportOptions, ReleaseFiles, Tally};

/// What the columns are usually called.
const USUAL: &UsualNames = &[
    (ColumnRole::Code, CODES),
    (
        ColumnRole::Display,
        &[
            "display",
            "displayname",
            "preferredterm",
            "preferredname",
            "longcommonname",
            "fsn",
            "fullyspecifiedname",
            "conceptname",
            "name",
            "longtitle",
            "title",
            "term",
            "label",
            "longname",
            "longdescription",
            "codedescription",
            "description",
            "desc",
            "text",
            "meaning",
        ],
    ),
    (ColumnRole::Definition, &["definition", "scopenote", "description"]),
    (
        ColumnRole::Synonym,
        &[
            "synonym",
            "synonyms",
            "alias",
            "aliases",
            "altlabel",
            "alternativename",
            "othername",
            "othernames",
            "alsoknownas",
            "shortname",
            "shorttitle",
            "shortdescription",
            "abbreviation",
        ],
    ),
    (
        ColumnRole::Parent,
        &[
            "parent",
            "parents",
            "parentcode",
            "parentid",
            "parentconcept",
            "broader",
            "isa",
            "subclassof",
        ],
    ),
    (ColumnRole::Language, &["language", "lang", "locale"]),
    (ColumnRole::Active, &["active", "isactive", "status", "enabled", "inuse"]),
];

const ENGLISH: &str = "en";

/// What a file is to this format: whatever looks like a table and was not claimed by any other.
pub(super) fn claim(file: &ReleaseFile, beginning: &str) -> Option<Part> {
    let is_json = beginning.trim_start().starts_with(['{', '[']);
    let is_text = matches!(file.look, Look::Text { .. }) && !is_json;
    (is_text && is_table(beginning)).then_some(Part::Release)
}

/// Begins to read.
pub(super) fn open(
    files: &ReleaseFiles,
    options: &ImportOptions,
) -> Result<Box<dyn Source>, ImportError> {
    let file = files.main()?;
    let release =
        release(file, options).map_err(|kind| ImportError::new(&file.path, None, kind))?;
    let meter = files.meter();
    let table = open_table(file.open(&meter)?, &options.columns)?;
    let roles = Roles::of(table.columns(), &options.columns, USUAL);
    let cells = roles
        .and_then(|roles| {
            Ok(Cells {
                code: roles.require(&ColumnRole::Code)?,
                display: roles.require(&ColumnRole::Display)?,
                synonyms: roles.all(&ColumnRole::Synonym).collect(),
                values: roles.all(&ColumnRole::Value).collect(),
                parents: roles.all(&ColumnRole::Parent).collect(),
                definition: roles.one(&ColumnRole::Definition),
                language: roles.one(&ColumnRole::Language),
                active: roles.one(&ColumnRole::Active),
                properties: roles.properties(&options.columns),
            })
        })
        .map_err(|kind| ImportError::new(table.path(), Some(1), kind))?;
    Ok(Box::new(Delimited {
        reader: Reader { cells, shape: CodeShape::of(&release.system), tally: Tally::default() },
        table,
        meter,
        release,
        seen: HashSet::new(),
        open: None,
    }))
}

/// What is said of the release, and what is known of its terminology.
fn release(file: &ReleaseFile, options: &ImportOptions) -> Result<Release, ImportErrorKind> {
    let unsaid = |what| {
        let remedy = "give --system URI_OR_ALIAS --version VERSION";
        ImportErrorKind::Unsaid { what, remedy }
    };
    let system = options.system.clone().ok_or_else(|| unsaid("which terminology it is"))?;
    let date = date_in_name(&file.name());
    let version = options.version.clone().or_else(|| date.clone());
    let version = version.ok_or_else(|| unsaid("which version it is"))?;
    let known = known_system(system.as_str());
    let (alias, title) = match known {
        Some(known) => (known.alias.to_owned(), known.title.to_owned()),
        None => named_after(&system),
    };
    Ok(Release {
        alias,
        title,
        version,
        date,
        publisher: None,
        license: None,
        notices: Vec::new(),
        language: options.language.clone().unwrap_or_else(|| ENGLISH.to_owned()),
        content: if known.is_some() { Content::Fragment } else { Content::Complete },
        system,
        code_case: None,
        hierarchy_meaning: None,
    })
}

/// An alias and a title from the last part of a URI.
fn named_after(system: &SystemId) -> (String, String) {
    let uri = system.as_str().trim_end_matches(['/', ':', '#']);
    let last = uri.rsplit(['/', ':', '#']).next().unwrap_or_default();
    let allowed = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let alias: String = last.chars().map(allowed).collect::<String>().to_ascii_lowercase();
    let alias = alias.trim_matches('-');
    if alias.is_empty() {
        return ("local".to_owned(), system.to_string());
    }
    (alias.to_owned(), last.to_owned())
}

/// A table being read.
struct Delimited {
    table: Table,
    reader: Reader,
    meter: Meter,
    release: Release,
    /// The codes of all concepts so far.
    seen: HashSet<Box<str>>,
    /// The concept whose rows are being read.
    open: Option<Open>,
}

impl Delimited {
    /// Reads rows up to the first of another concept, and gives out the one before it.
    fn read(&mut self) -> Result<Option<Concept>, ImportError> {
        let path = self.table.path().to_owned();
        let language = &self.release.language;
        loop {
            let Some(row) = self.table.next()? else { break };
            let Some(code) = self.reader.code(row, &path) else { continue };
            let is_open = self.open.as_ref().is_some_and(|open| open.concept.code == code);
            if !is_open && self.seen.contains(code.as_str()) {
                let reason = "the code was given before";
                self.reader.tally.leave_out(reason, &path, row.line, code.as_str());
                continue;
            }
            let read = self.reader.concept(code, row, language, &path);
            self.reader.tally.read("rows");
            let text = read.concept.code.as_str();
            match &mut self.open {
                Some(open) if is_open => {
                    let (line, text) = (read.line, text.to_owned());
                    if !open.join(read, language) {
                        let reason = "the row says nothing new of its code";
                        self.reader.tally.leave_out(reason, &path, line, &text);
                    }
                }
                _ if read.concept.display.is_empty() => {
                    self.reader.tally.leave_out("the row has no name", &path, read.line, text);
                }
                open => {
                    self.seen.insert(text.into());
                    if let Some(before) = open.replace(read) {
                        return Ok(Some(self.given(before)));
                    }
                }
            }
        }
        if let Some(last) = self.open.take() {
            return Ok(Some(self.given(last)));
        }
        if self.seen.is_empty() {
            let inside = "the table".to_owned();
            let kind = ImportErrorKind::Missing { element: "row with a code and a name", inside };
            return Err(self.table.error(kind));
        }
        Ok(None)
    }

    fn given(&mut self, open: Open) -> Concept {
        if !open.language.eq_ignore_ascii_case(&self.release.language) {
            let reason = "no name in the language of the table: shown by another one";
            let (path, text) = (self.table.path().to_owned(), open.concept.code.as_str());
            self.reader.tally.leave_out(reason, &path, open.line, text);
        }
        open.concept
    }
}

impl Iterator for Delimited {
    type Item = Result<Concept, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

impl Source for Delimited {
    fn release(&self) -> &Release {
        &self.release
    }

    fn progress(&self) -> Progress {
        self.meter.progress()
    }

    fn tally(&self) -> Tally {
        self.reader.tally.clone()
    }
}
