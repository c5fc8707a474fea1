use std::collections::BTreeSet;
use std::path::Path;

use crate::disk::{PartKind, PartSummary, PartWriter};
use crate::terminology::{Code, MapEntry};

use super::MapError;
use super::layout::{FORMAT, NO_NUMBER, NO_TEXT, Row, relationship_number, section};
use super::manifest::MapCounts;

/// Writes the rows of a map, in whatever order they come; rows that are there twice are written once.
pub(super) fn write_map(
    path: &Path,
    entries: &[MapEntry],
) -> Result<(PartSummary, MapCounts), MapError> {
    let texts: BTreeSet<&str> = entries.iter().flat_map(texts_of).collect();
    let texts: Vec<&str> = texts.into_iter().collect();
    if u32::try_from(texts.len()).is_err() || u32::try_from(entries.len()).is_err() {
        return Err(MapError::TooLarge);
    }
    let mut rows: Vec<Row> = entries.iter().map(|entry| row(entry, &texts)).collect();
    rows.sort_unstable();
    rows.dedup();
    let with_target = (0u32..).zip(&rows).filter(|(_, row)| row.target != NO_TEXT);
    let mut by_target: Vec<(u32, u32)> =
        with_target.map(|(number, row)| (row.target, number)).collect();
    by_target.sort_unstable();

    let mut writer = PartWriter::create(path, PartKind::Map, FORMAT)?;
    let mut ends = vec![0u64];
    writer.begin(section::TEXTS)?;
    let mut end = 0;
    for text in &texts {
        writer.append(text.as_bytes())?;
        end += text.len() as u64;
        ends.push(end);
    }
    writer.section(section::TEXT_AT, &ends)?;
    writer.section(section::ROWS, &rows)?;
    let numbers: Vec<u32> = by_target.iter().map(|(_, number)| *number).collect();
    writer.section(section::BY_TARGET, &numbers)?;
    Ok((writer.finish()?, counts(&rows, &by_target)))
}

fn texts_of(entry: &MapEntry) -> impl Iterator<Item = &str> {
    let optional = [
        entry.target.as_ref().map(Code::as_str),
        entry.rule.as_deref(),
        entry.advice.as_deref(),
        entry.source_display.as_deref(),
        entry.target_display.as_deref(),
    ];
    std::iter::once(entry.source.as_str()).chain(optional.into_iter().flatten())
}

fn row(entry: &MapEntry, texts: &[&str]) -> Row {
    let number = |text: &str| {
        let place = texts.binary_search(&text).ok();
        place.and_then(|place| u32::try_from(place).ok()).unwrap_or(NO_TEXT)
    };
    let optional = |text: Option<&str>| text.map_or(NO_TEXT, number);
    let mut row = Row {
        source: number(entry.source.as_str()),
        group: entry.group.unwrap_or(NO_NUMBER),
        priority: entry.priority.unwrap_or(NO_NUMBER),
        scenario: 0,
        choice_list: 0,
        relationship: relationship_number(entry.relationship),
        flags: 0,
        target: optional(entry.target.as_ref().map(Code::as_str)),
        rule: optional(entry.rule.as_deref()),
        advice: optional(entry.advice.as_deref()),
        source_display: optional(entry.source_display.as_deref()),
        target_display: optional(entry.target_display.as_deref()),
    };
    if let Some(gem) = entry.gem {
        row.set_gem(gem);
    }
    row
}

fn counts(rows: &[Row], by_target: &[(u32, u32)]) -> MapCounts {
    let mut counts = MapCounts {
        entries: rows.len(),
        sources: rows.chunk_by(|a, b| a.source == b.source).count(),
        targets: by_target.chunk_by(|a, b| a.0 == b.0).count(),
        without_target: rows.len() - by_target.len(),
        ..MapCounts::default()
    };
    for row in rows.iter().filter(|row| row.target != NO_TEXT) {
        counts.add(super::layout::relationship_of(row.relationship));
    }
    counts
}
