//! What a store promises: the same bytes, versions side by side, nothing written by readers, and a
//! build that fails leaves what was there.

use std::path::{Path, PathBuf};
use std::process::Command;

use medterm::Catalog;
use medterm::disk::{BuildLock, DiskErrorKind};
use medterm::index::{IndexBuilder, IndexError, StoreLayout};
use medterm::terminology::Concept;

use crate::support::*;

/// A small part of the release: quick to build, real in everything else.
pub(crate) fn small() -> Vec<Concept> {
    codes_of(&["A0"])
}

fn version_folder(store: &Path, version: &str) -> PathBuf {
    store.join("icd10cm").join(version)
}

/// The names directly in a folder, sorted, hidden ones among them.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is there").flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn display_of(catalog: &Catalog, system: &str, code: &str) -> String {
    catalog.lookup(system, code).expect("the code is there").display
}

#[test]
fn the_same_release_gives_the_same_bytes_in_whatever_order_it_comes() {
    let (release, concepts) = release();
    let (first_store, first) = complete_store();
    let mut shuffled = concepts.clone();
    shuffled.reverse();
    let third = shuffled.len() / 3;
    shuffled.rotate_left(third);
    let second_store = folder("complete-shuffled");
    let second = build(&second_store, release, &shuffled, None).expect("it builds");
    assert_eq!(first.build, second.build);
    let (first, second) = (contents(first_store), contents(&second_store));
    let paths = |files: &[(String, Vec<u8>)]| -> Vec<String> {
        files.iter().map(|(path, _)| path.clone()).collect()
    };
    assert_eq!(paths(&first), paths(&second));
    for name in [
        "manifest.json",
        "records.bin",
        "hierarchy.bin",
        "relations.bin",
        "lexical.bin",
        "LICENSE.txt",
    ] {
        assert!(first.iter().any(|(path, _)| path.ends_with(name)), "{name} was not compared");
    }
    for ((path, one), (_, other)) in first.iter().zip(&second) {
        assert!(one == other, "{path} differs");
    }
}

#[test]
fn a_change_of_one_name_gives_another_build() {
    let store = folder("another-name");
    let mut concepts = small();
    let before = build(&store, &as_version("1"), &concepts, None).expect("it builds");
    concepts[0].display.push('!');
    let after = build(&store, &as_version("1"), &concepts, None).expect("it builds");
    assert_ne!(before.build, after.build);
    // The version serves the new build, and has nothing left of the old one.
    let mut expected = [after.build, "current".to_owned()];
    expected.sort();
    assert_eq!(names(&version_folder(&store, "1")), expected);
    assert!(!before.folder.exists());
    let catalog = Catalog::open(&store).expect("it opens");
    let code = concepts[0].code.as_str();
    assert!(display_of(&catalog, "icd10cm", code).ends_with('!'));
}

#[test]
fn the_same_build_again_changes_nothing() {
    let store = folder("again");
    build(&store, &as_version("1"), &small(), None).expect("it builds");
    let before = contents(&store);
    build(&store, &as_version("1"), &small(), None).expect("it builds again");
    assert!(before == contents(&store));
}

#[test]
fn a_reader_keeps_its_index_while_the_version_is_rebuilt() {
    let store = folder("reader");
    let mut concepts = small();
    build(&store, &as_version("1"), &concepts, None).expect("it builds");
    let reader = Catalog::open(&store).expect("it opens");
    let code = concepts[0].code.to_string();
    let before = display_of(&reader, "icd10cm", &code);
    concepts[0].display.push('!');
    build(&store, &as_version("1"), &concepts, None).expect("it builds");
    assert_eq!(display_of(&reader, "icd10cm", &code), before);
    assert_eq!(codes(&ask(&reader, &request("cholera", 5)))[0], "A00");
}

