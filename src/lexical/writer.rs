use std::path::Path;

use tantivy::directory::RamDirectory;
use tantivy::index::SegmentId;
use tantivy::schema::Schema;
use tantivy::{
    Directory, Index, IndexMeta, IndexSettings, SingleSegmentIndexWriter, TantivyDocument,
};

use super::engine::{Fields, META_FILE, SEGMENT_FILES, SEGMENT_ID, guard};
use super::forward::ForwardBuilder;
use super::names::NameTableBuilder;
use super::words::WordCounter;
use super::{LEXICAL_FORMAT, LexicalError};
use crate::disk::{PartKind, PartSummary, PartWriter};
use crate::terminology::DesignationOrd;
use crate::text::{self, Language};

/// What tantivy sizes its hash table of terms by, in bytes; it may use more. This gives the largest
/// table it starts with, half a million terms.
const MEMORY_BUDGET: usize = 64 << 20;

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LexicalSummary {
    /// The file.
    pub part: PartSummary,
    /// How many designations are in it.
    pub documents: u32,
    /// How many different stems they have.
    pub terms: u64,
}

/// Writes `lexical.bin` from designations in ascending order.
///
/// Everything is held in memory until [`LexicalWriter::finish`]: about 150 bytes a designation.
/// One thread does the work, so equal input gives equal bytes.
pub struct LexicalWriter {
    language: Language,
    directory: RamDirectory,
    fields: Fields,
    segment: SingleSegmentIndexWriter,
    documents: u32,
    previous: Option<DesignationOrd>,
    words: WordCounter,
    forward: ForwardBuilder,
    names: NameTableBuilder,
    bare_names: NameTableBuilder,
    short_forms: NameTableBuilder,
}

impl LexicalWriter {
    /// A writer without designations.
    ///
    /// # Errors
    /// [`LexicalError::Engine`] when tantivy refuses to start.
    pub fn new() -> Result<Self, LexicalError> {
        Self::in_language(Language::English)
    }

    /// The same for designations in this language.
    ///
    /// # Errors
    /// As [`LexicalWriter::new`].
    pub fn in_language(language: Language) -> Result<Self, LexicalError> {
        let (fields, schema) = Fields::schema();
        let directory = RamDirectory::create();
        let segment = start(&directory, schema)?;
        Ok(Self {
            language,
            directory,
            fields,
            segment,
            documents: 0,
            previous: None,
            words: WordCounter::default(),
            forward: ForwardBuilder::default(),
            names: NameTableBuilder::default(),
            bare_names: NameTableBuilder::default(),
            short_forms: NameTableBuilder::default(),
        })
    }

    /// Adds a designation: its stems to the postings, its words to the vocabulary, its normalized
    /// text to the names. Designations may be left out, but not come back later.
    ///
    /// # Errors
    /// [`LexicalError::Order`] when this one does not follow the one before; nothing is then added.
    pub fn push(&mut self, designation: DesignationOrd, text: &str) -> Result<(), LexicalError> {
        if let Some(previous) = self.previous.filter(|previous| designation <= *previous) {
            return Err(LexicalError::Order { previous, found: designation });
        }
        self.push_name(designation, text);
        // Stems are letters and digits, so one space between them gives them back.
        let mut stems = String::new();
        self.forward.begin(designation);
        for token in text::tokens_in(self.language, text) {
            let word = self.words.push(&token.word, self.documents);
            self.forward.push(word, &token, self.documents);
            if !stems.is_empty() {
                stems.push(' ');
            }
            stems.push_str(&token.stem);
        }
        let mut document = TantivyDocument::new();
        document.add_text(self.fields.name, stems);
        document.add_u64(self.fields.ord, u64::from(designation.0));
        guard("adding a designation", || self.segment.add_document(document))?;
        self.documents += 1;
        self.previous = Some(designation);
        Ok(())
    }

    fn push_name(&mut self, designation: DesignationOrd, text: &str) {
        let normalized = text::normalize(text);
        if normalized.is_empty() {
            return;
        }
        let bare = text::bare_in(self.language, text);
        // A name that is bare already is found in the table of names.
        if !bare.is_empty() && bare != normalized {
            self.bare_names.push(&bare, designation);
        }
        self.names.push(&normalized, designation);
        for form in text::short_forms(text) {
            self.short_forms.push(&form.short, designation);
        }
    }

