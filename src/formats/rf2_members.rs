//! The reference sets of an RF2 release that say something about concepts: simple ones, historical
//! associations, reasons for retiring.

use crate::terminology::{Code, Property, property};

use super::rf2_concepts::{Concepts, REPEATED};
use super::rf2_file::{FileKind, Rf2Files};
use super::rf2_relations::code;
use super::rf2_row::{Numbered, Stamp, Versioned, latest};
use super::{ImportError, Tally};

/// 900000000000489007 |Concept inactivation indicator attribute value reference set|.
const CONCEPT_INACTIVATION: u64 = 900_000_000_000_489_007;
/// The property that says why a concept was retired: a code such as 900000000000482003 |Duplicate|.
const INACTIVATION_REASON: &str = "inactivationReason";

const NO_COMPONENT: &str = "the reference set's member is no concept of the release";

/// What reference sets say about concepts, by concept.
#[derive(Debug, Default)]
pub(super) struct Members {
    rows: Vec<MemberRow>,
    refsets: Numbered,
}

#[derive(Debug, Clone, Copy)]
struct MemberRow {
    id: [u64; 2],
    /// The target of an association or the reason for retiring; 0 for a simple member.
    value: u64,
    concept: u32,
    stamp: Stamp,
    refset: u16,
}

impl Versioned for MemberRow {
    type Key = [u64; 2];

    fn key(&self) -> [u64; 2] {
        self.id
    }

    fn stamp(&self) -> Stamp {
        self.stamp
    }
}

impl Members {
    pub(super) fn read(
        files: &Rf2Files,
        concepts: &Concepts,
        tally: &mut Tally,
    ) -> Result<Self, ImportError> {
        let mut read = Self::default();
        let mut rows = Vec::new();
        for (kind, value) in [
            (FileKind::Simple, None),
            (FileKind::Association, Some("targetComponentId")),
            (FileKind::AttributeValue, Some("valueId")),
        ] {
            let columns = ["refsetId", "referencedComponentId"].into_iter().chain(value);
            let columns: Vec<&'static str> = columns.collect();
            files.rows(kind, &columns, |row, stamp| {
                let Some(concept) = concepts.find(row.id(5)?) else {
                    // Names have associations and reasons too, which no concept has.
                    if stamp.active && kind == FileKind::Simple {
                        tally.leave_out(NO_COMPONENT, row.path(), row.line, row.cell(5));
                    }
                    return Ok(());
                };
                rows.push(MemberRow {
                    id: row.uuid(0)?,
                    value: if value.is_some() { row.id(6)? } else { 0 },
                    concept,
                    stamp,
                    refset: row.numbered(4, &mut read.refsets)?,
                });
                Ok(())
            })?;
        }
        rows = latest(rows, |row| {
            let line = row.stamp.line.into();
            let [high, low] = row.id;
            let text = format!("{high:016x}{low:016x}");
            tally.leave_out(REPEATED, files.path(row.stamp), line, &text);
        });
        rows.retain(|row| row.stamp.active);
        rows.sort_unstable_by_key(|row| (row.concept, read.refsets.id(row.refset), row.value));
        rows.shrink_to_fit();
        tally.read_many("reference set members", rows.len() as u64);
        read.rows = rows;
        Ok(read)
    }

    /// The simple reference sets that a concept is a member of, and what the other ones say of it.
    pub(super) fn of(&self, concept: u32) -> (Vec<Code>, Vec<Property>) {
        let begin = self.rows.partition_point(|row| row.concept < concept);
        let own = self.rows[begin..].iter().take_while(|row| row.concept == concept);
        let (mut refsets, mut properties) = (Vec::new(), Vec::new());
        for row in own {
            let refset = self.refsets.id(row.refset);
            if row.value == 0 {
                refsets.extend(code(refset));
            } else if refset == CONCEPT_INACTIVATION {
                properties.push(Property::code(INACTIVATION_REASON, row.value.to_string()));
            } else if let Some((_, name)) =
                property::ASSOCIATIONS.iter().find(|(id, _)| *id == refset)
            {
                properties.push(Property::code(name, row.value.to_string()));
            }
        }
        refsets.sort_unstable();
        refsets.dedup();
        properties.dedup();
        (refsets, properties)
    }
}
