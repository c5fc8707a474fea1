//! Builds a searchable index from a release file: the whole ICD-10-CM that is in the repository,
//! or the file you name.
//!
//! `cargo run --release --example build_index -- STORE [FILE]`

use std::path::PathBuf;

use medterm::Catalog;
use medterm::dense::{BackendChoice, ModelFiles, load_embedder};
use medterm::formats;
use medterm::index::{BuildProgress, BuildStage, IndexBuilder};

const RELEASE: &str = "fixtures/icd10cm/icd10cm-tabular-2026-04-01.xml.gz";
const MODEL: &str = "models/all-MiniLM-L6-v2";

struct Stages;

impl BuildProgress for Stages {
    fn stage(&mut self, stage: BuildStage, total: u64) {
        eprintln!("{} ({total})", stage.name());
    }

    fn advance(&mut self, _: u64) {}
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let store = arguments.next().ok_or("usage: build_index STORE [FILE]")?;
    let release = arguments.next().unwrap_or_else(|| PathBuf::from(RELEASE));

    let source = formats::open(formats::detect(&release)?, &release)?;
    let embedder = load_embedder(&ModelFiles::from_dir(MODEL.as_ref())?, BackendChoice::Auto)?;
    // Names that the served version has too keep their vectors: a new release embeds what is new.
    let served = Catalog::open(&store)?;
    let mut stages = Stages;
    let mut builder =
        IndexBuilder::new(source.release().clone()).embedder(&*embedder).progress(&mut stages);
    if let Ok(index) = served.index(&source.release().alias) {
        builder = builder.reuse(index);
    }
    for concept in source {
        builder.push(concept?)?;
    }
    let report = builder.finish(&store)?;
    println!(
        "{} {}: {} concepts, {} names, {} vectors ({} new) in {}",
        report.alias,
        report.version,
        report.concepts,
        report.designations,
        report.rows,
        report.embedded,
        report.folder.display()
    );
    for (stage, seconds) in report.seconds {
        println!("{:>16} {seconds:7.2} s", stage.name());
    }
    Ok(())
}
