use medterm::catalog::{ConceptList, ConceptSummary, Neighbors, Paging};

use super::style::{CODE, DIM, STRONG, paint};
use super::{Cell, Column, Lines, Table, clean, count};

const COLUMNS: [Column; 3] = [Column::text("CODE"), Column::number("BELOW"), Column::long("NAME")];

/// A code with its name, in one line.
pub fn one_line(concept: &ConceptSummary) -> String {
    let display = clean(&concept.display, Lines::Joined);
    format!("{}  {display}", paint(CODE, concept.code.as_str()))
}

/// Concepts, one a line, with how many stand below each.
pub fn summaries(concepts: &[ConceptSummary], width: Option<usize>) -> String {
    let mut table = Table::new(&COLUMNS);
    for concept in concepts {
        table.row(cells(concept, CODE));
    }
    table.render(width)
}

/// A page of concepts, with the concept it starts from above it.
pub fn concept_list(list: &ConceptList, title: &str, width: Option<usize>) -> String {
    let mut text = String::new();
    if let Some(of) = &list.of {
        text.push_str(&format!("{}\n{}\n", one_line(of), paint(DIM, title)));
    }
    if list.items.is_empty() {
        text.push_str("none\n");
    }
    // Ways down to a concept stand apart from each other; other lists are one.
    for items in list.items.chunk_by(|a, b| a.path == b.path) {
        if items.first().is_some_and(|first| first.path.is_some_and(|path| path > 1)) {
            text.push('\n');
        }
        text.push_str(&summaries(items, width));
    }
    text.push_str(&foot(&list.paging));
    text
}

/// The codes around a code.
pub fn neighbors(neighbors: &Neighbors, width: Option<usize>) -> String {
    let mut table = Table::new(&COLUMNS);
    for concept in &neighbors.previous {
        table.row(cells(concept, CODE));
    }
    table.row(cells(&neighbors.target, STRONG));
    for concept in &neighbors.next {
        table.row(cells(concept, CODE));
    }
    table.render(width)
}

fn cells(concept: &ConceptSummary, style: anstyle::Style) -> [Cell; 3] {
    let below = match concept.child_count {
        0 => String::new(),
        n => count(n),
    };
    let name = if !concept.active {
        format!("{} (inactive)", concept.display)
    } else if concept.billable == Some(false) && concept.child_count == 0 {
        format!("{} (not billable)", concept.display)
    } else {
        concept.display.clone()
    };
    [Cell::styled(style, concept.code.as_str()), Cell::styled(DIM, below), Cell::new(name)]
}

fn foot(paging: &Paging) -> String {
    if !paging.has_more {
        return String::new();
    }
    let next = paging.next_offset.unwrap_or(paging.offset + paging.count);
    let text = format!(
        "{}–{} of {} · more with --offset {next}\n",
        paging.offset + 1,
        paging.offset + paging.count,
        count(paging.total)
    );
    paint(DIM, &text)
}
