use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use zip::write::{SimpleFileOptions, ZipWriter};

use crate::terminology::{Concept, Content, DesignationUse, PropertyValue, property};

use super::*;

const NAMES: &str = "rrf/RXNCONSO.RRF";

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/rxnorm/RxNorm_full_09022025")
}

type Read = (BTreeMap<String, Concept>, Box<dyn Source>);

fn read_with(path: &Path, options: &ImportOptions) -> Result<Read, ImportError> {
    let mut source = ReleaseFiles::find(&[path.to_owned()])?.remove(0).open(options)?;
    let mut concepts = BTreeMap::new();
    for concept in source.by_ref() {
        let concept = concept?;
        let before = concepts.insert(concept.code.as_str().to_owned(), concept);
        assert!(before.is_none(), "{before:?} is given out twice");
    }
    Ok((concepts, source))
}

fn read(path: &Path) -> Read {
    read_with(path, &ImportOptions::default()).expect("the release is sound")
}

/// Reads one file that is given as text.
fn read_text(text: impl Into<Vec<u8>>) -> Result<Vec<Concept>, ImportError> {
    let reader = Box::new(Cursor::new(text.into()));
    open_reader(Format::RxNorm, "RXNCONSO.RRF", reader)?.collect()
}

fn names(concept: &Concept) -> Vec<&str> {
    concept.designations.iter().map(|one| one.value.as_str()).collect()
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

/// A folder with the fixture's files, some of them other than they are.
fn changed(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(folder.path().join("rrf")).expect("a folder");
    for entry in fs::read_dir(fixture().join("rrf")).expect("the fixture is there") {
        let entry = entry.expect("the fixture is there");
        let to = folder.path().join("rrf").join(entry.file_name());
        fs::copy(entry.path(), to).expect("a copy");
    }
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("written");
    }
    folder
}

#[test]
fn a_concept_is_named_by_its_own_term_type_and_has_all_names() {
    let (concepts, source) = read(&fixture());
    assert_eq!(concepts["1001"].display, "exemplamine");
    assert_eq!(names(&concepts["1001"]), ["exemplaMINE", "exemplaminum", "exemplamina"]);
    assert_eq!(concepts["1001"].designations[2].language, "es");
    assert_eq!(values(&concepts["1001"], property::TTY), ["IN", "TMSY", "SY"]);
    // Its rows are apart, and the same name twice is one name.
    let drug = &concepts["1006"];
    assert_eq!(drug.display, "exemplamine 10 MG Oral Tablet");
    assert_eq!(
        names(drug),
        ["exemplamine 10 mg tablet", "exemplamine hydrochloride 10 MG Oral Tablet"]
    );
    assert_eq!(values(drug, property::TTY), ["SCD", "PSN", "SY", "ET"]);
    assert!(drug.designations.iter().all(|one| one.use_ == DesignationUse::Synonym));
    assert!(drug.designations.iter().all(|one| one.source.is_none()));
    assert_eq!(source.tally().read["names"], 15);
    assert_eq!(left_out(&*source, "suppressed name"), 1);
    assert_eq!(left_out(&*source, "source that is not read"), 2);
}

#[test]
fn relations_are_kept_once_and_say_what_the_concept_is_to_the_other() {
    let (concepts, source) = read(&fixture());
    assert_eq!(values(&concepts["1004"], "has_ingredient"), ["1001"]);
    assert_eq!(values(&concepts["1001"], "ingredient_of"), [""; 0]);
    assert_eq!(values(&concepts["1003"], "tradename_of"), ["1001"], "given as has_tradename");
    assert_eq!(values(&concepts["1007"], "tradename_of"), ["1006"]);
    assert_eq!(values(&concepts["1007"], "resembles"), ["1006"], "an unknown relation");
    assert_eq!(values(&concepts["1006"], "has_dose_form"), ["1005"]);
    assert_eq!(values(&concepts["1006"], "consists_of"), ["1004"]);
    assert_eq!(values(&concepts["1006"], "has_ingredient"), [""; 0], "of another source");
    assert_eq!(values(&concepts["1007"], "has_ingredient"), [""; 0], "suppressed");
    assert_eq!(parents(&concepts["1006"]), ["1008"], "isa, given in both directions");
    assert_eq!(parents(&concepts["1008"]), ["1009"], "inverse_isa alone");
    assert!(parents(&concepts["1009"]).is_empty());
    assert_eq!(source.tally().read["relations"], 8);
    assert_eq!(left_out(&*source, "relation with a concept"), 2);
}