#[test]
fn versions_stand_side_by_side_and_one_is_the_default() {
    let store = folder("versions");
    let mut concepts = small();
    build(&store, &as_version("2025"), &concepts, None).expect("it builds");
    concepts[0].display.push_str(", new");
    build(&store, &as_version("2026"), &concepts, None).expect("it builds");
    let code = concepts[0].code.as_str();

    let catalog = Catalog::open(&store).expect("it opens");
    let versions: Vec<(String, bool)> =
        catalog.terminologies().into_iter().map(|one| (one.version, one.default)).collect();
    assert_eq!(versions, [("2025".to_owned(), false), ("2026".to_owned(), true)]);
    assert!(display_of(&catalog, "icd10cm", code).ends_with("new"));
    assert!(!display_of(&catalog, "icd10cm|2025", code).ends_with("new"));
    let request = request("cholera", 3).system("icd10cm|2025");
    let both = ask(&catalog, &request);
    assert_eq!(both.provenance.len(), 2, "each version answers once");

    catalog.set_default("icd10cm", "2025").expect("there is such a version");
    let catalog = Catalog::open(&store).expect("it opens");
    assert!(!display_of(&catalog, "icd10cm", code).ends_with("new"));
    assert!(catalog.set_default("icd10cm", "1999").is_err_and(|error| error.is_caller_fault()));
    assert!(StoreLayout::new(&store).set_default("icd10cm", "1999").is_err());

    let error = catalog.lookup("icd10cm|1999", code).expect_err("there is none");
    assert!(error.to_string().contains("2025, 2026"), "{error}");
}

#[test]
fn two_terminologies_do_not_change_each_other() {
    let store = folder("two");
    build(&store, &as_version("1"), &small(), None).expect("it builds");
    let alone = ask(&Catalog::open(&store).expect("it opens"), &request("cholera fever", 50));
    let mut other = as_version("1");
    other.alias = "other".to_owned();
    other.system = medterm::terminology::SystemId::new("http://example.org/other").expect("a URI");
    build(&store, &other, &codes_of(&["A", "B"]), None).expect("it builds");
    let catalog = Catalog::open(&store).expect("it opens");
    let beside = ask(&catalog, &request("cholera fever", 50));
    assert_eq!(essence(&alone.results), essence(&beside.results));
    let merged = ask(&catalog, &request("cholera fever", 50).system("other"));
    assert!(merged.results.windows(2).all(|pair| pair[0].score >= pair[1].score));
    assert!(merged.results.iter().any(|hit| hit.system.as_str() == "http://example.org/other"));
}

#[cfg(unix)]
#[test]
fn a_store_that_cannot_be_written_is_read_and_not_touched() {
    use std::os::unix::fs::PermissionsExt;
    fn set(folder: &Path, dir: u32, file: u32) {
        for path in listing(folder) {
            let mode = if Path::new(&path).is_dir() { dir } else { file };
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("ours");
        }
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(dir)).expect("ours");
    }
    let store = folder("read-only");
    build(&store, &as_version("1"), &small(), None).expect("it builds");
    let state = |store: &Path| -> Vec<(String, Option<std::time::SystemTime>)> {
        let changed = |path: &String| std::fs::metadata(path).and_then(|data| data.modified()).ok();
        listing(store).into_iter().map(|path| (path.clone(), changed(&path))).collect()
    };
    set(&store, 0o555, 0o444);
    let before = state(&store);
    let catalog = Catalog::open(&store).expect("it opens");
    assert!(catalog.failures().is_empty());
    assert_eq!(codes(&ask(&catalog, &request("cholera", 5)))[0], "A00");
    assert!(catalog.lookup("icd10cm", "A00.9").is_ok());
    assert!(catalog.verify().iter().all(|finding| finding.problem.is_none()));
    assert_eq!(before, state(&store));
    set(&store, 0o755, 0o644);
}

#[test]
fn a_store_that_is_a_file_is_an_error_with_its_path() {
    let file = folder("no-folder").join("store");
    std::fs::write(&file, b"in the way").expect("it is ours");
    let error = build(&file, &as_version("1"), &small(), None).expect_err("there is no room");
    assert!(error.to_string().contains(&file.display().to_string()), "{error}");
    assert_eq!(std::fs::read(&file).expect("it is there"), b"in the way");
    let open = Catalog::open(&file).expect_err("it is no store");
    assert!(open.to_string().contains(&file.display().to_string()), "{open}");
    assert!(!open.is_caller_fault());
}

#[test]
fn nothing_is_built_from_nothing_twice_or_under_no_name() {
    let store = folder("refused");
    let empty = IndexBuilder::new(as_version("1")).finish(&store).expect_err("it is empty");
    assert!(matches!(empty, IndexError::Empty), "{empty}");
    let mut twice = small();
    twice.push(twice[3].clone());
    let error = build(&store, &as_version("1"), &twice, None).expect_err("a code is there twice");
    assert!(error.to_string().contains(twice[3].code.as_str()), "{error}");
    for alias in ["", "..", "a/b", ".hidden"] {
        let mut release = as_version("1");
        alias.clone_into(&mut release.alias);
        let error = build(&store, &release, &small(), None).expect_err(alias);
        assert!(matches!(error, IndexError::InvalidName { .. }), "{alias:?}: {error}");
    }
    assert!(names(&store).is_empty(), "{:?}", names(&store));
}

