//! How long does BM25 over the complete ICD-10-CM take, by how common the words are?
//!
//! `cargo bench --bench lexical`
//!
//! `index` is the ten best designations for stems that are known; `bm25` and `lexical` are the same
//! words through `Catalog::search`, plain and ranked: analysis, evidence, fusion and hits on top.
//! The first build of the index takes seconds.

mod common;

use common::{AnyError, Contender};
use medterm::catalog::{Catalog, SearchMode, SearchRequest};
use medterm::lexical::{LexicalIndex, WeightedTerm};
use medterm::text::tokens;

const QUERIES: [(&str, &str); 3] = [
    ("rare", "leptospirosis"),
    ("common", "unspecified injury of right leg, initial encounter"),
    ("mixed", "fracture of scaphoid with delayed healing"),
];

fn main() -> Result<(), AnyError> {
    let (release, concepts) = common::concepts()?;
    let folder = tempfile::tempdir_in(common::kept_folder()?)?;
    let report = common::build(folder.path(), &release, concepts, None)?;
    let index = LexicalIndex::open(&report.folder.join("lexical.bin"))?;
    let catalog = Catalog::open(folder.path())?;

    let mut criterion = common::criterion();
    for (kind, text) in QUERIES {
        let terms: Vec<WeightedTerm> = tokens(text)
            .into_iter()
            .map(|token| WeightedTerm { stem: token.stem, weight: 1.0 })
            .collect();
        let bm25 = SearchRequest::new(text)?.mode(SearchMode::Bm25);
        let lexical = SearchRequest::new(text)?.mode(SearchMode::Lexical);
        assert!(!index.search(&terms, 10)?.is_empty());
        for request in [&bm25, &lexical] {
            assert!(!catalog.search(request)?.results.is_empty());
        }

        common::in_turns(
            &format!("{kind}: {text}"),
            200,
            &mut [
                Contender::new("index", |_| index.search(&terms, 10)),
                Contender::new("catalog, bm25", |_| catalog.search(&bm25)),
                Contender::new("catalog, lexical", |_| catalog.search(&lexical)),
            ],
        );
        let mut group = criterion.benchmark_group(format!("lexical/{kind}"));
        group.sample_size(30);
        group.bench_function("index", |b| b.iter(|| index.search(&terms, 10)));
        group.bench_function("bm25", |b| b.iter(|| catalog.search(&bm25)));
        group.bench_function("lexical", |b| b.iter(|| catalog.search(&lexical)));
        group.finish();
    }
    criterion.final_summary();
    Ok(())
}
