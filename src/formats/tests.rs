use std::collections::{BTreeMap, BTreeSet};
use std::error::Error as _;
use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::terminology::{Concept, Content, DesignationUse, PropertyValue, property};

use super::file_date::date_in_name;
use super::*;

const RELEASE: &str = "icd10cm-tabular-2026-04-01.xml.gz";

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/icd10cm").join(name)
}

fn unpacked(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let file = fs::File::open(fixture(name)).expect("the fixture is there");
    GzDecoder::new(file).read_to_end(&mut bytes).expect("the fixture is sound");
    bytes
}

fn whole_release() -> Vec<Concept> {
    let source = open(Format::CmsTabular, &fixture(RELEASE)).expect("the release opens");
    source.collect::<Result<_, _>>().expect("the release is sound")
}

fn by_code(concepts: Vec<Concept>) -> BTreeMap<String, Concept> {
    concepts.into_iter().map(|one| (one.code.as_str().to_owned(), one)).collect()
}

fn texts<'a>(concept: &'a Concept, code: &str) -> Vec<&'a str> {
    let texts = concept.properties.iter().filter(|p| p.code == code);
    texts
        .map(|p| match &p.value {
            PropertyValue::Text(text) => text.as_str(),
            other => panic!("{code} is {other:?}"),
        })
        .collect()
}

fn parents(concept: &Concept) -> Vec<&str> {
    concept.parents.iter().map(|code| code.as_str()).collect()
}

/// Reads a document given as text; the outcome is the concepts or the first error.
fn read(xml: &str) -> Result<Vec<Concept>, ImportError> {
    let reader = Box::new(Cursor::new(xml.to_owned().into_bytes()));
    open_reader(Format::CmsTabular, "list.xml", reader)?.collect()
}

/// A chapter 1 with the given inside, its first line being the third.
fn chapter(inside: &str) -> String {
    format!(
        "<ICD10CM.tabular><version>2026</version>\n<chapter><name>1</name><desc>C (A00-B99)</desc>\n\
         {inside}</chapter></ICD10CM.tabular>"
    )
}

#[test]
fn the_codes_are_those_of_an_independent_list() {
    let concepts = whole_release();
    let is_grouper = |one: &&Concept| one.flag(property::NOT_SELECTABLE) == Some(true);
    let kind = |name: &str| concepts.iter().filter(|c| texts(c, property::KIND) == [name]).count();
    assert_eq!(kind("chapter"), 22);
    assert_eq!(kind("block"), 258);
    assert_eq!(concepts.iter().filter(is_grouper).count(), 280);

    let list = String::from_utf8(unpacked("codes-2026-04-01.txt.gz")).expect("ASCII");
    let listed: BTreeSet<&str> = list
        .split(['\r', '\n'])
        .map(str::trim)
        .filter(|line| line.len() >= 3 && !line.contains('-'))
        .collect();
    let codes: Vec<String> = concepts
        .iter()
        .filter(|one| !is_grouper(one))
        .map(|one| one.code.as_str().replace('.', ""))
        .collect();
    let unique: BTreeSet<&str> = codes.iter().map(String::as_str).collect();
    assert_eq!(codes.len(), 98_186);
    assert_eq!(unique.len(), codes.len(), "a code comes twice");
    assert_eq!(listed.difference(&unique).collect::<Vec<_>>(), [&""; 0], "missing");
    assert_eq!(unique.difference(&listed).collect::<Vec<_>>(), [&""; 0], "not in the list");

    let billable =
        |value| concepts.iter().filter(move |c| c.flag(property::BILLABLE) == Some(value));
    assert_eq!(billable(true).count(), 74_719);
    assert_eq!(billable(false).count(), 23_467);
}

#[test]
fn every_parent_is_there_and_only_leaves_are_billable() {
    let concepts = by_code(whole_release());
    let mut with_children = BTreeSet::new();
    for (code, concept) in &concepts {
        let is_chapter = texts(concept, property::KIND) == ["chapter"];
        assert_eq!(concept.parents.len(), usize::from(!is_chapter), "{code}");
        for parent in &concept.parents {
            assert!(concepts.contains_key(parent.as_str()), "{code} hangs under {parent}");
            with_children.insert(parent.as_str());
        }
    }
    for (code, concept) in &concepts {
        let is_leaf = !with_children.contains(code.as_str());
        assert!(
            concept.flag(property::BILLABLE).is_none_or(|billable| billable == is_leaf),
            "{code}"
        );
    }
}

