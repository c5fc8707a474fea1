//! Measures how often the code that a published map gives to a disease is among the first candidates
//! of each terminology.
//!
//! `cargo run --release --example equivalents -- STORE GOLD.tsv [hybrid|lexical] [failures]`
//!
//! The gold file has a column `label` and one for each terminology, named by its alias (what follows a
//! `_` is not read); codes are separated by `|`. With the maps stored that the file was made of the
//! figures only say that maps are followed; they mean something without them.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use medterm::catalog::{Basis, EquivalentsRequest, SearchMode, TargetEquivalents};
use medterm::dense::{BackendChoice, LazyEmbedder, ModelFiles};
use medterm::{Catalog, Embedders};

/// How often the right code was among the first 1, 3 and 10, and by what.
#[derive(Default)]
struct Counts {
    n: usize,
    at: [usize; 3],
    by: [usize; 4],
}

const BASES: [Basis; 4] = [Basis::Map, Basis::Title, Basis::Synonym, Basis::Search];

impl Counts {
    /// Counts one answer, and gives the rank of the right code.
    fn add(&mut self, result: &TargetEquivalents, wanted: &str) -> usize {
        let is_right = |code: &str| {
            let local = code.split_once(':').map_or(code, |(_, local)| local);
            wanted.split('|').any(|right| code == right || local == right)
        };
        let found = result.candidates.iter().find(|one| is_right(one.code.as_str()));
        let rank = found.map_or(usize::MAX, |one| one.rank);
        self.n += 1;
        for (at, most) in [1, 3, 10].into_iter().enumerate() {
            self.at[at] += usize::from(rank <= most);
        }
        let by = found.and_then(|one| BASES.iter().position(|basis| *basis == one.basis));
        if let Some(by) = by {
            self.by[by] += 1;
        }
        rank
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: equivalents STORE GOLD.tsv [hybrid|lexical] [failures]";
    let store = PathBuf::from(arguments.next().ok_or(usage)?);
    let gold = std::fs::read_to_string(arguments.next().ok_or(usage)?)?;
    let mode: SearchMode = arguments.next().as_deref().unwrap_or("hybrid").parse()?;
    let show_failures = arguments.next().is_some();
    let files = ModelFiles::from_dir("models/all-MiniLM-L6-v2".as_ref())?;
    let embedder = LazyEmbedder::new(files, BackendChoice::Auto)?;
    let catalog = Catalog::open_with(&store, Embedders::new(Arc::new(embedder)))?;

    let mut lines = gold.lines();
    let header = lines.next().unwrap_or_default().split('\t').skip(1);
    let aliases: Vec<&str> =
        header.map(|column| column.split('_').next().unwrap_or_default()).collect();
    let mut counts: Vec<Counts> = aliases.iter().map(|_| Counts::default()).collect();
    let (started, mut asked) = (Instant::now(), 0u32);
    for line in lines {
        let mut cells = line.split('\t');
        let label = cells.next().unwrap_or_default();
        let wanted: Vec<&str> = cells.collect();
        let mut request = EquivalentsRequest::term(label)?.limit(10)?.mode(mode);
        let is_asked =
            |(alias, wanted): &(&&str, &&str)| !wanted.is_empty() && catalog.index(alias).is_ok();
        for (alias, _) in aliases.iter().zip(&wanted).filter(is_asked) {
            request = request.target(alias);
        }
        let answer = catalog.equivalents(&request)?;
        asked += 1;
        for ((alias, wanted), counts) in aliases.iter().zip(&wanted).zip(&mut counts) {
            let result = answer.results.iter().find(|result| result.alias == *alias);
            let Some(result) = result.filter(|_| !wanted.is_empty()) else { continue };
            let rank = counts.add(result, wanted);
            if show_failures && rank > 3 {
                let first = result.candidates.first();
                println!("{alias}\t{label}\t{wanted}\t{rank}\t{first:?}");
            }
        }
    }
    let milliseconds = started.elapsed().as_secs_f64() * 1000.0 / f64::from(asked.max(1));
    println!("TERMINOLOGY      N    R@1    R@3   R@10    MAP  TITLE  SYNONYM  SEARCH");
    for (alias, Counts { n, at, by }) in aliases.iter().zip(&counts).filter(|(_, one)| one.n > 0) {
        let [one, three, ten] = at.map(|count| 100.0 * count as f64 / *n as f64);
        let [map, title, synonym, search] = by;
        println!(
            "{alias:11} {n:6} {one:6.1} {three:6.1} {ten:6.1} {map:6} {title:6} {synonym:8} {search:7}"
        );
    }
    println!("{asked} terms, {milliseconds:.1} ms each");
    Ok(())
}
