//! Maps between terminologies: what is read of the published files, and that a bad file is refused
//! with its place.

use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::write::GzEncoder;
use medterm::formats::{ImportError, ImportErrorKind, MapOptions, Tally, open_maps};
use medterm::terminology::{
    Code, GemFlags, MapEntry, MapRelease, Relationship, SystemId, known_system,
};

use crate::support::*;

pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/maps").join(name)
}

pub(crate) struct Read {
    pub(crate) release: MapRelease,
    pub(crate) entries: Vec<MapEntry>,
    pub(crate) tally: Tally,
}

pub(crate) fn read(path: &Path) -> Result<Read, ImportError> {
    read_with(path, &MapOptions::default())
}

fn read_with(path: &Path, options: &MapOptions) -> Result<Read, ImportError> {
    let mut maps = open_maps(path, options)?;
    assert_eq!(maps.len(), 1, "{}", path.display());
    let mut map = maps.remove(0);
    let entries = map.by_ref().collect::<Result<Vec<_>, _>>()?;
    Ok(Read { release: map.release().clone(), entries, tally: map.tally() })
}

fn system(alias: &str) -> SystemId {
    known_system(alias).expect("it is known").id()
}

#[test]
fn a_mapping_set_is_read_row_by_row_and_what_is_left_out_is_told() {
    let Read { release, entries, tally } =
        read(&fixture("example-icd10cm.sssom.tsv")).expect("it is sound");
    assert_eq!(release.name, "example-icd10cm");
    assert_eq!(release.version, "2026-01-02");
    assert_eq!(release.title, "Example diseases to ICD-10-CM");
    assert_eq!((release.source, release.target), (system("mondo"), system("icd10cm")));
    assert!(release.license.is_some_and(|license| license.contains("publicdomain")));
    assert_eq!(entries.len(), 12);
    let of = |source: &str| {
        let found = entries.iter().find(|entry| entry.source.as_str() == source);
        let entry = found.expect(source);
        (entry.target.as_ref().map(Code::as_str), entry.relationship)
    };
    assert_eq!(of("MONDO:9000001"), (Some("I21"), Relationship::Equivalent));
    assert_eq!(of("MONDO:9000006"), (Some("J05.0"), Relationship::SourceIsNarrowerThanTarget));
    assert_eq!(of("MONDO:9000007"), (Some("I50"), Relationship::SourceIsBroaderThanTarget));
    assert_eq!(of("MONDO:9000008"), (Some("G43"), Relationship::RelatedTo));
    assert_eq!(of("MONDO:9000009"), (Some("A01.0"), Relationship::NotRelatedTo));
    assert_eq!(of("MONDO:9000010").0, None);
    let left_out: Vec<(&str, u64)> =
        tally.left_out.iter().map(|rows| (rows.reason.as_str(), rows.count)).collect();
    assert_eq!(left_out.len(), 4, "{left_out:?}");
    assert!(left_out.iter().all(|(_, count)| *count == 1), "{left_out:?}");
    assert!(tally.left_out[0].first.ends_with(":13: EX"), "{:?}", tally.left_out[0]);
    assert_eq!(tally.read["rows"], 12);
}

#[test]
fn a_prefix_that_is_not_known_can_be_named() {
    let own = SystemId::new("https://example.org/diseases").expect("a URI");
    let options = MapOptions { source: Some(own.clone()), target: None };
    let read = read_with(&fixture("example-icd10cm.sssom.tsv"), &options).expect("it is sound");
    assert_eq!(read.release.source, own);
    let sources: Vec<&str> = read.entries.iter().map(|entry| entry.source.as_str()).collect();
    assert_eq!(sources, ["7"]);
}