#[test]
fn a_second_builder_is_told_to_wait() {
    let store = folder("locked");
    build(&store, &as_version("1"), &small(), None).expect("it builds");
    let held = BuildLock::acquire(&store.join("icd10cm/.lock")).expect("nobody has it");
    let before = contents(&store);
    let error = build(&store, &as_version("2"), &small(), None).expect_err("somebody builds");
    let IndexError::Disk(disk) = &error else { panic!("{error:?}") };
    assert!(matches!(disk.kind(), DiskErrorKind::Locked), "{error}");
    assert!(error.to_string().contains("another build is running"), "{error}");
    assert!(before == contents(&store));
    assert!(Catalog::open(&store).is_ok_and(|catalog| catalog.lookup("icd10cm", "A00").is_ok()));
    drop(held);
    build(&store, &as_version("2"), &small(), None).expect("the lock is free");
}

#[test]
fn a_full_disk_leaves_the_version_that_was_there() {
    // A run that was killed may have left its mount.
    drop(Mounted(Path::new(env!("CARGO_TARGET_TMPDIR")).join("it/full")));
    let store = folder("full");
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"])
        .arg(&store)
        .output()
        .is_ok_and(|output| output.status.success());
    if !mounted {
        println!("skipped: a small file system cannot be mounted here");
        return;
    }
    let _mount = Mounted(store.clone());
    build(&store, &as_version("1"), &small(), None).expect("a small one has room");
    let before = contents(&store);
    let error = build(&store, &as_version("2"), &codes_of(&["S"]), None).expect_err("no room");
    assert!(error.to_string().contains(&store.display().to_string()), "{error}");
    let catalog = Catalog::open(&store).expect("it opens");
    assert!(catalog.failures().is_empty());
    assert_eq!(catalog.terminologies().len(), 1);
    assert_eq!(codes(&ask(&catalog, &request("cholera", 5)))[0], "A00");
    assert!(catalog.verify().iter().all(|finding| finding.problem.is_none()));
    let served = |files: Vec<(String, Vec<u8>)>| -> Vec<(String, Vec<u8>)> {
        files.into_iter().filter(|(path, _)| !path.contains(".building")).collect()
    };
    assert!(served(before) == served(contents(&store)));
}

/// A mounted file system, unmounted when the test ends, in whatever way.
struct Mounted(PathBuf);

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).output();
    }
}

#[cfg(feature = "rten")]
#[test]
fn a_build_that_stopped_goes_on_to_the_same_bytes() {
    use crate::model::{Fault, Watched};

    let concepts = codes_of(&["D5", "D6", "D7", "D80", "D81"]);
    let release = as_version("1");
    let store = folder("stopped");
    build(&store, &release, &small(), None).expect("an earlier build is served");
    let before = contents(&store);

    let failing = Watched::new(Fault::After(600));
    let error = build(&store, &release, &concepts, Some(&failing)).expect_err("the model fails");
    assert!(matches!(error, IndexError::Embed(_)), "{error}");
    let catalog = Catalog::open(&store).expect("it opens");
    assert!(catalog.failures().is_empty());
    assert_eq!(codes(&ask(&catalog, &request("cholera", 5)))[0], "A00");
    let served: Vec<(String, Vec<u8>)> =
        contents(&store).into_iter().filter(|(path, _)| !path.contains(".building")).collect();
    assert!(before == served, "a failed build changes what is served");

    let sound = Watched::new(Fault::None);
    let resumed = build(&store, &release, &concepts, Some(&sound)).expect("it goes on");
    assert!(resumed.rows > 600, "{} rows are too few to stop in between", resumed.rows);
    assert!(resumed.reused >= 512, "only {} rows were kept", resumed.reused);
    assert_eq!(resumed.embedded, sound.asked());
    assert_eq!(resumed.reused + resumed.embedded, resumed.rows);

    let whole = folder("not-stopped");
    let straight = build(&whole, &release, &concepts, Some(&sound)).expect("it builds");
    assert_eq!((straight.reused, straight.build), (0, resumed.build.clone()));
    let (resumed, straight) = (contents(&store), contents(&whole));
    assert_eq!(resumed.len(), straight.len(), "nothing of the stopped build is left");
    for ((path, one), (other_path, other)) in resumed.iter().zip(&straight) {
        assert_eq!(path, other_path);
        assert!(one == other, "{path} differs");
    }
}
