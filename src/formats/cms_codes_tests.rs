use std::io::Cursor;
use std::path::{Path, PathBuf};

use crate::terminology::{Concept, DesignationUse, property};

use super::cms_codes_rows::version_of;
use super::*;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

fn read(name: &str, text: &[u8]) -> Result<(Vec<Concept>, Tally), ImportError> {
    let reader = Box::new(Cursor::new(text.to_vec()));
    let mut source = open_reader(Format::CmsCodes, name, reader)?;
    let concepts = source.by_ref().collect::<Result<_, _>>()?;
    Ok((concepts, source.tally()))
}

fn codes(concepts: &[Concept]) -> Vec<&str> {
    concepts.iter().map(|one| one.code.as_str()).collect()
}

const NAME: &str = "icd10cm-codes-2024.txt";

#[test]
fn a_codes_file_gives_its_codes_with_dots_and_no_headers() {
    let path = fixture("icd10cm-codes/icd10cm-codes-2024.txt");
    assert_eq!(detect(&path).expect("it is recognized"), Format::CmsCodes);
    let mut source = open(Format::CmsCodes, &path).expect("it opens");
    assert_eq!(source.release().alias, "icd10cm");
    assert_eq!(source.release().version, "2024");
    assert_eq!(source.release().date.as_deref(), Some("2023-10-01"));
    let concepts: Vec<Concept> = source.by_ref().collect::<Result<_, _>>().expect("it is sound");
    assert_eq!(concepts.len(), 42);
    assert_eq!(source.tally().read["codes"], 42);
    let one = concepts.iter().find(|c| c.code.as_str() == "E11.65").expect("it is there");
    assert_eq!(one.display, "Type 2 diabetes mellitus with hyperglycemia");
    assert!(concepts.iter().all(|c| c.parents.is_empty()), "a codes file has no headers");
    assert!(concepts.iter().all(|c| c.flag(property::BILLABLE) == Some(true)));
    assert!(codes(&concepts).contains(&"S72.001A"));
    assert!(codes(&concepts).contains(&"I10"));
    assert_eq!(source.progress().fraction(), Some(1.0));
}

#[test]
fn an_order_file_gives_headers_parents_and_short_titles() {
    let source = open(Format::CmsCodes, &fixture("icd10cm-codes/icd10cm-order-2024.txt"));
    let source = source.expect("it opens");
    let concepts: Vec<Concept> = source.collect::<Result<_, _>>().expect("it is sound");
    let of = |code: &str| concepts.iter().find(|c| c.code.as_str() == code).expect("it is there");
    let parent = |code: &str| of(code).parents.first().map(|parent| parent.as_str().to_owned());
    assert_eq!(parent("A00.0").as_deref(), Some("A00"));
    assert_eq!(parent("E11.65").as_deref(), Some("E11.6"));
    assert_eq!(parent("E11.9").as_deref(), Some("E11"));
    assert_eq!(parent("C4A.0").as_deref(), Some("C4A"));
    assert_eq!(parent("E11"), None);
    assert_eq!(of("E11.6").flag(property::BILLABLE), Some(false));
    assert_eq!(of("I10").flag(property::BILLABLE), Some(true));
    let short = &of("A00.9").designations;
    assert_eq!(short.len(), 1);
    assert_eq!(
        (short[0].use_, short[0].value.as_str()),
        (DesignationUse::WordBag, "Cholera, unsp")
    );
    assert!(of("I10").designations.is_empty(), "the short title is the long one");
}

#[test]
fn of_an_order_file_and_a_codes_file_together_the_order_file_is_read() {
    let found = ReleaseFiles::find(&[fixture("icd10cm-codes")]).expect("the folder is one release");
    assert_eq!(found.len(), 1);
    let source = found[0].open(&ImportOptions::default()).expect("it opens");
    assert_eq!(source.count(), 13);
}

