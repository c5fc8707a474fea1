use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use crate::terminology::{Concept, DesignationUse, PropertyValue, property};

use super::*;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/icd10pcs").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(fixture(name)).expect("the fixture is there")
}

type Read = (BTreeMap<String, Concept>, Tally);

fn collect(mut source: Box<dyn Source>) -> Result<Read, ImportError> {
    let concepts: Vec<Concept> = source.by_ref().collect::<Result<_, _>>()?;
    let count = concepts.len();
    let concepts: BTreeMap<String, Concept> =
        concepts.into_iter().map(|one| (one.code.as_str().to_owned(), one)).collect();
    assert_eq!(concepts.len(), count, "a code is given out twice");
    for (code, concept) in &concepts {
        let above = concept.parents.iter().all(|parent| concepts.contains_key(parent.as_str()));
        assert!(above && (code.len() == 1) == concept.parents.is_empty(), "{code}");
    }
    Ok((concepts, source.tally()))
}

fn read(format: Format, name: &str, text: &[u8]) -> Result<Read, ImportError> {
    collect(open_reader(format, name, Box::new(Cursor::new(text.to_vec())))?)
}

/// A folder with these fixtures, and nothing else.
fn folder(test: &str, names: &[&str]) -> Vec<ReleaseFiles> {
    let folder = std::env::temp_dir().join(format!("medterm-pcs-{}-{test}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder comes");
    for name in names {
        std::fs::copy(fixture(name), folder.join(name)).expect("it is copied");
    }
    ReleaseFiles::find(&[folder]).expect("it is one release")
}

fn value<'c>(concept: &'c Concept, name: &str) -> Option<&'c str> {
    concept.properties.iter().find(|p| p.code == name).map(|p| match &p.value {
        PropertyValue::Text(text) => text.as_str(),
        other => panic!("{name} is {other:?}"),
    })
}

fn names(concept: &Concept, use_: DesignationUse) -> Vec<&str> {
    let of_use = concept.designations.iter().filter(|d| d.use_ == use_);
    of_use.map(|d| d.value.as_str()).collect()
}

#[test]
fn codes_hang_under_what_their_characters_say() {
    let path = fixture("icd10pcs_codes_2024.txt");
    assert_eq!(detect(&path).expect("it is recognized"), Format::PcsCodes);
    let source = open(Format::PcsCodes, &path).expect("it opens");
    let release = source.release();
    assert_eq!((release.alias.as_str(), release.version.as_str()), ("icd10pcs", "2024"));
    assert_eq!(release.date.as_deref(), Some("2023-10-01"));
    let (concepts, tally) = collect(source).expect("it is sound");
    assert_eq!(tally.read["codes"], 766);
    assert_eq!(concepts.values().filter(|c| c.code.as_str().len() == 7).count(), 766);

    let code = &concepts["0DTJ4ZZ"];
    assert_eq!(code.display, "Resection of Appendix, Percutaneous Endoscopic Approach");
    assert_eq!(code.flag(property::BILLABLE), Some(true));
    assert_eq!(value(code, "section"), Some("Medical and Surgical"));
    assert_eq!(value(code, "bodySystem"), Some("Gastrointestinal System"));
    assert_eq!(value(code, "operation"), Some("Resection"));
    assert_eq!(value(code, "approach"), Some("Percutaneous Endoscopic"));
    assert_eq!(value(&concepts["GZB0ZZZ"], "approach"), None, "no approach to a mind");
    let line: Vec<(&str, &str, Option<&str>)> = ["0DTJ", "0DT", "0D", "0"]
        .map(|code| (code, concepts[code].display.as_str(), value(&concepts[code], property::KIND)))
        .to_vec();
    assert_eq!(
        line,
        [
            ("0DTJ", "Resection of Appendix", Some("bodyPart")),
            ("0DT", "Gastrointestinal System, Resection", Some("operation")),
            ("0D", "Gastrointestinal System", Some("bodySystem")),
            ("0", "Medical and Surgical", Some("section")),
        ]
    );
    assert_eq!(concepts["0DTJ"].flag(property::NOT_SELECTABLE), Some(true));
}

