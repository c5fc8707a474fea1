use std::collections::BTreeSet;

use medterm::catalog::{Confidence, Hit, MatchedOn, SearchResponse};
use medterm::terminology::known_system;

use super::bar::bar;
use super::style::{CODE, DIM, GOOD, PLAIN, WARN, paint};
use super::{Cell, Column, Lines, Table, clean, count};

/// Whether the parts of each score are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signals {
    Shown,
    Hidden,
}

/// A page of hits as a table.
pub fn hits(response: &SearchResponse, signals: Signals, width: Option<usize>) -> String {
    let mut text = String::new();
    if response.results.is_empty() {
        let query = clean(&response.query, Lines::Joined);
        text.push_str(&format!("nothing found for {query:?}\n"));
    } else {
        text.push_str(&table(&response.results, signals).render(width));
    }
    for note in [&response.notice, &response.search_note].into_iter().flatten() {
        text.push_str(&paint(WARN, &clean(note, Lines::Joined)));
        text.push('\n');
    }
    let paging = &response.paging;
    let mut foot = response.search_mode.clone();
    if paging.has_more {
        foot = format!(
            "{foot} · {}–{} of {}{} · more with --offset {}",
            paging.offset + 1,
            paging.offset + paging.count,
            if paging.total_is_exact { "" } else { "the best " },
            count(paging.total),
            paging.next_offset.unwrap_or(paging.offset + paging.count),
        );
    }
    if signals == Signals::Shown {
        foot = format!("{foot} · {}", clean(&response.ranking.note, Lines::Joined));
    }
    text.push_str(&paint(DIM, &foot));
    text.push('\n');
    text
}

fn table(hits: &[Hit], signals: Signals) -> Table {
    let systems: BTreeSet<&str> = hits.iter().map(|hit| hit.system.as_str()).collect();
    let several = systems.len() > 1;
    let mut columns = vec![Column::number("#"), Column::text("SCORE"), Column::text("CODE")];
    if several {
        columns.push(Column::text("SYSTEM"));
    }
    columns.extend([Column::long("NAME"), Column::aside("FOUND BY")]);
    let mut table = Table::new(&columns);
    for hit in hits {
        let mut cells = vec![
            Cell::styled(DIM, hit.rank.to_string()),
            Cell::styled(score_style(hit.confidence), bar(hit.score)),
            Cell::styled(CODE, hit.code.as_str()),
        ];
        if several {
            cells.push(Cell::styled(DIM, short_system(hit.system.as_str())));
        }
        cells.push(Cell::new(display(hit)));
        cells.push(Cell::styled(DIM, found_by(hit)));
        table.row(cells);
        if signals == Signals::Shown {
            table.note(Cell::styled(DIM, explanation(hit)));
        }
    }
    table
}

fn score_style(confidence: Confidence) -> anstyle::Style {
    match confidence {
        Confidence::Exact | Confidence::Strong => GOOD,
        _ => PLAIN,
    }
}

fn display(hit: &Hit) -> String {
    let mut display = hit.display.clone();
    if !hit.active {
        display.push_str(" (inactive)");
    }
    display
}

/// What led to the hit, where it is not its own name.
fn found_by(hit: &Hit) -> String {
    let by = match hit.matched_on {
        MatchedOn::Code => return "code".to_owned(),
        MatchedOn::Name => return String::new(),
        MatchedOn::Synonym => "",
        MatchedOn::Abbreviation => "abbreviation: ",
        MatchedOn::Correction => "corrected: ",
        _ => "meaning: ",
    };
    if hit.matched_term == hit.display {
        return by.trim_end_matches(": ").to_owned();
    }
    match &hit.matched_source {
        Some(source) => format!("{by}{} ({source})", hit.matched_term),
        None => format!("{by}{}", hit.matched_term),
    }
}

fn explanation(hit: &Hit) -> String {
    let signals = &hit.signals;
    let semantic = match signals.semantic {
        Some(cosine) => format!("semantic {cosine:.3}"),
        None => "semantic –".to_owned(),
    };
    format!(
        "{} · lexical {:.3} · {semantic} · depth {:+.3} · exact {:.3} · {:?}",
        match hit.confidence {
            Confidence::Exact => "exact",
            Confidence::Strong => "strong",
            _ => "needs review",
        },
        signals.lexical,
        signals.depth,
        signals.exact,
        hit.matched_term
    )
}

fn short_system(uri: &str) -> &str {
    known_system(uri).map_or(uri, |known| known.alias)
}