#[test]
fn years_and_days_are_taken_from_names() {
    let version = |path: &str| version_of(Path::new(path)).map_err(|kind| kind.to_string());
    let year = |version: &str, date: &str| Ok((version.to_owned(), Some(date.to_owned())));
    assert_eq!(version("x/icd10pcs_order_2026.txt"), year("2026", "2025-10-01"));
    assert_eq!(version("icd10cm_order_2026.txt.gz"), year("2026", "2025-10-01"));
    assert_eq!(
        version("icd10cm-order-April-1-2026.txt"),
        year("2026-04-01", "2026-04-01"),
        "an update in April"
    );
    assert_eq!(version("april-1-2025-codes.zip/a/b/codes.txt"), year("2025-04-01", "2025-04-01"));
    assert_eq!(version("2024-code-descriptions.zip/codes.txt"), year("2024", "2023-10-01"));
    assert!(version("downloads/2019/this/codes.txt").is_err());
}

#[test]
fn what_is_no_row_is_told_with_its_line() {
    let kind = |text: &[u8]| {
        let error = read(NAME, text).expect_err("it is not sound");
        (error.line(), error.kind().to_string())
    };
    let (line, reason) = kind(b"A000    Cholera\nA0      Nothing\n");
    assert!(line.is_none() && reason.contains("expected"), "{reason}");
    let far =
        |last: &str| format!("{}{last}", "A000    Cholera of some kind\n".repeat(800)).into_bytes();
    let (line, reason) = kind(&far("<html>\n"));
    assert_eq!(line, Some(801), "{reason}");
    let (line, reason) = kind(&far("A001    \n"));
    assert_eq!(line, Some(801));
    assert!(reason.contains("A001 has no title"), "{reason}");
    let (line, reason) = kind(&far("0DTJ0ZZ Resection of Appendix, Open Approach\n"));
    assert_eq!(line, Some(801));
    assert!(reason.contains("ICD-10-CM code"), "{reason}");
    let mut latin = far("H8101   M");
    latin.extend(b"\xe9ni\xe8re's disease\n");
    let (line, reason) = kind(&latin);
    assert_eq!(line, Some(801));
    assert!(reason.contains("UTF-8"), "{reason}");
    assert!(matches!(read(NAME, b"").expect_err("it is empty").kind(), ImportErrorKind::Empty));
}

#[test]
fn byte_order_marks_line_ends_and_repeats_do_no_harm() {
    let text =
        "\u{feff}A000    Cholera one\r\n\r\nA000    Cholera two\r\nH8101   Ménière's disease";
    let (concepts, tally) = read(NAME, text.as_bytes()).expect("it is usable");
    assert_eq!(codes(&concepts), ["A00.0", "H81.01"]);
    assert_eq!(concepts[0].display, "Cholera one");
    assert_eq!(concepts[1].display, "Ménière's disease");
    assert_eq!(tally.left_out.len(), 1);
    assert_eq!(
        (tally.left_out[0].count, tally.left_out[0].reason.as_str()),
        (1, "the code came before")
    );
    assert!(tally.left_out[0].first.ends_with(":3: A000"), "{}", tally.left_out[0].first);
}

#[test]
fn tables_and_prose_are_no_code_files() {
    for text in
        ["code,display\nA00,Cholera\n", "A00\tCholera\n", "Add:   A000 Cholera\n", "Words\n"]
    {
        let reader = Box::new(Cursor::new(text.as_bytes().to_vec()));
        let outcome = open_reader(Format::CmsCodes, NAME, reader);
        assert!(outcome.is_err(), "{text:?}");
    }
    // Of seven characters alone it cannot be told; the name says which it is.
    let text = b"X0000XA Exposure to flames in house\n".to_vec();
    let pcs = open_reader(
        Format::PcsCodes,
        "icd10pcs_codes_2024.txt",
        Box::new(Cursor::new(text.clone())),
    );
    assert_eq!(pcs.expect("it opens").release().alias, "icd10pcs");
    let cm = open_reader(Format::CmsCodes, NAME, Box::new(Cursor::new(text)));
    assert_eq!(cm.expect("it opens").release().alias, "icd10cm");
}
