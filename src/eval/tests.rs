use std::path::Path;

use serde_json::json;

use super::*;

fn gold(text: &str) -> Result<Gold, GoldError> {
    Gold::parse(Path::new("g.tsv"), text)
}

fn list(codes: &[&str]) -> RankedList {
    RankedList {
        hits: codes.iter().map(|code| RankedHit::new(*code, false)).collect(),
        milliseconds: 1.0,
    }
}

fn strong(codes: &[&str]) -> RankedList {
    let hits = codes.iter().map(|code| RankedHit::new(*code, true)).collect();
    RankedList { hits, milliseconds: 3.0 }
}

fn evaluation(family: Family) -> Evaluation {
    Evaluation::new(EvaluationOf {
        system: "icd10cm".to_owned(),
        gold: "g.tsv".to_owned(),
        mode: "hybrid".to_owned(),
        family,
    })
}

#[test]
fn a_gold_file_is_read_with_marks_line_ends_and_further_columns() {
    let gold =
        gold("\u{feff}query\taccept\tfrom\r\nheart attack\tI21* | I25.2\tme\r\n\r\nweather\t-\n")
            .expect("well-formed");
    let queries = gold.queries();
    assert_eq!(queries.len(), 2);
    assert_eq!((queries[0].line, queries[0].query.as_str()), (2, "heart attack"));
    assert!(queries[0].accept.accepts("I21.4") && queries[0].accept.accepts("I25.2"));
    assert!(!queries[0].accept.accepts("I22.0") && !queries[0].accept.accepts("I25.20"));
    assert_eq!((queries[1].line, &queries[1].accept), (4, &Accept::Nothing));
    assert!(!queries[1].accept.accepts("-"));
}

#[test]
fn a_bad_gold_file_is_refused_with_its_line() {
    let text = |text: &str| gold(text).expect_err(text).to_string();
    assert!(text("").starts_with("g.tsv:1: found \"\", expected the header"));
    assert!(text("label\ticd10cm\n").contains("expected the header query<TAB>accept"));
    assert!(text("query\taccept\nheart attack I21\n").starts_with("g.tsv:2: the line has no tab"));
    assert!(text("query\taccept\n\tI21\n").starts_with("g.tsv:2: the query is empty"));
    for accept in ["", "I21||I22", "*", "I21|-", "I*1"] {
        assert!(text(&format!("query\taccept\na\tA00\nb\t{accept}\n")).starts_with("g.tsv:3: "));
    }
    assert_eq!(text("query\taccept\n\n"), "g.tsv: there is no query in it");
    let missing = Gold::open(Path::new("/no/such/gold.tsv")).expect_err("missing");
    assert!(matches!(missing.kind(), GoldErrorKind::Io(_)));
}

#[test]
fn text_that_is_not_utf8_is_refused_with_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("latin1.tsv");
    std::fs::write(&path, b"query\taccept\na\tA00\nM\xe9ni\xe8re\tH81\n").expect("written");
    let error = Gold::open(&path).expect_err("not UTF-8");
    assert_eq!(error.line(), Some(3));
    assert!(matches!(error.kind(), GoldErrorKind::Encoding));
}

#[test]
fn the_numbers_are_those_computed_by_hand() {
    let gold = gold("query\taccept\na\tI21.9\nb\tI21*\nc\tJ18.9\nd\tZ99\nnonsense\t-\n")
        .expect("well-formed");
    let queries = gold.queries();
    let mut evaluation = evaluation(Family::FirstThree);
    // Right at once, and confident.
    evaluation.push(&queries[0], QueryRun::new(strong(&["I21.9", "I22"])));
    // Third, in another family, choosing a side, and both sides' first hits are gone.
    evaluation.push(
        &queries[1],
        QueryRun {
            lexical: Some(list(&["I50"])),
            semantic: Some(list(&["I51", "I21.0"])),
            axes: AxisCheck::Violated,
            ..QueryRun::new(list(&["A00", "A01", "I21.0"]))
        },
    );
    // Second, in the right family, wrongly confident, and the sides agree on a first hit it lost.
    evaluation.push(
        &queries[2],
        QueryRun {
            lexical: Some(list(&["K35"])),
            semantic: Some(list(&["K35"])),
            ..QueryRun::new(strong(&["J18.1", "J18.9"]))
        },
    );
    // Not found; the nearest vector has no claim.
    evaluation.push(
        &queries[3],
        QueryRun {
            semantic: Some(list(&["K35"])),
            model: ModelUse::NotNeeded,
            ..QueryRun::new(list(&[]))
        },
    );
    // Out of scope, and nothing is strong.
    evaluation.push(&queries[4], QueryRun::new(list(&["B99"])));
    let report = evaluation.finish(2);
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
    close(report.recall_at.one, 0.4);
    close(report.recall_at.three, 0.8);
    close(report.recall_at.ten, 0.8);
    close(report.mrr_at_20, (1.0 + 1.0 / 3.0 + 0.5 + 0.0 + 1.0) / 5.0);
    close(report.family_recall_at_1.expect("ICD"), 0.6);
    close(report.strong.share, 0.4);
    close(report.strong.precision.expect("two are strong"), 0.5);
    assert_eq!((report.lost_number_ones, report.axis_violations), (3, 1));
    close(report.ms_per_query.p50, 1.0);
    close(report.ms_per_query.p99, 3.0);
    let failed: Vec<&str> = report.failures.iter().map(|f| f.query.as_str()).collect();
    assert_eq!(failed, ["d", "b"]);
    assert_eq!(report.failures[1].semantic_rank, Some(2));
}

