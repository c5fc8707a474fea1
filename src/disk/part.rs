use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytemuck::AnyBitPattern;
use memmap2::Mmap;

use super::header::{Header, SectionEntry, checksum};
use super::mapped::{Mapped, map};
use super::{DiskError, DiskErrorKind, HEADER_LEN, PartKind, PartSummary};

/// One part of an index, open for reading.
#[derive(Debug, Clone)]
pub struct Part {
    path: PathBuf,
    map: Arc<Mmap>,
    table: Vec<SectionEntry>,
    table_at: usize,
}

impl Part {
    /// Opens a part and checks its header, its length and its table of sections: a few hundred
    /// bytes, whatever the size of the file. [`Part::verify`] checks the rest.
    ///
    /// # Errors
    /// [`DiskError`] when the file is missing, is not this kind or format of part, or is damaged.
    pub fn open(path: &Path, kind: PartKind, format: u32) -> Result<Self, DiskError> {
        let map = map(path)?;
        let found = map.len() as u64;
        let head = map.get(..HEADER_LEN).ok_or_else(|| {
            DiskError::new(path, DiskErrorKind::Length { expected: HEADER_LEN as u64, found })
        })?;
        let header: Header = bytemuck::pod_read_unaligned(head);
        header.check(path, kind, format, found)?;

        let damaged = || {
            DiskError::new(path, DiskErrorKind::Checksum { what: "the table of sections".into() })
        };
        let table_at = usize::try_from(header.table_at).map_err(|_| damaged())?;
        let bytes = map.get(table_at..).ok_or_else(damaged)?;
        if checksum(bytes) != header.table_checksum {
            return Err(damaged());
        }
        let table: Vec<SectionEntry> = bytes
            .chunks_exact(size_of::<SectionEntry>())
            .map(bytemuck::pod_read_unaligned)
            .collect();
        if table.len() as u64 != header.sections {
            return Err(damaged());
        }
        Ok(Self { path: path.to_owned(), map, table, table_at })
    }

    /// Length and checksum of a part as its header has them, to tell it from another part of the
    /// same kind; reads 64 bytes and checks nothing else.
    ///
    /// # Errors
    /// [`DiskError`] when the file cannot be read or is shorter than a header.
    pub fn summary(path: &Path) -> Result<PartSummary, DiskError> {
        let failed = |e| DiskError::io(path, "reading its header", e);
        let mut file = std::fs::File::open(path).map_err(failed)?;
        let found = file.metadata().map_err(failed)?.len();
        let mut head = [0; HEADER_LEN];
        let length = DiskErrorKind::Length { expected: HEADER_LEN as u64, found };
        file.read_exact(&mut head).map_err(|_| DiskError::new(path, length))?;
        let header: Header = bytemuck::pod_read_unaligned(&head);
        Ok(PartSummary { len: found, checksum: header.table_checksum })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file's length in bytes.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.map.len() as u64
    }

    /// Whether the part has no sections.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// The names of the sections, in the order in which they were written.
    pub fn sections(&self) -> impl Iterator<Item = &str> {
        self.table.iter().map(SectionEntry::name)
    }

    /// A section as a slice of values.
    ///
    /// # Errors
    /// [`DiskErrorKind::Section`] when there is none of this name or it does not fit the type.
    pub fn section<T: AnyBitPattern>(&self, name: &str) -> Result<Mapped<T>, DiskError> {
        let refuse = |reason| DiskError::section(&self.path, name, reason);
        let entry = self
            .table
            .iter()
            .find(|entry| entry.name() == name)
            .ok_or_else(|| refuse("it is missing"))?;
        let range = entry.range().ok_or_else(|| refuse("it reaches past the end of the file"))?;
        Mapped::new(Arc::clone(&self.map), range).map_err(refuse)
    }

    /// A section that must hold exactly `len` values.
    ///
    /// # Errors
    /// As [`Part::section`], and when the length is another one.
    pub fn section_of<T: AnyBitPattern>(
        &self,
        name: &str,
        len: usize,
    ) -> Result<Mapped<T>, DiskError> {
        let values = self.section(name)?;
        if values.len() == len {
            Ok(values)
        } else {
            Err(DiskError::section(
                &self.path,
                name,
                "it has another number of values than its neighbors",
            ))
        }
    }

    /// An error about a section of this part whose values make no sense together.
    #[must_use]
    pub fn damaged(&self, section: &str, reason: &'static str) -> DiskError {
        DiskError::section(&self.path, section, reason)
    }

    /// Reads every byte and compares it with the checksums, and checks that nothing but padding
    /// lies between the sections.
    ///
    /// # Errors
    /// [`DiskErrorKind::Checksum`] naming the first section that differs.
    pub fn verify(&self) -> Result<(), DiskError> {
        let refuse = |what: String| DiskError::new(&self.path, DiskErrorKind::Checksum { what });
        let is_padding = |range: Range<usize>| {
            self.map.get(range).is_some_and(|bytes| bytes.iter().all(|byte| *byte == 0))
        };
        let mut end = HEADER_LEN;
        for entry in &self.table {
            let section = || refuse(format!("section {:?}", entry.name()));
            let range = entry.range().ok_or_else(section)?;
            let bytes = self.map.get(range.clone()).ok_or_else(section)?;
            if !is_padding(end..range.start) || checksum(bytes) != entry.checksum {
                return Err(section());
            }
            end = range.end;
        }
        if !is_padding(end..self.table_at) {
            return Err(refuse("the padding before the table of sections".to_owned()));
        }
        Ok(())
    }
}

impl SectionEntry {
    pub(super) fn name(&self) -> &str {
        let end = self.name.iter().position(|byte| *byte == 0).unwrap_or(self.name.len());
        std::str::from_utf8(&self.name[..end]).unwrap_or("?")
    }

    fn range(&self) -> Option<Range<usize>> {
        let start = usize::try_from(self.at).ok()?;
        let end = start.checked_add(usize::try_from(self.len).ok()?)?;
        Some(start..end)
    }
}
