use std::path::{Path, PathBuf};

use crate::terminology::{Concept, DesignationUse};

use super::*;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

fn list() -> Box<dyn Source> {
    open(Format::CmsTabular, &fixture("icd10cm-index/list.xml")).expect("the list opens")
}

fn in_language(language: Option<&str>, columns: &[&str]) -> SupplementOptions {
    SupplementOptions {
        columns: columns.iter().map(|one| one.parse().expect("a column")).collect(),
        language: language.map(str::to_owned),
    }
}

/// A code, a language and a value.
type Added = (String, String, String);

/// Codes, languages and values of the names added, and what was counted.
fn added(
    supplement: &Path,
    options: &SupplementOptions,
) -> Result<(Vec<Added>, Tally), ImportError> {
    let mut source = Supplement::open(supplement, options)?.attach(list())?;
    let concepts: Vec<Concept> = source.by_ref().collect::<Result<_, _>>()?;
    let mut added = Vec::new();
    for concept in concepts {
        for one in concept.designations {
            assert_eq!(one.use_, DesignationUse::Synonym);
            assert!(one.source.is_some());
            added.push((concept.code.to_string(), one.language, one.value));
        }
    }
    Ok((added, source.tally()))
}

fn left_out(tally: &Tally) -> Vec<(&str, &str)> {
    let shown = |first: &'_ str| first.rfind("boats").unwrap_or_default();
    let all = tally.left_out.iter();
    all.map(|one| (one.reason.as_str(), &one.first[shown(&one.first)..])).collect()
}

fn as_text(added: &[(String, String, String)]) -> Vec<String> {
    added.iter().map(|(code, language, value)| format!("{code} {language} {value}")).collect()
}

#[test]
fn a_table_adds_names_where_code_and_display_agree() {
    let (names, tally) =
        added(&fixture("supplement/boats-de.csv"), &in_language(None, &[])).expect("reads");
    assert_eq!(
        as_text(&names),
        [
            "A00 de Bootsunfall",
            "A00.0 de Schwimmer, vom Boot getroffen",
            "A01.1 nl Vergiftiging door verf"
        ]
    );
    assert_eq!(
        left_out(&tally),
        [
            ("the row has no language", "boats-de.csv:5: A00.2 Boot gesunken"),
            ("the row has no name to add", "boats-de.csv:6: A00.20 "),
            ("the row has no code", "boats-de.csv:7:  Niemand"),
            (
                "the release has another name for the code",
                "boats-de.csv:4: A00.1 Boat hit the beach"
            ),
            ("the release does not have the code", "boats-de.csv:8: A09 Unbekannt"),
        ]
    );
    let options = in_language(Some("de-CH"), &[]);
    let (names, _) = added(&fixture("supplement/boats-de.csv"), &options).expect("reads");
    assert_eq!(as_text(&names)[2], "A00.2 de-CH Boot gesunken");
}

#[test]
fn displays_that_differ_in_how_they_are_printed_are_the_same() {
    let (a, b) = ("Ménière’s  disease [STEC], right ear", "Meniere's disease (stec) - right ear");
    assert!(names::is_same(a, b) && names::is_same("Œdème", "oedeme"));
    for (a, b) in [("Type 1", "Type 2"), ("left ear", "right ear"), ("a b", "ab"), ("x", "")] {
        assert!(!names::is_same(a, b), "{a} {b}");
    }
}

#[test]
fn a_fhir_supplement_adds_its_designations() {
    let path = fixture("supplement/boats-fr.json");
    let (names, tally) = added(&path, &in_language(None, &[])).expect("reads");
    assert_eq!(as_text(&names), ["A00 fr Accident de bateau", "A00 es Accidente de barco"]);
    assert_eq!(
        left_out(&tally),
        [
            ("the release has another name for the code", "boats-fr.json: A00.1 Another"),
            ("the release does not have the code", "boats-fr.json: A99 y"),
        ]
    );
    let mut source = Supplement::open(&path, &in_language(None, &[]))
        .and_then(|read| read.attach(list()))
        .expect("reads");
    let concept = source.nth(2).expect("three").expect("they are sound");
    assert_eq!(concept.designations[0].source.as_deref(), Some("Bateaux 3"));
}

#[test]
fn supplements_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("names");
    let json = std::fs::read_to_string(fixture("supplement/boats-fr.json")).expect("it is there");
    let cases: Vec<(String, &str)> = vec![
        (json.replace("icd-10-cm", "icd-10"), "expected the terminology"),
        (json.replace("icd-10-cm", "icd-10-cm|1999"), "expected the terminology"),
        (json.replace("\"supplement\"", "\"complete\""), "found \"complete\" as content"),
        (json.replace("CodeSystem\"", "ValueSet\""), "found \"ValueSet\" as resourceType"),
        (json.replace("\"supplements\"", "\"other\""), "has no supplements"),
        (json.replace("\"language\": \"fr\",", ""), "does not say the language"),
        (json.replace("\"code\": \"A99\",", ""), "names:19: the text is not JSON of this format"),
        (json[..json.len() / 2].to_owned(), "the file ends inside the JSON"),
        ("code,value\nA00,x\n".to_owned(), "does not say the language"),
        ("code,language\nA00,de\n".to_owned(), "the columns are code, language; name it with"),
        ("code,language,value\nA00,de\n".to_owned(), "names:2: the row has 2 cells"),
        ("code,language,value\nA00,de,\u{0}\n".to_owned(), "found binary data"),
        (String::new(), "the file is empty"),
        ("<xml/>".to_owned(), "expected a table of names"),
    ];
    for (text, said) in cases {
        std::fs::write(&path, &text).expect("writes");
        let error = added(&path, &in_language(None, &[])).expect_err(said);
        assert!(error.to_string().contains(said), "{error} does not say {said:?}");
        assert!(error.path().starts_with(&path), "{error}");
    }
    let fitting = json.replace("icd-10-cm", "icd-10-cm|2026");
    std::fs::write(&path, fitting).expect("writes");
    added(&path, &in_language(None, &[])).expect("its own version");
}

#[test]
fn the_chinese_titles_fit_the_release() {
    let Some(data) = std::env::var_os("MEDTERM_TEST_DATA") else {
        println!("skipped: MEDTERM_TEST_DATA is not set");
        return;
    };
    let path = Path::new(&data).join("data/icd10cm/icd10cm_zh_tw.tsv.gz");
    let options = in_language(Some("zh-TW"), &["code=1", "display=2", "value=3"]);
    let list = fixture("icd10cm/icd10cm-tabular-2026-04-01.xml.gz");
    let release = open(Format::CmsTabular, &list).expect("opens");
    let mut source = Supplement::open(&path, &options)
        .and_then(|read| read.attach(release))
        .expect("the columns are told");
    let mut hypertension = None;
    for concept in source.by_ref() {
        let concept = concept.expect("it is sound");
        if concept.code.as_str() == "I10" {
            hypertension = concept.designations.into_iter().find(|one| one.language == "zh-TW");
        }
    }
    let tally = source.tally();
    let counts: Vec<u64> = tally.left_out.iter().map(|one| one.count).collect();
    assert!(hypertension.is_some_and(|name| name.value.contains("高血壓")));
    assert_eq!((tally.read["added names"], counts), (66_064, vec![793, 588]), "{tally:#?}");
}
