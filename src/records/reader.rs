use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::layout::{flag, section};
use super::writer::fold;
use super::{Details, RECORDS_FORMAT, RecordsError, details};
use crate::disk::{DiskError, Mapped, Part, PartKind};
use crate::terminology::{ConceptOrd, DesignationOrd, DesignationUse};

/// The records of an index, open for reading. Cheap to clone.
///
/// An ord that is not of this index, or a damaged place in the file, reads as the empty string, no
/// designations, or an error where the signature has room for one.
#[derive(Debug, Clone)]
pub struct Records(Arc<Sections>);

#[derive(Debug)]
struct Sections {
    part: Part,
    concepts: u32,
    code_at: Mapped<u32>,
    codes: Mapped<u8>,
    folded: Mapped<u32>,
    flags: Mapped<u8>,
    designation_at: Mapped<u32>,
    owner: Mapped<u32>,
    uses: Mapped<u8>,
    language: Mapped<u16>,
    language_at: Mapped<u32>,
    languages: Mapped<u8>,
    source: Mapped<u16>,
    source_at: Mapped<u32>,
    sources: Mapped<u8>,
    text_at: Mapped<u64>,
    texts: Mapped<u8>,
    details_at: Mapped<u64>,
    details: Mapped<u8>,
}

/// A designation as it lies in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DesignationRef<'a> {
    /// BCP 47 language tag.
    pub language: &'a str,
    /// What the name is for.
    pub use_: DesignationUse,
    /// The name.
    pub value: &'a str,
    /// Where the name is from, where that is not the release itself.
    pub source: Option<&'a str>,
}

impl Records {
    /// Opens the records of an index. Checks the header, that the sections have the lengths they
    /// must have to each other, and that every use is one this version knows (one byte a
    /// designation, so that [`Records::designation`] needs no error).
    ///
    /// # Errors
    /// [`RecordsError::Disk`] when the file is missing, of another kind or format, or damaged.
    pub fn open(path: &Path) -> Result<Self, RecordsError> {
        let part = Part::open(path, PartKind::Records, RECORDS_FORMAT)?;
        let flags: Mapped<u8> = part.section(section::FLAGS)?;
        let uses: Mapped<u8> = part.section(section::USE)?;
        let language_at: Mapped<u32> = part.section(section::LANGUAGE_AT)?;
        let n = flags.len();
        let designations = uses.len();
        let too_long = || part.damaged(section::FLAGS, "it has more concepts than there are ords");
        let sections = Sections {
            concepts: u32::try_from(n).map_err(|_| too_long())?,
            code_at: part.section_of(section::CODE_AT, n + 1)?,
            codes: part.section(section::CODES)?,
            folded: part.section_of(section::FOLDED, n)?,
            designation_at: part.section_of(section::DESIGNATION_AT, n + 1)?,
            owner: part.section_of(section::OWNER, designations)?,
            language: part.section_of(section::LANGUAGE, designations)?,
            languages: part.section(section::LANGUAGES)?,
            source: part.section(section::SOURCE)?,
            source_at: part.section(section::SOURCE_AT)?,
            sources: part.section(section::SOURCES)?,
            text_at: part.section_of(section::TEXT_AT, designations + 1)?,
            texts: part.section(section::TEXTS)?,
            details_at: part.section_of(section::DETAILS_AT, n + 1)?,
            details: part.section(section::DETAILS)?,
            flags,
            uses,
            language_at,
            part,
        };
        sections.check()?;
        Ok(Self(Arc::new(sections)))
    }

    /// Reads every byte and compares it with the checksums.
    ///
    /// # Errors
    /// [`RecordsError::Disk`] naming the first section that differs.
    pub fn verify(&self) -> Result<(), RecordsError> {
        Ok(self.0.part.verify()?)
    }

