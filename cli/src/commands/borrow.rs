use std::sync::Arc;

use clap::Args;
use medterm::catalog::{Catalog, LenderReport, Loan, LoanReport};
use medterm::dense::Embedder;
use medterm::index::{IndexBuilder, IndexReport};
use medterm::terminology::DesignationUse;
use serde::Serialize;

use crate::context::Context;
use crate::exit::{CliError, Outcome};
use crate::output::count;
use crate::progress::Bar;

const EXAMPLES: &str = "\
Examples:
  medterm borrow icd10cm
  medterm borrow icd10cm --from mondo --from doid
  medterm borrow icd10cm --none";

/// Give codes the names that equivalent concepts have in other terminologies.
///
/// Over every stored map (`medterm map add`) between the terminology and another one of the store,
/// the preferred name and the exact synonyms of each equivalent concept become borrowed names of the
/// code: marked with where they are from, never shown as the code's own, and left out by the next
/// `borrow --none`. Not borrowed are names for "other specified" codes, names that differ in side,
/// type, course, "with" or "without", and abbreviations of three letters or fewer. The version is
/// built anew and replaces the build that is served in one step; vectors are kept.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Borrow {
    /// The terminology that gets the names: its alias, with |VERSION where it is not the default.
    #[arg(value_name = "ALIAS")]
    alias: String,

    /// A terminology to borrow from; every one that has a map where none is given.
    #[arg(long, value_name = "ALIAS")]
    from: Vec<String>,

    /// Borrow nothing, and give back what is borrowed.
    #[arg(long, conflicts_with = "from")]
    none: bool,
}

/// What the command answers.
#[derive(Debug, Serialize)]
struct Answer {
    loan: LoanReport,
    index: IndexReport,
}

impl Borrow {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        let catalog = context.catalog()?;
        let loan =
            if self.none { Loan::default() } else { catalog.borrow(&self.alias, &self.from)? };
        let answer = Answer { index: self.rebuild(context, &catalog, &loan)?, loan: loan.report };
        context.output.answer(&answer, || summary(&answer))?;
        Ok(Outcome::Fine)
    }

    /// Builds the version again, with these borrowed names and no others.
    fn rebuild(
        &self,
        context: &Context,
        catalog: &Catalog,
        loan: &Loan,
    ) -> Result<IndexReport, CliError> {
        let index = catalog.index(&self.alias)?;
        let manifest = index.manifest();
        let embedder = self.embedder(context, manifest.model.as_ref().map(|model| &*model.id))?;
        let mut building = Bar::new(&context.output);
        let mut builder =
            IndexBuilder::new(manifest.release.clone()).progress(&mut building).reuse(index);
        if let Some(embedder) = &embedder {
            builder = builder.embedder(embedder.as_ref());
        }
        for use_ in manifest.without.iter().filter(|use_| **use_ != DesignationUse::Borrowed) {
            builder = builder.without(*use_);
        }
        for concept in index.concepts() {
            let mut concept = concept?;
            concept.designations.retain(|name| name.use_ != DesignationUse::Borrowed);
            let borrowed = loan.names.get(&concept.code).into_iter().flatten();
            concept.designations.extend(borrowed.cloned());
            builder.push(concept)?;
        }
        // A build makes its version the default one; borrowing is no choice of a version.
        let terminologies = catalog.terminologies();
        let alias = &manifest.release.alias;
        let default = terminologies.iter().find(|one| one.alias == *alias && one.default);
        let report = builder.finish(&context.store)?;
        building.end();
        if let Some(default) = default.filter(|one| one.version != manifest.release.version) {
            catalog.set_default(alias, &default.version)?;
        }
        Ok(report)
    }

    /// The model, where the index has vectors. Those of another model cannot be kept.
    fn embedder(
        &self,
        context: &Context,
        built_with: Option<&str>,
    ) -> Result<Option<Arc<dyn Embedder>>, CliError> {
        let Some(built_with) = built_with else { return Ok(None) };
        let embedder = context.embedder()?;
        if embedder.model_id() != built_with {
            context.output.warn("the index was built with another model: all names are embedded");
        }
        Ok(Some(embedder))
    }
}

fn summary(answer: &Answer) -> String {
    let (loan, index) = (&answer.loan, &answer.index);
    let mut text: String = loan.lenders.iter().map(lender).collect();
    text.push_str(&format!(
        "{} {}: {} borrowed names of {} codes, {} of them names of several codes\n{}\n",
        index.alias,
        index.version,
        count(loan.borrowed),
        count(loan.codes),
        count(loan.names_on_several_codes),
        index.folder.display()
    ));
    text
}

fn lender(lender: &LenderReport) -> String {
    let mut text = format!(
        "{} {} via {} {}: {} concepts, {} names, {} borrowed\n",
        lender.alias,
        lender.version,
        lender.map,
        lender.map_version,
        count(lender.concepts),
        count(lender.names),
        count(lender.borrowed)
    );
    for (number, what) in [
        (lender.already_there, "the code has already"),
        (lender.residual, "for \"other specified\" codes"),
        (lender.axis, "that differ in side, type, course, with or without"),
        (lender.short, "of three letters or fewer"),
        (lender.concepts_with_several_codes, "concepts with several codes (kept)"),
        (lender.not_loaded, "rows with a code that is not loaded or not one to choose"),
    ] {
        if number > 0 {
            text.push_str(&format!("{:>9}  {what}\n", count(number)));
        }
    }
    text
}
