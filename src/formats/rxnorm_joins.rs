//! RXNREL and RXNSAT: how the concepts of RxNorm hang together, and their attributes.
//!
//! A row of RXNREL says what the *second* concept is to the *first*: `RXCUI2 RELA RXCUI1`. With
//! RXCUI1 the ingredient acetaminophen and RELA `has_ingredient`, RXCUI2 is a drug that contains it.
//! Each relation stands in the file twice, once in each direction, under two names; here it is kept
//! once, with the concept that is more than the other, so that an ingredient does not list the ten
//! thousand drugs it is in. `isa` is the hierarchy.

use crate::terminology::{Code, Concept, Property, property};

use super::files::ReleaseFile;
use super::input::Meter;
use super::rxnorm_files::{dialect, number};
use super::rxnorm_names::{Choice, Names, OWN, Words};
use super::table::Table;
use super::{ImportError, Tally};

const RELATION_COLUMNS: [&str; 16] = [
    "RXCUI1", "RXAUI1", "STYPE1", "REL", "RXCUI2", "RXAUI2", "STYPE2", "RELA", "RUI", "SRUI",
    "SAB", "SL", "DIR", "RG", "SUPPRESS", "CVF",
];
const RXCUI1: usize = 0;
const STYPE1: usize = 2;
const RXCUI2: usize = 4;
const STYPE2: usize = 6;
const RELA: usize = 7;
const RELATION_SAB: usize = 10;
const RELATION_SUPPRESS: usize = 14;

const ATTRIBUTE_COLUMNS: [&str; 13] = [
    "RXCUI", "LUI", "SUI", "RXAUI", "STYPE", "CODE", "ATUI", "SATUI", "ATN", "SAB", "ATV",
    "SUPPRESS", "CVF",
];
const RXCUI: usize = 0;
const ATN: usize = 8;
const ATTRIBUTE_SAB: usize = 9;
const ATV: usize = 10;
const ATTRIBUTE_SUPPRESS: usize = 11;

/// The attributes that are kept, and the properties they become: what drugs are filtered by.
const ATTRIBUTES: [(&str, &str); 8] = [
    ("NDC", property::NDC),
    ("RXN_AVAILABLE_STRENGTH", "RXN_AVAILABLE_STRENGTH"),
    ("RXN_STRENGTH", "RXN_STRENGTH"),
    ("RXN_QUANTITY", "RXN_QUANTITY"),
    ("RXN_QUALITATIVE_DISTINCTION", "RXN_QUALITATIVE_DISTINCTION"),
    ("RXN_HUMAN_DRUG", "RXN_HUMAN_DRUG"),
    ("RXN_VET_DRUG", "RXN_VET_DRUG"),
    ("RXTERM_FORM", "RXTERM_FORM"),
];

const IS_A: &str = "isa";

/// The relations that are kept the other way round, as the relation after them.
const INVERSES: [(&str, &str); 16] = [
    ("inverse_isa", IS_A),
    ("ingredient_of", "has_ingredient"),
    ("ingredients_of", "has_ingredients"),
    ("precise_ingredient_of", "has_precise_ingredient"),
    ("active_ingredient_of", "has_active_ingredient"),
    ("inactive_ingredient_of", "has_inactive_ingredient"),
    ("active_moiety_of", "has_active_moiety"),
    ("boss_of", "has_boss"),
    ("has_tradename", "tradename_of"),
    ("constitutes", "consists_of"),
    ("contained_in", "contains"),
    ("dose_form_of", "has_dose_form"),
    ("doseformgroup_of", "has_doseformgroup"),
    ("has_form", "form_of"),
    ("part_of", "has_part"),
    ("has_quantified_form", "quantified_form_of"),
];

/// What the other files say of the concepts: 12 bytes a relation, some 50 an attribute.
#[derive(Debug, Default)]
pub(super) struct Joins {
    /// From, what, to.
    relations: Vec<(u32, u16, u32)>,
    relation_names: Words,
    /// Of which concept, the place in [`ATTRIBUTES`], the value.
    attributes: Vec<(u32, u8, Box<str>)>,
}