#[test]
fn ndcs_and_strengths_become_properties() {
    let (concepts, source) = read(&fixture());
    assert_eq!(values(&concepts["1006"], property::NDC), ["99999000101", "99999000202"]);
    assert_eq!(values(&concepts["1006"], "RXN_AVAILABLE_STRENGTH"), ["10 MG"]);
    assert_eq!(values(&concepts["1006"], "RXN_HUMAN_DRUG"), ["US"]);
    assert_eq!(values(&concepts["1004"], "RXN_STRENGTH"), ["10 MG"]);
    assert!(concepts["1006"].properties.iter().all(|one| one.code != "ORIG_CODE"));
    assert_eq!(left_out(&*source, "attribute of a concept"), 1);
}

#[test]
fn a_retired_concept_leads_to_the_one_in_use() {
    let (concepts, source) = read(&fixture());
    let retired: Vec<&str> =
        concepts.iter().filter(|(_, one)| !one.active).map(|(code, _)| code.as_str()).collect();
    assert_eq!(retired, ["900", "901", "902", "903"]);
    assert_eq!(concepts["900"].display, "exemplamin", "the better term type");
    assert_eq!(values(&concepts["900"], property::REPLACED_BY), ["1001"]);
    assert_eq!(values(&concepts["901"], property::REPLACED_BY), ["1001"], "over 900");
    assert_eq!(values(&concepts["902"], property::REPLACED_BY), [""; 0]);
    assert_eq!(values(&concepts["903"], property::REPLACED_BY), ["1001", "1002"], "a split");
    assert_eq!(concepts["903"].display, "exemplamine; exemplamine hydrochloride");
    assert!(concepts["1001"].active);
    // 904 became nothing; 905 and 906 became each other.
    assert_eq!(left_out(&*source, "retired concept without"), 3);
    assert_eq!(source.tally().read["retired concepts"], 4);
}

#[test]
fn the_release_is_known_from_its_sources_or_its_folder() {
    let (_, source) = read(&fixture());
    let release = source.release();
    assert_eq!((release.version.as_str(), release.content), ("2025-09-02", Content::Complete));
    assert_eq!(release.alias, "rxnorm");
    assert!(release.license.as_deref().is_some_and(|one| one.contains("UMLS")));

    let folder = changed(&[]);
    let named = folder.path().join("RxNorm_full_08042025");
    fs::create_dir_all(&named).expect("a folder");
    fs::copy(fixture().join(NAMES), named.join("RXNCONSO.RRF.txt")).expect("a copy");
    let (_, source) = read(&named);
    assert_eq!(source.release().date.as_deref(), Some("2025-08-04"));
    assert_eq!(source.release().content, Content::Fragment, "nothing lies beside the names");

    let lone = tempfile::tempdir().expect("a folder");
    fs::copy(fixture().join(NAMES), lone.path().join("names")).expect("a copy");
    let (_, source) = read(lone.path());
    assert_eq!(source.release().version, "undated");
    let said = ImportOptions { version: Some("mine".to_owned()), ..ImportOptions::default() };
    let (_, source) = read_with(lone.path(), &said).expect("sound");
    assert_eq!(source.release().version, "mine");
}

