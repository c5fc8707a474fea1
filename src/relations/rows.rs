//! The attributes of concepts as they lie in the file.

use crate::disk::{DiskError, Mapped, Part, Texts};
use crate::terminology::ConceptOrd;

use super::layout::{kind, section};

/// One defining attribute of a concept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoredRelation<'r> {
    /// Relations of the same number belong together; 0 stands for none.
    pub group: u16,
    /// The attribute, itself a concept.
    pub attribute: ConceptOrd,
    /// What the attribute is.
    pub value: StoredValue<'r>,
}

/// The value of an attribute.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum StoredValue<'r> {
    /// A concept.
    Concept(ConceptOrd),
    /// A whole number.
    Integer(i64),
    /// A finite number.
    Decimal(f64),
    /// A text.
    Text(&'r str),
}

/// All attributes, by concept.
#[derive(Debug)]
pub(super) struct Rows {
    at: Mapped<u32>,
    attribute: Mapped<u32>,
    group: Mapped<u16>,
    kind: Mapped<u8>,
    value: Mapped<u64>,
    texts: Texts,
}

impl Rows {
    pub(super) fn open(part: &Part) -> Result<Self, DiskError> {
        let at: Mapped<u32> = part.section(section::RELATION_AT)?;
        let attribute: Mapped<u32> = part.section(section::ATTRIBUTE)?;
        let n = attribute.len();
        if at.last().map(|end| *end as usize) != Some(n) {
            let reason = "it does not end where its values end";
            return Err(part.damaged(section::RELATION_AT, reason));
        }
        Ok(Self {
            at,
            attribute,
            group: part.section_of(section::GROUP, n)?,
            kind: part.section_of(section::KIND, n)?,
            value: part.section_of(section::VALUE, n)?,
            texts: Texts::open(part, [section::TEXT_AT, section::TEXT])?,
        })
    }

    /// How many concepts there are.
    pub(super) fn concepts(&self) -> usize {
        self.at.len().saturating_sub(1)
    }

    /// How many relations there are.
    pub(super) fn len(&self) -> usize {
        self.attribute.len()
    }

    /// The relations of a concept, without those that a damaged file made up.
    pub(super) fn of(&self, ord: ConceptOrd) -> impl Iterator<Item = StoredRelation<'_>> {
        let start = self.at.get(ord.index()).copied().unwrap_or_default() as usize;
        let end = self.at.get(ord.index().saturating_add(1)).copied().unwrap_or_default() as usize;
        (start..end.min(self.len())).filter_map(|at| self.get(at))
    }

    fn get(&self, at: usize) -> Option<StoredRelation<'_>> {
        let bits = *self.value.get(at)?;
        let value = match *self.kind.get(at)? {
            kind::CONCEPT => StoredValue::Concept(self.known(u32::try_from(bits).ok()?)?),
            kind::INTEGER => StoredValue::Integer(bits.cast_signed()),
            kind::DECIMAL => {
                StoredValue::Decimal(Some(f64::from_bits(bits)).filter(|value| value.is_finite())?)
            }
            kind::TEXT => StoredValue::Text(self.texts.get(usize::try_from(bits).ok()?)),
            _ => return None,
        };
        let attribute = self.known(*self.attribute.get(at)?)?;
        Some(StoredRelation { group: *self.group.get(at)?, attribute, value })
    }

    fn known(&self, ord: u32) -> Option<ConceptOrd> {
        Some(ConceptOrd(ord)).filter(|ord| ord.index() < self.concepts())
    }
}
