//! The XML tables of ICD-10-PCS: each `pcsTable` fixes three characters of its codes, and each
//! `pcsRow` in it says which characters may follow, all combinations of which are codes.

use std::io::Read;
use std::sync::Arc;

use crate::terminology::{Content, Property, Release, known_system};

use super::cms_codes_rows::{first_day, fiscal_year};
use super::pcs_axes::AXES;
use super::xml::{Node, XmlReader, collapsed};
use super::{ImportError, ImportErrorKind};

/// The root elements of the three XML files.
pub(super) const TABLES_ROOT: &str = "ICD10PCS.tabular";
pub(super) const INDEX_ROOT: &str = "ICD10PCS.index";
pub(super) const DEFINITIONS_ROOT: &str = "ICD10PCS.definitions";

/// A reader of any of them.
pub(super) type PcsXml = XmlReader<Box<dyn Read + Send>>;

/// One table.
#[derive(Debug, Clone)]
pub(super) struct PcsTable {
    /// The three characters that its codes begin with.
    pub(super) prefix: String,
    pub(super) heads: [Axis; 3],
    /// What the root operation is.
    pub(super) definition: Option<String>,
    pub(super) rows: Vec<[Axis; 4]>,
    pub(super) line: u64,
}

/// What may stand at one place of a code.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    /// What the place is for: "Body Part", "Contrast".
    pub(super) title: Arc<str>,
    pub(super) labels: Vec<(char, Arc<str>)>,
}

/// The seven labels of a code, with the titles of their axes.
pub(super) type Labels = [(Arc<str>, Arc<str>); 7];

impl PcsTable {
    /// Every code of the table with its labels, in the order of the rows.
    pub(super) fn codes(&self) -> impl Iterator<Item = (String, Labels)> + '_ {
        self.rows.iter().flat_map(move |row| {
            let [fourth, fifth, sixth, seventh] = row;
            fourth.labels.iter().flat_map(move |a| {
                fifth.labels.iter().flat_map(move |b| {
                    sixth.labels.iter().flat_map(move |c| {
                        seventh.labels.iter().map(move |d| {
                            let code = format!("{}{}{}{}{}", self.prefix, a.0, b.0, c.0, d.0);
                            (code, self.labeled(row, [&a.1, &b.1, &c.1, &d.1]))
                        })
                    })
                })
            })
        })
    }

    /// The labels of one code of the table, where it is one.
    pub(super) fn labels(&self, code: &str) -> Option<Labels> {
        let rest: Vec<char> = code.strip_prefix(self.prefix.as_str())?.chars().collect();
        let [a, b, c, d] = *rest.as_slice() else { return None };
        self.rows.iter().find_map(|row| {
            let [fourth, fifth, sixth, seventh] = row;
            let labels = [fourth.label(a)?, fifth.label(b)?, sixth.label(c)?, seventh.label(d)?];
            Some(self.labeled(row, labels))
        })
    }

    /// What stands for the first, second or third character.
    pub(super) fn head(&self, place: usize) -> Option<&str> {
        self.heads.get(place)?.labels.first().map(|(_, label)| label.as_ref())
    }

    fn labeled(&self, row: &[Axis; 4], labels: [&Arc<str>; 4]) -> Labels {
        std::array::from_fn(|place| match place.checked_sub(3) {
            Some(nth) => (Arc::clone(&row[nth].title), Arc::clone(labels[nth])),
            None => {
                let head = &self.heads[place];
                let label = head.labels.first().map(|(_, label)| Arc::clone(label));
                (Arc::clone(&head.title), label.unwrap_or_else(|| Arc::from("")))
            }
        })
    }
}

impl Axis {
    fn label(&self, character: char) -> Option<&Arc<str>> {
        self.labels.iter().find(|(one, _)| *one == character).map(|(_, label)| label)
    }
}

/// The labels as properties: named after their axes, so that a contrast is no approach.
pub(super) fn properties(labels: &Labels) -> Vec<Property> {
    labels
        .iter()
        .zip(AXES)
        .filter(|((_, label), _)| !label.is_empty())
        .map(|((title, label), usual)| {
            let name = property_name(title);
            Property::text(name.as_deref().unwrap_or(usual), label.as_ref())
        })
        .collect()
}

