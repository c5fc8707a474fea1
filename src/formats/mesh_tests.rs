use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use crate::terminology::{Concept, Content, DesignationUse, PropertyValue, Release, property};

use super::*;

const DESCRIPTORS: &str = include_str!("../../fixtures/mesh/desc2099.xml");

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mesh").join(name)
}

struct Read {
    release: Release,
    concepts: BTreeMap<String, Concept>,
    order: Vec<String>,
    tally: Tally,
}

fn read(paths: &[PathBuf]) -> Read {
    let found = ReleaseFiles::find(paths).expect("the files are told");
    let [files] = found.as_slice() else { panic!("{} releases", found.len()) };
    assert_eq!(files.format(), Format::Mesh);
    let mut source = files.open(&ImportOptions::default()).expect("it opens");
    let concepts: Vec<Concept> =
        source.by_ref().collect::<Result<_, _>>().expect("the file is sound");
    assert!(source.next().is_none());
    assert_eq!(source.progress().fraction(), Some(1.0));
    Read {
        release: source.release().clone(),
        order: concepts.iter().map(|one| one.code.as_str().to_owned()).collect(),
        concepts: concepts.into_iter().map(|one| (one.code.as_str().to_owned(), one)).collect(),
        tally: source.tally(),
    }
}

fn read_text(name: &str, text: impl Into<Vec<u8>>) -> Result<Vec<Concept>, ImportError> {
    open_reader(Format::Mesh, name, Box::new(Cursor::new(text.into())))?.collect()
}

fn whole() -> Read {
    read(&[fixture("supp2099.xml"), fixture("desc2099.xml"), fixture("qual2099.xml")])
}

fn codes(codes: &[crate::terminology::Code]) -> Vec<&str> {
    codes.iter().map(|code| code.as_str()).collect()
}

fn values<'a>(concept: &'a Concept, code: &str) -> Vec<&'a str> {
    let found = concept.properties.iter().filter(|one| one.code == code);
    found
        .map(|one| match &one.value {
            PropertyValue::Text(value)
            | PropertyValue::Code(value)
            | PropertyValue::DateTime(value) => value.as_str(),
            other => panic!("{code} is {other:?}"),
        })
        .collect()
}

#[test]
fn three_files_are_one_release_in_whatever_order_they_are_given() {
    let whole = whole();
    assert_eq!(whole.release.alias, "mesh");
    assert_eq!(whole.release.system.as_str(), "https://www.nlm.nih.gov/mesh");
    assert_eq!(whole.release.version, "2099");
    assert_eq!(whole.release.date.as_deref(), Some("2099-01-01"));
    assert_eq!(whole.release.language, "en");
    assert_eq!(whole.release.content, Content::Complete);
    assert_eq!(
        whole.order,
        [
            "A", "B", "E", "Y", "D900001", "D900002", "D900003", "D900004", "D900005", "D900006",
            "Q900001", "Q900002", "C900001"
        ]
    );
    let read = |kind: &str| whole.tally.read.get(kind).copied();
    assert_eq!(read("categories"), Some(4));
    assert_eq!(read("descriptors"), Some(6));
    assert_eq!(read("qualifiers"), Some(2));
    assert_eq!(read("supplementary records"), Some(1));
    let folder = self::read(&[fixture("")]);
    assert_eq!(folder.order, whole.order);
}

#[test]
fn parts_of_a_release_are_fragments() {
    let qualifiers = read(&[fixture("qual2099.xml")]);
    assert_eq!(qualifiers.release.content, Content::Fragment);
    assert_eq!(qualifiers.order, ["Y", "Q900001", "Q900002"]);
    assert_eq!(read(&[fixture("supp2099.xml")]).order, ["C900001"]);
    // A gap below the second level is a record that was left out.
    let cut = DESCRIPTORS.replace("<TreeNumber>A91.100</TreeNumber>", "");
    let source = open_reader(Format::Mesh, "desc2099.xml", Box::new(Cursor::new(cut.into_bytes())));
    assert_eq!(source.expect("it opens").release().content, Content::Fragment);
}

#[test]
fn names_are_sorted_by_how_close_they_are() {
    let whole = whole();
    let lantern = &whole.concepts["D900003"];
    assert_eq!(lantern.display, "Lantern, Harbor & Pier");
    let names: Vec<_> =
        lantern.designations.iter().map(|d| (d.language.as_str(), d.use_, &*d.value)).collect();
    assert_eq!(
        names,
        [
            ("en", DesignationUse::Synonym, "Pier Light"),
            ("fr", DesignationUse::Synonym, "Lanterne de quai"),
            ("en", DesignationUse::Related, "Storm Lantern"),
        ],
        "no permuted term, no display, nothing twice"
    );
    assert_eq!(lantern.definition.as_deref(), Some("A light that hangs over a pier."));
}