impl Joins {
    pub(super) fn read_relations(
        &mut self,
        file: &ReleaseFile,
        meter: &Meter,
        read: Read<'_>,
    ) -> Result<(), ImportError> {
        let mut table = Table::open(file.open(meter)?, dialect(&RELATION_COLUMNS))?;
        let path = table.path().to_owned();
        while let Some(row) = table.next()? {
            let is_of_concepts = row.cell(STYPE1) == "CUI" && row.cell(STYPE2) == "CUI";
            let name = row.cell(RELA);
            let is_read = read.choice.has(row.cell(RELATION_SAB))
                && read.choice.takes(row.cell(RELATION_SUPPRESS));
            // The rest are relations of single names, and synonymy with concepts of the UMLS.
            if !is_of_concepts || !is_read || name.is_empty() {
                continue;
            }
            let (first, second) = (row.cell(RXCUI1), row.cell(RXCUI2));
            let known = |cell| number(cell).filter(|rxcui| read.names.has(*rxcui));
            let (Some(to), Some(from)) = (known(first), known(second)) else {
                let text = format!("{second} {name} {first}");
                read.tally.pass_over(NOT_READ, &path, row.line, &text);
                continue;
            };
            let inverse = INVERSES.iter().find(|(one, _)| *one == name);
            let (from, name, to) = inverse.map_or((from, name, to), |(_, other)| (to, other, from));
            self.relations.push((from, self.relation_names.number(name), to));
        }
        Ok(())
    }

    pub(super) fn read_attributes(
        &mut self,
        file: &ReleaseFile,
        meter: &Meter,
        read: Read<'_>,
    ) -> Result<(), ImportError> {
        let mut table = Table::open(file.open(meter)?, dialect(&ATTRIBUTE_COLUMNS))?;
        let path = table.path().to_owned();
        while let Some(row) = table.next()? {
            let name = row.cell(ATN);
            let Some(place) = ATTRIBUTES.iter().position(|(one, _)| *one == name) else { continue };
            // The NDCs of other sources are in forms of their own, and not always RxNorm's opinion.
            let is_own = row.cell(ATTRIBUTE_SAB) == OWN;
            let value = row.cell(ATV);
            if !is_own || value.is_empty() || !read.choice.takes(row.cell(ATTRIBUTE_SUPPRESS)) {
                continue;
            }
            match number(row.cell(RXCUI)).filter(|rxcui| read.names.has(*rxcui)) {
                Some(rxcui) => {
                    let place = u8::try_from(place).unwrap_or(u8::MAX);
                    self.attributes.push((rxcui, place, value.into()));
                }
                None => {
                    let text = format!("{} {name} {value}", row.cell(RXCUI));
                    read.tally.pass_over(NO_CONCEPT, &path, row.line, &text);
                }
            }
        }
        Ok(())
    }

    /// Puts what was read into the order of concepts.
    pub(super) fn sort(&mut self, tally: &mut Tally) {
        let names = &self.relation_names;
        self.relations
            .sort_by(|a, b| (a.0, names.word(a.1), a.2).cmp(&(b.0, names.word(b.1), b.2)));
        self.relations.dedup();
        self.attributes.sort();
        self.attributes.dedup();
        for (kind, count) in
            [("relations", self.relations.len()), ("attributes", self.attributes.len())]
        {
            if count > 0 {
                tally.read_many(kind, count as u64);
            }
        }
    }

    /// Gives a concept its parents, relations and attributes.
    pub(super) fn complete(&self, rxcui: u32, concept: &mut Concept) {
        let start = self.attributes.partition_point(|one| one.0 < rxcui);
        for (_, place, value) in self.attributes[start..].iter().take_while(|one| one.0 == rxcui) {
            if let Some((_, name)) = ATTRIBUTES.get(usize::from(*place)) {
                concept.properties.push(Property::text(name, &**value));
            }
        }
        let start = self.relations.partition_point(|one| one.0 < rxcui);
        for (_, name, to) in self.relations[start..].iter().take_while(|one| one.0 == rxcui) {
            match self.relation_names.word(*name) {
                IS_A => concept.parents.extend(Code::new(&to.to_string())),
                name => concept.properties.push(Property::code(name, to.to_string())),
            }
        }
    }
}

/// What the reading of a joined file looks at.
pub(super) struct Read<'r> {
    pub(super) choice: &'r Choice,
    pub(super) names: &'r Names,
    pub(super) tally: &'r mut Tally,
}

const NOT_READ: &str = "a relation with a concept that is not read";
const NO_CONCEPT: &str = "an attribute of a concept that is not read";
