use clap::Args;
use medterm::catalog::{EquivalentsRequest, SearchMode};

use crate::context::Context;
use crate::exit::{CliError, Outcome};
use crate::output::equivalents;

const EXAMPLES: &str = "\
Examples:
  medterm equivalents heart attack
  medterm equivalents D003924 --system mesh
  medterm equivalents MONDO:0005148 --system mondo --to icd10cm --to snomed
  medterm equivalents \"type 2 diabetes\" --to mesh -n 3 --json

Each candidate says what speaks for it: a published map, a title or another name that both share, or a
search. Only maps make two concepts equivalent.";

/// Find the same concept in other terminologies, for words or a code.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Equivalents {
    /// Words, or a code where its terminology is named.
    #[arg(required = true, value_name = "TERM|CODE")]
    of: Vec<String>,

    /// The terminology of the code; words are looked for where none is given.
    #[arg(short, long, value_name = "SYSTEM")]
    system: Option<String>,

    /// Look in this terminology; in all that are loaded where none is given. May be given several
    /// times.
    #[arg(long, value_name = "SYSTEM")]
    to: Vec<String>,

    /// Candidates to show of each terminology.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 5)]
    limit: usize,

    /// The evidence that the search uses: hybrid, lexical or semantic.
    #[arg(long, value_name = "MODE", default_value = "hybrid")]
    mode: SearchMode,

    /// Show names in this language where there is one: zh-TW.
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
}

impl Equivalents {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        let of = self.of.join(" ");
        let mut request = match &self.system {
            Some(system) => EquivalentsRequest::coding(system, &of),
            None => EquivalentsRequest::term(&of)?,
        };
        request = request.limit(self.limit)?.mode(self.mode);
        for system in &self.to {
            request = request.target(system);
        }
        if let Some(language) = &self.language {
            request = request.language(language);
        }
        let answer = context.searchable()?.equivalents(&request)?;
        context.output.answer(&answer, || equivalents(&answer, context.output.width()))?;
        let found = answer.results.iter().map(|result| result.candidates.len()).sum();
        Ok(Outcome::found(found))
    }
}
