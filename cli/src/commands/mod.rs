//! One file a command: its arguments, and how it asks the library.

pub mod borrow;
pub mod browse;
pub mod build;
pub mod completions;
pub mod demo;
pub mod doctor;
pub mod equivalents;
pub mod eval;
pub mod expand;
pub mod list;
pub mod lookup;
pub mod maintenance;
pub mod map;
pub mod mcp;
pub mod remove;
pub mod search;
pub mod serve;
pub mod subsumes;
pub mod translate;
pub mod use_version;
pub mod validate;
pub mod valueset;

use crate::args::{Cli, Command};
use crate::context::Context;
use crate::exit::{CliError, Outcome};

/// Runs the command that was given.
pub fn run(cli: &Cli) -> Result<Outcome, CliError> {
    let context = Context::new(&cli.global)?;
    match &cli.command {
        Command::Demo(command) => command.run(&context),
        Command::Build(command) => command.run(&context),
        Command::Search(command) => command.run(&context),
        Command::Lookup(command) => command.run(&context),
        Command::Validate(command) => command.run(&context),
        Command::Browse(command) => command.run(&context),
        Command::Serve(command) => command.run(&context),
        Command::Subsumes(command) => command.run(&context),
        Command::List(command) => command.run(&context),
        Command::Use(command) => command.run(&context),
        Command::Mcp(command) => command.run(&context),
        Command::Remove(command) => command.run(&context),
        Command::Maintenance(command) => command.run(&context),
        Command::Translate(command) => command.run(&context),
        Command::Equivalents(command) => command.run(&context),
        Command::Valueset(command) => command.run(&context),
        Command::Expand(command) => command.run(&context),
        Command::Map(command) => command.run(&context),
        Command::Borrow(command) => command.run(&context),
        Command::Eval(command) => command.run(&context),
        Command::Doctor(command) => command.run(&context),
        Command::Completions(command) => command.run(),
    }
}
