use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use crate::terminology::{Concept, Content, DesignationUse, PropertyValue, property};

use super::*;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/cvx").join(name)
}

fn text() -> String {
    fs::read_to_string(fixture("cvx.txt")).expect("the fixture is there")
}

fn open_text(text: impl Into<Vec<u8>>) -> Result<Box<dyn Source>, ImportError> {
    open_reader(Format::Cvx, "cvx", Box::new(Cursor::new(text.into())))
}

fn read_text(text: impl Into<Vec<u8>>) -> Result<Vec<Concept>, ImportError> {
    open_text(text)?.collect()
}

fn value<'c>(concept: &'c Concept, code: &str) -> Option<&'c PropertyValue> {
    concept.properties.iter().find(|one| one.code == code).map(|one| &one.value)
}

fn left_out(source: &dyn Source, reason: &str) -> u64 {
    source.tally().left_out.iter().filter(|one| one.reason.contains(reason)).map(|o| o.count).sum()
}

#[test]
fn a_vaccine_has_its_names_status_and_notes() {
    let path = fixture("cvx.txt");
    assert_eq!(detect(&path).expect("it is CVX"), Format::Cvx);
    let mut source = open(Format::Cvx, &path).expect("sound");
    let concepts: Vec<Concept> = source.by_ref().collect::<Result<_, _>>().expect("sound");
    let codes: Vec<&str> = concepts.iter().map(|one| one.code.as_str()).collect();
    assert_eq!(codes, ["01", "02", "03", "04", "05", "998"], "leading zeros are kept");
    let first = &concepts[0];
    assert_eq!(first.display, "Exemplitis");
    assert_eq!(first.designations.len(), 1);
    assert_eq!(first.designations[0].value, "exemplitis vaccine, live, oral");
    assert_eq!(first.designations[0].use_, DesignationUse::Synonym);
    assert!(concepts[2].designations.is_empty(), "the full name says the same");
    let active: Vec<bool> = concepts.iter().map(|one| one.active).collect();
    assert_eq!(active, [true, false, true, false, true, false]);
    let text = |text: &str| PropertyValue::Text(text.to_owned());
    assert_eq!(value(&concepts[3], property::STATUS), Some(&text("Never Active")));
    assert_eq!(value(&concepts[1], property::NOTE), Some(&text("Replaced by 01 in most places.")));
    assert_eq!(value(first, property::NOTE), None);
    assert_eq!(concepts[5].flag("nonvaccine"), Some(true));
    assert_eq!(first.flag("nonvaccine"), Some(false));
    assert_eq!(
        value(first, "lastUpdated"),
        Some(&PropertyValue::DateTime("2024-06-01".to_owned()))
    );
    let release = source.release();
    assert_eq!(release.version, "2025-11-07", "the newest change");
    assert_eq!(release.date.as_deref(), Some("2025-11-07"));
    assert_eq!(release.content, Content::Fragment, "six rows are not the list");
    assert_eq!(source.progress().fraction(), Some(1.0));
}

#[test]
fn the_xml_says_the_same() {
    let path = fixture("cvx.xml");
    assert_eq!(detect(&path).expect("it is CVX"), Format::Cvx);
    let source = open(Format::Cvx, &path).expect("sound");
    assert_eq!(source.release().version, "2024-06-01");
    let concepts: Vec<Concept> = source.collect::<Result<_, _>>().expect("sound");
    assert_eq!(concepts.len(), 2);
    assert_eq!(concepts[0].code.as_str(), "01");
    assert_eq!(concepts[1].display, "Exemplitis é", "ISO 8859-1 is decoded");
    assert_eq!(concepts[1].designations[0].value, "exemplitis vaccine & more");
    assert!(!concepts[1].active);
}

#[test]
fn older_columns_headers_and_pipes_at_the_end_are_read() {
    let plain = read_text(text()).expect("sound");
    let numbered = text().replace("|False|", "|77|0|").replace("|True|", "|78|1|");
    assert_eq!(read_text(numbered).expect("sound"), plain, "with an internal number");
    let header = "CVX Code|Short Description|Full Vaccine Name|Notes|Status|Nonvaccine|Updated\r\n";
    assert_eq!(read_text(format!("{header}{}", text())).expect("sound"), plain);
    assert_eq!(read_text(text().replace("\r\n", "|\r\n")).expect("sound"), plain);
}

#[test]
fn byte_order_marks_and_line_ends_of_any_kind_change_nothing() {
    let plain = read_text(text()).expect("sound");
    let marked = read_text(format!("\u{feff}{}", text().replace("\r\n", "\n")));
    assert_eq!(marked.expect("sound"), plain);
    assert_eq!(read_text(text().replace("\r\n", "\r")).expect("sound"), plain);
}

#[test]
fn what_is_odd_is_counted() {
    let odd = text()
        .replace("|Pending|", "|Somewhere|")
        .replace("04        |", "03        |")
        .replace("2012/01/02", "soon")
        .replace("2010/09/30", "never")
        .replace("Exemplitis|exemplitis vaccine, live, oral|", "||");
    let mut source = open_text(odd).expect("sound");
    let concepts: Vec<Concept> = source.by_ref().collect::<Result<_, _>>().expect("sound");
    assert_eq!(concepts.len(), 4);
    assert_eq!(concepts[1].display, "demotic fever", "the first of the two");
    assert!(concepts[2].active);
    assert_eq!(left_out(&*source, "second time"), 1);
    assert_eq!(left_out(&*source, "status that is not known"), 1);
    assert_eq!(left_out(&*source, "day that cannot"), 2);
    assert_eq!(left_out(&*source, "without a name"), 1);
}

#[test]
fn what_is_broken_is_said_with_its_line() {
    let sound = text().replace("\r\n", "\n");
    assert!(matches!(read_text("").expect_err("empty").kind(), ImportErrorKind::Empty));
    let cut = sound.find("2025/11/07").expect("there") - 10;
    let error = read_text(&sound.as_bytes()[..cut]).expect_err("cut");
    assert!(matches!(error.kind(), ImportErrorKind::ShortRow { .. }), "{error}");
    assert_eq!((error.line(), error.path()), (Some(3), Path::new("cvx")));

    let mut latin = sound.clone().into_bytes();
    latin[cut] = 0xe9;
    let error = read_text(latin).expect_err("Latin-1");
    assert!(matches!(error.kind(), ImportErrorKind::Encoding { .. }), "{error}");
    let error = read_text(sound.replace("05        |", "V5        |")).expect_err("no number");
    assert!(matches!(error.kind(), ImportErrorKind::InvalidCode { .. }), "{error}");
    assert_eq!(error.line(), Some(5));

    let xml = "<CVXCodes><CVXInfo><ShortDescription>a</ShortDescription></CVXInfo></CVXCodes>";
    let error = read_text(xml).expect_err("no code");
    assert!(matches!(error.kind(), ImportErrorKind::Missing { .. }), "{error}");
    for end in 11..xml.len() {
        let error = read_text(&xml[..end]).expect_err("cut");
        let is_said = matches!(
            error.kind(),
            ImportErrorKind::Truncated { .. } | ImportErrorKind::Missing { .. }
        );
        assert!(is_said, "cut at {end}: {error}");
    }
}
