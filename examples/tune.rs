//! Searches for better constants of the fusion on gold files, one constant at a time.
//!
//! `cargo run --release --example tune -- STORE GOLD.tsv [GOLD.tsv…] [--without-inclusion GOLD.tsv…]`
//!
//! Every query is searched once; after that only the arithmetic of `medterm::fusion` runs again.
//! Gold files after `--without-inclusion` are searched in a copy of the index without inclusion
//! terms. Prints recall for the constants in use and after each improvement.

use std::path::{Path, PathBuf};

use medterm::dense::{BackendChoice, Embedder, ModelFiles, load_embedder};
use medterm::eval::Gold;
use medterm::fusion::{Evidence, QueryShape, Weights, rank};
use medterm::index::{Borrowed, IndexBuilder, Query, SearchMode, StoreLayout, TerminologyIndex};
use medterm::terminology::DesignationUse;

type AnyError = Box<dyn std::error::Error>;

/// A query whose evidence was collected.
struct Case {
    pool: Vec<Evidence>,
    shape: QueryShape,
    right: Vec<bool>,
}

struct Set {
    name: String,
    cases: Vec<Case>,
}

fn main() -> Result<(), AnyError> {
    let mut arguments = std::env::args().skip(1);
    let store = arguments.next().map(PathBuf::from).ok_or("usage: tune STORE GOLD.tsv…")?;
    let embedder = load_embedder(
        &ModelFiles::from_dir("models/all-MiniLM-L6-v2".as_ref())?,
        BackendChoice::Auto,
    )?;
    let full = open(&store)?;
    let mut bare = None;
    let mut sets = Vec::new();
    for argument in arguments {
        if argument == "--without-inclusion" {
            bare = Some(without_inclusion(&full, &*embedder)?);
            continue;
        }
        sets.push(collect(bare.as_ref().unwrap_or(&full), Path::new(&argument), &*embedder)?);
    }

    let mut best = Weights::TUNED;
    let mut reached = objective(&sets, &best);
    report(&sets, &best);
    loop {
        let before = reached;
        for (name, field) in FIELDS {
            for factor in [0.5, 0.8, 0.9, 1.1, 1.25, 2.0] {
                let mut tried = best;
                *field(&mut tried) *= factor;
                let score = objective(&sets, &tried);
                if score > reached + 1e-5 {
                    (best, reached) = (tried, score);
                    println!("{name} = {:.4}: {score:.4}", field(&mut tried));
                }
            }
        }
        if reached - before < 1e-4 {
            break;
        }
    }
    report(&sets, &best);
    println!("{best:#?}");
    Ok(())
}

type Field = fn(&mut Weights) -> &mut f32;
const FIELDS: [(&str, Field); 11] = [
    ("lexical_least", |w| &mut w.lexical_least),
    ("lexical_gain", |w| &mut w.lexical_gain),
    ("cosine_floor", |w| &mut w.cosine_floor),
    ("depth", |w| &mut w.depth),
    ("depth_fade", |w| &mut w.depth_fade),
    ("axis_unstated", |w| &mut w.axis_unstated),
    ("axis_conflict", |w| &mut w.axis_conflict),
    ("axis_missing", |w| &mut w.axis_missing),
    ("axis_unanswered", |w| &mut w.axis_unanswered),
    ("qualifier_missing", |w| &mut w.qualifier_missing),
    ("named", |w| &mut w.named),
];

fn open(store: &Path) -> Result<TerminologyIndex, AnyError> {
    let versions = StoreLayout::new(store).versions()?;
    let first = versions.first().ok_or("the store is empty")?;
    Ok(TerminologyIndex::open(&first.folder)?)
}

fn without_inclusion(
    full: &TerminologyIndex,
    embedder: &dyn Embedder,
) -> Result<TerminologyIndex, AnyError> {
    let store = std::env::temp_dir().join("medterm-tune-without-inclusion");
    let mut builder = IndexBuilder::new(full.manifest().release.clone())
        .embedder(embedder)
        .without(DesignationUse::Inclusion)
        .reuse(full);
    for concept in full.concepts() {
        builder.push(concept?)?;
    }
    Ok(TerminologyIndex::open(&builder.finish(&store)?.folder)?)
}

fn collect(
    index: &TerminologyIndex,
    path: &Path,
    embedder: &dyn Embedder,
) -> Result<Set, AnyError> {
    let gold = Gold::open(path)?;
    let all = |_| true;
    let mut cases = Vec::new();
    for query in gold.queries() {
        let outcome = index.search(&Query {
            text: &query.query,
            mode: SearchMode::Hybrid,
            borrowed: Borrowed::Used,
            embedder: Some(embedder),
            filter: &all,
            weights: Weights::TUNED,
        })?;
        let pool: Vec<Evidence> = outcome.found.iter().map(|found| found.evidence).collect();
        // By the concepts' numbers: ranking again changes their places.
        let size = index.records().len();
        let mut right = vec![false; size];
        for one in &pool {
            right[one.concept.index()] = query.accept.accepts(index.records().code(one.concept));
        }
        cases.push(Case { pool, shape: outcome.shape, right });
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Set { name, cases })
}

/// Shares of queries with a right code first, and among the first ten.
fn recall(set: &Set, weights: &Weights) -> (f64, f64) {
    let (mut one, mut ten) = (0, 0);
    for case in &set.cases {
        let order = rank(case.pool.clone(), case.shape, weights);
        let found = order.iter().take(10).position(|s| case.right[s.evidence.concept.index()]);
        one += usize::from(found == Some(0));
        ten += usize::from(found.is_some());
    }
    let share =
        |count: usize| f64::from(u32::try_from(count).unwrap_or(0)) / set.cases.len().max(1) as f64;
    (share(one), share(ten))
}

fn objective(sets: &[Set], weights: &Weights) -> f64 {
    let all: f64 =
        sets.iter().map(|set| recall(set, weights)).map(|(one, ten)| one + 0.5 * ten).sum();
    all / sets.len().max(1) as f64
}

fn report(sets: &[Set], weights: &Weights) {
    for set in sets {
        let (one, ten) = recall(set, weights);
        println!(
            "{:40} {:5} R@1 {:5.1}  R@10 {:5.1}",
            set.name,
            set.cases.len(),
            100.0 * one,
            100.0 * ten
        );
    }
}
