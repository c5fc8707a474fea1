use clap::Args;
use medterm::catalog::LookupRequest;
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::{CliError, Outcome, with_causes};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  medterm lookup E11.9
  medterm lookup e119 --json
  medterm lookup I21.9 --system \"icd10cm|2026\"
  medterm lookup E11.9 I21.9 I50.9                 several codes, up to 50
  medterm lookup D003924 --system mesh --property treeNumber
  medterm lookup C19.246.300 --system mesh         a tree number of MeSH

Exit codes: 0 found · 1 one of the codes is none · 2 wrong usage, or no such terminology";

/// Show all about codes: names, notes of their own and inherited, what is above and below.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Lookup {
    /// The codes, in any spelling the terminology accepts.
    #[arg(value_name = "CODE", required = true)]
    codes: Vec<String>,

    /// The terminology; the only one of the store, or icd10cm, where none is given.
    #[arg(short, long, value_name = "SYSTEM")]
    system: Option<String>,

    /// The language of the display, where it has one: de, zh-TW.
    #[arg(long, value_name = "TAG")]
    language: Option<String>,

    /// Show only properties of this name; may be given several times.
    #[arg(long = "property", value_name = "NAME")]
    properties: Vec<String>,
}

impl Lookup {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        let catalog = context.catalog()?;
        let system = context.system(&catalog, self.system.as_deref())?;
        let width = context.output.width();
        if let [code] = self.codes.as_slice() {
            let found = catalog.lookup_with(&self.request(&system, code))?;
            context.output.answer(&found, || output::lookup(&found, width))?;
            return Ok(Outcome::Fine);
        }
        let requests: Vec<LookupRequest> =
            self.codes.iter().map(|code| self.request(&system, code)).collect();
        let (mut text, mut json, mut all_found) = (String::new(), Vec::new(), true);
        for (code, answer) in self.codes.iter().zip(catalog.lookup_many(&requests)?) {
            match answer {
                Ok(found) => {
                    text.push_str(&output::lookup(&found, width));
                    json.push(serde_json::to_value(&found)?);
                }
                Err(error @ medterm::Error::UnknownCode { .. }) => {
                    all_found = false;
                    let (line, value) = failed(code, error);
                    text.push_str(&line);
                    json.push(value);
                }
                Err(error) => return Err(error.into()),
            }
            text.push_str("\n\n");
        }
        context.output.answer(&json, || text.trim_end().to_owned())?;
        Ok(if all_found { Outcome::Fine } else { Outcome::Negative })
    }

    fn request(&self, system: &str, code: &str) -> LookupRequest {
        let mut request = LookupRequest::new(system, code);
        if let Some(language) = &self.language {
            request = request.language(language);
        }
        self.properties.iter().fold(request, |request, name| request.property(name))
    }
}

/// What is said of a code among others that is none.
fn failed(code: &str, error: medterm::Error) -> (String, Value) {
    let error = CliError::from(error);
    let message = with_causes(&error);
    (format!("{message}\n"), json!({"code": code, "error": error.described(message)}))
}
