use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::Serialize;

/// What an importer read beside concepts, and what it left out and why.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    /// How many records of which kind were read: `descriptors`, `index entries`.
    pub read: BTreeMap<String, u64>,
    /// What was left out, by reason.
    pub left_out: Vec<LeftOut>,
}

/// Records that were left out for the same reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LeftOut {
    /// Why.
    pub reason: String,
    /// Whose fault it is.
    pub cause: Cause,
    /// How many.
    pub count: u64,
    /// The first of them: `path:line: text`.
    pub first: String,
}

/// Whether something is wrong with what was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Cause {
    /// It could not be used: somebody should look at it.
    Unusable,
    /// It was not asked for: options or the format's rules leave it out.
    NotWanted,
}

/// The most characters that are shown of a record and its place.
const MAX_SHOWN: usize = 240;

impl Tally {
    /// Counts one record of a kind.
    pub(super) fn read(&mut self, kind: &str) {
        self.read_many(kind, 1);
    }

    /// Counts records of a kind.
    pub(super) fn read_many(&mut self, kind: &str, count: u64) {
        match self.read.get_mut(kind) {
            Some(read) => *read += count,
            None => drop(self.read.insert(kind.to_owned(), count)),
        }
    }

    /// Notes a record that could not be used; `text` tells which. Line 0 is one that is not known.
    pub(super) fn leave_out(&mut self, reason: &str, path: &Path, line: u64, text: &str) {
        let place = if line == 0 { String::new() } else { format!("{line}:") };
        self.note(Cause::Unusable, reason, format_args!("{}:{place} {text}", path.display()));
    }

    /// Notes a record that is sound and not wanted; `text` tells which.
    pub(super) fn pass_over(&mut self, reason: &str, path: &Path, line: u64, text: &str) {
        self.note(Cause::NotWanted, reason, format_args!("{}:{line}: {text}", path.display()));
    }

    fn note(&mut self, cause: Cause, reason: &str, record: fmt::Arguments<'_>) {
        if let Some(known) = self.left_out.iter_mut().find(|one| one.reason == reason) {
            known.count += 1;
            return;
        }
        let first = record.to_string().chars().take(MAX_SHOWN).collect();
        self.left_out.push(LeftOut { reason: reason.to_owned(), cause, count: 1, first });
    }

    /// Takes in what another importer noted.
    pub(super) fn join(&mut self, other: Self) {
        for (kind, count) in other.read {
            self.read_many(&kind, count);
        }
        for one in other.left_out {
            match self.left_out.iter_mut().find(|known| known.reason == one.reason) {
                Some(known) => known.count += one.count,
                None => self.left_out.push(one),
            }
        }
    }
}