#[test]
fn groupers_are_named_by_what_their_codes_have_in_common() {
    let (concepts, _) =
        collect(open(Format::PcsCodes, &fixture("icd10pcs_codes_2024.txt")).expect("it opens"))
            .expect("it is sound");
    for (code, name) in [
        ("0SR9", "Replacement of Right Hip Joint"),
        ("10D0", "Extraction of Products of Conception"),
        ("0210", "Bypass Coronary Artery"),
        ("3023", "Transfusion into Peripheral Vein"),
        ("GZB", "Electroconvulsive Therapy"),
        ("GZ", "Mental Health"),
        ("B24", "Heart, Ultrasonography"),
        ("5A1D", "Performance of Urinary Filtration"),
    ] {
        assert_eq!(concepts[code].display, name, "{code}");
    }
    let made_up = concepts.values().find(|c| c.display.starts_with("Codes that begin"));
    assert_eq!(made_up, None);
}

#[test]
fn an_order_file_names_tables_and_has_short_titles() {
    let (concepts, tally) =
        collect(open(Format::PcsCodes, &fixture("icd10pcs_order_2024.txt")).expect("it opens"))
            .expect("it is sound");
    assert_eq!((tally.read["headers"], tally.read["codes"]), (2, 15));
    assert_eq!(concepts["0DB"].display, "Gastrointestinal System, Excision");
    let short = names(&concepts["0DTJ4ZZ"], DesignationUse::WordBag);
    assert_eq!(short, ["Resection of Appendix, Perc Endo Approach"]);
}

#[test]
fn the_books_name_define_and_label() {
    let files = folder(
        "books",
        &[
            "icd10pcs_order_2024.txt",
            "icd10pcs_tables_2024.xml",
            "icd10pcs_index_2024.xml",
            "icd10pcs_definitions_2024.xml",
        ],
    );
    assert_eq!((files.len(), files[0].format()), (1, Format::PcsCodes));
    let (concepts, tally) =
        collect(files[0].open(&ImportOptions::default()).expect("it opens")).expect("it is sound");
    let open_way = &concepts["0DTJ0ZZ"];
    assert_eq!(
        names(open_way, DesignationUse::Index),
        [
            "Appendectomy, Resection, Appendix",
            "Removal of the worm, whole",
            "Removal of the worm, by knife"
        ]
    );
    let index = open_way.designations.iter().find(|d| d.use_ == DesignationUse::Index);
    assert_eq!(index.and_then(|d| d.source.as_deref()), Some("ICD-10-PCS index 2024"));
    assert_eq!(
        names(&concepts["0DTJ4ZZ"], DesignationUse::Index).len(),
        2,
        "by knife is another code"
    );
    assert_eq!(
        names(&concepts["0DBJ0ZX"], DesignationUse::Index),
        ["Appendectomy, Excision, Appendix"]
    );
    assert_eq!(
        names(open_way, DesignationUse::WordBag).last(),
        Some(&"Vermiform appendix; Vermix")
    );
    assert_eq!(value(open_way, "bodyPart"), Some("Appendix"));
    assert_eq!(value(open_way, "qualifier"), Some("No Qualifier"));
    assert_eq!(
        concepts["0DT"].definition.as_deref(),
        Some("Cutting out or off, without replacement, all of a body part")
    );
    assert_eq!(value(&concepts["0DT"], "includes"), Some("Whole organ taken out"));
    assert!(concepts["0DB"].definition.is_some(), "the table defines it");
    let left: Vec<(&str, u64)> =
        tally.left_out.iter().map(|one| (one.reason.as_str(), one.count)).collect();
    assert_eq!(
        left,
        [
            ("the index leads to a whole table, not to a body part", 1),
            ("the index leads to codes that the release does not have", 1),
        ]
    );
}

