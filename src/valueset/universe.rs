use std::error::Error;

use roaring::RoaringBitmap;

use crate::terminology::{ConceptOrd, Property, PropertyValue};

/// A set of concepts of one terminology, by their ords.
pub type ConceptSet = RoaringBitmap;

/// Why a terminology could not be read, as whoever holds it says it.
pub type DataError = Box<dyn Error + Send + Sync>;

/// What an expression is evaluated over: a terminology, as far as expressions ask about it.
///
/// Concepts are numbered from 0 to [`Universe::len`] in code order, and no other number is ever
/// asked for or returned.
pub trait Universe {
    /// The canonical URI of the terminology.
    fn system(&self) -> &str;

    /// Its version.
    fn version(&self) -> &str;

    /// How many concepts it has, retired ones among them.
    fn len(&self) -> u32;

    /// Whether it has none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The concept with this code, in any spelling that the terminology accepts.
    fn find(&self, code: &str) -> Option<ConceptOrd>;

    /// The code of a concept.
    fn code(&self, ord: ConceptOrd) -> &str;

    /// The preferred name of a concept.
    fn display(&self, ord: ConceptOrd) -> &str;

    /// False for a retired concept.
    fn is_active(&self, ord: ConceptOrd) -> bool;

    /// Whether anything is known to be above anything else.
    fn has_hierarchy(&self) -> bool;

    /// What is above any of these, at any distance.
    fn ancestors(&self, of: &ConceptSet) -> ConceptSet;

    /// What is below any of these, at any distance.
    fn descendants(&self, of: &ConceptSet) -> ConceptSet;

    /// What is directly above any of these.
    fn parents(&self, of: &ConceptSet) -> ConceptSet;

    /// What is directly below any of these.
    fn children(&self, of: &ConceptSet) -> ConceptSet;

    /// The members of a reference set; `None` where none are known.
    ///
    /// # Errors
    /// [`DataError`] when they cannot be read.
    fn members(&self, refset: &str) -> Result<Option<ConceptSet>, DataError>;

    /// Whether any concept has attributes.
    fn has_attributes(&self) -> bool;

    /// Adds the attributes of a concept, in the order of their groups.
    fn attributes<'u>(&'u self, ord: ConceptOrd, into: &mut Vec<HeldAttribute<'u>>);

    /// How many attributes of others have this concept as their value.
    fn source_count(&self, value: ConceptOrd) -> u64;

    /// Adds the attributes of others that have this concept as their value.
    fn sources(&self, value: ConceptOrd, into: &mut Vec<HeldSource>);

    /// Adds the names that the release itself has in use for a concept.
    fn names<'u>(&'u self, ord: ConceptOrd, into: &mut Vec<HeldName<'u>>);

    /// A text as words to compare: in lower case, without accents, one space between words.
    fn normalize(&self, text: &str) -> String;

    /// The properties of a concept.
    ///
    /// # Errors
    /// [`DataError`] when they cannot be read.
    fn properties(&self, ord: ConceptOrd) -> Result<Vec<Property>, DataError>;

    /// The concepts that have a property with exactly this value, where that is known without looking
    /// at each of them; `None` where it is not.
    ///
    /// # Errors
    /// [`DataError`] when they cannot be read.
    fn with_property(
        &self,
        property: &str,
        value: &PropertyValue,
    ) -> Result<Option<ConceptSet>, DataError>;
}

/// An attribute of a concept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeldAttribute<'u> {
    /// Attributes of the same number belong together; 0 stands for none.
    pub group: u16,
    /// Which attribute.
    pub attribute: ConceptOrd,
    /// Its value.
    pub value: HeldValue<'u>,
}

/// The value of an attribute.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum HeldValue<'u> {
    /// A concept.
    Concept(ConceptOrd),
    /// A whole number.
    Integer(i64),
    /// A finite number.
    Decimal(f64),
    /// A text; flags are the texts `true` and `false`.
    Text(&'u str),
}

/// An attribute, seen from its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldSource {
    /// The concept that has the attribute.
    pub source: ConceptOrd,
    /// Which attribute.
    pub attribute: ConceptOrd,
}

/// A name of a concept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldName<'u> {
    /// BCP 47 language tag.
    pub language: &'u str,
    /// The name.
    pub value: &'u str,
}
