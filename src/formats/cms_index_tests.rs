use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::terminology::{Concept, DesignationUse};

use super::*;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/icd10cm-index").join(name)
}

/// The release of these paths: its concepts by code, and what was counted.
fn read(paths: &[PathBuf]) -> Result<(BTreeMap<String, Concept>, Tally), ImportError> {
    let files = ReleaseFiles::find(paths)?;
    assert_eq!(files.len(), 1);
    let mut source = files[0].open(&ImportOptions::default())?;
    let mut concepts = BTreeMap::new();
    for concept in source.by_ref() {
        let concept = concept?;
        concepts.insert(concept.code.to_string(), concept);
    }
    assert_eq!(source.progress().fraction(), Some(1.0));
    Ok((concepts, source.tally()))
}

/// The names that are not of the list itself, with use and source.
fn added(concept: &Concept) -> Vec<(&str, DesignationUse, &str)> {
    let added = concept.designations.iter();
    added.filter_map(|one| Some((one.value.as_str(), one.use_, one.source.as_deref()?))).collect()
}

fn left_out(tally: &Tally) -> Vec<(&str, u64, &str)> {
    let name = |first: &'_ str| first.rfind('/').map_or(0, |at| at + 1);
    let all = tally.left_out.iter();
    all.map(|one| (one.reason.as_str(), one.count, &one.first[name(&one.first)..])).collect()
}

#[test]
fn paths_and_cells_become_names_of_their_codes() {
    let (concepts, tally) = read(&[fixture("")]).expect("reads");
    let index = "ICD-10-CM Index of Boats 2026";
    let drugs = "ICD-10-CM Table of Drugs and Chemicals 2026";
    use DesignationUse::{Index, TableCell};
    let expect = |code: &str, names: &[(&str, DesignationUse, &str)]| {
        assert_eq!(added(&concepts[code]), names, "{code}");
    };
    expect("A00", &[("Accident (to)", Index, index)]);
    expect(
        "A00.0",
        &[
            ("Accident (to), boat (boating) (any) (in motion), striking swimmer", Index, index),
            ("Accident (to), canoe(s), not at sea", Index, index),
        ],
    );
    expect("A00.1", &[("Shore (hit)", Index, index)]);
    // A dash leads to the header; "see also" is followed where the term has no code.
    expect(
        "A00.2",
        &[
            ("Paint (oil), white, carcinoma in situ", TableCell, drugs),
            ("Pigment, carcinoma in situ", TableCell, drugs),
            ("Accident (to), boat (boating) (any) (in motion)", Index, index),
            ("Sinking", Index, index),
        ],
    );
    expect("A00.20", &[]);
    expect("A00.21", &[("Sinking, sea NOS", Index, index), ("Sinking, ocean", Index, index)]);
    expect(
        "A01.1",
        &[
            ("Paint (oil), poisoning accidental (unintentional)", TableCell, drugs),
            ("Paint (oil), white, poisoning accidental (unintentional)", TableCell, drugs),
            ("Pigment, poisoning accidental (unintentional)", TableCell, drugs),
            ("Shore (hit)", Index, index),
            // A reference may lead into another file.
            ("Varnish", TableCell, index),
        ],
    );
    expect(
        "A01.2",
        &[("Paint (oil), poisoning assault", TableCell, drugs), ("Varnish", TableCell, index)],
    );

    assert_eq!(tally.read["index entries"], 11);
    assert_eq!(tally.read["index references"], 5);
    assert_eq!(
        left_out(&tally),
        [
            (
                "the term to see is not a single one",
                1,
                "index.xml:22: Accident (to), raft: see Boat, by type"
            ),
            ("the term to see leads to no code", 2, "index.xml:34: Boat NEC: see Vessel"),
            (
                "the index has no such term to see",
                1,
                "index.xml:57: Sinking, deep: see Ocean, deep"
            ),
            ("the release does not have the code", 1, "index.xml:26: A07 Accident (to), submarine"),
        ]
    );
}

