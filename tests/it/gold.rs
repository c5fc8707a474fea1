//! The committed gold files are sound: a file that lost a line, or asks for a code that does not
//! exist, would measure something else than it says.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use medterm::eval::{Accept, Gold};

use crate::support::release;

/// The files and their queries, as their README says.
const FILES: [(&str, usize); 7] = [
    ("disease_names_adjudicated.tsv", 200),
    ("icd10cm_opposites.tsv", 120),
    ("icd10pcs.tsv", 100),
    ("loinc.tsv", 100),
    ("out_of_scope.tsv", 100),
    ("rxnorm.tsv", 100),
    ("snomed_gps.tsv", 100),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/gold")
}

fn gold(name: &str) -> Gold {
    Gold::open(&folder().join(name)).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_gold_file_has_the_queries_that_the_readme_says() {
    let mut found: Vec<String> = std::fs::read_dir(folder())
        .expect("the folder can be read")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".tsv"))
        .collect();
    found.sort();
    assert_eq!(found, FILES.map(|(name, _)| name));
    let readme = std::fs::read_to_string(folder().join("README.md")).expect("it can be read");
    for (name, count) in FILES {
        assert_eq!(gold(name).queries().len(), count, "{name}");
        let line = format!("| `{name}` | {count} |");
        assert!(readme.contains(&line), "the README has no line {line:?}");
    }
}

#[test]
fn no_query_stands_in_a_gold_file_twice() {
    for (name, _) in FILES {
        let mut seen = BTreeSet::new();
        for query in gold(name).queries() {
            let folded = medterm::text::normalize(&query.query);
            assert!(seen.insert(folded), "{name}:{}: {:?} again", query.line, query.query);
        }
    }
}

#[test]
fn every_code_accepted_of_icd10cm_is_in_the_release() {
    let codes: BTreeSet<&str> = release().1.iter().map(|one| one.code.as_str()).collect();
    let exists = |pattern: &str| match pattern.strip_suffix('*') {
        Some(prefix) => codes.range(prefix..).next().is_some_and(|code| code.starts_with(prefix)),
        None => codes.contains(pattern),
    };
    for name in ["disease_names_adjudicated.tsv", "icd10cm_opposites.tsv"] {
        for query in gold(name).queries() {
            let Accept::Codes(patterns) = &query.accept else {
                panic!("{name}:{}: nothing is accepted", query.line)
            };
            for pattern in patterns {
                assert!(exists(pattern), "{name}:{}: {pattern} does not exist", query.line);
            }
        }
    }
    assert!(!exists("I21.99") && !exists("I99.99*") && exists("I21*"));
}

#[test]
fn opposites_come_in_pairs_with_nothing_right_for_both() {
    for query in gold("icd10cm_opposites.tsv").queries() {
        let (Some(Accept::Codes(others)), Accept::Codes(own)) = (&query.opposite, &query.accept)
        else {
            panic!("{}: {:?} has no opposite", query.line, query.query)
        };
        for (one, other) in own.iter().flat_map(|one| others.iter().map(move |other| (one, other)))
        {
            assert!(!overlap(one, other), "{}: {one} and {other} are right for both", query.line);
        }
    }
}

/// Whether there can be a code that both patterns accept.
fn overlap(one: &str, other: &str) -> bool {
    match (one.strip_suffix('*'), other.strip_suffix('*')) {
        (Some(one), Some(other)) => one.starts_with(other) || other.starts_with(one),
        (Some(prefix), None) => other.starts_with(prefix),
        (None, Some(prefix)) => one.starts_with(prefix),
        (None, None) => one == other,
    }
}

#[test]
fn patterns_overlap_where_a_code_fits_both() {
    assert!(overlap("E10*", "E10.9") && overlap("E10.9", "E1*") && overlap("E1*", "E10*"));
    assert!(!overlap("E10*", "E11*") && !overlap("E10", "E10.9") && !overlap("E10.9*", "E10"));
}

#[test]
fn nothing_is_right_out_of_scope() {
    for query in gold("out_of_scope.tsv").queries() {
        assert_eq!(query.accept, Accept::Nothing, "{}: {:?}", query.line, query.query);
    }
}
