use std::ops::Range;
use std::path::Path;

use crate::disk::{Mapped, Part, PartKind};
use crate::terminology::{GemFlags, Relationship};

use super::layout::{FORMAT, NO_NUMBER, NO_TEXT, Row, relationship_of, section};
use super::{MapError, MapManifest};

/// One version of a map, open for reading in both directions. Nothing is copied into memory.
#[derive(Debug, Clone)]
pub struct ConceptMap {
    manifest: MapManifest,
    part: Part,
    texts: Mapped<u8>,
    text_at: Mapped<u64>,
    rows: Mapped<Row>,
    by_target: Mapped<u32>,
}

/// One row of a stored map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MapEntryRef<'m> {
    /// The code that is mapped.
    pub source: &'m str,
    /// The code it is mapped to; `None` where the publisher says that there is none.
    pub target: Option<&'m str>,
    /// How the source stands to the target.
    pub relationship: Relationship,
    /// Which of the targets that are needed together this is one of, from 1.
    pub group: Option<u16>,
    /// The order in which the rules of a group are tried, from 1.
    pub priority: Option<u16>,
    /// When the row applies, for programs.
    pub rule: Option<&'m str>,
    /// When the row applies, for people.
    pub advice: Option<&'m str>,
    /// The flags of a General Equivalence Mapping.
    pub gem: Option<GemFlags>,
    /// What the map calls the source.
    pub source_display: Option<&'m str>,
    /// What the map calls the target.
    pub target_display: Option<&'m str>,
}

/// The name of the part in a map's folder.
pub(super) const FILE: &str = "map.bin";

impl ConceptMap {
    /// Opens the map in a folder.
    ///
    /// # Errors
    /// [`MapError`] when a file is missing, damaged, of another format, or not the one that the
    /// manifest names.
    pub fn open(folder: &Path) -> Result<Self, MapError> {
        let manifest = MapManifest::read(folder)?;
        let path = folder.join(FILE);
        let part = Part::open(&path, PartKind::Map, FORMAT)?;
        let summary = Part::summary(&path)?;
        if summary.len != manifest.len || format!("{:016x}", summary.checksum) != manifest.checksum
        {
            let reason = "it is not the manifest of the map beside it".to_owned();
            return Err(MapError::Manifest { path: folder.join(MapManifest::FILE), reason });
        }
        Ok(Self {
            manifest,
            texts: part.section(section::TEXTS)?,
            text_at: part.section(section::TEXT_AT)?,
            rows: part.section(section::ROWS)?,
            by_target: part.section(section::BY_TARGET)?,
            part,
        })
    }

    /// What it is and what is in it.
    #[must_use]
    pub fn manifest(&self) -> &MapManifest {
        &self.manifest
    }

    /// Reads every byte and compares it with the checksums.
    ///
    /// # Errors
    /// [`MapError::Disk`] naming the first section that differs.
    pub fn verify(&self) -> Result<(), MapError> {
        Ok(self.part.verify()?)
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// All rows, by source code; those of one code by group, priority, scenario and choice list.
    pub fn entries(&self) -> impl Iterator<Item = MapEntryRef<'_>> {
        self.rows.iter().map(|row| self.entry(row))
    }

    /// The rows of a source code, written as in the map, in the order of [`Self::entries`].
    pub fn targets(&self, source: &str) -> impl Iterator<Item = MapEntryRef<'_>> {
        let range = self
            .number(source)
            .map_or(0..0, |number| equal(&self.rows, |row| row.source.cmp(&number)));
        self.rows.get(range).unwrap_or_default().iter().map(|row| self.entry(row))
    }

    /// The rows of a target code, written as in the map, by source code. Their relationships are
    /// the map's, from source to target: read backwards, each is its [`Relationship::inverse`].
    pub fn sources(&self, target: &str) -> impl Iterator<Item = MapEntryRef<'_>> {
        let target_of =
            |number: &u32| self.rows.get(*number as usize).map_or(NO_TEXT, |row| row.target);
        let range = self
            .number(target)
            .map_or(0..0, |number| equal(&self.by_target, |row| target_of(row).cmp(&number)));
        let numbers = self.by_target.get(range).unwrap_or_default();
        numbers.iter().filter_map(|at| self.rows.get(*at as usize)).map(|row| self.entry(row))
    }

    fn entry(&self, row: &Row) -> MapEntryRef<'_> {
        let optional = |number: u32| (number != NO_TEXT).then(|| self.text(number as usize));
        let counted = |number: u16| (number != NO_NUMBER).then_some(number);
        MapEntryRef {
            source: self.text(row.source as usize),
            target: optional(row.target),
            relationship: relationship_of(row.relationship),
            group: counted(row.group),
            priority: counted(row.priority),
            rule: optional(row.rule),
            advice: optional(row.advice),
            gem: row.gem(),
            source_display: optional(row.source_display),
            target_display: optional(row.target_display),
        }
    }

    fn bytes(&self, number: usize) -> &[u8] {
        let bounds = self.text_at.get(number).zip(self.text_at.get(number.saturating_add(1)));
        bounds
            .and_then(|(start, end)| {
                let range = usize::try_from(*start).ok()?..usize::try_from(*end).ok()?;
                self.texts.get(range)
            })
            .unwrap_or_default()
    }

    fn text(&self, number: usize) -> &str {
        std::str::from_utf8(self.bytes(number)).unwrap_or_default()
    }

    /// The number of a text, where the map has it.
    fn number(&self, text: &str) -> Option<u32> {
        let (mut start, mut end) = (0, self.text_at.len().saturating_sub(1));
        while start < end {
            let middle = usize::midpoint(start, end);
            if self.bytes(middle) < text.as_bytes() { start = middle + 1 } else { end = middle }
        }
        (self.bytes(start) == text.as_bytes()).then(|| u32::try_from(start).ok()).flatten()
    }
}

/// The values that are equal to what is looked for, in an order in which they stand together.
fn equal<T>(values: &[T], compare: impl Fn(&T) -> std::cmp::Ordering) -> Range<usize> {
    let start = values.partition_point(|value| compare(value).is_lt());
    let end = values.partition_point(|value| compare(value).is_le());
    start..end
}