#[test]
fn terms_and_notes_are_complete() {
    let concepts = whole_release();
    let count = |code: &str| concepts.iter().map(|one| texts(one, code).len()).sum::<usize>();
    // The numbers of <note> elements in the file, counted with another parser.
    assert_eq!(count(property::EXCLUDES1), 5_407);
    assert_eq!(count(property::EXCLUDES2), 2_520);
    assert_eq!(count(property::INCLUDES), 1_024);
    assert_eq!(count(property::CODE_FIRST), 809);
    assert_eq!(count(property::CODE_ALSO), 655);
    assert_eq!(count(property::USE_ADDITIONAL_CODE), 1_485);
    assert_eq!(count(property::SEVENTH_CHARACTER_NOTE), 508);
    // 180 notes and the table of visual acuity.
    assert_eq!(count(property::NOTE), 181);

    assert!(concepts.iter().flat_map(|c| &c.designations).all(|d| {
        matches!(d.use_, DesignationUse::Inclusion | DesignationUse::Related)
            && d.language == "en"
            && d.value == d.value.trim()
    }));
    // What a category includes is a name close to its meaning; what refers to others is none.
    let related = |code: &str| {
        let of = concepts.iter().filter(|c| c.code.as_str() == code).flat_map(|c| &c.designations);
        of.filter(|d| d.use_ == DesignationUse::Related)
            .map(|d| d.value.as_str())
            .collect::<Vec<_>>()
    };
    assert!(related("I10").contains(&"high blood pressure"));
    let referring = concepts.iter().flat_map(|c| &c.designations);
    assert!(
        referring
            .filter(|d| d.use_ == DesignationUse::Related)
            .all(|d| !d.value.contains("classifiable"))
    );
    // The labels that go on in a second line, once for each code with that 7th character.
    let continued = [
        ", initial encounter for open fracture NOS",
        ", advanced dry stage",
        ", with involuted or regressed neovascularization",
    ];
    let included = || {
        let all = concepts.iter().flat_map(|c| &c.designations);
        all.filter(|d| d.use_ == DesignationUse::Inclusion)
    };
    let values = || included().map(|d| d.value.as_str());
    let of_extended = values().filter(|v| continued.iter().any(|label| v.ends_with(label))).count();
    assert_eq!(of_extended, 518);
    // The file's 12,574 inclusion terms, and three notes of 7th-character definitions.
    assert_eq!(values().count() - of_extended, 12_574 + 3);
}

