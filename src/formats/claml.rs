//! Classifications in ClaML 2.0 and 3.0 (CEN 14463): ICD-10 of WHO, its national editions, ICF.
//!
//! The file is read twice: first for what it says of itself, for its modifiers and what is above
//! what, then for the classes. What is made of them:
//! - the preferred rubric is the display, a long one a synonym, inclusions are inclusion terms, with
//!   a term for each entry of a list (see the `claml_label` module); labels in other languages are
//!   names in these;
//! - exclusions are `excludes`, with the codes they refer to; the definition is the definition; all
//!   other rubrics, such as coding hints and introductions, are notes, where they are in the
//!   language of the release;
//! - chapters and blocks are no codes to choose;
//! - daggers and asterisks are the property `usage`, and the other half of the pair `reference`;
//! - modifiers are multiplied: see the `claml_modifiers` module. What is made is named by the class
//!   and the modifier class with a comma between them;
//! - metadata of a class are text properties by their names.
//!
//! The terminology is told by the object identifier or the name in the title; one that is not known
//! here is named by its object identifier, else `urn:medterm:` with its alias.

use std::collections::{HashSet, VecDeque};

use crate::terminology::{Code, Concept, Release};

use super::claml_class::read_class;
use super::claml_concept::{concept, is_grouper};
use super::claml_head::Head;
use super::claml_modifiers::Modifiers;
use super::files::{Part, ReleaseFile};
use super::input::{Bytes, Meter};
use super::look::Look;
use super::source::{Progress, Source};
use super::xml::{Node, XmlReader};
use super::{ImportError, ImportErrorKind, ReleaseFiles, Tally};

const ROOT: &str = "ClaML";
const CLASS: &str = "Class";
const MODIFIER_CLASS: &str = "ModifierClass";

const REPEATED: &str = "the code is given a second time";
const UNKNOWN_MODIFIER: &str = "the class is modified by what the file does not have";
const TOO_MANY: &str = "the modifiers of the class make more codes than any classification has";

/// What a file is to this format.
pub(super) fn claim(file: &ReleaseFile, _: &str) -> Option<Part> {
    matches!(&file.look, Look::Xml { root } if root == ROOT).then_some(Part::Release)
}

/// Begins to read.
pub(super) fn open(files: &ReleaseFiles) -> Result<Box<dyn Source>, ImportError> {
    let file = files.main()?.clone();
    let (head, modifiers) = survey(&file)?;
    let meter = files.meter();
    let xml = reader(&file, &meter)?;
    Ok(Box::new(Claml {
        release: head.release(&file.path)?,
        file,
        xml,
        meter,
        modifiers,
        ready: VecDeque::new(),
        seen: HashSet::new(),
        tally: Tally::default(),
    }))
}

/// The first reading.
fn survey(file: &ReleaseFile) -> Result<(Head, Modifiers), ImportError> {
    let mut xml = reader(file, &Meter::default())?;
    let mut head = Head::default();
    let mut modifiers = Modifiers::default();
    let (mut has_classes, mut has_title) = (false, false);
    loop {
        match xml.next()? {
            Node::Start { name, attributes } if xml.open().len() == 2 => match name.as_str() {
                CLASS => {
                    let class = read_class(&mut xml, &attributes)?;
                    has_classes = true;
                    head.has_chapters |= class.kind.as_deref() == Some("chapter");
                    for rubric in &class.rubrics {
                        head.take_language(rubric.label.language.as_deref());
                    }
                    modifiers.add_class(class);
                }
                MODIFIER_CLASS => {
                    let class = read_class(&mut xml, &attributes)?;
                    let modifier = class.modifier.clone().ok_or_else(|| {
                        let inside = format!("<{MODIFIER_CLASS}> {}", class.code);
                        let element = "modifier";
                        xml.error_at(class.line, ImportErrorKind::Missing { element, inside })
                    })?;
                    modifiers.add_modifier_class(&modifier, class);
                }
                _ => {
                    has_title |= name == "Title";
                    head.begin(&name, &attributes);
                }
            },
            Node::Text(text) => {
                if matches!(xml.open(), [_, element] if element == "Title") {
                    head.take_title(&text);
                }
            }
            Node::Start { .. } | Node::End => {}
            Node::EndOfFile => break,
        }
    }
    let missing = |element| {
        let inside = format!("<{ROOT}>");
        Err(xml.error(ImportErrorKind::Missing { element, inside }))
    };
    match (has_title, has_classes) {
        (false, _) => missing("<Title>"),
        (_, false) => missing("<Class>"),
        _ => Ok((head, modifiers)),
    }
}

