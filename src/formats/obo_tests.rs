use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use crate::terminology::{Concept, Content, DesignationUse, Property, PropertyValue};

use super::obo_line::{Broken, Line, language};
use super::*;

const TIDES: &str = include_str!("../../fixtures/obo/tides.obo");

fn source(name: &str, text: impl Into<Vec<u8>>) -> Result<Box<dyn Source>, ImportError> {
    open_reader(Format::Obo, name, Box::new(Cursor::new(text.into())))
}

fn read(text: impl Into<Vec<u8>>) -> Result<Vec<Concept>, ImportError> {
    source("tides.obo", text)?.collect()
}

fn tides() -> BTreeMap<String, Concept> {
    let concepts = read(TIDES).expect("the fixture is sound");
    concepts.into_iter().map(|one| (one.code.as_str().to_owned(), one)).collect()
}

fn values<'a>(concept: &'a Concept, code: &str) -> Vec<&'a PropertyValue> {
    concept.properties.iter().filter(|one| one.code == code).map(|one| &one.value).collect()
}

fn text(value: &str) -> PropertyValue {
    PropertyValue::Text(value.to_owned())
}

fn code(value: &str) -> PropertyValue {
    PropertyValue::Code(value.to_owned())
}

#[test]
fn the_header_says_what_the_release_is() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/obo/tides.obo");
    assert_eq!(detect(&path).expect("told"), Format::Obo);
    let source = open(Format::Obo, &path).expect("it opens");
    let release = source.release();
    assert_eq!(release.alias, "tides");
    assert_eq!(release.system.as_str(), "http://purl.obolibrary.org/obo/tides.owl");
    assert_eq!(release.title, "Ontology of Tides");
    assert_eq!(release.version, "2099-05-01");
    assert_eq!(release.date.as_deref(), Some("2099-05-01"));
    assert_eq!(release.license.as_deref(), Some("https://example.org/license"));
    assert_eq!(release.notices.last().map(String::as_str), Some("An invented ontology."));
    assert_eq!(release.content, Content::Complete);
}

#[test]
fn the_ontology_is_known_by_its_name_however_it_is_written() {
    let alias = |header: &str, id: &str| {
        let text = format!("format-version: 1.4\n{header}\n\n[Term]\nid: {id}\nname: a\n");
        source("a.obo", text).map(|source| source.release().alias.clone()).expect("it opens")
    };
    for header in [
        "ontology: hp",
        "ontology: hp.obo",
        "ontology: HP/hp-base",
        "ontology: http://purl.obolibrary.org/obo/hp.owl",
        "ontology: http://purl.obolibrary.org/obo/hp/releases/2025-01-16/hp-full.owl",
    ] {
        assert_eq!(alias(header, "X:1"), "hpo", "{header}");
    }
    assert_eq!(alias("ontology: mondo", "MONDO:1"), "mondo");
    assert_eq!(alias("ontology: My Own.obo", "X:1"), "my-own");
    // Without a header line the identifiers tell.
    assert_eq!(alias("remark: none", "DOID:4"), "doid");
    let error = source("a.obo", "format-version: 1.4\n\n[Term]\nid: plain\nname: a\n")
        .err()
        .expect("nothing tells which it is");
    assert!(matches!(error.kind(), ImportErrorKind::Unsaid { .. }), "{error}");
}

#[test]
fn the_version_is_the_stated_date_or_what_there_is() {
    let release = |name: &str, header: &str| {
        let text = format!("format-version: 1.2\nontology: tides\n{header}\n[Term]\nid: T:1\n");
        let release = source(name, text).expect("it opens").release().clone();
        (release.version, release.content)
    };
    let whole = |version: &str| (version.to_owned(), Content::Complete);
    assert_eq!(release("a.obo", "data-version: hp/releases/2025-01-16"), whole("2025-01-16"));
    assert_eq!(release("a.obo", "data-version: releases/4.2"), whole("4.2"));
    assert_eq!(release("a.obo", "date: 16:01:2025 12:30"), whole("2025-01-16"));
    let info = "property_value: owl:versionInfo \"2024-02-03\" xsd:string";
    assert_eq!(release("a.obo", info), whole("2024-02-03"));
    assert_eq!(release("a.obo", ""), ("undated".to_owned(), Content::Fragment));
    assert_eq!(release("tides-2023-04-05.obo", ""), ("2023-04-05".to_owned(), Content::Fragment));
    let subset = "ontology: tides/subsets/coast\ndata-version: 2025-01-16";
    assert_eq!(release("a.obo", subset), ("2025-01-16".to_owned(), Content::Fragment));
}

