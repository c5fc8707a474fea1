use clap::Args;
use medterm::catalog::{TranslateDirection, TranslateOutcome, TranslateRequest, WalkUp};

use crate::context::Context;
use crate::exit::{CliError, Outcome};
use crate::output::translation;

const EXAMPLES: &str = "\
Examples:
  medterm translate 250.00 --system icd9cm --to icd10cm
  medterm translate A18.01 --system icd10cm --to icd9cm          a combination is one match
  medterm translate E11.9 --system icd10cm --to icd9cm --reverse read a map backwards
  medterm translate I21.02 --system icd10cm --to mondo --reverse --walk-up
  medterm translate MONDO:0005148 --system mondo --to icd10cm --map mondo_exactmatch_icd10cm --json

Maps are stored with `medterm map add FILE`. Neither terminology has to be loaded.

Exit codes: 0 mapped · 1 no target, or in no map · 2 wrong usage, no such map or code";

/// Say what published maps make of a code in another terminology.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Translate {
    /// The code, in any spelling its terminology accepts.
    #[arg(value_name = "CODE")]
    code: String,

    /// The terminology of the code: an alias, a canonical URI or an OID.
    #[arg(short, long, value_name = "SYSTEM")]
    system: String,

    /// The terminology to translate to.
    #[arg(long, value_name = "SYSTEM")]
    to: String,

    /// Only over this map: its name or URI, `|version` behind it for another version than the last.
    #[arg(long, value_name = "MAP")]
    map: Option<String>,

    /// Read maps that lead the other way, backwards.
    #[arg(long)]
    reverse: bool,

    /// Where the code is not mapped, take the nearest code above it that is.
    #[arg(long)]
    walk_up: bool,

    /// Show names in this language where there is one: zh-TW.
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
}

impl Translate {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        let mut request = TranslateRequest::new(&self.system, &self.code, &self.to);
        if let Some(map) = &self.map {
            request = request.map(map);
        }
        if self.reverse {
            request = request.direction(TranslateDirection::Reverse);
        }
        if self.walk_up {
            request = request.walk_up(WalkUp::ToNearest);
        }
        if let Some(language) = &self.language {
            request = request.language(language);
        }
        // A store of maps alone has no terminology, and answers.
        let answer = context.maps_catalog()?.translate(&request)?;
        context.output.answer(&answer, || translation(&answer, context.output.width()))?;
        Ok(match answer.outcome {
            TranslateOutcome::Mapped => Outcome::Fine,
            _ => Outcome::Negative,
        })
    }
}
