use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use tantivy::columnar::ColumnValues;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::TermInfo;
use tantivy::schema::{Field, Term};
use tantivy::{Index, InvertedIndexReader, ReloadPolicy, Score, Searcher, SegmentReader};

use super::bm25::{self, Saturation};
use super::directory::PackedDirectory;
use super::engine::{Fields, ORD, guard};
use super::forward::Forward;
use super::names::NameTable;
use super::{LEXICAL_FORMAT, LexicalError, Words};
use crate::disk::{Part, PartKind};
use crate::terminology::DesignationOrd;
use crate::text::NameWord;

/// `lexical.bin`, open for reading. Cheap to clone; any number of threads may ask at once.
#[derive(Clone)]
pub struct LexicalIndex {
    inner: Arc<Inner>,
}

struct Inner {
    part: Part,
    segment: Segment,
    words: Words,
    /// `None` where an earlier medterm built the index.
    forward: Option<Forward>,
    names: NameTable,
    bare_names: NameTable,
    /// `None` where an earlier medterm built the index.
    short_forms: Option<NameTable>,
}

/// The one segment and the pieces of it that each query needs.
pub(super) struct Segment {
    pub(super) name: Field,
    pub(super) searcher: Searcher,
    pub(super) reader: SegmentReader,
    pub(super) postings: Arc<InvertedIndexReader>,
    /// The lengths of the documents; `None` when there are no documents.
    pub(super) lengths: Option<FieldNormReader>,
    pub(super) saturation: Saturation,
    /// Document → designation; `None` when there are no documents.
    pub(super) designations: Option<Arc<dyn ColumnValues<u64>>>,
}

impl Segment {
    fn open(directory: PackedDirectory) -> tantivy::Result<Self> {
        let (Fields { name, .. }, _) = Fields::schema();
        let index = Index::open(directory)?;
        let searcher = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .doc_store_cache_num_blocks(0)
            .try_into()?
            .searcher();
        let [reader] = searcher.segment_readers() else {
            return Err(tantivy::TantivyError::InternalError("not exactly one segment".to_owned()));
        };
        let reader = reader.clone();
        let designations = reader.fast_fields().column_opt::<u64>(ORD)?;
        let postings = reader.inverted_index(name)?;
        let mean_length = postings.total_num_tokens() as Score / reader.max_doc() as Score;
        Ok(Self {
            name,
            postings,
            saturation: Saturation::new(mean_length),
            lengths: reader.fieldnorms_readers().get_field(name)?,
            designations: designations.map(|column| column.first_or_default_col(u64::MAX)),
            reader,
            searcher,
        })
    }

    /// Where the postings of a stem are; `None` when no document has it.
    pub(super) fn term(&self, stem: &str) -> tantivy::Result<Option<TermInfo>> {
        Ok(self.postings.get_term_info(&Term::from_field_text(self.name, stem))?)
    }
}

