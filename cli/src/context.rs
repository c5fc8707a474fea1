use std::cell::OnceCell;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use medterm::catalog::{Catalog, Embedders, Error};
use medterm::dense::Embedder;

use crate::args::Global;
use crate::exit::CliError;
use crate::model;
use crate::output::Output;

/// What every command works with.
pub struct Context<'a> {
    global: &'a Global,
    pub output: Output,
    pub store: PathBuf,
    embedder: OnceCell<Arc<dyn Embedder>>,
}

impl<'a> Context<'a> {
    pub fn new(global: &'a Global) -> Result<Self, CliError> {
        let store = match &global.store {
            Some(store) => store.clone(),
            None => default_store()?,
        };
        Ok(Self { global, output: Output::new(global), store, embedder: OnceCell::new() })
    }

    /// The store, where one was named.
    pub fn named_store(&self) -> Option<&std::path::Path> {
        self.global.store.as_deref()
    }

    /// The embedding model, which is loaded once, when the first text comes.
    pub fn embedder(&self) -> Result<Arc<dyn Embedder>, CliError> {
        if let Some(embedder) = self.embedder.get() {
            return Ok(Arc::clone(embedder));
        }
        let embedder = model::embedder(self.global)?;
        Ok(Arc::clone(self.embedder.get_or_init(|| embedder)))
    }

    /// The catalog of the store, to be asked for codes. Something is in it; terminologies that
    /// could not be opened are warned of.
    pub fn catalog(&self) -> Result<Catalog, CliError> {
        self.checked(Catalog::open(&self.store)?)
    }

    /// The same, to be searched by meaning too.
    pub fn searchable(&self) -> Result<Catalog, CliError> {
        self.checked(self.searchable_as_it_is()?)
    }

    /// The same, whatever is in it; of a store that does not exist, nothing.
    pub fn searchable_as_it_is(&self) -> Result<Catalog, CliError> {
        let started = Instant::now();
        let catalog = Catalog::open_with(&self.store, Embedders::new(self.embedder()?))?;
        self.output.remark(format!(
            "opened {} in {:.1} ms",
            self.store.display(),
            started.elapsed().as_secs_f64() * 1000.0
        ));
        Ok(catalog)
    }

    /// The catalog of the store for its maps, which answer without any terminology.
    pub fn maps_catalog(&self) -> Result<Catalog, CliError> {
        Ok(Catalog::open(&self.store)?)
    }

    fn checked(&self, catalog: Catalog) -> Result<Catalog, CliError> {
        let failures = catalog.failures();
        if catalog.terminologies().is_empty() {
            return Err(match failures.first() {
                None => Error::EmptyStore { store: self.store.display().to_string() }.into(),
                Some(failure) => CliError::damaged(failure),
            });
        }
        for failure in failures {
            let problem = failure.problem.as_deref().unwrap_or("cannot be opened");
            self.output
                .warn(format!("{} {} is left out: {problem}", failure.alias, failure.version));
        }
        Ok(catalog)
    }

    /// The terminology to ask: the one that was named, the only one there is, or ICD-10-CM.
    pub fn system(&self, catalog: &Catalog, named: Option<&str>) -> Result<String, CliError> {
        if let Some(named) = named {
            return Ok(named.to_owned());
        }
        let summaries = catalog.terminologies();
        let mut aliases: Vec<&str> = summaries.iter().map(|one| one.alias.as_str()).collect();
        aliases.sort_unstable();
        aliases.dedup();
        match aliases.as_slice() {
            [only] => Ok((*only).to_owned()),
            many if many.contains(&USUAL) => Ok(USUAL.to_owned()),
            many => Err(CliError::Usage(format!(
                "several terminologies are loaded; name one with --system: {}",
                many.join(", ")
            ))),
        }
    }
}

/// The terminology that is meant where several are loaded and none is named.
pub const USUAL: &str = "icd10cm";

fn default_store() -> Result<PathBuf, CliError> {
    match choose_native_strategy() {
        Ok(folders) => Ok(folders.data_dir().join("medterm")),
        Err(_) => Err(CliError::Usage(
            "there is no home folder to keep the store in; name one with --store DIR".to_owned(),
        )),
    }
}