#[test]
fn confidence_in_an_out_of_scope_query_is_a_failure() {
    let gold = gold("query\taccept\nweather\t-\n").expect("well-formed");
    let mut evaluation = evaluation(Family::None);
    let hits = vec![RankedHit::new("A00", false), RankedHit::new("A01", true)];
    evaluation.push(&gold.queries()[0], QueryRun::new(RankedList { hits, milliseconds: 0.5 }));
    let report = evaluation.finish(10);
    assert_eq!(report.recall_at.ten, 0.0);
    assert_eq!(report.failures[0].rank, None);
    assert_eq!(report.failures[0].kind, FailureKind::Overconfident);
    assert_eq!(report.abstention, Some(0.0));
}

#[test]
fn ranks_end_at_twenty() {
    let mut codes: Vec<String> = (0..20).map(|i| format!("A{i:02}")).collect();
    codes.push("Z00".to_owned());
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    assert_eq!(list(&codes).rank(&Accept::Codes(vec!["A19".to_owned()])), Some(20));
    assert_eq!(list(&codes).rank(&Accept::Codes(vec!["Z00".to_owned()])), None);
}

#[test]
fn the_report_has_the_agreed_shape() {
    let gold = gold("query\taccept\na\tA00\n").expect("well-formed");
    let mut evaluation = evaluation(Family::FirstThree);
    evaluation.push(&gold.queries()[0], QueryRun::new(list(&["B00", "A00"])));
    let report = serde_json::to_value(evaluation.finish(5)).expect("plain data");
    assert_eq!(
        report,
        json!({
            "system": "icd10cm", "gold": "g.tsv", "mode": "hybrid", "n": 1,
            "recall_at": {"1": 0.0, "3": 1.0, "5": 1.0, "10": 1.0},
            "recall_at_1_interval": wilson_interval(0, 1),
            "mrr_at_20": 0.5, "family_recall_at_1": 0.0,
            "lost_number_ones": 0, "axis_violations": 0,
            "axis_conflicts": {"stated": 0, "wrong": 0},
            "pair_errors": null, "abstention": null,
            "strong": {"share": 0.0, "precision": null},
            "ms_per_query": {"p50": 1.0, "p99": 1.0},
            "failures": [{
                "query": "a", "accept": "A00", "top": "B00", "rank": 2,
                "lexical_rank": null, "semantic_rank": null, "kind": "neither_side"
            }]
        })
    );
}

#[test]
fn the_confidence_interval_is_that_of_the_tables() {
    let close = |found: [f64; 2], expected: [f64; 2]| {
        let near = |at: usize| (found[at] - expected[at]).abs() < 5e-4;
        assert!(near(0) && near(1), "{found:?} {expected:?}");
    };
    // Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17
    // (1998), table I, method 3.
    close(wilson_interval(81, 263), [0.2553, 0.3662]);
    close(wilson_interval(15, 148), [0.0624, 0.1605]);
    close(wilson_interval(0, 20), [0.0, 0.1611]);
    close(wilson_interval(1, 29), [0.0061, 0.1718]);
    close(wilson_interval(20, 20), [0.8389, 1.0]);
    assert_eq!(wilson_interval(0, 0), [0.0, 1.0]);
}

