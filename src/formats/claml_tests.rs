use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;

use crate::terminology::{Concept, Content, DesignationUse, PropertyValue, Release, property};

use super::*;

const LAMPS: &str = include_str!("../../fixtures/claml/lamps.xml");

struct Read {
    release: Release,
    concepts: BTreeMap<String, Concept>,
    order: Vec<String>,
    tally: Tally,
}

fn try_read(text: impl Into<Vec<u8>>) -> Result<Read, ImportError> {
    let reader = Box::new(Cursor::new(text.into()));
    let mut source = open_reader(Format::Claml, "lamps.xml", reader)?;
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
    try_read(text).expect("the file is sound")
}

fn lamps() -> Read {
    read(LAMPS)
}

fn values<'a>(concept: &'a Concept, code: &str) -> Vec<&'a str> {
    let found = concept.properties.iter().filter(|one| one.code == code);
    found
        .map(|one| match &one.value {
            PropertyValue::Text(value) | PropertyValue::Code(value) => value.as_str(),
            other => panic!("{code} is {other:?}"),
        })
        .collect()
}

fn names(concept: &Concept) -> Vec<(&str, DesignationUse, &str)> {
    concept.designations.iter().map(|d| (d.language.as_str(), d.use_, &*d.value)).collect()
}

fn parents(concept: &Concept) -> Vec<&str> {
    concept.parents.iter().map(|code| code.as_str()).collect()
}

#[test]
fn the_file_is_told_by_its_root_and_says_what_it_is() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/claml");
    assert_eq!(detect(&folder).expect("told"), Format::Claml);
    let release = lamps().release;
    assert_eq!(release.alias, "lamp10");
    assert_eq!(release.system.as_str(), "urn:oid:2.99.7.1");
    assert_eq!((release.version.as_str(), release.date.as_deref()), ("2099", Some("2099-03-01")));
    assert_eq!(release.title, "LAMP-10-EN-2099");
    assert_eq!(release.publisher.as_deref(), Some("Lamp Office"));
    assert_eq!((release.language.as_str(), release.content), ("en", Content::Complete));
}

#[test]
fn the_terminology_is_told_by_identifier_or_name() {
    let told = |name: &str, uid: &str| {
        let text = LAMPS.replace("LAMP-10-EN-2099", name).replace("2.99.7.1", uid);
        let release = read(&text).release;
        (release.alias.clone(), release.system.as_str().to_owned(), release.publisher)
    };
    let who = Some("World Health Organization".to_owned());
    let icd10 = ("icd10".to_owned(), "http://hl7.org/fhir/sid/icd-10".to_owned(), who);
    assert_eq!(told("ICD-10-EN-2099", "made-up"), icd10);
    assert_eq!(told("Something", "2.16.840.1.113883.6.3"), icd10);
    assert_eq!(told("CID-10", "").0, "cid10");
    let (alias, system, publisher) = told("ICD-10-GM", "icd10gm2099");
    assert_eq!((alias.as_str(), system.as_str()), ("icd10gm", "urn:medterm:icd10gm"));
    assert_eq!(publisher.as_deref(), Some("Lamp Office"));
    assert_eq!(told("ICD-10-NL", "").0, "icd10nl");
}

#[test]
fn an_excerpt_and_a_file_of_few_words_are_read() {
    let excerpt = read(&LAMPS.replace("kind=\"chapter\"", "kind=\"block\"")).release;
    assert_eq!(excerpt.content, Content::Fragment);
    // The language of the labels, and the year in the name.
    let bare = LAMPS
        .replace("  <Meta name=\"lang\" value=\"en\"/>\n", "")
        .replace(" version=\"2099\" date=\"2099-03-01\"", "");
    let release = read(&bare).release;
    assert_eq!((release.language.as_str(), release.version.as_str()), ("en", "2099"));
    let unnamed = bare.replace("LAMP-10-EN-2099", "LAMP");
    assert_eq!(read(&unnamed).release.version, "undated");
}

#[test]
fn classes_come_in_order_with_what_their_modifiers_make_after_them() {
    let lamps = lamps();
    assert_eq!(
        lamps.order,
        [
            "I", "L10-L19", "L10", "L10.0", "L10.00", "L10.01", "L10.1", "L10.10", "L11", "L11.0",
            "L11.01", "L11.9", "L12", "L12.X0", "L12.X1", "L13"
        ]
    );
    let above = |code: &str| parents(&lamps.concepts[code]);
    assert_eq!(above("I"), [""; 0]);
    assert_eq!(above("L10-L19"), ["I"]);
    assert_eq!(above("L10.0"), ["L10"]);
    assert_eq!(above("L10.01"), ["L10.0"]);
    assert_eq!(above("L11.01"), ["L11.0"]);
    assert_eq!(above("L12.X1"), ["L12"]);
    // Only the block tells of it.
    assert_eq!(above("L13"), ["L10-L19"]);
    let read = |kind: &str| lamps.tally.read.get(kind).copied();
    assert_eq!((read("chapters"), read("blocks"), read("categories")), (Some(1), Some(1), Some(6)));
    assert_eq!(read("codes made with modifiers"), Some(8));
    let [unknown] = lamps.tally.left_out.as_slice() else { panic!("{:?}", lamps.tally) };
    assert!(unknown.first.ends_with("L13 S99_4"), "{unknown:?}");
}

