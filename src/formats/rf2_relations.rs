//! The relationships of an RF2 release: parents, and defining attributes with their groups.

use crate::terminology::{Code, Relation, RelationValue};

use super::rf2_concepts::{Concepts, REPEATED};
use super::rf2_file::{FileKind, Rf2Files};
use super::rf2_row::{Numbered, Stamp, Versioned, latest};
use super::rf2_text::Texts;
use super::{ImportError, Tally};

/// 116680003 |Is a|.
const IS_A: u64 = 116_680_003;
/// 900000000000010007 |Stated relationship|: how an author wrote it, before a classifier worked out
/// what holds.
const STATED: u64 = 900_000_000_000_010_007;

const NO_SOURCE: &str = "the relationship begins at a concept that is not in the release";
const NO_TARGET: &str = "the relationship leads to a concept that is not in the release";
const NO_VALUE: &str = "the concrete value is neither #number, \"text\" nor true or false";

/// The relationships, by the concept that they begin at.
#[derive(Debug, Default)]
pub(super) struct Relationships {
    rows: Vec<RelationRow>,
    kinds: Numbered,
    texts: Texts,
}

#[derive(Debug, Clone, Copy)]
struct RelationRow {
    id: u64,
    /// The identifier of a concept, or where a concrete value is.
    value: u64,
    source: u32,
    stamp: Stamp,
    kind: u16,
    group: u16,
    is_concrete: bool,
}

impl Versioned for RelationRow {
    type Key = u64;

    fn key(&self) -> u64 {
        self.id
    }

    fn stamp(&self) -> Stamp {
        self.stamp
    }
}

impl Relationships {
    pub(super) fn read(
        files: &Rf2Files,
        concepts: &Concepts,
        tally: &mut Tally,
    ) -> Result<Self, ImportError> {
        let mut read = Self::default();
        let mut rows = Vec::new();
        let columns = ["sourceId", "destinationId", "relationshipGroup", "typeId"];
        let all = [columns[0], columns[1], columns[2], columns[3], "characteristicTypeId"];
        files.rows(FileKind::Relationship, &all, |row, stamp| {
            let Some(source) = concepts.find(row.id(4)?) else {
                if stamp.active {
                    tally.leave_out(NO_SOURCE, row.path(), row.line, row.cell(4));
                }
                return Ok(());
            };
            if row.id(8)? != STATED {
                rows.push(RelationRow {
                    id: row.id(0)?,
                    value: row.id(5)?,
                    source,
                    stamp,
                    kind: row.numbered(7, &mut read.kinds)?,
                    group: row.number(6)?,
                    is_concrete: false,
                });
            }
            Ok(())
        })?;
        let all = [columns[0], "value", columns[2], columns[3]];
        files.rows(FileKind::ConcreteValue, &all, |row, stamp| {
            let Some(source) = concepts.find(row.id(4)?) else {
                if stamp.active {
                    tally.leave_out(NO_SOURCE, row.path(), row.line, row.cell(4));
                }
                return Ok(());
            };
            if stamp.active && concrete(row.cell(5)).is_none() {
                tally.leave_out(NO_VALUE, row.path(), row.line, row.cell(5));
                return Ok(());
            }
            rows.push(RelationRow {
                id: row.id(0)?,
                value: read.texts.add(row, 5)?,
                source,
                stamp,
                kind: row.numbered(7, &mut read.kinds)?,
                group: row.number(6)?,
                is_concrete: true,
            });
            Ok(())
        })?;
        let mut rows = latest(rows, |row| {
            let line = row.stamp.line.into();
            tally.leave_out(REPEATED, files.path(row.stamp), line, &row.id.to_string());
        });
        rows.retain(|row| row.stamp.active);
        for row in rows.iter().filter(|row| !row.is_concrete && read.kinds.id(row.kind) != IS_A) {
            if concepts.find(row.value).is_none() {
                let (path, line) = (files.path(row.stamp), row.stamp.line.into());
                tally.leave_out(NO_TARGET, path, line, &row.value.to_string());
            }
        }
        // What leads nowhere is of no use as an attribute; a parent that is not there is kept, and
        // counted by whoever builds.
        rows.retain(|row| {
            row.is_concrete || read.kinds.id(row.kind) == IS_A || concepts.find(row.value).is_some()
        });
        rows.sort_unstable_by_key(|row| {
            (row.source, row.group, read.kinds.id(row.kind), row.value, row.id)
        });
        rows.shrink_to_fit();
        tally.read_many("relationships", rows.len() as u64);
        read.rows = rows;
        Ok(read)
    }

    /// The parents of a concept and its attributes.
    pub(super) fn of(&self, concept: u32) -> (Vec<Code>, Vec<Relation>) {
        let begin = self.rows.partition_point(|row| row.source < concept);
        let own = self.rows[begin..].iter().take_while(|row| row.source == concept);
        let (mut parents, mut relations) = (Vec::new(), Vec::new());
        for row in own {
            let kind = self.kinds.id(row.kind);
            let target = if row.is_concrete {
                concrete(self.texts.get(row.value))
            } else {
                code(row.value).map(RelationValue::Concept)
            };
            match (target, code(kind)) {
                (Some(RelationValue::Concept(parent)), _) if kind == IS_A => parents.push(parent),
                (Some(value), Some(attribute)) => {
                    relations.push(Relation { group: row.group, attribute, value });
                }
                _ => {}
            }
        }
        parents.sort_unstable();
        parents.dedup();
        relations.dedup();
        (parents, relations)
    }
}

/// An identifier as a code.
pub(super) fn code(id: u64) -> Option<Code> {
    Code::new(&id.to_string()).ok()
}

/// A concrete value: `#5` and `#5.0` are numbers, `"text"` is a text.
fn concrete(text: &str) -> Option<RelationValue> {
    if let Some(number) = text.strip_prefix('#') {
        if let Ok(integer) = number.parse() {
            return Some(RelationValue::Integer(integer));
        }
        let is_plain =
            number.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+'));
        let decimal = number.parse::<f64>().ok().filter(|value| is_plain && value.is_finite());
        return decimal.map(RelationValue::Decimal);
    }
    if matches!(text, "true" | "false") {
        return Some(RelationValue::Text(text.to_owned()));
    }
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    Some(RelationValue::Text(inner.to_owned()))
}