#[test]
fn what_is_above_follows_the_tree_numbers() {
    let whole = whole();
    let above = |code: &str| {
        let concept = &whole.concepts[code];
        (codes(&concept.parents), codes(&concept.ancestors))
    };
    assert_eq!(above("D900001"), (vec!["A"], vec![]));
    assert_eq!(above("D900003"), (vec!["D900001", "D900002"], vec![]));
    // Its parent is under Signals as well, and it is not.
    assert_eq!(above("D900004"), (vec!["D900003"], vec!["A", "D900001", "D900003"]));
    assert_eq!(above("D900005"), (vec![], vec![]));
    assert_eq!(above("Q900001"), (vec!["Y"], vec![]));
    assert_eq!(above("Q900002"), (vec!["Q900001"], vec![]));
    assert_eq!(above("A"), (vec![], vec![]));
    // Nobody has B92: the next one above takes its place, and the gap is told.
    assert_eq!(above("D900006"), (vec!["B"], vec![]));
    let reasons: Vec<_> =
        whole.tally.left_out.iter().map(|one| (one.reason.as_str(), one.count)).collect();
    assert_eq!(
        reasons,
        [
            ("the code is given a second time", 1),
            ("no record has the tree number one level up: put under the next one above", 1)
        ]
    );
    assert!(whole.tally.left_out[0].first.ends_with("desc2099.xml:88: D900004"));
    assert_eq!(whole.concepts["D900004"].display, "Lash", "the first one counts");
}

#[test]
fn categories_are_groupers() {
    let whole = whole();
    let anatomy = &whole.concepts["A"];
    assert_eq!(anatomy.display, "Anatomy");
    assert_eq!(anatomy.flag(property::NOT_SELECTABLE), Some(true));
    assert_eq!(values(anatomy, property::KIND), ["category"]);
}

#[test]
fn properties_are_complete() {
    let whole = whole();
    let lantern = &whole.concepts["D900003"];
    for (code, expected) in [
        ("kind", vec!["descriptor"]),
        ("descriptorClass", vec!["1"]),
        ("treeNumber", vec!["A91.100", "E91.200"]),
        ("dateCreated", vec!["2098-03-09"]),
        ("dateRevised", vec!["2099-11-30"]),
        ("dateEstablished", vec!["2099-01-01"]),
        ("allowableQualifier", vec!["Q900002", "Q900001"]),
        ("annotation", vec!["for lanterns of piers"]),
        ("historyNote", vec!["98"]),
        ("publicNote", vec!["98; was LAMP 2090-97"]),
        ("considerAlso", vec!["consider also terms at LAMP-"]),
        ("previousIndexing", vec!["Lamps (2090-2097)"]),
        ("entryCombination", vec!["D900004"]),
        ("note", vec!["Lantern/wear: use Lash"]),
        ("seeRelated", vec!["D900002"]),
        ("pharmacologicalAction", vec!["D900001"]),
        ("registryNumber", vec!["EC 9.9.9"]),
        ("relatedRegistryNumber", vec!["99-99-9 (Lantern)"]),
        ("casName", vec!["1-lantern"]),
    ] {
        assert_eq!(values(lantern, code), expected, "{code}");
    }
    let oil = &whole.concepts["C900001"];
    assert_eq!(oil.definition.as_deref(), Some("oil of a lantern; structure given"));
    for (code, expected) in [
        ("kind", vec!["supplementary"]),
        ("supplementaryClass", vec!["1"]),
        ("mappedTo", vec!["D900003", "D900001"]),
        ("indexingInformation", vec!["D900005"]),
        ("pharmacologicalAction", vec!["D900002"]),
        ("registryNumber", vec!["AB12CD"]),
        ("dateCreated", vec!["2097-02-01"]),
    ] {
        assert_eq!(values(oil, code), expected, "{code}");
    }
    let to_star = |one: &crate::terminology::Property| one.code == "mappedTo";
    let mapped = oil.properties.iter().find(|one| to_star(one)).map(|one| &one.value);
    assert_eq!(mapped, Some(&PropertyValue::Code("D900003".to_owned())));
}

#[test]
fn the_year_is_in_the_document_type_or_the_name() {
    let bare = DESCRIPTORS.replace("_20990101", "");
    let year = |name: &str| {
        let source = open_reader(Format::Mesh, name, Box::new(Cursor::new(bare.clone().into_bytes())));
        source.map(|source| source.release().version.clone())
    };
    assert_eq!(year("desc2098.xml").ok().as_deref(), Some("2098"));
    let error = year("descriptors.xml").expect_err("nothing says the year");
    assert!(matches!(error.kind(), ImportErrorKind::Unsaid { .. }), "{error}");
}