#[test]
fn an_index_needs_its_list() {
    let error = ReleaseFiles::find(&[fixture("index.xml")]).expect_err("an index alone");
    assert!(matches!(error.kind(), ImportErrorKind::Companion { .. }), "{error}");
    let both = [fixture("index.xml"), fixture("list.xml")];
    let (concepts, _) = read(&both).expect("whatever the order");
    assert_eq!(added(&concepts["A00"]).len(), 1);
}

#[test]
fn an_index_also_names_the_codes_of_a_codes_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let codes = folder.path().join("icd10cm-codes-2026.txt");
    fs::write(&codes, "A000    Boat hit a swimmer\nA001    Boat hit the shore\n").expect("writes");
    let (concepts, tally) = read(&[codes, fixture("index.xml")]).expect("reads");
    assert_eq!(added(&concepts["A00.1"])[0].0, "Shore (hit)");
    assert_eq!(tally.read["added names"], 3);
}

#[test]
fn faults_of_an_index_say_where() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("index.xml");
    let head = "<ICD10CM.index>\n<version>2026</version>\n<letter>";
    let cases = [
        (
            format!("{head}<mainTerm><code>A00</code>\n</mainTerm>"),
            "xml:3: a term of the index has no <title>",
        ),
        (format!("{head}<term/>"), "xml:3: found <term> in <letter>"),
        (format!("{head}<mainTerm>\n<mainTerm/>"), "xml:4: found <mainTerm> in <mainTerm>"),
        (format!("{head}\nwords</letter>"), "xml:4: found the text \"words\" in <letter>"),
        (format!("{head}<mainTerm><title>x"), "xml:3: the file ends inside <title>"),
        (format!("{head}<mainTerm><title>&nbsp;"), "xml:3: found the entity &nbsp;"),
        ("<ICD10CM.index></ICD10CM.index>".to_owned(), "has no <version>"),
        ("<ICD10CM.index>".to_owned(), "xml:1: the file ends inside <ICD10CM.index>"),
    ];
    for (xml, said) in cases {
        fs::write(&path, &xml).expect("writes");
        let error = read(&[fixture("list.xml"), path.clone()]).expect_err(said);
        assert!(error.to_string().contains(said), "{error} does not say {said:?}");
        assert_eq!(error.path(), path);
    }
    fs::write(&path, b"<ICD10CM.index><version>\xe9</version></ICD10CM.index>").expect("writes");
    let error = read(&[fixture("list.xml"), path.clone()]).expect_err("Latin-1");
    assert!(matches!(error.kind(), ImportErrorKind::Encoding { .. }), "{error}");
}

#[test]
fn the_files_of_2019_name_codes_of_2026() {
    let Some(data) = std::env::var_os("MEDTERM_TEST_DATA") else {
        println!("skipped: MEDTERM_TEST_DATA is not set");
        return;
    };
    let data = Path::new(&data).join("data/icd10cm");
    let list = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/icd10cm/icd10cm-tabular-2026-04-01.xml.gz");
    // Names given; references followed and not; cells whose code was since divided.
    let cases = [
        ("eindex", 6_734, [486, 336], 0),
        ("drug", 40_112, [88, 15], 258),
        ("neoplasm", 9_325, [56, 16], 0),
    ];
    for (file, names, [followed, not_followed], unknown) in cases {
        let index = data.join(format!("icd10cm_{file}_2019.xml.gz"));
        let (concepts, tally) = read(&[list.clone(), index]).expect("reads");
        let added: usize = concepts.values().map(|one| added(one).len()).sum();
        let count = |reason: &str| {
            let all = tally.left_out.iter().filter(|one| one.reason.contains(reason));
            all.map(|one| one.count).sum::<u64>()
        };
        assert_eq!(
            (added, [tally.read["index references"], count("to see")], count("the release")),
            (names, [followed, not_followed], unknown),
            "{file}: {tally:#?}"
        );
    }
}
