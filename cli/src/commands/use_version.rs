use clap::Args;
use serde_json::json;

use crate::context::Context;
use crate::exit::{CliError, Outcome};

const EXAMPLES: &str = "\
Examples:
  medterm use icd10cm 2026-04-01";

/// Choose the version that answers where none is asked for.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Use {
    /// The terminology's alias, as `medterm list` shows it.
    #[arg(value_name = "ALIAS")]
    alias: String,

    /// The version, as `medterm list` shows it.
    #[arg(value_name = "VERSION")]
    version: String,
}

impl Use {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        context.catalog()?.set_default(&self.alias, &self.version)?;
        let answer = json!({"alias": self.alias, "version": self.version, "default": true});
        context.output.answer(&answer, || {
            format!("{} {} answers where no version is asked for\n", self.alias, self.version)
        })?;
        Ok(Outcome::Fine)
    }
}
