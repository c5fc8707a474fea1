//! The XML definitions of ICD-10-PCS: for each section and axis, what its values mean and include.
//!
//! `section code` → `axis pos` → `terms`: one or more `title`, and `definition`, `explanation`,
//! `includes`. The body part key and the device key are the `includes` of axes 4 and 6.

use std::collections::HashMap;

use super::pcs_xml::{DEFINITIONS_ROOT, PcsXml, attribute, read_version, skip, text};
use super::xml::Node;
use super::{ImportError, Tally};

/// Terms by section, axis and title.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    terms: HashMap<(String, usize, String), Term>,
}

/// What is said about one value of an axis.
#[derive(Debug, Clone, Default)]
pub(super) struct Term {
    pub(super) definition: Option<String>,
    pub(super) explanation: Option<String>,
    pub(super) includes: Vec<String>,
}

impl Definitions {
    /// What is said about a value of an axis, counted from 1, in a section.
    pub(super) fn term(&self, section: &str, axis: usize, title: &str) -> Option<&Term> {
        self.terms.get(&(section.to_owned(), axis, title.to_owned()))
    }
}

/// Reads the whole file.
pub(super) fn read_definitions(
    xml: &mut PcsXml,
    tally: &mut Tally,
) -> Result<Definitions, ImportError> {
    read_version(xml, DEFINITIONS_ROOT)?;
    let mut definitions = Definitions::default();
    let (mut section, mut axis) = (String::new(), 0);
    loop {
        match xml.next()? {
            Node::Start { name, attributes } => match name.as_str() {
                "section" => {
                    section = attribute(&attributes, "code").unwrap_or_default().to_owned()
                }
                "axis" => {
                    let place = attribute(&attributes, "pos").and_then(|pos| pos.parse().ok());
                    axis = place.unwrap_or_default();
                }
                "terms" => {
                    let (titles, term) = term(xml)?;
                    tally.read("definitions");
                    for title in titles {
                        let known = definitions.terms.entry((section.clone(), axis, title));
                        let known = known.or_default();
                        known.includes.extend(term.includes.iter().cloned());
                        known.definition = known.definition.take().or(term.definition.clone());
                        known.explanation = known.explanation.take().or(term.explanation.clone());
                    }
                }
                _ => skip(xml)?,
            },
            Node::EndOfFile => return Ok(definitions),
            Node::End | Node::Text(_) => {}
        }
    }
}

fn term(xml: &mut PcsXml) -> Result<(Vec<String>, Term), ImportError> {
    let (mut titles, mut term) = (Vec::new(), Term::default());
    loop {
        match xml.next()? {
            Node::Start { name, .. } => {
                let value = text(xml)?;
                match name.as_str() {
                    _ if value.is_empty() => {}
                    "title" => titles.push(value),
                    "definition" => term.definition = Some(value),
                    "explanation" => term.explanation = Some(value),
                    "includes" => term.includes.push(value),
                    _ => {}
                }
            }
            Node::End | Node::EndOfFile => return Ok((titles, term)),
            Node::Text(_) => {}
        }
    }
}
