use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use zip::write::{SimpleFileOptions, ZipWriter};

use crate::terminology::{Concept, Content, DesignationUse, PropertyValue, property};

use super::*;

const TABLE: &str = "LoincTable/Loinc.csv";
const EXEMPLIN: &str = "900001-9";
const IN_URINE: &str = "900002-7";
const IN_SERUM: &str = "900003-5";
const DEMOTIN: &str = "900004-3";

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/loinc/Loinc_2.81")
}

type Read = (BTreeMap<String, Concept>, Box<dyn Source>);

fn try_read(paths: &[PathBuf]) -> Result<Read, ImportError> {
    let mut source = ReleaseFiles::find(paths)?.remove(0).open(&ImportOptions::default())?;
    let mut concepts = BTreeMap::new();
    for concept in source.by_ref() {
        let concept = concept?;
        let before = concepts.insert(concept.code.as_str().to_owned(), concept);
        assert!(before.is_none(), "{before:?} is given out twice");
    }
    Ok((concepts, source))
}

fn read(path: &Path) -> Read {
    try_read(&[path.to_owned()]).expect("the release is sound")
}

fn read_text(text: impl Into<Vec<u8>>) -> Result<Vec<Concept>, ImportError> {
    open_reader(Format::Loinc, "Loinc.csv", Box::new(Cursor::new(text.into())))?.collect()
}

fn table() -> String {
    fs::read_to_string(fixture().join(TABLE)).expect("the fixture is there")
}

fn names(concept: &Concept) -> Vec<(&str, DesignationUse, &str)> {
    let all = concept.designations.iter();
    all.map(|one| (one.language.as_str(), one.use_, one.value.as_str())).collect()
}

fn values<'c>(concept: &'c Concept, code: &str) -> Vec<&'c str> {
    let of_code = concept.properties.iter().filter(|one| one.code == code);
    of_code
        .map(|one| match &one.value {
            PropertyValue::Text(value) | PropertyValue::Code(value) => value.as_str(),
            other => panic!("{code} is {other:?}"),
        })
        .collect()
}

fn parents(concept: &Concept) -> Vec<&str> {
    concept.parents.iter().map(|code| code.as_str()).collect()
}

fn left_out(source: &dyn Source, reason: &str) -> u64 {
    source.tally().left_out.iter().filter(|one| one.reason.contains(reason)).map(|o| o.count).sum()
}

#[test]
fn a_term_has_every_name_of_the_release() {
    use DesignationUse::{Synonym, WordBag};
    let (concepts, source) = read(&fixture());
    let term = &concepts[EXEMPLIN];
    assert_eq!(term.display, "Exemplin [Mass/volume] in Serum or Plasma");
    assert_eq!(
        names(term),
        [
            ("en", Synonym, "Exemplin [Mass/Vol]"),
            ("en", Synonym, "Exemplin SerPl-mCnc"),
            ("en", Synonym, "Exemplin, Blood"),
            ("en", Synonym, "Exemplin:MCnc:Pt:Ser/Plas:Qn"),
            ("en", WordBag, "Chemistry; EXPL; Level; Point in time; Sugarette"),
            ("en", Synonym, "Exemplin level in your blood"),
            ("es-MX", Synonym, "Ejemplina [Masa/volumen] en Suero o Plasma"),
        ]
    );
    assert_eq!(term.designations[5].source.as_deref(), Some("LOINC consumer names"));
    assert_eq!(term.designations[6].source.as_deref(), Some("LOINC es-MX"));
    let urine = names(&concepts[IN_URINE]);
    assert!(urine.contains(&("en", Synonym, "Exemplin:MCnc:Pt:Ur:Qn:Test strip")), "{urine:?}");
    // The translators wrote its axes only.
    let spanish = "Ejemplina:MCnc:Punto temporal:Orina:Qn:Tira de prueba";
    assert!(urine.contains(&("es-MX", Synonym, spanish)), "{urine:?}");
    assert_eq!(source.tally().read["languages"], 1);
    assert_eq!(source.tally().read["added names"], 3);
    assert_eq!(left_out(&*source, "name of a code that the table does not have"), 1);
}

