//! XML as a stream of owned nodes with line numbers: what every XML format here is read through.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;

use quick_xml::errors::SyntaxError;
use quick_xml::escape::{EscapeError, resolve_predefined_entity};
use quick_xml::events::{BytesDecl, BytesRef, BytesStart, Event};
use quick_xml::{Error as XmlError, Reader, XmlVersion};

use super::input::Refusal;
use super::{ImportError, ImportErrorKind};

/// The deepest nesting of elements that is followed. Official files stay under 20.
const MAX_DEPTH: usize = 64;

/// The longest tag or text that is read. The longest note of an official file has a few thousand
/// bytes.
const MAX_PIECE_BYTES: usize = 16 << 20;

/// One piece of a document. Comments, processing instructions and blank text are not handed on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    Start { name: String, attributes: Vec<(String, String)> },
    End,
    Text(String),
    EndOfFile,
}

/// A reader of nodes.
pub(super) struct XmlReader<R> {
    reader: Reader<LineCounter<R>>,
    buffer: Vec<u8>,
    path: PathBuf,
    open: Vec<String>,
    /// The node after a text that was handed on first.
    pending: Option<Node>,
    doctype: Option<String>,
}

impl<R: Read> XmlReader<R> {
    pub(super) fn new(path: PathBuf, input: BufReader<R>) -> Self {
        let mut reader = Reader::from_reader(LineCounter { inner: input, line: 1, unbroken: 0 });
        reader.config_mut().expand_empty_elements = true;
        Self { reader, buffer: Vec::new(), path, open: Vec::new(), pending: None, doctype: None }
    }

    /// The line that the last node ends in.
    pub(super) fn line(&self) -> u64 {
        self.reader.get_ref().line
    }

    /// The elements that are open, the outermost first.
    pub(super) fn open(&self) -> &[String] {
        &self.open
    }

    /// What the document type declaration says, once it was read: some publishers put the version
    /// of their release nowhere else.
    pub(super) fn doctype(&self) -> Option<&str> {
        self.doctype.as_deref()
    }

    /// An error at the current line.
    pub(super) fn error(&self, kind: ImportErrorKind) -> ImportError {
        self.error_at(self.line(), kind)
    }

    /// An error at an earlier line.
    pub(super) fn error_at(&self, line: u64, kind: ImportErrorKind) -> ImportError {
        ImportError::new(&self.path, Some(line), kind)
    }

    /// Reads the next node. The end of the file is an error while an element is open.
    pub(super) fn next(&mut self) -> Result<Node, ImportError> {
        let node = match self.pending.take() {
            Some(node) => node,
            None => self.read()?,
        };
        match &node {
            Node::Start { name, .. } if self.open.len() >= MAX_DEPTH => {
                let element = format!("<{name}> more than {MAX_DEPTH} elements deep");
                return Err(self.misplaced(element));
            }
            Node::Start { name, .. } => self.open.push(name.clone()),
            Node::End => drop(self.open.pop()),
            Node::Text(_) => {}
            Node::EndOfFile => {
                if let Some(name) = self.open.last() {
                    let inside = format!("<{name}>");
                    return Err(self.error(ImportErrorKind::Truncated { inside }));
                }
            }
        }
        Ok(node)
    }

    /// The error for a part that has no place in the element that is open.
    pub(super) fn misplaced(&self, element: String) -> ImportError {
        self.error(ImportErrorKind::Misplaced { element, inside: inside(self.open.last()) })
    }

    /// The error for the element that was just begun, which has no place in the one around it.
    pub(super) fn misplaced_start(&self) -> ImportError {
        let mut around = self.open.iter().rev();
        let element = inside(around.next());
        self.error(ImportErrorKind::Misplaced { element, inside: inside(around.next()) })
    }

    /// Reads up to and including the next text or element boundary.
    fn read(&mut self) -> Result<Node, ImportError> {
        // Text comes in pieces, broken at references and CDATA sections, and is joined here.
        let mut text = String::new();
        let node = loop {
            self.buffer.clear();
            self.reader.get_mut().unbroken = 0;
            let event = match self.reader.read_event_into(&mut self.buffer) {
                Ok(event) => event,
                Err(error) => return Err(self.failed(error)),
            };
            let piece = match event {
                Event::Text(piece) => Ok(piece.xml10_content()),
                Event::CData(piece) => Ok(piece.xml10_content()),
                Event::GeneralRef(reference) => character(&reference).map(Cow::Owned),
                Event::Comment(_) | Event::PI(_) => Ok(Cow::Borrowed("")),
                Event::DocType(declaration) => {
                    self.doctype = Some(declaration.xml10_content().into_owned());
                    Ok(Cow::Borrowed(""))
                }
                Event::Decl(declaration) => declared_utf8(&declaration).map(|()| Cow::Borrowed("")),
                Event::Start(tag) | Event::Empty(tag) => match start(&tag) {
                    Ok(node) => break node,
                    Err(kind) => Err(kind),
                },
                Event::End(_) => break Node::End,
                Event::Eof => break Node::EndOfFile,
            };
            match piece {
                Ok(piece) => text.push_str(&piece),
                Err(kind) => return Err(self.error(kind)),
            }
        };
        if text.trim().is_empty() {
            return Ok(node);
        }
        self.pending = Some(node);
        Ok(Node::Text(text))
    }

