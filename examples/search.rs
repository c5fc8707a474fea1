//! Searches a store for the words people use.
//!
//! `cargo run --release --example search -- STORE heart attack`

use std::path::PathBuf;
use std::sync::Arc;

use medterm::dense::{BackendChoice, LazyEmbedder, ModelFiles};
use medterm::{Catalog, Embedders, SearchRequest};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let store = arguments.next().map(PathBuf::from).ok_or("usage: search STORE WORDS…")?;
    let words = arguments.collect::<Vec<_>>().join(" ");

    // The model is loaded when a search first needs it: never for a code or an exact name.
    let files = ModelFiles::from_dir("models/all-MiniLM-L6-v2".as_ref())?;
    let embedder = LazyEmbedder::new(files, BackendChoice::Auto)?;
    let catalog = Catalog::open_with(&store, Embedders::new(Arc::new(embedder)))?;

    let answer = catalog.search(&SearchRequest::new(&words)?.limit(10)?)?;
    for hit in &answer.results {
        println!(
            "{:8} {:.2} {:60} {:?}: {} {:?}",
            hit.code, hit.score, hit.display, hit.matched_on, hit.matched_term, hit.signals
        );
    }
    if let Some(notice) = answer.notice {
        println!("{notice}");
    }
    Ok(())
}
