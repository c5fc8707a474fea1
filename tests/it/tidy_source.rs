//! Source files as the house rules see them.

use std::path::{Path, PathBuf};

/// One file of the workspace.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// Its path from the root of the workspace, with `/`.
    pub(crate) path: String,
    /// Its text.
    pub(crate) text: String,
    /// The same lines with comments and the insides of literals blanked.
    pub(crate) code: String,
}

impl Source {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned(), code: blank(text) }
    }

    /// `src/index/builder.rs` is in `index`, `cli/src/main.rs` in `cli`.
    pub(crate) fn folder(&self) -> &str {
        let mut parts = self.path.split('/');
        match (parts.next(), parts.next()) {
            (Some("src"), Some(folder)) => folder,
            (Some(first), _) => first,
            (None, _) => "",
        }
    }

    /// Whether everything in it is compiled for tests only.
    pub(crate) fn is_test_file(&self) -> bool {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        name.ends_with("tests.rs")
            || self.path.starts_with("tests/")
            || self.path.contains("/tests/")
    }

    /// The code that is compiled into the product: without what is under `#[cfg(test)]`.
    pub(crate) fn product(&self) -> String {
        if self.is_test_file() { String::new() } else { without_tests(&self.code) }
    }

    /// `path:line`, for a place in `code` or `text`.
    pub(crate) fn at(&self, offset: usize) -> String {
        let line = self.code.as_bytes()[..offset.min(self.code.len())]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        format!("{}:{}", self.path, line + 1)
    }
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Rust files below these folders, sorted.
pub(crate) fn rust_files(folders: &[&str]) -> Vec<Source> {
    let mut sources: Vec<Source> = folders
        .iter()
        .flat_map(|folder| files(&root().join(folder)))
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("source is UTF-8");
            Source::new(&relative(&path), &text)
        })
        .collect();
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

pub(crate) fn relative(path: &Path) -> String {
    let path = path.strip_prefix(root()).expect("the file is in the workspace");
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// Every file below a folder; without what is built or fetched, and without hidden folders but CI.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    for entry in entries {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "target" && (!name.starts_with('.') || name == ".ci") {
                found.extend(files(&path));
            }
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Blanks comments and the insides of string and character literals; every line stays where it is
/// and as long as it is.
pub(crate) fn blank(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'/' if bytes[at..].starts_with(b"//") => until(bytes, at, b"\n"),
            b'/' if bytes[at..].starts_with(b"/*") => block_comment(bytes, at),
            b'"' => string(bytes, at + 1),
            b'r' | b'b' if !follows_word(bytes, at) => match raw_string(bytes, at) {
                Some(end) => end,
                None => {
                    at += 1;
                    continue;
                }
            },
            b'\'' => match character(bytes, at) {
                Some(end) => end,
                None => {
                    at += 1;
                    continue;
                }
            },
            _ => {
                at += 1;
                continue;
            }
        };
        for byte in &mut out[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end;
    }
    String::from_utf8(out).expect("only whole literals were blanked")
}

fn follows_word(bytes: &[u8], at: usize) -> bool {
    at > 0 && is_word(bytes[at - 1])
}

fn until(bytes: &[u8], from: usize, end: &[u8]) -> usize {
    let found = bytes[from..].windows(end.len()).position(|window| window == end);
    found.map_or(bytes.len(), |found| from + found)
}

fn block_comment(bytes: &[u8], from: usize) -> usize {
    let (mut at, mut depth) = (from, 0);
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if bytes[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    bytes.len()
}

fn string(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The end of `r"…"`, `r#"…"#`, `b"…"` or `br"…"` that begins here.
fn raw_string(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    if bytes[at] == b'b' {
        at += 1;
    }
    if bytes.get(at) == Some(&b'"') {
        return Some(string(bytes, at + 1));
    }
    if bytes.get(at) != Some(&b'r') {
        return None;
    }
    let hashes = bytes[at + 1..].iter().take_while(|byte| **byte == b'#').count();
    at += 1 + hashes;
    if bytes.get(at) != Some(&b'"') {
        return None;
    }
    let mut end = vec![b'"'];
    end.extend(std::iter::repeat_n(b'#', hashes));
    Some((until(bytes, at + 1, &end) + end.len()).min(bytes.len()))
}

/// The end of a character literal; a lifetime is none.
fn character(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = std::str::from_utf8(&bytes[from + 1..]).ok()?;
    let first = rest.chars().next()?;
    if first == '\\' {
        let close = rest[2..].find('\'')?;
        return Some(from + 1 + 2 + close + 1);
    }
    let after = from + 1 + first.len_utf8();
    (bytes.get(after) == Some(&b'\'')).then_some(after + 1)
}

/// Blanks every item under `#[cfg(test)]`.
fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut out = code.to_owned();
    let mut from = 0;
    while let Some(found) = out[from..].find(MARK) {
        let start = from + found;
        let end = item_end(out.as_bytes(), start + MARK.len());
        let blanked: String =
            out[start..end].chars().map(|c| if c == '\n' { c } else { ' ' }).collect();
        out.replace_range(start..end, &blanked);
        from = start;
        if blanked.is_empty() {
            break;
        }
    }
    out
}

/// Where the item that begins here ends: at its `;`, or at the brace that closes its body.
fn item_end(bytes: &[u8], from: usize) -> usize {
    let mut depth = 0usize;
    for (at, byte) in bytes.iter().enumerate().skip(from) {
        match byte {
            b';' if depth == 0 => return at + 1,
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    bytes.len()
}

pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The places in `code` where this word stands alone.
pub(crate) fn words<'c>(code: &'c str, word: &'c str) -> impl Iterator<Item = usize> + 'c {
    code.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let bytes = code.as_bytes();
        let before = at.checked_sub(1).is_none_or(|before| !is_word(bytes[before]));
        let after = bytes.get(at + word.len()).is_none_or(|after| !is_word(*after));
        before && after
    })
}

#[test]
fn comments_and_literals_are_no_code() {
    let code = blank(concat!(
        "let a = \"panic!\"; // unsafe\n/* todo! /* nested */ */ let b = 'x';\n",
        "let c = r#\"dbg!(\"x\")\"#; fn f<'a>(x: &'a str) {} let d = '\\''; let e = b\"unsafe\";",
    ));
    for word in ["panic", "unsafe", "todo", "nested", "dbg"] {
        assert!(!code.contains(word), "{word} is still in {code:?}");
    }
    for word in ["let a", "let b", "let c", "fn f<'a>", "&'a str", "let d", "let e"] {
        assert!(code.contains(word), "{word} is not in {code:?}");
    }
    let product =
        Source::new("src/x/a.rs", "fn a() {}\n#[cfg(test)]\nmod t { fn b() {} }\nfn c() {}");
    assert!(product.product().contains("fn a") && product.product().contains("fn c"));
    assert!(!product.product().contains("fn b"));
}
