use std::panic::{AssertUnwindSafe, catch_unwind};

use tantivy::schema::{
    Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions,
};

use super::LexicalError;

/// The format of `lexical.bin` that this version writes and reads.
pub const LEXICAL_FORMAT: u32 = 1;

/// The id under which the one segment is packed: tantivy's own is random.
pub(super) const SEGMENT_ID: &str = "6d6564746572006c65786963616c0001";
/// The segment's files, by extension; each is a section of that name.
pub(super) const SEGMENT_FILES: [&str; 6] = ["term", "idx", "pos", "fieldnorm", "fast", "store"];
/// The file that lists the segments; a section of that name.
pub(super) const META_FILE: &str = "meta.json";

/// The field of the designation's number.
pub(super) const ORD: &str = "ord";
const NAME: &str = "name";

/// The two fields of a document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    /// The stems of the designation, with frequencies and lengths, without positions.
    pub(super) name: Field,
    /// The designation's number, as a column.
    pub(super) ord: Field,
}

impl Fields {
    /// The fields and the schema that holds them.
    pub(super) fn schema() -> (Self, Schema) {
        // Text is given as stems with a space between them; the analysis is done before, in `text`.
        let stems = TextFieldIndexing::default()
            .set_tokenizer("whitespace")
            .set_fieldnorms(true)
            .set_index_option(IndexRecordOption::WithFreqs);
        let mut builder = Schema::builder();
        let name = builder.add_text_field(NAME, TextOptions::default().set_indexing_options(stems));
        let ord = builder.add_u64_field(ORD, NumericOptions::default().set_fast());
        (Self { name, ord }, builder.build())
    }
}

/// Runs a piece of tantivy, with its errors and its panics made ours.
///
/// What a panic leaves half-changed inside tantivy is a reader's cache behind a lock, and a writer:
/// the first answers with the next panic, caught here as well, the second is dropped by its owner.
pub(super) fn guard<T>(
    doing: &'static str,
    work: impl FnOnce() -> tantivy::Result<T>,
) -> Result<T, LexicalError> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(source)) => Err(LexicalError::Engine { doing, source: Box::new(source) }),
        Err(_) => Err(LexicalError::Panicked { doing }),
    }
}
