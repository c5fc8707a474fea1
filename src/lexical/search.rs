use std::collections::BTreeMap;

use tantivy::postings::{Postings, TermInfo};
use tantivy::query::{
    Bm25StatisticsProvider, BooleanQuery, BoostQuery, EnableScoring, Occur, Query, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption, Term};
use tantivy::{DocId, DocSet, Score};

use super::bm25;
use super::engine::guard;
use super::index::Segment;
use super::ties::{TIES, Ties};
use super::{LexicalError, LexicalIndex};
use crate::terminology::DesignationOrd;

/// A stem of a query and what a match of it counts.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightedTerm {
    /// The stem, as `text::tokens` gives it.
    pub stem: String,
    /// The factor on the stem's BM25. A term whose weight is not a positive number is left out.
    pub weight: f32,
}

/// A designation that has one of a query's stems.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LexicalHit {
    /// The designation.
    pub designation: DesignationOrd,
    /// The sum over the query's stems of weight · BM25 (k1 = 1.2, b = 0.75); positive, unbounded.
    pub bm25: f32,
}

/// A stem that the index has, and where.
struct KnownTerm {
    term: Term,
    info: TermInfo,
    weight: Score,
}

impl LexicalIndex {
    /// The best `k` designations that have at least one of the stems, and those that tie with the
    /// last of them, up to 4·k in all. Best first; equal scores in designation order.
    ///
    /// A stem given twice counts with the sum of its weights. The score depends neither on the
    /// order of the terms nor on the path by which a document was found: two designations with the
    /// same stems equally often and of the same length have the same score to the last bit. Lengths
    /// above 40 stems are rounded down as tantivy does.
    ///
    /// # Errors
    /// [`LexicalError::Engine`] and [`LexicalError::Panicked`] when tantivy fails.
    pub fn search(
        &self,
        terms: &[WeightedTerm],
        k: usize,
    ) -> Result<Vec<LexicalHit>, LexicalError> {
        self.search_among(terms, k, &|_| true)
    }

    /// The same among the designations that `counts` says yes to: what the others would have been
    /// changes nothing but the statistics of the stems.
    ///
    /// # Errors
    /// As [`LexicalIndex::search`].
    pub fn search_among(
        &self,
        terms: &[WeightedTerm],
        k: usize,
        counts: &dyn Fn(DesignationOrd) -> bool,
    ) -> Result<Vec<LexicalHit>, LexicalError> {
        let segment = self.segment();
        let scored = guard("searching", || {
            let terms = segment.known(terms)?;
            if k == 0 || terms.is_empty() {
                return Ok(Vec::new());
            }
            // A document without a designation is damage, which is told below.
            let counts = |document| self.designation(document).map_or(true, counts);
            let documents = segment.candidates(&terms, k, &counts)?;
            segment.score(&terms, &documents)
        })?;
        // Documents come in designation order, and sorting is stable.
        let mut scored = scored;
        scored.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        if let Some((_, kth)) = scored.get(k.saturating_sub(1)).copied() {
            let end = scored.partition_point(|(_, score)| *score >= kth);
            scored.truncate(end.min(k.saturating_mul(TIES)));
        }
        scored
            .into_iter()
            .map(|(document, bm25)| {
                Ok(LexicalHit { designation: self.designation(document)?, bm25 })
            })
            .collect()
    }
}

impl Segment {
    /// The terms that the index has, in the order of their text, each once.
    fn known(&self, terms: &[WeightedTerm]) -> tantivy::Result<Vec<KnownTerm>> {
        let mut weights: BTreeMap<&str, Score> = BTreeMap::new();
        for WeightedTerm { stem, weight } in terms {
            if weight.is_finite() && *weight > 0.0 {
                *weights.entry(stem).or_default() += *weight;
            }
        }
        let mut known = Vec::new();
        for (stem, weight) in weights {
            if let Some(info) = self.term(stem)? {
                known.push(KnownTerm {
                    term: Term::from_field_text(self.name, stem),
                    info,
                    weight,
                });
            }
        }
        Ok(known)
    }

    /// The documents that may be among the best k or tie with them, ascending.
    fn candidates(
        &self,
        terms: &[KnownTerm],
        k: usize,
        counts: &dyn Fn(DocId) -> bool,
    ) -> tantivy::Result<Vec<DocId>> {
        let query = |known: &KnownTerm| -> Box<dyn Query> {
            Box::new(TermQuery::new(known.term.clone(), IndexRecordOption::WithFreqs))
        };
        let query: Box<dyn Query> = match terms {
            // A single term skips the blocks that cannot matter only when it is asked for bare; its
            // weight does not change which documents are best.
            [single] => query(single),
            _ => {
                let boosted = |known| Box::new(BoostQuery::new(query(known), known.weight));
                let clauses = terms.iter().map(|known| (Occur::Should, boosted(known) as _));
                Box::new(BooleanQuery::new(clauses.collect()))
            }
        };
        let statistics = Statistics { segment: self, terms };
        let scoring = EnableScoring::enabled_from_statistics_provider(&statistics, &self.searcher);
        let weight = query.weight(scoring)?;
        let mut ties = Ties::new(k);
        weight.for_each_pruning(Score::MIN, &self.reader, &mut |document, score| {
            if counts(document) { ties.push(document, score) } else { ties.threshold() }
        })?;
        Ok(ties.into_documents())
    }

    /// The score of each of these ascending documents, added up in the order of the terms.
    ///
    /// tantivy adds in another order for each document, so that equal documents may differ in the
    /// last bits and ties are lost; the score that leaves is therefore computed here.
    fn score(
        &self,
        terms: &[KnownTerm],
        documents: &[DocId],
    ) -> tantivy::Result<Vec<(DocId, Score)>> {
        let mut scored: Vec<(DocId, Score)> = documents.iter().map(|doc| (*doc, 0.0)).collect();
        let Some(lengths) = &self.lengths else {
            return Ok(scored);
        };
        for known in terms {
            let weight = known.weight * bm25::weight(known.info.doc_freq, self.reader.max_doc());
            let mut postings = self
                .postings
                .read_postings_from_terminfo(&known.info, IndexRecordOption::WithFreqs)?;
            for (document, score) in &mut scored {
                if postings.doc() < *document {
                    postings.seek(*document);
                }
                if postings.doc() == *document {
                    let length = lengths.fieldnorm_id(*document);
                    *score += weight * self.saturation.of(postings.term_freq(), length);
                }
            }
        }
        Ok(scored)
    }
}

/// What is known of the terms already, so that tantivy does not look them up once more.
struct Statistics<'a> {
    segment: &'a Segment,
    terms: &'a [KnownTerm],
}

impl Bm25StatisticsProvider for Statistics<'_> {
    fn total_num_tokens(&self, _field: Field) -> tantivy::Result<u64> {
        Ok(self.segment.postings.total_num_tokens())
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        Ok(u64::from(self.segment.reader.max_doc()))
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        let known = self.terms.iter().find(|known| known.term == *term);
        Ok(known.map_or(0, |known| u64::from(known.info.doc_freq)))
    }
}
