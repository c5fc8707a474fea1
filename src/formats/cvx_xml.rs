//! CDC's XML of CVX: an element `CVXInfo` for each code.

use std::io::{BufReader, Cursor, Read};

use super::cvx::Vaccine;
use super::input::{Bytes, Input, Refusal};
use super::xml::{Node, XmlReader, collapsed};
use super::{ImportError, ImportErrorKind};

/// The root element.
pub(super) const ROOT: &str = "CVXCodes";

const ENTRY: &str = "CVXInfo";

/// The longest file that is read. CDC's has some 150 thousand bytes.
const MAX_BYTES: usize = 16 << 20;

/// Reads all codes.
pub(super) fn read(input: Input) -> Result<Vec<Vaccine>, ImportError> {
    let mut xml = reader(input)?;
    let mut vaccines: Vec<Vaccine> = Vec::new();
    let mut open: Vec<String> = Vec::new();
    loop {
        match xml.next()? {
            Node::Start { name, .. } => {
                if name == ENTRY {
                    vaccines.push(Vaccine { line: xml.line(), ..Vaccine::default() });
                }
                open.push(name);
            }
            Node::Text(text) => {
                if let (Some(vaccine), [_, entry, field]) = (vaccines.last_mut(), &open[..])
                    && entry == ENTRY
                {
                    set(vaccine, field, collapsed(&text));
                }
            }
            Node::End => {
                let ended = open.pop();
                let is_unnamed = vaccines.last().is_some_and(|one| one.code.is_empty());
                if ended.as_deref() == Some(ENTRY) && is_unnamed {
                    let inside = format!("<{ENTRY}>");
                    return Err(
                        xml.error(ImportErrorKind::Missing { element: "<CVXCode>", inside })
                    );
                }
            }
            Node::EndOfFile => break,
        }
    }
    if vaccines.is_empty() {
        let inside = format!("<{ROOT}>");
        return Err(xml.error(ImportErrorKind::Missing { element: "<CVXInfo>", inside }));
    }
    Ok(vaccines)
}

/// Puts a text where it belongs. Elements that are not known here are passed over.
fn set(vaccine: &mut Vaccine, field: &str, text: String) {
    let place = match field.to_ascii_lowercase().as_str() {
        "cvxcode" => &mut vaccine.code,
        "shortdescription" => &mut vaccine.short,
        "fullvaccinename" => &mut vaccine.full,
        "notes" => &mut vaccine.notes,
        "status" => &mut vaccine.status,
        "nonvaccine" => &mut vaccine.nonvaccine,
        "lastupdated" => &mut vaccine.updated,
        _ => return,
    };
    *place = text;
}

/// A reader of the document. CDC declares it to be in ISO 8859-1, which is decoded here.
fn reader(input: Input) -> Result<XmlReader<Bytes>, ImportError> {
    let Input { path, reader, .. } = input;
    let fail = |kind| ImportError::new(&path, None, kind);
    let mut bytes = Vec::new();
    let mut bounded = reader.take(MAX_BYTES as u64 + 1);
    bounded.read_to_end(&mut bytes).map_err(|error| fail(ImportErrorKind::reading(error)))?;
    if bytes.len() > MAX_BYTES {
        return Err(fail(Refusal::TooLong { limit: MAX_BYTES }.into()));
    }
    if let Some(end) = latin_declaration(&bytes) {
        let rest = &bytes[end..];
        bytes = match std::str::from_utf8(rest) {
            Ok(text) => text.as_bytes().to_vec(),
            Err(_) => rest.iter().map(|byte| char::from(*byte)).collect::<String>().into_bytes(),
        };
    }
    let bytes: Bytes = Box::new(Cursor::new(bytes));
    Ok(XmlReader::new(path, BufReader::new(bytes)))
}

/// The end of a declaration of ISO 8859-1.
fn latin_declaration(bytes: &[u8]) -> Option<usize> {
    let end = bytes.iter().take(200).position(|byte| *byte == b'>')? + 1;
    let declaration = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
    (declaration.trim_start().starts_with("<?xml") && declaration.contains("iso-8859-1"))
        .then_some(end)
}
