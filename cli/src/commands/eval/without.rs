use std::path::Path;

use medterm::catalog::Catalog;
use medterm::index::IndexBuilder;
use medterm::terminology::DesignationUse;
use tempfile::TempDir;

use crate::context::Context;
use crate::exit::CliError;
use crate::progress::Bar;

/// A store in a temporary folder whose one index lacks some names.
///
/// Leaving names out when searching would not do: they would still have shaped the frequencies of
/// words and the learned abbreviations.
pub struct Rebuilt {
    /// Removed when the evaluation ends.
    store: TempDir,
}

impl Rebuilt {
    pub fn without(
        context: &Context,
        catalog: &Catalog,
        system: &str,
        without: &[DesignationUse],
    ) -> Result<Self, CliError> {
        let temporary = std::env::temp_dir();
        let store = tempfile::Builder::new()
            .prefix("medterm-eval-")
            .tempdir()
            .map_err(|error| CliError::io(&temporary, "creating a temporary store", error))?;
        let index = catalog.index(system)?;
        let embedder = index.matrix().map(|_| context.embedder()).transpose()?;
        let mut bar = Bar::new(&context.output);
        let release = index.manifest().release.clone();
        let mut builder = IndexBuilder::new(release).progress(&mut bar).reuse(index);
        if let Some(embedder) = &embedder {
            builder = builder.embedder(embedder.as_ref());
        }
        for one in without {
            builder = builder.without(*one);
        }
        for concept in index.concepts() {
            builder.push(concept?)?;
        }
        builder.finish(store.path())?;
        bar.end();
        Ok(Self { store })
    }

    pub fn store(&self) -> &Path {
        self.store.path()
    }
}
