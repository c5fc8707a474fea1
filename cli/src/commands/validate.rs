use clap::Args;
use medterm::catalog::{DisplayCheck, ValidateRequest, ValidateResponse};

use crate::context::Context;
use crate::exit::{CliError, Outcome};
use crate::output::{self, one_or_many};

const EXAMPLES: &str = "\
Examples:
  medterm validate E11.9
  medterm validate E11.9 --display \"Type 2 diabetes mellitus without complications\"
  medterm validate E11.9 --display \"Diabetes\" --lenient    a warning, and still valid
  medterm validate E11.9 --display \"Diabetes\" --language de
  medterm validate E11.9 I21.9 E1 --json                   several codes, up to 100
  medterm validate E11.9 --valueset \"concept << E11\"
  medterm validate E1 && echo yes || echo no               exit code 1: not a code

Exit codes: 0 all are valid · 1 one is not, or cannot be told from an excerpt · 2 wrong usage";

/// Say whether codes are some, and whether a name is the name of one.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Validate {
    /// The codes.
    #[arg(value_name = "CODE", required = true)]
    codes: Vec<String>,

    /// A name that should be one of the concept's; for one code.
    #[arg(long, value_name = "NAME")]
    display: Option<String>,

    /// Only warn of a name that is not.
    #[arg(long, requires = "display")]
    lenient: bool,

    /// The language that the name is in: de, zh-TW.
    #[arg(long, value_name = "TAG")]
    language: Option<String>,

    /// Whether they are in this value set: the URL of one that is loaded or implicit, or an expression in
    /// the terminology's language.
    #[arg(long, value_name = "VALUESET")]
    valueset: Option<String>,

    /// The terminology; the only one of the store, or icd10cm, where none is given.
    #[arg(short, long, value_name = "SYSTEM")]
    system: Option<String>,
}

impl Validate {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        if self.display.is_some() && self.codes.len() > 1 {
            let problem = "--display is the name of one code; give one code";
            return Err(CliError::Usage(problem.to_owned()));
        }
        let catalog = context.catalog()?;
        let system = context.system(&catalog, self.system.as_deref())?;
        let requests: Vec<ValidateRequest> =
            self.codes.iter().map(|code| self.request(&system, code)).collect();
        let answers: Vec<ValidateResponse> =
            catalog.validate_codes(&requests)?.into_iter().collect::<Result<_, _>>()?;
        context.output.answer(&one_or_many(&answers)?, || {
            answers.iter().map(output::validation).collect::<String>()
        })?;
        let all_valid = answers.iter().all(|answer| answer.valid == Some(true));
        Ok(if all_valid { Outcome::Fine } else { Outcome::Negative })
    }

    fn request(&self, system: &str, code: &str) -> ValidateRequest {
        let mut request = ValidateRequest::new(system, code);
        if let Some(display) = &self.display {
            request = request.display(display);
        }
        if let Some(language) = &self.language {
            request = request.language(language);
        }
        if let Some(valueset) = &self.valueset {
            request = request.valueset(valueset);
        }
        match self.lenient {
            true => request.display_check(DisplayCheck::Lenient),
            false => request,
        }
    }
}