#[test]
fn gems_keep_their_flags_and_their_codes_get_their_dots() {
    let Read { release, entries, .. } = read(&fixture("2018_I9gem.txt")).expect("it is sound");
    assert_eq!((release.name.as_str(), release.version.as_str()), ("gem-icd9cm-icd10cm", "2018"));
    assert_eq!((release.source, release.target), (system("icd9cm"), system("icd10cm")));
    let pairs: Vec<(&str, Option<&str>)> = entries
        .iter()
        .map(|entry| (entry.source.as_str(), entry.target.as_ref().map(Code::as_str)))
        .collect();
    let expected = [
        ("001.0", Some("A00.0")),
        ("250.00", Some("E11.9")),
        ("E812.0", Some("V49.88XA")),
        ("V08", Some("Z21")),
        ("365.70", None),
    ];
    for pair in expected {
        assert!(pairs.contains(&pair), "{pair:?} is not in {pairs:?}");
    }
    let none = GemFlags {
        approximate: false,
        no_map: false,
        combination: false,
        scenario: 0,
        choice_list: 0,
    };
    let gem = |source: &str, target: Option<&str>| {
        let is = |entry: &&MapEntry| {
            entry.source.as_str() == source && entry.target.as_ref().map(Code::as_str) == target
        };
        let entry = entries.iter().find(is).expect(source);
        (entry.relationship, entry.gem.expect("a GEM has flags"))
    };
    assert_eq!(gem("001.0", Some("A00.0")), (Relationship::Equivalent, none));
    let second =
        GemFlags { approximate: true, combination: true, scenario: 1, choice_list: 2, ..none };
    assert_eq!(gem("073.0", Some("J17")), (Relationship::RelatedTo, second));
    assert!(gem("365.70", None).1.no_map);

    let back = read(&fixture("2018_I10gem.txt")).expect("it is sound");
    assert_eq!(back.release.name, "gem-icd10cm-icd9cm");
    assert_eq!(back.entries.len(), 20);
}

#[test]
fn the_direction_of_a_gem_is_told_by_its_first_row_its_header_or_its_caller() {
    let folder = folder("gem-direction");
    let name_of = |name: &str, text: &str, options: &MapOptions| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("it is ours");
        read_with(&path, options).map(|read| (read.release.name, read.entries))
    };
    let none = MapOptions::default();
    let csv = "\"icd10cm\",\"icd9cm\",\"flags\",\"approximate\"\n\"E119\",\"25000\",\"10000\",1\n";
    for (name, text, expected) in [
        ("a.txt", "A000 0010 00000\n", "gem-icd10cm-icd9cm"),
        ("b.txt", "0010 A000 00000\n", "gem-icd9cm-icd10cm"),
        ("c.txt", "0DTJ4ZZ 4701 10000\n", "gem-icd10pcs-icd9cm-procedure"),
        ("d.csv", csv, "gem-icd10cm-icd9cm"),
        ("e_I9gem.txt", "V08 Z21 00000\n", "gem-icd9cm-icd10cm"),
    ] {
        assert_eq!(name_of(name, text, &none).expect(name).0, expected, "{name}");
    }
    // Letters first on both sides: either may be the older one.
    let unsaid = name_of("f.txt", "V080 V081 00000\n", &none).expect_err("nothing tells");
    assert!(unsaid.to_string().contains("--from"), "{unsaid}");
    let options = MapOptions { source: Some(system("icd10cm")), target: Some(system("icd9cm")) };
    let (name, entries) = name_of("g.txt", "V0001XA E9179 10000\n", &options).expect("it is said");
    assert_eq!(name, "gem-icd10cm-icd9cm");
    assert_eq!(entries[0].target.as_ref().map(Code::as_str), Some("E917.9"));
}

/// Reads a file that must be refused.
fn refused(name: &str, bytes: &[u8]) -> ImportError {
    let path = folder(&format!("bad-map-{name}")).join(name);
    std::fs::write(&path, bytes).expect("it is ours");
    let Err(error) = read(&path) else { panic!("{name} was read") };
    assert!(error.to_string().starts_with(&path.display().to_string()), "{name}: {error}");
    error
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(bytes).expect("memory takes it");
    gzip.finish().expect("memory takes it")
}

const HEADER: &str = "subject_id\tpredicate_id\tobject_id\n";
const ROW: &str = "MONDO:9000001\tskos:exactMatch\tICD10CM:I21\n";

