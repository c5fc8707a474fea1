use medterm::catalog::{
    EquivalentCandidate, EquivalentsResponse, MappedCode, TranslateMatch, TranslateResponse,
};

use super::bar::bar;
use super::style::{CODE, DIM, GOOD, PLAIN, WARN, paint};
use super::{Cell, Column, Lines, Table, clean};

/// What maps say of a code, as a table: a line for each code, those of one match together.
pub fn translation(answer: &TranslateResponse, width: Option<usize>) -> String {
    let name = answer.display.as_deref().unwrap_or_default();
    let code = clean(answer.code.as_str(), Lines::Joined);
    let mut text = format!("{} {}\n", paint(CODE, &code), clean(name, Lines::Joined));
    if !answer.matches.is_empty() {
        let mut table = Table::new(&[
            Column::text(""),
            Column::text("RELATIONSHIP"),
            Column::text("CODE"),
            Column::long("NAME"),
            Column::aside("ROW"),
            Column::aside("MAP"),
        ]);
        for one in &answer.matches {
            rows(&mut table, one);
        }
        text.push_str(&table.render(width));
    }
    if let Some(message) = &answer.message {
        text.push_str(&paint(WARN, &clean(message, Lines::Joined)));
        text.push('\n');
    }
    text
}

fn rows(table: &mut Table, one: &TranslateMatch) {
    let map = format!("{} {}", one.map, one.map_version);
    for (at, code) in one.codes.iter().enumerate() {
        let (mark, relationship, map) = match at {
            0 => (if one.primary { "›" } else { "" }, one.relationship.name(), map.as_str()),
            _ => ("+", "", ""),
        };
        let style = if one.primary && at == 0 { GOOD } else { PLAIN };
        table.row([
            Cell::styled(style, mark),
            Cell::new(relationship),
            Cell::styled(CODE, code.code.as_str()),
            Cell::new(code.display.as_deref().unwrap_or_default()),
            Cell::styled(DIM, row(code)),
            Cell::styled(DIM, map),
        ]);
    }
    if !one.together_with.is_empty() {
        let beside: Vec<&str> = one.together_with.iter().map(|code| code.code.as_str()).collect();
        table.note(Cell::styled(DIM, format!("only together with {}", beside.join(", "))));
    }
}

/// What a row says beside its codes.
fn row(code: &MappedCode) -> String {
    let mut said = Vec::new();
    if let Some(gem) = code.gem {
        if gem.combination {
            said.push(format!("scenario {} list {}", gem.scenario, gem.choice_list));
        }
        if gem.approximate {
            said.push("approximate".to_owned());
        }
    }
    if let (Some(group), Some(priority)) = (code.group, code.priority) {
        said.push(format!("group {group}.{priority}"));
    }
    said.extend(code.rule.iter().chain(&code.advice).cloned());
    said.join(" · ")
}

/// The candidates of each terminology as one table.
pub fn equivalents(answer: &EquivalentsResponse, width: Option<usize>) -> String {
    let mut text = String::new();
    if let Some(coding) = &answer.coding {
        let code = clean(coding.code.as_str(), Lines::Joined);
        let name = clean(coding.display.as_deref().unwrap_or_default(), Lines::Joined);
        text.push_str(&format!("{} {name}\n", paint(CODE, &code)));
    }
    let mut table = Table::new(&[
        Column::text("SYSTEM"),
        Column::text("SCORE"),
        Column::text("CODE"),
        Column::long("NAME"),
        Column::text("BY"),
        Column::aside("HOW"),
    ]);
    let mut is_empty = true;
    for result in &answer.results {
        for one in &result.candidates {
            is_empty = false;
            table.row([
                Cell::styled(DIM, if one.rank == 1 { result.alias.as_str() } else { "" }),
                Cell::new(bar(one.score)),
                Cell::styled(CODE, one.code.as_str()),
                Cell::new(one.display.as_deref().unwrap_or_default()),
                Cell::new(one.basis.name()),
                Cell::styled(DIM, how(one)),
            ]);
        }
    }
    match is_empty {
        true => text.push_str("nothing found\n"),
        false => text.push_str(&table.render(width)),
    }
    for result in &answer.results {
        for note in [&result.error, &result.search_note].into_iter().flatten() {
            text.push_str(&paint(WARN, &clean(note, Lines::Joined)));
            text.push('\n');
        }
    }
    text
}

/// What led to a candidate.
fn how(one: &EquivalentCandidate) -> String {
    let mut said = Vec::new();
    said.extend(one.map.clone());
    let is_display = one.matched_term == one.display;
    said.extend(one.matched_term.clone().filter(|_| !is_display));
    said.extend(one.via.as_ref().map(|via| format!("via {}", via.code)));
    said.join(" · ")
}
