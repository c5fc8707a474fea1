use clap::Args;
use medterm::catalog::TerminologySummary;

use crate::context::Context;
use crate::exit::{CliError, Outcome};
use crate::output::{CODE, Cell, Column, DIM, GOOD, Table, count, megabytes};

const EXAMPLES: &str = "\
Examples:
  medterm list
  medterm list --json --store /srv/medterm";

/// List the terminologies of the store.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct List {}

impl List {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        let summaries = context.catalog()?.terminologies();
        context.output.answer(&summaries, || table(&summaries).render(context.output.width()))?;
        Ok(Outcome::Fine)
    }
}

fn table(summaries: &[TerminologySummary]) -> Table {
    let mut table = Table::new(&[
        Column::text("ALIAS"),
        Column::text("VERSION"),
        Column::text(""),
        Column::number("CODES"),
        Column::number("NAMES"),
        Column::number("VECTORS"),
        Column::number("SIZE"),
        Column::long("TITLE"),
        Column::aside("SYSTEM"),
    ]);
    for one in summaries {
        let default = if one.default { "default" } else { "" };
        let vectors = if one.vectors == 0 { "none".to_owned() } else { count(one.vectors) };
        table.row([
            Cell::styled(CODE, &one.alias),
            Cell::new(&one.version),
            Cell::styled(GOOD, default),
            Cell::new(count(one.concepts)),
            Cell::new(count(one.designations)),
            Cell::new(vectors),
            Cell::new(megabytes(one.bytes)),
            Cell::new(&one.title),
            Cell::styled(DIM, one.system.as_str()),
        ]);
    }
    table
}
