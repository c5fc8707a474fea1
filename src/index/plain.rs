//! The plain order of one side, and the published fusions: what the ranking is measured against.

use crate::fusion::{
    Evidence, QueryShape, distribution_based_fusion, min_max_fusion, reciprocal_rank_fusion,
};
use crate::lexical::WeightedTerm;
use crate::terminology::{ConceptOrd, DesignationOrd};
use crate::text::{AxisComparison, tokens_in};

use super::scope::Scope;
use super::search::{SEMANTIC_POOL, query_vector};
use super::{Confidence, Found, IndexError, MatchedOn, Notice, Outcome, Query, SearchMode, Used};

/// A baseline over both lists, each best first.
fn fuse(mode: SearchMode, lists: [&[(ConceptOrd, f32)]; 2]) -> Vec<(ConceptOrd, f32)> {
    match mode {
        SearchMode::MinMax => min_max_fusion(&lists),
        SearchMode::Dbsf => distribution_based_fusion(&lists),
        _ => {
            let [words, meaning] =
                lists.map(|list| list.iter().map(|one| one.0).collect::<Vec<_>>());
            reciprocal_rank_fusion(&[&words, &meaning])
        }
    }
}

impl Scope<'_> {
    /// The orders of one side, and the baselines that fuse them blindly.
    pub(super) fn plain(&self, query: &Query<'_>) -> Result<Outcome, IndexError> {
        let mut notices = Vec::new();
        let mut words = Vec::new();
        if query.mode != SearchMode::Semantic {
            words = self.bm25_order(query)?;
        }
        let mut meaning = Vec::new();
        if query.mode != SearchMode::Bm25
            && let (Some(embedder), Some(matrix)) = (query.embedder, &self.matrix)
        {
            match query_vector(embedder, matrix, query.text) {
                Ok(vector) => {
                    meaning = matrix
                        .top_k(&vector, SEMANTIC_POOL, Some(&query.filter))?
                        .into_iter()
                        .map(|nearest| (nearest.concept, nearest.cosine.max(0.0)))
                        .collect();
                }
                Err(error) => notices.push(Notice::ModelFailed { message: error.to_string() }),
            }
        }
        let order = match query.mode {
            SearchMode::Semantic => meaning,
            SearchMode::Bm25 => words,
            fused => {
                // Both lists count for as much, so they are of one length.
                words.truncate(SEMANTIC_POOL);
                fuse(fused, [&words, &meaning])
            }
        };
        let found = order
            .into_iter()
            .map(|(concept, score)| Found {
                concept,
                score,
                evidence: Evidence {
                    concept,
                    equality: None,
                    lexical: 0.0,
                    named: 0.0,
                    usage: 0.0,
                    semantic_typed: None,
                    semantic: None,
                    level: 0,
                    axes: AxisComparison::default(),
                    qualifier_missing: false,
                    name_length: 0,
                },
                prior: 0.0,
                designation: DesignationOrd(self.index.records.designations(concept).start),
                matched_on: if query.mode == SearchMode::Bm25 {
                    MatchedOn::Name
                } else {
                    MatchedOn::Semantic
                },
                confidence: Confidence::NeedsReview,
            })
            .collect();
        Ok(Outcome {
            found,
            complete: false,
            used: Used::Plain(query.mode),
            notices,
            shape: QueryShape::default(),
        })
    }

    /// Concepts by the BM25 of their best designation, as a share of the best one's.
    fn bm25_order(&self, query: &Query<'_>) -> Result<Vec<(ConceptOrd, f32)>, IndexError> {
        let terms: Vec<WeightedTerm> = tokens_in(self.index.language, query.text)
            .into_iter()
            .map(|token| WeightedTerm { stem: token.stem, weight: 1.0 })
            .collect();
        let hits = self.by_words(&terms)?;
        let best = hits.first().map_or(1.0, |hit| hit.bm25);
        let mut order: Vec<(ConceptOrd, f32)> = Vec::new();
        for hit in hits {
            let concept = self.index.records.owner(hit.designation);
            if (query.filter)(concept) && order.iter().all(|(other, _)| *other != concept) {
                order.push((concept, (hit.bm25 / best).clamp(0.0, 1.0)));
            }
        }
        Ok(order)
    }
}
