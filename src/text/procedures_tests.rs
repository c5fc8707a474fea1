use std::collections::BTreeSet;

use super::*;

fn texts(query: &str) -> Vec<String> {
    procedures(query).into_iter().map(|reading| reading.text).collect()
}

#[test]
fn words_are_read_by_their_parts() {
    for (query, first) in [
        ("appendectomy", "resection of appendix"),
        ("Appendicectomy", "resection of appendix"),
        ("splenectomies", "resection of spleen"),
        ("nephrolithotomy", "extirpation of matter from kidney"),
        ("gastrojejunostomy", "bypass stomach jejunum to cutaneous"),
        ("salpingo-oophorectomy", "fallopian tube resection of ovary"),
        ("urethroplasty", "repair urethra"),
        ("ureteroscopy", "inspection of ureter via natural or artificial opening endoscopic"),
        ("partial nephrectomy", "excision of kidney"),
        ("nephrectomy", "resection of kidney"),
        ("laparoscopic splenectomy", "percutaneous endoscopic resection of spleen"),
        ("emergency c-section", "extraction of products of conception low open approach"),
        ("Total Hip Replacement", "replacement of hip joint"),
        ("d&c", "extraction of endometrium"),
    ] {
        assert_eq!(texts(query).first().map(String::as_str), Some(first), "{query}");
    }
}

#[test]
fn a_second_sense_follows_the_first() {
    assert_eq!(texts("nephrectomy"), ["resection of kidney", "excision of kidney"]);
    let readings = procedures("nephrectomy");
    assert_eq!(readings[0].from, "nephrectomy");
    assert_eq!(readings[1].to, "excision of kidney");
    assert!(readings.iter().all(|one| one.kind == RewriteKind::Procedure && one.senses == 2));
}

#[test]
fn other_words_are_left_alone() {
    for query in
        ["heart attack", "resection of appendix", "", "ectomy", "anatomy", "lobotomist", "盲腸"]
    {
        assert_eq!(procedures(query), [], "{query}");
    }
    // Its ending is one, its beginning is no body part.
    for word in ["autonomy", "program", "pneumonia", "analysis", "dichotomy", "biography"] {
        assert!(!is_procedure_word(word), "{word}");
    }
    assert!(is_procedure_word("cholecystectomy") && is_procedure_word("puncture"));
}

#[test]
fn only_terminologies_of_procedures_have_them() {
    let with =
        |root: &'static str, count| move |stem_: &str| if stem(root) == stem_ { count } else { 0 };
    assert!(speaks_of_operations(with("excision", 500), 78_603));
    assert!(!speaks_of_operations(with("excision", 20), 110_000));
    assert!(!speaks_of_operations(with("bypass", 500), 1_000));
    assert!(!speaks_of_operations(|_| 0, 0));
}

#[test]
fn the_table_is_in_order() {
    let rows: Vec<Vec<&str>> = include_str!("procedures.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
        .collect();
    assert_eq!(rows[0], ["word", "operation", "kind", "source"]);
    let mut seen = BTreeSet::new();
    for row in &rows[1..] {
        assert_eq!(row.len(), 4, "{row:?}");
        assert!(["form", "ending", "approach", "name", "filler"].contains(&row[2]), "{row:?}");
        assert!(
            !row[0].is_empty() && !row[3].is_empty() && row[0] == row[0].to_lowercase(),
            "{row:?}"
        );
        assert_eq!(row[1].is_empty(), row[2] == "filler", "{row:?}");
        assert_eq!(row[1].contains("{}"), row[2] == "ending", "{row:?}");
        let words: Vec<&str> =
            if row[2] == "form" { row[0].split(' ').collect() } else { vec![row[0]] };
        for word in words {
            assert!(
                seen.insert((row[2] == "form", row[2] == "ending", word)),
                "{word} is there twice"
            );
        }
    }
}