#[test]
fn a_term_has_its_axes_ranks_and_definition() {
    let (concepts, _) = read(&fixture());
    let term = &concepts[EXEMPLIN];
    for (name, value) in [
        ("COMPONENT", "Exemplin"),
        ("PROPERTY", "MCnc"),
        ("TIME_ASPCT", "Pt"),
        ("SYSTEM", "Ser/Plas"),
        ("SCALE_TYP", "Qn"),
        ("CLASS", "CHEM"),
        ("CLASSTYPE", "1"),
        ("ORDER_OBS", "Both"),
        ("EXAMPLE_UCUM_UNITS", "mg/dL"),
        ("UNITSREQUIRED", "Y"),
        ("VersionLastChanged", "2.81"),
        (property::STATUS, "ACTIVE"),
    ] {
        assert_eq!(values(term, name), [value], "{name}");
    }
    assert_eq!(values(term, "METHOD_TYP"), [""; 0]);
    assert_eq!(values(&concepts[IN_URINE], "METHOD_TYP"), ["Test strip"]);
    assert_eq!(values(&concepts["900005-0"], "PanelType"), ["Panel"]);
    assert_eq!(values(&concepts[DEMOTIN], "EXTERNAL_COPYRIGHT_NOTICE").len(), 1);
    let rank = |code: &str, name: &str| {
        concepts[code].properties.iter().find(|one| one.code == name).map(|one| one.value.clone())
    };
    assert_eq!(rank(EXEMPLIN, "COMMON_TEST_RANK"), Some(PropertyValue::Integer(12)));
    assert_eq!(rank(EXEMPLIN, "COMMON_ORDER_RANK"), Some(PropertyValue::Integer(7)));
    assert_eq!(rank(IN_URINE, "COMMON_TEST_RANK"), None, "0 is no rank");
    let definition = term.definition.as_deref().expect("a definition");
    assert!(definition.contains("\"quoted\" here.\nIt has"), "{definition}");
}

#[test]
fn status_decides_what_is_in_use_and_leads_to_the_replacement() {
    let (concepts, _) = read(&fixture());
    let inactive: Vec<&str> =
        concepts.iter().filter(|(_, one)| !one.active).map(|(code, _)| code.as_str()).collect();
    assert_eq!(inactive, [IN_SERUM]);
    assert_eq!(values(&concepts[IN_SERUM], property::REPLACED_BY), [EXEMPLIN]);
    assert_eq!(values(&concepts[DEMOTIN], property::STATUS), ["DISCOURAGED"]);
}

#[test]
fn terms_hang_under_parts_that_are_there_to_browse() {
    let (concepts, source) = read(&fixture());
    assert_eq!(concepts.len(), 19);
    assert_eq!(parents(&concepts[EXEMPLIN]), ["LP900003-3"]);
    assert_eq!(parents(&concepts[IN_URINE]), ["LP900003-3", "LP900004-4"]);
    assert_eq!(parents(&concepts["LP900003-3"]), ["LP900002-2"]);
    assert!(parents(&concepts["LP900001-1"]).is_empty());
    let part = &concepts["LP900002-2"];
    assert_eq!(part.display, "Chemistry");
    assert_eq!(part.flag(property::NOT_SELECTABLE), Some(true));
    assert_eq!(values(part, property::KIND), ["part"]);
    assert_eq!(source.tally().read["parts"], 4);
    assert_eq!(source.tally().read["terms"], 15);
    assert_eq!(left_out(&*source, "place in the hierarchy"), 1);
}

#[test]
fn the_full_table_is_read_and_the_ones_beside_it_are_told_of() {
    let (_, source) = read(&fixture());
    assert_eq!(left_out(&*source, "table beside the one"), 2);
    let release = source.release();
    assert_eq!((release.version.as_str(), release.content), ("2.81", Content::Complete));
    assert!(release.notices[0].contains("Regenstrief Institute"));

    let (core, source) = read(&fixture().join("LoincTableCore/LoincTableCore.csv"));
    assert_eq!(core.len(), 15);
    assert_eq!(source.release().version, "2.81");
    assert_eq!(source.release().content, Content::Fragment);
}

#[test]
fn the_version_is_in_the_name_or_in_the_newest_change() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("Loinc.csv");
    fs::write(&path, table().replace("\"2.81\"", "\"2.9\"").replace("\"2.80\"", "\"2.10\""))
        .expect("written");
    let (_, source) = read(&path);
    assert_eq!(source.release().version, "2.10", "2.10 comes after 2.9");

    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(TABLE, SimpleFileOptions::default()).expect("a member");
    zip.write_all(table().as_bytes()).expect("written");
    let path = folder.path().join("Loinc_2.79.zip");
    fs::write(&path, zip.finish().expect("a zip").into_inner()).expect("written");
    let (concepts, source) = read(&path);
    assert_eq!((concepts.len(), source.release().version.as_str()), (15, "2.79"));
}

#[test]
fn a_translation_or_the_old_hierarchy_may_be_given_beside_the_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = folder.path().join("MultiAxialHierarchy.csv");
    let new = "AccessoryFiles/ComponentHierarchyBySystem/ComponentHierarchyBySystem.csv";
    fs::copy(fixture().join(new), &old).expect("a copy");
    let (concepts, _) = try_read(&[fixture().join(TABLE), old]).expect("sound");
    assert_eq!(parents(&concepts[EXEMPLIN]), ["LP900003-3"]);

    let unnamed = folder.path().join("spanish.csv");
    let spanish = "AccessoryFiles/LinguisticVariants/esMX28LinguisticVariant.csv";
    fs::copy(fixture().join(spanish), &unnamed).expect("a copy");
    let (concepts, source) = try_read(&[fixture().join(TABLE), unnamed]).expect("sound");
    assert!(concepts[EXEMPLIN].designations.iter().all(|one| one.language == "en"));
    assert_eq!(left_out(&*source, "translation whose name"), 1);
}

