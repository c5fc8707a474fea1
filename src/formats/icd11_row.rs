//! The columns and rows of ICD-11's simple tabulation.

use crate::terminology::{Code, Property, property};

use super::ImportErrorKind;

/// Property: whether a code stands alone or is put after others: `stem`, `extension`.
const CODE_KIND: &str = "codeKind";
/// Property: the address of the entity, which is the same in all releases.
const FOUNDATION_URI: &str = "foundationUri";
/// Property: the address of the entity in this release.
const LINEARIZATION_URI: &str = "linearizationUri";
/// Property: of a code for the rest, `other specified` or `unspecified`.
const RESIDUAL: &str = "residual";
/// Property: the number of the chapter.
const CHAPTER: &str = "chapter";
/// Property: whether the code belongs to the tabulation of mortality and morbidity itself.
const PRIMARY_TABULATION: &str = "primaryTabulation";
/// Property: whether this is the place where the entity is counted.
const PRIMARY_LOCATION: &str = "primaryLocation";

/// The chapter of the extension codes.
const EXTENSION_CHAPTER: &str = "X";

/// Which column of the table is what.
#[derive(Debug)]
pub(super) struct Columns {
    code: usize,
    title: usize,
    kind: usize,
    foundation: Option<usize>,
    linearization: Option<usize>,
    block: Option<usize>,
    depth: Option<usize>,
    residual: Option<usize>,
    primary_location: Option<usize>,
    chapter: Option<usize>,
    primary_tabulation: Option<usize>,
    note: Option<usize>,
    groupings: Vec<usize>,
    /// The header of the column that is there to say the version.
    pub(super) version: Option<String>,
    /// How many cells a row has at least: WHO leaves empty ones at the end away.
    fewest: usize,
}

/// One row.
#[derive(Debug)]
pub(super) struct Row {
    code: String,
    block: String,
    /// Without its dashes.
    pub(super) title: String,
    /// How many dashes were before it.
    pub(super) dashes: usize,
    /// In small letters: `chapter`, `block`, `category`.
    pub(super) kind: String,
    pub(super) depth: Option<usize>,
    foundation: String,
    pub(super) linearization: String,
    is_residual: bool,
    primary_location: Option<bool>,
    primary_tabulation: Option<bool>,
    chapter: String,
    note: String,
    /// The blocks it is in, the outermost first.
    pub(super) groupings: Vec<String>,
}

fn cells(line: &str) -> impl Iterator<Item = String> {
    line.split('\t').map(|cell| {
        let cell = cell.trim();
        let inner = cell.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        inner.map_or_else(|| cell.to_owned(), |inner| inner.replace("\"\"", "\"").trim().to_owned())
    })
}

/// A column's name without spaces and in small letters: releases differ in these.
fn bare(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase()
}

impl Columns {
    /// Whether a header is that of this table.
    pub(super) fn are_in(header: &str) -> bool {
        let names: Vec<String> = cells(header).map(|name| bare(&name)).collect();
        let has = |name: &str| names.iter().any(|one| one == name);
        let has_address = names.iter().any(|one| is_linearization(one)) || has("foundationuri");
        has_address && (has("classkind") || has("depthinkind") || has("blockid"))
    }

    /// Finds the columns in the header.
    pub(super) fn of(header: &str) -> Result<Self, ImportErrorKind> {
        let names: Vec<String> = cells(header).collect();
        let bare: Vec<String> = names.iter().map(|name| bare(name)).collect();
        let find = |name: &str| bare.iter().position(|one| one == name);
        let require = |name: &str| {
            find(&name.to_lowercase()).ok_or_else(|| ImportErrorKind::MissingColumn {
                column: name.to_owned(),
                found: names.clone(),
            })
        };
        let (code, title, kind) = (require("Code")?, require("Title")?, require("ClassKind")?);
        let version = names.iter().find(|name| name.to_lowercase().starts_with("version:"));
        let chapter = find("chapterno");
        let last = [Some(code), Some(title), Some(kind), chapter, find("isleaf")];
        Ok(Self {
            code,
            title,
            kind,
            foundation: find("foundationuri"),
            linearization: bare.iter().position(|name| is_linearization(name)),
            block: find("blockid"),
            depth: find("depthinkind"),
            residual: find("isresidual"),
            primary_location: find("primarylocation"),
            chapter,
            primary_tabulation: find("primarytabulation"),
            note: find("codingnote"),
            groupings: (1..=9).filter_map(|number| find(&format!("grouping{number}"))).collect(),
            version: version.map(|name| name["version:".len()..].trim().to_owned()),
            fewest: last.into_iter().flatten().max().map_or(0, |last| last + 1),
        })
    }

