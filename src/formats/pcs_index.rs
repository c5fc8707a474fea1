//! The XML index of ICD-10-PCS: the words people use for procedures, devices and body parts.
//!
//! `mainTerm` and the `term` elements below it have a `title` each and lead on: to a whole code
//! (`code`), to the beginning of codes (`codes`, `tab`), by themselves or in a `see`; or to another
//! word for a value of an axis (`use`). The titles down to an entry are its path, which names all
//! codes that begin so: where these are few, for a word that stands for hundreds of codes tells
//! none of them.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use crate::terminology::{Designation, DesignationUse};

use super::pcs_group::Coded;
use super::pcs_xml::{INDEX_ROOT, PcsXml, read_version, text};
use super::xml::{Node, collapsed};
use super::{ImportError, Tally};

/// The entries of the index by the characters they lead to.
#[derive(Debug, Default)]
pub(super) struct Index {
    source: String,
    path: PathBuf,
    by_prefix: BTreeMap<String, Vec<Entry>>,
    /// Other words for the values of axes, by the value.
    uses: HashMap<String, Vec<String>>,
}

#[derive(Debug, Clone)]
struct Entry {
    name: String,
    line: u64,
    is_used: bool,
}

/// One reference out of an entry.
struct Target {
    prefix: String,
    /// What the entry says to look for there: "Resection, Appendix".
    see: String,
}

/// A beginning of codes that is shorter names a whole table.
const SHORTEST: usize = 4;
/// The most codes that a name of the index is given to.
const MOST_CODES: usize = 30;

const WHOLE_TABLE: &str = "the index leads to a whole table, not to a body part";
const TOO_MANY: &str = "the index leads to more than 30 codes";
const NO_CODE: &str = "the index leads to codes that the release does not have";

impl Index {
    /// The names of each of these codes, which have their first four characters in common.
    pub(super) fn names(&mut self, codes: &[Coded], tally: &mut Tally) -> Vec<Vec<Designation>> {
        let mut names = vec![Vec::new(); codes.len()];
        let Some(group) = codes.first().and_then(|one| one.code.get(..SHORTEST)) else {
            return names;
        };
        let below = self.by_prefix.range_mut(group.to_owned()..);
        for (prefix, entries) in below.take_while(|(prefix, _)| prefix.starts_with(group)) {
            let fits = |coded: &Coded| coded.code.starts_with(prefix.as_str());
            let count = codes.iter().filter(|coded| fits(coded)).count();
            for entry in entries.iter_mut().filter(|_| count > 0) {
                entry.is_used = true;
                if count > MOST_CODES {
                    tally.leave_out(TOO_MANY, &self.path, entry.line, &entry.name);
                    continue;
                }
                for (names, _) in names.iter_mut().zip(codes).filter(|(_, coded)| fits(coded)) {
                    let name = Designation::new("en", DesignationUse::Index, entry.name.as_str());
                    names.push(name.from_source(&self.source));
                    tally.read("added names");
                }
            }
        }
        names
    }

    /// Other words for a value of an axis.
    pub(super) fn uses(&self, value: &str) -> &[String] {
        self.uses.get(value).map(Vec::as_slice).unwrap_or_default()
    }

    /// Notes the entries that no code was found for.
    pub(super) fn end(&mut self, tally: &mut Tally) {
        for (prefix, entries) in std::mem::take(&mut self.by_prefix) {
            for entry in entries.into_iter().filter(|entry| !entry.is_used) {
                let text = format!("{prefix} {}", entry.name);
                tally.leave_out(NO_CODE, &self.path, entry.line, &text);
            }
        }
    }

    /// Takes an entry: its path, and where it leads. With one place to go the path is the name of
    /// what is there; with several the name says which.
    fn take(&mut self, path: &str, targets: &[Target], line: u64, tally: &mut Tally) {
        let mut places: Vec<&str> = targets.iter().map(|one| one.see.as_str()).collect();
        places.dedup();
        for target in targets {
            if target.prefix.len() < SHORTEST {
                tally.leave_out(WHOLE_TABLE, &self.path, line, path);
                continue;
            }
            let name = match target.see.as_str() {
                see if places.len() > 1 && !see.is_empty() => format!("{path}, {see}"),
                _ => path.to_owned(),
            };
            let entries = self.by_prefix.entry(target.prefix.clone()).or_default();
            if entries.iter().all(|other| other.name != name) {
                entries.push(Entry { name, line, is_used: false });
            }
        }
    }
}

/// A main term or a term below it that is being read.
#[derive(Default)]
struct Level {
    title: String,
    targets: Vec<Target>,
}

/// Reads the whole file.
pub(super) fn read_index(
    xml: &mut PcsXml,
    path: &Path,
    tally: &mut Tally,
) -> Result<Index, ImportError> {
    let version = read_version(xml, INDEX_ROOT)?;
    let source = format!("ICD-10-PCS index {version}");
    let mut index = Index { source, path: path.to_owned(), ..Index::default() };
    let mut levels: Vec<Level> = Vec::new();
    // Elements around the place of reading, below the root, and whether each is a term.
    let mut open: Vec<bool> = Vec::new();
    loop {
        match xml.next()? {
            Node::Start { name, .. } => match (name.as_str(), levels.last_mut()) {
                ("mainTerm" | "term", _) => {
                    levels.push(Level::default());
                    open.push(true);
                }
                ("title", Some(level)) => level.title = text(xml)?,
                ("code" | "codes" | "tab", Some(level)) => {
                    let prefixes = text(xml)?;
                    level.targets.extend(targets(&prefixes, ""));
                }
                ("see" | "seeAlso", Some(level)) => level.targets.extend(see(xml)?),
                ("use", Some(level)) => {
                    let title = level.title.clone();
                    let value = text(xml)?;
                    tally.read("other words for axes");
                    index.uses.entry(value).or_default().push(title);
                }
                _ => open.push(false),
            },
            Node::End => {
                if open.pop() == Some(true) {
                    let titles: Vec<&str> =
                        levels.iter().map(|level| level.title.as_str()).collect();
                    let path = titles.join(", ");
                    if let Some(level) = levels.pop() {
                        tally.read("index terms");
                        index.take(&path, &level.targets, xml.line(), tally);
                    }
                }
            }
            Node::Text(_) => {}
            Node::EndOfFile => return Ok(index),
        }
    }
}

/// Reads the inside of a `see`: words, and the codes they lead to, if it says them.
fn see(xml: &mut PcsXml) -> Result<Vec<Target>, ImportError> {
    let (mut words, mut prefixes) = (String::new(), Vec::new());
    loop {
        match xml.next()? {
            Node::Text(piece) => {
                words.push_str(if words.is_empty() { "" } else { " " });
                words.push_str(&collapsed(&piece));
            }
            Node::Start { .. } => prefixes.push(text(xml)?),
            Node::End | Node::EndOfFile => break,
        }
    }
    Ok(prefixes.iter().flat_map(|prefix| targets(prefix, &words)).collect())
}

/// The beginnings of codes in a text such as `0DBJ` or `0DB, 0DT`.
fn targets(text: &str, see: &str) -> Vec<Target> {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|prefix| (1..=7).contains(&prefix.len()))
        .map(|prefix| Target { prefix: prefix.to_owned(), see: see.to_owned() })
        .collect()
}
