//! The text of a ClaML label: its fragments, and the references to other classes within.
//!
//! - A fragment is one column of a printed list. An `item` with several `list` fragments after it
//!   heads them: each goes with it to a text of its own, as under a brace in the book. Where all are
//!   `list` fragments, each is one level of the list and together they are one text.
//! - The colon at the end of a column that another one follows is punctuation of the list.
//! - In a name, a reference in brackets or at the end is the other half of a pair of codes and no
//!   part of the name; in a note it is told, in brackets where the label says so.

use std::io::Read;

use super::ImportError;
use super::xml::{Node, XmlReader, collapsed};

/// The most texts that the columns of one label give. A printed list has a few dozen.
const MAX_TEXTS: usize = 256;

/// What a label is for, which decides what becomes of its references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Voice {
    /// It names something.
    Name,
    /// It is a sentence, or what is not meant.
    Note,
}

/// What one label says.
#[derive(Debug, Default)]
pub(super) struct Label {
    /// BCP 47, where the label says so.
    pub(super) language: Option<String>,
    pub(super) texts: Vec<String>,
    /// The codes that it refers to, in order.
    pub(super) references: Vec<String>,
}

/// Reads the rest of a label that was just begun.
pub(super) fn read_label<R: Read>(
    xml: &mut XmlReader<R>,
    voice: Voice,
    attributes: &[(String, String)],
) -> Result<Label, ImportError> {
    let depth = xml.open().len();
    let mut building = Building::new(voice);
    // The elements within the label that are open.
    let mut within: Vec<Inline> = Vec::new();
    loop {
        match xml.next()? {
            Node::Start { name, attributes } => {
                within.push(Inline::of(&name));
                building.begin(&name, &attributes);
            }
            Node::Text(text) => building.take(&text),
            Node::End if xml.open().len() < depth => break,
            Node::End => building.end(within.pop().unwrap_or(Inline::Other)),
            Node::EndOfFile => break,
        }
    }
    let mut label = building.finish();
    label.language = value_of(attributes, "xml:lang").map(str::to_owned);
    Ok(label)
}

pub(super) fn value_of<'a>(attributes: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = attributes.iter().find(|(other, _)| other == name);
    found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
}

/// The code that a reference means: `I23.-` is all of I23, `G01*` and `A17.0†` are halves of pairs.
pub(super) fn referred_code(text: &str) -> &str {
    let code = text.trim().trim_end_matches(['*', '†', '+', '#', '!']);
    code.strip_suffix(".-").or_else(|| code.strip_suffix('-')).unwrap_or(code).trim()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inline {
    Fragment,
    Reference,
    Other,
}

impl Inline {
    fn of(name: &str) -> Self {
        match name {
            "Fragment" => Self::Fragment,
            "Reference" => Self::Reference,
            _ => Self::Other,
        }
    }
}

/// A column of the label.
struct Column {
    is_list: bool,
    text: String,
}

struct Reference {
    is_in_brackets: bool,
    code: Option<String>,
    text: String,
}

struct Building {
    voice: Voice,
    label: Label,
    columns: Vec<Column>,
    is_list: bool,
    text: String,
    reference: Option<Reference>,
    /// A reference within a name, which is told only if the name goes on after it.
    held: Option<String>,
    /// Whether an element has ended and no text has come since: blank text is not handed on.
    has_just_ended: bool,
}

impl Building {
    fn new(voice: Voice) -> Self {
        Self {
            voice,
            label: Label::default(),
            columns: Vec::new(),
            is_list: false,
            text: String::new(),
            reference: None,
            held: None,
            has_just_ended: false,
        }
    }

    fn begin(&mut self, name: &str, attributes: &[(String, String)]) {
        match name {
            "Fragment" => {
                self.close_column();
                self.is_list = value_of(attributes, "type") == Some("list");
            }
            "Reference" => {
                let class = value_of(attributes, "class").unwrap_or_default();
                self.reference = Some(Reference {
                    is_in_brackets: class.contains("brackets"),
                    code: value_of(attributes, "code").map(str::to_owned),
                    text: String::new(),
                });
            }
            "ListItem" | "Cell" if !self.text.trim().is_empty() => {
                let end = self.text.trim_end();
                let divider = if end.ends_with([':', ';', '.']) { " " } else { "; " };
                self.text = format!("{end}{divider}");
            }
            "Para" | "List" | "Table" | "Row" | "Caption" => self.text.push(' '),
            _ if self.has_just_ended => self.text.push(' '),
            _ => {}
        }
        self.has_just_ended = false;
    }

    fn take(&mut self, text: &str) {
        self.has_just_ended = false;
        if let Some(reference) = &mut self.reference {
            reference.text.push_str(text);
            return;
        }
        // A bracket that closes around nothing is taken away in the end.
        let goes_on = text.chars().any(char::is_alphanumeric);
        if let Some(held) = self.held.take_if(|_| goes_on) {
            self.text.push_str(&held);
        }
        self.text.push_str(text);
    }

    fn end(&mut self, ended: Inline) {
        match ended {
            Inline::Fragment => self.close_column(),
            Inline::Reference => self.end_reference(),
            Inline::Other => {}
        }
        self.has_just_ended = true;
    }

    fn end_reference(&mut self) {
        let Some(reference) = self.reference.take() else { return };
        let shown = collapsed(&reference.text);
        let shown =
            if shown.is_empty() { reference.code.clone().unwrap_or_default() } else { shown };
        if shown.is_empty() {
            return;
        }
        self.label.references.push(reference.code.unwrap_or_else(|| shown.clone()));
        let stands_in_brackets = self.text.trim_end().ends_with(['(', '[']);
        match self.voice {
            Voice::Note if reference.is_in_brackets && !stands_in_brackets => {
                self.text.push_str(&format!(" ({shown})"));
            }
            Voice::Note => self.text.push_str(&format!(" {shown}")),
            Voice::Name if reference.is_in_brackets || stands_in_brackets => {}
            Voice::Name => self.held = Some(format!(" {shown} ")),
        }
    }

    fn close_column(&mut self) {
        self.held = None;
        let text = tidied(&self.text);
        self.text.clear();
        if !text.is_empty() {
            self.columns.push(Column { is_list: self.is_list, text });
        }
        self.is_list = false;
    }

    fn finish(mut self) -> Label {
        self.close_column();
        self.label.texts = texts(&self.columns);
        self.label
    }
}

/// One space between words, none before a mark, and no brackets around nothing.
fn tidied(text: &str) -> String {
    let mut text = collapsed(text);
    for (from, to) in [("( ", "("), ("[ ", "["), (" )", ")"), (" ]", "]"), (" ,", ","), (" ;", ";")]
    {
        text = text.replace(from, to);
    }
    collapsed(&text.replace("()", "").replace("[]", ""))
}

/// The texts that the columns make.
fn texts(columns: &[Column]) -> Vec<String> {
    let has_head = columns.iter().any(|column| !column.is_list);
    let mut made: Vec<String> = vec![String::new()];
    let alike = |a: &Column, b: &Column| has_head && a.is_list && b.is_list;
    for group in columns.chunk_by(alike) {
        let longer = made.iter().flat_map(|before| group.iter().map(|one| join(before, &one.text)));
        made = longer.take(MAX_TEXTS).collect();
    }
    made.retain(|text| !text.is_empty());
    made
}

fn join(before: &str, text: &str) -> String {
    match before.trim_end_matches([':', ' ']) {
        "" => text.to_owned(),
        before if text.starts_with([',', ';', ')']) => format!("{before}{text}"),
        before => format!("{before} {text}"),
    }
}
