//! The tabular list of ICD-10-CM, as NCHS and CMS publish it in XML.
//!
//! Chapters hold blocks (`section`), blocks hold categories, and `diag` elements nest down to the
//! codes. What belongs to an element itself stands before the elements below it, so a concept is
//! given out as soon as the first one below it begins. In the order of the file, which is not code
//! order: C4A stands after C43, C7A after C75.
//!
//! What is made of the file beyond its own elements:
//! - codes with a 7th character, which it defines by rule: see the `seventh` module;
//! - a block that is a single category (B20, C7A, 39 of them) is one concept with it, the category:
//!   its notes stand before the category's own, and the category hangs under the chapter;
//! - the range at the end of a chapter's or block's name is left out of its display;
//! - an element that is not known here becomes a note, its texts joined by `; `, so that nothing
//!   is lost: in H54 that is the table of visual acuity.

use std::collections::{HashSet, VecDeque};
use std::io::Read;

use crate::terminology::{Code, Concept, Property, Release, property};

use super::file_date::date_in_name;
use super::files::{Part, ReleaseFile};
use super::input::{Input, Meter};
use super::look::Look;
use super::seventh::{Definition, seventh_character};
use super::source::{Progress, Source};
use super::tabular_head::{read_version, release};
use super::tabular_level::{Below, Level, Rank, State};
use super::xml::{Node, XmlReader, collapsed};
use super::{ImportError, ImportErrorKind, ReleaseFiles, Tally, cms_index};

/// The root element.
pub(super) const ROOT: &str = "ICD10CM.tabular";

/// What a file is to this format.
pub(super) fn claim(file: &ReleaseFile, _: &str) -> Option<Part> {
    let Look::Xml { root } = &file.look else { return None };
    match root.as_str() {
        ROOT => Some(Part::Release),
        _ => cms_index::is_index(file).then_some(Part::Companion),
    }
}

/// Begins to read.
pub(super) fn open(files: &ReleaseFiles) -> Result<Box<dyn Source>, ImportError> {
    let meter = files.meter();
    let list = CmsTabular::open(files.main()?.open(&meter)?)?;
    cms_index::attach_to(Box::new(list), files, &meter)
}

/// A tabular list being read.
struct CmsTabular {
    xml: XmlReader<Box<dyn Read + Send>>,
    meter: Meter,
    release: Release,
    /// The elements around the place of reading, the chapter first: never more than a dozen.
    levels: Vec<Level>,
    /// Concepts read and not yet given out: at most one code, its block and its 7th characters.
    ready: VecDeque<Concept>,
    /// Every code given out, to find repeats: 8 bytes a code, which holds the longest.
    seen: HashSet<[u8; 8]>,
    /// The blocks of the chapter given out so far: some stand for a range of later ones.
    blocks: Vec<Code>,
    is_done: bool,
}

/// One element within an own element of a level, such as a note.
struct Item {
    element: String,
    character: Option<String>,
    text: String,
    /// It begins with a tab: it goes on with the line before.
    is_continued: bool,
}

impl CmsTabular {
    /// Reads the head of the list.
    fn open(input: Input) -> Result<Self, ImportError> {
        let date = input
            .path
            .file_name()
            .and_then(|name| date_in_name(&name.to_string_lossy()))
            .or_else(|| date_in_name(&input.path.parent()?.file_name()?.to_string_lossy()));
        let mut xml = XmlReader::new(input.path, input.reader);
        let version = read_version(&mut xml)?;
        let release = release(version, date).map_err(|kind| xml.error(kind))?;
        Ok(Self {
            xml,
            meter: input.meter,
            release,
            levels: Vec::new(),
            ready: VecDeque::new(),
            seen: HashSet::new(),
            blocks: Vec::new(),
            is_done: false,
        })
    }

    /// Reads on by one element.
    fn step(&mut self) -> Result<(), ImportError> {
        match self.xml.next()? {
            Node::Start { name, attributes } => match Rank::of(&name) {
                Some(rank) => self.begin(rank, &attributes),
                None if self.levels.is_empty() => self.own_items().map(drop),
                None => self.own_element(&name),
            },
            Node::End => self.end(),
            Node::Text(text) => {
                let shown: String = text.trim().chars().take(40).collect();
                Err(self.xml.misplaced(format!("the text {shown:?}")))
            }
            Node::EndOfFile => self.finish(),
        }
    }