/// `Body System / Region` → `bodySystem`.
fn property_name(title: &str) -> Option<String> {
    let first = title.split('/').next().unwrap_or_default();
    let mut name = String::new();
    for word in first.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        let lower = word.to_ascii_lowercase();
        match (name.is_empty(), lower.split_at_checked(1)) {
            (false, Some((initial, rest))) => {
                name.push_str(&initial.to_ascii_uppercase());
                name.push_str(rest);
            }
            _ => name.push_str(&lower),
        }
    }
    (!name.is_empty()).then_some(name)
}

/// Whether a label says that there is nothing at its place.
pub(super) fn is_empty_label(label: &str) -> bool {
    matches!(label, "" | "None" | "No Device" | "No Qualifier")
}

/// Reads up to the version, which stands before the first of what all three files are made of.
pub(super) fn read_version(xml: &mut PcsXml, root: &'static str) -> Result<String, ImportError> {
    loop {
        match xml.next()? {
            Node::Start { name, .. } if name == root => {}
            Node::Start { name, .. } if name == "version" => return text(xml),
            Node::Start { name, .. } if name == "title" => skip(xml)?,
            Node::Text(_) => {}
            _ => {
                let inside = format!("<{root}>");
                let kind = ImportErrorKind::Missing { element: "<version>", inside };
                return Err(xml.error(kind));
            }
        }
    }
}

/// The next table, or `None` after the last. Other elements are passed over.
pub(super) fn next_table(xml: &mut PcsXml) -> Result<Option<PcsTable>, ImportError> {
    loop {
        match xml.next()? {
            Node::Start { name, .. } if name == "pcsTable" => return table(xml).map(Some),
            Node::EndOfFile => return Ok(None),
            _ => {}
        }
    }
}

fn table(xml: &mut PcsXml) -> Result<PcsTable, ImportError> {
    let line = xml.line();
    let mut heads: [Option<Axis>; 3] = [const { None }; 3];
    let (mut definition, mut rows) = (None, Vec::new());
    loop {
        match xml.next()? {
            Node::Start { name, attributes } if name == "axis" => {
                let place = place(xml, &attributes, 1)?;
                let (axis, defined) = axis(xml)?;
                definition = defined.or(definition);
                match heads.get_mut(place) {
                    Some(head) => *head = Some(axis),
                    None => return Err(bad_place(xml, &attributes, "1, 2 or 3")),
                }
            }
            Node::Start { name, .. } if name == "pcsRow" => rows.push(row(xml)?),
            Node::Start { .. } => skip(xml)?,
            Node::End => break,
            _ => {}
        }
    }
    let [Some(first), Some(second), Some(third)] = heads else {
        return Err(missing(xml, "<axis pos=1> to <axis pos=3>", "<pcsTable>"));
    };
    let heads = [first, second, third];
    let prefix = heads.iter().filter_map(|head| head.labels.first()).map(|(c, _)| *c).collect();
    Ok(PcsTable { prefix, heads, definition, rows, line })
}

fn row(xml: &mut PcsXml) -> Result<[Axis; 4], ImportError> {
    let mut axes: [Option<Axis>; 4] = [const { None }; 4];
    loop {
        match xml.next()? {
            Node::Start { name, attributes } if name == "axis" => {
                let place = place(xml, &attributes, 4)?;
                let (axis, _) = axis(xml)?;
                match axes.get_mut(place) {
                    Some(found) => *found = Some(axis),
                    None => return Err(bad_place(xml, &attributes, "4, 5, 6 or 7")),
                }
            }
            Node::Start { .. } => skip(xml)?,
            Node::End => break,
            _ => {}
        }
    }
    match axes {
        [Some(a), Some(b), Some(c), Some(d)] => Ok([a, b, c, d]),
        _ => Err(missing(xml, "<axis pos=4> to <axis pos=7>", "<pcsRow>")),
    }
}

