use std::path::PathBuf;

use clap::{Args, Subcommand};
use medterm::formats::{self, MapOptions, MapSource, Tally};
use medterm::maps::{MapCounts, MapStore, StoredMap};
use medterm::terminology::{MapRelease, Relationship, SystemId, known_system};
use serde::Serialize;
use serde_json::json;

use crate::context::Context;
use crate::exit::{CliError, Outcome};
use crate::output::{CODE, Cell, Column, DIM, Table, count, one_or_many};
use crate::progress::Bar;

const EXAMPLES: &str = "\
Examples:
  medterm map add mondo_exactmatch_icd10cm.sssom.tsv
  medterm map add 2018_I9gem.txt 2018_I10gem.txt
  medterm map list
  medterm map remove mondo_exactmatch_icd10cm";

/// Keep published maps between terminologies: add, list, remove.
///
/// Read are SSSOM mapping sets (TSV) and the General Equivalence Mappings of CMS (text or CSV).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Map {
    #[command(subcommand)]
    command: MapCommand,
}

#[derive(Debug, Subcommand)]
enum MapCommand {
    Add(Add),
    List(List),
    Remove(Remove),
}

impl Map {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        match &self.command {
            MapCommand::Add(command) => command.run(context),
            MapCommand::List(command) => command.run(context),
            MapCommand::Remove(command) => command.run(context),
        }
    }
}

const ADD_EXAMPLES: &str = "\
Examples:
  medterm map add mondo_exactmatch_icd10cm.sssom.tsv mondo_exactmatch_mesh.sssom.tsv.gz
  medterm map add 2018-ICD-10-CM-General-Equivalence-Mappings.zip
  medterm map add ours.sssom.tsv --from https://example.org/our-codes --to icd10cm --version 3";

/// Store published maps, each in place of the same version of it.
#[derive(Debug, Args)]
#[command(after_help = ADD_EXAMPLES)]
struct Add {
    /// Map files, folders or archives, as they were downloaded.
    #[arg(required = true, value_name = "FILE")]
    paths: Vec<PathBuf>,

    /// The map's name in the store, where it is not the one the file gives.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// The version's name, where the file names none.
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,

    /// The terminology that is mapped, where the file does not say: an alias or a canonical URI.
    #[arg(long, value_name = "SYSTEM")]
    from: Option<String>,

    /// The terminology it is mapped to, likewise.
    #[arg(long, value_name = "SYSTEM")]
    to: Option<String>,
}

/// What `add` answers.
#[derive(Debug, Serialize)]
struct Added {
    #[serde(flatten)]
    map: StoredMap,
    #[serde(flatten)]
    tally: Tally,
}

impl Add {
    fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        let system = |name: &Option<String>| name.as_deref().map(system).transpose();
        let options = MapOptions { source: system(&self.from)?, target: system(&self.to)? };
        let mut sources = Vec::new();
        for path in &self.paths {
            sources.extend(formats::open_maps(path, &options)?);
        }
        if sources.len() > 1 && self.name.is_some() {
            return Err(CliError::Usage("--name names one map; add them one by one".to_owned()));
        }
        let mut added = Vec::new();
        for source in sources {
            added.push(self.add(context, source)?);
        }
        context.output.answer(&one_or_many(&added)?, || added.iter().map(summary).collect())?;
        Ok(Outcome::Fine)
    }

    fn add(&self, context: &Context, mut map: Box<dyn MapSource>) -> Result<Added, CliError> {
        let mut release: MapRelease = map.release().clone();
        release.name.clone_from(self.name.as_ref().unwrap_or(&release.name.clone()));
        release.version.clone_from(self.version.as_ref().unwrap_or(&release.version.clone()));
        let mut reading = Bar::new(&context.output);
        reading.read(map.progress());
        let mut entries = Vec::new();
        while let Some(entry) = map.next() {
            entries.push(entry?);
            reading.at(map.progress().read_bytes);
        }
        reading.end();
        let stored = MapStore::new(&context.store).add(&release, &entries)?;
        Ok(Added { map: stored, tally: map.tally() })
    }
}