    /// A chapter, block or code begins: the one around it has everything of its own.
    fn begin(&mut self, rank: Rank, attributes: &[(String, String)]) -> Result<(), ImportError> {
        let outer = self.levels.last().map(|level| level.rank);
        if !rank.fits_in(outer) {
            return Err(self.xml.misplaced_start());
        }
        if let Some(level) = self.levels.last_mut() {
            level.is_complete = true;
            // A block waits for its first category, which may be the same concept.
            if level.rank != Rank::Block {
                self.give(Below::Codes)?;
            }
        }
        let seventh = self.levels.last().map(|level| level.seventh.clone()).unwrap_or_default();
        let mut level = Level::new(rank, self.xml.line(), seventh);
        if rank == Rank::Block {
            let id = attributes.iter().find(|(name, _)| name == "id");
            level.name = id.map(|(_, value)| value.trim().to_owned()).unwrap_or_default();
        }
        self.levels.push(level);
        Ok(())
    }

    /// A chapter, block or code ends.
    fn end(&mut self) -> Result<(), ImportError> {
        self.give(Below::Nothing)?;
        self.levels.pop();
        Ok(())
    }

    fn finish(&mut self) -> Result<(), ImportError> {
        self.is_done = true;
        if self.seen.is_empty() {
            let inside = format!("<{ROOT}>");
            return Err(self.xml.error(ImportErrorKind::Missing { element: "<chapter>", inside }));
        }
        Ok(())
    }

    /// Reads an element that says something about the innermost level.
    fn own_element(&mut self, element: &str) -> Result<(), ImportError> {
        let items = self.own_items()?;
        let Some(level) = self.levels.last_mut() else { return Ok(()) };
        let misplaced = level.is_complete
            || (element == "name" && (!level.name.is_empty() || level.rank == Rank::Block))
            || (element == "desc" && level.title.is_some());
        if misplaced {
            let element = format!("another <{element}>");
            return Err(self.xml.misplaced(element));
        }
        let property = match element {
            "name" => {
                level.name = joined(items);
                level.line = self.xml.line();
                return Ok(());
            }
            "desc" => {
                level.title = Some(joined(items)).filter(|title| !title.is_empty());
                return Ok(());
            }
            "inclusionTerm" => {
                for item in items {
                    level.include(item.text);
                }
                return Ok(());
            }
            "sevenChrDef" => return self.define(items),
            "sectionIndex" => return Ok(()),
            "includes" => property::INCLUDES,
            "excludes1" => property::EXCLUDES1,
            "excludes2" => property::EXCLUDES2,
            "codeFirst" => property::CODE_FIRST,
            "useAdditionalCode" => property::USE_ADDITIONAL_CODE,
            "codeAlso" => property::CODE_ALSO,
            "sevenChrNote" => property::SEVENTH_CHARACTER_NOTE,
            "notes" => property::NOTE,
            _ => {
                let text = joined(items);
                if !text.is_empty() {
                    level.properties.push(Property::text(property::NOTE, text));
                }
                return Ok(());
            }
        };
        for item in items {
            if property == property::NOTE {
                level.seventh.except(&item.text);
            } else if property == property::INCLUDES {
                level.relate(&item.text);
            }
            level.properties.push(Property::text(property, item.text));
        }
        Ok(())
    }

    /// Takes a `sevenChrDef`: its extensions, and notes between them. A note that begins with a tab
    /// goes on with the label before it ("initial encounter for open fracture NOS"); any other is
    /// an inclusion term of the code that states the definition ("Fall from stool").
    fn define(&mut self, items: Vec<Item>) -> Result<(), ImportError> {
        let mut definition = Definition::default();
        let Some(level) = self.levels.last_mut() else { return Ok(()) };
        for item in items {
            if item.element != "extension" {
                if !item.is_continued || !definition.also(item.text.clone()) {
                    level.include(item.text);
                }
                continue;
            }
            let inside = || format!("<extension> of {}", level.name);
            let Some(character) = item.character else {
                let kind = ImportErrorKind::Missing { element: "character", inside: inside() };
                return Err(self.xml.error(kind));
            };
            if item.text.is_empty() {
                let kind = ImportErrorKind::Missing { element: "label", inside: inside() };
                return Err(self.xml.error(kind));
            }
            let Some(character) = seventh_character(&character) else {
                return Err(self.xml.error(ImportErrorKind::InvalidCode {
                    text: character,
                    expected: "a 7th character: one upper-case letter or digit",
                }));
            };
            definition.extend(character, item.text);
        }
        level.seventh.define(definition);
        Ok(())
    }

