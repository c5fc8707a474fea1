//! What has to do with MCP clients beside serving them.

mod clients;
mod install;
mod merge;

use clap::{Args, Subcommand};

use crate::context::Context;
use crate::exit::{CliError, Outcome};

/// Make medterm known to MCP clients.
#[derive(Debug, Args)]
pub struct Mcp {
    #[command(subcommand)]
    command: McpCommand,
}

#[derive(Debug, Subcommand)]
enum McpCommand {
    Install(install::Install),
}

impl Mcp {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        match &self.command {
            McpCommand::Install(command) => command.run(context),
        }
    }
}
