//! The house rules, held against every file; and each against a file that breaks it.

use std::collections::BTreeSet;

use crate::tidy_rules::*;
use crate::tidy_source::{Source, files, relative, root, rust_files};

fn check(rule: Rule, sources: &[Source]) {
    assert!(!sources.is_empty(), "there is nothing to check");
    let broken = rule(sources);
    assert!(broken.is_empty(), "{} breaches:\n{}", broken.len(), broken.join("\n"));
}

/// A rule must find each of these to be broken, and the last to be in order.
fn can_fail(rule: Rule, broken: &[(&str, &str)], sound: (&str, &str)) {
    for (path, text) in broken {
        assert!(!rule(&[Source::new(path, text)]).is_empty(), "{path} passes: {text}");
    }
    let found = rule(&[Source::new(sound.0, sound.1)]);
    assert!(found.is_empty(), "{found:?}");
}

const ALL: &[&str] = &["src", "cli", "tests", "examples", "benches", "fuzz"];

#[test]
fn imports_run_down_the_floors() {
    for room in ROOMS {
        for import in room.imports {
            let below = ROOMS.iter().find(|other| other.folder == *import);
            let floor = below.expect("an import has a floor").floor;
            assert!(floor < room.floor, "{} may import {import} above it", room.folder);
        }
    }
    can_fail(
        floors,
        &[
            ("src/text/a.rs", "use crate::index::TerminologyIndex;"),
            ("src/formats/a.rs", "use crate::{terminology::Code, index::{IndexBuilder, Query}};"),
            ("src/index/a.rs", "fn f(x: crate::formats::Format) {}"),
            ("src/dense/a.rs", "use crate::lexical;"),
            ("src/records/a.rs", "use crate::Error;"),
            ("src/records/a.rs", "use super::super::index::Manifest;"),
            ("src/novel/a.rs", "fn f() {}"),
        ],
        (
            "src/index/a.rs",
            "use crate::{text::{a, b}, disk::{self, c}};\n// crate::formats\nuse super::b;",
        ),
    );
    check(floors, &rust_files(&["src"]));
}

#[test]
fn foreign_crates_stay_in_their_rooms() {
    can_fail(
        foreign_crates,
        &[
            ("src/index/a.rs", "use tantivy::Index;"),
            ("src/index/a.rs", "fn f(_: tantivy::Index) {}"),
            ("src/catalog/a.rs", "use ::ort::session::Session;"),
            ("src/text/a.rs", "use memmap2::Mmap;"),
            ("cli/src/a.rs", "use quick_xml::Reader;"),
            ("src/catalog/a.rs", "use clap::Parser;"),
            ("src/hierarchy/a.rs", "let x = bincode::config::standard();"),
        ],
        ("src/lexical/a.rs", "use tantivy::Index; fn f() { a.iter().zip(b); super::ort::x(); }"),
    );
    // Benches measure beside the library, not through it.
    check(foreign_crates, &rust_files(&["src", "cli", "examples"]));
}

#[test]
fn a_mod_file_is_a_face() {
    can_fail(
        faces,
        &[
            ("src/text/mod.rs", "//! Docs.\nmod a;\nfn f() {}"),
            ("src/text/mod.rs", "//! Docs.\nmod a { fn f() {} }"),
            ("src/text/mod.rs", "//! Docs.\npub const X: u8 = 1;"),
            ("src/text/mod.rs", "mod a;"),
        ],
        (
            "src/text/mod.rs",
            "//! Docs.\n#![x(a = [1])]\nmod a;\npub use a::{B, C};\n#[cfg(test)]\nmod tests;\npub mod d;",
        ),
    );
    check(faces, &rust_files(&["src"]));
}

#[test]
fn unsafe_stands_where_it_is_argued_for() {
    can_fail(
        unsafe_code,
        &[
            ("src/index/a.rs", "// SAFETY: none\nunsafe { f() }"),
            ("src/disk/mapped.rs", "let a = unsafe { f() };"),
        ],
        ("src/disk/mapped.rs", "// SAFETY: it is.\nlet a = unsafe { f() }; // unsafe"),
    );
    check(unsafe_code, &rust_files(ALL));
}

#[test]
fn the_library_does_not_panic_and_does_not_print() {
    can_fail(
        no_panics_no_prints,
        &[
            ("src/text/a.rs", "fn f() { g().unwrap(); }"),
            ("src/text/a.rs", "fn f() { g()\n    .expect(\"x\"); }"),
            ("src/text/a.rs", "#[cfg(test)]\nmod t { }\nfn f() { panic!() }"),
            ("src/text/a.rs", "fn f() { todo!() }"),
            ("src/text/a.rs", "fn f() { println!() }"),
            ("src/text/a.rs", "fn f() { std::dbg!(1) }"),
        ],
        (
            "src/text/a.rs",
            "/// x.unwrap()\nfn f() { g().unwrap_or(1); debug_assert!(true); }\n#[cfg(test)]\nmod t { fn h() { x.unwrap(); } }",
        ),
    );
    check(no_panics_no_prints, &rust_files(&["src"]));
}

#[test]
fn the_library_opens_no_socket() {
    can_fail(
        no_network,
        &[
            ("src/dense/a.rs", "use std::net::TcpStream;"),
            ("src/dense/a.rs", "let x = reqwest::get(url);"),
            ("src/dense/a.rs", "pub async fn f() {}"),
        ],
        ("src/dense/a.rs", "// std::net\nfn f() { let hyperplane = 1; }"),
    );
    check(no_network, &rust_files(&["src"]));
}

