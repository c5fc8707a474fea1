use crate::support::{file, folder, run, store};

const GOLD: &str = "query\taccept\n\
    e119\tE11.9\n\
    heart failure\tI50*\n\
    coronary thrombosis\tI21\n\
    weather forecast\t-\n";

#[test]
fn one_gold_file_gives_one_object() {
    let gold = file(&folder("gold"), "small.tsv", GOLD.as_bytes());
    let report =
        run(store(), &["eval", "--gold", &gold, "--json", "--failures", "5"]).ended(0).json();
    assert_eq!((&report["system"], &report["mode"]), (&"icd10cm".into(), &"hybrid".into()));
    assert_eq!(report["n"], 4);
    assert_eq!(report["recall_at"]["1"], 1.0, "{report}");
    assert_eq!(report["family_recall_at_1"], 1.0);
    assert_eq!(report["strong"]["precision"], 1.0);
    assert_eq!(report["failures"].as_array().map(Vec::len), Some(0));
}

#[test]
fn modes_are_compared() {
    let gold = file(&folder("modes"), "small.tsv", GOLD.as_bytes());
    let arguments = ["eval", "--gold", &gold, "--mode", "lexical,bm25", "--json"];
    let reports = run(store(), &arguments).ended(0).json();
    let modes: Vec<&str> = reports
        .as_array()
        .expect("one report a mode")
        .iter()
        .filter_map(|report| report["mode"].as_str())
        .collect();
    assert_eq!(modes, ["lexical", "bm25"]);
    let table = run(store(), &["eval", "--gold", &gold, "--mode", "lexical,bm25"]).ended(0).stdout;
    assert!(table.contains("R@10") && table.contains("bm25"), "{table}");
}

#[test]
fn names_can_be_left_out_of_the_measurement() {
    let gold = "query\taccept\ncoronary thrombosis\tI21\n";
    let gold = file(&folder("without"), "inclusion.tsv", gold.as_bytes());
    let arguments = ["eval", "--gold", &gold, "--mode", "bm25", "--failures", "1", "--json"];
    let with = run(store(), &arguments).ended(0).json();
    assert_eq!(with["recall_at"]["1"], 1.0);
    let mut arguments = arguments.to_vec();
    arguments.extend(["--without", "inclusion,synonym"]);
    let without = run(store(), &arguments).ended(0).json();
    assert_eq!(without["recall_at"]["10"], 0.0, "{without}");
    assert_eq!(without["failures"][0]["query"], "coronary thrombosis");
    // The store itself still has them.
    run(store(), &["search", "coronary thrombosis"]).ended(0);
}

#[test]
fn a_bad_gold_file_is_refused_with_its_line() {
    let folder = folder("bad-gold");
    let gold = file(&folder, "bad.tsv", b"query\taccept\nstroke I63\n");
    let error = run(store(), &["eval", "--gold", &gold]).ended(3).stderr;
    assert!(error.contains("bad.tsv:2: the line has no tab"), "{error}");
    let error = run(store(), &["eval", "--gold", "no-such.tsv", "--json"]).ended(3).json();
    assert_eq!(error["error"]["code"], "bad_gold_file");
}
