use clap::Args;
use medterm::catalog::{Catalog, SearchRequest};
use medterm::formats::{self, Format};

use super::search::{HitPage, search};
use crate::building::build;
use crate::context::{Context, USUAL};
use crate::exit::{CliError, Outcome};
use crate::model::{DEMO_RELEASE, DEMO_RELEASE_NAME};

const EXAMPLES: &str = "\
Examples:
  medterm demo
  medterm demo \"water on the lungs\"
  medterm demo t2dm with ckd --explain";

/// Search the complete ICD-10-CM that medterm carries; it is indexed on first use.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Demo {
    /// The words to look for; "heart attack" where none are given.
    #[arg(value_name = "QUERY")]
    query: Vec<String>,

    #[command(flatten)]
    page: HitPage,

    /// On first use, index the words alone: seconds instead of minutes.
    #[arg(long)]
    no_embeddings: bool,
}

impl Demo {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        let query = self.query.join(" ");
        let query = if query.is_empty() { "heart attack" } else { &query };
        let request = SearchRequest::new(query)?
            .system(USUAL)
            .limit(self.page.limit)?
            .offset(self.page.offset);
        let mut catalog = context.searchable_as_it_is()?;
        if !is_there(&catalog)? {
            self.fill(context)?;
            catalog = context.searchable_as_it_is()?;
        }
        search(context, &catalog, &request, self.page.signals())
    }

    fn fill(&self, context: &Context) -> Result<(), CliError> {
        let patience = if self.no_embeddings { "seconds" } else { "a few minutes" };
        context.output.say(format!(
            "First use: indexing the embedded ICD-10-CM into {}. This takes {patience}, once.",
            context.store.display()
        ));
        let embedder = (!self.no_embeddings).then(|| context.embedder()).transpose()?;
        let source = formats::open_bytes(Format::CmsTabular, DEMO_RELEASE_NAME, DEMO_RELEASE)?;
        let release = source.release().clone();
        build(context, source, release, embedder)?;
        Ok(())
    }
}

/// Whether the store has ICD-10-CM. One that cannot be opened is not built over: it may be the
/// store of a newer medterm.
fn is_there(catalog: &Catalog) -> Result<bool, CliError> {
    if catalog.terminologies().iter().any(|one| one.alias == USUAL) {
        return Ok(true);
    }
    match catalog.failures().iter().find(|failure| failure.alias == USUAL) {
        None => Ok(false),
        Some(failure) => Err(CliError::damaged(failure)),
    }
}