#[test]
fn single_concepts_are_as_published() {
    let concepts = by_code(whole_release());
    let check = |code: &str, display: &str, parent: &str, kind: &str, billable: Option<bool>| {
        let one = &concepts[code];
        assert_eq!(one.display, display);
        assert_eq!(parents(one), if parent.is_empty() { vec![] } else { vec![parent] }, "{code}");
        assert_eq!(texts(one, property::KIND), [kind], "{code}");
        assert_eq!(one.flag(property::BILLABLE), billable, "{code}");
    };
    let (yes, no) = (Some(true), Some(false));
    check("1", "Certain infectious and parasitic diseases", "", "chapter", None);
    check("A00-A09", "Intestinal infectious diseases", "1", "block", None);
    check("A00", "Cholera", "A00-A09", "category", no);
    check("E11.9", "Type 2 diabetes mellitus without complications", "E11", "code", yes);
    check("I21.9", "Acute myocardial infarction, unspecified", "I21", "code", yes);
    check("B20", "Human immunodeficiency virus [HIV] disease", "1", "category", yes);
    check("C7A", "Malignant neuroendocrine tumors", "C00-C96", "category", no);
    check("Z66", "Do not resuscitate", "21", "category", yes);
    check("C00-C96", "Malignant neoplasms", "2", "block", None);
    // A block of blocks stands before them in the file, beside them and empty.
    let parent = |code: &str| parents(&concepts[code]).concat();
    assert_eq!(parent("C00-C75"), "C00-C96");
    assert_eq!(parent("C00-C14"), "C00-C75");
    assert_eq!(parent("T07"), "T07-T88");
    assert_eq!(parent("D00-D09"), "2");
    check(
        "S00.00XA",
        "Unspecified superficial injury of scalp, initial encounter",
        "S00.00",
        "code",
        yes,
    );
    check("S00.00", "Unspecified superficial injury of scalp", "S00.0", "code", no);
    check("W08.XXXS", "Fall from other furniture, sequela", "W08", "code", yes);
    check("H40.10X1", "Unspecified open-angle glaucoma, mild stage", "H40.10", "code", yes);
    check(
        "O36.0111",
        "Maternal care for anti-D [Rh] antibodies, first trimester, fetus 1",
        "O36.011",
        "code",
        yes,
    );
    // A definition further down replaces the inherited one: torus fractures are not open.
    assert!(concepts.contains_key("S52.011P") && !concepts.contains_key("S52.011B"));
    assert!(concepts.contains_key("S52.021B"));
    // "7th characters D and S do not apply … with 6th character 7 … or 8".
    assert!(concepts.contains_key("S06.0X1D") && concepts.contains_key("S06.1X7A"));
    assert!(!concepts.contains_key("S06.1X7D") && !concepts.contains_key("S06.308S"));

    let terms = |code: &str| -> Vec<&str> {
        concepts[code].designations.iter().map(|one| one.value.as_str()).collect()
    };
    assert_eq!(terms("I21.9"), ["Myocardial infarction (acute) NOS"]);
    assert_eq!(terms("X71-X83"), ["Purposely self-inflicted injury", "Suicide (attempted)"]);
    assert_eq!(terms("W08"), ["Fall from stool"]);
    let open_fracture = &concepts["S52.021B"];
    assert!(open_fracture.display.ends_with(", initial encounter for open fracture type I or II"));
    assert!(terms("S52.021B")[0].ends_with(", initial encounter for open fracture NOS"));

    // The block T07 is one with the category: its notes come first.
    assert_eq!(texts(&concepts["T07"], property::EXCLUDES1)[0], "burns and corrosions (T20-T32)");
    assert_eq!(
        texts(&concepts["1"], property::INCLUDES),
        ["diseases generally recognized as communicable or transmissible"]
    );
    assert_eq!(texts(&concepts["1"], property::EXCLUDES2).len(), 4);
    // Chapter 2 has its notes after the index of its sections.
    assert_eq!(texts(&concepts["2"], property::NOTE).len(), 8);
    // The table of visual acuity.
    let table = texts(&concepts["H54.8"], property::NOTE).join(" ");
    assert!(table.contains("6/18; 6/60"), "{table}");
    // &lt; in the file.
    assert!(terms_of_all(&concepts).any(|t| t.contains("(< 2 years of age)")));
}

fn terms_of_all(concepts: &BTreeMap<String, Concept>) -> impl Iterator<Item = &str> {
    concepts.values().flat_map(|one| one.designations.iter().map(|d| d.value.as_str()))
}

#[test]
fn the_release_is_known_before_the_first_concept() {
    let mut source = open(Format::CmsTabular, &fixture(RELEASE)).expect("opens");
    let release = source.release().clone();
    assert_eq!(release.system.as_str(), "http://hl7.org/fhir/sid/icd-10-cm");
    assert_eq!((release.alias.as_str(), release.version.as_str()), ("icd10cm", "2026-04-01"));
    assert_eq!(release.date.as_deref(), Some("2026-04-01"));
    assert_eq!(release.content, Content::Complete);
    assert!(release.notices.iter().any(|notice| notice.contains("World Health Organization")));
    let begun = source.progress().fraction().expect("the size of a file is known");
    assert!(begun < 0.5, "{begun}");
    assert_eq!(source.by_ref().filter(Result::is_ok).count(), 98_466);
    assert_eq!(source.progress().fraction(), Some(1.0));

    let undated = read(&chapter("")).expect("a chapter alone is a list");
    assert_eq!(undated[0].display, "C");
    let reader = Box::new(Cursor::new(chapter("").into_bytes()));
    let source =
        open_reader(Format::CmsTabular, "icd10cm-tabular-2026.xml", reader).expect("opens");
    assert_eq!((source.release().version.as_str(), &source.release().date), ("2026", &None));
}

