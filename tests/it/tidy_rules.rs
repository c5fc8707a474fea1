//! The house rules: each takes sources and says where they are broken.

use crate::tidy_source::{Source, is_word, words};

/// A folder of `src/`, its floor, and the folders it may import from.
pub(crate) struct Room {
    pub(crate) folder: &'static str,
    pub(crate) floor: u8,
    pub(crate) imports: &'static [&'static str],
}

const fn room(folder: &'static str, floor: u8, imports: &'static [&'static str]) -> Room {
    Room { folder, floor, imports }
}

/// Imports run down only. `formats` and `index` never meet: the caller pipes one into the other.
pub(crate) const ROOMS: &[Room] = &[
    room("terminology", 1, &[]),
    room("text", 1, &[]),
    room("disk", 1, &[]),
    room("formats", 2, &["terminology"]),
    room("records", 2, &["terminology", "disk"]),
    room("hierarchy", 2, &["terminology", "disk"]),
    room("relations", 2, &["terminology", "disk"]),
    room("lexical", 2, &["terminology", "text", "disk"]),
    room("dense", 2, &["terminology", "disk"]),
    room("fusion", 2, &["terminology", "text"]),
    room("valueset", 2, &["terminology"]),
    room("maps", 2, &["terminology", "disk"]),
    room("eval", 2, &["terminology"]),
    room(
        "index",
        3,
        &[
            "terminology",
            "text",
            "disk",
            "records",
            "hierarchy",
            "relations",
            "lexical",
            "dense",
            "fusion",
            "valueset",
        ],
    ),
    room(
        "catalog",
        4,
        &[
            "terminology",
            "text",
            "disk",
            "records",
            "hierarchy",
            "relations",
            "lexical",
            "dense",
            "fusion",
            "valueset",
            "maps",
            "index",
        ],
    ),
    room("tools", 5, &["terminology", "text", "valueset", "catalog"]),
];

/// Foreign crates and the only folders that name them.
pub(crate) const FOREIGN: &[(&str, &[&str])] = &[
    ("tantivy", &["lexical"]),
    ("ort", &["dense"]),
    ("rten", &["dense"]),
    ("rten_tensor", &["dense"]),
    ("tokenizers", &["dense"]),
    ("ndarray", &["dense"]),
    ("memmap2", &["disk"]),
    ("stable_deref_trait", &["disk"]),
    ("quick_xml", &["formats"]),
    ("zip", &["formats"]),
    ("tar", &["formats"]),
    ("flate2", &["formats"]),
    ("csv", &["formats"]),
    ("bincode", &["records"]),
    ("rust_stemmers", &["text"]),
    ("unicode_normalization", &["text"]),
    ("strsim", &["text"]),
    ("roaring", &["relations", "valueset"]),
    ("regex", &["valueset"]),
    ("winnow", &["valueset"]),
    ("rayon", &["dense", "index"]),
    ("half", &["dense", "index"]),
    ("sha2", &["dense", "index"]),
    ("schemars", &["tools"]),
    ("time", &["tools"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("indicatif", &["cli"]),
    ("rmcp", &["cli", "examples"]),
    ("tokio", &["cli", "examples"]),
    ("tokio_util", &["cli"]),
    ("axum", &["cli"]),
    ("hyper", &["cli"]),
    ("hyper_util", &["cli"]),
    ("tracing", &["cli"]),
    ("tracing_subscriber", &["cli"]),
];

/// The files that may say `unsafe`.
pub(crate) const UNSAFE: &[&str] = &["src/disk/mapped.rs", "src/dense/simd.rs"];

const MAX_LINES: usize = 400;
const MAX_TEST_LINES: usize = 500;

/// One rule: sources in, breaches out.
pub(crate) type Rule = fn(&[Source]) -> Vec<String>;

/// A file imports only from the folders below its own.
pub(crate) fn floors(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources.iter().filter(|s| s.path.starts_with("src/") && s.path != "src/lib.rs") {
        let Some(own) = ROOMS.iter().find(|room| room.folder == source.folder()) else {
            found.push(format!("{}: {:?} has no floor", source.path, source.folder()));
            continue;
        };
        for (at, name) in crate_paths(&source.code) {
            if name != own.folder && !own.imports.contains(&name.as_str()) {
                found.push(format!(
                    "{}: {} may not import crate::{name}",
                    source.at(at),
                    own.folder
                ));
            }
        }
        // Two steps up from a file of a folder is the root, by another name.
        for at in words(&source.code, "super").filter(|at| {
            let inside = source.code[..*at].trim_end().ends_with("use")
                || source.code[..*at].ends_with(['{', ' ', '(', '<', ',', '&']);
            inside && source.code[*at..].starts_with("super::super")
        }) {
            found.push(format!("{}: name the folder with crate::", source.at(at)));
        }
    }
    found
}

/// The first names of all `crate::` paths, also those in braces.
fn crate_paths(code: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for at in words(code, "crate").filter(|at| code[at + 5..].starts_with("::")) {
        let rest = &code[at + 7..];
        if rest.trim_start().starts_with('{') {
            let open = at + 7 + rest.find('{').unwrap_or_default();
            found.extend(group(&code[open + 1..]).into_iter().map(|name| (at, name)));
        } else {
            found.push((at, first_name(rest)));
        }
    }
    found
}

fn first_name(text: &str) -> String {
    text.trim_start().chars().take_while(|c| c.is_ascii() && is_word(*c as u8)).collect()
}

/// The first names of the paths of a group that has just been opened.
fn group(text: &str) -> Vec<String> {
    let (mut depth, mut names, mut item) = (1usize, Vec::new(), String::new());
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || (depth == 1 && c == ',') {
            names.push(first_name(&item));
            item.clear();
            if depth == 0 {
                break;
            }
        } else {
            item.push(c);
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// A foreign crate is named only in its room.
pub(crate) fn foreign_crates(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources {
        for (name, rooms) in FOREIGN {
            if rooms.contains(&source.folder()) {
                continue;
            }
            let named = words(&source.code, name).find(|at| {
                let (before, after) = (&source.code[..*at], &source.code[at + name.len()..]);
                let path = after.starts_with("::") && !before.ends_with(['.', '>'])
                    // A module of ours may have the name of a crate.
                    && (!before.ends_with("::") || before.trim_end_matches(':').ends_with([' ', '\n', '(', '<']));
                path || before.trim_end().ends_with("use") || before.ends_with("extern crate ")
            });
            if let Some(at) = named {
                found.push(format!("{}: {name} belongs in {}", source.at(at), rooms.join(", ")));
            }
        }
    }
    found
}

/// A `mod.rs` and `lib.rs` hold docs, attributes, `mod` and `use`.
pub(crate) fn faces(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources.iter().filter(|s| s.path.starts_with("src/")) {
        if !source.path.ends_with("/mod.rs") && source.path != "src/lib.rs" {
            continue;
        }
        if !source.text.starts_with("//!") {
            found.push(format!("{}: a face begins with its docs", source.path));
        }
        for statement in statements(&source.code) {
            let bare = statement.trim_start_matches("pub(crate) ").trim_start_matches("pub ");
            if !bare.starts_with("mod ") && !bare.starts_with("use ")
                || bare.starts_with("mod") && bare.contains('{')
            {
                found.push(format!("{}: not a face: {statement:?}", source.path));
            }
        }
    }
    found
}

/// What stands between the semicolons, on one line each, without attributes.
fn statements(code: &str) -> Vec<String> {
    let mut without = String::new();
    let mut depth = 0usize;
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        if depth == 0 && (rest.starts_with("#[") || rest.starts_with("#![")) {
            depth = 1;
            rest = &rest[rest.find('[').unwrap_or_default() + 1..];
            continue;
        }
        match c {
            '[' if depth > 0 => depth += 1,
            ']' if depth > 0 => depth -= 1,
            _ if depth == 0 => without.push(c),
            _ => {}
        }
        rest = &rest[c.len_utf8()..];
    }
    without
        .split(';')
        .map(|statement| statement.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|statement| !statement.is_empty())
        .collect()
}

/// `unsafe` stands in its files only, each with its reason.
pub(crate) fn unsafe_code(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources {
        for at in words(&source.code, "unsafe") {
            let lines: Vec<&str> = source.text.get(..at).unwrap_or_default().lines().collect();
            let reason = lines.iter().rev().take(8).any(|line| line.contains("// SAFETY:"));
            if !UNSAFE.contains(&source.path.as_str()) {
                found.push(format!("{}: unsafe has no place here", source.at(at)));
            } else if !reason {
                found.push(format!("{}: unsafe without // SAFETY:", source.at(at)));
            }
        }
    }
    found
}

/// The library neither stops the program nor prints.
pub(crate) fn no_panics_no_prints(sources: &[Source]) -> Vec<String> {
    const CALLS: &[&str] = &[".unwrap()", ".expect(", ".unwrap_err()", ".expect_err("];
    const MACROS: &[&str] = &[
        "panic",
        "todo",
        "unimplemented",
        "unreachable",
        "println",
        "eprintln",
        "print",
        "eprint",
        "dbg",
        "assert",
        "assert_eq",
        "assert_ne",
    ];
    let mut found = Vec::new();
    for source in sources.iter().filter(|s| s.path.starts_with("src/")) {
        let product = source.product();
        for call in CALLS {
            let places = product.match_indices(call).map(|(at, _)| at);
            found.extend(places.map(|at| format!("{}: {call}", source.at(at))));
        }
        for name in MACROS {
            let is_call = |at: &usize| product[at + name.len()..].starts_with('!');
            let places = words(&product, name).filter(is_call);
            found.extend(places.map(|at| format!("{}: {name}!", source.at(at))));
        }
    }
    found
}

/// The library opens no socket and is not asynchronous.
pub(crate) fn no_network(sources: &[Source]) -> Vec<String> {
    const NAMES: &[&str] = &[
        "TcpStream",
        "TcpListener",
        "UdpSocket",
        "UnixStream",
        "UnixListener",
        "reqwest",
        "ureq",
        "hyper",
        "tokio",
        "curl",
        "async",
        "await",
    ];
    let mut found = Vec::new();
    for source in sources.iter().filter(|s| s.path.starts_with("src/")) {
        for name in NAMES {
            found.extend(words(&source.code, name).map(|at| format!("{}: {name}", source.at(at))));
        }
        let nets = source.code.match_indices("std::net").map(|(at, _)| at);
        found.extend(nets.map(|at| format!("{}: std::net", source.at(at))));
    }
    found
}

/// No test is skipped, and none waits for time to pass.
pub(crate) fn no_ignored_no_sleep(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources {
        let ignored = words(&source.code, "ignore").filter(|at| source.code[..*at].ends_with("#["));
        found.extend(ignored.map(|at| format!("{}: #[ignore]", source.at(at))));
        let sleeps =
            words(&source.code, "sleep").filter(|at| source.code[at + 5..].starts_with('('));
        found.extend(sleeps.map(|at| format!("{}: sleep", source.at(at))));
    }
    found
}

/// Getters are named after what they give.
pub(crate) fn no_get_prefix(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources.iter().filter(|s| s.path.starts_with("src/")) {
        let gets = source.code.match_indices("fn get_").map(|(at, _)| at);
        let public = gets.filter(|at| {
            let line = source.code[..*at].rsplit('\n').next().unwrap_or_default();
            line.trim_start().starts_with("pub")
        });
        found.extend(public.map(|at| format!("{}: a getter with get_", source.at(at))));
    }
    found
}

/// A file can be read in one go.
pub(crate) fn length(sources: &[Source]) -> Vec<String> {
    let too_long = |source: &&Source| {
        let tests = source.path.ends_with("tests.rs");
        source.text.lines().count() > if tests { MAX_TEST_LINES } else { MAX_LINES }
    };
    let long = sources.iter().filter(too_long);
    long.map(|source| format!("{}: {} lines", source.path, source.text.lines().count())).collect()
}

/// Nothing names the machine it was written on.
pub(crate) fn no_machine_paths(sources: &[Source]) -> Vec<String> {
    // In pieces, so that this file does not break its own rule.
    let paths =
        [["/wo", "rk"], ["/tm", "p"], ["/ro", "ot"], ["/ho", "me"]].map(|path| path.concat());
    let mut found = Vec::new();
    for source in sources {
        for (nth, line) in source.text.lines().enumerate() {
            for path in &paths {
                let names = line.match_indices(path.as_str()).any(|(at, _)| {
                    let before = at.checked_sub(1).map(|before| line.as_bytes()[before]);
                    let after = line.as_bytes().get(at + path.len()).copied();
                    let starts = before.is_none_or(|b| {
                        !b.is_ascii_alphanumeric()
                            && !matches!(b, b'.' | b'_' | b'-' | b'/' | b'}' | b')')
                    });
                    let whole = after.is_none_or(|b| !is_word(b) && b != b'-');
                    starts && whole
                });
                if names {
                    found.push(format!("{}:{}: names {path}", source.path, nth + 1));
                }
            }
        }
    }
    found
}
