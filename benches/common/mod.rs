//! What several benches need: the release, the model, queries, and contenders measured in turns.

// Each bench is a program of its own and takes what it needs.
#![allow(dead_code)]

use std::collections::HashSet;
use std::error::Error;
use std::hint::black_box;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::Criterion;
use half::f16;
use medterm::dense::{
    BackendChoice, EmbedError, Embedder, EmbeddingLog, ModelFiles, f16_row, load_embedder,
};
use medterm::formats::{self, Format};
use medterm::index::IndexBuilder;
use medterm::terminology::{Concept, Release};

/// Any error, for `main` to print.
pub(crate) type AnyError = Box<dyn Error>;

/// The complete ICD-10-CM, as it is in the repository.
pub(crate) const RELEASE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/icd10cm/icd10cm-tabular-2026-04-01.xml.gz");
const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/models/all-MiniLM-L6-v2");

/// What people type: everyday words, clinicians' words, and sentences.
pub(crate) const QUERIES: [&str; 32] = [
    "pain in the lower back for weeks",
    "trouble falling asleep",
    "child with a barking cough",
    "sugar too high despite insulin",
    "heart racing at rest",
    "broken wrist after a fall on ice",
    "burning when passing water",
    "worn out knee joint",
    "stomach ulcer that bled",
    "cannot see well at night",
    "numb fingers in the morning",
    "blood clot in the leg",
    "swelling of both ankles",
    "rash after eating shellfish",
    "bitten by the neighbor's dog",
    "worried all the time",
    "weak heart after an infarction",
    "kidneys failing slowly",
    "thinning bones with a collapsed vertebra",
    "lump in the left breast",
    "liver scarring from drinking",
    "sudden weakness of one side",
    "ringing noise in the ears",
    "skin cancer on the nose",
    "premature baby breathing badly",
    "low red blood cells from heavy periods",
    "overactive thyroid with bulging eyes",
    "gallbladder full of stones",
    "feet tingling from diabetes",
    "wheezing made worse by pollen",
    "scalded hand, second degree",
    "needs a vaccination",
];

/// A folder under `target/` that stays from run to run.
pub(crate) fn kept_folder() -> Result<PathBuf, AnyError> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("benches");
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The release and its concepts.
pub(crate) fn concepts() -> Result<(Release, Vec<Concept>), AnyError> {
    let source = formats::open(Format::CmsTabular, RELEASE.as_ref())?;
    let release = source.release().clone();
    Ok((release, source.collect::<Result<_, _>>()?))
}

/// The release's XML, unpacked.
pub(crate) fn xml() -> Result<Vec<u8>, AnyError> {
    let mut xml = Vec::new();
    flate2::read::MultiGzDecoder::new(std::fs::File::open(RELEASE)?).read_to_end(&mut xml)?;
    Ok(xml)
}

/// Builds an index of these concepts into a store.
pub(crate) fn build(
    store: &Path,
    release: &Release,
    concepts: Vec<Concept>,
    embedder: Option<&dyn Embedder>,
) -> Result<medterm::index::IndexReport, AnyError> {
    let mut builder = IndexBuilder::new(release.clone());
    if let Some(embedder) = embedder {
        builder = builder.embedder(embedder);
    }
    for concept in concepts {
        builder.push(concept)?;
    }
    Ok(builder.finish(store)?)
}

/// The model of the repository, in the backend that a user of this machine gets.
pub(crate) fn embedder() -> Result<Arc<dyn Embedder>, AnyError> {
    Ok(Arc::from(load_embedder(&ModelFiles::from_dir(MODEL.as_ref())?, BackendChoice::Auto)?))
}

