use bincode::config::{Configuration, Limit, LittleEndian, Varint};
use bincode::error::{DecodeError, EncodeError};

use crate::terminology::{Concept, Property};

/// The most bytes that the details of one concept may take. The longest of ICD-10-CM (a chapter
/// with all its notes) take a few thousand.
pub(super) const MAX_DETAILS_BYTES: usize = 1 << 24;

/// How details are encoded; it belongs to `RECORDS_FORMAT`. The decoder counts the memory its
/// values take and stops at the limit, so a damaged length cannot ask for all there is. A value
/// counts at most eight times the bytes it is written in (a one-byte varint counts as a `u64`).
type DetailsFormat = Configuration<LittleEndian, Varint, Limit<{ 8 * MAX_DETAILS_BYTES }>>;
const DETAILS_FORMAT: DetailsFormat =
    bincode::config::standard().with_limit::<{ 8 * MAX_DETAILS_BYTES }>();

/// What is known of a concept beyond its code, names and flags.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Details {
    /// Its typed attributes, in the order in which the release has them.
    pub properties: Vec<Property>,
    /// The release's definition or scope note.
    pub definition: Option<String>,
}

/// Appends the details of a concept to `buffer`; nothing at all where there are none.
pub(super) fn encode(concept: &Concept, buffer: &mut Vec<u8>) -> Result<(), EncodeError> {
    if concept.properties.is_empty() && concept.definition.is_none() {
        return Ok(());
    }
    let details = (&concept.properties, &concept.definition);
    let start = buffer.len();
    bincode::serde::encode_into_std_write(details, buffer, DETAILS_FORMAT)?;
    if buffer.len() - start > MAX_DETAILS_BYTES {
        return Err(EncodeError::Other("they take more than 16 MiB"));
    }
    Ok(())
}

pub(super) fn decode(bytes: &[u8]) -> Result<Details, DecodeError> {
    if bytes.is_empty() {
        return Ok(Details::default());
    }
    let ((properties, definition), read): ((Vec<Property>, Option<String>), usize) =
        bincode::serde::decode_from_slice(bytes, DETAILS_FORMAT)?;
    if read != bytes.len() {
        return Err(DecodeError::Other("bytes are left over"));
    }
    Ok(Details { properties, definition })
}