    fn failed(&self, error: XmlError) -> ImportError {
        let kind = match error {
            XmlError::Io(error) => {
                if let Some(refusal) = Refusal::within(&error) {
                    return self.error(refusal.into());
                }
                // The reader shares its errors; the kind and the text are what is kept of one.
                let error = io::Error::new(error.kind(), error.to_string());
                match ImportErrorKind::reading(error) {
                    ImportErrorKind::Truncated { .. } => {
                        ImportErrorKind::Truncated { inside: inside(self.open.last()) }
                    }
                    other => other,
                }
            }
            XmlError::Syntax(SyntaxError::InvalidBangMarkup) => {
                ImportErrorKind::Xml(Box::new(error))
            }
            // All other errors of syntax are a piece of markup that the end of the file cut off.
            XmlError::Syntax(_) => ImportErrorKind::Truncated { inside: inside(self.open.last()) },
            XmlError::Encoding(error) => {
                ImportErrorKind::Encoding { found: format!("bytes that are no text ({error})") }
            }
            other => ImportErrorKind::Xml(Box::new(other)),
        };
        self.error(kind)
    }
}

/// An element in the words of a message.
fn inside(name: Option<&String>) -> String {
    name.map_or_else(|| "the document".to_owned(), |name| format!("<{name}>"))
}

/// The text that a reference stands for.
fn character(reference: &BytesRef<'_>) -> Result<String, ImportErrorKind> {
    match reference.resolve_char_ref() {
        Ok(Some(character)) => Ok(character.to_string()),
        Ok(None) => match resolve_predefined_entity(reference) {
            Some(value) => Ok(value.to_owned()),
            None => Err(ImportErrorKind::UndefinedEntity { name: reference.to_string() }),
        },
        Err(error) => Err(ImportErrorKind::Xml(Box::new(error))),
    }
}

fn start(tag: &BytesStart<'_>) -> Result<Node, ImportErrorKind> {
    let mut attributes = Vec::new();
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| ImportErrorKind::Xml(Box::new(error)))?;
        let value =
            attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|error| match error {
                XmlError::Escape(EscapeError::UnrecognizedEntity(_, name)) => {
                    ImportErrorKind::UndefinedEntity { name }
                }
                other => ImportErrorKind::Xml(Box::new(other)),
            })?;
        attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
    }
    Ok(Node::Start { name: tag.name().as_ref().to_owned(), attributes })
}

/// Refuses a declaration that names an encoding other than UTF-8 or its subset ASCII.
fn declared_utf8(declaration: &BytesDecl<'_>) -> Result<(), ImportErrorKind> {
    match declaration.encoding() {
        None => Ok(()),
        Some(Ok(name))
            if ["utf-8", "utf8", "us-ascii", "ascii"].contains(&&*name.to_lowercase()) =>
        {
            Ok(())
        }
        Some(Ok(name)) => {
            Err(ImportErrorKind::Encoding { found: format!("a declaration of {name}") })
        }
        Some(Err(error)) => Err(ImportErrorKind::Xml(Box::new(error))),
    }
}

/// The text without outer white space, with each inner run of white space as one space.
pub(super) fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A buffered reader that knows its line, counted from 1.
struct LineCounter<R> {
    inner: BufReader<R>,
    line: u64,
    /// Bytes of the tag or text that is being read.
    unbroken: usize,
}

impl<R: Read> Read for LineCounter<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.line += lines_in(&buffer[..count]);
        Ok(count)
    }
}

impl<R: Read> BufRead for LineCounter<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.unbroken > MAX_PIECE_BYTES {
            let refusal = Refusal::TooLong { limit: MAX_PIECE_BYTES };
            return Err(io::Error::new(io::ErrorKind::InvalidData, refusal));
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        let ready = self.inner.buffer();
        self.line += lines_in(&ready[..amount.min(ready.len())]);
        self.unbroken += amount;
        self.inner.consume(amount);
    }
}

fn lines_in(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}
