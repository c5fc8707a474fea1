use twox_hash::XxHash3_64;

use crate::disk::{DiskError, Mapped, Part, PartWriter};
use crate::terminology::DesignationOrd;

/// The key of a text: XXH3-64 of its bytes. Two texts can share a key, so the caller compares.
fn key(text: &str) -> u64 {
    XxHash3_64::oneshot(text.as_bytes())
}

/// Collects texts with their designations, for one [`NameTable`].
#[derive(Debug, Default)]
pub(super) struct NameTableBuilder {
    rows: Vec<(u64, u32)>,
}

impl NameTableBuilder {
    pub(super) fn push(&mut self, text: &str, designation: DesignationOrd) {
        self.rows.push((key(text), designation.0));
    }

    /// Writes the two sections of the table.
    pub(super) fn write(
        mut self,
        part: &mut PartWriter,
        key_section: &str,
        ord_section: &str,
    ) -> Result<(), DiskError> {
        self.rows.sort_unstable();
        let (keys, ords): (Vec<u64>, Vec<u32>) = self.rows.into_iter().unzip();
        part.section(key_section, &keys)?;
        part.section(ord_section, &ords)
    }
}

/// Designations by the hash of a text: two parallel arrays in order of key, then of designation.
#[derive(Debug, Clone)]
pub(super) struct NameTable {
    keys: Mapped<u64>,
    ords: Mapped<u32>,
}

impl NameTable {
    pub(super) fn open(
        part: &Part,
        key_section: &str,
        ord_section: &str,
    ) -> Result<Self, DiskError> {
        let keys = part.section::<u64>(key_section)?;
        let ords = part.section_of::<u32>(ord_section, keys.len())?;
        Ok(Self { keys, ords })
    }

    /// The designations whose text has the key of this one, ascending.
    pub(super) fn find(&self, text: &str) -> impl Iterator<Item = DesignationOrd> {
        let key = key(text);
        let start = self.keys.partition_point(|other| *other < key);
        let equal = self.keys.iter().skip(start).take_while(move |other| **other == key).count();
        self.ords.iter().skip(start).take(equal).map(|ord| DesignationOrd(*ord))
    }
}
