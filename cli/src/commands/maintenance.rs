use clap::{Args, ValueEnum};
use medterm::catalog::{Catalog, Maintenance as Switched};
use serde_json::json;

use crate::context::Context;
use crate::exit::{CliError, Outcome};

const EXAMPLES: &str = "\
Examples:
  medterm maintenance icd10cm on
  medterm maintenance icd10cm on --message \"back at noon\"
  medterm maintenance icd10cm off";

/// Switch a terminology to maintenance: servers that are running say so instead of answering.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Maintenance {
    /// The terminology's alias, as `medterm list` shows it.
    #[arg(value_name = "ALIAS")]
    alias: String,

    /// On: its tools answer that it is in maintenance. Off: they answer.
    #[arg(value_name = "STATE")]
    state: State,

    /// What those who ask are told.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum State {
    On,
    Off,
}

impl Maintenance {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        // A terminology that does not open can be put into maintenance too.
        let catalog = Catalog::open(&context.store)?;
        let switched = (self.state == State::On).then(|| Switched::new(&self.message));
        catalog.set_maintenance(&self.alias, switched.as_ref())?;
        let message = switched.as_ref().and_then(|switched| switched.message.as_deref());
        let answer = json!({
            "alias": self.alias, "maintenance": switched.is_some(), "message": message,
        });
        context.output.answer(&answer, || match self.state {
            State::On => format!("{} is in maintenance\n", self.alias),
            State::Off => format!("{} answers again\n", self.alias),
        })?;
        Ok(Outcome::Fine)
    }
}