#[test]
fn dates_in_file_names() {
    let cases = [
        ("icd10c-tabular-April-1-2026.xml", Some("2026-04-01")),
        ("icd10cm-tabular-2026-04-01.xml.gz", Some("2026-04-01")),
        ("icd10cm-tabular-April-2025.xml", Some("2025-04-01")),
        ("icd10cm_20251001.zip", Some("2025-10-01")),
        ("icd10cm_tabular_2025.xml", None),
        ("icd10cm-2025-13-40.xml", None),
        ("list.xml", None),
    ];
    for (name, date) in cases {
        assert_eq!(date_in_name(name).as_deref(), date, "{name}");
    }
}

#[test]
fn gzip_zip_and_folder_are_read_as_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let xml = chapter("<section id=\"A00-A09\"><desc>B (A00-A09)</desc></section>");
    let index = "<ICD10CM.index><version>2026</version></ICD10CM.index>";
    let zip = zipped(&[
        ("readme.txt", "hello"),
        ("index.xml", index),
        ("x/tabular-April-1-2026.xml", &xml),
    ]);
    let zip_path = folder.path().join("release.zip");
    fs::write(&zip_path, &zip).expect("writes");
    fs::write(folder.path().join("index.xml"), index).expect("writes");
    fs::write(folder.path().join("notes.pdf"), "%PDF-1.7").expect("writes");
    for path in [zip_path.as_path(), folder.path()] {
        assert_eq!(detect(path).expect("detected"), Format::CmsTabular);
        let source = open(Format::CmsTabular, path).expect("opens");
        assert_eq!(source.release().version, "2026-04-01");
        assert_eq!(source.collect::<Result<Vec<_>, _>>().expect("reads").len(), 2);
    }
    let reader = Box::new(Cursor::new(zip.clone()));
    let source = open_reader(Format::CmsTabular, "release.zip", reader).expect("opens");
    assert_eq!(source.count(), 2);

    // A name that lies does not matter.
    let misnamed = folder.path().join("misnamed.csv");
    fs::write(&misnamed, gzipped(xml.as_bytes())).expect("writes");
    assert_eq!(detect(&misnamed).expect("detected"), Format::CmsTabular);

    fs::write(folder.path().join("second.xml"), &xml).expect("writes");
    let error = detect(folder.path()).expect_err("several lists");
    assert!(matches!(error.kind(), ImportErrorKind::Ambiguous { found } if found.len() == 3));

    // A byte that does not fit the archive's checksum.
    let mut damaged = zip;
    let at = damaged.windows(4).position(|w| w == b"C (A").expect("stored as it is");
    damaged[at] = b'D';
    let reader = Box::new(Cursor::new(damaged));
    let outcome: Result<Vec<_>, _> =
        open_reader(Format::CmsTabular, "release.zip", reader).expect("opens").collect();
    let error = outcome.expect_err("the checksum differs");
    assert!(matches!(error.kind(), ImportErrorKind::Damaged(_)), "{error}");
}

fn zipped(files: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, content) in files {
        writer.start_file(*name, options).expect("starts");
        writer.write_all(content.as_bytes()).expect("writes");
    }
    writer.finish().expect("finishes").into_inner()
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("writes");
    encoder.finish().expect("finishes")
}

/// What is given as a file, and what its error must say.
fn refused(name: &str, content: &[u8], said: &str) -> ImportError {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, content).expect("writes");
    let outcome =
        open(Format::CmsTabular, &path).and_then(|source| source.collect::<Result<Vec<_>, _>>());
    let error = outcome.expect_err(name);
    assert!(error.path().starts_with(&path), "{error}");
    let text = error.to_string();
    let shown =
        text.strip_prefix(&folder.path().display().to_string()).expect("the path comes first");
    assert!(shown.contains(said), "{shown:?} does not say {said:?}");
    error
}