/// Reads the inside of an `axis`: its title, its labels, the definition where it has one.
fn axis(xml: &mut PcsXml) -> Result<(Axis, Option<String>), ImportError> {
    let (mut title, mut labels, mut definition) = (String::new(), Vec::new(), None);
    loop {
        match xml.next()? {
            Node::Start { name, attributes } if name == "label" => {
                let code = attribute(&attributes, "code").unwrap_or_default();
                let mut characters = code.chars();
                let (Some(character), None) = (characters.next(), characters.next()) else {
                    return Err(xml.error(ImportErrorKind::InvalidCode {
                        text: code.to_owned(),
                        expected: "one character of a code in the attribute code of a label",
                    }));
                };
                labels.push((character, Arc::from(text(xml)?)));
            }
            Node::Start { name, .. } if name == "title" => title = text(xml)?,
            Node::Start { name, .. } if name == "definition" => definition = Some(text(xml)?),
            Node::Start { .. } => skip(xml)?,
            Node::End => break,
            _ => {}
        }
    }
    if labels.is_empty() {
        return Err(missing(xml, "<label>", "<axis>"));
    }
    Ok((Axis { title: Arc::from(title), labels }, definition.filter(|one| !one.is_empty())))
}

/// Which axis of its element an axis is, counted from 0.
fn place(
    xml: &PcsXml,
    attributes: &[(String, String)],
    first: usize,
) -> Result<usize, ImportError> {
    let place = attribute(attributes, "pos").and_then(|pos| pos.parse::<usize>().ok());
    place
        .and_then(|place| place.checked_sub(first))
        .ok_or_else(|| bad_place(xml, attributes, "a number from 1 to 7"))
}

fn bad_place(xml: &PcsXml, attributes: &[(String, String)], expected: &'static str) -> ImportError {
    xml.error(ImportErrorKind::InvalidValue {
        what: "the attribute pos of an axis".to_owned(),
        text: attribute(attributes, "pos").unwrap_or_default().to_owned(),
        expected,
    })
}

fn missing(xml: &PcsXml, element: &'static str, inside: &str) -> ImportError {
    xml.error(ImportErrorKind::Missing { element, inside: inside.to_owned() })
}

pub(super) fn attribute<'a>(attributes: &'a [(String, String)], name: &str) -> Option<&'a str> {
    attributes.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
}

/// The text of the element that was just begun, with that of the elements in it.
pub(super) fn text(xml: &mut PcsXml) -> Result<String, ImportError> {
    let (mut text, mut depth) = (String::new(), 0_usize);
    loop {
        match xml.next()? {
            Node::Start { .. } => depth += 1,
            Node::Text(piece) => {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(&collapsed(&piece));
            }
            Node::End if depth == 0 => return Ok(text),
            Node::End => depth -= 1,
            Node::EndOfFile => return Ok(text),
        }
    }
}

/// Passes over the element that was just begun.
pub(super) fn skip(xml: &mut PcsXml) -> Result<(), ImportError> {
    text(xml).map(drop)
}

/// What is known about a release of ICD-10-PCS.
pub(super) fn release(version: String, date: Option<String>) -> Result<Release, ImportErrorKind> {
    let known = known_system("icd10pcs").ok_or_else(|| ImportErrorKind::Missing {
        element: "icd10pcs",
        inside: "the register of known terminologies".to_owned(),
    })?;
    let date = date.or_else(|| fiscal_year(&version).map(first_day));
    Ok(Release {
        system: known.id(),
        alias: known.alias.to_owned(),
        title: known.title.to_owned(),
        publisher: Some("CMS".to_owned()),
        license: Some("Published by the US government for free use; public domain".to_owned()),
        notices: vec![format!(
            "ICD-10-PCS, release {version}. Source: the Centers for Medicare & Medicaid Services \
             (CMS). The original is free of charge on its website. Its use here implies no \
             endorsement by CMS, the Department of Health and Human Services or the United States \
             government."
        )],
        version,
        date,
        language: "en".to_owned(),
        content: Content::Complete,
        code_case: None,
        hierarchy_meaning: None,
    })
}
