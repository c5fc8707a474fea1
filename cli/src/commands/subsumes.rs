use clap::Args;
use medterm::catalog::Subsumption;

use crate::context::Context;
use crate::exit::{CliError, Outcome};
use crate::output::{STRONG, one_line, paint};

const EXAMPLES: &str = "\
Examples:
  medterm subsumes E11 E11.65                      E11 stands above E11.65
  medterm subsumes I21.9 I50.9 --json
  medterm subsumes D003924 D003920 --system mesh

Exit codes: 0 told, whatever it is · 1 one of them is no code, or the data does not say: no hierarchy,
            one of parts or groups, or an excerpt · 2 wrong usage";

/// Say how one code stands to another: the same, above, below, or neither.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Subsumes {
    /// The first code.
    #[arg(value_name = "A")]
    a: String,

    /// The second code.
    #[arg(value_name = "B")]
    b: String,

    /// The terminology; the only one of the store, or icd10cm, where none is given.
    #[arg(short, long, value_name = "SYSTEM")]
    system: Option<String>,
}

impl Subsumes {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        let catalog = context.catalog()?;
        let system = context.system(&catalog, self.system.as_deref())?;
        let answer = catalog.subsumes(&system, &self.a, &self.b)?;
        context.output.answer(&answer, || {
            let verdict = match answer.outcome {
                Subsumption::Equivalent => "is the same as",
                Subsumption::Subsumes => "stands above",
                Subsumption::SubsumedBy => "stands below",
                _ => "stands neither above nor below",
            };
            let (a, b) = (one_line(&answer.code_a), one_line(&answer.code_b));
            format!("{a}\n{}\n{b}\n", paint(STRONG, verdict))
        })?;
        Ok(Outcome::Fine)
    }
}
