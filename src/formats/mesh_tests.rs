use std::collections::{BTreeMap, BTreeSet};
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
    assert!(whole.tally.left_out[0].first.ends_with("desc2099.xml:82: D900004"));
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
        let source =
            open_reader(Format::Mesh, name, Box::new(Cursor::new(bare.clone().into_bytes())));
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
    assert_eq!(refused(&latin).0, Some(92), "{:?}", refused(&latin));
    let text = |from: &str, to: &str| refused(DESCRIPTORS.replace(from, to).as_bytes());
    let (line, message) = text("<DescriptorUI>D900005</DescriptorUI>", "");
    assert_eq!(line, Some(86), "{message}");
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
    let (_, message) =
        text("<DescriptorRecord DescriptorClass=\"3\">", "<Other/><DescriptorRecord>");
    assert!(message.contains("<Other>"), "{message}");
}

#[test]
fn a_record_under_itself_is_not_its_own_ancestor() {
    // Signals stands below Lash, and Lash below a lantern that is below Signals.
    let circle = DESCRIPTORS
        .replace(
            "<TreeNumber>E91</TreeNumber>",
            "<TreeNumber>E91</TreeNumber><TreeNumber>A91.100.300.1</TreeNumber>",
        )
        .replace(
            "<TreeNumber>A91.100.300</TreeNumber>",
            "<TreeNumber>A91.100.300</TreeNumber><TreeNumber>A91.100.300.5</TreeNumber>",
        );
    let concepts = read_text("desc2099.xml", circle).expect("sound");
    let lash = concepts.iter().find(|one| one.code.as_str() == "D900004").expect("there");
    assert_eq!(codes(&lash.parents), ["D900003"]);
    assert_eq!(codes(&lash.ancestors), ["A", "D900001", "D900003"]);
}

/// The folder with releases that are not part of this project.
fn data(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("MEDTERM_TEST_DATA")
        .map(|folder| Path::new(&folder).join("data/mesh").join(name))
        .filter(|path| path.exists());
    if path.is_none() {
        eprintln!("skipped: set MEDTERM_TEST_DATA to the folder that holds data/mesh/{name}");
    }
    path
}

#[test]
fn the_descriptors_of_2024_are_read_whole() {
    let Some(path) = data("desc2024.xml.gz") else { return };
    let mesh = read(&[path]);
    assert_eq!((mesh.release.version.as_str(), mesh.release.content), ("2024", Content::Complete));
    assert_eq!(mesh.tally.read["descriptors"], 30_764);
    assert_eq!(mesh.tally.read["categories"], 16);
    assert_eq!(mesh.order.len(), 30_780);
    let names = |use_: DesignationUse| {
        let all = mesh.concepts.values().flat_map(|one| &one.designations);
        all.filter(|name| name.use_ == use_).count()
    };
    // Of 263,936 terms 131,134 are permuted and one of each record is its display.
    assert_eq!((names(DesignationUse::Synonym), names(DesignationUse::Related)), (54_030, 48_008));
    let infarction = &mesh.concepts["D009203"];
    assert_eq!(infarction.display, "Myocardial Infarction");
    let name = infarction.designations.iter().find(|name| name.value == "Heart Attack");
    assert_eq!(name.map(|name| name.use_), Some(DesignationUse::Synonym));
    assert!(infarction.designations.iter().all(|name| name.value != "Infarction, Myocardial"));
    // This copy has lost the 115 numbers at the top of the trees.
    let gaps = mesh.tally.left_out.iter().find(|one| one.reason.contains("one level up"));
    assert_eq!(gaps.map(|one| one.count), Some(2_057));
}

#[test]
fn for_a_quarter_of_mesh_less_is_above_than_is_above_the_parents() {
    let Some(path) = data("desc2024.xml.gz") else { return };
    let mesh = read(&[path]);
    let owners: BTreeMap<&str, &str> = mesh
        .concepts
        .values()
        .flat_map(|one| values(one, "treeNumber").into_iter().map(|n| (n, one.code.as_str())))
        .collect();
    let mut differing = 0;
    let mut stated = 0;
    for (code, concept) in &mesh.concepts {
        let by_number: BTreeSet<&str> = values(concept, "treeNumber")
            .into_iter()
            .flat_map(|number| number.match_indices('.').map(|(at, _)| &number[..at]))
            .filter_map(|above| owners.get(above).copied())
            .collect();
        let mut by_parents = BTreeSet::new();
        let mut waiting: Vec<&str> = codes(&concept.parents);
        while let Some(next) = waiting.pop() {
            if by_parents.insert(next) {
                waiting.extend(codes(&mesh.concepts[next].parents));
            }
        }
        let told: BTreeSet<&str> = match concept.ancestors.as_slice() {
            [] => by_parents.clone(),
            told => codes(told).into_iter().collect(),
        };
        let records = |set: &BTreeSet<&str>| -> BTreeSet<String> {
            set.iter()
                .filter(|one| one.len() > 1 && *one != code)
                .map(|one| (*one).to_owned())
                .collect()
        };
        let mut expected = records(&by_number.clone());
        expected.remove(code);
        assert_eq!(records(&told), expected, "{code}");
        differing += usize::from(records(&by_parents) != expected);
        stated += usize::from(!concept.ancestors.is_empty());
    }
    // The categories add some, for the top of the tree that this copy has lost, and so does the
    // one record that stands above one of those above it.
    assert_eq!((differing, stated), (7_319, 7_574));
}

#[test]
fn records_of_nlm_are_read_with_all_they_have() {
    let Some(path) = data("desc2015_sample.xml") else { return };
    // The sample is the beginning of a file: it ends in the third record.
    let error = open(Format::Mesh, &path).err().expect("cut short");
    assert!(matches!(error.kind(), ImportErrorKind::Truncated { .. }), "{error}");
    assert_eq!(error.line(), Some(1001));
    let text = std::fs::read_to_string(&path).expect("there");
    let end = "</DescriptorRecord>";
    let at = text.rfind(end).expect("it has whole records") + end.len();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sample.xml");
    std::fs::write(&path, format!("{}</DescriptorRecordSet>", &text[..at])).expect("written");
    let sample = read(&[path]);
    let release = &sample.release;
    assert_eq!((release.version.as_str(), release.content), ("2015", Content::Fragment));
    let calcimycin = &sample.concepts["D000001"];
    assert!(
        calcimycin.definition.as_deref().is_some_and(|text| text.starts_with("An ionophorous"))
    );
    let names: Vec<_> = calcimycin.designations.iter().map(|d| (d.use_, &*d.value)).collect();
    assert_eq!(
        names,
        [
            (DesignationUse::Related, "A-23187"),
            (DesignationUse::Related, "Antibiotic A23187"),
            (DesignationUse::Related, "A23187"),
        ]
    );
    assert_eq!(values(calcimycin, "allowableQualifier").len(), 28);
    assert_eq!(values(calcimycin, "pharmacologicalAction"), ["D000900", "D061207"]);
    assert_eq!(values(calcimycin, "registryNumber"), ["37H9VM9WZL"]);
    assert_eq!(values(calcimycin, "dateEstablished"), ["1984-01-01"]);
}