    /// Reads the rest of an own element. Texts of deeper elements go to the item around them. Items
    /// with nothing in them are left out.
    fn own_items(&mut self) -> Result<Vec<Item>, ImportError> {
        let mut items: Vec<Item> = Vec::new();
        let mut depth = 0_usize;
        loop {
            match self.xml.next()? {
                Node::Start { name, .. } if Rank::of(&name).is_some() => {
                    return Err(self.xml.misplaced_start());
                }
                Node::Start { name, attributes } => {
                    depth += 1;
                    if depth == 1 {
                        let character = attributes.into_iter().find(|(name, _)| name == "char");
                        items.push(Item::new(name, character.map(|(_, value)| value)));
                    }
                }
                Node::Text(text) => {
                    if depth == 0 {
                        items.push(Item::new(String::new(), None));
                    }
                    if let Some(item) = items.last_mut() {
                        item.append(&text);
                    }
                }
                Node::End if depth == 0 => break,
                Node::End => depth -= 1,
                Node::EndOfFile => break,
            }
        }
        items.retain(|item| !item.text.is_empty() || item.character.is_some());
        Ok(items)
    }

    /// Gives out the innermost level's concept, and its block's before it, unless that was done.
    fn give(&mut self, below: Below) -> Result<(), ImportError> {
        let Some((level, around)) = self.levels.split_last_mut() else { return Ok(()) };
        if level.state != State::Held {
            return Ok(());
        }
        if let Some(block) = around.last_mut()
            && level.rank == Rank::Diagnosis
            && block.rank == Rank::Block
            && block.state == State::Held
        {
            if block.name == level.name {
                level.absorb(block);
            } else {
                self.give_at(self.levels.len() - 2, Below::Codes)?;
            }
        }
        self.give_at(self.levels.len() - 1, below)
    }

    fn give_at(&mut self, at: usize, below: Below) -> Result<(), ImportError> {
        let (around, rest) = self.levels.split_at_mut(at);
        let Some(level) = rest.first_mut() else { return Ok(()) };
        let parent = around.iter().rev().find_map(|outer| match &outer.state {
            State::Given(code) => Some((outer.rank, code.clone())),
            State::Held | State::Merged => None,
        });
        let parent = match parent {
            // The release lists a block of blocks (C00-C96) as an empty sibling before them.
            Some((Rank::Chapter, chapter)) => {
                let around = self.blocks.iter().rev().find(|block| spans(block, &level.name));
                Some(around.cloned().unwrap_or(chapter))
            }
            other => other.map(|(_, code)| code),
        };
        match level.rank {
            Rank::Chapter => self.blocks.clear(),
            Rank::Block => self.blocks.extend(Code::new(&level.name)),
            Rank::Diagnosis => {}
        }
        let line = level.line;
        let concepts =
            level.concepts(parent, below).map_err(|kind| self.xml.error_at(line, kind))?;
        for concept in concepts {
            let code = concept.code.as_str();
            let mut key = [0; 8];
            // Every code of every rank fits: it was checked to have the shape of one.
            for (slot, byte) in key.iter_mut().zip(code.bytes()) {
                *slot = byte;
            }
            if !self.seen.insert(key) {
                let kind = ImportErrorKind::Duplicate { code: code.to_owned() };
                return Err(self.xml.error_at(line, kind));
            }
            self.ready.push_back(concept);
        }
        Ok(())
    }
}

/// Whether a block's range of categories has all of another block's or category's.
fn spans(block: &Code, other: &str) -> bool {
    let ends = |text: &str| {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        (first.to_owned(), last.to_owned())
    };
    let ((first, last), (other_first, other_last)) = (ends(block.as_str()), ends(other));
    block.as_str() != other && first <= other_first && other_last <= last
}

impl Item {
    fn new(element: String, character: Option<String>) -> Self {
        Self { element, character, text: String::new(), is_continued: false }
    }

    fn append(&mut self, text: &str) {
        if self.text.is_empty() {
            self.is_continued = text.starts_with('\t');
        } else {
            self.text.push_str("; ");
        }
        self.text.push_str(&collapsed(text));
    }
}

impl Iterator for CmsTabular {
    type Item = Result<Concept, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(concept) = self.ready.pop_front() {
                return Some(Ok(concept));
            }
            if self.is_done {
                return None;
            }
            if let Err(error) = self.step() {
                return Some(Err(error));
            }
        }
    }
}

impl Source for CmsTabular {
    fn release(&self) -> &Release {
        &self.release
    }

    fn progress(&self) -> Progress {
        self.meter.progress()
    }

    fn tally(&self) -> Tally {
        Tally::default()
    }
}

/// The texts of all items as one.
fn joined(items: Vec<Item>) -> String {
    let texts: Vec<String> = items.into_iter().map(|item| item.text).collect();
    texts.join("; ")
}