#[test]
fn no_test_is_ignored_or_sleeps() {
    can_fail(
        no_ignored_no_sleep,
        &[
            ("tests/it/a.rs", "#[test]\n#[ignore]\nfn f() {}"),
            ("src/text/tests.rs", "#[ignore = \"slow\"]\nfn f() {}"),
            ("tests/it/a.rs", "fn f() { std::thread::sleep(d); }"),
        ],
        ("tests/it/a.rs", "/// ```ignore\nfn f() { let sleep = 1; ignore(sleep); }"),
    );
    check(no_ignored_no_sleep, &rust_files(ALL));
}

#[test]
fn getters_are_named_after_what_they_give() {
    can_fail(
        no_get_prefix,
        &[("src/text/a.rs", "    pub fn get_code(&self) {}")],
        ("src/text/a.rs", "pub fn get(&self) {}\nfn get_x() {}"),
    );
    check(no_get_prefix, &rust_files(&["src"]));
}

#[test]
fn files_are_short_enough_to_be_read() {
    let lines = |n: usize| "//\n".repeat(n);
    can_fail(
        length,
        &[("src/text/a.rs", &lines(401)), ("src/text/tests.rs", &lines(501))],
        ("src/text/tests.rs", &lines(500)),
    );
    check(length, &rust_files(ALL));
}

#[test]
fn nothing_names_the_machine_it_was_written_on() {
    let path = |parts: [&str; 3]| parts.concat();
    let broken =
        [path(["see /tm", "p/x", ""]), path(["\"/ro", "ot\"", ""]), path(["(/wo", "rk/a", ")"])];
    can_fail(
        no_machine_paths,
        &broken.each_ref().map(|text| ("README.md", text.as_str())),
        ("README.md", "work/root/tmp, https://example.org/tmp, $X/tmp, /workshop"),
    );
    check(no_machine_paths, &texts());
}

/// Every text file of the workspace.
fn texts() -> Vec<Source> {
    const KINDS: &[&str] =
        &["rs", "toml", "md", "tsv", "py", "txt", "yml", "yaml", "sh", "lock", "csv", "json"];
    files(root())
        .into_iter()
        .filter(|path| {
            let kind = path.extension().map(|kind| kind.to_string_lossy().into_owned());
            let size = path.metadata().map_or(0, |data| data.len());
            // Files without an ending are scripts and licences; a tokenizer is data.
            kind.is_none_or(|kind| KINDS.contains(&kind.as_str())) && size < 400_000
        })
        .filter_map(|path| {
            let text = std::fs::read_to_string(&path).ok()?;
            Some(Source { path: relative(&path), code: String::new(), text })
        })
        .collect()
}

#[test]
fn every_folder_of_data_says_where_it_comes_from() {
    for folder in ["fixtures", "models"] {
        let mut folders = vec![];
        for entry in std::fs::read_dir(root().join(folder)).expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path);
            }
        }
        assert!(!folders.is_empty(), "{folder} is empty");
        if folder == "fixtures" {
            folders.push(root().join(folder));
        }
        for path in folders {
            let readme = path.join("README.md");
            let text = std::fs::read_to_string(&readme).unwrap_or_default();
            assert!(text.len() > 200, "{} is missing or says nothing", relative(&readme));
        }
    }
}

/// The rows of the table of everyday words that are not as they must be.
fn everyday_breaches(table: &str) -> Vec<String> {
    const KINDS: &[&str] = &["lay", "abbreviation", "word"];
    // ISMP and Joint Commission: never to be resolved.
    const DO_NOT_USE: &[&str] = &["u", "iu", "qd", "qod", "mso4", "mgso4"];
    let mut rows = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let mut found = Vec::new();
    if rows.next() != Some("everyday\tclinical\tkind\tsource") {
        found.push("the header is another one".to_owned());
    }
    let mut seen = BTreeSet::new();
    for row in rows {
        let columns: Vec<&str> = row.split('\t').collect();
        let [everyday, clinical, kind, source] = columns[..] else {
            found.push(format!("{row:?} has {} columns", columns.len()));
            continue;
        };
        let mut refuse = |reason: &str| found.push(format!("{everyday:?}: {reason}"));
        if columns.iter().any(|column| column.trim() != *column || column.is_empty()) {
            refuse("an empty column, or space around one");
        }
        if everyday.to_lowercase() != everyday || clinical.to_lowercase() != clinical {
            refuse("not in lower case");
        }
        if !KINDS.contains(&kind) {
            refuse("of no known kind");
        }
        if !seen.insert(everyday) {
            refuse("there twice");
        }
        if DO_NOT_USE.contains(&everyday) {
            refuse("on the list of abbreviations that are not to be used");
        }
        let senses: BTreeSet<&str> = clinical.split('|').collect();
        if senses.len() != clinical.split('|').count() || senses.contains("") || source.len() < 5 {
            refuse("a sense that is empty or there twice, or no source");
        }
    }
    if seen.len() < 300 {
        found.push(format!("only {} rows", seen.len()));
    }
    found
}

#[test]
fn the_table_of_everyday_words_has_its_columns() {
    let table = std::fs::read_to_string(root().join("src/text/everyday.tsv")).expect("it is there");
    let found = everyday_breaches(&table);
    assert!(found.is_empty(), "{}", found.join("\n"));
    for bad in [
        "flu\tinfluenza\tlay",
        "Flu\tinfluenza\tlay\tgeneral knowledge",
        "flu\tinfluenza\tslang\tgeneral knowledge",
        "flu\tinfluenza|\tlay\tgeneral knowledge",
        "qd\tevery day\tabbreviation\tgeneral knowledge",
        "aaa\tabdominal aortic aneurysm\tabbreviation\tgeneral knowledge",
    ] {
        assert!(!everyday_breaches(&format!("{table}\n{bad}\n")).is_empty(), "{bad} passes");
    }
}
