use std::collections::BTreeMap;
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
    /// How many.
    pub count: u64,
    /// The first of them: `path:line: text`.
    pub first: String,
}

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

    /// Notes a record that was left out; `text` tells which. Line 0 is one that is not known.
    pub(super) fn leave_out(&mut self, reason: &str, path: &Path, line: u64, text: &str) {
        if let Some(known) = self.left_out.iter_mut().find(|one| one.reason == reason) {
            known.count += 1;
            return;
        }
        let text: String = text.chars().take(80).collect();
        let place = if line == 0 { String::new() } else { format!("{line}:") };
        let first = format!("{}:{place} {text}", path.display());
        self.left_out.push(LeftOut { reason: reason.to_owned(), count: 1, first });
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