/// The model in each backend that this machine has.
pub(crate) fn backends() -> Result<Vec<Box<dyn Embedder>>, AnyError> {
    let files = ModelFiles::from_dir(MODEL.as_ref())?;
    let mut found = Vec::new();
    for choice in [BackendChoice::Ort, BackendChoice::Rten] {
        match load_embedder(&files, choice) {
            Ok(embedder) => found.push(embedder),
            Err(error @ EmbedError::BackendUnavailable { .. }) => println!("not measured: {error}"),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(found)
}

/// `n` different titles of the release: runs of neighbors, as codes have them, from all over it.
pub(crate) fn titles(concepts: &[Concept], n: usize) -> Vec<&str> {
    const RUN: usize = 100;
    let mut seen = HashSet::new();
    let all: Vec<&str> =
        concepts.iter().map(|c| c.display.as_str()).filter(|title| seen.insert(*title)).collect();
    let runs = n.div_ceil(RUN).max(1);
    let step = (all.len() / runs).max(1);
    let mut found: Vec<&str> =
        all.chunks(step).flat_map(|run| run.iter().take(RUN.min(step)).copied()).collect();
    found.truncate(n);
    found
}

/// The rows of these texts, embedded once and kept: a run that was stopped goes on.
pub(crate) fn embedded(texts: &[&str], embedder: &dyn Embedder) -> Result<Vec<f16>, AnyError> {
    let dim = embedder.dimension();
    let path = kept_folder()?.join("rows.log");
    let mut log =
        EmbeddingLog::open_or_create(&path, embedder.model_id(), embedder.backend(), dim)?;
    let missing: Vec<&str> =
        texts.iter().copied().filter(|text| !log.contains(EmbeddingLog::key(text))).collect();
    if !missing.is_empty() {
        println!("embedding {} titles, once ({})", missing.len(), embedder.backend());
    }
    for texts in missing.chunks(512) {
        let vectors = embedder.embed_passages(texts)?;
        let keys = texts.iter().map(|text| EmbeddingLog::key(text));
        let rows: Vec<_> = keys.zip(vectors.iter().map(|vector| f16_row(vector))).collect();
        log.append(&rows)?;
    }
    let mut rows = Vec::with_capacity(texts.len() * dim);
    for text in texts {
        rows.extend(log.get(EmbeddingLog::key(text))?.ok_or("a row is missing from rows.log")?);
    }
    Ok(rows)
}

/// Criterion as every bench sets it up: short, since machines are noisier than long runs are worth.
pub(crate) fn criterion() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3))
        .configure_from_args()
}

/// One of those who do the same work. It is given the number of the round.
pub(crate) struct Contender<'a> {
    /// What it is called in the table.
    pub(crate) name: &'a str,
    /// Does the work once.
    pub(crate) run: Box<dyn FnMut(usize) + 'a>,
}

impl<'a> Contender<'a> {
    /// One that returns something, which is kept from being optimized away.
    pub(crate) fn new<R>(name: &'a str, mut run: impl FnMut(usize) -> R + 'a) -> Self {
        Self {
            name,
            run: Box::new(move |round| {
                black_box(run(round));
            }),
        }
    }
}

/// Lets contenders do each round in turns, and prints medians, 99th percentiles, and the ratio of
/// each median to the first contender's.
///
/// Whatever else the machine does then slows all of them: the ratio can be read where the
/// times cannot.
pub(crate) fn in_turns(title: &str, rounds: usize, contenders: &mut [Contender<'_>]) {
    // `cargo bench -- --test` and `-- --list` want no numbers.
    let rounds = if std::env::args().any(|a| a == "--test" || a == "--list") { 1 } else { rounds };
    let mut times = vec![Vec::with_capacity(rounds); contenders.len()];
    for round in 0..rounds + rounds / 10 {
        for (contender, times) in contenders.iter_mut().zip(&mut times) {
            let began = Instant::now();
            (contender.run)(round);
            // The first tenth warms up.
            if round >= rounds / 10 {
                times.push(began.elapsed());
            }
        }
    }
    println!("\n{title}, {rounds} rounds in turns:");
    let mut first = None;
    for (contender, mut times) in contenders.iter().zip(times) {
        times.sort_unstable();
        let at = |percent: usize| times.get(times.len() * percent / 100).copied();
        let (median, worst) = (at(50).unwrap_or_default(), at(99).unwrap_or_default());
        let ratio = median.as_secs_f64() / first.get_or_insert(median).as_secs_f64();
        println!("    {:36} p50 {median:>10.1?}  p99 {worst:>10.1?}  {ratio:8.2}x", contender.name);
    }
}
