use std::fs::File;
use std::hash::Hasher as _;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bytemuck::NoUninit;
use twox_hash::XxHash3_64;

use super::header::{Header, SectionEntry, checksum};
use super::{DiskError, HEADER_LEN, PartKind};

/// What was written: for the manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartSummary {
    /// Length of the file in bytes.
    pub len: u64,
    /// XXH3-64 of the table of sections, which holds the checksum of every section.
    pub checksum: u64,
}

/// Writes one part of an index, section after section.
///
/// The file is complete only after [`PartWriter::finish`]: until then its header is zero and no
/// reader accepts it.
pub struct PartWriter {
    path: PathBuf,
    file: BufWriter<File>,
    header: Header,
    at: u64,
    open: Option<OpenSection>,
    table: Vec<SectionEntry>,
}

struct OpenSection {
    name: [u8; 16],
    at: u64,
    hasher: XxHash3_64,
}

impl PartWriter {
    /// Creates the file, which must not exist.
    ///
    /// # Errors
    /// [`DiskError`] when it cannot be created.
    pub fn create(path: &Path, kind: PartKind, format: u32) -> Result<Self, DiskError> {
        let file = File::create_new(path).map_err(|e| DiskError::io(path, "creating it", e))?;
        let mut writer = Self {
            path: path.to_owned(),
            file: BufWriter::with_capacity(1 << 20, file),
            header: Header::new(kind, format),
            at: 0,
            open: None,
            table: Vec::new(),
        };
        writer.put(&[0; HEADER_LEN])?;
        Ok(writer)
    }

    /// Writes a whole section.
    ///
    /// # Errors
    /// [`DiskError`] when the disk refuses, or the name is longer than 16 bytes or used twice.
    pub fn section<T: NoUninit>(&mut self, name: &str, values: &[T]) -> Result<(), DiskError> {
        self.begin(name)?;
        self.append(values)
    }

    /// Begins a section whose values follow in pieces; it ends where the next one begins.
    ///
    /// # Errors
    /// As [`PartWriter::section`].
    pub fn begin(&mut self, name: &str) -> Result<(), DiskError> {
        self.end_section();
        let refuse = |reason| self.refused(name, reason);
        let mut padded = [0; 16];
        padded
            .get_mut(..name.len())
            .ok_or_else(|| refuse("its name is longer than 16 bytes"))?
            .copy_from_slice(name.as_bytes());
        if self.table.iter().any(|entry| entry.name == padded) {
            return Err(refuse("it is written twice"));
        }
        let padding = self.at.next_multiple_of(HEADER_LEN as u64) - self.at;
        self.put(&[0; HEADER_LEN][..usize::try_from(padding).unwrap_or(0)])?;
        self.open = Some(OpenSection { name: padded, at: self.at, hasher: XxHash3_64::new() });
        Ok(())
    }

    /// An error about a section that cannot be written.
    pub(super) fn refused(&self, section: &str, reason: &'static str) -> DiskError {
        DiskError::section(&self.path, section, reason)
    }

    /// Appends values to the section that was begun last.
    ///
    /// # Errors
    /// [`DiskError`] when the disk refuses.
    pub fn append<T: NoUninit>(&mut self, values: &[T]) -> Result<(), DiskError> {
        let bytes: &[u8] = bytemuck::cast_slice(values);
        if let Some(open) = &mut self.open {
            open.hasher.write(bytes);
        }
        self.put(bytes)
    }

    /// Writes the table and the header, and waits until the disk has everything.
    ///
    /// # Errors
    /// [`DiskError`] when the disk refuses; the file is then useless, and no reader accepts it.
    pub fn finish(mut self) -> Result<PartSummary, DiskError> {
        self.end_section();
        let padding = self.at.next_multiple_of(HEADER_LEN as u64) - self.at;
        self.put(&[0; HEADER_LEN][..usize::try_from(padding).unwrap_or(0)])?;
        let table = std::mem::take(&mut self.table);
        let bytes: &[u8] = bytemuck::cast_slice(&table);
        let mut header = self.header;
        header.table_at = self.at;
        header.sections = table.len() as u64;
        header.table_checksum = checksum(bytes);
        self.put(bytes)?;
        header.file_len = self.at;

        let failed = |e| DiskError::io(&self.path, "writing it", e);
        self.file.seek(SeekFrom::Start(0)).map_err(failed)?;
        self.file.write_all(bytemuck::bytes_of(&header.sealed())).map_err(failed)?;
        self.file.flush().map_err(failed)?;
        self.file.get_ref().sync_all().map_err(failed)?;
        Ok(PartSummary { len: header.file_len, checksum: header.table_checksum })
    }

    fn end_section(&mut self) {
        if let Some(open) = self.open.take() {
            self.table.push(SectionEntry {
                name: open.name,
                at: open.at,
                len: self.at - open.at,
                checksum: open.hasher.finish(),
            });
        }
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), DiskError> {
        self.file.write_all(bytes).map_err(|e| DiskError::io(&self.path, "writing it", e))?;
        self.at += bytes.len() as u64;
        Ok(())
    }
}
