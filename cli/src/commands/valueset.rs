use std::path::PathBuf;

use clap::{Args, Subcommand};
use medterm::catalog::{Error, StoredValueSet, ValueSetStore};
use medterm::formats;
use serde::Serialize;
use serde_json::json;

use crate::context::Context;
use crate::exit::{CliError, Outcome};
use crate::output::{CODE, Cell, Column, Table, count};

const EXAMPLES: &str = "\
Examples:
  medterm valueset add valueset-diabetes.json
  medterm valueset add hl7.fhir.us.core-8.0.0.tgz
  medterm valueset list
  medterm valueset remove http://example.org/fhir/ValueSet/diabetes";

/// Keep value sets beside the terminologies: add, list, remove.
///
/// Read are FHIR ValueSets of R4 and R5 in JSON, in files, folders, Bundles and NPM packages.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ValueSets {
    #[command(subcommand)]
    command: ValueSetCommand,
}

#[derive(Debug, Subcommand)]
enum ValueSetCommand {
    Add(Add),
    List(List),
    Remove(Remove),
}

impl ValueSets {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        match &self.command {
            ValueSetCommand::Add(command) => command.run(context),
            ValueSetCommand::List(command) => command.run(context),
            ValueSetCommand::Remove(command) => command.run(context),
        }
    }
}

const ADD_EXAMPLES: &str = "\
Examples:
  medterm valueset add valueset-diabetes.json
  medterm valueset add folder-of-value-sets/ hl7.terminology.r4-6.2.0.tgz";

/// Store value sets, each in place of the same version of it.
#[derive(Debug, Args)]
#[command(after_help = ADD_EXAMPLES)]
struct Add {
    /// Files, folders, archives or FHIR packages, as they were downloaded.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// What `add` answers.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Added {
    added: Vec<StoredValueSet>,
    left_out: Vec<LeftOut>,
}

/// A value set that could not be stored.
#[derive(Debug, Serialize)]
struct LeftOut {
    path: PathBuf,
    line: u64,
    reason: String,
}

impl Add {
    fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        let mut found = Vec::new();
        for path in &self.paths {
            found.extend(formats::value_sets(path)?);
        }
        let store = ValueSetStore::new(&context.store);
        let mut answer = Added::default();
        for one in found {
            match store.add(&one.text) {
                Ok(stored) => answer.added.push(stored),
                Err(error @ Error::Disk(_)) => return Err(error.into()),
                Err(error) => {
                    let (path, line, reason) = (one.path, one.line, error.to_string());
                    answer.left_out.push(LeftOut { path, line, reason });
                }
            }
        }
        for one in &answer.left_out {
            context.output.warn(format!("{}:{}: {}", one.path.display(), one.line, one.reason));
        }
        context.output.answer(&answer, || {
            let n = answer.added.len();
            format!("{} value set{} added\n", count(n), if n == 1 { "" } else { "s" })
        })?;
        Ok(Outcome::found(answer.added.len()))
    }
}

const LIST_EXAMPLES: &str = "\
Examples:
  medterm valueset list
  medterm valueset list --json";

/// List the value sets of the store.
#[derive(Debug, Args)]
#[command(after_help = LIST_EXAMPLES)]
struct List {}

impl List {
    fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        let list = ValueSetStore::new(&context.store).list()?;
        context.output.answer(&list, || table(&list).render(context.output.width()))?;
        Ok(Outcome::found(list.len()))
    }
}

fn table(list: &[StoredValueSet]) -> Table {
    let mut table = Table::new(&[Column::long("URL"), Column::text("VERSION")]);
    for one in list {
        let version = one.version.as_deref().unwrap_or_default();
        table.row([Cell::styled(CODE, &one.url), Cell::new(version)]);
    }
    table
}

const REMOVE_EXAMPLES: &str = "\
Examples:
  medterm valueset remove http://example.org/fhir/ValueSet/diabetes
  medterm valueset remove http://example.org/fhir/ValueSet/diabetes 2.0";

/// Remove a value set, or one version of it.
#[derive(Debug, Args)]
#[command(after_help = REMOVE_EXAMPLES)]
struct Remove {
    /// The value set's URL, as `medterm valueset list` shows it.
    #[arg(value_name = "URL")]
    url: String,

    /// The version; all of them where none is given.
    #[arg(value_name = "VERSION")]
    version: Option<String>,
}

impl Remove {
    fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        let store = ValueSetStore::new(&context.store);
        let removed = store.remove(&self.url, self.version.as_deref())?;
        context.output.answer(&json!({"removed": removed}), || {
            let lines = removed.iter().map(|one| format!("removed {}\n", one.path.display()));
            lines.collect()
        })?;
        Ok(Outcome::Fine)
    }
}
