//! What is in `map.bin`.

use bytemuck::{Pod, Zeroable};

use crate::terminology::{GemFlags, Relationship};

/// The number of the format of `map.bin`.
pub(super) const FORMAT: u32 = 2;

/// The names of the sections.
pub(super) mod section {
    /// The bytes of all texts, one after the other, each once, in the order of bytes.
    pub(in crate::maps) const TEXTS: &str = "texts";
    /// Where each text begins in `TEXTS`, and at the end its length.
    pub(in crate::maps) const TEXT_AT: &str = "text_at";
    /// The rows, by source.
    pub(in crate::maps) const ROWS: &str = "rows";
    /// The numbers of the rows that have a target, by target.
    pub(in crate::maps) const BY_TARGET: &str = "by_target";
}

/// Stands for a text or number that is not there.
pub(super) const NO_TEXT: u32 = u32::MAX;
pub(super) const NO_NUMBER: u16 = u16::MAX;

/// One row. Texts are numbers in the order of their bytes, so comparing rows compares texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Row {
    pub(super) source: u32,
    pub(super) group: u16,
    pub(super) priority: u16,
    /// Scenario and choice list of a GEM.
    pub(super) scenario: u8,
    pub(super) choice_list: u8,
    pub(super) relationship: u8,
    pub(super) flags: u8,
    pub(super) target: u32,
    pub(super) rule: u32,
    pub(super) advice: u32,
    pub(super) source_display: u32,
    pub(super) target_display: u32,
}

mod flag {
    pub(super) const GEM: u8 = 1;
    pub(super) const APPROXIMATE: u8 = 1 << 1;
    pub(super) const NO_MAP: u8 = 1 << 2;
    pub(super) const COMBINATION: u8 = 1 << 3;
}

impl Row {
    pub(super) fn set_gem(&mut self, gem: GemFlags) {
        let bit = |set: bool, bit: u8| if set { bit } else { 0 };
        self.flags = flag::GEM
            | bit(gem.approximate, flag::APPROXIMATE)
            | bit(gem.no_map, flag::NO_MAP)
            | bit(gem.combination, flag::COMBINATION);
        self.scenario = gem.scenario;
        self.choice_list = gem.choice_list;
    }

    pub(super) fn gem(&self) -> Option<GemFlags> {
        let has = |bit: u8| self.flags & bit != 0;
        has(flag::GEM).then(|| GemFlags {
            approximate: has(flag::APPROXIMATE),
            no_map: has(flag::NO_MAP),
            combination: has(flag::COMBINATION),
            scenario: self.scenario,
            choice_list: self.choice_list,
        })
    }
}

/// A relationship as its place in [`Relationship::ALL`].
pub(super) fn relationship_number(relationship: Relationship) -> u8 {
    let place = Relationship::ALL.iter().position(|one| *one == relationship);
    place.and_then(|place| u8::try_from(place).ok()).unwrap_or(u8::MAX)
}

/// The relationship with this number; a number that no version wrote promises nothing.
pub(super) fn relationship_of(number: u8) -> Relationship {
    Relationship::ALL.get(usize::from(number)).copied().unwrap_or(Relationship::RelatedTo)
}