fn reader(file: &ReleaseFile, meter: &Meter) -> Result<XmlReader<Bytes>, ImportError> {
    let input = file.open(meter)?;
    Ok(XmlReader::new(input.path, input.reader))
}

/// A release being read.
struct Claml {
    release: Release,
    file: ReleaseFile,
    xml: XmlReader<Bytes>,
    meter: Meter,
    modifiers: Modifiers,
    /// Concepts to be given out before the next class.
    ready: VecDeque<(Concept, u64)>,
    seen: HashSet<Code>,
    tally: Tally,
}

impl Claml {
    /// The next concept, or `None` after the last.
    fn step(&mut self) -> Result<Option<Concept>, ImportError> {
        loop {
            if let Some((concept, line)) = self.ready.pop_front() {
                if self.is_new(&concept.code, line) {
                    self.tally.read("codes made with modifiers");
                    return Ok(Some(concept));
                }
                continue;
            }
            match self.xml.next()? {
                Node::Start { name, attributes } if name == CLASS && self.xml.open().len() == 2 => {
                    if let Some(concept) = self.class(&attributes)? {
                        return Ok(Some(concept));
                    }
                }
                Node::EndOfFile => return Ok(None),
                Node::Start { .. } | Node::End | Node::Text(_) => {}
            }
        }
    }

    /// Reads the rest of a class and makes ready what its modifiers make of it.
    fn class(&mut self, attributes: &[(String, String)]) -> Result<Option<Concept>, ImportError> {
        let class = read_class(&mut self.xml, attributes)?;
        let fail = |kind| ImportError::new(&self.file.path, Some(class.line), kind);
        let mut concept = concept(&class, &self.release.language).map_err(fail)?;
        if !self.is_new(&concept.code, class.line) {
            return Ok(None);
        }
        let above = self.modifiers.above(&class.code).iter();
        concept.parents = above.filter_map(|code| Code::new(code).ok()).collect();
        concept.parents.dedup();
        let kind = class.kind.as_deref().unwrap_or("category");
        self.tally.read(match kind {
            "chapter" => "chapters",
            "block" => "blocks",
            "category" => "categories",
            _ => "other classes",
        });
        if !is_grouper(kind) {
            let made = self.modifiers.apply(&concept, &self.release.language);
            let path = &self.file.path;
            for unknown in made.unknown {
                let text = format!("{} {unknown}", class.code);
                self.tally.leave_out(UNKNOWN_MODIFIER, path, class.line, &text);
            }
            if made.is_cut {
                self.tally.leave_out(TOO_MANY, path, class.line, &class.code);
            }
            self.ready.extend(made.concepts.into_iter().map(|one| (one, class.line)));
        }
        Ok(Some(concept))
    }

    /// Whether a code comes for the first time; else it is counted.
    fn is_new(&mut self, code: &Code, line: u64) -> bool {
        let is_new = self.seen.insert(code.clone());
        if !is_new {
            self.tally.leave_out(REPEATED, &self.file.path, line, code.as_str());
        }
        is_new
    }
}

impl Iterator for Claml {
    type Item = Result<Concept, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}

impl Source for Claml {
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
