use std::fs;
use std::path::{Path, PathBuf};

use crate::terminology::{Code, Concept, Content, PropertyValue, SystemId};

use super::*;

const WARDS: &str = "https://hospital.example/codes/Ward List";

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/table/wards-2026-01-15.csv")
}

fn options(columns: &[&str]) -> ImportOptions {
    ImportOptions {
        system: Some(SystemId::new(&WARDS.replace(' ', "")).expect("a URI")),
        version: Some("1".to_owned()),
        columns: columns.iter().map(|one| one.parse().expect("a column")).collect(),
        ..ImportOptions::default()
    }
}

fn open_text(text: &[u8], options: &ImportOptions) -> Result<Box<dyn Source>, ImportError> {
    let reader = Box::new(std::io::Cursor::new(text.to_vec()));
    ReleaseFiles::of_reader(Format::Delimited, "list.txt", reader)?.open(options)
}

fn read(text: &str, columns: &[&str]) -> Result<Vec<Concept>, ImportError> {
    open_text(text.as_bytes(), &options(columns))?.collect()
}

/// Codes and displays.
fn names(text: &str, columns: &[&str]) -> Vec<(String, String)> {
    let concepts = read(text, columns).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    concepts.into_iter().map(|one| (one.code.to_string(), one.display)).collect()
}

fn refused(text: &[u8], columns: &[&str], said: &str) -> ImportError {
    let outcome =
        open_text(text, &options(columns)).and_then(|source| source.collect::<Result<Vec<_>, _>>());
    let error = outcome.expect_err(said);
    assert!(error.to_string().contains(said), "{error} does not say {said:?}");
    assert!(error.line().is_some(), "{error}");
    error
}

#[test]
fn a_table_is_read_by_the_names_of_its_columns() {
    assert_eq!(detect(&fixture()).expect("detected"), Format::Delimited);
    let mut asked = options(&[]);
    asked.version = None;
    let files = ReleaseFiles::find(&[fixture()]).expect("found");
    let mut source = files[0].open(&asked).expect("opens");
    let release = source.release().clone();
    assert_eq!((release.alias.as_str(), release.title.as_str()), ("wardlist", "WardList"));
    assert_eq!(
        (release.version.as_str(), release.date.as_deref()),
        ("2026-01-15", Some("2026-01-15"))
    );
    assert_eq!(release.content, Content::Complete);
    let concepts: Vec<Concept> =
        source.by_ref().collect::<Result<_, _>>().expect("the fixture is sound");
    let codes: Vec<&str> = concepts.iter().map(|one| one.code.as_str()).collect();
    assert_eq!(codes, ["W", "W1", "W2", "W3", "W5"]);

    let surgery = &concepts[1];
    assert_eq!(surgery.display, "Ward one, surgery");
    let names: Vec<&str> = surgery.designations.iter().map(|one| one.value.as_str()).collect();
    assert_eq!(names, ["Surgery", "Knife ward", "Operating ward"]);
    assert_eq!(surgery.parents, [Code::new("W").expect("a code")]);
    assert_eq!(surgery.definition.as_deref(), Some("Where patients wait for an operation."));
    assert_eq!(surgery.properties.len(), 1);
    assert_eq!(surgery.properties[0].code, "Department");
    assert_eq!(surgery.properties[0].value, PropertyValue::Text("Surgery".to_owned()));
    assert!(surgery.active && !concepts[3].active && concepts[4].active);
    assert_eq!(concepts[3].parents.len(), 2);
    // The builder says that there is no such parent.
    assert_eq!(concepts[4].parents[0].as_str(), "W99");

    let tally = source.tally();
    let left_out: Vec<(&str, &str)> = tally
        .left_out
        .iter()
        .map(|one| (one.reason.as_str(), one.first.rsplit("csv:").next().unwrap_or_default()))
        .collect();
    assert_eq!(
        left_out,
        [
            ("the row has no code", "7: Nameless"),
            ("the row has no name", "8: W4"),
            ("the code was given before", "9: W2"),
            ("it does not say whether the code is in use: taken as in use", "10: maybe"),
        ]
    );
    assert_eq!(source.progress().fraction(), Some(1.0));
}

#[test]
fn every_way_to_write_a_table_is_told_from_the_table() {
    let expected = [("A".to_owned(), "x, y".to_owned()), ("B".to_owned(), "z".to_owned())];
    for text in [
        "code,display\nA,\"x, y\"\nB,z\n",
        "code;display\nA;x, y\nB;z",
        "code\tdisplay\nA\tx, y\nB\tz\n",
        "concept_code|preferred term\nA|x, y\nB|z\n",
        "\"ID\"\t\"Label\"\n\"A\"\t\"x, y\"\n\"B\"\t\"z\"\n",
        "\u{feff}code,display\r\nA,\"x, y\"\r\n\r\nB,z\r\n",
        "code,display\rA,\"x, y\"\rB,z\r",
        "description;code\n x, y ;A\nz; B\n",
    ] {
        assert_eq!(names(text, &[]), expected, "{text:?}");
    }
    // A quotation mark of a tab-separated table is one.
    let inches = "code\tname\nA\t\"Quick\" test\nB\t5\" tube\n";
    assert_eq!(names(inches, &[])[0].1, "\"Quick\" test");
    // A cell may hold a line end.
    assert_eq!(names("code,name\nA,\"x\ny\"\n", &[])[0].1, "x\ny");
}