#[test]
fn check_digits_repeats_and_ranks_are_counted() {
    let text = table()
        .replace("900006-8", "900006-0")
        .replace("900007-6", "900008-4")
        .replace("\"12\",\"7\"", "\"first\",\"7\"");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("Loinc.csv");
    fs::write(&path, text).expect("written");
    let (concepts, source) = read(&path);
    assert!(concepts.contains_key("900006-0"), "it is read all the same");
    assert_eq!(left_out(&*source, "check digit"), 1);
    assert_eq!(left_out(&*source, "second time"), 1);
    assert_eq!(concepts["900008-4"].display, "Inventon 6 [Mass/volume] in Serum or Plasma");
    assert_eq!(left_out(&*source, "rank that is no number"), 1);
    for (code, is_sound) in
        [("2345-7", true), ("2345-6", false), ("LP1-8", false), ("23457", false), ("-7", false)]
    {
        assert_eq!(super::loinc_row::number(code).is_some(), is_sound, "{code}");
    }
}

#[test]
fn byte_order_marks_and_line_ends_of_any_kind_change_nothing() {
    let plain = read_text(table()).expect("sound");
    assert_eq!(plain.len(), 15);
    let other = read_text(format!("\u{feff}{}", table().replace("\"\n", "\"\r\n")));
    assert_eq!(other.expect("sound"), plain);
}

#[test]
fn what_is_broken_is_said_with_its_line() {
    let text = table();
    assert!(matches!(read_text("").expect_err("empty").kind(), ImportErrorKind::Empty));
    for share in 1..40 {
        let end = text.len() * share / 40;
        let is_said = |error: &ImportError| {
            let kind = error.kind();
            matches!(
                kind,
                ImportErrorKind::ShortRow { .. }
                    | ImportErrorKind::MissingColumn { .. }
                    | ImportErrorKind::UnknownFormat { .. }
                    | ImportErrorKind::Missing { .. }
            )
        };
        match read_text(&text.as_bytes()[..end]) {
            Ok(concepts) => assert!(concepts.len() < 15),
            Err(error) => assert!(is_said(&error), "cut at {end}: {error}"),
        }
    }
    let cut = text.find("Demotin [Mass").expect("there");
    let error = read_text(&text.as_bytes()[..cut]).expect_err("cut");
    assert_eq!((error.line(), error.path()), (Some(6), Path::new("Loinc.csv")), "{error}");

    let mut latin = text.clone().into_bytes();
    latin[cut] = 0xe9;
    let error = read_text(latin).expect_err("Latin-1");
    assert!(matches!(error.kind(), ImportErrorKind::Encoding { .. }), "{error}");
    assert_eq!(error.line(), Some(6));

    let error = read_text(text.replace("LONG_COMMON_NAME", "LONG")).expect_err("no column");
    assert!(matches!(error.kind(), ImportErrorKind::MissingColumn { .. }), "{error}");
    let header = text.lines().next().expect("a header");
    let error = read_text(format!("{header}\n")).expect_err("no term");
    assert!(matches!(error.kind(), ImportErrorKind::Missing { .. }), "{error}");
    let error = read_text(text.replace("900006-8", "")).expect_err("no code");
    assert!(matches!(error.kind(), ImportErrorKind::InvalidCode { .. }), "{error}");
}

#[test]
fn a_broken_hierarchy_is_an_error_and_a_cycle_or_a_dangling_parent_is_handed_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ComponentHierarchyBySystem.csv");
    let header = "PATH_TO_ROOT,SEQUENCE,IMMEDIATE_PARENT,CODE,CODE_TEXT\n";
    let both = [fixture().join(TABLE), path.clone()];
    fs::write(&path, format!("{header},1,LP2,LP1,One\n,1,LP1,LP2,Two\n,1,LP9,{EXEMPLIN},\n"))
        .expect("written");
    let (concepts, _) = try_read(&both).expect("sound");
    assert_eq!(parents(&concepts["LP1"]), ["LP2"]);
    assert_eq!(parents(&concepts["LP2"]), ["LP1"]);
    assert_eq!(parents(&concepts[EXEMPLIN]), ["LP9"]);

    fs::write(&path, format!("{header},1,LP2,LP1,One\n,1,LP")).expect("written");
    let error = try_read(&both).err().expect("cut");
    assert_eq!((error.path(), error.line()), (path.as_path(), Some(3)), "{error}");
}