#[test]
fn a_stated_axis_is_kept_or_contradicted() {
    let gold =
        gold("query\taccept\na\tA00\nb\tA00\nc\tA00\nd\tA00\nnonsense\t-\n").expect("well-formed");
    let mut evaluation = evaluation(Family::None);
    let answers = [
        (["A00"], StatedAxes::Kept),
        (["B00"], StatedAxes::Contradicted),
        // Right, whatever the words say.
        (["A00"], StatedAxes::Contradicted),
        (["B00"], StatedAxes::Unstated),
        // Where nothing is right no axis is.
        (["B00"], StatedAxes::Contradicted),
    ];
    for (query, (codes, stated)) in gold.queries().iter().zip(answers) {
        evaluation.push(query, QueryRun { stated, ..QueryRun::new(list(&codes)) });
    }
    let report = evaluation.finish(5);
    assert_eq!(report.axis_conflicts, AxisConflicts { stated: 3, wrong: 1 });
    assert_eq!((report.pair_errors, report.abstention), (None, Some(1.0)));
    let kinds: Vec<FailureKind> = report.failures.iter().map(|failure| failure.kind).collect();
    assert_eq!(kinds, [FailureKind::Axis, FailureKind::NeitherSide]);
}

#[test]
fn the_answer_to_the_other_of_a_pair_is_a_pair_error() {
    let gold = gold(
        "query\taccept\taxis\tpair\nlow k\tE87.6\tlow/high\t1\nhigh k\tE87.5|E87.6\tlow/high\t1\n\
         type 1\tE10*\ttype\t2\ntype 2\tE11*\ttype\t2\nalone\tI50\t\t\nshort\tI50\n",
    )
    .expect("well-formed");
    let queries = gold.queries();
    assert_eq!(queries[0].opposite, Accept::parse("E87.5|E87.6"));
    assert_eq!(queries[3].opposite, Accept::parse("E10*"));
    assert_eq!((&queries[4].opposite, &queries[5].opposite), (&None, &None));
    let mut evaluation = evaluation(Family::FirstThree);
    // Right for both is right; wrong for both is no pair error.
    for (query, top) in queries.iter().zip(["E87.6", "E87.6", "E11.9", "I10", "E10", "I50"]) {
        evaluation.push(query, QueryRun::new(list(&[top])));
    }
    let report = evaluation.finish(5);
    assert_eq!(report.pair_errors, Some(1));
    let kinds = report.failures.iter().map(|failure| (failure.query.as_str(), failure.kind));
    let expected = [
        ("type 1", FailureKind::Axis),
        ("type 2", FailureKind::NeitherSide),
        ("alone", FailureKind::NeitherSide),
    ];
    assert_eq!(kinds.collect::<Vec<_>>(), expected);
}

#[test]
fn a_failure_is_of_the_first_kind_that_holds() {
    let gold = gold("query\taccept\na\tA00\n").expect("well-formed");
    let others: Vec<String> = (1..=10).map(|n| format!("B{n:02}")).collect();
    let deep: Vec<&str> = others.iter().map(String::as_str).chain(["A00"]).collect();
    let (with, without) = (Some(list(&deep[1..])), Some(list(&deep)));
    let kind = |run: QueryRun| {
        let mut evaluation = evaluation(Family::None);
        evaluation.push(&gold.queries()[0], run);
        evaluation.finish(1).failures[0].kind
    };
    let run = |lexical: &Option<RankedList>, semantic: &Option<RankedList>| QueryRun {
        lexical: lexical.clone(),
        semantic: semantic.clone(),
        ..QueryRun::new(list(&deep))
    };
    assert_eq!(kind(run(&with, &with)), FailureKind::BothSides);
    assert_eq!(kind(run(&with, &without)), FailureKind::OnlyLexical);
    assert_eq!(kind(run(&without, &with)), FailureKind::OnlySemantic);
    assert_eq!(kind(run(&without, &None)), FailureKind::NeitherSide);
    let outside = QueryRun { pool: PoolCheck::Outside, ..run(&without, &without) };
    assert_eq!(kind(outside), FailureKind::NotInPool);
    let inside = QueryRun { pool: PoolCheck::Inside, ..run(&without, &without) };
    assert_eq!(kind(inside), FailureKind::NeitherSide);
    let axis = QueryRun { axes: AxisCheck::Violated, ..run(&with, &with) };
    assert_eq!(kind(axis), FailureKind::Axis);
    let nothing = QueryRun { lexical: with, ..QueryRun::new(list(&[])) };
    assert_eq!(kind(nothing), FailureKind::NothingFound);
}