#[test]
fn the_prescribable_subset_is_read_where_it_is_alone() {
    let (_, full) = read(&fixture());
    assert_eq!(left_out(&*full, "prescribable subset"), 1);
    let (concepts, alone) = read(&fixture().join("prescribe"));
    assert_eq!(concepts.keys().collect::<Vec<_>>(), ["1001"]);
    assert_eq!(values(&concepts["1001"], property::NDC), ["88888000101"]);
    assert_eq!(left_out(&*alone, "prescribable subset"), 0);
    assert_eq!(alone.release().content, Content::Fragment);
}

#[test]
fn a_zip_is_read_like_its_folder() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for name in [NAMES, "rrf/RXNREL.RRF", "rrf/RXNSAT.RRF", "prescribe/rrf/RXNCONSO.RRF"] {
        zip.start_file(name, SimpleFileOptions::default()).expect("a member");
        zip.write_all(&fs::read(fixture().join(name)).expect("there")).expect("written");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("RxNorm_full_09022025.zip");
    fs::write(&path, zip.finish().expect("a zip").into_inner()).expect("written");
    let (concepts, source) = read(&path);
    assert_eq!(concepts.len(), 9);
    assert_eq!(values(&concepts["1006"], property::NDC).len(), 2);
    assert_eq!(source.release().version, "2025-09-02");
    assert_eq!(source.release().content, Content::Complete);
}

#[test]
fn sources_and_suppressed_names_are_read_where_they_are_asked_for() {
    let sources = vec!["RXNORM".to_owned(), "mthspl".to_owned()];
    let options = ImportOptions { sources, suppressed: Suppressed::Read, ..Default::default() };
    let (concepts, source) = read_with(&fixture(), &options).expect("sound");
    let foreign = concepts["1006"].designations.last().expect("a name");
    assert_eq!(foreign.source.as_deref(), Some("MTHSPL"));
    assert_eq!(values(&concepts["1006"], property::TTY), ["SCD", "PSN", "SY", "ET"]);
    assert_eq!(values(&concepts["1011"], property::TTY), ["DP"], "it has no other");
    assert_eq!(values(&concepts["1006"], "has_ingredient"), ["1002"]);
    assert!(!concepts["1010"].active && concepts["1006"].active);
    assert_eq!(source.release().content, Content::Complete);

    let options = ImportOptions { sources: vec!["MTHSPL".to_owned()], ..Default::default() };
    let (concepts, source) = read_with(&fixture(), &options).expect("sound");
    assert_eq!(concepts["1006"].display, "EXEMPLAMINE 10mg ORAL TABLET, FILM COATED");
    assert_eq!(source.release().content, Content::Fragment);
}

#[test]
fn files_are_told_by_their_rows_whatever_their_names() {
    let folder = tempfile::tempdir().expect("a folder");
    for (at, entry) in fs::read_dir(fixture().join("rrf")).expect("there").enumerate() {
        let from = entry.expect("there").path();
        if !from.ends_with("RXNDOC.RRF") {
            fs::copy(from, folder.path().join(format!("table{at}"))).expect("a copy");
        }
    }
    let (concepts, source) = read(folder.path());
    assert_eq!(concepts.len(), 13);
    assert_eq!(source.release().version, "2025-09-02");
    let error = ReleaseFiles::find(&[fixture().join("rrf/RXNREL.RRF")]).expect_err("no names");
    assert!(matches!(error.kind(), ImportErrorKind::Companion { .. }), "{error}");
}

#[test]
fn two_releases_in_one_folder_are_not_mixed() {
    let folder = changed(&[]);
    let other = folder.path().join("older");
    fs::create_dir_all(&other).expect("a folder");
    fs::copy(fixture().join(NAMES), other.join("RXNCONSO.RRF")).expect("a copy");
    let error = read_with(folder.path(), &ImportOptions::default()).err().expect("two releases");
    assert!(matches!(error.kind(), ImportErrorKind::Ambiguous { .. }), "{error}");
}