#[test]
fn made_codes_are_named_by_both() {
    let lamps = lamps();
    let dawn = &lamps.concepts["L10.00"];
    assert_eq!(dawn.display, "Harbor lamp, with soot, at dawn");
    assert_eq!(values(dawn, "modifier"), ["S92_5"]);
    let soot = &lamps.concepts["L10.0"];
    assert_eq!(soot.display, "Harbor lamp, with soot");
    assert_eq!(names(soot), [("fr", DesignationUse::Display, "Lampe de port, avec suie")]);
    assert_eq!(values(soot, property::INCLUDES), ["Soot of the wick"]);
    assert_eq!(values(soot, property::KIND), ["category"]);
    let without = &lamps.concepts["L10.1"];
    assert_eq!(values(without, "usage"), ["dagger"]);
    assert_eq!(values(without, property::EXCLUDES), ["ash (L12)"]);
}

#[test]
fn a_code_given_in_full_is_not_made() {
    let full = "<Class code=\"L10.1\" kind=\"category\"><Rubric kind=\"preferred\">\
                <Label>Own name</Label></Rubric></Class>\n</ClaML>";
    let lamps = read(&LAMPS.replace("</ClaML>", full));
    assert_eq!(lamps.concepts["L10.1"].display, "Own name");
    assert!(!lamps.concepts.contains_key("L10.10"));
    assert!(lamps.tally.left_out.iter().all(|one| !one.reason.contains("second time")));
}

#[test]
fn modifier_classes_stand_under_one_another_and_are_modified() {
    let under = LAMPS
        .replace("code=\".1\" modifier", "code=\".01\" modifier")
        .replacen("<SuperClass code=\"S91_4\"/>\n    <Rubric kind=\"preferred\"><Label xml:lang=\"en\">without", "<SuperClass code=\".0\"/>\n    <Rubric kind=\"preferred\"><Label xml:lang=\"en\">without", 1)
        .replace("    <ModifiedBy code=\"S92_5\" all=\"true\"/>\n", "");
    let lamps = read(&under);
    assert_eq!(parents(&lamps.concepts["L10.01"]), ["L10.0"]);
    let nested = LAMPS.replace("    <ModifiedBy code=\"S92_5\" all=\"true\"/>\n", "").replacen(
        "<SuperClass code=\"S91_4\"/>",
        "<ModifiedBy code=\"S92_5\"/>",
        1,
    );
    let order = read(&nested).order;
    assert!(order.contains(&"L10.01".to_owned()), "{order:?}");
    assert!(!order.contains(&"L10.10".to_owned()), "{order:?}");
}

#[test]
fn groupers_are_not_to_choose() {
    let lamps = lamps();
    let flag = |code: &str| lamps.concepts[code].flag(property::NOT_SELECTABLE);
    assert_eq!((flag("I"), flag("L10-L19"), flag("L10")), (Some(true), Some(true), None));
    assert_eq!(values(&lamps.concepts["I"], property::KIND), ["chapter"]);
    assert_eq!(values(&lamps.concepts["I"], property::EXCLUDES), ["candles (W00-W09)"]);
    assert_eq!(values(&lamps.concepts["I"], property::NOTE), ["About lamps. See L12 first."]);
}

#[test]
fn rubrics_become_what_they_are() {
    let lamps = lamps();
    let harbor = &lamps.concepts["L10"];
    assert_eq!(harbor.display, "Harbor lamp");
    assert_eq!(
        names(harbor),
        [
            ("fr", DesignationUse::Display, "Lampe de port"),
            ("en", DesignationUse::Synonym, "Lamp that hangs in a harbor"),
        ]
    );
    assert_eq!(harbor.definition.as_deref(), Some("A lamp over a pier."));
    assert_eq!(values(harbor, property::NOTE), ["Name the pier."]);
    let boat = &lamps.concepts["L12"];
    assert_eq!(values(boat, property::NOTE), ["Kinds: bow; stern"]);
    assert_eq!(values(boat, "season"), ["winter"]);
}

#[test]
fn lists_are_one_term_for_each_entry() {
    let lamps = lamps();
    let pier = &lamps.concepts["L11"];
    let terms: Vec<&str> = names(pier).into_iter().map(|(.., value)| value).collect();
    assert_eq!(terms, ["Lantern oil", "Lantern gas", "Beacon tall"]);
    assert!(pier.designations.iter().all(|one| one.use_ == DesignationUse::Inclusion));
    assert_eq!(values(pier, "reference"), ["T01.3"]);
    let oil = &lamps.concepts["L11.0"];
    assert_eq!(oil.display, "Pier lamp with B12 oil");
    assert_eq!((values(oil, "usage"), values(oil, "reference")), (vec!["dagger"], vec!["T01.3"]));
    let excluded = ["lamp on a boat (L12.-)", "lamp on a raft (L13)"];
    assert_eq!(values(oil, property::EXCLUDES), excluded);
}

