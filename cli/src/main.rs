//! The medterm command: build, search, look up, browse and evaluate medical terminologies.
//!
//! Everything it knows it asks the library; here are arguments, tables, progress and exit codes.

mod args;
mod building;
mod commands;
mod context;
mod exit;
mod model;
mod output;
mod progress;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match args::Cli::try_parse() {
        Ok(cli) => exit::finish(&cli.global, commands::run(&cli)),
        Err(error) => exit::usage(&error),
    }
}
