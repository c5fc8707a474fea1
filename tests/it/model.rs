//! The real model, and embedders that stand around it.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use medterm::Catalog;
use medterm::catalog::Embedders;
use medterm::dense::{EmbedError, Embedder, ModelFiles, RtenEmbedder, default_threads};
use medterm::terminology::Concept;

use crate::support::*;

pub(crate) fn model_files() -> ModelFiles {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/all-MiniLM-L6-v2");
    ModelFiles::from_dir(&folder).expect("the model is committed")
}

/// The committed model in the backend that is always there, loaded once.
pub(crate) fn model() -> Arc<dyn Embedder> {
    static LOADED: OnceLock<Arc<RtenEmbedder>> = OnceLock::new();
    let loaded = LOADED.get_or_init(|| {
        Arc::new(RtenEmbedder::load(&model_files(), default_threads()).expect("the model loads"))
    });
    Arc::<RtenEmbedder>::clone(loaded)
}

/// Chapters 4 and 9 down to the fifth character of the codes, without some categories whose
/// many codes differ in an axis only: enough to rank among, few enough to be embedded in seconds.
pub(crate) fn cut_concepts() -> Vec<Concept> {
    let taken = |concept: &Concept| {
        let code = concept.code.as_str();
        let left_out = ["E08", "E09", "E13", "I69", "I70"].iter().any(|one| code.starts_with(one));
        code.len() <= 6 && !left_out
    };
    codes_of(&["E", "I"]).into_iter().filter(taken).collect()
}

/// The store of the cut with its vectors, built once.
pub(crate) fn cut_store() -> &'static Path {
    static BUILT: OnceLock<std::path::PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let store = folder("cut");
        let report = build(&store, &release().0, &cut_concepts(), Some(&model()));
        let report = report.expect("the cut builds");
        assert_eq!((report.embedded, report.reused), (report.rows, 0));
        store
    })
}

/// The cut, open for questions, with the model it was built with.
pub(crate) fn cut() -> &'static Catalog {
    static OPEN: OnceLock<Catalog> = OnceLock::new();
    OPEN.get_or_init(|| cut_with(model()))
}

/// The cut, open with another embedder.
pub(crate) fn cut_with(embedder: Arc<dyn Embedder>) -> Catalog {
    Catalog::open_with(cut_store(), Embedders::new(embedder)).expect("the cut opens")
}

/// What goes wrong with an embedder that stands before the real model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing.
    None,
    /// After so many texts it fails.
    After(usize),
    /// It says that it is another model.
    AnotherModel,
    /// Its vectors have a number too many.
    TooLong,
    /// Its vectors are no numbers.
    NotANumber,
}

/// The real model behind a seam that counts, and that may fail.
pub(crate) struct Watched {
    model: Arc<dyn Embedder>,
    fault: Fault,
    asked: AtomicUsize,
}

impl Watched {
    pub(crate) fn new(fault: Fault) -> Self {
        Self { model: model(), fault, asked: AtomicUsize::new(0) }
    }

    /// Texts that it was asked for.
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    fn count(&self, texts: usize) -> Result<(), EmbedError> {
        let asked = self.asked.fetch_add(texts, Ordering::SeqCst) + texts;
        match self.fault {
            Fault::After(limit) if asked > limit => Err(EmbedError::NotFinite),
            _ => Ok(()),
        }
    }
}

impl Embedder for Watched {
    fn model_id(&self) -> &str {
        if self.fault == Fault::AnotherModel { "sha256:another" } else { self.model.model_id() }
    }

    fn backend(&self) -> &str {
        self.model.backend()
    }

    fn dimension(&self) -> usize {
        self.model.dimension()
    }

    fn embed_passages(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.count(texts.len())?;
        self.model.embed_passages(texts)
    }

    fn embed_query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        self.count(1)?;
        let mut vector = self.model.embed_query(text)?;
        match self.fault {
            Fault::TooLong => vector.push(0.0),
            Fault::NotANumber => vector.fill(f32::NAN),
            _ => {}
        }
        Ok(vector)
    }
}