    /// How many concepts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.concepts as usize
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.concepts == 0
    }

    /// How many designations there are, displays among them.
    #[must_use]
    pub fn designation_count(&self) -> usize {
        self.0.uses.len()
    }

    /// The code of a concept.
    #[must_use]
    pub fn code(&self, ord: ConceptOrd) -> &str {
        std::str::from_utf8(self.0.code_bytes(ord.0)).unwrap_or_default()
    }

    /// The concept with exactly this code.
    #[must_use]
    pub fn find(&self, code: &str) -> Option<ConceptOrd> {
        let ord = self.insertion_point(code);
        (ord < self.0.concepts && self.0.code_bytes(ord) == code.as_bytes())
            .then_some(ConceptOrd(ord))
    }

    /// The concept with this code in any letter case: the one written exactly so where there is
    /// one, else the first in code order.
    #[must_use]
    pub fn find_folded(&self, code: &str) -> Option<ConceptOrd> {
        if let Some(exact) = self.find(code) {
            return Some(exact);
        }
        let wanted = fold(code);
        let folded = &*self.0.folded;
        let at =
            folded.partition_point(|ord| letters(self.code(ConceptOrd(*ord))).lt(wanted.chars()));
        let ord = ConceptOrd(*folded.get(at)?);
        letters(self.code(ord)).eq(wanted.chars()).then_some(ord)
    }

    /// The ords of the concepts whose codes begin with `prefix`, in the same letter case.
    #[must_use]
    pub fn with_prefix(&self, prefix: &str) -> Range<u32> {
        let start = self.insertion_point(prefix);
        let end = partition_point(start..self.0.concepts, |ord| {
            self.0.code_bytes(ord).starts_with(prefix.as_bytes())
        });
        start..end
    }

    /// How many concepts have a code before `code`: its ord if it is there, and where it would be
    /// if not.
    #[must_use]
    pub fn insertion_point(&self, code: &str) -> u32 {
        partition_point(0..self.0.concepts, |ord| self.0.code_bytes(ord) < code.as_bytes())
    }

    /// False for a retired concept.
    #[must_use]
    pub fn is_active(&self, ord: ConceptOrd) -> bool {
        self.0.flags(ord) & flag::ACTIVE != 0
    }

    /// False for a chapter, block or other grouper that is not itself a code to choose.
    #[must_use]
    pub fn is_selectable(&self, ord: ConceptOrd) -> bool {
        self.0.flags(ord) & flag::NOT_SELECTABLE == 0
    }

    /// Whether the code may be reported on a claim, where the release says so.
    #[must_use]
    pub fn is_billable(&self, ord: ConceptOrd) -> Option<bool> {
        let flags = self.0.flags(ord);
        (flags & flag::BILLABLE_STATED != 0).then_some(flags & flag::BILLABLE != 0)
    }

    /// The numbers of a concept's designations, its display first.
    #[must_use]
    pub fn designations(&self, ord: ConceptOrd) -> Range<u32> {
        let at = &*self.0.designation_at;
        let Some((start, end)) = at.get(ord.index()).zip(at.get(ord.index().saturating_add(1)))
        else {
            return 0..0;
        };
        if start <= end && *end as usize <= self.designation_count() { *start..*end } else { 0..0 }
    }

    /// A designation.
    #[must_use]
    pub fn designation(&self, ord: DesignationOrd) -> DesignationRef<'_> {
        let sections = &*self.0;
        let language = sections.language.get(ord.index()).copied().map(usize::from);
        // `open` has seen that every use is known; an ord of another index has none at all.
        let use_ = sections
            .uses
            .get(ord.index())
            .and_then(|number| DesignationUse::ALL.get(usize::from(*number)))
            .copied()
            .unwrap_or(DesignationUse::WordBag);
        DesignationRef {
            language: language
                .and_then(|index| span(&sections.language_at, index))
                .map_or("", |range| text(&sections.languages, range)),
            use_,
            value: sections.designation_text(ord.index()),
            source: sections.source_of(ord.index()),
        }
    }

    /// The languages of the designations, BCP 47, each once.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        let sections = &*self.0;
        let all = 0..sections.language_at.len().saturating_sub(1);
        all.filter_map(|index| span(&sections.language_at, index))
            .map(|range| text(&sections.languages, range))
    }

    /// The concept whose designation this is. Always below [`Records::len`], unless that is zero.
    #[must_use]
    pub fn owner(&self, ord: DesignationOrd) -> ConceptOrd {
        let last = self.0.concepts.saturating_sub(1);
        ConceptOrd(self.0.owner.get(ord.index()).map_or(last, |owner| (*owner).min(last)))
    }

    /// The preferred name of a concept, in the release's language.
    #[must_use]
    pub fn display(&self, ord: ConceptOrd) -> &str {
        let sections = &*self.0;
        let first = sections.designation_at.get(ord.index()).filter(|_| ord.0 < sections.concepts);
        first.map_or("", |first| sections.designation_text(*first as usize))
    }

    /// The properties and the definition of a concept, decoded anew at each call.
    ///
    /// # Errors
    /// [`RecordsError::Decode`] when they are damaged, [`RecordsError::Disk`] when there is no
    /// place for them, which is also so for an ord of another index.
    pub fn details(&self, ord: ConceptOrd) -> Result<Details, RecordsError> {
        let sections = &*self.0;
        let bytes = span(&sections.details_at, ord.index())
            .and_then(|range| sections.details.get(range))
            .ok_or_else(|| {
                sections.part.damaged(section::DETAILS_AT, "it has no place for a concept")
            })?;
        details::decode(bytes).map_err(|e| RecordsError::Decode { ord, source: Box::new(e) })
    }
}

