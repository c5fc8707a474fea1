//! `docs/CONFORMANCE.md`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// What became of one test.
pub(crate) struct Outcome {
    pub(crate) suite: String,
    pub(crate) case: String,
    /// `None` where the answer is the one that is expected.
    pub(crate) difference: Option<String>,
}

pub(crate) fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/CONFORMANCE.md")
}

/// How many tests pass of how many, by suite, in the order of the archive.
pub(crate) fn counts(outcomes: &[Outcome]) -> Vec<(String, usize, usize)> {
    let mut counts: Vec<(String, usize, usize)> = Vec::new();
    for one in outcomes {
        if counts.last().is_none_or(|(suite, ..)| *suite != one.suite) {
            counts.push((one.suite.clone(), 0, 0));
        }
        if let Some((_, passes, total)) = counts.last_mut() {
            *passes += usize::from(one.difference.is_none());
            *total += 1;
        }
    }
    counts
}

/// How many tests of a suite passed when the report was written.
pub(crate) fn committed(report: &str, suite: &str) -> Option<usize> {
    let row = report.lines().find(|line| line.starts_with(&format!("| {suite} |")))?;
    row.split('|').nth(2)?.trim().parse().ok()
}

/// The tests that fail and why, for the screen.
pub(crate) fn listing(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for one in outcomes {
        if let Some(difference) = &one.difference {
            let _ = writeln!(text, "{} {}: {difference}", one.suite, one.case);
        }
    }
    for (suite, passes, total) in counts(outcomes) {
        let _ = writeln!(text, "{suite}: {passes} of {total}");
    }
    text
}

pub(crate) fn markdown(outcomes: &[Outcome]) -> String {
    let counts = counts(outcomes);
    let passes: usize = counts.iter().map(|one| one.1).sum();
    let mut text = format!(
        "# HL7's tests of terminology services\n\n\
         {passes} of the {} tests of mode `general` pass, in the mode `flat` (expansions are lists) and \
         with R5's resources. The harness is `tests/it/hl7`: it loads each suite's resources, turns each \
         request into a typed call, and renames fields of the answer; issues, messages and outcomes are \
         the library's. This file is written by\n\n\
         ```\nMEDTERM_TEST_DATA=… MEDTERM_WRITE_CONFORMANCE=1 cargo test --workspace --test it hl7\n```\n\n\
         and the same test fails where a suite passes less than it says.\n\n\
         | suite | pass | of |\n|---|---|---|\n",
        outcomes.len(),
    );
    for (suite, passes, total) in &counts {
        let _ = writeln!(text, "| {suite} | {passes} | {total} |");
    }
    text.push_str("\n## Differences, by cause\n");
    let mut by_cause: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
    for one in outcomes.iter().filter(|one| one.difference.is_some()) {
        by_cause.entry(cause(one)).or_default().push(one);
    }
    for (cause, all) in by_cause {
        let _ = write!(text, "\n### {cause} ({})\n\n", all.len());
        for one in all {
            let difference = one.difference.as_deref().unwrap_or_default();
            let short: String = difference.chars().take(160).collect();
            let _ = writeln!(text, "- {}/{}: `{}`", one.suite, one.case, short.replace('`', "'"));
        }
    }
    text
}

/// What a difference is due to, as far as it tells.
fn cause(one: &Outcome) -> &'static str {
    // Causes are told of what differs; no test passes for its name.
    let difference = one.difference.as_deref().unwrap_or_default();
    let has = |part: &str| difference.contains(part);
    if has("is not asked of the library") {
        "Operations that the library has no typed call for with the suite's fields"
    } else if has("upplement") {
        "Supplements are part of a build, not of a request or of a value set"
    } else if has("designation") {
        "The publisher's coding of what a name is for, and extensions of names, are not kept"
    } else if has("warning-") || has("status-check") || has("Reference to") {
        "The publication status of code systems is not kept"
    } else if has("versionsMatch") || one.suite == "overload" {
        "Versions of a terminology are told apart, whatever `versionsMatch` says"
    } else if has("expansion") && has("property") {
        "Which properties a code system declares is not told in expansions"
    } else if has("anguage") || one.suite.starts_with("language") {
        "A code system that states no language is taken for English, and the language of a name is always told"
    } else if has("translate") || one.suite == "translate" {
        "A map read backwards answers with the code that is mapped, not with the one that was given"
    } else if has("could not be found, so the code cannot be validated") {
        "The suite writes the same sentence with and without quotation marks"
    } else if one.suite == "notSelectable" {
        "`notSelectable` is kept under FHIR's own name only"
    } else if one.suite == "tho" {
        "A status of `deprecated` makes a concept inactive here"
    } else if one.suite == "exclude" {
        "Whole terminologies are listed by code, not in the order of the resource"
    } else {
        "Others"
    }
}