    /// Writes the part to a file that does not exist yet.
    ///
    /// # Errors
    /// [`LexicalError::Disk`] when the disk refuses, [`LexicalError::Engine`] and
    /// [`LexicalError::Panicked`] when tantivy does.
    pub fn finish(self, path: &Path) -> Result<LexicalSummary, LexicalError> {
        let Self { directory, fields, segment, documents, words, forward, .. } = self;
        let (names, bare_names, short_forms) = (self.names, self.bare_names, self.short_forms);
        let (files, terms) = guard("writing the segment", || {
            let index = segment.finalize()?;
            let files = segment_files(&index, &directory, documents)?;
            Ok((files, count_terms(&index, fields)?))
        })?;
        let mut part = PartWriter::create(path, PartKind::Lexical, LEXICAL_FORMAT)?;
        for (section, bytes) in files {
            part.section(section, &bytes)?;
        }
        let places = words.write(&mut part)?;
        forward.write(&mut part, &places)?;
        names.write(&mut part, "name_key", "name_ord")?;
        bare_names.write(&mut part, "bare_key", "bare_ord")?;
        short_forms.write(&mut part, "short_key", "short_ord")?;
        Ok(LexicalSummary { part: part.finish()?, documents, terms })
    }
}

/// Begins a segment in an empty directory, without a thread for the stored fields we do not have.
fn start(
    directory: &RamDirectory,
    schema: Schema,
) -> Result<SingleSegmentIndexWriter, LexicalError> {
    let settings =
        IndexSettings { docstore_compress_dedicated_thread: false, ..IndexSettings::default() };
    guard("starting a segment", || {
        Index::builder()
            .schema(schema)
            .settings(settings)
            .single_segment_index_writer(directory.clone(), MEMORY_BUDGET)
    })
}

/// The files of the finished segment, by section.
fn segment_files(
    index: &Index,
    directory: &RamDirectory,
    documents: u32,
) -> tantivy::Result<Vec<(&'static str, Vec<u8>)>> {
    let id = index.searchable_segment_ids()?.first().map(SegmentId::uuid_string);
    let mut files = Vec::new();
    for section in SEGMENT_FILES {
        let bytes = match &id {
            // Nothing is stored, yet tantivy spends bytes on every document to say so. It opens the
            // store without comparing it with the segment, and we never ask for a stored document.
            Some(_) if section == "store" => empty_store(index)?,
            Some(id) => read(directory, &format!("{id}.{section}"))?,
            None => Vec::new(),
        };
        files.push((section, bytes));
    }
    files.push((META_FILE, meta(index, documents)?));
    Ok(files)
}

fn read(directory: &RamDirectory, file: &str) -> tantivy::Result<Vec<u8>> {
    Ok(directory.open_read(Path::new(file))?.read_bytes()?.to_vec())
}

/// The store of a segment without documents.
fn empty_store(index: &Index) -> tantivy::Result<Vec<u8>> {
    let directory = RamDirectory::create();
    let empty: SingleSegmentIndexWriter = Index::builder()
        .schema(index.schema())
        .settings(index.settings().clone())
        .single_segment_index_writer(directory.clone(), MEMORY_BUDGET)?;
    let index = empty.finalize()?;
    match index.searchable_segment_ids()?.first() {
        Some(id) => read(&directory, &format!("{}.store", id.uuid_string())),
        None => Ok(Vec::new()),
    }
}

/// `meta.json` with the fixed segment id in the place of the random one.
fn meta(index: &Index, documents: u32) -> tantivy::Result<Vec<u8>> {
    let id = SegmentId::from_uuid_string(SEGMENT_ID)
        .map_err(|e| tantivy::TantivyError::InvalidArgument(e.to_string()))?;
    let meta = IndexMeta {
        index_settings: index.settings().clone(),
        segments: vec![index.new_segment_meta(id, documents)],
        ..IndexMeta::with_schema(index.schema())
    };
    serde_json::to_vec(&meta).map_err(|e| std::io::Error::from(e).into())
}

fn count_terms(index: &Index, fields: Fields) -> tantivy::Result<u64> {
    let mut terms = 0;
    for segment in index.searchable_segments()? {
        let reader = tantivy::SegmentReader::open(&segment)?;
        terms += reader.inverted_index(fields.name)?.terms().num_terms() as u64;
    }
    Ok(terms)
}
