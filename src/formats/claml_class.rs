//! One class or modifier class of ClaML, as its element has it.

use std::io::Read;

use super::claml_label::{Label, Voice, read_label, value_of};
use super::xml::{Node, XmlReader};
use super::{ImportError, ImportErrorKind};

/// What an element `Class` or `ModifierClass` holds.
#[derive(Debug, Default)]
pub(super) struct Class {
    /// The line it begins in.
    pub(super) line: u64,
    pub(super) code: String,
    /// Of a class: `chapter`, `block`, `category` or what else the file has.
    pub(super) kind: Option<String>,
    /// Of a modifier class: the modifier it belongs to.
    pub(super) modifier: Option<String>,
    /// Its half of a pair of codes: `dagger`, `aster`.
    pub(super) usage: Option<String>,
    pub(super) above: Vec<String>,
    pub(super) below: Vec<String>,
    pub(super) modified_by: Vec<ModifiedBy>,
    /// The modifiers that stop here.
    pub(super) excluded: Vec<String>,
    pub(super) metas: Vec<(String, String)>,
    pub(super) rubrics: Vec<Rubric>,
}

/// A modifier that a class has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ModifiedBy {
    pub(super) code: String,
    /// Which character of the code it is, where the file says so.
    pub(super) position: Option<u32>,
    /// The modifier classes that fit; all of them where none is named.
    pub(super) valid: Vec<String>,
}

/// One text of a class in one language.
#[derive(Debug)]
pub(super) struct Rubric {
    pub(super) kind: String,
    pub(super) label: Label,
}

/// The kinds of rubrics that name something; all others are notes.
fn voice(kind: &str) -> Voice {
    match kind {
        "preferred" | "preferredLong" | "inclusion" => Voice::Name,
        _ => Voice::Note,
    }
}

/// Reads the rest of a class or modifier class that was just begun.
pub(super) fn read_class<R: Read>(
    xml: &mut XmlReader<R>,
    attributes: &[(String, String)],
) -> Result<Class, ImportError> {
    let depth = xml.open().len();
    let said = |name| value_of(attributes, name).map(str::to_owned);
    let mut class = Class {
        line: xml.line(),
        code: said("code").unwrap_or_default(),
        kind: said("kind"),
        modifier: said("modifier"),
        usage: said("usage"),
        ..Class::default()
    };
    if class.code.is_empty() {
        let inside = format!("<{}>", xml.open().last().map_or("Class", String::as_str));
        return Err(xml.error(ImportErrorKind::Missing { element: "code", inside }));
    }
    let mut kind = String::new();
    loop {
        match xml.next()? {
            Node::Start { name, attributes } if name == "Label" => {
                let label = read_label(xml, voice(&kind), &attributes)?;
                class.rubrics.push(Rubric { kind: kind.clone(), label });
            }
            Node::Start { name, attributes } => {
                if name == "Rubric" {
                    kind = value_of(&attributes, "kind").unwrap_or_default().to_owned();
                }
                class.begin(&name, &attributes);
            }
            Node::End if xml.open().len() < depth => return Ok(class),
            Node::EndOfFile => return Ok(class),
            Node::End | Node::Text(_) => {}
        }
    }
}

impl Class {
    fn begin(&mut self, name: &str, attributes: &[(String, String)]) {
        let Some(code) = value_of(attributes, "code").map(str::to_owned) else {
            let said = |name| value_of(attributes, name).map(str::to_owned);
            if let ("Meta", Some(name), Some(value)) = (name, said("name"), said("value")) {
                self.metas.push((name, value));
            }
            return;
        };
        match name {
            "SuperClass" => self.above.push(code),
            "SubClass" => self.below.push(code),
            "ExcludeModifier" => self.excluded.push(code),
            "ModifiedBy" => {
                let position = value_of(attributes, "position").and_then(|text| text.parse().ok());
                self.modified_by.push(ModifiedBy { code, position, valid: Vec::new() });
            }
            "ValidModifierClass" => {
                if let Some(last) = self.modified_by.last_mut() {
                    last.valid.push(code);
                }
            }
            _ => {}
        }
    }
}
