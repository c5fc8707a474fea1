use clap::Args;
use medterm::catalog::{Details, Expansion, Inactive, ValueSetRequest, ValueSetSource};

use crate::context::Context;
use crate::exit::{CliError, Outcome};
use crate::output::{CODE, Cell, Column, DIM, Table, count};

const EXAMPLES: &str = "\
Examples:
  medterm expand http://example.org/fhir/ValueSet/diabetes    one added by `medterm valueset add`
  medterm expand \"http://snomed.info/sct?fhir_vs=isa/73211009\" --count 20
  medterm expand \"<< 73211009\" --system snomed                an expression: ECL for SNOMED CT
  medterm expand \"concept << E11\" --filter kidney             and VCL for other terminologies
  medterm expand \"http://snomed.info/sct?fhir_vs\" --offset 10000 --count 1000 --json

Exit codes: 0 fine · 1 nothing in it, or not all of it is loaded · 2 wrong usage, no such value set";

/// List the concepts of a value set.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Expand {
    /// The URL of a value set, loaded or implicit, or an expression.
    #[arg(value_name = "VALUESET")]
    valueset: String,

    /// Only concepts that these words mean or name, the best ones first.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,

    /// How many concepts to pass over.
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,

    /// How many concepts to list, up to 10000; 0 tells how many there are.
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: usize,

    /// List retired concepts too.
    #[arg(long)]
    include_inactive: bool,

    /// Show names in this language where there is one: zh-TW.
    #[arg(long, value_name = "TAG")]
    language: Option<String>,

    /// Tell the other names too, in JSON.
    #[arg(long)]
    designations: bool,

    /// The terminology of an expression; the only one of the store, or icd10cm, where none is given.
    #[arg(short, long, value_name = "SYSTEM")]
    system: Option<String>,
}

impl Expand {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        let catalog = match &self.filter {
            Some(_) => context.searchable()?,
            None => context.catalog()?,
        };
        let source = match ValueSetSource::of_text(&self.valueset, "") {
            ValueSetSource::Expression { text, .. } => {
                let system = context.system(&catalog, self.system.as_deref())?;
                ValueSetSource::Expression { system, text }
            }
            url => url,
        };
        let mut request =
            ValueSetRequest::from_source(source).offset(self.offset).count(self.count)?;
        if let Some(filter) = &self.filter {
            request = request.filter(filter)?;
        }
        if self.include_inactive {
            request = request.inactive(Inactive::Shown);
        }
        if let Some(language) = &self.language {
            request = request.language(language);
        }
        if self.designations {
            request = request.details(Details::Designations);
        }
        let answer = catalog.expand(&request)?;
        for one in &answer.unresolved {
            context.output.warn(format!("left out {}: {}", one.system, one.reason));
        }
        context.output.answer(&answer, || table(&answer, context.output.width()))?;
        match answer.unresolved.is_empty() {
            true => Ok(Outcome::found(answer.paging.total)),
            false => Ok(Outcome::Negative),
        }
    }
}

fn table(answer: &Expansion, width: Option<usize>) -> String {
    let mut table =
        Table::new(&[Column::text("CODE"), Column::long("NAME"), Column::aside("TERMINOLOGY")]);
    for one in &answer.contains {
        let mut name = one.display.clone();
        if one.inactive {
            name.push_str(" (retired)");
        }
        table.row([
            Cell::styled(CODE, one.code.as_str()),
            Cell::new(name),
            Cell::styled(DIM, one.system.as_str()),
        ]);
    }
    let paging = &answer.paging;
    let (first, last) =
        (paging.offset + usize::from(paging.count > 0), paging.offset + paging.count);
    format!("{}{first}-{last} of {}\n", table.render(width), count(paging.total))
}
