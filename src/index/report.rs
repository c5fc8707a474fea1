use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use crate::records::Records;
use crate::terminology::{DesignationOrd, DesignationUse};

use super::BuildStage;

/// What a build did.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct IndexReport {
    /// The terminology's short name.
    pub alias: String,
    /// The version.
    pub version: String,
    /// The name of the build.
    pub build: String,
    /// Where it is.
    pub folder: PathBuf,
    /// Codes to choose from.
    pub concepts: usize,
    /// Chapters, blocks and other groupers.
    pub groupers: usize,
    /// Those of either that are retired.
    pub inactive: usize,
    /// Names of all of them.
    pub designations: usize,
    /// How many of the names are for what.
    pub designations_by_use: BTreeMap<DesignationUse, usize>,
    /// How many of the names are in which language.
    pub designations_by_language: BTreeMap<String, usize>,
    /// Rows of the embedding matrix.
    pub rows: usize,
    /// Rows that were embedded now.
    pub embedded: usize,
    /// Rows taken from an earlier build or a killed one.
    pub reused: usize,
    /// Parents that the release names and does not have.
    pub dangling_parents: usize,
    /// Stated ancestors that the release names and does not have.
    pub dangling_ancestors: usize,
    /// Defining attributes of all concepts.
    pub relations: usize,
    /// Attributes left out because they or their values are no concepts of the release.
    pub dangling_relations: usize,
    /// Reference sets.
    pub refsets: usize,
    /// Edges left out because they close a circle.
    pub dropped_cycle_edges: usize,
    /// Bytes on disk.
    pub bytes: u64,
    /// Wall-clock seconds of each stage.
    pub seconds: Vec<(BuildStage, f64)>,
}

/// The names of an index, counted after repeated and blank ones were left out.
#[derive(Debug, Default)]
pub(super) struct NameCounts {
    pub(super) by_use: BTreeMap<DesignationUse, usize>,
    pub(super) by_language: BTreeMap<String, usize>,
}

impl NameCounts {
    pub(super) fn of(records: &Records) -> Self {
        let mut counts = Self::default();
        for ord in (0u32..).map(DesignationOrd).take(records.designation_count()) {
            let name = records.designation(ord);
            *counts.by_use.entry(name.use_).or_default() += 1;
            match counts.by_language.get_mut(name.language) {
                Some(count) => *count += 1,
                None => {
                    counts.by_language.insert(name.language.to_owned(), 1);
                }
            }
        }
        counts
    }
}
