//! One row of LOINC's table as a concept.

use crate::terminology::{Code, Concept, Designation, DesignationUse, Property, mod10, property};

use super::ImportError;
use super::table::{Row, Table};

/// The language of the table.
pub(super) const LANGUAGE: &str = "en";

/// The six parts that define a term, in the order of its fully specified name.
const AXES: [&str; 6] =
    ["COMPONENT", "PROPERTY", "TIME_ASPCT", "SYSTEM", "SCALE_TYP", "METHOD_TYP"];

/// The other columns that become properties under their own names.
const TEXTS: [&str; 9] = [
    "CLASS",
    "CLASSTYPE",
    "ORDER_OBS",
    "EXAMPLE_UCUM_UNITS",
    "UNITSREQUIRED",
    "PanelType",
    "VersionFirstReleased",
    "VersionLastChanged",
    "EXTERNAL_COPYRIGHT_NOTICE",
];

/// The columns with other names, the best first.
const NAMES: [&str; 3] = ["DisplayName", "SHORTNAME", "CONSUMER_NAME"];

/// A property and the column it is in.
type Placed = (&'static str, usize);

/// The places of the columns.
#[derive(Debug)]
pub(super) struct Columns {
    code: usize,
    axes: [usize; 6],
    status: Option<usize>,
    long_name: Option<usize>,
    definition: Option<usize>,
    related: Option<usize>,
    names: Vec<Placed>,
    texts: Vec<Placed>,
    ranks: Vec<Placed>,
}

impl Columns {
    /// Finds them. A term is nothing without its code and its six axes; the rest has come over the
    /// years.
    pub(super) fn of(table: &Table) -> Result<Self, ImportError> {
        let placed = |names: &[&'static str]| -> Vec<Placed> {
            names.iter().filter_map(|name| Some((*name, table.find(name)?))).collect()
        };
        let mut axes = [0; 6];
        for (place, name) in axes.iter_mut().zip(AXES) {
            *place = table.require(name)?;
        }
        Ok(Self {
            code: table.require("LOINC_NUM")?,
            axes,
            status: Some(table.require("STATUS")?),
            long_name: Some(table.require("LONG_COMMON_NAME")?),
            definition: table.find("DefinitionDescription"),
            related: table.find("RELATEDNAMES2"),
            names: placed(&NAMES),
            texts: placed(&TEXTS),
            ranks: placed(&property::COMMON_RANKS),
        })
    }

    /// The columns of a translation, which has the axes and the names only.
    pub(super) fn of_translation(table: &Table) -> Result<Self, ImportError> {
        let mut axes = [0; 6];
        for (place, name) in axes.iter_mut().zip(AXES) {
            *place = table.require(name)?;
        }
        let display = table.find("LinguisticVariantDisplayName");
        Ok(Self {
            code: table.require("LOINC_NUM")?,
            axes,
            status: None,
            long_name: table.find("LONG_COMMON_NAME"),
            definition: None,
            related: None,
            names: display
                .map(|place| ("LinguisticVariantDisplayName", place))
                .into_iter()
                .collect(),
            texts: Vec::new(),
            ranks: Vec::new(),
        })
    }

    pub(super) fn code<'t>(&self, row: &Row<'t>) -> &'t str {
        row.cell(self.code)
    }

    /// The names that a row has in columns of their own, the best first.
    fn written_names(&self, row: &Row<'_>) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let others = self.names.iter().map(|(_, place)| row.cell(*place));
        for name in row.optional(self.long_name).into_iter().chain(others) {
            if !name.is_empty() && names.iter().all(|known| known != name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// The names of a row of a translation. Many translators wrote the axes only, from which the
    /// name is put together.
    pub(super) fn translations(&self, row: &Row<'_>) -> Vec<String> {
        let names = self.written_names(row);
        if names.is_empty() { vec![self.full_name(row)] } else { names }
    }

    /// The fully specified name: the axes divided by colons, without a method where there is none.
    fn full_name(&self, row: &Row<'_>) -> String {
        if row.cell(self.axes[0]).is_empty() {
            return String::new();
        }
        let parts: Vec<&str> = self.axes.iter().map(|place| row.cell(*place)).collect();
        let last = parts.iter().rposition(|part| !part.is_empty()).unwrap_or_default();
        parts[..=last.max(4)].join(":")
    }

    /// The concept of a row; `None` where it has no name. What is wrong with its ranks is noted.
    pub(super) fn concept(
        &self,
        code: Code,
        row: &Row<'_>,
        mut wrong_rank: impl FnMut(&str),
    ) -> Option<Concept> {
        let written = self.written_names(row).into_iter();
        let full = Some(self.full_name(row)).filter(|name| !name.is_empty());
        let mut names = written.chain(full);
        let mut concept = Concept::new(code, names.next()?);
        let synonym = |name| Designation::new(LANGUAGE, DesignationUse::Synonym, name);
        concept.designations.extend(names.map(synonym));
        if let Some(related) = row.optional(self.related) {
            let bag = Designation::new(LANGUAGE, DesignationUse::WordBag, related);
            concept.designations.push(bag);
        }
        concept.definition = row.optional(self.definition).map(str::to_owned);
        if let Some(status) = row.optional(self.status) {
            concept.active = status != "DEPRECATED";
            concept.properties.push(Property::text(property::STATUS, status));
        }
        let axes = AXES.iter().copied().zip(self.axes);
        for (name, place) in axes.chain(self.texts.iter().copied()) {
            let text = row.cell(place);
            if !text.is_empty() {
                concept.properties.push(Property::text(name, text));
            }
        }
        for (name, place) in &self.ranks {
            match row.cell(*place) {
                "" | "0" => {}
                text => match text.parse() {
                    Ok(rank) => concept.properties.push(Property::integer(name, rank)),
                    Err(_) => wrong_rank(text),
                },
            }
        }
        Some(concept)
    }
}

/// The number that a term's code stands for, check digit included; `None` where the text is no such
/// code. Its hyphen stands before the check digit, which is computed as for payment cards (mod 10).
pub(super) fn number(code: &str) -> Option<u32> {
    let (digits, check) = code.split_once('-')?;
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let is_sound = are_digits(digits)
        && check.len() == 1
        && are_digits(check)
        && !digits.starts_with('0')
        && mod10::check_digit(digits) == u32::from(check.as_bytes()[0] - b'0');
    is_sound.then(|| format!("{digits}{check}").parse().ok()).flatten()
}
