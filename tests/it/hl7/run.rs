//! Runs the suites.

use serde_json::Value;

use super::compare::difference;
use super::expansion::expand;
use super::report::{self, Outcome};
use super::request::Parameters;
use super::suite::{Archive, Case};
use super::translation::translate;
use super::validation::{Asked, validate, validate_many};
use super::world::World;

/// The answer to a request; `None` where the library has no such question.
fn answer(world: &World, case: &Case, asked: &Parameters) -> Option<Value> {
    let catalog = world.catalog(&asked.resources());
    Some(match case.operation.as_str() {
        "expand" => expand(world, &catalog, case, asked),
        "validate-code" => validate(&catalog, case, asked, Asked::ValueSet),
        "cs-validate-code" => validate(&catalog, case, asked, Asked::Terminology),
        "translate" => translate(&catalog, asked),
        "batch-validate" => validate_many(&catalog, case, asked),
        _ => return None,
    })
}

fn run(archive: &Archive) -> Vec<Outcome> {
    let only = std::env::var("MEDTERM_HL7_SUITE").ok();
    let mut outcomes = Vec::new();
    for suite in archive.suites() {
        if only.as_ref().is_some_and(|only| *only != suite.name) {
            continue;
        }
        let world = World::of(archive, &suite);
        for case in &suite.tests {
            let asked = Parameters::of(archive, case);
            let difference = match answer(&world, case, &asked) {
                None => Some(format!("{} is not asked of the library", case.operation)),
                Some(answer) => {
                    let right = archive.responses(case);
                    let differences: Vec<Option<String>> =
                        right.iter().map(|right| difference(right, &answer)).collect();
                    match differences.iter().any(Option::is_none) {
                        true => None,
                        false => differences
                            .into_iter()
                            .next()
                            .unwrap_or_else(|| Some("there is no answer to compare".to_owned())),
                    }
                }
            };
            outcomes.push(Outcome {
                suite: suite.name.clone(),
                case: case.name.clone(),
                difference,
            });
        }
    }
    outcomes
}

#[test]
fn no_suite_passes_less_than_was_committed() {
    let Some(archive) = Archive::open() else { return };
    let outcomes = run(&archive);
    if std::env::var_os("MEDTERM_HL7_SUITE").is_some() {
        print!("{}", report::listing(&outcomes));
        return;
    }
    if std::env::var_os("MEDTERM_WRITE_CONFORMANCE").is_some() {
        std::fs::write(report::path(), report::markdown(&outcomes)).expect("it can be written");
    }
    let committed = std::fs::read_to_string(report::path()).expect("the report is there");
    for (suite, passes, total) in report::counts(&outcomes) {
        let before = report::committed(&committed, &suite).unwrap_or(0);
        assert!(passes >= before, "{suite}: {passes} of {total} pass; {before} did");
    }
}
