//! BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009),
//! section 3, with Lucene's idf, which is never negative. The same numbers as tantivy's to the last
//! bit, so that a score computed here can be compared with a threshold of tantivy's.

use tantivy::Score;
use tantivy::fieldnorm::FieldNormReader;

/// How soon more of the same word stops counting.
const K1: Score = 1.2;
/// How much the length of a document counts, 0 to 1.
const B: Score = 0.75;

/// What a term counts at most: idf · (k1 + 1).
pub(super) fn weight(document_frequency: u32, documents: u32) -> Score {
    idf(document_frequency, documents) * (1.0 + K1)
}

/// ln(1 + (N − df + ½) / (df + ½)).
pub(super) fn idf(document_frequency: u32, documents: u32) -> Score {
    let (n, df) = (documents, document_frequency);
    let odds = (n.saturating_sub(df) as Score + 0.5) / (df as Score + 0.5);
    (1.0 + odds).ln()
}

/// How much of its weight a term gets in a document, below 1, by its frequency and the document's
/// length: the length as tantivy's one-byte code, which is exact up to 40.
#[derive(Debug)]
pub(super) struct Saturation {
    norms: [Score; 256],
}

impl Saturation {
    /// For documents of this mean length.
    pub(super) fn new(mean_length: Score) -> Self {
        let norm = |code: u8| {
            let length = FieldNormReader::id_to_fieldnorm(code) as Score;
            K1 * (1.0 - B + B * length / mean_length)
        };
        let mut norms = [0.0; 256];
        (0..=u8::MAX).zip(&mut norms).for_each(|(code, slot)| *slot = norm(code));
        Self { norms }
    }

    pub(super) fn of(&self, frequency: u32, length_code: u8) -> Score {
        let frequency = frequency as Score;
        frequency / (frequency + self.norms[usize::from(length_code)])
    }
}
