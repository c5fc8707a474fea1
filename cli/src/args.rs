use std::path::PathBuf;

use anstream::ColorChoice;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use medterm::dense::BackendChoice;

use crate::commands::{
    borrow, browse, build, completions, demo, doctor, equivalents, eval, expand, list, lookup,
    maintenance, map, mcp, remove, search, serve, subsumes, translate, use_version, validate,
    valueset,
};

const EXAMPLES: &str = "\
Examples:
  medterm demo \"heart attack\"             build the embedded ICD-10-CM, then search it
  medterm build icd10cm-tabular.xml.gz    index a release
  medterm search high blood pressure      search every terminology of the store
  medterm lookup E11.9                    all about one code

Exit codes: 0 fine · 1 nothing found, not valid, not to be told, or damage found · 2 wrong usage
            3 an input file is bad · 4 the store or the disk is in trouble";

/// Finds the right medical code for the words people use. Offline, on one folder of files.
#[derive(Debug, Parser)]
#[command(name = "medterm", version, after_help = EXAMPLES)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// What every command understands.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// The folder of indexes; the platform's data folder where none is given.
    #[arg(long, global = true, value_name = "DIR", env = "MEDTERM_STORE", hide_env_values = true)]
    pub store: Option<PathBuf>,

    /// Print the answer as JSON, errors too.
    #[arg(long, global = true)]
    pub json: bool,

    /// No progress, no remarks.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Say what is done and how long it takes.
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub verbose: u8,

    /// Color the output: on a terminal without NO_COLOR, always, or never.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,

    /// A folder with model.onnx and tokenizer.json, instead of the embedded model.
    #[arg(long, global = true, value_name = "DIR", env = "MEDTERM_MODEL", hide_env_values = true)]
    pub model: Option<PathBuf>,

    /// What runs the model: auto takes ONNX Runtime where one is installed, else rten.
    #[arg(long, global = true, value_name = "BACKEND", default_value = "auto")]
    pub backend: Backend,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl From<Color> for ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => Self::Auto,
            Color::Always => Self::Always,
            Color::Never => Self::Never,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Backend {
    Auto,
    Ort,
    Rten,
}

impl From<Backend> for BackendChoice {
    fn from(backend: Backend) -> Self {
        match backend {
            Backend::Auto => Self::Auto,
            Backend::Ort => Self::Ort,
            Backend::Rten => Self::Rten,
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Demo(demo::Demo),
    Build(build::Build),
    Search(search::Search),
    Lookup(lookup::Lookup),
    Validate(validate::Validate),
    Browse(browse::Browse),
    Subsumes(subsumes::Subsumes),
    List(list::List),
    #[command(visible_alias = "default")]
    Use(use_version::Use),
    Remove(remove::Remove),
    Translate(translate::Translate),
    Equivalents(equivalents::Equivalents),
    Valueset(valueset::ValueSets),
    Expand(expand::Expand),
    Map(map::Map),
    Borrow(borrow::Borrow),
    Eval(eval::Eval),
    Doctor(doctor::Doctor),
    Serve(serve::Serve),
    Maintenance(maintenance::Maintenance),
    Mcp(mcp::Mcp),
    Completions(completions::Completions),
}