#[test]
fn columns_are_what_is_said_of_them() {
    let text = "Kode,Tekst,Note\nA,x,n\n";
    let error = refused(text.as_bytes(), &[], "the columns are Kode, Tekst, Note");
    assert!(matches!(error.kind(), ImportErrorKind::UnclearColumn { role, .. } if role == "code"));
    refused(text.as_bytes(), &["code=kode"], "--columns display=COLUMN");
    refused(text.as_bytes(), &["code=Cod"], "no column \"Cod\"; the columns are Kode");
    assert_eq!(names(text, &["code=kode", "display=Tekst"]).len(), 1);
    // Numbers alone: there is no header.
    assert_eq!(names("A\tx\nB\ty\n", &["code=1", "display=2"]).len(), 2);
    refused(b"A\tx\n", &["code=1", "display=3"], "no column \"3\"; the columns are 1, 2");
    let said = ["code=kode", "display=Tekst", "property:remark=3"];
    let concepts = read(text, &said).expect("reads");
    assert_eq!(concepts[0].properties[0].code, "remark");
    assert!(read(text, &said[..2]).expect("reads")[0].properties.is_empty());
}

#[test]
fn rows_in_other_languages_are_other_names() {
    let text = "code,language,name\nA,de,Herz\nA,en,Heart\nA,EN,Heart\nB,de,Haut\n";
    let mut source = open_text(text.as_bytes(), &options(&[])).expect("opens");
    let concepts: Vec<Concept> = source.by_ref().collect::<Result<_, _>>().expect("reads");
    assert_eq!(concepts[0].display, "Heart");
    let other = &concepts[0].designations[0];
    assert_eq!((other.language.as_str(), other.value.as_str()), ("de", "Herz"));
    assert_eq!(concepts[1].display, "Haut");
    assert_eq!(source.tally().left_out.len(), 2);

    let text = "code,name,language,in_german\nA,Heart,de,Herz\n";
    let concepts = read(text, &["value=in_german"]).expect("reads");
    let other = &concepts[0].designations[0];
    assert_eq!((concepts[0].display.as_str(), other.language.as_str()), ("Heart", "de"));
}

#[test]
fn the_release_is_what_is_said_and_known_of_it() {
    let mut said = options(&[]);
    said.system = None;
    let error = open_text(b"code,name\nA,x\n", &said).err().expect("no system");
    assert!(matches!(error.kind(), ImportErrorKind::Unsaid { .. }), "{error}");
    said = options(&[]);
    said.version = None;
    let error = open_text(b"code,name\nA,x\n", &said).err().expect("no version");
    assert!(error.to_string().contains("--version"), "{error}");
    said = options(&[]);
    said.system = crate::terminology::known_system("icd10cm").map(|known| known.id());
    let mut source = open_text(b"code,name,parent\ne119,x,E11\n", &said).expect("opens");
    assert_eq!(source.release().content, Content::Fragment);
    let concept = source.next().expect("one").expect("it is sound");
    assert_eq!((concept.code.as_str(), concept.parents[0].as_str()), ("E11.9", "E11"));
}

#[test]
fn tables_that_cannot_be_read_say_where() {
    refused(b"code,name\nA,x\nB\n", &[], "list.txt:3: the row has 1 cells, expected 2");
    refused(b"code,name\r\nA,x\r\n\r\nB\r\n", &[], "list.txt:4: the row has 1 cells");
    refused(b"code,name\nA,x\nB,\xe9\n", &[], "list.txt:3: found bytes that are no text");
    refused(b"code,name\n", &[], "row with a code and a name");
    refused(b"code,name\n,x\n", &[], "row with a code and a name");
    let error = open_text(b"", &options(&[])).err().expect("empty");
    assert!(matches!(error.kind(), ImportErrorKind::Empty), "{error}");
    // Nothing closes the quotation mark.
    let mut open = b"code,name\nA,\"x\n".to_vec();
    open.extend(b"B,y\n".repeat(5 << 20));
    let error = refused(&open, &[], "longer than 16 MiB");
    assert_eq!(error.line(), Some(2));
}

#[test]
fn text_that_is_no_table_is_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notes.txt");
    for text in
        ["Dear all, this\nis a letter, not, a table.\n", "one column\nonly\n", "{\"a\": 1,\n\"b\"}"]
    {
        fs::write(&path, text).expect("writes");
        let error = detect(&path).expect_err(text);
        assert!(matches!(error.kind(), ImportErrorKind::UnknownFormat { .. }), "{error}");
    }
}