impl Sections {
    /// What can be checked without reading all of it: each table of offsets ends where its bytes
    /// end, and uses are known.
    fn check(&self) -> Result<(), DiskError> {
        let last_u32 = |at: &[u32]| at.last().map(|end| u64::from(*end));
        let ends = [
            (section::CODE_AT, last_u32(&self.code_at), self.codes.len()),
            (section::DESIGNATION_AT, last_u32(&self.designation_at), self.uses.len()),
            (section::LANGUAGE_AT, last_u32(&self.language_at), self.languages.len()),
            (section::SOURCE_AT, last_u32(&self.source_at), self.sources.len()),
            (section::TEXT_AT, self.text_at.last().copied(), self.texts.len()),
            (section::DETAILS_AT, self.details_at.last().copied(), self.details.len()),
        ];
        for (name, end, len) in ends {
            if end != Some(len as u64) {
                return Err(self.part.damaged(name, "it does not end where its bytes end"));
            }
        }
        if ![0, self.uses.len()].contains(&self.source.len()) {
            return Err(self.part.damaged(section::SOURCE, "it is not one a designation"));
        }
        // A maximum instead of a search: it has no early exit and so runs 16 bytes at a time.
        let highest = self.uses.iter().copied().max().unwrap_or_default();
        if usize::from(highest) >= DesignationUse::ALL.len() {
            return Err(self.part.damaged(section::USE, "it has a use that is not known"));
        }
        Ok(())
    }

    fn code_bytes(&self, ord: u32) -> &[u8] {
        span(&self.code_at, ord as usize)
            .and_then(|range| self.codes.get(range))
            .unwrap_or_default()
    }

    fn flags(&self, ord: ConceptOrd) -> u8 {
        self.flags.get(ord.index()).copied().unwrap_or_default()
    }

    fn source_of(&self, index: usize) -> Option<&str> {
        let number = usize::from(*self.source.get(index)?).checked_sub(1)?;
        span(&self.source_at, number).map(|range| text(&self.sources, range))
    }

    fn designation_text(&self, index: usize) -> &str {
        span(&self.text_at, index).map_or("", |range| text(&self.texts, range))
    }
}

/// The place of item `index` in a table of offsets, as the table has it.
fn span<T: Copy + TryInto<usize>>(at: &[T], index: usize) -> Option<Range<usize>> {
    let start = (*at.get(index)?).try_into().ok()?;
    let end = (*at.get(index.checked_add(1)?)?).try_into().ok()?;
    Some(start..end)
}

fn text(bytes: &[u8], range: Range<usize>) -> &str {
    bytes.get(range).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
}

fn letters(code: &str) -> impl Iterator<Item = char> {
    code.chars().flat_map(char::to_lowercase)
}

/// The first ord of the range for which `before` is false, where it is true for those before.
fn partition_point(range: Range<u32>, before: impl Fn(u32) -> bool) -> u32 {
    let Range { mut start, mut end } = range;
    while start < end {
        let middle = start + (end - start) / 2;
        if before(middle) { start = middle + 1 } else { end = middle }
    }
    start
}