/// The terminology with this alias or canonical URI.
fn system(name: &str) -> Result<SystemId, CliError> {
    match known_system(name) {
        Some(known) => Ok(known.id()),
        None => SystemId::new(name).map_err(|error| CliError::Usage(error.to_string())),
    }
}

/// What was added, for people.
fn summary(added: &Added) -> String {
    let (release, counts) = (&added.map.manifest.release, &added.map.manifest.counts);
    let mut text = format!(
        "{} {}: {} rows from {} to {}\n{}",
        release.name,
        release.version,
        count(counts.entries),
        release.source,
        release.target,
        by_relationship(counts)
    );
    for rows in &added.tally.left_out {
        let n = count(usize::try_from(rows.count).unwrap_or(usize::MAX));
        text.push_str(&format!("{n} rows left out: {} (first {})\n", rows.reason, rows.first));
    }
    text.push_str(&format!("{}\n", added.map.folder.display()));
    text
}

fn by_relationship(counts: &MapCounts) -> String {
    let mut text = String::new();
    for relationship in Relationship::ALL {
        let rows = counts.of(relationship);
        if rows > 0 {
            text.push_str(&format!("{:>9}  {}\n", count(rows), relationship.name()));
        }
    }
    if counts.without_target > 0 {
        text.push_str(&format!("{:>9}  without a target\n", count(counts.without_target)));
    }
    text
}

const LIST_EXAMPLES: &str = "\
Examples:
  medterm map list
  medterm map list --json";

/// List the maps of the store.
#[derive(Debug, Args)]
#[command(after_help = LIST_EXAMPLES)]
struct List {}

impl List {
    fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        let list = MapStore::new(&context.store).list()?;
        for failure in &list.failures {
            context.output.warn(failure);
        }
        context.output.answer(&list.maps, || table(&list.maps).render(context.output.width()))?;
        Ok(Outcome::found(list.maps.len()))
    }
}

fn table(maps: &[StoredMap]) -> Table {
    let mut table = Table::new(&[
        Column::text("NAME"),
        Column::text("VERSION"),
        Column::number("ROWS"),
        Column::number("EQUIVALENT"),
        Column::text("FROM"),
        Column::text("TO"),
        Column::aside("LICENSE"),
    ]);
    for map in maps {
        let (release, counts) = (&map.manifest.release, &map.manifest.counts);
        table.row([
            Cell::styled(CODE, &release.name),
            Cell::new(&release.version),
            Cell::new(count(counts.entries)),
            Cell::new(count(counts.equivalent)),
            Cell::new(short(&release.source)),
            Cell::new(short(&release.target)),
            Cell::styled(DIM, release.license.as_deref().unwrap_or_default()),
        ]);
    }
    table
}

/// The alias of a terminology that has one.
fn short(system: &SystemId) -> &str {
    known_system(system.as_str()).map_or(system.as_str(), |known| known.alias)
}

const REMOVE_EXAMPLES: &str = "\
Examples:
  medterm map remove gem-icd9cm-icd10cm
  medterm map remove mondo_exactmatch_icd10cm 2026-08-04";

/// Remove a map, or one version of it.
#[derive(Debug, Args)]
#[command(after_help = REMOVE_EXAMPLES)]
struct Remove {
    /// The map's name, as `medterm map list` shows it.
    #[arg(value_name = "NAME")]
    name: String,

    /// The version; all of them where none is given.
    #[arg(value_name = "VERSION")]
    version: Option<String>,
}

impl Remove {
    fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        let maps = MapStore::new(&context.store);
        let folders = maps.remove(&self.name, self.version.as_deref())?;
        context.output.answer(&json!({"name": self.name, "removed": folders}), || {
            let lines = folders.iter().map(|folder| format!("removed {}\n", folder.display()));
            lines.collect()
        })?;
        Ok(Outcome::Fine)
    }
}
