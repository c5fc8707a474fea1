//! Which column of a table holds what, and how the table is written.

use std::borrow::Cow;

use csv::ReaderBuilder;

use crate::terminology::CodeShape;

use super::columns::{Column, ColumnRole};
use super::input::Input;
use super::table::{Dialect, Header, Quotes, Table};
use super::{ImportError, ImportErrorKind};
use std::io::BufRead;

/// What columns are usually called: a role and its names, letters and digits alone, the better
/// ones first.
pub(super) type UsualNames = [(ColumnRole, &'static [&'static str])];

/// The usual names of the columns with codes.
pub(super) const CODES: &[&str] = &[
    "code",
    "conceptcode",
    "localcode",
    "termcode",
    "itemcode",
    "codevalue",
    "id",
    "conceptid",
    "identifier",
    "key",
];

/// How many rows are looked at to tell whether a text is a table.
const ROWS_TO_TELL: usize = 4;
/// Delimiters, the likeliest first where as many stand in the first row.
const DELIMITERS: [u8; 4] = [b'\t', b'|', b';', b','];

/// Roles and the places of their columns.
#[derive(Debug)]
pub(super) struct Roles {
    placed: Vec<(ColumnRole, usize)>,
    columns: Vec<String>,
}

impl Roles {
    /// Tells the columns of a table: first what is said of them, then by their usual names.
    pub(super) fn of(
        columns: &[String],
        said: &[Column],
        usual: &UsualNames,
    ) -> Result<Self, ImportErrorKind> {
        let mut placed: Vec<(ColumnRole, usize)> = Vec::new();
        for Column { role, name } in said {
            let by_name = columns.iter().position(|column| column.eq_ignore_ascii_case(name));
            let by_number = || name.parse().ok().filter(|n| (1..=columns.len()).contains(n));
            match by_name.or_else(|| by_number().map(|number| number - 1)) {
                Some(place) => placed.push((role.clone(), place)),
                None => {
                    let (column, found) = (name.clone(), columns.to_vec());
                    return Err(ImportErrorKind::MissingColumn { column, found });
                }
            }
        }
        let bare: Vec<String> = columns.iter().map(|column| letters(column)).collect();
        for (role, names) in usual {
            if placed.iter().any(|(other, _)| other == role) {
                continue;
            }
            let free = |place: &usize| placed.iter().all(|(_, taken)| taken != place);
            let mut found = names.iter().flat_map(|name| {
                let same = bare.iter().enumerate().filter(move |(_, column)| column == name);
                same.map(|(place, _)| place)
            });
            if role.may_repeat() {
                let all: Vec<usize> = found.filter(|place| free(place)).collect();
                placed.extend(all.into_iter().map(|place| (role.clone(), place)));
            } else if let Some(place) = found.find(free) {
                placed.push((role.clone(), place));
            }
        }
        Ok(Self { placed, columns: columns.to_vec() })
    }

    /// The place of the first column with this role.
    pub(super) fn one(&self, role: &ColumnRole) -> Option<usize> {
        self.all(role).next()
    }

    /// The places of all columns with this role.
    pub(super) fn all(&self, role: &ColumnRole) -> impl Iterator<Item = usize> {
        self.placed.iter().filter(move |(other, _)| other == role).map(|(_, place)| *place)
    }

    /// The place of a column that must be there.
    pub(super) fn require(&self, role: &ColumnRole) -> Result<usize, ImportErrorKind> {
        self.one(role).ok_or_else(|| ImportErrorKind::UnclearColumn {
            role: role.to_string(),
            found: self.columns.clone(),
        })
    }

    /// The columns that become properties, with their names: those that were said to; where nothing
    /// was said of any column, also those without another role.
    pub(super) fn properties(&self, said: &[Column]) -> Vec<(String, usize)> {
        let mut properties: Vec<(String, usize)> = Vec::new();
        for (role, place) in &self.placed {
            if let ColumnRole::Property(name) = role {
                properties.push((name.clone(), *place));
            }
        }
        if said.is_empty() {
            let rest = self.columns.iter().enumerate().filter(|(place, name)| {
                !name.is_empty() && self.placed.iter().all(|(_, taken)| taken != place)
            });
            properties.extend(rest.map(|(place, name)| (name.clone(), place)));
        }
        properties
    }
}

/// A name of a column as it is compared.
fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Opens a table whose columns are told by what is said of them or by their names.
pub(super) fn open_table(mut input: Input, said: &[Column]) -> Result<Table, ImportError> {
    let beginning = input
        .reader
        .fill_buf()
        .map_err(|error| ImportError::new(&input.path, Some(1), ImportErrorKind::reading(error)))?;
    let (delimiter, quotes) = written(&String::from_utf8_lossy(beginning));
    // Who counts the columns has no names for them.
    let counted = |column: &Column| column.name.parse::<usize>().is_ok();
    let header = match said {
        [_, ..] if said.iter().all(counted) => Header::Numbered,
        _ => Header::First,
    };
    Table::open(input, Dialect { delimiter, quotes, header })
}

/// Whether a text is a table by all appearances: its first rows have as many cells, two or more.
pub(super) fn is_table(beginning: &str) -> bool {
    let (delimiter, quotes) = written(beginning);
    // The last row of what was looked at may be cut.
    let whole = match beginning.rfind('\n') {
        Some(end) => &beginning[..end],
        None => beginning,
    };
    let reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .quoting(quotes == Quotes::Quote)
        .has_headers(false)
        .flexible(true)
        .from_reader(whole.as_bytes());
    let rows = reader.into_byte_records().take(ROWS_TO_TELL);
    let cells: Vec<usize> = rows.map_while(Result::ok).map(|row| row.len()).collect();
    cells.first().is_some_and(|first| *first >= 2 && cells.iter().all(|other| other == first))
}

/// The delimiter of a table and whether it quotes, told from its beginning.
fn written(beginning: &str) -> (u8, Quotes) {
    let first_line = beginning.lines().next().unwrap_or_default();
    let count = |delimiter: u8| {
        let mut quoted = false;
        let found = first_line.bytes().filter(|byte| {
            quoted ^= *byte == b'"';
            *byte == delimiter && !quoted
        });
        found.count()
    };
    // A tab is in no name; of the others the one that divides the most.
    let mut delimiter = DELIMITERS[0];
    for other in &DELIMITERS[1..] {
        if count(DELIMITERS[0]) == 0 && count(*other) > count(delimiter) {
            delimiter = *other;
        }
    }
    let quotes = match delimiter {
        b',' | b';' => Quotes::Quote,
        _ if are_quoted(beginning, char::from(delimiter)) => Quotes::Quote,
        _ => Quotes::Plain,
    };
    (delimiter, quotes)
}

/// Whether all cells that begin with a quotation mark also end with one, and there are some.
fn are_quoted(beginning: &str, delimiter: char) -> bool {
    let cells = beginning.lines().flat_map(|line| line.split(delimiter));
    let mut begun = cells.filter(|cell| cell.starts_with('"')).peekable();
    begun.peek().is_some() && begun.all(|cell| cell.len() > 1 && cell.ends_with('"'))
}

/// A code as its terminology spells it, where it has the shape of one in another spelling.
pub(super) fn spelled(shape: CodeShape, cell: &str) -> Cow<'_, str> {
    shape.canonical(cell).map_or(Cow::Borrowed(cell), Cow::Owned)
}
