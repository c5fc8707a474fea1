//! MeSH, as NLM publishes it in XML: descriptors, qualifiers and supplementary records.
//!
//! The three kinds come in a file each, and any of them may be given. They are read twice: first
//! for the tree numbers, which say what stands above what, then for the records.
//!
//! What is made of the files beyond their own records:
//! - permuted terms ("Infarction, Myocardial") are left out: they are there for printed indexes;
//! - terms of the preferred concept are synonyms, those of the other concepts of a record are
//!   related names, since they are broader, narrower or merely near;
//! - what is above a descriptor is what its own tree numbers say, see the `mesh_tree` module;
//! - a file of descriptors with gaps deep in its tree is an excerpt, and the release a fragment.

use std::collections::{HashSet, VecDeque};

use crate::terminology::{Code, Concept, Content, Release};

use super::files::{Part, ReleaseFile};
use super::input::{Bytes, Meter};
use super::look::Look;
use super::mesh_record::{Record, RecordKind};
use super::mesh_release::{Head, release};
use super::mesh_tree::Tree;
use super::source::{Progress, Source};
use super::xml::{Node, XmlReader};
use super::{ImportError, ImportErrorKind, ReleaseFiles, Tally};

const REPEATED: &str = "the code is given a second time";
const GAP: &str = "no record has the tree number one level up: put under the next one above";

/// What a file is to this format.
pub(super) fn claim(file: &ReleaseFile, _: &str) -> Option<Part> {
    kind_of(file).map(|_| Part::Release)
}

fn kind_of(file: &ReleaseFile) -> Option<RecordKind> {
    let Look::Xml { root } = &file.look else { return None };
    RecordKind::of_set(root)
}

/// Begins to read.
pub(super) fn open(files: &ReleaseFiles) -> Result<Box<dyn Source>, ImportError> {
    // The order in which the files are given must not matter.
    let mut kinds: Vec<(RecordKind, &ReleaseFile)> =
        files.releases().filter_map(|file| Some((kind_of(file)?, file))).collect();
    kinds.sort_by(|(a, one), (b, other)| a.cmp(b).then_with(|| one.path.cmp(&other.path)));
    let (first, others) = kinds.split_first().ok_or_else(|| files.error(ImportErrorKind::Empty))?;

    let mut tree = Tree::default();
    let head = survey(first.0, first.1, &mut tree)?;
    for (kind, file) in others {
        let other = survey(*kind, file, &mut tree)?;
        head.agrees_with(&other, &file.path)?;
    }
    let is_whole = first.0 == RecordKind::Descriptor && !tree.has_deep_gaps();
    let content = if is_whole { Content::Complete } else { Content::Fragment };
    Ok(Box::new(Mesh {
        waiting: kinds.iter().map(|(kind, file)| (*kind, (*file).clone())).collect(),
        current: None,
        meter: files.meter(),
        release: release(head, content).map_err(|kind| files.error(kind))?,
        ready: tree.categories().collect(),
        tree,
        seen: HashSet::new(),
        tally: Tally::default(),
    }))
}

/// The first reading: what a file says of itself, and its tree numbers.
fn survey(kind: RecordKind, file: &ReleaseFile, tree: &mut Tree) -> Result<Head, ImportError> {
    let mut xml = reader(file, &Meter::default())?;
    let mut head = None;
    let mut code: Option<Code> = None;
    let mut records = 0_u64;
    loop {
        match xml.next()? {
            Node::Start { attributes, .. } => match xml.open() {
                [_] => head = Some(Head::read(&xml, &file.path, &attributes)?),
                [_, element] if element == kind.record() => {
                    records += 1;
                    code = None;
                }
                [_, _] => return Err(xml.misplaced_start()),
                _ => {}
            },
            Node::Text(text) => match xml.open() {
                [_, _, element] if element == kind.code() => code = Code::new(&text).ok(),
                [_, _, list, element] if list == "TreeNumberList" && element == "TreeNumber" => {
                    if let Some(code) = &code {
                        tree.add(code, text.trim());
                    }
                }
                _ => {}
            },
            Node::End => {}
            Node::EndOfFile => break,
        }
    }
    let inside = format!("<{}>", kind.set());
    let element = kind.record_element();
    match head {
        Some(head) if records > 0 => Ok(head),
        _ => Err(xml.error(ImportErrorKind::Missing { element, inside })),
    }
}

