//! Damaged stores: said, named, and no reason for the others not to answer.

use std::path::{Path, PathBuf};

use medterm::Catalog;
use medterm::terminology::SystemId;

use crate::store::small;
use crate::support::*;

/// A store with a sound terminology and one to be damaged, and the folder of the latter's build.
fn two(name: &str) -> (PathBuf, PathBuf) {
    let store = folder(name);
    build(&store, &as_version("1"), &small(), None).expect("it builds");
    let mut other = as_version("1");
    other.alias = "damaged".to_owned();
    other.system = SystemId::new("http://example.org/damaged").expect("a URI");
    let report = build(&store, &other, &codes_of(&["B0"]), None).expect("it builds");
    (store, report.folder)
}

/// The store opens, says that the damaged one did not, and the other one answers.
fn assert_told(name: &str, store: &Path, words: &[&str]) {
    let catalog = Catalog::open(store).expect("the store opens");
    let failures = catalog.failures();
    assert_eq!(failures.len(), 1, "{name}: {failures:?}");
    assert_eq!((failures[0].alias.as_str(), failures[0].version.as_str()), ("damaged", "1"));
    let problem = failures[0].problem.clone().unwrap_or_default();
    for word in words {
        assert!(problem.contains(word), "{name}: {word:?} is not in {problem:?}");
    }
    assert_eq!(codes(&ask(&catalog, &request("cholera", 5)))[0], "A00", "{name}");
    let gone = catalog.lookup("damaged", "B00").expect_err("it did not open");
    assert!(gone.to_string().contains("icd10cm"), "{name}: {gone}");
    assert!(catalog.verify().iter().any(|finding| finding.problem.is_some()), "{name}");
}

const PARTS: [&str; 4] = ["records.bin", "hierarchy.bin", "relations.bin", "lexical.bin"];

fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(path).expect("the part is there");
    change(&mut bytes);
    std::fs::write(path, bytes).expect("it is ours");
}

#[test]
fn a_part_cut_short_is_named() {
    for part in PARTS {
        let (store, folder) = two(&format!("short-{part}"));
        change(&folder.join(part), |bytes| bytes.truncate(bytes.len() / 2));
        assert_told(part, &store, &[part, "rebuild the index"]);
    }
}

#[test]
fn an_empty_part_is_named() {
    for part in PARTS {
        let (store, folder) = two(&format!("empty-{part}"));
        change(&folder.join(part), Vec::clear);
        assert_told(part, &store, &[part, "rebuild the index"]);
    }
}

#[test]
fn a_part_that_is_gone_is_named() {
    for part in PARTS {
        let (store, folder) = two(&format!("gone-{part}"));
        std::fs::remove_file(folder.join(part)).expect("it was there");
        assert_told(part, &store, &[part]);
    }
}

#[test]
fn the_part_of_another_index_is_refused() {
    for part in PARTS {
        let (store, folder) = two(&format!("foreign-{part}"));
        let other = crate::support::folder(&format!("foreign-{part}-other"));
        let report = build(&other, &as_version("9"), &codes_of(&["B1"]), None).expect("it builds");
        std::fs::copy(report.folder.join(part), folder.join(part)).expect("it can be copied");
        assert_told(part, &store, &["rebuild the index"]);
    }
}

#[test]
fn the_part_of_an_index_of_the_same_size_is_refused() {
    // Another release may by chance have parts of the same lengths. Their checksums are in the
    // manifest: the names of the one must never answer for the codes of the other.
    let (store, ours) = two("twin");
    let mut twins = codes_of(&["B0"]);
    let swapped = twins[1].display.clone();
    twins[1].display = std::mem::replace(&mut twins[2].display, swapped);
    let last = twins.len() - 1;
    twins[last].parents = vec![twins[0].code.clone()];
    let twin = build(&folder("twin-other"), &as_version("1"), &twins, None).expect("it builds");
    let mut swaps = 0;
    for part in PARTS {
        let (place, other) = (ours.join(part), twin.folder.join(part));
        let own = std::fs::read(&place).expect("it is there");
        let other = std::fs::read(&other).expect("it is there");
        if own.len() != other.len() || own == other {
            continue;
        }
        swaps += 1;
        std::fs::write(&place, other).expect("it is ours");
        assert_told(part, &store, &["rebuild the index"]);
        std::fs::write(&place, own).expect("it is ours");
    }
    assert!(swaps > 0, "no part has a twin of its length: the test proves nothing");
}

