mod axes;
mod gold_file;
mod markdown;
mod measure;
mod report;
mod table;
mod without;

use std::path::PathBuf;

use clap::Args;
use medterm::catalog::{Catalog, SearchMode};
use medterm::eval::{EvalReport, Gold};
use medterm::terminology::DesignationUse;

use crate::context::Context;
use crate::exit::{CliError, Outcome};
use crate::output::one_or_many;

use gold_file::GoldFile;
use measure::Subject;
use report::Report;
use without::Rebuilt;

const EXAMPLES: &str = "\
Examples:
  medterm eval --gold gold/icd10cm_everyday.tsv
  medterm eval --gold gold/*.tsv --mode hybrid,lexical,semantic,rrf,minmax,dbsf,bm25
  medterm eval --report QUALITY.md --gold gold/*.tsv loinc=other/loinc.tsv
  medterm eval --gold everyday.tsv --failures 20
  medterm eval --gold inclusion.tsv --without inclusion --json

A gold file is tab-separated text with the header query<TAB>accept. accept has the right codes with
| between them; one that ends in * stands for every code beginning so; - says that none is right,
and then the answer is right when nothing in it is exact or strong. In a
further column named pair, queries that ask for opposites of each other have the same text.

Columns, shares in percent: R@k right code among the first k · 95% confidence interval of R@1
(Wilson) · MRR mean of 1/rank, down to 20 · FAMILY first three characters right at rank 1 · LOST
first hits of a side that are not among the first ten · AXES first hits that choose a side, type,
stage or encounter which the query does not state, although a concept above leaves it open ·
OPPOSITE wrong first hits that say the opposite, of the queries that state a side, type, opposite or
negation · PAIR first hits that are right for the opposite query · STRONG queries whose first hit is
exact or strong, RIGHT those of them that are right · SILENT of the queries for which nothing is
right, those with nothing exact or strong · P50, P99 time of a query.";

/// Measure the ranking on queries whose right codes are known.
///
/// Ranks are looked at down to 20. With --json one object is printed, or a list of them where
/// several gold files or modes were given. Modes take turns query by query; the first one that needs
/// the model does not pay for loading it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Eval {
    /// Gold files, each with the alias of its terminology and a = before it where that is another
    /// than --system.
    #[arg(long, required = true, num_args = 1.., value_name = "[SYSTEM=]FILE")]
    gold: Vec<GoldFile>,

    /// The terminology; the only one of the store, or icd10cm, where none is given.
    #[arg(short, long, value_name = "SYSTEM")]
    system: Option<String>,

    /// Ways of searching: hybrid, lexical, semantic, and the baselines rrf, minmax, dbsf, bm25;
    /// several, with commas, are compared. Hybrid where none is given, all of them for a report.
    #[arg(long, value_delimiter = ',', value_name = "MODE")]
    mode: Vec<SearchMode>,

    /// Measure on an index without these names: synonym, inclusion, index, related, borrowed, tableCell, wordBag. It is
    /// built for this and removed afterwards.
    #[arg(long, value_delimiter = ',', value_name = "USE", value_parser = parse_use)]
    without: Vec<DesignationUse>,

    /// Show the N worst failures, with the rank on each side.
    #[arg(long, value_name = "N", default_value_t = 0)]
    failures: usize,

    /// Write all figures to this Markdown file too, with the failures of hybrid by their kind.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

impl Eval {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        // Every file is read before the first query runs.
        let files = self.gold.iter().map(GoldFile::open).collect::<Result<Vec<_>, _>>()?;
        let mut report = self.report.as_deref().map(Report::begin).transpose()?;
        let catalog = context.catalog()?;
        let mut reports = Vec::new();
        for (system, gold) in self.by_system(context, &catalog, files)? {
            let rebuilt = match self.without.as_slice() {
                [] => None,
                without => Some(Rebuilt::without(context, &catalog, &system, without)?),
            };
            let store = rebuilt.as_ref().map_or(context.store.as_path(), Rebuilt::store);
            let subject = Subject::open(context, store, &system, &self.modes())?;
            if let Some(report) = &mut report {
                report.terminology(subject.index()?.manifest());
            }
            for gold in &gold {
                let evaluations = subject.measure(&context.output, gold)?;
                let finished = evaluations.into_iter().map(|one| one.finish(usize::MAX));
                let mut measured: Vec<EvalReport> = finished.collect();
                if let Some(report) = &mut report {
                    report.gold(&measured);
                }
                measured.iter_mut().for_each(|one| one.failures.truncate(self.failures));
                reports.append(&mut measured);
            }
        }
        if let Some(report) = &report {
            report.write()?;
        }
        context
            .output
            .answer(&one_or_many(&reports)?, || table::text(&reports, context.output.width()))?;
        Ok(Outcome::Fine)
    }

    /// The gold files of each terminology, both in the order in which they were given.
    fn by_system(
        &self,
        context: &Context,
        catalog: &Catalog,
        files: Vec<Gold>,
    ) -> Result<Vec<(String, Vec<Gold>)>, CliError> {
        let mut groups: Vec<(String, Vec<Gold>)> = Vec::new();
        for (file, gold) in self.gold.iter().zip(files) {
            let system = match &file.system {
                Some(system) => system.clone(),
                None => context.system(catalog, self.system.as_deref())?,
            };
            match groups.iter_mut().find(|group| group.0 == system) {
                Some(group) => group.1.push(gold),
                None => groups.push((system, vec![gold])),
            }
        }
        Ok(groups)
    }

    fn modes(&self) -> Vec<SearchMode> {
        match (self.mode.as_slice(), &self.report) {
            ([], None) => vec![SearchMode::default()],
            ([], Some(_)) => SearchMode::ALL.to_vec(),
            (modes, _) => modes.to_vec(),
        }
    }
}

/// A use of designations that can be left out; a concept without its display is none.
fn parse_use(name: &str) -> Result<DesignationUse, String> {
    let removable =
        || DesignationUse::ALL.into_iter().filter(|one| *one != DesignationUse::Display);
    removable().find(|one| one.name().eq_ignore_ascii_case(name.trim())).ok_or_else(|| {
        let names: Vec<&str> = removable().map(DesignationUse::name).collect();
        format!("expected one of: {}", names.join(", "))
    })
}
