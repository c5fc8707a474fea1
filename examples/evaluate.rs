//! Measures the ranking of a store on gold files: `query<TAB>accept`, codes separated by `|`.
//!
//! `cargo run --release --example evaluate -- STORE GOLD.tsv [GOLD.tsv…]`

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use medterm::catalog::Confidence;
use medterm::dense::{BackendChoice, LazyEmbedder, ModelFiles};
use medterm::eval::{
    DEPTH, Evaluation, EvaluationOf, Family, Gold, QueryRun, RankedHit, RankedList,
};
use medterm::{Catalog, Embedders, SearchRequest};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let store = arguments.next().ok_or("usage: evaluate STORE GOLD.tsv…")?;
    let files = ModelFiles::from_dir("models/all-MiniLM-L6-v2".as_ref())?;
    let embedder = LazyEmbedder::new(files, BackendChoice::Auto)?;
    let catalog = Catalog::open_with(&store, Embedders::new(Arc::new(embedder)))?;

    for path in arguments {
        let gold = Gold::open(&path)?;
        let mut evaluation = Evaluation::new(EvaluationOf {
            system: "icd10cm".to_owned(),
            gold: path.display().to_string(),
            mode: "hybrid".to_owned(),
            family: Family::FirstThree,
        });
        for query in gold.queries() {
            let request = SearchRequest::new(&query.query)?.system("icd10cm").limit(DEPTH)?;
            let started = Instant::now();
            let answer = catalog.search(&request)?;
            let milliseconds = started.elapsed().as_secs_f64() * 1000.0;
            let strong = |confidence| confidence <= Confidence::Strong;
            let hits = answer
                .results
                .iter()
                .map(|hit| RankedHit::new(hit.code.as_str(), strong(hit.confidence)))
                .collect();
            evaluation.push(query, QueryRun::new(RankedList { hits, milliseconds }));
        }
        let report = evaluation.finish(0);
        println!(
            "{}: {} queries, R@1 {:.3}, R@10 {:.3}, MRR {:.3}, {:.1} ms",
            report.gold,
            report.n,
            report.recall_at.one,
            report.recall_at.ten,
            report.mrr_at_20,
            report.ms_per_query.p50
        );
    }
    Ok(())
}