#[test]
fn a_manifest_of_the_future_says_to_update() {
    let (store, folder) = two("future-manifest");
    change(&folder.join("manifest.json"), |bytes| {
        let text = String::from_utf8_lossy(bytes).replace("\"format\": 2", "\"format\": 99");
        *bytes = text.into_bytes();
    });
    assert_told("format 99", &store, &["manifest.json", "format 99", "update medterm"]);
}

#[test]
fn a_part_of_the_future_says_to_update() {
    for part in PARTS {
        let (store, folder) = two(&format!("future-{part}"));
        // The format's number is behind magic and kind.
        change(&folder.join(part), |bytes| bytes[12..16].copy_from_slice(&99u32.to_le_bytes()));
        assert_told(part, &store, &[part, "format 99", "update medterm"]);
    }
}

#[test]
fn a_manifest_that_is_none_is_named() {
    for (name, text) in [("empty", ""), ("no-json", "{\"format\": 2"), ("list", "[1]")] {
        let (store, folder) = two(&format!("manifest-{name}"));
        std::fs::write(folder.join("manifest.json"), text).expect("it is ours");
        assert_told(name, &store, &["manifest.json"]);
    }
    let (store, folder) = two("manifest-gone");
    std::fs::remove_file(folder.join("manifest.json")).expect("it was there");
    assert_told("gone", &store, &["manifest.json"]);
}

#[test]
fn a_build_that_is_gone_is_told() {
    let (store, folder) = two("build-gone");
    std::fs::remove_dir_all(&folder).expect("it was there");
    assert_told("no build", &store, &["manifest.json"]);
}

/// Flips one bit in the middle of every eighth of a part and wants each to be found.
fn assert_flips_are_found(store: &Path, part: &Path) {
    let sound = std::fs::read(part).expect("the part is there");
    let name = part.file_name().expect("it has a name").to_string_lossy().into_owned();
    for eighth in 0..8 {
        let mut bytes = sound.clone();
        let at = (bytes.len() * (2 * eighth + 1)) / 16;
        bytes[at] ^= 0x10;
        std::fs::write(part, &bytes).expect("it is ours");
        let catalog = Catalog::open(store).expect("the store opens");
        let found = catalog.verify();
        let told = found.iter().any(|finding| {
            let problem = finding.problem.as_deref().unwrap_or_default();
            !problem.is_empty() && (finding.part == name || problem.contains(&name))
        });
        assert!(told, "{name}: a flipped bit at {at} of {} is not found", bytes.len());
        // Whatever it does, it does not panic, and it keeps its promises.
        if let Ok(request) = medterm::SearchRequest::new("herpes zoster")
            && let Ok(response) = catalog.search(&request)
        {
            assert_lawful("herpes zoster", &response);
        }
    }
    std::fs::write(part, &sound).expect("it is ours");
    let catalog = Catalog::open(store).expect("the store opens");
    assert!(catalog.verify().iter().all(|finding| finding.problem.is_none()));
}

#[test]
fn a_flipped_bit_is_found_wherever_it_is() {
    for part in PARTS {
        let (store, folder) = two(&format!("flipped-{part}"));
        assert_flips_are_found(&store, &folder.join(part));
    }
}

#[cfg(feature = "rten")]
#[test]
fn a_flipped_bit_among_the_vectors_is_found() {
    let store = folder("flipped-dense.bin");
    let model = crate::model::model();
    let concepts = codes_of(&["B0"]);
    let report = build(&store, &as_version("1"), &concepts, Some(&model)).expect("it builds");
    assert_flips_are_found(&store, &report.folder.join("dense.bin"));
}

#[test]
fn a_flipped_bit_among_the_postings_keeps_the_index_closed() {
    let (store, folder) = two("flipped-postings");
    let part = folder.join("lexical.bin");
    let middle = std::fs::metadata(&part).expect("it is there").len() as usize / 2;
    change(&part, |bytes| bytes[middle] ^= 1);
    assert_told("a flipped bit", &store, &["lexical.bin", "checksum"]);
}
