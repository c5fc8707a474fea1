use clap::Args;
use medterm::catalog::ValidateRequest;

use crate::context::Context;
use crate::exit::{CliError, Outcome};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  medterm validate E11.9
  medterm validate E11.9 --display \"Type 2 diabetes mellitus without complications\"
  medterm validate E1 && echo yes || echo no      exit code 1: not a code";

/// Say whether a code is one, and whether a name is its name.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Validate {
    /// The code.
    #[arg(value_name = "CODE")]
    code: String,

    /// A name that should be one of the concept's.
    #[arg(long, value_name = "NAME")]
    display: Option<String>,

    /// The terminology; the only one of the store, or icd10cm, where none is given.
    #[arg(short, long, value_name = "SYSTEM")]
    system: Option<String>,
}

impl Validate {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        let catalog = context.catalog()?;
        let system = context.system(&catalog, self.system.as_deref())?;
        let mut request = ValidateRequest::new(&system, &self.code);
        if let Some(display) = &self.display {
            request = request.display(display);
        }
        let answer = catalog.validate_code(&request)?;
        context.output.answer(&answer, || output::validation(&answer))?;
        Ok(if answer.valid == Some(true) { Outcome::Fine } else { Outcome::Negative })
    }
}
