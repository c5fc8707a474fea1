use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use medterm::dense::Embedder;
use medterm::formats::{self, Source};
use medterm::index::{IndexBuilder, IndexReport};
use medterm::terminology::{Release, SystemId, known_system};

use crate::context::Context;
use crate::exit::{CliError, Outcome};
use crate::output::{count, megabytes, one_or_many};
use crate::progress::Bar;

const EXAMPLES: &str = "\
Examples:
  medterm build icd10cm-table-and-index-2026.zip
  medterm build icd10cm-tabular.xml.gz --version 2026-04-01
  medterm build icd10cm-tabular.xml --no-embeddings --store /srv/medterm";

/// Index releases: the publishers' files as they were downloaded.
///
/// The format is told from the content. The finished index takes the place of the one before it in
/// one step; a build that is stopped leaves the old one served, and the next one goes on with the
/// names it had embedded.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Build {
    /// Release files or folders.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// The terminology, where it is not the one that the release names: an alias or a canonical URI.
    #[arg(long, value_name = "SYSTEM")]
    system: Option<String>,

    /// The version's name, where it is not the one that the release names.
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,

    /// Index the words alone: quick and small, and found by words alone.
    #[arg(long)]
    no_embeddings: bool,
}

impl Build {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        if self.paths.len() > 1 && (self.system.is_some() || self.version.is_some()) {
            return Err(CliError::Usage(
                "--system and --version name one release; build the files one by one".to_owned(),
            ));
        }
        let embedder = (!self.no_embeddings).then(|| context.embedder()).transpose()?;
        // All files are looked at before the first is built: a wrong name is better told now than
        // after ten minutes.
        let found = self
            .paths
            .iter()
            .map(|path| Ok((path, formats::detect(path)?)))
            .collect::<Result<Vec<_>, CliError>>()?;
        let mut reports = Vec::new();
        for (path, format) in found {
            let source = formats::open(format, path)?;
            let release = self.release(source.release())?;
            reports.push(build(context, source, release, embedder.clone())?);
        }
        context.output.answer(&one_or_many(&reports)?, || reports.iter().map(summary).collect())?;
        Ok(Outcome::Fine)
    }

    /// The release as the file names it, with what the arguments say instead.
    fn release(&self, found: &Release) -> Result<Release, CliError> {
        let mut release = found.clone();
        if let Some(system) = &self.system {
            if let Some(known) = known_system(system) {
                release.system = known.id();
                known.alias.clone_into(&mut release.alias);
                known.title.clone_into(&mut release.title);
            } else if system.contains(':') {
                release.system = SystemId::new(system)
                    .map_err(|error| CliError::Usage(format!("--system: {error}")))?;
            } else {
                system.clone_into(&mut release.alias);
            }
        }
        if let Some(version) = &self.version {
            version.clone_into(&mut release.version);
        }
        Ok(release)
    }
}

/// Reads a release and indexes it in the store.
pub fn build(
    context: &Context,
    mut source: Box<dyn Source>,
    release: Release,
    embedder: Option<Arc<dyn Embedder>>,
) -> Result<IndexReport, CliError> {
    context.output.say(format!("building {} {}", release.title, release.version));
    let mut reading = Bar::new(&context.output);
    let mut building = Bar::new(&context.output);
    reading.read(source.progress());
    let mut builder = IndexBuilder::new(release).progress(&mut building);
    if let Some(embedder) = &embedder {
        builder = builder.embedder(embedder.as_ref());
    }
    while let Some(concept) = source.next() {
        builder.push(concept?)?;
        reading.at(source.progress().read_bytes);
    }
    reading.end();
    let report = builder.finish(&context.store)?;
    building.end();
    for (stage, seconds) in &report.seconds {
        context.output.remark(format!("{:20} {seconds:8.2} s", stage.name()));
    }
    if report.dangling_parents > 0 {
        let n = count(report.dangling_parents);
        context.output.warn(format!("{n} parents are not in the release and were left out"));
    }
    Ok(report)
}

/// What was built, for people.
fn summary(report: &IndexReport) -> String {
    let vectors = match report.rows {
        0 => "no embeddings".to_owned(),
        rows => format!("{} vectors ({} new)", count(rows), count(report.embedded)),
    };
    let seconds: f64 = report.seconds.iter().map(|(_, seconds)| seconds).sum();
    format!(
        "{} {}: {} codes, {} groupers, {} names, {vectors}, {} in {seconds:.1} s\n{}\n",
        report.alias,
        report.version,
        count(report.concepts),
        count(report.groupers),
        count(report.designations),
        megabytes(report.bytes),
        report.folder.display()
    )
}