#[test]
fn bad_files_are_refused_with_their_line() {
    let two = format!("{HEADER}{ROW}");
    let empty = refused("empty.tsv", b"");
    assert!(matches!(empty.kind(), ImportErrorKind::Empty), "{empty}");
    let column = refused("column.tsv", two.replace("object_id", "object").as_bytes());
    assert!(column.to_string().contains("object_id") && column.line() == Some(1), "{column}");
    let short = refused("short.tsv", format!("{two}MONDO:9000002\tskos:exact").as_bytes());
    assert_eq!(short.line(), Some(3), "{short}");
    let mut latin = two.clone().into_bytes();
    latin.extend(b"MONDO:9000002\tskos:exactMatch\tICD10CM:\xe9\n");
    let latin = refused("latin.tsv", &latin);
    assert!(latin.line() == Some(3) && latin.to_string().contains("UTF-8"), "{latin}");
    let unknown = format!("{HEADER}XX:1\tskos:exactMatch\tYY:2\n");
    let unknown = refused("unknown.tsv", unknown.as_bytes());
    assert!(unknown.to_string().contains("--from"), "{unknown}");
    let comments = refused("comments.tsv", b"# license: x\n# curie_map:\n");
    assert!(matches!(comments.kind(), ImportErrorKind::Truncated { .. }), "{comments}");
    let other = refused("other.txt", b"once upon a time\n");
    assert!(matches!(other.kind(), ImportErrorKind::UnknownFormat { .. }), "{other}");

    let good = "0010 A000 00000\n";
    for (name, row) in [
        ("code.txt", "001! A000 00000"),
        ("target.txt", "0010 A 00000"),
        ("flags.txt", "0010 A000 20000"),
        ("columns.txt", "0010 A000"),
    ] {
        let error = refused(name, format!("{good}{row}\n").as_bytes());
        assert_eq!(error.line(), Some(2), "{name}: {error}");
    }
    let mut rows = two.clone();
    for number in 1..5000 {
        rows.push_str(&ROW.replace("9000001", &(9_000_000 + number * 7919 % 99991).to_string()));
    }
    let whole = gzipped(rows.as_bytes());
    let cut = refused("cut.tsv.gz", &whole[..whole.len() / 2]);
    assert!(cut.to_string().contains("again"), "{cut}");
    let long = format!("{two}MONDO:9000002\tskos:exactMatch\t{}", "x".repeat(17 << 20));
    let long = refused("long.tsv", long.as_bytes());
    assert!(matches!(long.kind(), ImportErrorKind::TooLong { .. }), "{long}");
}

#[test]
fn marks_line_ends_and_compression_change_nothing() {
    let folder = folder("maps-dressed");
    let plain = std::fs::read(fixture("example-icd10cm.sssom.tsv")).expect("it is there");
    let text = String::from_utf8(plain.clone()).expect("it is text");
    let expected = read(&fixture("example-icd10cm.sssom.tsv")).expect("it is sound").entries;
    let marked = [b"\xef\xbb\xbf", plain.as_slice()].concat();
    let crlf = text.replace('\n', "\r\n").into_bytes();
    let dressed = gzipped(&crlf);
    for (name, bytes) in [
        ("bom.tsv", marked),
        ("crlf.tsv", crlf),
        ("both.tsv.gz", dressed),
        ("no-end.tsv", text.trim_end().as_bytes().to_vec()),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("it is ours");
        assert_eq!(read(&path).expect(name).entries, expected, "{name}");
    }
    // A folder gives all the maps in it, and what is no map is not meant.
    let all = folder.join("all");
    std::fs::create_dir(&all).expect("it is ours");
    for name in ["2018_I9gem.txt", "2018_I10gem.txt", "README.md"] {
        std::fs::copy(fixture(name), all.join(name)).expect("it is ours");
    }
    let maps = open_maps(&all, &MapOptions::default()).expect("two are there");
    let names: Vec<&str> = maps.iter().map(|map| map.release().name.as_str()).collect();
    assert_eq!(names, ["gem-icd10cm-icd9cm", "gem-icd9cm-icd10cm"]);
}

#[test]
fn the_mapping_sets_of_mondo_are_read_completely() {
    let Some(data) = std::env::var_os("MEDTERM_TEST_DATA") else {
        println!("skipped: MEDTERM_TEST_DATA names no folder with MONDO's mapping sets");
        return;
    };
    let folder = Path::new(&data).join("data/sssom");
    for (file, target, rows) in [
        ("doid", "doid", 11966),
        ("icd10cm", "icd10cm", 2038),
        ("icd10who", "icd10", 209),
        ("icd11.foundation", "http://id.who.int/icd/entity", 4633),
        ("mesh", "mesh", 8181),
        ("ncit", "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl", 7304),
        ("omim", "http://www.omim.org", 10045),
        ("orphanet", "http://www.orpha.net", 9785),
        ("sctid", "snomed", 9120),
    ] {
        let path = folder.join(format!("mondo_exactmatch_{file}.sssom.tsv.gz"));
        let read = read(&path).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read.entries.len(), rows, "{file}");
        assert_eq!(read.tally.left_out, [], "{file}");
        assert_eq!(read.release.source, system("mondo"));
        let uri = known_system(target).map_or(target, |known| known.uri);
        assert_eq!(read.release.target.as_str(), uri);
        assert_eq!(read.release.version, "2026-08-04");
        assert!(read.entries.iter().all(|entry| entry.relationship == Relationship::Equivalent));
    }
}
