use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::Instant;

use half::f16;
use serde::Serialize;

use crate::dense::{Embedder, EmbeddingLog, MatrixRows, f16_row, write_matrix};
use crate::hierarchy::write_hierarchy;
use crate::lexical::LexicalWriter;
use crate::records::{Records, write_records};
use crate::terminology::{Code, Concept, ConceptOrd, DesignationOrd, DesignationUse, Release};

use super::manifest::{Counts, Manifest, ModelInfo, PartInfo};
use super::plan::{RowPlan, is_searched};
use super::progress::Unwatched;
use super::publish::Workshop;
use super::{BuildProgress, BuildStage, IndexError, TerminologyIndex};

/// Builds the index of one release: `push` every concept in any order, then `finish`.
///
/// Nothing in the store changes before `finish` has everything on disk; a build that is killed
/// leaves the old version served, and the next one goes on where it stopped embedding.
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use medterm::{formats, index::IndexBuilder};
/// let path = std::path::Path::new("icd10cm-tabular-2026-04-01.xml.gz");
/// let source = formats::open(formats::detect(path)?, path)?;
/// let mut builder = IndexBuilder::new(source.release().clone());
/// for concept in source {
///     builder.push(concept?)?;
/// }
/// let report = builder.finish(std::path::Path::new("store"))?;
/// println!("{} concepts", report.concepts);
/// # Ok(())
/// # }
/// ```
pub struct IndexBuilder<'a> {
    release: Release,
    embedder: Option<&'a dyn Embedder>,
    progress: Option<&'a mut dyn BuildProgress>,
    without: Vec<DesignationUse>,
    reused: Vec<&'a TerminologyIndex>,
    concepts: Vec<Concept>,
}

/// What a build did.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct IndexReport {
    /// The terminology's short name.
    pub alias: String,
    /// The version.
    pub version: String,
    /// The name of the build.
    pub build: String,
    /// Where it is.
    pub folder: PathBuf,
    /// Codes to choose from.
    pub concepts: usize,
    /// Chapters, blocks and other groupers.
    pub groupers: usize,
    /// Names of all of them.
    pub designations: usize,
    /// Rows of the embedding matrix.
    pub rows: usize,
    /// Rows that were embedded now.
    pub embedded: usize,
    /// Rows taken from an earlier build or a killed one.
    pub reused: usize,
    /// Parents that the release names and does not have.
    pub dangling_parents: usize,
    /// Edges left out because they close a circle.
    pub dropped_cycle_edges: usize,
    /// Bytes on disk.
    pub bytes: u64,
    /// Wall-clock seconds of each stage.
    pub seconds: Vec<(BuildStage, f64)>,
}

/// Texts that are embedded before they are saved: about half a second of work to lose.
const EMBED_CHUNK: usize = 512;

impl<'a> IndexBuilder<'a> {
    /// A builder for one release.
    #[must_use]
    pub fn new(release: Release) -> Self {
        Self {
            release,
            embedder: None,
            progress: None,
            without: Vec::new(),
            reused: Vec::new(),
            concepts: Vec::new(),
        }
    }

    /// Embeds the names. Without an embedder the index is searched by words alone.
    #[must_use]
    pub fn embedder(mut self, embedder: &'a dyn Embedder) -> Self {
        self.embedder = Some(embedder);
        self
    }