#[test]
fn tables_alone_are_a_release() {
    let path = fixture("icd10pcs_tables_2024.xml");
    assert_eq!(detect(&path).expect("it is recognized"), Format::PcsTables);
    let source = open(Format::PcsTables, &path).expect("it opens");
    assert_eq!(source.release().date.as_deref(), Some("2023-10-01"));
    let (concepts, tally) = collect(source).expect("it is sound");
    assert_eq!((tally.read["tables"], tally.read["codes"]), (3, 12));
    assert_eq!(
        (tally.left_out[0].reason.as_str(), tally.left_out[0].count),
        ("the code came before", 1)
    );
    assert_eq!(
        concepts["0DTJ4ZZ"].display,
        "Resection of Appendix, Percutaneous Endoscopic Approach"
    );
    assert_eq!(
        concepts["0DBJ3ZX"].display,
        "Excision of Appendix, Percutaneous Approach, Diagnostic"
    );
    assert_eq!(concepts["BF10YZZ"].display, "Fluoroscopy of Bile Ducts, Other Contrast");
    assert_eq!(value(&concepts["BF10YZZ"], "contrast"), Some("Other Contrast"));
    assert_eq!(concepts["0DTJ"].display, "Resection of Appendix");
    assert!(concepts["0DT"].definition.is_some());
}

#[test]
fn an_index_alone_is_told_to_belong_to_a_release() {
    let error =
        ReleaseFiles::find(&[fixture("icd10pcs_index_2024.xml")]).expect_err("it adds only");
    assert!(matches!(error.kind(), ImportErrorKind::Companion { .. }), "{error}");
}

#[test]
fn damaged_tables_are_told_with_their_line() {
    let whole = text("icd10pcs_tables_2024.xml");
    let outcome = |text: &str| read(Format::PcsTables, "tables.xml", text.as_bytes());
    let fails = |text: &str, what: &str| {
        let error = outcome(text).expect_err(what);
        assert!(error.line().is_some(), "{what}: {error}");
        error.to_string()
    };
    for at in [200, 700, 1500, whole.len() - 40] {
        let message = fails(&whole[..at], "it is cut");
        assert!(message.contains("cut short") || message.contains("no <version>"), "{message}");
    }
    let change = |from: &str, to: &str| {
        assert!(whole.contains(from), "{from}");
        whole.replacen(from, to, 1)
    };
    let no_version = change("<version>2024</version>", "");
    assert!(fails(&no_version, "no version").contains("<version>"));
    assert!(fails(&change("code=\"J\"", "code=\"JJ\""), "a label").contains("one character"));
    assert!(fails(&change("<axis pos=\"4\"", "<axis pos=\"9\""), "an axis").contains("pos"));
    assert!(fails(&change("pos=\"2\"", "pos=\"1\""), "an axis").contains("<axis pos=1>"));
    let empty = "<ICD10PCS.tabular><version>2024</version></ICD10PCS.tabular>";
    assert!(fails(empty, "nothing").contains("<pcsTable>"));
    let mut latin = whole.clone().into_bytes();
    let at = whole.find("Appendix").expect("it is there");
    latin[at] = 0xe9;
    assert!(read(Format::PcsTables, "tables.xml", &latin).is_err());
    let marked = format!("\u{feff}{}", whole.replace('\n', "\r\n"));
    assert_eq!(outcome(&marked).expect("it is sound").0, outcome(&whole).expect("it is sound").0);
}

#[test]
fn damaged_code_files_are_told_with_their_line() {
    let name = "icd10pcs_codes_2024.txt";
    let whole = text(name);
    let far = |last: &str| format!("{whole}{last}\n");
    for (last, reason) in [
        ("0DTJ0Z Resection", "expected a line"),
        ("0DTJOZZ Resection of Appendix", "ICD-10-PCS code"),
        ("0DTJ1ZZ", "no title"),
    ] {
        let error = read(Format::PcsCodes, name, far(last).as_bytes()).expect_err(last);
        assert_eq!(error.line(), Some(767), "{error}");
        assert!(error.to_string().contains(reason), "{error}");
    }
    let (concepts, tally) =
        read(Format::PcsCodes, name, far("0DTJ0ZZ Another").as_bytes()).expect("it is usable");
    assert_eq!(concepts["0DTJ0ZZ"].display, "Resection of Appendix, Open Approach");
    assert_eq!(tally.left_out[0].count, 1);
    let unnamed = read(Format::PcsCodes, "codes.txt", whole.as_bytes()).expect_err("no year");
    assert!(matches!(unnamed.kind(), ImportErrorKind::Unsaid { .. }), "{unnamed}");
}