#[test]
fn files_of_another_kind_are_refused_with_what_they_are() {
    let unknown = |name: &str, content: &[u8], said: &str| {
        let error = refused(name, content, said);
        assert!(matches!(error.kind(), ImportErrorKind::UnknownFormat { .. }), "{error}");
        assert!(error.to_string().contains("ICD-10-CM tabular list"), "{error}");
    };
    unknown("a.xml", b"<!DOCTYPE html>\n<html></html>", "found an HTML page");
    unknown("b.xml", b"code,title\nA00,Cholera\n", "found text that begins \"code,title\"");
    unknown(
        "c.xml",
        b"<?xml version='1.0'?><!-- x --><OtherRoot v='2'>",
        "root element <OtherRoot>",
    );
    unknown("d.xml", &zipped(&[("a.txt", ""), ("b.xml", "<b/>")]), "files named a.txt, b.xml");
    unknown("e.zip", &zipped(&[]), "an archive with no readable file in it");
    unknown("f.xml", b"%PDF-1.7", "a PDF document");
    unknown("g.xml", &[1, 0, 2, 0], "binary data");
    unknown("h.gz", &gzipped(&zipped(&[])), "a packed file that holds another archive");

    for (name, content) in [("i.xml", &b""[..]), ("j.xml", b" \r\n"), ("k.gz", &gzipped(b""))] {
        let error = refused(name, content, "empty");
        assert!(matches!(error.kind(), ImportErrorKind::Empty), "{error}");
    }
    let utf16: Vec<u8> =
        "\u{feff}<ICD10CM.tabular>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let error = refused("l.xml", &utf16, "found UTF-16 text, expected UTF-8");
    assert!(matches!(error.kind(), ImportErrorKind::Encoding { .. }));

    let error = open(Format::CmsTabular, Path::new("no/such/file.xml")).err().expect("not there");
    assert!(matches!(error.kind(), ImportErrorKind::Io(_)) && error.source().is_some());
    assert!(error.to_string().starts_with("no/such/file.xml: "), "{error}");
}

#[test]
fn files_cut_short_say_where() {
    let whole = unpacked(RELEASE);
    let cut = &whole[..1_000_003];
    let error = refused("cut.xml", cut, "ends inside <");
    let lines = cut.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
    assert!(matches!(error.kind(), ImportErrorKind::Truncated { .. }), "{error}");
    assert_eq!(error.line(), Some(lines));

    let packed = fs::read(fixture(RELEASE)).expect("the fixture is there");
    let error = refused("cut.xml.gz", &packed[..400_000], "ends inside <");
    assert!(matches!(error.kind(), ImportErrorKind::Truncated { .. }), "{error}");
    assert!(error.line().is_some_and(|line| line > 10_000), "{error}");
    // Cut before anything can be told of it.
    let error = refused("cut.gz", &packed[..15], "ends inside the compressed data");
    assert!(matches!(error.kind(), ImportErrorKind::Truncated { .. }), "{error}");

    let mut damaged = packed.clone();
    damaged[300_000..300_064].fill(0xff);
    refused("damaged.xml.gz", &damaged, ":");
    refused("half.zip", &zipped(&[("a.xml", &chapter(""))])[..60], "compressed data is damaged");
}

