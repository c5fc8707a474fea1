//! The texts of `info://…`, as Markdown.

use crate::catalog::{Catalog, ConceptList, TerminologySummary};
use crate::terminology::Content;

use super::duties::duties;
use super::instructions::{INTENDED_USE, NO_PATIENT_DATA};
use super::resources::defaults;
use super::{Reason, Registry};

/// What `info://server` says.
pub(super) fn server_text(registry: &Registry, catalog: &Catalog) -> String {
    let mut text = format!(
        "# medterm {}\n\n{INTENDED_USE}\n\n{NO_PATIENT_DATA}\n\n## Terminologies\n\n",
        env!("CARGO_PKG_VERSION")
    );
    text.push_str("| alias | title | version | codes | content | search | state |\n|---|---|---|---|---|---|---|\n");
    for one in defaults(catalog) {
        let search = match catalog.searches_meaning(&one.alias) {
            true => "words and meaning",
            false => "words",
        };
        let state = match catalog.is_in_maintenance(&one.alias) {
            true => "in maintenance",
            false => "ok",
        };
        text.push_str(&format!(
            "| {} | {} | {} | {} | {} | {search} | {state} |\n",
            one.alias,
            cell(&one.title),
            cell(&one.version),
            one.concepts,
            content(one.content),
        ));
    }
    for failure in catalog.failures() {
        let version = cell(&failure.version);
        text.push_str(&format!("| {} | | {version} | | | | cannot be opened |\n", failure.alias));
    }
    text.push_str(&format!("\n## Tools of the profile {}\n\n", registry.profile().name()));
    for tool in registry.tools(Some(catalog)) {
        text.push_str(&format!("- `{}`: {}\n", tool.name, tool.title));
    }
    text.push_str(PROVENANCE);
    text.push_str(
        "\n## Errors\n\nA call that fails has `isError: true` and `error.data.reason`:\n\n",
    );
    for reason in Reason::ALL {
        text.push_str(&format!("- `{}`: {}\n", reason.name(), reason.meaning()));
    }
    text
}

const PROVENANCE: &str = "
## Provenance

Every answer with content of a terminology says where it is from: `source` and `source_url` (who publishes it), `system` and `version`,
`data_vintage` (the day the version took effect), `retrieved_at` (when it was loaded here), `retrieval` (null: the data is local),
`citation`, `license`, `notices` (what the license asks to be said), `revision` with `status` and `note`; `derived` is true, with a
`derivation_note`, where a number such as a score is ours. Licenses of several terminologies stay side by side: see info://licenses.
";

/// What `info://licenses` says.
pub(super) fn licenses_text(catalog: &Catalog) -> String {
    let mut text =
        "# Licenses of what is loaded\n\nEach terminology has its own; none covers another.\n"
            .to_owned();
    for one in defaults(catalog) {
        let duties = duties(&one.alias);
        let license = one.license.as_deref().or_else(|| duties.map(|duties| duties.license));
        text.push_str(&format!("\n## {} {}\n\n", one.title, one.version));
        let publisher = one.publisher.as_deref().or_else(|| duties.map(|duties| duties.source));
        for (name, value) in [("Publisher", publisher), ("License", license)] {
            text.push_str(&format!("{name}: {}\n\n", value.unwrap_or("the release does not say")));
        }
        if let Some(duties) = duties {
            text.push_str(&format!("See {}\n\n", duties.url));
        }
        let notices = catalog.release_notices(&one.alias, &one.version).iter().map(String::as_str);
        let owed = duties.map_or(&[][..], |duties| duties.notices);
        let mut said: Vec<&str> = Vec::new();
        for notice in notices.chain(owed.iter().copied()) {
            if !said.contains(&notice) {
                text.push_str(&format!("- {notice}\n"));
                said.push(notice);
            }
        }
    }
    text
}

/// What `info://{alias}/chapters` says.
pub(super) fn chapters_text(summary: &TerminologySummary, top: &ConceptList) -> String {
    let mut text = format!("# Chapters of {} {}\n\n", summary.title, summary.version);
    text.push_str("| code | name | directly below |\n|---|---|---|\n");
    for one in &top.items {
        let (code, name) = (one.code.as_str(), cell(&one.display));
        text.push_str(&format!("| {code} | {name} | {} |\n", one.child_count));
    }
    if top.paging.has_more {
        text.push_str(&format!("\n{} of {}.\n", top.paging.count, top.paging.total));
    }
    text.push_str(&format!(
        "\nGo on with `concept_hierarchy`, system `{}`, direction `children`.\n",
        summary.alias
    ));
    text
}

/// A text that cannot end a cell or a row of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}

fn content(content: Content) -> &'static str {
    match content {
        Content::Complete => "complete",
        Content::Fragment => "fragment",
        Content::Example => "example",
    }
}
