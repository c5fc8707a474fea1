use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use medterm::catalog::{Catalog, Embedders};
use medterm::dense::Embedder;
use tokio::sync::watch;
use tracing::{error, info, warn};

use super::logging::TARGET;

/// How often the store is looked at.
const POLL: Duration = Duration::from_secs(1);

/// The store, and whether it can be asked.
#[derive(Debug, Clone, Default)]
pub enum State {
    /// Indexes are being opened.
    #[default]
    Opening,
    /// It can be asked.
    Open(Arc<Catalog>),
    /// Its folders cannot be read; it is tried again.
    Failed,
}

impl State {
    pub fn catalog(&self) -> Option<&Arc<Catalog>> {
        match self {
            Self::Open(catalog) => Some(catalog),
            Self::Opening | Self::Failed => None,
        }
    }
}

/// The catalog of a store, opened and kept up to date by a thread of its own.
#[derive(Debug)]
pub struct Catalogs {
    state: watch::Receiver<State>,
    /// Dropped with us, which ends the thread.
    _alive: Sender<()>,
}

impl Catalogs {
    /// Begins to open a store.
    pub fn open(store: &Path, embedder: Arc<dyn Embedder>) -> Self {
        let (publish, state) = watch::channel(State::Opening);
        let (alive, ended) = channel();
        let store = store.to_owned();
        std::thread::spawn(move || {
            let embedders = Embedders::new(embedder);
            loop {
                look(&store, &embedders, &publish);
                match ended.recv_timeout(POLL) {
                    Err(RecvTimeoutError::Timeout) => {}
                    _ => break,
                }
            }
        });
        Self { state, _alive: alive }
    }

    /// How it stands now.
    pub fn state(&self) -> State {
        self.state.borrow().clone()
    }

    /// To be told of changes.
    pub fn changes(&self) -> watch::Receiver<State> {
        self.state.clone()
    }

    /// The catalog, once it is open; nothing where it cannot be opened.
    pub async fn opened(&self) -> Option<Arc<Catalog>> {
        let mut state = self.state.clone();
        // The thread holds the other end as long as this is there.
        let state = state.wait_for(|state| !matches!(state, State::Opening)).await.ok()?;
        state.catalog().cloned()
    }
}

/// Opens the store, or what changed in it.
fn look(store: &Path, embedders: &Embedders, publish: &watch::Sender<State>) {
    let started = Instant::now();
    let before = publish.borrow().clone();
    let now = match before.catalog() {
        Some(catalog) => catalog.reopened(),
        None => Catalog::open_with(store, embedders.clone()).map(Some),
    };
    match now {
        Ok(None) => {}
        Ok(Some(catalog)) => {
            let catalog = Arc::new(catalog);
            publish.send_replace(State::Open(Arc::clone(&catalog)));
            tell(&catalog, started.elapsed());
        }
        // What is open goes on answering.
        Err(problem) if before.catalog().is_some() => {
            warn!(target: TARGET, %problem, "the store cannot be looked at");
        }
        Err(problem) => {
            if matches!(before, State::Opening) {
                error!(target: TARGET, %problem, "the store cannot be opened; it is tried again");
            }
            publish.send_replace(State::Failed);
        }
    }
}

fn tell(catalog: &Catalog, took: Duration) {
    let milliseconds = took.as_millis();
    let terminologies = catalog.terminologies();
    let loaded: Vec<String> =
        terminologies.iter().map(|one| format!("{} {}", one.alias, one.version)).collect();
    info!(target: TARGET, terminologies = loaded.join(", "), milliseconds, "the store is open");
    for failure in catalog.failures() {
        let problem = failure.problem.as_deref().unwrap_or_default();
        let (terminology, version) = (&failure.alias, &failure.version);
        warn!(target: TARGET, terminology, version, problem, "a terminology is left out");
    }
    if terminologies.is_empty() && catalog.failures().is_empty() {
        warn!(
            target: TARGET,
            "the store is empty: fill it with `medterm demo` or `medterm build FILE`, or serve with --demo; \
             what is built is served at once"
        );
    }
}
