//! How many names a second does each backend embed, and how long does one query take?
//!
//! `cargo bench --bench embed`
//!
//! Names are titles of the release, embedded as a build does it: one text a run, one session a
//! core. ONNX Runtime is measured where it is found (`ORT_DYLIB_PATH` names one).

mod common;

use common::{AnyError, Contender, QUERIES};
use criterion::Throughput;

fn main() -> Result<(), AnyError> {
    let (_, concepts) = common::concepts()?;
    let titles = common::titles(&concepts, 256);
    let backends = common::backends()?;
    for embedder in &backends {
        assert_eq!(embedder.embed_passages(&titles)?.len(), titles.len());
        embedder.embed_query(QUERIES[0])?;
    }

    // Each backend may need threads that another one's still spin on, so turns are short runs.
    let mut contenders: Vec<Contender<'_>> = backends
        .iter()
        .map(|e| Contender::new(e.backend(), |round| e.embed_query(QUERIES[round % QUERIES.len()])))
        .collect();
    common::in_turns("embedding one query", 320, &mut contenders);

    let mut criterion = common::criterion();
    let mut group = criterion.benchmark_group("embed");
    for embedder in &backends {
        let backend = embedder.backend();
        group.throughput(Throughput::Elements(1));
        let mut at = 0;
        group.bench_function(format!("{backend}/one query"), |b| {
            b.iter(|| {
                at = (at + 1) % QUERIES.len();
                embedder.embed_query(QUERIES[at])
            });
        });
        group.sample_size(10).throughput(Throughput::Elements(titles.len() as u64));
        group.bench_function(format!("{backend}/{} names", titles.len()), |b| {
            b.iter(|| embedder.embed_passages(&titles));
        });
    }
    group.finish();
    criterion.final_summary();
    Ok(())
}
