use anstyle::Style;
use clap::Args;
use medterm::catalog::TerminologySummary;
use medterm::terminology::Content;

use crate::context::Context;
use crate::exit::{CliError, Outcome};
use crate::output::{CODE, Cell, Column, DIM, GOOD, Lines, Table, WARN, clean, count, megabytes};

const EXAMPLES: &str = "\
Examples:
  medterm list
  medterm list --json --store /srv/medterm";

/// Characters of a licence that a line has room for.
const LICENSE_CHARS: usize = 24;

/// List the terminologies of the store: how much of each there is, and under which licence.
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
        Column::number("GROUPERS"),
        Column::number("INACTIVE"),
        Column::number("NAMES"),
        Column::number("VECTORS"),
        Column::number("SIZE"),
        Column::text("CONTENT"),
        Column::long("TITLE"),
        Column::text("LICENSE"),
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
            Cell::styled(DIM, some(one.groupers)),
            Cell::styled(DIM, some(one.inactive)),
            Cell::new(count(one.designations)),
            Cell::new(vectors),
            Cell::new(megabytes(one.bytes)),
            Cell::styled(content_style(one.content), content(one.content)),
            Cell::new(&one.title),
            Cell::styled(DIM, shortened(one.license.as_deref().unwrap_or_default())),
            Cell::styled(DIM, one.system.as_str()),
        ]);
    }
    table
}

/// A count, or nothing where there is none.
fn some(number: usize) -> String {
    if number == 0 { String::new() } else { count(number) }
}

fn content(content: Content) -> &'static str {
    match content {
        Content::Complete => "complete",
        Content::Fragment => "fragment",
        Content::Example => "example",
    }
}

/// What is not all of a terminology is not to be overlooked.
fn content_style(content: Content) -> Style {
    if content == Content::Complete { DIM } else { WARN }
}

/// The beginning of a licence, at most [`LICENSE_CHARS`] characters; `--json` has all of it.
fn shortened(license: &str) -> String {
    let license = clean(license, Lines::Joined);
    if license.chars().count() <= LICENSE_CHARS {
        return license;
    }
    let kept: String = license.chars().take(LICENSE_CHARS - 1).collect();
    format!("{}…", kept.trim_end_matches([' ', ',', ';', '.', '(']))
}