#[test]
fn another_language_may_be_the_release_s() {
    let french = read(&LAMPS.replace("name=\"lang\" value=\"en\"", "name=\"lang\" value=\"fr\""));
    let harbor = &french.concepts["L10"];
    assert_eq!(harbor.display, "Lampe de port");
    assert_eq!(names(harbor)[0], ("en", DesignationUse::Display, "Harbor lamp"));
    assert_eq!(values(harbor, property::NOTE), ["Une note."]);
    assert_eq!(french.concepts["L12"].display, "Boat lamp");
}

#[test]
fn line_ends_and_a_byte_order_mark_change_nothing() {
    let windows = format!("\u{feff}{}", LAMPS.replace('\n', "\r\n"));
    assert_eq!(read(&windows).concepts, lamps().concepts);
}

#[test]
fn a_file_cut_anywhere_is_refused_before_anything_is_read() {
    for at in (150..LAMPS.trim_end().len()).step_by(97) {
        let cut = LAMPS.get(..at).expect("ASCII");
        let error = try_read(cut).err().expect("cut short");
        let kind = error.kind();
        assert!(matches!(kind, ImportErrorKind::Truncated { .. }), "at {at}: {error}");
        assert!(error.line().is_some(), "at {at}: {error}");
    }
}

#[test]
fn broken_files_are_refused_with_their_line() {
    let refused = |text: &[u8]| {
        let error = try_read(text).err().expect("refused");
        (error.line(), error.to_string())
    };
    assert!(refused(b"").1.contains("empty"));
    let mut latin = LAMPS.replace("Boat", "B#at").into_bytes();
    let at = latin.iter().position(|byte| *byte == b'#').expect("there");
    latin[at] = 0xe9;
    let line = LAMPS[..LAMPS.find("Boat").expect("there")].lines().count() as u64;
    assert_eq!(refused(&latin).0, Some(line), "{:?}", refused(&latin));
    let text = |from: &str, to: &str| refused(LAMPS.replace(from, to).as_bytes());
    let (line, message) = text("<Class code=\"L12\"", "<Class");
    assert!(line.is_some() && message.contains("<Class> has no code"), "{message}");
    let (line, message) =
        text("<Rubric kind=\"preferred\"><Label xml:lang=\"en\">Boat lamp</Label></Rubric>", "");
    assert!(line.is_some() && message.contains("the class L12"), "{message}");
    assert!(text(" modifier=\"S91_4\"", "").1.contains("has no modifier"));
    assert!(text("<Title name=\"LAMP-10-EN-2099\"", "<Title name=\"2099\"").1.contains("Title"));
    let (_, message) = refused(b"<ClaML><Title name=\"L\"/>\n</ClaML>");
    assert!(message.contains("<Class>"), "{message}");
    let (_, message) = refused(b"<ClaML>\n</ClaML>");
    assert!(message.contains("<Title>"), "{message}");
    let (_, message) = text("<Class code=\"L12\"", &format!("<Class code=\"{}\"", "L".repeat(201)));
    assert!(message.contains("a code of a classification"), "{message}");
}

#[test]
fn a_code_given_twice_counts_once() {
    let twice = read(&LAMPS.replace("<Class code=\"L13\"", "<Class code=\"L12\""));
    assert_eq!(twice.concepts["L12"].display, "Boat lamp");
    let repeated = twice.tally.left_out.iter().find(|one| one.reason.contains("second time"));
    let repeated = repeated.expect("counted");
    assert!(repeated.count == 1 && repeated.first.ends_with(": L12"), "{repeated:?}");
}

#[test]
fn a_circle_and_a_class_that_is_not_there_do_not_stop_the_reading() {
    let circle =
        LAMPS.replacen("    <SubClass code=\"L10-L19\"/>", "<SuperClass code=\"L13\"/>", 1);
    let circle = read(&circle);
    assert_eq!(parents(&circle.concepts["I"]), ["L13"]);
    assert_eq!(circle.order.len(), 16);
    let dangling = read(&LAMPS.replace("<SuperClass code=\"L11\"/>", "<SuperClass code=\"L77\"/>"));
    assert_eq!(parents(&dangling.concepts["L11.0"]), ["L77"]);
    // A modifier that modifies itself ends with the characters that a code has to spare.
    let endless = LAMPS.replacen(
        "<Rubric kind=\"preferred\"><Label xml:lang=\"en\">at dawn",
        "<ModifiedBy code=\"S92_5\"/><Rubric kind=\"preferred\"><Label xml:lang=\"en\">at dawn",
        1,
    );
    let endless = read(&endless);
    assert!(endless.concepts.contains_key("L12.X000"));
    assert!(endless.order.iter().all(|code| code.len() < 10), "{:?}", endless.order);
}