impl LexicalIndex {
    /// Opens the part: reads all of it against its checksums (a few megabytes), then hands its
    /// sections to tantivy. Nothing is written, so a read-only disk will do.
    ///
    /// # Errors
    /// [`LexicalError::Disk`] when the file is missing, damaged or of another kind or format;
    /// [`LexicalError::Engine`] and [`LexicalError::Panicked`] when tantivy does not accept it.
    pub fn open(path: &Path) -> Result<Self, LexicalError> {
        let part = Part::open(path, PartKind::Lexical, LEXICAL_FORMAT)?;
        part.verify()?;
        let directory = PackedDirectory::new(&part)?;
        let segment = guard("opening the segment", || Segment::open(directory))?;
        let words = Words::open(&part)?;
        let forward = Forward::open(&part)?;
        let names = NameTable::open(&part, "name_key", "name_ord")?;
        let bare_names = NameTable::open(&part, "bare_key", "bare_ord")?;
        let short_forms = match part.sections().any(|section| section == "short_key") {
            true => Some(NameTable::open(&part, "short_key", "short_ord")?),
            false => None,
        };
        let inner = Inner { part, segment, words, forward, names, bare_names, short_forms };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Reads all of the part against its checksums once more, as [`LexicalIndex::open`] did.
    ///
    /// # Errors
    /// [`LexicalError::Disk`] when a byte changed since.
    pub fn verify(&self) -> Result<(), LexicalError> {
        Ok(self.inner.part.verify()?)
    }

    /// How many designations there are.
    #[must_use]
    pub fn documents(&self) -> u32 {
        self.inner.segment.reader.max_doc()
    }

    /// In how many designations a stem occurs. 0 also when tantivy fails, which it does not on
    /// bytes whose checksums agreed; the search that follows then reports it.
    #[must_use]
    pub fn document_frequency(&self, stem: &str) -> u32 {
        let term = guard("looking up a term", || self.inner.segment.term(stem));
        term.ok().flatten().map_or(0, |term| term.doc_freq)
    }

    /// The stems that begin with `prefix`, each with the number of designations it occurs in: the
    /// most frequent `limit` of them, most frequent first, equal ones in the order of their text.
    /// Empty also when tantivy fails, as with [`LexicalIndex::document_frequency`].
    #[must_use]
    pub fn stems_with_prefix(&self, prefix: &str, limit: usize) -> Vec<(String, u32)> {
        let read = || {
            let mut found = Vec::new();
            let mut stems = self.inner.segment.postings.terms().range().ge(prefix).into_stream()?;
            while let Some((stem, term)) = stems.next() {
                if !stem.starts_with(prefix.as_bytes()) {
                    break;
                }
                found.push((String::from_utf8_lossy(stem).into_owned(), term.doc_freq));
            }
            Ok(found)
        };
        let mut found = guard("listing terms", read).unwrap_or_default();
        // Sorting is stable and the stems came in the order of their text.
        found.sort_by_key(|(_, frequency)| std::cmp::Reverse(*frequency));
        found.truncate(limit);
        found
    }

    /// The vocabulary of whole words.
    #[must_use]
    pub fn words(&self) -> &Words {
        &self.inner.words
    }

    /// Adds the words of a designation by their numbers, with their weights. None where the
    /// designation is not in the index.
    pub fn words_of(&self, designation: DesignationOrd, into: &mut Vec<NameWord>) {
        if let Some(forward) = &self.inner.forward {
            forward.words(designation, self.inner.words.texts(), self.documents(), into);
        }
    }

    /// The number of a stem in [`NameWord::stem`]; `None` where no designation has it.
    #[must_use]
    pub fn stem_number(&self, stem: &str) -> Option<u32> {
        self.inner.forward.as_ref()?.stem_number(stem)
    }

    /// The stem of this number; empty where there is none.
    #[must_use]
    pub fn stem(&self, number: u32) -> &str {
        self.inner.forward.as_ref().map(|forward| forward.stem(number)).unwrap_or_default()
    }

    /// The numbers of the words that begin so.
    #[must_use]
    pub fn words_with_prefix(&self, prefix: &str) -> Range<u32> {
        Forward::beginnings(self.inner.words.texts(), prefix)
    }

    /// ln(1 + (N − df + ½) / (df + ½)), as BM25 has it, over designations; the same that
    /// [`NameWord::weight`] holds.
    #[must_use]
    pub fn idf(&self, stem: &str) -> f32 {
        bm25::idf(self.document_frequency(stem), self.documents())
    }

    /// The designations whose normalized text is this one, ascending. They are found by a 64-bit
    /// hash: compare the texts before saying that a name is exact. Empty text has no designations.
    #[must_use]
    pub fn named(&self, normalized: &str) -> Vec<DesignationOrd> {
        if normalized.is_empty() { Vec::new() } else { self.inner.names.find(normalized).collect() }
    }

    /// The designations whose bare text (as `text::bare` gives it) is this one, and those whose
    /// normalized text is, ascending. Found by hash as with [`LexicalIndex::named`].
    #[must_use]
    pub fn bare_named(&self, bare: &str) -> Vec<DesignationOrd> {
        let mut found = self.named(bare);
        if !bare.is_empty() {
            found.extend(self.inner.bare_names.find(bare));
            found.sort_unstable();
            found.dedup();
        }
        found
    }

    /// The designations that have this short form (as `text::short_forms` gives it), ascending.
    /// Found by hash as with [`LexicalIndex::named`].
    #[must_use]
    pub fn shortened(&self, short: &str) -> Vec<DesignationOrd> {
        let known = self.inner.short_forms.as_ref().filter(|_| !short.is_empty());
        known.map(|known| known.find(short).collect()).unwrap_or_default()
    }

    pub(super) fn segment(&self) -> &Segment {
        &self.inner.segment
    }

    /// The designation of a document.
    pub(super) fn designation(&self, document: u32) -> Result<DesignationOrd, LexicalError> {
        let column = self.inner.segment.designations.as_ref();
        column
            .and_then(|column| u32::try_from(column.get_val(document)).ok())
            .map(DesignationOrd)
            .ok_or_else(|| self.inner.part.damaged("fast", "a document has no designation").into())
    }
}

impl std::fmt::Debug for LexicalIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LexicalIndex")
            .field("path", &self.inner.part.path())
            .field("documents", &self.documents())
            .finish_non_exhaustive()
    }
}
