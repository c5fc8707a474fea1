use clap::Args;
use medterm::catalog::{Borrowed, Catalog, Inactive, SearchMode, SearchRequest};

use crate::context::Context;
use crate::exit::{CliError, Outcome};
use crate::output::{Signals, hits};

const EXAMPLES: &str = "\
Examples:
  medterm search heart attack
  medterm search \"type 2 diabetes with high sugar\" --explain
  medterm search e119                              a code in any spelling
  medterm search fracture --under S52 --billable --limit 20
  medterm search covid -s snomed --valueset \"<< 64572001\"
  medterm search 高血壓 --language zh-TW
  medterm search stroke --mode lexical --min-score 0.5 --json";

/// Find the codes for words, abbreviations or a code.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Search {
    /// The words to look for.
    #[arg(required = true, value_name = "QUERY")]
    query: Vec<String>,

    /// Search this terminology: an alias, a canonical URI or an OID, `|version` behind it for
    /// another version than the default one. May be given several times.
    #[arg(short, long, value_name = "SYSTEM")]
    system: Vec<String>,

    #[command(flatten)]
    page: HitPage,

    /// The evidence to use: hybrid, lexical, semantic, or a baseline: rrf, minmax, dbsf,
    /// bm25.
    #[arg(long, value_name = "MODE", default_value = "hybrid")]
    mode: SearchMode,

    /// Leave out hits that score less, 0 to 1.
    #[arg(long, value_name = "SCORE", default_value_t = 0.0)]
    min_score: f32,

    /// Only concepts below this code, the code itself among them.
    #[arg(long, value_name = "CODE")]
    under: Option<String>,

    /// Only codes that may be reported on a claim.
    #[arg(long)]
    billable: bool,

    /// Only concepts of this value set: an ECL expression for SNOMED CT, VCL for others, or an
    /// implicit value set by its URL.
    #[arg(long, value_name = "EXPRESSION")]
    valueset: Option<String>,

    /// Only concepts with this property value. May be given several times; all must hold.
    #[arg(long = "property", value_name = "NAME=VALUE", value_parser = property)]
    properties: Vec<(String, String)>,

    /// Show names in this language where there is one: zh-TW.
    #[arg(long, value_name = "TAG")]
    language: Option<String>,

    /// Retired concepts too.
    #[arg(long)]
    inactive: bool,

    /// Leave out names that were taken from other terminologies.
    #[arg(long)]
    no_borrowed: bool,
}

/// Which hits are shown, and how.
#[derive(Debug, Args)]
pub struct HitPage {
    /// Hits to show.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    pub limit: usize,

    /// Hits to pass over.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub offset: usize,

    /// Show the parts of each score.
    #[arg(long)]
    pub explain: bool,
}

impl Search {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        // The request first: what is wrong with it is wrong with any store.
        let mut request = SearchRequest::new(&self.query.join(" "))?
            .limit(self.page.limit)?
            .offset(self.page.offset)
            .mode(self.mode)
            .min_score(self.min_score)?;
        for system in &self.system {
            request = request.system(system);
        }
        if let Some(code) = &self.under {
            request = request.under(code);
        }
        if let Some(expression) = &self.valueset {
            request = request.valueset(expression);
        }
        for (name, value) in &self.properties {
            request = request.property(name, value);
        }
        if let Some(tag) = &self.language {
            request = request.language(tag);
        }
        if self.billable {
            request = request.billable(true);
        }
        if self.inactive {
            request = request.inactive(Inactive::Shown);
        }
        if self.no_borrowed {
            request = request.borrowed(Borrowed::LeftOut);
        }
        search(context, &context.searchable()?, &request, self.page.signals())
    }
}

fn property(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("{text:?} is no NAME=VALUE"))?;
    Ok((name.to_owned(), value.to_owned()))
}

impl HitPage {
    pub fn signals(&self) -> Signals {
        if self.explain { Signals::Shown } else { Signals::Hidden }
    }
}

/// Searches and prints the hits.
pub fn search(
    context: &Context,
    catalog: &Catalog,
    request: &SearchRequest,
    signals: Signals,
) -> Result<Outcome, CliError> {
    let started = std::time::Instant::now();
    let response = catalog.search(request)?;
    context
        .output
        .remark(format!("searched in {:.1} ms", started.elapsed().as_secs_f64() * 1000.0));
    context.output.answer(&response, || hits(&response, signals, context.output.width()))?;
    Ok(Outcome::found(response.results.len()))
}
