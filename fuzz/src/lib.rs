//! What the fuzz targets share: one string of bytes is read as the files of a release.
//!
//! `cargo +nightly fuzz run mesh` reads MeSH; `cargo run --example seed` writes the corpora from the
//! fixtures. An input that was found is kept with `cargo run --example keep -- mesh INPUT`, as a ZIP in
//! `regressions/mesh/`, which the tests of the library read ever after.

pub mod pack;

use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use medterm::formats::{self, Format, MapOptions, Supplement, SupplementOptions};
use medterm::valueset::{Constraint, Language};
use zip::write::{SimpleFileOptions, ZipWriter};

/// The most concepts that are read of one input: more of the same teach nothing.
const MAX_CONCEPTS: usize = 2_000;

/// The folder of fixtures that seeds a target and gives its files their names.
pub fn fixtures(target: &str) -> PathBuf {
    let folder = match target {
        "icd10cm-tabular" => "icd10cm-index",
        "icd10pcs-codes" | "icd10pcs-tables" => "icd10pcs",
        other => other,
    };
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").join(folder)
}

/// The files of a fixture folder, by their paths within it.
pub fn names(target: &str) -> Vec<String> {
    let root = fixtures(target);
    let mut found = Vec::new();
    list(&root, &root, &mut found);
    found.sort();
    found
}

fn list(root: &Path, folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            list(root, &path, found);
        } else if let Ok(name) = path.strip_prefix(root)
            && !name.ends_with("README.md")
        {
            found.push(name.to_string_lossy().into_owned());
        }
    }
}

/// An input as a ZIP archive with the files it stands for.
pub fn zip(names: &[String], data: &[u8]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let mut used: Vec<usize> = Vec::new();
    for (number, content) in pack::unpack(data) {
        let number = number % names.len().max(1);
        if used.contains(&number) {
            continue;
        }
        used.push(number);
        // Writing to memory fails for no input.
        let _ = writer.start_file(names[number].as_str(), options);
        let _ = writer.write_all(content);
    }
    writer.finish().map(Cursor::into_inner).unwrap_or_default()
}

/// Reads an input as a release of a format. Errors are fine; a panic is what is looked for.
pub fn import(format: Format, data: &[u8]) {
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    let names = NAMES.get_or_init(|| names(format.name()));
    read(format, zip(names, data));
}

fn read(format: Format, zip: Vec<u8>) {
    let reader = Box::new(Cursor::new(zip));
    let Ok(mut source) = formats::open_reader(format, "release-2026-01-01.zip", reader) else {
        return;
    };
    for concept in source.by_ref().take(MAX_CONCEPTS) {
        let Ok(concept) = concept else { break };
        assert!(!concept.code.as_str().is_empty());
        assert!(concept.designations.iter().all(|name| !name.language.is_empty()));
    }
    let _ = source.progress();
    let _ = source.tally();
}

/// Reads an input as one file of published maps.
pub fn maps(data: &[u8]) {
    let path = written("maps", data);
    for map in formats::open_maps(&path, &MapOptions::default()).into_iter().flatten() {
        let _ = map.take(MAX_CONCEPTS).take_while(Result::is_ok).count();
    }
}

/// Reads an input as a supplement.
pub fn supplement(data: &[u8]) {
    let path = written("supplement", data);
    let mut options = SupplementOptions::default();
    options.language = Some("de".to_owned());
    let _ = Supplement::open(&path, &options);
}

/// Reads an input as an expression. What is read and printed is read as the same again.
pub fn expression(language: Language, data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Constraint::parse(text, language) {
        Ok(read) => {
            let printed = read.to_string();
            let again = Constraint::parse(&printed, language);
            assert!(again.is_ok_and(|again| again == read), "{printed}");
        }
        Err(error) => {
            assert!(error.position() <= text.len());
            let _ = (error.to_string(), error.line_and_column(text));
        }
    }
    let _ = Constraint::implicit(text);
}

/// What only opens paths is given one, in memory where the machine has such a folder.
fn written(kind: &str, data: &[u8]) -> PathBuf {
    let shared = Path::new("/dev/shm");
    let folder = if shared.is_dir() { shared.to_owned() } else { std::env::temp_dir() };
    let path = folder.join(format!("medterm-fuzz-{kind}-{}", std::process::id()));
    let _ = fs::write(&path, data);
    path
}
