//! How long does a search take, from the words to the hits?
//!
//! `MEDTERM_STORE=… cargo bench --bench search`
//!
//! Over ICD-10-CM in the store that `MEDTERM_STORE` names (`medterm demo` fills the default one), or
//! else over a cut of it that is built first: the codes of heart, lung and hormones. The name of
//! each bench says which. `embedding` is the model alone on the same queries, so that what the
//! search adds can be read.

mod common;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::{AnyError, Contender, QUERIES};
use medterm::catalog::{Catalog, Embedders, Error, SearchMode, SearchRequest, SearchResponse};
use medterm::dense::Embedder;
use medterm::terminology::Concept;

/// More texts than an embedder remembers: asked one after the other, none is remembered.
const SETTINGS: [&str; 40] = [
    "at home",
    "at work",
    "at school",
    "at night",
    "in the morning",
    "since birth",
    "since spring",
    "since last year",
    "for two days",
    "for three weeks",
    "for ten years",
    "in an infant",
    "in a child",
    "in a teenager",
    "in an old man",
    "in an old woman",
    "in a smoker",
    "in a nurse",
    "in a farmer",
    "in a runner",
    "while pregnant",
    "while asleep",
    "while eating",
    "while walking",
    "after surgery",
    "after travel",
    "after a cold",
    "after a fight",
    "after a meal",
    "after an accident",
    "before dinner",
    "before sleep",
    "getting worse",
    "getting better",
    "coming back",
    "never before",
    "again and again",
    "not treated",
    "under treatment",
    "said by the mother",
];

fn main() -> Result<(), AnyError> {
    let embedder = common::embedder()?;
    let (store, name) = store(&*embedder)?;
    let catalog = Catalog::open_with(&store, Embedders::new(Arc::clone(&embedder)))?;
    let searched = catalog.terminologies().iter().map(|one| one.concepts).sum::<usize>();
    let name = format!("search/{name}, {searched} concepts, {}", embedder.backend());

    let known = QUERIES.map(str::to_owned).to_vec();
    let new: Vec<String> = SETTINGS
        .iter()
        .flat_map(|setting| QUERIES.iter().map(move |query| format!("{query} {setting}")))
        .collect();
    let code = Asked::new(&catalog, &["I21.9".to_owned()], SearchMode::Hybrid, "code")?;
    let exact = ["Essential (primary) hypertension".to_owned()];
    let exact = Asked::new(&catalog, &exact, SearchMode::Hybrid, "exact")?;
    let words = Asked::new(&catalog, &known, SearchMode::Lexical, "keyword_only")?;
    let cached = Asked::new(&catalog, &known, SearchMode::Hybrid, "hybrid")?;
    let uncached = Asked::new(&catalog, &new, SearchMode::Hybrid, "hybrid")?;

    common::in_turns(
        &name,
        1280,
        &mut [
            Contender::new("embedding", |n| embedder.embed_query(&new[n % new.len()])),
            Contender::new("hybrid, new words", |n| uncached.search(n)),
            Contender::new("words alone", |n| words.search(n)),
            Contender::new("exact name", |n| exact.search(n)),
            Contender::new("code", |n| code.search(n)),
        ],
    );
    // In turns with new words, known ones would be forgotten.
    common::in_turns(
        &format!("{name}, known words"),
        640,
        &mut [
            Contender::new("hybrid, known words", |n| cached.search(n)),
            Contender::new("words alone", |n| words.search(n)),
            Contender::new("opening the store", |_| Catalog::open(&store)),
        ],
    );

    let mut criterion = common::criterion();
    let mut group = criterion.benchmark_group(name);
    group.sample_size(30);
    for (name, asked) in [
        ("code", &code),
        ("exact name", &exact),
        ("words alone", &words),
        ("hybrid, known words", &cached),
        ("hybrid, new words", &uncached),
    ] {
        let mut at = 0;
        group.bench_function(name, |b| {
            b.iter(|| {
                at += 1;
                asked.search(at)
            });
        });
    }
    group.bench_function("open", |b| b.iter(|| Catalog::open(&store)));
    group.finish();
    criterion.final_summary();
    Ok(())
}

/// Requests of one kind.
struct Asked<'a> {
    catalog: &'a Catalog,
    requests: Vec<SearchRequest>,
}

impl<'a> Asked<'a> {
    /// Requests that find something, the first of them by what `used` names.
    fn new(
        catalog: &'a Catalog,
        texts: &[String],
        mode: SearchMode,
        used: &str,
    ) -> Result<Self, AnyError> {
        let requests = texts
            .iter()
            .map(|text| Ok(SearchRequest::new(text)?.mode(mode)))
            .collect::<Result<Vec<_>, Error>>()?;
        let asked = Self { catalog, requests };
        let answer = asked.search(0)?;
        assert!(!answer.results.is_empty());
        assert_eq!(answer.search_mode, used, "{}", answer.query);
        Ok(asked)
    }

    fn search(&self, round: usize) -> Result<SearchResponse, Error> {
        self.catalog.search(&self.requests[round % self.requests.len()])
    }
}

/// The store to search, and what it is called.
fn store(embedder: &dyn Embedder) -> Result<(PathBuf, &'static str), AnyError> {
    if let Some(store) = std::env::var_os("MEDTERM_STORE").map(PathBuf::from) {
        return Ok((store, "store"));
    }
    let (release, concepts) = common::concepts()?;
    let in_cut = |concept: &Concept| concept.code.as_str().starts_with(['E', 'I', 'J']);
    let cut = concepts.into_iter().filter(in_cut).collect();
    let store = Path::new(&common::kept_folder()?).join("cut");
    common::build(&store, &release, cut, Some(embedder))?;
    Ok((store, "cut"))
}