#[test]
fn faults_in_the_content_say_what_and_in_which_line() {
    let block = |inside: &str| {
        chapter(&format!("<section id=\"A00-A09\"><desc>B</desc>\n{inside}</section>"))
    };
    let named = "<diag><name>A00</name><desc>x</desc>";
    let cases: Vec<(String, &str)> = vec![
        (block("<diag>\n<desc>x</desc></diag>"), "list.xml:4: <diag> has no <name>"),
        (block("<diag><name>A00</name>\n</diag>"), "list.xml:4: <diag> A00 has no <desc>"),
        (block("\n<diag><name>a00</name></diag>"), "list.xml:5: found \"a00\", expected an ICD"),
        (block(&format!("{named}</diag>\n{named}</diag>")), "list.xml:5: the code A00 is given a"),
        (block("<diag><chapter/></diag>"), "list.xml:4: found <chapter> in <diag>"),
        (block("<section id='A01'/>"), "list.xml:4: found <section> in <section>"),
        (block("<diag><includes><diag/></includes></diag>"), "found <diag> in <includes>"),
        (block("<diag>\nwords</diag>"), "list.xml:5: found the text \"words\" in <diag>"),
        (
            block(&format!(
                "{named}<diag><name>A00.0</name><desc>y</desc></diag>\n<notes/></diag>"
            )),
            "list.xml:5: found another <notes> in <diag>",
        ),
        (block("<diag><name>A00 &nbsp;</name></diag>"), "list.xml:4: found the entity &nbsp;"),
        (block("<diag><name>A00</desc></diag>"), "list.xml:4: the markup is not well-formed"),
        (
            block(&format!("{named}<sevenChrDef><extension>x</extension></sevenChrDef></diag>")),
            "list.xml:4: <extension> of A00 has no character",
        ),
        (chapter("<section><desc>x</desc></section>"), "list.xml:3: <section> has no id"),
        (chapter(&"<x>".repeat(100)), "more than 64 elements deep"),
        ("<ICD10CM.tabular>\n<chapter>".to_owned(), "list.xml:2: <ICD10CM.tabular> before the"),
        ("<ICD10CM.tabular><version>1</version></ICD10CM.tabular>".to_owned(), "has no <chapter>"),
        (
            "<?xml version='1.0' encoding='ISO-8859-1'?><ICD10CM.tabular/>".to_owned(),
            "list.xml:1: found a declaration of ISO-8859-1, expected UTF-8",
        ),
    ];
    for (xml, said) in cases {
        let error = read(&xml).expect_err(said);
        assert!(error.to_string().contains(said), "{error} does not say {said:?}");
        assert!(error.line().is_some(), "{error}");
    }
    let mut latin = block("\n<diag><name>A00</name><desc>M?ni?re</desc></diag>").into_bytes();
    latin.iter_mut().filter(|byte| **byte == b'?').for_each(|byte| *byte = 0xe9);
    let reader = Box::new(Cursor::new(latin));
    let source = open_reader(Format::CmsTabular, "list.xml", reader).expect("opens");
    let error = source.collect::<Result<Vec<_>, _>>().expect_err("not UTF-8");
    assert!(matches!(error.kind(), ImportErrorKind::Encoding { .. }), "{error}");
    assert_eq!(error.line(), Some(5));
}

#[test]
fn after_an_error_the_source_ends() {
    let xml = chapter("<section id=\"A00-A09\"><desc>B</desc></section><diag/>");
    let reader = Box::new(Cursor::new(xml.into_bytes()));
    let source = open_reader(Format::CmsTabular, "list.xml", reader).expect("opens");
    let outcomes: Vec<bool> = source.map(|one| one.is_ok()).collect();
    assert_eq!(outcomes, [true, true, false]);
}

#[test]
fn text_is_decoded_and_tidied() {
    let concepts = read(&chapter(
        "<section id=\"A00-A09\"><desc> B &amp; b\r\n  c (A00-A09) </desc>
         <diag><name> A00 </name><desc>M&#233;ni&#xE8;re &lt;1<![CDATA[ & 2]]></desc>
         <inclusionTerm><note>one</note><note> one </note><note/></inclusionTerm>
         <sevenChrDef><extension char=\"1\">first</extension><extension char=\"1\">again</extension>
         <extension char=\"2\">a/b</extension></sevenChrDef></diag></section>",
    ))
    .expect("reads");
    let displays: Vec<&str> = concepts.iter().map(|one| one.display.as_str()).collect();
    let title = "Ménière <1 & 2";
    let expected = ["C", "B & b c", title, &format!("{title}, first"), &format!("{title}, a/b")];
    assert_eq!(displays, expected);
    assert_eq!(concepts[2].designations.len(), 1);
    assert_eq!(concepts[4].code.as_str(), "A00.XXX2");
}
