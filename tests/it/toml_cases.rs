//! Reads the little of TOML that the golden files use: tables in an array, texts, lists of texts.

use std::collections::BTreeMap;

/// One `[[case]]`: its keys, each with its texts.
pub(crate) type Case = BTreeMap<String, Vec<String>>;

/// Reads every case of a golden file; anything it does not know is refused with its line.
pub(crate) fn read(text: &str) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = Vec::new();
    for (nth, line) in text.lines().enumerate() {
        let line = line.trim();
        let refuse = |reason: &str| Err(format!("line {}: {reason}: {line}", nth + 1));
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if line == "[[case]]" {
            cases.push(Case::new());
            continue;
        }
        let Some((key, value)) = line.split_once(" = ") else { return refuse("no key and value") };
        let Some(case) = cases.last_mut() else { return refuse("before the first case") };
        let Some(values) = texts(value) else { return refuse("neither a text nor texts") };
        if case.insert(key.to_owned(), values).is_some() {
            return refuse("a second time");
        }
    }
    Ok(cases)
}

/// `"a"` or `["a", "b"]`.
fn texts(value: &str) -> Option<Vec<String>> {
    let Some(list) = value.strip_prefix('[') else { return Some(vec![text(value)?]) };
    let list = list.strip_suffix(']')?.trim();
    if list.is_empty() {
        return Some(Vec::new());
    }
    list.split(", ").map(text).collect()
}

fn text(value: &str) -> Option<String> {
    let inside = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    (!inside.contains(['"', '\\'])).then(|| inside.to_owned())
}

#[test]
fn golden_files_are_read_or_refused() {
    let cases =
        read("# x\n[[case]]\nquery = \"a, b\"\ncodes = [\"A\", \"B*\"]\nnone = []\n\n[[case]]")
            .expect("it is one");
    assert_eq!(cases.len(), 2);
    assert_eq!(cases[0]["query"], ["a, b"]);
    assert_eq!(cases[0]["codes"], ["A", "B*"]);
    assert!(cases[0]["none"].is_empty());
    for bad in [
        "query = \"a\"",
        "[[case]]\nquery = a",
        "[[case]]\nquery",
        "[[case]]\na = \"b\"\na = \"b\"",
    ] {
        assert!(read(bad).is_err(), "{bad} passes");
    }
}
