use std::borrow::Cow;

use anstyle::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::style::{DIM, PLAIN, paint};
use super::{Lines, clean};

/// A table for people: columns as wide as their cells, and no wider than the terminal.
#[derive(Debug)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Row>,
}

/// How a column is laid out.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    title: &'static str,
    numeric: bool,
    /// How long the column resists being cut off; `None` where it never is.
    weight: Option<usize>,
}

/// One field of a table.
#[derive(Debug, Clone)]
pub struct Cell {
    text: String,
    style: Style,
}

#[derive(Debug)]
enum Row {
    Cells(Vec<Cell>),
    /// A line under a row that belongs to no column, indented.
    Note(Cell),
}

/// Between two columns.
const GAP: &str = "  ";
/// The narrowest a flexible column becomes.
const NARROWEST: usize = 12;

impl Column {
    /// Text, never cut off.
    pub const fn text(title: &'static str) -> Self {
        Self { title, numeric: false, weight: None }
    }

    /// Numbers, set to the right.
    pub const fn number(title: &'static str) -> Self {
        Self { title, numeric: true, weight: None }
    }

    /// Long text, cut off where the terminal is too narrow.
    pub const fn long(title: &'static str) -> Self {
        Self { title, numeric: false, weight: Some(2) }
    }

    /// Long text that is worth less than other long text, and gives way before it.
    pub const fn aside(title: &'static str) -> Self {
        Self { title, numeric: false, weight: Some(1) }
    }
}

impl Cell {
    pub fn new(text: impl AsRef<str>) -> Self {
        Self::styled(PLAIN, text)
    }

    pub fn styled(style: Style, text: impl AsRef<str>) -> Self {
        Self { text: clean(text.as_ref(), Lines::Joined), style }
    }
}

impl Table {
    pub fn new(columns: &[Column]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new() }
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(Row::Cells(cells.into_iter().collect()));
    }

    /// A line that belongs to the row above.
    pub fn note(&mut self, cell: Cell) {
        self.rows.push(Row::Note(cell));
    }

    /// The table as text, fitted to a terminal's width where there is one.
    pub fn render(&self, width: Option<usize>) -> String {
        let widths = self.widths(width);
        let mut text = String::new();
        let titles: Vec<Cell> =
            self.columns.iter().map(|column| Cell::styled(DIM, column.title)).collect();
        if self.columns.iter().any(|column| !column.title.is_empty()) {
            self.push_row(&mut text, &titles, &widths);
        }
        for row in &self.rows {
            match row {
                Row::Cells(cells) => self.push_row(&mut text, cells, &widths),
                Row::Note(cell) => {
                    let indent = widths.first().copied().unwrap_or(0) + GAP.len();
                    let room = width.map_or(usize::MAX, |width| width.saturating_sub(indent));
                    text.push_str(&" ".repeat(indent));
                    text.push_str(&paint(cell.style, &cut(&cell.text, room)));
                    text.push('\n');
                }
            }
        }
        text
    }

    fn push_row(&self, text: &mut String, cells: &[Cell], widths: &[usize]) {
        let mut line = String::new();
        let mut pending = 0;
        for ((column, cell), width) in self.columns.iter().zip(cells).zip(widths) {
            let shown = cut(&cell.text, *width);
            let padding = width.saturating_sub(shown.width());
            // Nothing is padded at the end of a line: what follows may be empty.
            let before = if column.numeric { pending + padding } else { pending };
            if !shown.is_empty() {
                line.push_str(&" ".repeat(before));
                line.push_str(&paint(cell.style, &shown));
                pending = 0;
            }
            let after = if column.numeric && !shown.is_empty() { 0 } else { padding };
            pending += after + GAP.len();
        }
        text.push_str(&line);
        text.push('\n');
    }

    fn widths(&self, available: Option<usize>) -> Vec<usize> {
        let mut widths: Vec<usize> =
            self.columns.iter().map(|column| column.title.width()).collect();
        for row in &self.rows {
            if let Row::Cells(cells) = row {
                for (width, cell) in widths.iter_mut().zip(cells) {
                    *width = (*width).max(cell.text.width());
                }
            }
        }
        let Some(available) = available else { return widths };
        let gaps = GAP.len() * self.columns.len().saturating_sub(1);
        // The widest column for its weight gives way first, until everything fits.
        while widths.iter().sum::<usize>() + gaps > available {
            let widest = self
                .columns
                .iter()
                .zip(&mut widths)
                .filter_map(|(column, width)| Some((column.weight?, width)))
                .filter(|(_, width)| **width > NARROWEST)
                .max_by_key(|(weight, width)| **width * 12 / weight);
            match widest {
                Some((_, width)) => *width -= 1,
                None => break,
            }
        }
        widths
    }
}

/// Text of at most `width` columns; what is cut off becomes `…`.
fn cut(text: &str, width: usize) -> Cow<'_, str> {
    if text.width() <= width {
        return Cow::Borrowed(text);
    }
    let room = width.saturating_sub(1);
    let mut used = 0;
    let mut shown = String::new();
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > room {
            break;
        }
        shown.push(c);
    }
    shown.truncate(shown.trim_end().len());
    shown.push('…');
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(table: &Table, width: Option<usize>) -> String {
        anstream::adapter::strip_str(&table.render(width)).to_string()
    }

    #[test]
    fn columns_are_as_wide_as_their_cells_count_on_a_terminal() {
        let mut table = Table::new(&[Column::number("#"), Column::text("NAME"), Column::text("X")]);
        table.row([Cell::new("1"), Cell::new("高血壓"), Cell::new("a")]);
        table.row([Cell::new("10"), Cell::new("Ménière"), Cell::new("b")]);
        table.row([Cell::new("11"), Cell::new("Me\u{301}n"), Cell::new("")]);
        let expected = " #  NAME     X\n 1  高血壓   a\n10  Ménière  b\n11  Me\u{301}n\n";
        assert_eq!(plain(&table, None), expected);
    }

    #[test]
    fn long_columns_give_way_to_the_terminal() {
        let mut table = Table::new(&[Column::text(""), Column::long("")]);
        table.row([Cell::new("I21.9"), Cell::new("Acute myocardial infarction, unspecified")]);
        assert_eq!(plain(&table, Some(27)), "I21.9  Acute myocardial in…\n");
        assert!(plain(&table, None).ends_with("unspecified\n"));
    }

    #[test]
    fn wide_characters_are_never_cut_in_half() {
        assert_eq!(cut("高血壓", 4), "高…");
        assert_eq!(cut("高血壓", 6), "高血壓");
    }

    #[test]
    fn a_cell_cannot_command_the_terminal() {
        let mut table = Table::new(&[Column::text("")]);
        table.row([Cell::new("a\u{1b}[2Jb")]);
        assert_eq!(table.render(None), "a[2Jb\n");
    }
}
