use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;

use crate::terminology::{Concept, Content, PropertyValue, Release, property};

use super::*;

const LAMPS: &str = include_str!("../../fixtures/icd11/SimpleTabulation-ICD-11-MMS-en.txt");
const NAME: &str = "SimpleTabulation-ICD-11-MMS-en.txt";

struct Read {
    release: Release,
    concepts: BTreeMap<String, Concept>,
    order: Vec<String>,
    tally: Tally,
}

fn try_read(name: &str, text: impl Into<Vec<u8>>) -> Result<Read, ImportError> {
    let reader = Box::new(Cursor::new(text.into()));
    let mut source = open_reader(Format::Icd11, name, reader)?;
    let release = source.release().clone();
    let concepts: Vec<Concept> = source.by_ref().collect::<Result<_, _>>()?;
    assert!(source.next().is_none());
    Ok(Read {
        release,
        order: concepts.iter().map(|one| one.code.as_str().to_owned()).collect(),
        concepts: concepts.into_iter().map(|one| (one.code.as_str().to_owned(), one)).collect(),
        tally: source.tally(),
    })
}

fn read(text: &str) -> Read {
    try_read(NAME, text).expect("the file is sound")
}

fn parent<'a>(read: &'a Read, code: &str) -> Option<&'a str> {
    let parents = &read.concepts[code].parents;
    assert!(parents.len() < 2, "{code}");
    parents.first().map(|parent| parent.as_str())
}

fn value<'a>(read: &'a Read, code: &str, name: &str) -> Option<&'a str> {
    let found = read.concepts[code].properties.iter().find(|one| one.code == name)?;
    match &found.value {
        PropertyValue::Text(text) => Some(text),
        other => panic!("{name} is {other:?}"),
    }
}

const PARENTS: [(&str, Option<&str>); 11] = [
    ("01", None),
    ("BlockL1-9A0", Some("01")),
    ("BlockL2-9A0", Some("BlockL1-9A0")),
    ("9A00", Some("BlockL2-9A0")),
    ("9A00.0", Some("9A00")),
    ("9A00.Y", Some("9A00")),
    ("9A00.Z", Some("9A00")),
    ("9A0Z", Some("BlockL1-9A0")),
    ("X", None),
    ("BlockL1-X9", Some("X")),
    ("X9S1", Some("BlockL1-X9")),
];

#[test]
fn the_file_is_told_by_its_columns_and_says_what_it_is() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/icd11");
    assert_eq!(detect(&folder.join(NAME)).expect("told"), Format::Icd11);
    let release = read(LAMPS).release;
    assert_eq!((release.alias.as_str(), release.version.as_str()), ("icd11", "2099-01"));
    assert_eq!(release.system.as_str(), "http://id.who.int/icd/release/11/mms");
    assert_eq!(release.date.as_deref(), Some("2099-01-24"));
    assert_eq!((release.language.as_str(), release.content), ("en", Content::Fragment));
    assert!(release.license.is_some_and(|license| license.contains("CC BY-ND")));
}

#[test]
fn version_and_language_are_found_where_they_are() {
    let old = LAMPS
        .replace("/11/2099-01/mms", "/11/mms")
        .replace("Linearization URI", "Linearization (release) URI");
    let release = try_read("simpletabulation_es.txt", old.clone()).expect("sound").release;
    assert_eq!((release.version.as_str(), release.language.as_str()), ("2099-01-24", "es"));
    let undated = old.replace("\tVersion:2099 Jan 24 - 22:30 UTC", "");
    let release = try_read("mms-2098-05-02.txt", undated.clone()).expect("sound").release;
    assert_eq!((release.version.as_str(), release.language.as_str()), ("2098-05-02", "en"));
    assert_eq!(try_read("mms.txt", undated).expect("sound").release.version, "undated");
}

#[test]
fn a_file_with_all_chapters_is_complete() {
    let mut text = LAMPS.to_owned();
    for chapter in 2..26 {
        text.push_str(&format!(
            "f/{chapter}\tl\t\t\tChapter\tchapter\t1\tFalse\t{chapter:02}\tb\tFalse\n"
        ));
    }
    assert_eq!(read(&text).release.content, Content::Complete);
}

#[test]
fn dashes_tell_what_is_above() {
    let lamps = read(LAMPS);
    assert_eq!(lamps.order, PARENTS.map(|(code, _)| code));
    for (code, expected) in PARENTS {
        assert_eq!(parent(&lamps, code), expected, "{code}");
    }
    let tall = &lamps.concepts["9A00.0"];
    assert_eq!(tall.display, "Pier lamp, tall");
    assert_eq!(lamps.concepts["9A00.Z"].display, "Pier lamp, \"plain\"");
    let kinds: Vec<_> =
        lamps.tally.read.iter().map(|(kind, count)| (kind.as_str(), *count)).collect();
    assert_eq!(kinds, [("blocks", 3), ("categories", 6), ("chapters", 2)]);
}

#[test]
fn without_dashes_kind_depth_and_grouping_tell_it() {
    let lamps = read(&LAMPS.replace("- ", ""));
    for (code, expected) in PARENTS {
        assert_eq!(parent(&lamps, code), expected, "{code}");
    }
}

