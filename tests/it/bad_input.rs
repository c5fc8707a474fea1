//! Releases that cannot be read: path and line in the message, and nothing built.

use std::error::Error;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use medterm::formats::{self, ImportError, ImportErrorKind};
use medterm::index::{IndexBuilder, IndexReport};

use crate::support::*;

/// What a caller does with a file: everything from the path to the store.
fn import(path: &Path, store: &Path) -> Result<IndexReport, Box<dyn Error>> {
    let source = formats::open(formats::detect(path)?, path)?;
    let mut builder = IndexBuilder::new(source.release().clone());
    for concept in source {
        builder.push(concept?)?;
    }
    Ok(builder.finish(store)?)
}

/// Imports a file that must be refused, into a store that must stay as it is.
fn refused(name: &str, bytes: &[u8]) -> (PathBuf, ImportError) {
    let folder = folder(&format!("bad-{name}"));
    let (path, store) = (folder.join(name), folder.join("store"));
    std::fs::write(&path, bytes).expect("it is ours");
    let error = import(&path, &store).expect_err(name);
    let error = *error.downcast::<ImportError>().expect("the importer refuses it");
    assert!(!store.exists(), "{name}: something was built");
    let text = error.to_string();
    assert!(text.starts_with(&path.display().to_string()), "{name}: {text}");
    (path, error)
}

fn tabular() -> Vec<u8> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(release_file()).expect("the fixture is there");
    GzDecoder::new(file).read_to_end(&mut bytes).expect("the fixture is sound");
    bytes
}

#[test]
fn a_list_cut_short_is_refused_with_its_line() {
    let whole = tabular();
    for share in [3, 2] {
        let cut = &whole[..whole.len() / share];
        let (path, error) = refused("cut.xml", cut);
        let lines = cut.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
        let line = error.line().expect("it was read that far");
        assert!(line.abs_diff(lines) <= 1, "line {line} of {lines}");
        assert!(error.to_string().starts_with(&format!("{}:{line}:", path.display())), "{error}");
        let kind = error.kind();
        assert!(
            matches!(kind, ImportErrorKind::Truncated { .. } | ImportErrorKind::Xml(_)),
            "{error}"
        );
    }
}

#[test]
fn a_compressed_list_cut_short_is_refused() {
    let bytes = std::fs::read(release_file()).expect("the fixture is there");
    let (_, error) = refused("cut.xml.gz", &bytes[..bytes.len() / 2]);
    assert!(error.to_string().contains("again"), "{error}");
    let mut flipped = bytes.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0xff;
    refused("flipped.xml.gz", &flipped);
}

#[test]
fn another_encoding_is_refused_by_name() {
    let text = String::from_utf8(tabular()).expect("it is UTF-8");
    let start = &text[..2000];
    let little: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(start.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let big: Vec<u8> =
        [0xfe, 0xff].into_iter().chain(start.encode_utf16().flat_map(u16::to_be_bytes)).collect();
    for (name, bytes) in [("little.xml", little), ("big.xml", big)] {
        let (_, error) = refused(name, &bytes);
        assert!(error.to_string().contains("UTF-16"), "{error}");
    }
    // A letter of Latin-1 in the middle, where UTF-8 has two bytes.
    let mut latin = text.into_bytes();
    let at = latin.len() / 4;
    let place = at + latin[at..].windows(6).position(|w| w == b"<desc>").expect("a title") + 6;
    latin[place] = 0xe9;
    let (_, error) = refused("latin.xml", &latin);
    assert!(error.to_string().contains("UTF-8"), "{error}");
    let line = latin[..place].iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
    assert_eq!(error.line(), Some(line), "{error}");
}

#[test]
fn another_format_is_refused_with_what_it_is() {
    for (name, bytes, found) in [
        ("page.xml", &b"<!DOCTYPE html><html></html>"[..], "HTML"),
        ("other.xml", b"<?xml version=\"1.0\"?><Ledger version=\"2.0\"></Ledger>", "<Ledger>"),
        ("codes.txt", b"A000 Cholera due to Vibrio cholerae 01", "A000 Cholera"),
        ("paper.pdf", b"%PDF-1.7\n", "PDF"),
        ("picture.xml", b"\x89PNG\r\n\x1a\n\0\0\0", "binary"),
    ] {
        let (_, error) = refused(name, bytes);
        assert!(matches!(error.kind(), ImportErrorKind::UnknownFormat { .. }), "{error}");
        assert!(error.to_string().contains(found), "{found:?} is not in {error}");
    }
}

#[test]
fn an_empty_file_is_refused() {
    for (name, bytes) in
        [("empty.xml", &b""[..]), ("space.xml", b" \n\n"), ("bom.xml", b"\xef\xbb\xbf")]
    {
        let (_, error) = refused(name, bytes);
        assert!(error.to_string().contains("empty"), "{name}: {error}");
    }
    let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(b"").expect("memory takes it");
    let (_, error) = refused("empty.xml.gz", &gzip.finish().expect("memory takes it"));
    assert!(error.to_string().contains("empty"), "{error}");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let path = folder("bad-none").join("nowhere.xml");
    let error = formats::detect(&path).expect_err("there is none");
    assert!(error.to_string().contains("nowhere.xml"), "{error}");
    assert!(matches!(error.kind(), ImportErrorKind::Io(_)), "{error}");
}

/// A list with one chapter, whose categories begin in the fifth line.
fn list(inside: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<ICD10CM.tabular><version>2026</version>\n\
         <chapter><name>1</name><desc>Infections (A00-B99)</desc>\n\
         <section id=\"A00-A09\"><desc>Intestinal (A00-A09)</desc>\n{inside}\n\
         </section></chapter></ICD10CM.tabular>\n"
    )
}

#[test]
fn what_is_no_code_is_refused_with_its_line() {
    let good = "<diag><name>A00</name><desc>Cholera</desc></diag>";
    for (name, bad) in [
        ("no-code.xml", "<diag><name>not a code</name><desc>x</desc></diag>"),
        ("no-name.xml", "<diag><desc>x</desc></diag>"),
        ("no-title.xml", "<diag><name>A01</name></diag>"),
        ("twice.xml", good),
        ("entity.xml", "<diag><name>A01</name><desc>a &bogus; b</desc></diag>"),
        ("unclosed.xml", "<diag><name>A01</name><desc>x</desc>"),
        ("crossed.xml", "<diag><name>A01</desc></name></diag>"),
    ] {
        let (_, error) = refused(name, list(&format!("{good}\n{bad}")).as_bytes());
        let line = error.line().unwrap_or_default();
        assert!((6..=7).contains(&line), "{name}: {error}");
    }
}

#[test]
fn a_small_list_of_the_same_make_is_built() {
    let folder = folder("good-list");
    let path = folder.join("list.xml");
    let text = list("<diag><name>A00</name><desc>Cholera</desc></diag>");
    std::fs::write(&path, text).expect("it is ours");
    let report = import(&path, &folder.join("store")).expect("nothing is wrong with it");
    assert_eq!((report.concepts, report.groupers), (1, 2));
}
