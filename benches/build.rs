//! How long does it take to build the complete ICD-10-CM, everything but embedding?
//!
//! `cargo bench --bench build`
//!
//! From concepts in memory to an index in place on disk, synced. Prints the stages of one build.

mod common;

use common::AnyError;
use criterion::{BatchSize, Throughput};

fn main() -> Result<(), AnyError> {
    let (release, concepts) = common::concepts()?;
    let folder = tempfile::tempdir_in(common::kept_folder()?)?;

    let report = common::build(folder.path(), &release, concepts.clone(), None)?;
    println!(
        "{} concepts, {} names, {} bytes on disk",
        report.concepts, report.designations, report.bytes
    );
    for (stage, seconds) in &report.seconds {
        println!("    {:20} {:6.0} ms", stage.name(), seconds * 1000.0);
    }

    let mut criterion = common::criterion();
    let mut group = criterion.benchmark_group("build");
    group.sample_size(10).throughput(Throughput::Elements(report.concepts as u64));
    group.bench_function("without embedding", |b| {
        b.iter_batched(
            || concepts.clone(),
            |concepts| common::build(folder.path(), &release, concepts, None),
            BatchSize::PerIteration,
        );
    });
    group.finish();
    criterion.final_summary();
    Ok(())
}
