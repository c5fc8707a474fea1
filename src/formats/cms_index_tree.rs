//! The terms of an ICD-10-CM index file as a tree: main terms, sub-terms, their codes and what
//! they refer to.

use std::io::Read;
use std::path::PathBuf;

use crate::terminology::CodeShape;

use super::input::Input;
use super::xml::{Node, XmlReader, collapsed};
use super::{ImportError, ImportErrorKind};

/// The root element.
pub(super) const ROOT: &str = "ICD10CM.index";

/// One index file.
#[derive(Debug)]
pub(super) struct IndexTree {
    pub(super) path: PathBuf,
    /// Its title and version.
    pub(super) source: String,
    /// The headings of a table's columns, by their numbers. Empty in an index of terms.
    pub(super) heads: Vec<(u32, String)>,
    /// Its terms in the order of the file: a term stands before its sub-terms.
    pub(super) terms: Vec<Term>,
}

/// One term with what the file says about it.
#[derive(Debug)]
pub(super) struct Term {
    /// Its words; those that the publisher calls nonessential are in parentheses.
    pub(super) title: String,
    /// The term around it.
    pub(super) parent: Option<usize>,
    pub(super) codes: Vec<IndexedCode>,
    /// The terms it refers to, in the publisher's words.
    pub(super) references: Vec<String>,
    /// The line it begins in.
    pub(super) line: u64,
}

/// A code that a term has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct IndexedCode {
    /// The column of a table; none in an index of terms.
    pub(super) column: Option<u32>,
    pub(super) code: String,
}

/// What the place of reading is in.
enum Around {
    /// The document, a letter, the heading of a table.
    Container,
    Term(usize),
}

impl IndexTree {
    pub(super) fn read(input: Input) -> Result<Self, ImportError> {
        let path = input.path.clone();
        let mut reading = Reading {
            xml: XmlReader::new(input.path, input.reader),
            title: String::new(),
            version: String::new(),
            heads: Vec::new(),
            terms: Vec::new(),
            around: Vec::new(),
        };
        while reading.step()? {}
        if reading.version.is_empty() {
            let inside = format!("<{ROOT}>");
            return Err(reading
                .xml
                .error(ImportErrorKind::Missing { element: "<version>", inside }));
        }
        let source = format!("{} {}", reading.title(), reading.version);
        Ok(Self { path, source, heads: reading.heads, terms: reading.terms })
    }
}

struct Reading<R> {
    xml: XmlReader<R>,
    title: String,
    version: String,
    heads: Vec<(u32, String)>,
    terms: Vec<Term>,
    around: Vec<Around>,
}

impl<R: Read> Reading<R> {
    /// The name of the file for people: the two tables do not state one.
    fn title(&self) -> String {
        let of_rows = self.heads.first().map(|(_, head)| head.to_lowercase());
        match of_rows.as_deref() {
            _ if !self.title.is_empty() => self.title.clone(),
            Some("substance") => "ICD-10-CM Table of Drugs and Chemicals".to_owned(),
            Some("neoplasm") => "ICD-10-CM Table of Neoplasms".to_owned(),
            _ => "ICD-10-CM Index".to_owned(),
        }
    }

    /// Reads on by one element; false at the end of the file.
    fn step(&mut self) -> Result<bool, ImportError> {
        match self.xml.next()? {
            Node::Start { name, attributes } => self.begin(&name, &attributes)?,
            Node::End => self.end()?,
            Node::Text(text) => {
                let shown: String = text.trim().chars().take(40).collect();
                return Err(self.xml.misplaced(format!("the text {shown:?}")));
            }
            Node::EndOfFile => return Ok(false),
        }
        Ok(true)
    }

    fn begin(&mut self, name: &str, attributes: &[(String, String)]) -> Result<(), ImportError> {
        let term = self.around.iter().rev().find_map(|around| match around {
            Around::Term(term) => Some(*term),
            Around::Container => None,
        });
        match (name, term) {
            (ROOT | "letter" | "indexHeading", None) => self.around.push(Around::Container),
            ("mainTerm", None) | ("term", Some(_)) => {
                self.around.push(Around::Term(self.terms.len()));
                let line = self.xml.line();
                let (codes, references) = (Vec::new(), Vec::new());
                let title = String::new();
                self.terms.push(Term { title, parent: term, codes, references, line });
            }
            ("mainTerm", Some(_)) | ("term", None) => return Err(self.xml.misplaced_start()),
            ("version", None) => self.version = self.text()?,
            ("head", None) => {
                let text = self.text()?;
                self.heads.push((column(attributes).unwrap_or_default(), text));
            }
            // A letter has one too.
            ("title", None) if self.around.len() == 1 => self.title = self.text()?,
            ("title", Some(term)) => self.terms[term].title = joined_endings(&self.text()?),
            ("code" | "manif" | "subcat" | "seecat", Some(term)) => {
                let text = self.text()?;
                self.terms[term].add_codes(None, &text);
            }
            ("cell", Some(term)) => {
                let text = self.text()?;
                self.terms[term].add_codes(column(attributes), &text);
            }
            ("see" | "seeAlso", Some(term)) => {
                let text = self.text()?;
                let found = &mut self.terms[term];
                // "see category T17" names the code and no term.
                let before = found.codes.len();
                found.add_codes(None, &text);
                if found.codes.len() == before && !text.is_empty() {
                    found.references.push(text);
                }
            }
            _ => drop(self.text()?),
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), ImportError> {
        if let Some(Around::Term(term)) = self.around.pop()
            && self.terms[term].title.is_empty()
        {
            let line = self.terms[term].line;
            let inside = "a term of the index".to_owned();
            let kind = ImportErrorKind::Missing { element: "<title>", inside };
            return Err(self.xml.error_at(line, kind));
        }
        Ok(())
    }

    /// The text of the element that was just begun, up to its end, deeper elements with it.
    fn text(&mut self) -> Result<String, ImportError> {
        let mut text = String::new();
        let mut depth = 0_usize;
        loop {
            match self.xml.next()? {
                Node::Start { .. } => depth += 1,
                Node::Text(piece) => text.push_str(&piece),
                Node::End if depth == 0 => return Ok(collapsed(&text)),
                Node::End => depth -= 1,
                Node::EndOfFile => return Ok(collapsed(&text)),
            }
            text.push(' ');
        }
    }
}

fn column(attributes: &[(String, String)]) -> Option<u32> {
    attributes.iter().find(|(name, _)| name == "col").and_then(|(_, value)| value.parse().ok())
}

/// The title, with the endings of words that are in parentheses at their words, and commas at
/// theirs: `ski (ing) , water` is `ski(ing), water`.
fn joined_endings(title: &str) -> String {
    let mut joined = title.replace(" ,", ",").replace(")(", ") (");
    for ending in ["(s)", "(es)", "(e)", "(ed)", "(ing)", "(al)"] {
        joined = joined.replace(&format!(" {ending}"), ending);
    }
    joined
}

impl Term {
    /// Adds the codes in a text, which may also be a dash for none, or have words between them: a
    /// dash at the end of a code says that more characters follow; the header above them is what
    /// the term leads to. Brackets are around a code that is given in addition.
    fn add_codes(&mut self, column: Option<u32>, text: &str) {
        let pieces = text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-')));
        for piece in pieces {
            let bare = piece.trim_end_matches('-').trim_matches('.');
            let Some(code) = CodeShape::Icd10Cm.canonical(bare) else { continue };
            let code = IndexedCode { column, code };
            if !self.codes.contains(&code) {
                self.codes.push(code);
            }
        }
    }
}