    /// The row in a line.
    pub(super) fn row(&self, line: &str) -> Result<Row, ImportErrorKind> {
        let mut cells: Vec<String> = cells(line).collect();
        if cells.len() < self.fewest {
            return Err(ImportErrorKind::ShortRow { found: cells.len(), expected: self.fewest });
        }
        let mut take = |at: usize| cells.get_mut(at).map(std::mem::take).unwrap_or_default();
        let mut optional = |at: Option<usize>| at.map(&mut take).unwrap_or_default();
        let (title, dashes) = undashed(&optional(Some(self.title)));
        let groupings = self.groupings.iter().map(|at| optional(Some(*at)));
        let groupings = groupings.filter(|one| !one.is_empty()).collect();
        Ok(Row {
            code: optional(Some(self.code)),
            block: optional(self.block),
            title,
            dashes,
            kind: optional(Some(self.kind)).to_lowercase(),
            depth: optional(self.depth).parse().ok(),
            foundation: optional(self.foundation),
            linearization: optional(self.linearization),
            is_residual: truth(&optional(self.residual)) == Some(true),
            primary_location: truth(&optional(self.primary_location)),
            primary_tabulation: truth(&optional(self.primary_tabulation)),
            chapter: optional(self.chapter),
            note: optional(self.note),
            groupings,
        })
    }
}

/// `Linearization URI`, in older releases `Linearization (release) URI`.
fn is_linearization(bare: &str) -> bool {
    bare.starts_with("linearization") && bare.ends_with("uri")
}

fn truth(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" => Some(true),
        "false" | "0" | "no" => Some(false),
        _ => None,
    }
}

/// The title without the dashes before it, and how many they are.
fn undashed(title: &str) -> (String, usize) {
    let mut rest = title;
    let mut dashes = 0;
    while let Some(next) = rest.strip_prefix("- ").or_else(|| rest.strip_prefix('-')) {
        rest = next.trim_start();
        dashes += 1;
    }
    (rest.trim().to_owned(), dashes)
}

impl Row {
    /// The code that stands for the row, where it has any.
    pub(super) fn code(&self) -> Result<Option<Code>, ImportErrorKind> {
        let address =
            [&self.foundation, &self.linearization].into_iter().find(|one| !one.is_empty());
        let last = address.and_then(|address| address.rsplit('/').next()).unwrap_or_default();
        let text = match self.kind.as_str() {
            _ if !self.code.is_empty() => &self.code,
            "chapter" => &self.chapter,
            "block" if self.block.is_empty() => last,
            "block" => &self.block,
            _ => return Ok(None),
        };
        if text.is_empty() {
            return Ok(None);
        }
        Code::new(text).map(Some).map_err(|_| ImportErrorKind::InvalidCode {
            text: text.to_owned(),
            expected: "a code, the number of a chapter or the name of a block",
        })
    }

    /// What the row says beside its code and title.
    pub(super) fn properties(&self) -> Vec<Property> {
        let mut properties = vec![Property::text(property::KIND, &self.kind)];
        match self.kind.as_str() {
            "chapter" | "block" => {
                properties.push(Property::boolean(property::NOT_SELECTABLE, true));
            }
            _ => {
                let is_extension = match self.chapter.as_str() {
                    "" => self.code.starts_with(EXTENSION_CHAPTER),
                    chapter => chapter == EXTENSION_CHAPTER,
                };
                let kind = if is_extension { "extension" } else { "stem" };
                properties.push(Property::text(CODE_KIND, kind));
            }
        }
        if self.is_residual {
            let rest = if self.code.ends_with('Z') { "unspecified" } else { "other specified" };
            properties.push(Property::text(RESIDUAL, rest));
        }
        for (code, text) in [
            (CHAPTER, &self.chapter),
            (FOUNDATION_URI, &self.foundation),
            (LINEARIZATION_URI, &self.linearization),
            (property::NOTE, &self.note),
        ] {
            if !text.is_empty() {
                properties.push(Property::text(code, text));
            }
        }
        for (code, said) in [
            (PRIMARY_TABULATION, self.primary_tabulation),
            (PRIMARY_LOCATION, self.primary_location),
        ] {
            properties.extend(said.map(|said| Property::boolean(code, said)));
        }
        properties
    }
}
