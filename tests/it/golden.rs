//! Replays the golden behaviours: what must lead for a query, and what must not.

use std::path::Path;

use medterm::Catalog;

use crate::support::*;
use crate::toml_cases::{Case, read};

const FIELDS: &[&str] =
    &["query", "must_lead", "must_include", "must_not_lead", "stores", "because"];
const STORES: &[&str] = &["complete", "cut"];

fn cases() -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/golden/icd10cm.toml");
    let text = std::fs::read_to_string(path).expect("the golden file is there");
    read(&text).expect("the golden file is sound")
}

fn values<'c>(case: &'c Case, field: &str) -> &'c [String] {
    case.get(field).map(Vec::as_slice).unwrap_or_default()
}

/// `I21.9` is one code, `I21*` every code that begins so.
fn accepts(pattern: &str, code: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(prefix) => code.starts_with(prefix),
        None => code == pattern,
    }
}

/// What a store gets wrong of the cases that are meant for it.
fn wrong(catalog: &Catalog, store: &str) -> (usize, Vec<String>) {
    let mut found = Vec::new();
    let cases = cases();
    let mine: Vec<&Case> =
        cases.iter().filter(|case| values(case, "stores").iter().any(|one| one == store)).collect();
    for case in &mine {
        let query = &values(case, "query")[0];
        let response = ask(catalog, &request(query, 10));
        let listed = codes(&response);
        let any = |patterns: &[String], code: &str| patterns.iter().any(|one| accepts(one, code));
        let lead = values(case, "must_lead");
        let leads = listed.first().is_some_and(|first| any(lead, first));
        let missing = values(case, "must_include")
            .iter()
            .any(|pattern| !listed.iter().any(|code| accepts(pattern, code)));
        let forbidden =
            listed.first().is_some_and(|first| any(values(case, "must_not_lead"), first));
        if (!lead.is_empty() && !leads) || missing || forbidden {
            found.push(format!("{case:?}\n    got {listed:?}"));
        }
    }
    (mine.len(), found)
}

#[test]
fn the_golden_file_is_in_order() {
    let cases = cases();
    let (_, concepts) = release();
    for case in &cases {
        assert!(case.keys().all(|field| FIELDS.contains(&field.as_str())), "{case:?}");
        assert_eq!(values(case, "query").len(), 1, "{case:?}");
        assert!(!values(case, "because").is_empty(), "{case:?}");
        let stores = values(case, "stores");
        assert!(
            !stores.is_empty() && stores.iter().all(|s| STORES.contains(&s.as_str())),
            "{case:?}"
        );
        let patterns =
            ["must_lead", "must_include", "must_not_lead"].map(|field| values(case, field));
        assert!(patterns.iter().any(|patterns| !patterns.is_empty()), "{case:?} asks for nothing");
        for pattern in patterns.into_iter().flatten() {
            let known = concepts.iter().any(|concept| accepts(pattern, concept.code.as_str()));
            assert!(known, "{pattern} is no code: {case:?}");
        }
    }
    let queries: std::collections::BTreeSet<&String> =
        cases.iter().map(|case| &values(case, "query")[0]).collect();
    assert_eq!(queries.len(), cases.len(), "a query is there twice");
}

#[test]
fn the_complete_release_behaves_as_written_down() {
    let (asked, found) = wrong(complete(), "complete");
    assert!(asked >= 40, "only {asked} cases");
    assert!(found.is_empty(), "{} of {asked}:\n{}", found.len(), found.join("\n"));
}

#[cfg(feature = "rten")]
#[test]
fn the_cut_with_vectors_behaves_as_written_down() {
    let (asked, found) = wrong(crate::model::cut(), "cut");
    assert!(asked >= 10, "only {asked} cases");
    assert!(found.is_empty(), "{} of {asked}:\n{}", found.len(), found.join("\n"));
}