#[test]
fn properties_are_complete() {
    let lamps = read(LAMPS);
    let flag = |code: &str, name: &str| lamps.concepts[code].flag(name);
    assert_eq!(flag("01", property::NOT_SELECTABLE), Some(true));
    assert_eq!(flag("BlockL1-X9", property::NOT_SELECTABLE), Some(true));
    assert_eq!(flag("9A00", property::NOT_SELECTABLE), None);
    assert_eq!(flag("9A00", "primaryTabulation"), Some(true));
    assert_eq!(flag("X9S1", "primaryTabulation"), Some(false));
    for (code, name, expected) in [
        ("01", "kind", Some("chapter")),
        ("01", "codeKind", None),
        ("9A00", "codeKind", Some("stem")),
        ("X9S1", "codeKind", Some("extension")),
        ("9A00", "chapter", Some("01")),
        ("9A00", "note", Some("Name the pier.")),
        ("9A00", "foundationUri", Some("http://id.who.int/icd/entity/900004")),
        ("9A00.Y", "foundationUri", None),
        ("9A00.Y", "residual", Some("other specified")),
        ("9A00.Z", "residual", Some("unspecified")),
        ("9A00.0", "residual", None),
    ] {
        assert_eq!(value(&lamps, code, name), expected, "{code} {name}");
    }
}

#[test]
fn old_files_have_no_names_of_blocks() {
    let old = LAMPS.replace("\tBlockL1-9A0\t- Lamps", "\t\t- Lamps");
    assert_eq!(parent(&read(&old), "900002"), Some("01"));
}

#[test]
fn a_row_without_a_code_and_one_given_twice_are_counted() {
    let lamps = read(&LAMPS.replace("\t9A00\t", "\t\t").replace("\tX9S1\t", "\t9A0Z\t"));
    assert_eq!(parent(&lamps, "9A00.0"), Some("BlockL2-9A0"));
    assert_eq!(lamps.concepts["9A0Z"].display, "Harbor lamp");
    let left_out: Vec<_> =
        lamps.tally.left_out.iter().map(|one| (one.reason.as_str(), one.first.as_str())).collect();
    assert_eq!(
        left_out,
        [
            ("the row has no code", &*format!("{NAME}:5: Pier lamp")),
            ("the code is given a second time", &*format!("{NAME}:12: 9A0Z")),
        ]
    );
}

#[test]
fn line_ends_blank_lines_and_a_byte_order_mark_change_nothing() {
    let windows = format!("\u{feff}{}\r\n", LAMPS.replace('\n', "\r\n"));
    assert_eq!(read(&windows).concepts, read(LAMPS).concepts);
}

#[test]
fn a_row_cut_short_is_refused_before_anything_is_read() {
    let start = LAMPS.find("X9S1").expect("there");
    let row = LAMPS[..start].rfind('\n').expect("there") + 1;
    let whole = LAMPS[row..].match_indices('\t').nth(9).map(|(at, _)| row + at).expect("there");
    for at in (row + 1..whole).step_by(7) {
        let error = try_read(NAME, &LAMPS[..at]).err().expect("cut short");
        assert!(matches!(error.kind(), ImportErrorKind::ShortRow { .. }), "at {at}: {error}");
        assert_eq!(error.line(), Some(12), "{error}");
    }
}

#[test]
fn broken_files_are_refused_with_their_line() {
    let refused = |text: &[u8]| {
        let error = try_read(NAME, text).err().expect("refused");
        (error.line(), error.to_string())
    };
    assert!(refused(b"").1.contains("empty"));
    let mut latin = LAMPS.replace("Sizes", "S#zes").into_bytes();
    let at = latin.iter().position(|byte| *byte == b'#').expect("there");
    latin[at] = 0xe9;
    assert_eq!(refused(&latin).0, Some(11), "{:?}", refused(&latin));
    let text = |from: &str, to: &str| refused(LAMPS.replace(from, to).as_bytes());
    let (line, message) = text("\tCode\t", "\tKode\t");
    assert!(line == Some(1) && message.contains("\"Code\""), "{message}");
    assert!(text("\tClassKind\t", "\tKind\t").1.contains("\"ClassKind\""));
    let (line, message) = text("- - Tall", "- -");
    assert!(line == Some(12) && message.contains("the row of X9S1 has no title"), "{message}");
    let (line, message) = text("\tX9S1\t", &format!("\t{}\t", "X".repeat(201)));
    assert!(line == Some(12) && message.contains("expected a code"), "{message}");
    let header = LAMPS.lines().next().expect("there");
    assert!(refused(header.as_bytes()).1.contains("has no row"));
}

#[test]
fn a_level_that_is_left_out_is_bridged() {
    let gap: String = LAMPS
        .lines()
        .filter(|line| !line.contains("\tBlockL2-9A0\t- -"))
        .fold(String::new(), |text, line| text + line + "\n");
    assert_eq!(parent(&read(&gap), "9A00"), Some("BlockL1-9A0"));
}