    /// Who is told how far the build is.
    #[must_use]
    pub fn progress(mut self, progress: &'a mut dyn BuildProgress) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Leaves designations of this use out. May be called several times.
    #[must_use]
    pub fn without(mut self, use_: DesignationUse) -> Self {
        if !self.without.contains(&use_) {
            self.without.push(use_);
            self.without.sort_unstable();
        }
        self
    }

    /// Takes the vectors of equal texts from this index, where model and backend are the same. May
    /// be called several times.
    #[must_use]
    pub fn reuse(mut self, index: &'a TerminologyIndex) -> Self {
        self.reused.push(index);
        self
    }

    /// Adds a concept. The order does not matter.
    ///
    /// # Errors
    /// None today; later versions refuse what no index can hold.
    pub fn push(&mut self, mut concept: Concept) -> Result<(), IndexError> {
        if !self.without.is_empty() {
            concept.designations.retain(|d| !self.without.contains(&d.use_));
        }
        self.concepts.push(concept);
        Ok(())
    }

    /// Writes the index into the store and makes it the one that is served.
    ///
    /// # Errors
    /// [`IndexError`]; the store then serves what it served before.
    pub fn finish(mut self, store: &Path) -> Result<IndexReport, IndexError> {
        let mut unwatched = Unwatched;
        let progress = match self.progress.take() {
            Some(progress) => progress,
            None => &mut unwatched,
        };
        let mut clock = Clock { progress, stages: Vec::new(), since: None };
        if self.concepts.is_empty() {
            return Err(IndexError::Empty);
        }
        clock.begin(BuildStage::Sort, 0);
        let concepts = sorted(std::mem::take(&mut self.concepts))?;
        let (parents, dangling_parents) = parents_of(&concepts);

        let workshop = Workshop::enter(store, &self.release)?;
        let mut parts: BTreeMap<String, PartInfo> = BTreeMap::new();
        let mut add = |name: &str, part: crate::disk::PartSummary| {
            parts.insert(name.to_owned(), part.into());
        };

        clock.begin(BuildStage::Records, 0);
        let records_path = workshop.file("records.bin");
        let records = write_records(&records_path, &concepts, &self.release.language)?;
        add("records.bin", records.part);

        clock.begin(BuildStage::Hierarchy, 0);
        let hierarchy = write_hierarchy(&workshop.file("hierarchy.bin"), &parents, &[])?;
        add("hierarchy.bin", hierarchy.part);

        clock.begin(BuildStage::Lexical, u64::from(records.designations));
        let lexical = write_lexical(&workshop, &Records::open(&records_path)?, &mut clock)?;
        add("lexical.bin", lexical);

        let mut embedding = Embedding::default();
        let mut model = None;
        if let Some(embedder) = self.embedder {
            let plan = RowPlan::of(&concepts, &self.release.language);
            embedding = self.embed(&workshop, embedder, &plan, &mut clock)?;
            clock.begin(BuildStage::Dense, 0);
            let dense = write_matrix(
                &workshop.file("dense.bin"),
                &MatrixRows {
                    dim: embedder.dimension(),
                    concepts: concepts.len(),
                    rows: &embedding.rows,
                    owners_at: &plan.owners_at,
                    owners: &plan.owners,
                },
            )?;
            add("dense.bin", dense);
            model = Some(ModelInfo {
                id: embedder.model_id().to_owned(),
                backend: embedder.backend().to_owned(),
                dimension: embedder.dimension(),
            });
        }

        clock.begin(BuildStage::Publish, 0);
        let groupers = concepts.iter().filter(|concept| !is_searched(concept)).count();
        let counts = Counts {
            concepts: concepts.len() - groupers,
            groupers,
            designations: records.designations as usize,
            rows: embedding.reused + embedding.embedded,
        };
        let bytes = parts.values().map(|part| part.len).sum();
        let manifest = Manifest {
            format: Manifest::FORMAT,
            medterm: env!("CARGO_PKG_VERSION").to_owned(),
            release: self.release,
            analyzer: Manifest::ANALYZER,
            model,
            without: self.without,
            counts,
            parts,
        };
        let published = workshop.publish(&manifest)?;
        Ok(IndexReport {
            alias: manifest.release.alias,
            version: manifest.release.version,
            build: published.build,
            folder: published.folder,
            concepts: counts.concepts,
            groupers,
            designations: counts.designations,
            rows: counts.rows,
            embedded: embedding.embedded,
            reused: embedding.reused,
            dangling_parents,
            dropped_cycle_edges: hierarchy.dropped_cycle_edges as usize,
            bytes,
            seconds: clock.finish(),
        })
    }

    fn embed(
        &self,
        workshop: &Workshop,
        embedder: &dyn Embedder,
        plan: &RowPlan<'_>,
        clock: &mut Clock<'_>,
    ) -> Result<Embedding, IndexError> {
        clock.begin(BuildStage::Embed, plan.texts.len() as u64);
        let dim = embedder.dimension();
        let mut known = self.known_rows(embedder)?;
        let mut log = EmbeddingLog::open_or_create(
            &workshop.embedding_log(),
            embedder.model_id(),
            embedder.backend(),
            dim,
        )?;
        let mut embedding =
            Embedding { rows: Vec::with_capacity(plan.texts.len() * dim), ..Embedding::default() };
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

    /// The vectors of earlier indexes by the key of their text.
    fn known_rows(&self, embedder: &dyn Embedder) -> Result<HashMap<u128, Vec<f16>>, IndexError> {
        let mut known = HashMap::new();
        for index in &self.reused {
            let Some((model, matrix)) = index.manifest().model.as_ref().zip(index.matrix()) else {
                continue;
            };
            if model.id != embedder.model_id() || model.backend != embedder.backend() {
                continue;
            }
            let concepts = index.concepts().collect::<Result<Vec<_>, _>>()?;
            let plan = RowPlan::of(&concepts, &index.manifest().release.language);
            for (row, text) in (0u32..).zip(&plan.texts) {
                if let Some(vector) = matrix.row(row) {
                    known.insert(EmbeddingLog::key(text), f16_row(&vector));
                }
            }
        }
        Ok(known)
    }
}

#[derive(Default)]
struct Embedding {
    rows: Vec<f16>,
    embedded: usize,
    reused: usize,
}

fn sorted(mut concepts: Vec<Concept>) -> Result<Vec<Concept>, IndexError> {
    concepts.sort_by(|a, b| a.code.cmp(&b.code));
    match concepts.windows(2).find(|pair| pair[0].code == pair[1].code) {
        Some(pair) => Err(IndexError::DuplicateCode { code: pair[0].code.to_string() }),
        None => Ok(concepts),
    }
}

/// The ords of the parents of each concept, and how many parents are not in the release.
fn parents_of(concepts: &[Concept]) -> (Vec<Vec<u32>>, usize) {
    let find = |code: &Code| {
        let at = concepts.binary_search_by(|concept| concept.code.cmp(code)).ok()?;
        u32::try_from(at).ok()
    };
    let mut dangling = 0;
    let parents = concepts
        .iter()
        .map(|concept| {
            let found: Vec<u32> = concept.parents.iter().filter_map(find).collect();
            dangling += concept.parents.len() - found.len();
            found
        })
        .collect();
    (parents, dangling)
}

fn write_lexical(
    workshop: &Workshop,
    records: &Records,
    clock: &mut Clock<'_>,
) -> Result<crate::disk::PartSummary, IndexError> {
    let mut writer = LexicalWriter::new()?;
    for ord in (0u32..).map(ConceptOrd).take(records.len()) {
        let designations = records.designations(ord);
        clock.progress.advance(designations.len() as u64);
        if !records.is_selectable(ord) {
            continue;
        }
        for designation in designations.map(DesignationOrd) {
            writer.push(designation, records.designation(designation).value)?;
        }
    }
    Ok(writer.finish(&workshop.file("lexical.bin"))?.part)
}

struct Clock<'p> {
    progress: &'p mut dyn BuildProgress,
    stages: Vec<(BuildStage, f64)>,
    since: Option<(BuildStage, Instant)>,
}

impl Clock<'_> {
    fn begin(&mut self, stage: BuildStage, total: u64) {
        self.end();
        self.progress.stage(stage, total);
        self.since = Some((stage, Instant::now()));
    }

    fn end(&mut self) {
        if let Some((stage, since)) = self.since.take() {
            self.stages.push((stage, since.elapsed().as_secs_f64()));
        }
    }

    fn finish(mut self) -> Vec<(BuildStage, f64)> {
        self.end();
        self.stages
    }
}
