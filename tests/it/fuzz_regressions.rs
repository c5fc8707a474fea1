//! Inputs that a fuzzer once found, read again: whatever comes out, it is no panic.

use std::fs;
use std::path::Path;

use medterm::formats::{Format, ImportOptions, MapOptions, ReleaseFiles, Supplement};
use medterm::formats::{SupplementOptions, open_maps};
use medterm::valueset::{Constraint, Language};

#[test]
fn what_a_fuzzer_found_is_read_without_harm() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/regressions");
    let mut replayed = 0;
    for folder in fs::read_dir(&root).expect("the folder is there").flatten() {
        let target = folder.file_name().to_string_lossy().into_owned();
        if !folder.path().is_dir() {
            continue;
        }
        for input in fs::read_dir(folder.path()).expect("it is a folder").flatten() {
            replay(&target, &input.path());
            replayed += 1;
        }
    }
    println!("{replayed} inputs");
}

fn replay(target: &str, path: &Path) {
    match (target, Format::from_name(target)) {
        (_, Some(format)) => {
            let source = ReleaseFiles::find_as(format, path)
                .and_then(|files| files.open(&ImportOptions::default()));
            for concept in source.into_iter().flatten().map_while(Result::ok) {
                let languages = concept.designations.iter().map(|name| &name.language);
                assert!(languages.clone().all(|tag| !tag.is_empty()), "{}", path.display());
            }
        }
        ("maps", None) => {
            for map in open_maps(path, &MapOptions::default()).into_iter().flatten() {
                let _ = map.take_while(Result::is_ok).count();
            }
        }
        ("supplement", None) => {
            let _ = Supplement::open(path, &SupplementOptions::default());
        }
        ("ecl" | "vcl", None) => {
            let language = if target == "ecl" { Language::Ecl } else { Language::Vcl };
            let text = fs::read_to_string(path).unwrap_or_default();
            if let Ok(read) = Constraint::parse(&text, language) {
                let again = Constraint::parse(&read.to_string(), language);
                assert!(again.is_ok_and(|again| again == read), "{}", path.display());
            }
        }
        _ => panic!("fuzz/regressions/{target} belongs to no target"),
    }
}