#[test]
fn every_term_is_kept_and_what_is_not_is_counted() {
    let mut source = source("tides.obo", TIDES).expect("it opens");
    let found: Vec<Concept> = source.by_ref().collect::<Result<_, _>>().expect("sound");
    let codes: Vec<&str> = found.iter().map(|one| one.code.as_str()).collect();
    assert_eq!(
        codes,
        [
            "TIDE:0000001",
            "TIDE:0000002",
            "TIDE:0000003",
            "TIDE:0000004",
            "TIDE:0000005",
            "MOON:1",
            "TIDE:0000007"
        ]
    );
    let tally = source.tally();
    let read: Vec<(&str, u64)> = tally.read.iter().map(|(kind, n)| (kind.as_str(), *n)).collect();
    assert_eq!(
        read,
        [
            ("obsolete terms", 1),
            ("terms", 6),
            ("terms of other ontologies", 1),
            ("terms without a name", 1)
        ]
    );
    let left: Vec<(&str, u64, &str)> =
        tally.left_out.iter().map(|one| (&*one.reason, one.count, &*one.first)).collect();
    assert_eq!(
        left,
        [
            ("the code is given a second time", 1, "tides.obo:70: TIDE:0000002"),
            ("an anonymous term", 1, "tides.obo:74: TIDE:0000006"),
            ("a stanza that is not a term", 2, "tides.obo:85: [Typedef]"),
        ]
    );
    assert_eq!(source.progress().fraction(), Some(1.0));
    assert_eq!(tides()["TIDE:0000007"].display, "TIDE:0000007");
}

#[test]
fn names_are_sorted_by_their_scope() {
    use DesignationUse::{Related, Synonym};
    let concepts = tides();
    let high = &concepts["TIDE:0000002"];
    assert_eq!(high.display, "High water");
    let names: Vec<_> =
        high.designations.iter().map(|d| (d.language.as_str(), d.use_, &*d.value)).collect();
    assert_eq!(
        names,
        [
            ("en", Synonym, "Flood peak"),
            ("en", Synonym, "High tide"),
            ("en", Synonym, "HW"),
            ("en", Related, "Tide"),
            ("en", Related, "Spring tide"),
            ("en", Synonym, "Slack"),
            ("en", Related, "Old top"),
            ("en", Related, "Unscoped"),
            ("nl", Synonym, "Hoogwater"),
            ("en", Synonym, "Old style"),
        ]
    );
    let day = &concepts["TIDE:0000004"];
    assert_eq!(day.display, "{alpha}-day {beta}");
    assert_eq!((day.designations[0].language.as_str(), &*day.designations[0].value), ("nl", "Dag"));
    assert_eq!(concepts["TIDE:0000003"].display, "Day!");
}

#[test]
fn a_term_has_its_definition_parents_and_properties() {
    let concepts = tides();
    let high = &concepts["TIDE:0000002"];
    assert_eq!(high.definition.as_deref(), Some("The \"top\" of a tide: {high}, [wet]\nand cold."));
    let parents: Vec<&str> = high.parents.iter().map(|code| code.as_str()).collect();
    assert_eq!(parents, ["TIDE:0000001", "TIDE:0000999"]);
    assert!(high.active);
    for (name, expected) in [
        (
            "definitionSource",
            vec![text("PMID:1"), text("https://example.org/a,b"), text("ORCID:2")],
        ),
        ("altId", vec![text("TIDE:0000900"), text("TIDE:0000901")]),
        ("xref", vec![text("XX:1"), text("XX:2")]),
        ("subset", vec![text("coast")]),
        ("namespace", vec![text("tides")]),
        ("note", vec![text("Stays! It is {not} a modifier.")]),
        ("part_of", vec![code("TIDE:0000003")]),
        ("caused_by", vec![text("MOON:1")]),
        ("dc:date", vec![PropertyValue::DateTime("2098-01-02".to_owned())]),
        ("level", vec![PropertyValue::Integer(3)]),
        ("wet", vec![PropertyValue::Boolean(true)]),
        ("seeAlso", vec![text("https://example.org/x")]),
        ("dateCreated", vec![PropertyValue::DateTime("2098-01-02T03:04:05Z".to_owned())]),
        ("intersection_of", vec![]),
    ] {
        assert_eq!(values(high, name), expected.iter().collect::<Vec<_>>(), "{name}");
    }
    let ebb = &concepts["TIDE:0000005"];
    assert!(!ebb.active);
    assert_eq!(values(ebb, "replacedBy"), [&code("TIDE:0000002"), &text("MOON:2")]);
    assert_eq!(values(ebb, "consider"), [&code("TIDE:0000003")]);
    assert_eq!(ebb.properties.first(), Some(&Property::code("replacedBy", "TIDE:0000002")));
}

