use std::path::{Path, PathBuf};
use std::sync::Arc;

use medterm::catalog::Catalog;
use medterm::dense::Embedder;
use medterm::formats::{self, Format};
use medterm::index::IndexBuilder;
use tracing::{error, info};

use super::logging::TARGET;
use crate::context::USUAL;
use crate::exit::CliError;
use crate::model::{DEMO_RELEASE, DEMO_RELEASE_NAME};

/// Indexes the embedded ICD-10-CM in a thread of its own, where the store has none: by words first,
/// which takes seconds, then by meaning too, which takes minutes. The server notices each.
pub fn fill_behind(store: PathBuf, embedder: Option<Arc<dyn Embedder>>) {
    std::thread::spawn(move || {
        if let Err(problem) = fill(&store, embedder.as_deref()) {
            let problem = crate::exit::with_causes(&problem);
            error!(target: TARGET, problem, "the embedded ICD-10-CM cannot be indexed");
        }
    });
}

fn fill(store: &Path, embedder: Option<&dyn Embedder>) -> Result<(), CliError> {
    let catalog = Catalog::open(store)?;
    // One that cannot be opened is not built over: it may be the store of a newer medterm.
    let is_there = catalog.terminologies().iter().any(|one| one.alias == USUAL)
        || catalog.failures().iter().any(|failure| failure.alias == USUAL);
    if is_there {
        return Ok(());
    }
    info!(target: TARGET, "indexing the words of the embedded ICD-10-CM; it answers in seconds");
    build(store, None)?;
    if let Some(embedder) = embedder {
        info!(target: TARGET, "embedding its names; searches go by meaning too in a few minutes");
        build(store, Some(embedder))?;
    }
    Ok(())
}

fn build(store: &Path, embedder: Option<&dyn Embedder>) -> Result<(), CliError> {
    let source = formats::open_bytes(Format::CmsTabular, DEMO_RELEASE_NAME, DEMO_RELEASE)?;
    let mut builder = IndexBuilder::new(source.release().clone());
    if let Some(embedder) = embedder {
        builder = builder.embedder(embedder);
    }
    for concept in source {
        builder.push(concept?)?;
    }
    builder.finish(store)?;
    Ok(())
}
