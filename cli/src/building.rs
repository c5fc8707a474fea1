//! From a release that is being read to an index in the store: what `build`, `demo` and `borrow`
//! have in common.

use std::sync::Arc;

use medterm::dense::Embedder;
use medterm::formats::{Cause, Source, Tally};
use medterm::index::{IndexBuilder, IndexReport, StoreLayout, TerminologyIndex};
use medterm::terminology::Release;
use serde::Serialize;

use crate::context::Context;
use crate::exit::CliError;
use crate::output::{count, megabytes};
use crate::progress::Bar;

/// What was read and what was built.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BuildReport {
    /// The format of the release, where it was read from a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<&'static str>,
    #[serde(flatten)]
    pub index: IndexReport,
    /// Records by kind, and what was left out and why.
    #[serde(flatten)]
    pub tally: Tally,
}

/// Reads a release and indexes it in the store.
pub fn build(
    context: &Context,
    mut source: Box<dyn Source>,
    release: Release,
    embedder: Option<Arc<dyn Embedder>>,
) -> Result<BuildReport, CliError> {
    context.output.say(format!("building {} {}", release.title, release.version));
    let served = match &embedder {
        Some(_) => served(context, &release.alias),
        None => Vec::new(),
    };
    let mut reading = Bar::new(&context.output);
    let mut building = Bar::new(&context.output);
    reading.read(source.progress());
    let mut builder = IndexBuilder::new(release).progress(&mut building);
    if let Some(embedder) = &embedder {
        builder = builder.embedder(embedder.as_ref());
    }
    for index in &served {
        builder = builder.reuse(index);
    }
    while let Some(concept) = source.next() {
        builder.push(concept?)?;
        reading.at(source.progress().read_bytes);
    }
    reading.end();
    let index = builder.finish(&context.store)?;
    building.end();
    for (stage, seconds) in &index.seconds {
        context.output.remark(format!("{:20} {seconds:8.2} s", stage.name()));
    }
    let report = BuildReport { format: None, index, tally: source.tally() };
    report.warn(context);
    Ok(report)
}

/// The versions of a terminology that are in the store: equal names need not be embedded again. One
/// that cannot be opened has nothing to give.
fn served(context: &Context, alias: &str) -> Vec<TerminologyIndex> {
    let versions = StoreLayout::new(&context.store).versions().unwrap_or_default();
    versions
        .iter()
        .filter(|version| version.alias == alias)
        .filter_map(|version| TerminologyIndex::open_for_vectors(&version.folder).ok())
        .collect()
}

impl BuildReport {
    /// Warns of everything that was left out, with the first example of each kind.
    fn warn(&self, context: &Context) {
        for one in self.tally.left_out.iter().filter(|one| one.cause == Cause::Unusable) {
            context.output.warn(format!(
                "{} left out: {}; the first: {}",
                count(one.count as usize),
                one.reason,
                one.first
            ));
        }
        if self.index.dangling_parents > 0 {
            let n = count(self.index.dangling_parents);
            context.output.warn(format!("{n} parents are not in the release and were left out"));
        }
        if self.index.dangling_ancestors > 0 {
            let n = count(self.index.dangling_ancestors);
            context.output.warn(format!("{n} ancestors are not in the release and were left out"));
        }
        if self.index.dropped_cycle_edges > 0 {
            let n = count(self.index.dropped_cycle_edges);
            context.output.warn(format!("{n} parents were left out, for they close a circle"));
        }
    }

    /// What was built, in one line.
    pub fn line(&self) -> String {
        let index = &self.index;
        let vectors = match index.rows {
            0 => "no embeddings".to_owned(),
            rows => format!("{} vectors ({} new)", count(rows), count(index.embedded)),
        };
        let retired = match index.inactive {
            0 => String::new(),
            retired => format!(" ({} retired)", count(retired)),
        };
        let seconds: f64 = index.seconds.iter().map(|(_, seconds)| seconds).sum();
        format!(
            "{} {}: {} codes{retired}, {} groupers, {} names, {vectors}, {} in {seconds:.1} s\n",
            index.alias,
            index.version,
            count(index.concepts),
            count(index.groupers),
            count(index.designations),
            megabytes(index.bytes),
        )
    }

    /// What was read and built, for people.
    pub fn summary(&self) -> String {
        let index = &self.index;
        let mut text = self.line();
        for (use_, n) in &index.designations_by_use {
            text.push_str(&format!("  {:>9} names: {}\n", count(*n), use_.name()));
        }
        if index.designations_by_language.len() > 1 {
            for (tag, n) in &index.designations_by_language {
                text.push_str(&format!("  {:>9} names in {tag}\n", count(*n)));
            }
        }
        for (kind, n) in &self.tally.read {
            text.push_str(&format!("  {:>9} {kind}\n", count(*n as usize)));
        }
        for one in &self.tally.left_out {
            let what = match one.cause {
                Cause::Unusable => "left out",
                Cause::NotWanted => "passed over",
            };
            text.push_str(&format!("  {:>9} {what}: {}\n", count(one.count as usize), one.reason));
        }
        text.push_str(&format!("{}\n", index.folder.display()));
        text
    }
}