#[test]
fn byte_order_marks_and_line_ends_of_any_kind_change_nothing() {
    let text = fs::read_to_string(fixture().join(NAMES)).expect("there");
    let plain = read_text(text.clone()).expect("sound");
    assert_eq!(plain.len(), 9);
    assert_eq!(read_text(format!("\u{feff}{}", text.replace('\n', "\r\n"))).expect("sound"), plain);
}

#[test]
fn what_is_broken_is_said_with_its_line() {
    let text = fs::read_to_string(fixture().join(NAMES)).expect("there");
    assert!(matches!(read_text("").expect_err("empty").kind(), ImportErrorKind::Empty));
    // Cut at every byte, it is either sound up to there or said to be cut.
    for end in 1..text.len() {
        match read_text(&text.as_bytes()[..end]) {
            Ok(concepts) => assert!(!concepts.is_empty()),
            Err(error) => assert!(
                matches!(
                    error.kind(),
                    ImportErrorKind::ShortRow { .. }
                        | ImportErrorKind::UnknownFormat { .. }
                        | ImportErrorKind::Missing { .. }
                ),
                "cut at {end}: {error}"
            ),
        }
    }
    let cut = text.find("Demotrol").expect("there") + 3;
    let error = read_text(&text.as_bytes()[..cut]).expect_err("cut");
    assert_eq!((error.line(), error.path()), (Some(6), Path::new("RXNCONSO.RRF")));

    let mut latin = text.clone().into_bytes();
    latin[cut] = 0xe9;
    let error = read_text(latin).expect_err("Latin-1");
    assert!(matches!(error.kind(), ImportErrorKind::Encoding { .. }), "{error}");
    assert_eq!(error.line(), Some(6));

    let error = read_text(text.replace("\n1003|", "\nC103|")).expect_err("no number");
    assert!(matches!(error.kind(), ImportErrorKind::InvalidCode { .. }), "{error}");
    let error = read_text(text.replace("|RXNORM|", "|OTHER|")).expect_err("no own name");
    assert!(matches!(error.kind(), ImportErrorKind::Missing { .. }), "{error}");
}

#[test]
fn a_broken_companion_is_an_error_and_a_cycle_is_handed_on() {
    let folder = changed(&[("rrf/RXNREL.RRF", "1001||CUI|RO|1004||CUI|has_ingr")]);
    let error = read_with(folder.path(), &ImportOptions::default()).err().expect("cut");
    assert!(error.path().ends_with("rrf/RXNREL.RRF"), "{error}");
    assert!(matches!(error.kind(), ImportErrorKind::ShortRow { .. }), "{error}");

    let row = |a, b| format!("{a}||CUI|RN|{b}||CUI|isa|||RXNORM|RXNORM||||4096|\n");
    let folder = changed(&[("rrf/RXNREL.RRF", &(row(1008, 1009) + &row(1009, 1008)))]);
    let (concepts, _) = read(folder.path());
    assert_eq!(parents(&concepts["1008"]), ["1009"]);
    assert_eq!(parents(&concepts["1009"]), ["1008"]);

    let mut source = open(Format::RxNorm, &fixture().join(NAMES)).expect("sound");
    assert_eq!(source.by_ref().count(), 9);
    assert!(source.next().is_none(), "it ends once");
}

#[test]
fn a_cut_of_the_real_release_has_all_its_concepts() {
    let Some(root) = std::env::var_os("MEDTERM_TEST_DATA") else {
        println!("skipped: MEDTERM_TEST_DATA is not set");
        return;
    };
    let path = Path::new(&root).join("data/rxnorm/RXNCONSO.RRF");
    if !path.exists() {
        println!("skipped: {} is not there", path.display());
        return;
    }
    assert_eq!(detect(&path).expect("it is RxNorm"), Format::RxNorm);
    let (concepts, source) = read(&path);
    assert_eq!(concepts.len(), 10_748);
    assert_eq!(concepts["161"].display, "Acetaminophen");
    assert_eq!(source.release().content, Content::Fragment);
    assert_eq!(source.progress().fraction(), Some(1.0));
}
