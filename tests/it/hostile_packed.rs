//! Every format against what is packed: archives that lead elsewhere, bombs, lines without end.

use std::io::{Cursor, Read, Write};
use std::panic::catch_unwind;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use medterm::formats::{Format, ImportErrorKind, Supplement, SupplementOptions, open_reader};
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::hostile_copy::{Copy, Outcome, attempt, essence};
use crate::hostile_samples::SAMPLES;
use crate::support::folder;

/// Places at which a file is cut.
const CUTS: usize = 40;
/// What a line without end has, in bytes.
const ENDLESS: u64 = 100 << 20;
/// What a bomb unpacks to, in bytes: more than what is read of anything without question.
const BOMB: usize = 96 << 20;

#[test]
fn packed_files_are_read_and_cut_ones_are_not() {
    for sample in SAMPLES {
        let copy = Copy::of(sample, "packed");
        let whole = essence(&copy.whole());
        let file = sample.harmed[0];
        let packed = gzipped(&copy.sound(file));
        match copy.with(file, &packed, "gzip") {
            Outcome::Built(report) => assert_eq!(essence(&report), whole, "{}", sample.format),
            Outcome::Refused(error) => panic!("{} packed: {error}", sample.format),
            Outcome::NothingInIt => panic!("{} packed", sample.format),
        }
        for share in [3, 2] {
            let outcome = copy.with(file, &packed[..packed.len() / share], "gzip, cut");
            assert!(!matches!(outcome, Outcome::Built(_)), "{} gzip, cut", sample.format);
        }
        let mut flipped = packed.clone();
        let checksum = flipped.len() - 6;
        flipped[checksum] ^= 0xff;
        let outcome = copy.with(file, &flipped, "gzip, another checksum");
        assert!(!matches!(outcome, Outcome::Built(_)), "{} another checksum", sample.format);
    }
}

#[test]
fn an_archive_is_read_unless_a_name_leads_out_of_it() {
    for sample in SAMPLES {
        let copy = Copy::of(sample, "archive");
        let whole = essence(&copy.whole());
        let path = copy.folder.parent().expect("it has one").join("release.zip");
        let members = members_of(&copy.folder, "");
        std::fs::write(&path, zipped(&members)).expect("it is ours");
        match attempt(sample, "zip", &path) {
            Outcome::Built(report) => assert_eq!(essence(&report), whole, "{}", sample.format),
            Outcome::Refused(error) => panic!("{} in a zip: {error}", sample.format),
            Outcome::NothingInIt => panic!("{} in a zip", sample.format),
        }
        for name in ["../x", "a/../../x", "/abs", "C:\\x", "..\\x"] {
            let mut evil = members.clone();
            evil.push((name.to_owned(), b"x".to_vec()));
            std::fs::write(&path, zipped(&evil)).expect("it is ours");
            let Outcome::Refused(error) = attempt(sample, name, &path) else {
                panic!("{}: {name} was taken", sample.format)
            };
            assert!(matches!(error.kind(), ImportErrorKind::UnsafePath { .. }), "{error}");
        }
        assert!(!path.with_file_name("x").exists());
    }
}

#[test]
fn a_bomb_does_not_go_off() {
    let filler = vec![b'\n'; BOMB];
    for (at, sample) in SAMPLES.iter().enumerate() {
        let copy = Copy::of(sample, "bomb");
        let file = sample.harmed[0];
        let bytes = copy.sound(file);
        // Where XML may have white space, and a table may have empty rows.
        let end = if sample.is_xml(file) { bytes.len() - 12 } else { bytes.len() };
        let place = bytes[..end].iter().rposition(|byte| *byte == b'\n').expect("a line");
        let bytes = [&bytes[..place], &filler, &bytes[place..]].concat();
        // Both are unpacked by the same reader: one of the two for each format is enough.
        let (what, packed) = match at % 2 {
            0 => ("gzip bomb", gzipped(&bytes)),
            _ => {
                let name = file.rsplit('/').next().unwrap_or(file);
                ("zip bomb", zipped(&[(name.to_owned(), bytes)]))
            }
        };
        assert!(packed.len() < BOMB / 250, "{what}: {} bytes", packed.len());
        let alone = copy.folder.parent().expect("it has one").join("bomb");
        std::fs::write(&alone, packed).expect("it is ours");
        let Outcome::Refused(error) = attempt(sample, what, &alone) else {
            panic!("{}: the {what} was read", sample.format)
        };
        let kind = error.kind();
        let is_told =
            matches!(kind, ImportErrorKind::Expands { .. } | ImportErrorKind::TooLong { .. });
        // Some formats find before it that a file beside it is missing.
        assert!(is_told || sample.harmed.len() > 1, "{} {what}: {error}", sample.format);
    }
}