fn reader(file: &ReleaseFile, meter: &Meter) -> Result<XmlReader<Bytes>, ImportError> {
    let input = file.open(meter)?;
    Ok(XmlReader::new(input.path, input.reader))
}

/// A release being read.
struct Mesh {
    /// The files that were not begun.
    waiting: VecDeque<(RecordKind, ReleaseFile)>,
    current: Option<Records>,
    meter: Meter,
    release: Release,
    tree: Tree,
    /// Concepts to be given out before the next record.
    ready: VecDeque<Concept>,
    seen: HashSet<Code>,
    tally: Tally,
}

/// One file of records being read.
struct Records {
    file: ReleaseFile,
    kind: RecordKind,
    xml: XmlReader<Bytes>,
    /// BCP 47 language of its terms where they do not say otherwise.
    language: String,
}

impl Records {
    fn open(kind: RecordKind, file: ReleaseFile, meter: &Meter) -> Result<Self, ImportError> {
        let xml = reader(&file, meter)?;
        Ok(Self { file, kind, xml, language: String::new() })
    }

    /// The next record and the line in which it begins.
    fn next(&mut self) -> Result<Option<(Record, u64)>, ImportError> {
        loop {
            match self.xml.next()? {
                Node::Start { attributes, .. } => match self.xml.open() {
                    [_] => {
                        self.language =
                            Head::read(&self.xml, &self.file.path, &attributes)?.language;
                    }
                    _ => {
                        let line = self.xml.line();
                        return Ok(Some((self.record(&attributes)?, line)));
                    }
                },
                Node::Text(text) => {
                    let shown: String = text.trim().chars().take(40).collect();
                    return Err(self.xml.misplaced(format!("the text {shown:?}")));
                }
                Node::End => {}
                Node::EndOfFile => return Ok(None),
            }
        }
    }

    /// Reads the rest of a record.
    fn record(&mut self, attributes: &[(String, String)]) -> Result<Record, ImportError> {
        let mut record = Record::new(self.kind, &self.language, attributes);
        loop {
            match self.xml.next()? {
                Node::Start { attributes, .. } => {
                    record.begin(inner(self.xml.open()), &attributes);
                }
                Node::Text(text) => record.take(inner(self.xml.open()), &text),
                Node::End if self.xml.open().len() < 2 => return Ok(record),
                Node::End => {}
                Node::EndOfFile => return Ok(record),
            }
        }
    }
}

/// The elements within the record.
fn inner(open: &[String]) -> &[String] {
    open.get(2..).unwrap_or_default()
}

impl Mesh {
    /// The next concept, or `None` after the last.
    fn step(&mut self) -> Result<Option<Concept>, ImportError> {
        loop {
            if let Some(concept) = self.ready.pop_front() {
                self.tally.read("categories");
                return Ok(Some(concept));
            }
            let Some(records) = &mut self.current else {
                match self.waiting.pop_front() {
                    Some((kind, file)) => {
                        self.current = Some(Records::open(kind, file, &self.meter)?);
                        continue;
                    }
                    None => return Ok(None),
                }
            };
            let Some((record, line)) = records.next()? else {
                self.current = None;
                continue;
            };
            let mut concept = record.concept().map_err(|kind| records.xml.error_at(line, kind))?;
            let path = &records.file.path;
            if !self.seen.insert(concept.code.clone()) {
                self.tally.leave_out(REPEATED, path, line, concept.code.as_str());
                continue;
            }
            self.tally.read(records.kind.plural());
            let above = self.tree.above(&concept.code);
            for number in above.gaps {
                let text = format!("{} {number}", concept.code);
                self.tally.leave_out(GAP, path, line, &text);
            }
            concept.parents = above.parents;
            concept.ancestors = above.ancestors;
            return Ok(Some(concept));
        }
    }
}

impl Iterator for Mesh {
    type Item = Result<Concept, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}

impl Source for Mesh {
    fn release(&self) -> &Release {
        &self.release
    }

    fn progress(&self) -> Progress {
        self.meter.progress()
    }

    fn tally(&self) -> Tally {
        self.tally.clone()
    }
}
