use std::collections::BTreeMap;
use std::path::Path;

use crate::dense::{Embedder, MatrixRows, write_matrix};
use crate::hierarchy::write_hierarchy;
use crate::lexical::LexicalWriter;
use crate::records::{Records, write_records};
use crate::relations::write_relations;
use crate::terminology::{Code, Concept, ConceptOrd, DesignationOrd, DesignationUse, Release};
use crate::text::Language;

use super::embedding::Embedding;
use super::manifest::{Counts, Manifest, ModelInfo, PartInfo};
use super::plan::{RowPlan, is_searched};
use super::progress::{Clock, Unwatched};
use super::publish::Workshop;
use super::report::{IndexReport, NameCounts};
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

    /// Adds a concept. The order does not matter. Of its names, the borrowed ones are put last, so
    /// that none takes the place of an equal one of its own.
    ///
    /// # Errors
    /// None today; later versions refuse what no index can hold.
    pub fn push(&mut self, mut concept: Concept) -> Result<(), IndexError> {
        if !self.without.is_empty() {
            concept.designations.retain(|d| !self.without.contains(&d.use_));
        }
        concept.designations.sort_by_key(|name| name.use_ == DesignationUse::Borrowed);
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
        let mut clock = Clock::new(progress);
        if self.concepts.is_empty() {
            return Err(IndexError::Empty);
        }
        clock.begin(BuildStage::Sort, 0);
        let concepts = sorted(std::mem::take(&mut self.concepts))?;
        let above = Above::of(&concepts);

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
        let hierarchy =
            write_hierarchy(&workshop.file("hierarchy.bin"), &above.parents, &above.ancestors)?;
        add("hierarchy.bin", hierarchy.part);

        clock.begin(BuildStage::Relations, 0);
        let relations = write_relations(&workshop.file("relations.bin"), &concepts)?;
        add("relations.bin", relations.part);

        clock.begin(BuildStage::Lexical, u64::from(records.designations));
        let names = Records::open(&records_path)?;
        let language = Language::of_tag(&self.release.language);
        let lexical = write_lexical(&workshop, &names, language, &mut clock)?;
        let names = NameCounts::of(&names);
        add("lexical.bin", lexical);

        let mut embedding = Embedding::default();
        let mut model = None;
        if let Some(embedder) = self.embedder {
            let plan = RowPlan::of(&concepts, &self.release.language);
            embedding = Embedding::of(&plan, embedder, &self.reused, &workshop, &mut clock)?;
            clock.begin(BuildStage::Dense, 0);
            let dense = write_matrix(
                &workshop.file("dense.bin"),
                &MatrixRows {
                    dim: embedder.dimension(),
                    concepts: concepts.len(),
                    rows: &embedding.rows,
                    owners_at: &plan.owners_at,
                    owners: &plan.owners,
                    borrowed_from: plan.borrowed_from,
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
            inactive: concepts.iter().filter(|concept| !concept.active).count(),
            designations: records.designations as usize,
            borrowed: names.by_use.get(&DesignationUse::Borrowed).copied().unwrap_or_default(),
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
            inactive: counts.inactive,
            designations: counts.designations,
            designations_by_use: names.by_use,
            designations_by_language: names.by_language,
            rows: counts.rows,
            embedded: embedding.embedded,
            reused: embedding.reused,
            dangling_parents: above.dangling_parents,
            dangling_ancestors: above.dangling_ancestors,
            relations: relations.relations as usize,
            dangling_relations: relations.dangling as usize,
            refsets: relations.refsets as usize,
            dropped_cycle_edges: hierarchy.dropped_cycle_edges as usize,
            bytes,
            seconds: clock.finish(),
        })
    }
}

fn sorted(mut concepts: Vec<Concept>) -> Result<Vec<Concept>, IndexError> {
    concepts.sort_by(|a, b| a.code.cmp(&b.code));
    match concepts.windows(2).find(|pair| pair[0].code == pair[1].code) {
        Some(pair) => Err(IndexError::DuplicateCode { code: pair[0].code.to_string() }),
        None => Ok(concepts),
    }
}

/// The hierarchy of a release in ords.
struct Above {
    parents: Vec<Vec<u32>>,
    dangling_parents: usize,
    ancestors: Vec<Vec<u32>>,
    dangling_ancestors: usize,
}

impl Above {
    /// Of concepts that are sorted by code. What is not in the release is counted and left out.
    fn of(concepts: &[Concept]) -> Self {
        let find = |code: &Code| {
            let at = concepts.binary_search_by(|concept| concept.code.cmp(code)).ok()?;
            u32::try_from(at).ok()
        };
        let ords = |codes: fn(&Concept) -> &[Code]| {
            let mut dangling = 0;
            let found = concepts
                .iter()
                .map(|concept| {
                    let found: Vec<u32> = codes(concept).iter().filter_map(find).collect();
                    dangling += codes(concept).len() - found.len();
                    found
                })
                .collect();
            (found, dangling)
        };
        let (parents, dangling_parents) = ords(|concept| &concept.parents);
        let (ancestors, dangling_ancestors) = ords(|concept| &concept.ancestors);
        Self { parents, dangling_parents, ancestors, dangling_ancestors }
    }
}

fn write_lexical(
    workshop: &Workshop,
    records: &Records,
    language: Language,
    clock: &mut Clock<'_>,
) -> Result<crate::disk::PartSummary, IndexError> {
    let mut writer = LexicalWriter::in_language(language)?;
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
