use clap::Args;

use crate::context::Context;
use crate::exit::{CliError, Outcome};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  medterm lookup E11.9
  medterm lookup e119 --json
  medterm lookup I21.9 --system \"icd10cm|2026\"";

/// Show all about one code: names, notes of its own and inherited, what is above and below.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Lookup {
    /// The code, in any spelling the terminology accepts.
    #[arg(value_name = "CODE")]
    code: String,

    /// The terminology; the only one of the store, or icd10cm, where none is given.
    #[arg(short, long, value_name = "SYSTEM")]
    system: Option<String>,
}

impl Lookup {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        let catalog = context.catalog()?;
        let system = context.system(&catalog, self.system.as_deref())?;
        let found = catalog.lookup(&system, &self.code)?;
        context.output.answer(&found, || output::lookup(&found, context.output.width()))?;
        Ok(Outcome::Fine)
    }
}
