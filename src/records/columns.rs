use super::RecordsError;
use super::layout::section;
use super::writer::fits_u32;
use crate::disk::PartWriter;
use crate::terminology::{Designation, DesignationUse};

/// A designation to be written.
pub(super) struct Name<'a> {
    language: &'a str,
    use_: DesignationUse,
    value: &'a str,
    source: Option<&'a str>,
}

impl<'a> Name<'a> {
    /// The preferred name in the release's language.
    pub(super) fn display(language: &'a str, value: &'a str) -> Self {
        Self { language, use_: DesignationUse::Display, value, source: None }
    }
}

impl<'a> From<&'a Designation> for Name<'a> {
    fn from(name: &'a Designation) -> Self {
        let (language, value) = (name.language.as_str(), name.value.as_str());
        Self { language, use_: name.use_, value, source: name.source.as_deref() }
    }
}

/// The designations as columns, one value a designation.
pub(super) struct Columns {
    designation_at: Vec<u32>,
    owner: Vec<u32>,
    uses: Vec<u8>,
    text_at: Vec<u64>,
    language: Vec<u16>,
    languages: Table,
    source: Vec<u16>,
    sources: Table,
}

impl Columns {
    pub(super) fn new() -> Self {
        Self {
            designation_at: vec![0],
            owner: Vec::new(),
            uses: Vec::new(),
            text_at: vec![0],
            language: Vec::new(),
            languages: Table::new("languages"),
            source: Vec::new(),
            sources: Table::new("sources of designations"),
        }
    }

    pub(super) fn push(&mut self, owner: u32, name: &Name<'_>) -> Result<(), RecordsError> {
        self.language.push(self.languages.number(name.language)?);
        self.source.push(match name.source {
            Some(source) => self.sources.number(source)?.saturating_add(1),
            None => 0,
        });
        self.owner.push(owner);
        self.uses.push(use_number(name.use_)?);
        let end = self.text_at.last().copied().unwrap_or_default();
        self.text_at.push(end + name.value.len() as u64);
        Ok(())
    }

    /// What follows belongs to the next concept.
    pub(super) fn end_concept(&mut self) -> Result<(), RecordsError> {
        self.designation_at.push(fits_u32("designations", self.owner.len())?);
        Ok(())
    }

    /// Writes the columns and answers how many designations they have.
    pub(super) fn write(&self, writer: &mut PartWriter) -> Result<u32, RecordsError> {
        writer.section(section::TEXT_AT, &self.text_at)?;
        writer.section(section::DESIGNATION_AT, &self.designation_at)?;
        writer.section(section::OWNER, &self.owner)?;
        writer.section(section::USE, &self.uses)?;
        writer.section(section::LANGUAGE, &self.language)?;
        self.languages.write(writer, [section::LANGUAGES, section::LANGUAGE_AT])?;
        // Most releases have no name from elsewhere, and need no column to say so.
        let source: &[u16] = if self.sources.texts.is_empty() { &[] } else { &self.source };
        writer.section(section::SOURCE, source)?;
        self.sources.write(writer, [section::SOURCES, section::SOURCE_AT])?;
        fits_u32("designations", self.owner.len())
    }
}

/// Texts that many designations share, in the order in which they came.
struct Table {
    what: &'static str,
    texts: Vec<String>,
}

impl Table {
    fn new(what: &'static str) -> Self {
        Self { what, texts: Vec::new() }
    }

    /// The number of a text, a new one where it is new. An index has a handful of languages and
    /// sources, so a table and a walk through it are enough.
    fn number(&mut self, text: &str) -> Result<u16, RecordsError> {
        let known = self.texts.iter().position(|one| one == text);
        let number = known.unwrap_or_else(|| {
            self.texts.push(text.to_owned());
            self.texts.len() - 1
        });
        // The last number is left free: the column of sources counts from 1.
        let limit = u64::from(u16::MAX);
        u16::try_from(number)
            .ok()
            .filter(|number| *number < u16::MAX)
            .ok_or(RecordsError::TooMany { what: self.what, limit })
    }

    fn write(
        &self,
        writer: &mut PartWriter,
        [texts, offsets]: [&str; 2],
    ) -> Result<(), RecordsError> {
        writer.section(texts, self.texts.concat().as_bytes())?;
        let mut at = vec![0u32];
        let mut end = 0;
        for text in &self.texts {
            end += text.len();
            at.push(fits_u32("bytes of shared texts", end)?);
        }
        writer.section(offsets, &at)?;
        Ok(())
    }
}

/// A use as its place in [`DesignationUse::ALL`].
fn use_number(use_: DesignationUse) -> Result<u8, RecordsError> {
    let limit = DesignationUse::ALL.len();
    let place = DesignationUse::ALL.iter().position(|one| *one == use_).unwrap_or(limit);
    u8::try_from(place)
        .ok()
        .filter(|_| place < limit)
        .ok_or(RecordsError::TooMany { what: "uses of designations", limit: limit as u64 })
}
