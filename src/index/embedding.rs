use std::collections::HashMap;

use half::f16;

use crate::dense::{Embedder, EmbeddingLog, f16_row};

use super::plan::RowPlan;
use super::progress::Clock;
use super::publish::Workshop;
use super::{BuildStage, IndexError, TerminologyIndex};

/// The rows of a matrix, and how they came to be.
#[derive(Default)]
pub(super) struct Embedding {
    pub(super) rows: Vec<f16>,
    pub(super) embedded: usize,
    pub(super) reused: usize,
}

/// Texts that are embedded before they are saved: about half a second of work to lose.
const EMBED_CHUNK: usize = 512;

impl Embedding {
    /// Embeds what no earlier build has embedded; what is new is saved as it comes.
    pub(super) fn of(
        plan: &RowPlan<'_>,
        embedder: &dyn Embedder,
        reused: &[&TerminologyIndex],
        workshop: &Workshop,
        clock: &mut Clock<'_>,
    ) -> Result<Self, IndexError> {
        clock.begin(BuildStage::Embed, plan.texts.len() as u64);
        let dim = embedder.dimension();
        let mut known = known_rows(reused, embedder)?;
        let mut log = EmbeddingLog::open_or_create(
            &workshop.embedding_log(),
            embedder.model_id(),
            embedder.backend(),
            dim,
        )?;
        let mut embedding =
            Self { rows: Vec::with_capacity(plan.texts.len() * dim), ..Self::default() };
        for texts in plan.texts.chunks(EMBED_CHUNK) {
            let keys: Vec<u128> = texts.iter().map(|text| EmbeddingLog::key(text)).collect();
            let mut rows: Vec<Option<Vec<f16>>> = Vec::with_capacity(texts.len());
            for key in &keys {
                rows.push(match known.remove(key) {
                    Some(row) => Some(row),
                    None => log.get(*key)?,
                });
            }
            let missing: Vec<usize> = (0..texts.len()).filter(|at| rows[*at].is_none()).collect();
            let new: Vec<&str> = missing.iter().map(|at| texts[*at]).collect();
            let vectors =
                if new.is_empty() { Vec::new() } else { embedder.embed_passages(&new)? };
            let saved: Vec<(u128, Vec<f16>)> = missing
                .iter()
                .zip(&vectors)
                .map(|(at, vector)| (keys[*at], f16_row(vector)))
                .collect();
            log.append(&saved)?;
            embedding.embedded += saved.len();
            embedding.reused += texts.len() - saved.len();
            for (at, (_, row)) in missing.into_iter().zip(saved) {
                rows[at] = Some(row);
            }
            embedding.rows.extend(rows.into_iter().flatten().flatten());
            clock.progress.advance(texts.len() as u64);
        }
        Ok(embedding)
    }
}

/// The vectors of earlier indexes by the key of their text.
fn known_rows(
    reused: &[&TerminologyIndex],
    embedder: &dyn Embedder,
) -> Result<HashMap<u128, Vec<f16>>, IndexError> {
    let mut known = HashMap::new();
    for index in reused {
        let Some((model, matrix)) = index.manifest().model.as_ref().zip(index.matrix()) else {
            continue;
        };
        if model.id != embedder.model_id() || model.backend != embedder.backend() {
            continue;
        }
        let concepts = index.concepts().collect::<Result<Vec<_>, _>>()?;
        let plan = RowPlan::of(&concepts, &index.manifest().release.language);
        // Another analyzer may have taken other names for equal ones.
        if plan.texts.len() != matrix.rows() {
            continue;
        }
        for (row, text) in (0u32..).zip(&plan.texts) {
            if let Some(vector) = matrix.row(row) {
                known.insert(EmbeddingLog::key(text), f16_row(&vector));
            }
        }
    }
    Ok(known)
}
