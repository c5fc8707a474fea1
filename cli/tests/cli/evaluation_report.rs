use std::path::Path;

use crate::support::{file, folder, run, store};

const GOLD: &str = "query\taccept\taxis\tpair\n\
    e119\tE11.9\n\
    type 1 diabetes\tE11\ttype\t1\n\
    type 2 diabetes\tE10\ttype\t1\n\
    heart failure\tI21.4|I21.9\n\
    zxqvw\tI50.9\n\
    weather forecast\t-\n";

/// What must be the same whatever the ranking: ranks, the shares made of them and times left out.
fn structure(report: &str) -> String {
    let (_, measured) = report.split_once("\n## ").expect("a terminology");
    let line = |line: &str| match line.strip_prefix("| ") {
        Some(row) => row.split(" | ").take(4).collect::<Vec<_>>().join(" | "),
        None => line.split("; ").next().unwrap_or_default().to_owned(),
    };
    measured.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn report(folder: &Path, name: &str, more: &[&str]) -> String {
    let gold = file(folder, "small.tsv", GOLD.as_bytes());
    let path = folder.join(name);
    let mut arguments = vec!["eval", "--gold", &gold, "--report", path.to_str().expect("UTF-8")];
    arguments.extend(more);
    run(store(), &arguments).ended(0);
    std::fs::read_to_string(&path).expect("the report is there")
}

#[test]
fn a_report_shows_every_mode_and_the_failures_by_kind() {
    let text = report(&folder("report"), "QUALITY.md", &[]);
    assert!(
        text.starts_with(
            "# Quality of the search\n\nWritten by\n\n```sh\nmedterm eval --gold small.tsv --report \
             QUALITY.md\n```\n"
        ),
        "{text}"
    );
    let expected = format!(
        "icd10cm 2026

ICD-10-CM, version 2026: 11 concepts, 17 names, 0 of them borrowed

### small.tsv

mode | n | R@1 | 95 % of R@1
--- | ---: | ---: | ---:
hybrid | 6 | 33.3 | 9.7–70.0
lexical | 6 | 33.3 | 9.7–70.0
semantic | 6 | 16.7 | 3.0–56.4
rrf | 6 | 16.7 | 3.0–56.4
minmax | 6 | 16.7 | 3.0–56.4
dbsf | 6 | 16.7 | 3.0–56.4
bm25 | 6 | 16.7 | 3.0–56.4

{}

- nothing found: **1**
  - `zxqvw`: nothing, right is `I50.9`
- axis error: the opposite of what is stated, or a choice where nothing is: **2**
  - `type 1 diabetes`: `E10`, right is `E11`
  - `type 2 diabetes`: `E11`, right is `E10`
- not in the pool: **1**
  - `heart failure`: `I50`, right is `I21.4|I21.9`",
        "The first hit of hybrid is wrong for 4 of 6 (66.7 %). Behind a query are the first hit, what \
         is right, and the rank of what is right: fused / by words / by meaning."
    );
    let lines = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // Within a kind the worst stands first, which is a matter of the ranking.
        let at = lines.iter().position(|line| line.starts_with("- axis")).unwrap_or_default();
        lines[at + 1..at + 3].sort();
        lines
    };
    assert_eq!(lines(&structure(&text)), lines(&expected), "{text}");
}

#[test]
fn a_report_is_the_same_again_but_for_its_times_and_names_no_folder() {
    let folder = folder("report-again");
    let modes = ["--mode", "hybrid,minmax", "--failures", "2"];
    let without_times = |text: &str| {
        let line = |line: &str| match line.starts_with("| ") {
            true => line.rsplitn(4, " | ").last().unwrap_or_default().to_owned(),
            false => line.to_owned(),
        };
        text.lines().map(line).collect::<Vec<_>>()
    };
    let (one, two) = (report(&folder, "Q.md", &modes), report(&folder, "Q.md", &modes));
    assert_eq!(without_times(&one), without_times(&two));
    assert!(one.contains("--mode hybrid,minmax --failures 2\n"), "{one}");
    assert!(!one.contains(&*folder.to_string_lossy()) && !one.contains("target"), "{one}");
    assert!(!one.contains("| bm25 |"), "only the modes that were asked for: {one}");
}

#[test]
fn a_report_of_what_was_left_out_says_so() {
    let text = report(&folder("report-without"), "Q.md", &["--without", "inclusion"]);
    assert!(text.contains("\nBuilt without these names: inclusion.\n"), "{text}");
}

#[test]
fn opposites_and_abstention_are_counted() {
    let gold = file(&folder("report-json"), "small.tsv", GOLD.as_bytes());
    let arguments = ["eval", "--gold", &gold, "--json", "--failures", "9"];
    let report = run(store(), &arguments).ended(0).json();
    assert_eq!(report["axis_conflicts"]["stated"], 2, "{report}");
    assert_eq!(report["pair_errors"], 2, "{report}");
    assert_eq!(report["abstention"], 1.0, "{report}");
    let [low, high] = [0, 1].map(|at| report["recall_at_1_interval"][at].as_f64());
    assert!(low < Some(1.0 / 3.0) && high > Some(1.0 / 3.0), "{report}");
    let kinds: Vec<&str> = report["failures"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|failure| failure["kind"].as_str())
        .collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "axis").count(), 2, "{report}");
    assert!(kinds.contains(&"not_in_pool") && kinds.contains(&"nothing_found"), "{report}");
}

#[test]
fn a_first_hit_that_says_the_opposite_is_counted() {
    let gold = "query\taccept\n\
        type 1 diabetes with hyperglycemia\tE10*\n\
        diabetes mellitus without hyperglycemia\tI50\n\
        diabetes mellitus with hyperglycemia\tI50\n\
        heart failure\tI21\n";
    let gold = file(&folder("report-opposites"), "opposites.tsv", gold.as_bytes());
    // Plain BM25 minds no opposites, so that its first hits are sure to be E11.65, with
    // hyperglycemia.
    let arguments = ["eval", "--gold", &gold, "--json", "--mode", "bm25"];
    let report = run(store(), &arguments).ended(0).json();
    assert_eq!(report["axis_conflicts"]["stated"], 3, "{report}");
    assert_eq!(report["axis_conflicts"]["wrong"], 2, "{report}");
    assert!(report["pair_errors"].is_null() && report["abstention"].is_null(), "{report}");
}

#[test]
fn gold_files_of_several_terminologies_are_measured_in_one_run() {
    let folder = folder("report-systems");
    let gold = file(&folder, "small.tsv", GOLD.as_bytes());
    let named = format!("icd10cm={gold}");
    let reports = run(store(), &["eval", "--gold", &gold, &named, "--json"]).ended(0).json();
    let golds: Vec<&str> = reports
        .as_array()
        .expect("one report a file")
        .iter()
        .filter_map(|report| report["gold"].as_str())
        .collect();
    assert_eq!(golds, [&gold, &gold]);
    let unknown = format!("nowhere={gold}");
    let error = run(store(), &["eval", "--gold", &unknown]).ended(2).stderr;
    assert!(error.contains("nowhere"), "{error}");
}

#[test]
fn a_report_without_a_folder_for_it_is_refused_before_anything_is_measured() {
    let folder = folder("report-nowhere");
    let gold = file(&folder, "small.tsv", GOLD.as_bytes());
    let path = folder.join("no/such/Q.md");
    let path = path.to_str().expect("UTF-8");
    let error = run(store(), &["eval", "--gold", &gold, "--report", path]).ended(4).stderr;
    assert!(error.contains("looking for the report's folder"), "{error}");
}