#[test]
fn lines_are_taken_apart() {
    let quoted = |value: &'static str| Line { tag: "def", value }.quoted();
    let sources = |value| quoted(value).expect("sound").sources;
    assert_eq!(sources(r#""a" [A:1 "one, two", B:2]"#), ["A:1", "B:2"]);
    assert_eq!(sources(r#""a" []"#), [""; 0]);
    assert_eq!(sources(r#""a""#), [""; 0]);
    assert_eq!(sources(r#""a" [x\]y]"#), ["x]y"]);
    assert_eq!(quoted(r#""a\\" []"#).expect("sound").text, r"a\");
    assert_eq!(quoted(r#""a\" []"#), Err(Broken::OpenQuote));
    assert_eq!(quoted(r#""a" [b"#), Err(Broken::OpenList));
    assert_eq!(quoted("a"), Err(Broken::NoQuote));
    let modifiers = quoted(r#""a" EXACT [] {x="1, } 2", xml:lang="de"} ! b"#).expect("sound");
    assert_eq!(modifiers.modifiers.len(), 2);
    assert_eq!(language(&modifiers.modifiers), Some("de"));
    let plain = |value: &'static str| Line { tag: "name", value }.plain().text;
    assert_eq!(plain("a ! b"), "a");
    assert_eq!(plain(r"a \! b"), "a ! b");
    assert_eq!(plain("! b"), "");
    assert_eq!(plain("6\" {tall} man"), "6\" {tall} man");
    assert_eq!(plain(r#"a {b="c ! d"} ! e"#), "a");
    assert_eq!(plain(r"tab\tspace\Wend\"), "tab\tspace end\\");
    assert_eq!(Line::parse("no colon"), Err(Broken::NoTag));
    assert_eq!(Line::parse("two words: a"), Err(Broken::NoTag));
}

#[test]
fn line_ends_and_a_byte_order_mark_change_nothing() {
    let plain = read(TIDES).expect("sound");
    let windows = format!("\u{feff}{}", TIDES.replace('\n', "\r\n"));
    assert_eq!(read(windows).expect("sound"), plain);
}

#[test]
fn broken_files_are_refused_with_their_line() {
    let refused = |text: &[u8]| {
        let error = read(text.to_vec()).expect_err("refused");
        (error.line(), error.to_string())
    };
    assert!(refused(b"").1.contains("empty"));
    assert!(refused(b"hello").1.contains("an OBO ontology"));
    let (line, message) = refused(b"format-version: 1.2\nontology: a\n");
    assert!(message.contains("the ontology has no [Term]"), "{message}");
    assert_eq!(line, Some(2));
    let head = "format-version: 1.2\nontology: a\n";
    let of = |rest: &str| refused(format!("{head}{rest}").as_bytes());
    let (line, message) = of("[Term]\nname: a\n\n[Term]\nid: A:1\n");
    assert_eq!((line, message.contains("[Term] has no id")), (Some(3), true), "{message}");
    let (line, message) = of("[Term]\nid: A:1\nsynonym: \"a EXACT []\nname: b\n");
    assert_eq!((line, message.contains("as synonym")), (Some(5), true), "{message}");
    let (line, message) = of("[Term]\nid: A:1\nnonsense\nname: b\n");
    assert_eq!((line, message.contains("a tag, a colon")), (Some(5), true), "{message}");
    let (line, message) = of("[Term]\nid: A:1\nis_a: ! nothing\nname: b\n");
    assert_eq!((line, message.contains("as is_a")), (Some(5), true), "{message}");
    let (line, message) = of("[Term]\nid: A:1\nrelationship: part_of\nname: b\n");
    assert_eq!((line, message.contains("as relationship")), (Some(5), true), "{message}");
    let (line, message) = of(&format!("[Term]\nid: {}\n", "A".repeat(201)));
    assert_eq!((line, message.contains("HP:0000256")), (Some(3), true), "{message}");
    let mut latin = TIDES.replace("Flood peak", "Fl#od peak").into_bytes();
    let at = latin.iter().position(|byte| *byte == b'#').expect("there");
    latin[at] = 0xf6;
    let (line, message) = refused(&latin);
    assert_eq!((line, message.contains("UTF-8")), (Some(25), true), "{message}");
}

#[test]
fn a_cut_within_a_line_is_found_where_the_line_is_no_longer_sound() {
    let cut = |until: &str| {
        let at = TIDES.find(until).expect("there") + until.len();
        read(&TIDES[..at])
    };
    for until in [
        "synonym: \"Flood pe",
        "[PMID:1, https",
        "\nsynonym: \"High tide\" EXACT layperson [",
        "\nrelatio",
    ] {
        let error = cut(until).expect_err("cut short");
        assert!(matches!(error.kind(), ImportErrorKind::Truncated { .. }), "{until}: {error}");
        assert!(error.line().is_some(), "{until}");
    }
    assert!(matches!(
        cut("\n\n[Term]").expect_err("no term").kind(),
        ImportErrorKind::Truncated { .. }
    ));
    // Between two lines nobody can tell.
    assert_eq!(cut("HW\" EXACT abbreviation []").expect("looks whole").len(), 2);
    for at in (0..TIDES.len()).filter(|at| TIDES.is_char_boundary(*at)) {
        // Never a panic.
        let _ = read(&TIDES[..at]);
    }
}

/// The folder with releases that are not part of this project.
fn data(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("MEDTERM_TEST_DATA")?;
    Some(Path::new(&folder).join("data/obo").join(name)).filter(|path| path.exists())
}

fn whole(name: &str) -> Option<(Vec<Concept>, Box<dyn Source>)> {
    let Some(path) = data(name) else {
        eprintln!("skipped: set MEDTERM_TEST_DATA to the folder that holds data/obo/{name}");
        return None;
    };
    let mut source = open(Format::Obo, &path).expect("it opens");
    let concepts = source.by_ref().collect::<Result<_, _>>().expect("sound");
    Some((concepts, source))
}

fn count(concepts: &[Concept], use_: DesignationUse) -> usize {
    concepts.iter().flat_map(|one| &one.designations).filter(|name| name.use_ == use_).count()
}

#[test]
fn the_human_phenotype_ontology_is_read_whole() {
    let Some((concepts, source)) = whole("hp.obo.gz") else { return };
    let release = source.release();
    assert_eq!((release.alias.as_str(), release.version.as_str()), ("hpo", "2025-01-16"));
    assert_eq!(release.system.as_str(), "http://human-phenotype-ontology.org");
    assert_eq!(release.content, Content::Complete);
    assert!(release.notices[0].contains("version 2025-01-16"), "{:?}", release.notices);
    assert_eq!(concepts.len(), 19_484);
    assert_eq!(concepts.iter().filter(|one| !one.active).count(), 450);
    assert_eq!(concepts.iter().map(|one| one.parents.len()).sum::<usize>(), 23_392);
    let definitions = concepts.iter().filter(|one| one.definition.is_some()).count();
    assert_eq!(definitions, 16_454);
    let alt_ids = concepts.iter().flat_map(|one| values(one, "altId")).count();
    assert_eq!(alt_ids, 3_832);
    let replaced = concepts.iter().flat_map(|one| values(one, "replacedBy")).count();
    assert_eq!(replaced, 357);
    let big_head = concepts.iter().find(|one| one.code.as_str() == "HP:0000256").expect("there");
    assert_eq!(big_head.display, "Macrocephaly");
    let name = big_head.designations.iter().find(|name| name.value == "Big head");
    assert_eq!(name.map(|name| name.use_), Some(DesignationUse::Related), "its scope is BROAD");
    assert_eq!(
        (count(&concepts, DesignationUse::Synonym), count(&concepts, DesignationUse::Related)),
        (20_036, 2_435)
    );
}

#[test]
fn copies_without_their_header_are_fragments() {
    for (name, alias, terms, synonyms) in
        [("mondo.obo.gz", "mondo", 23_964, 94_773), ("doid.obo.gz", "doid", 11_454, 18_585)]
    {
        let Some((concepts, source)) = whole(name) else { return };
        let release = source.release();
        assert_eq!(release.alias, alias);
        assert_eq!(release.version, "undated");
        assert_eq!(release.content, Content::Fragment);
        assert_eq!(concepts.len(), terms, "{name}");
        assert!(concepts.iter().all(|one| one.active), "{name}");
        assert_eq!(count(&concepts, DesignationUse::Synonym), synonyms, "{name}");
    }
}