#[test]
fn files_of_two_years_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("desc2099.xml"), DESCRIPTORS).expect("written");
    let other = std::fs::read_to_string(fixture("supp2099.xml")).expect("there");
    std::fs::write(folder.path().join("supp.xml"), other.replace("2099", "2098")).expect("written");
    let files = ReleaseFiles::find(&[folder.path().to_owned()]).expect("told");
    let error = files[0].open(&ImportOptions::default()).err().expect("refused");
    assert!(error.path().ends_with("supp.xml"), "{error}");
    assert!(error.to_string().contains("2098"), "{error}");
}

#[test]
fn translations_state_their_language() {
    let french = DESCRIPTORS.replace("LanguageCode=\"eng\"", "LanguageCode = \"fre\"");
    let concepts = read_text("desc2099.xml", french).expect("sound");
    let lantern = concepts.iter().find(|one| one.code.as_str() == "D900003").expect("there");
    let languages: Vec<_> =
        lantern.designations.iter().map(|d| (d.language.as_str(), d.value.as_str())).collect();
    assert!(languages.contains(&("fr", "Lanterne de quai")), "{languages:?}");
    assert!(languages.contains(&("en", "Lantern, Harbor & Pier")), "{languages:?}");
}

#[test]
fn line_ends_and_a_byte_order_mark_change_nothing() {
    let plain = read_text("desc2099.xml", DESCRIPTORS).expect("sound");
    let windows = format!("\u{feff}{}", DESCRIPTORS.replace('\n', "\r\n"));
    assert_eq!(read_text("desc2099.xml", windows).expect("sound"), plain);
}

#[test]
fn a_file_cut_anywhere_is_refused_before_anything_is_read() {
    for at in (600..DESCRIPTORS.trim_end().len()).step_by(97) {
        let cut = DESCRIPTORS.get(..at).expect("ASCII");
        let error = read_text("desc2099.xml", cut).expect_err("cut short");
        let kind = error.kind();
        assert!(matches!(kind, ImportErrorKind::Truncated { .. }), "at {at}: {error}");
        assert!(error.line().is_some(), "at {at}: {error}");
    }
}

#[test]
fn broken_files_are_refused_with_their_line() {
    let refused = |text: &[u8]| {
        let error = read_text("desc2099.xml", text).expect_err("refused");
        (error.line(), error.to_string())
    };
    assert!(refused(b"").1.contains("empty"));
    let mut latin = DESCRIPTORS.replace("Kelp", "K#lp").into_bytes();
    let at = latin.iter().position(|byte| *byte == b'#').expect("there");
    latin[at] = 0xe9;
    assert_eq!(refused(&latin).0, Some(97), "{:?}", refused(&latin));
    let text = |from: &str, to: &str| refused(DESCRIPTORS.replace(from, to).as_bytes());
    let (line, message) = text("<DescriptorUI>D900005</DescriptorUI>", "");
    assert_eq!(line, Some(92), "{message}");
    assert!(message.contains("DescriptorUI"), "{message}");
    let (_, message) = text("<String>Tide</String>", "");
    assert!(message.contains("D900005 has no DescriptorName"), "{message}");
    let long = format!("<DescriptorUI>{}</DescriptorUI>", "9".repeat(201));
    let (_, message) = text("<DescriptorUI>D900005</DescriptorUI>", &long);
    assert!(message.contains("a MeSH identifier"), "{message}");
    let (line, message) = refused(
        b"<!DOCTYPE DescriptorRecordSet SYSTEM \"d_20990101.dtd\">\n<DescriptorRecordSet>\n</DescriptorRecordSet>",
    );
    assert!(message.contains("has no <DescriptorRecord>"), "{message}");
    assert_eq!(line, Some(3));
    let (_, message) = text("<DescriptorRecord DescriptorClass=\"3\">", "<Other/><DescriptorRecord>");
    assert!(message.contains("<Other>"), "{message}");
}

#[test]
fn a_record_under_itself_is_not_its_own_ancestor() {
    // Signals stands below Lash, and Lash below a lantern that is below Signals.
    let circle = DESCRIPTORS
        .replace("<TreeNumber>E91</TreeNumber>", "<TreeNumber>E91</TreeNumber><TreeNumber>A91.100.300.1</TreeNumber>")
        .replace("<TreeNumber>A91.100.300</TreeNumber>", "<TreeNumber>A91.100.300</TreeNumber><TreeNumber>A91.100.300.5</TreeNumber>");
    let concepts = read_text("desc2099.xml", circle).expect("sound");
    let lash = concepts.iter().find(|one| one.code.as_str() == "D900004").expect("there");
    assert_eq!(codes(&lash.parents), ["D900003"]);
    assert_eq!(codes(&lash.ancestors), ["A", "D900001", "D900003"]);
}