#[test]
fn a_line_without_end_is_not_held_in_memory() {
    for sample in SAMPLES {
        let file = sample.harmed[0];
        let mut start = std::fs::read(sample.folder().join(file)).expect("the fixture is there");
        // In the middle of a text of XML; behind the head of a table.
        if sample.is_xml(file) {
            let text =
                start.windows(2).rposition(|two| two[0] == b'>' && two[1].is_ascii_alphanumeric());
            start.truncate(text.expect("there is a text") + 2);
        }
        let endless = Cursor::new(start).chain(std::io::repeat(b'x').take(ENDLESS));
        let name = file.rsplit('/').next().unwrap_or(file);
        let opened = open_reader(sample.format, name, Box::new(endless));
        let read = opened.and_then(|source| source.collect::<Result<Vec<_>, _>>());
        // Some formats find before it that a file beside it is missing; a table is of no terminology.
        let error = match read {
            Err(error) => error,
            Ok(_) => panic!("{}: a line of 100 MB was read", sample.format),
        };
        assert!(error.to_string().len() < 2000, "{error}");
        let kind = error.kind();
        let is_told = matches!(kind, ImportErrorKind::TooLong { .. } | ImportErrorKind::Json(_));
        let is_alone = sample.harmed.len() == 1 && sample.format != Format::Delimited;
        assert!(is_told || !is_alone, "{}: {error}", sample.format);
        // CDC's small file is read whole before it is looked into.
        if is_told && sample.format != Format::Cvx {
            assert!(error.line().is_some(), "{error}");
        }
    }
}

#[test]
fn a_supplement_is_read_with_the_same_care() {
    let folder = folder("hostile-supplement");
    let path = folder.join("names");
    let sound = b"code,language,value\nA00,de,Cholera\nA01,de,Typhus\n";
    let json = std::fs::read(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/supplement/boats-fr.json"),
    );
    let json = json.expect("the fixture is there");
    let mut bomb = sound.to_vec();
    bomb.extend_from_slice(&vec![b'\n'; BOMB]);
    let mut endless = sound.to_vec();
    endless.extend_from_slice(&vec![b'x'; 20 << 20]);
    let mut latin = sound.to_vec();
    latin[33] = 0xe9;
    let mut cases: Vec<(&str, Vec<u8>)> = vec![
        ("empty", Vec::new()),
        ("bomb", gzipped(&bomb)),
        ("endless", endless),
        ("Latin-1", latin),
        ("way out", zipped(&[("../x".to_owned(), sound.to_vec())])),
        ("deep", b"{\"concept\":".repeat(100_000)),
    ];
    let cuts = (1..CUTS).map(|cut| ("cut", json[..json.len() * cut / CUTS].to_vec()));
    cases.extend(cuts.filter(|(_, bytes)| !bytes.is_empty()));
    for (what, bytes) in cases {
        std::fs::write(&path, &bytes).expect("it is ours");
        let tried = catch_unwind(|| Supplement::open(&path, &SupplementOptions::default()));
        let error = tried.expect(what).expect_err(what);
        assert!(error.path().starts_with(&path), "{what}: {error}");
    }
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(bytes).expect("memory takes it");
    gzip.finish().expect("memory takes it")
}

fn zipped(members: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        zip.start_file(name.as_str(), SimpleFileOptions::default()).expect("memory takes it");
        zip.write_all(bytes).expect("memory takes it");
    }
    zip.finish().expect("memory takes it").into_inner()
}

/// The files of a folder by their names from there.
fn members_of(folder: &Path, prefix: &str) -> Vec<(String, Vec<u8>)> {
    let mut members = Vec::new();
    for entry in std::fs::read_dir(folder).expect("it is ours").flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            members.extend(members_of(&entry.path(), &format!("{name}/")));
        } else {
            members.push((name, std::fs::read(entry.path()).expect("it is ours")));
        }
    }
    members.sort();
    members
}
