use std::io::{self, BufRead, IsTerminal, Write};

use clap::Args;
use medterm::catalog::Catalog;
use serde_json::json;

use crate::context::Context;
use crate::exit::{CliError, Outcome};

const EXAMPLES: &str = "\
Examples:
  medterm remove icd10cm 2025-10-01
  medterm remove icd10cm 2025-10-01 --yes";

/// Remove a version from the store; with the last one the terminology is gone.
///
/// Where it was the version that answers by default, the last of those that remain takes its place.
/// Programs that have it open go on answering from it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Remove {
    /// The terminology's alias, as `medterm list` shows it.
    #[arg(value_name = "ALIAS")]
    alias: String,

    /// The version, as `medterm list` shows it.
    #[arg(value_name = "VERSION")]
    version: String,

    /// Do not ask first.
    #[arg(short, long)]
    yes: bool,
}

impl Remove {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        // A version that does not open is there to be removed too.
        let catalog = Catalog::open(&context.store)?;
        if !self.yes && !self.is_confirmed()? {
            context.output.say("nothing was removed");
            return Ok(Outcome::Negative);
        }
        catalog.remove(&self.alias, &self.version)?;
        let answer = json!({"alias": self.alias, "version": self.version, "removed": true});
        context
            .output
            .answer(&answer, || format!("{} {} is removed\n", self.alias, self.version))?;
        Ok(Outcome::Fine)
    }

    /// Asks whoever sits at the terminal; without one, nobody has said yes.
    fn is_confirmed(&self) -> Result<bool, CliError> {
        if !io::stdin().is_terminal() {
            return Err(CliError::Usage(format!(
                "removing {} {} cannot be undone; say --yes where nobody can be asked",
                self.alias, self.version
            )));
        }
        let ask = || -> io::Result<String> {
            let mut stderr = io::stderr().lock();
            write!(stderr, "remove {} {} from the store? [y/N] ", self.alias, self.version)?;
            stderr.flush()?;
            let mut line = String::new();
            io::stdin().lock().read_line(&mut line)?;
            Ok(line)
        };
        let answer = ask().map_err(CliError::Output)?;
        Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
    }
}
