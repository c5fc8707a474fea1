use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::dense::{DenseError, Matrix};
use crate::disk::{DiskError, DiskErrorKind, Part};
use crate::hierarchy::Hierarchy;
use crate::lexical::LexicalIndex;
use crate::records::Records;
use crate::relations::{Relations, StoredValue};
use crate::terminology::{
    Code, CodeShape, Concept, ConceptOrd, Designation, DesignationOrd, Relation, RelationValue,
};

use crate::text::{AxisNumbers, Language};

use super::manifest::PartInfo;
use super::tree_numbers::TreeNumbers;
use super::{IndexError, Manifest};

/// One terminology, open for reading: everything is mapped, nothing is copied into memory.
///
/// Opening reads the manifest, the headers, and the lexical part's checksums.
pub struct TerminologyIndex {
    folder: PathBuf,
    manifest: Manifest,
    shape: CodeShape,
    /// The language its words are split in.
    pub(super) language: Language,
    pub(super) records: Records,
    pub(super) hierarchy: Hierarchy,
    /// `None` where an earlier medterm built the index.
    relations: Option<Relations>,
    pub(super) lexical: LexicalIndex,
    pub(super) matrix: Option<Matrix>,
    /// Read when it is first asked for.
    pub(super) tree_numbers: OnceLock<TreeNumbers>,
    /// Computed when they are first asked for.
    axis_numbers: OnceLock<AxisNumbers>,
}

impl std::fmt::Debug for TerminologyIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TerminologyIndex").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl TerminologyIndex {
    /// Opens the index in a build folder.
    ///
    /// # Errors
    /// [`IndexError`] naming the part that is missing, damaged, of another format, or not the one
    /// this index was built with.
    pub fn open(folder: &Path) -> Result<Self, IndexError> {
        let manifest = Manifest::read(folder)?;
        let relations = match manifest.parts.get("relations.bin") {
            Some(info) => Some(Relations::open(&checked(folder, "relations.bin", info)?)?),
            None => None,
        };
        Self::open_with(folder, manifest, relations, Matrix::open)
    }

    /// Opens an index for the vectors of its names, to give them to
    /// [`IndexBuilder::reuse`](super::IndexBuilder::reuse). One that was built with another analyzer
    /// must not be searched, since its words are split in another way, but has the same vectors. Its
    /// relations are left out: their format may be an earlier one too, as that of the matrix may be.
    ///
    /// # Errors
    /// As [`TerminologyIndex::open`].
    pub fn open_for_vectors(folder: &Path) -> Result<Self, IndexError> {
        let manifest = Manifest::read_of_any_analyzer(folder)?;
        Self::open_with(folder, manifest, None, Matrix::open_for_vectors)
    }

    fn open_with(
        folder: &Path,
        manifest: Manifest,
        relations: Option<Relations>,
        open_matrix: impl Fn(&Path) -> Result<Matrix, DenseError>,
    ) -> Result<Self, IndexError> {
        let part = |name: &str| {
            let info = manifest.parts.get(name).ok_or_else(|| IndexError::Manifest {
                path: folder.join(Manifest::FILE),
                reason: format!("it names no {name}"),
            })?;
            checked(folder, name, info)
        };
        let records = Records::open(&part("records.bin")?)?;
        let hierarchy = Hierarchy::open(&part("hierarchy.bin")?)?;
        let lexical = LexicalIndex::open(&part("lexical.bin")?)?;
        let matrix = match manifest.model {
            Some(_) => Some(open_matrix(&part("dense.bin")?)?),
            None => None,
        };
        let concepts = manifest.counts.concepts + manifest.counts.groupers;
        if records.len() != concepts
            || hierarchy.len() != concepts
            || relations.as_ref().is_some_and(|relations| relations.len() != concepts)
            || records.designation_count() != manifest.counts.designations
            || matrix
                .as_ref()
                .is_some_and(|m| m.concepts() != concepts || m.rows() != manifest.counts.rows)
        {
            return Err(IndexError::ForeignPart { path: folder.to_owned() });
        }
        let language = Language::of_tag(&manifest.release.language);
        let shape = CodeShape::of_release(&manifest.release);
        let folder = folder.to_owned();
        let tree_numbers = OnceLock::new();
        Ok(Self {
            folder,
            manifest,
            shape,
            language,
            records,
            hierarchy,
            relations,
            lexical,
            matrix,
            tree_numbers,
            axis_numbers: OnceLock::new(),
        })
    }

    /// Reads every byte of every part and compares it with its checksum. One entry a part: its
    /// path, and what is wrong with it.
    #[must_use]
    pub fn verify(&self) -> Vec<(PathBuf, Option<IndexError>)> {
        let mut found = Vec::new();
        let mut add = |name: &str, result: Result<(), IndexError>| {
            found.push((self.folder.join(name), result.err()));
        };
        add("records.bin", self.records.verify().map_err(IndexError::from));
        add("hierarchy.bin", self.hierarchy.verify().map_err(IndexError::from));
        if let Some(relations) = &self.relations {
            add("relations.bin", relations.verify().map_err(IndexError::from));
        }
        add("lexical.bin", self.lexical.verify().map_err(IndexError::from));
        if let Some(matrix) = &self.matrix {
            add("dense.bin", matrix.verify().map_err(IndexError::from));
        }
        found
    }

    /// What it was built from, and what is in it.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The folder it is in.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How its codes are written.
    #[must_use]
    pub fn shape(&self) -> CodeShape {
        self.shape
    }

    /// Codes, names and properties.
    #[must_use]
    pub fn records(&self) -> &Records {
        &self.records
    }

    /// Parents and children.
    #[must_use]
    pub fn hierarchy(&self) -> &Hierarchy {
        &self.hierarchy
    }

    /// Attributes, reference sets and the properties that can be filtered by; none in an index that
    /// an earlier medterm built.
    #[must_use]
    pub fn relations(&self) -> Option<&Relations> {
        self.relations.as_ref()
    }

    /// The embedding matrix, where it has one.
    #[must_use]
    pub fn matrix(&self) -> Option<&Matrix> {
        self.matrix.as_ref()
    }

    /// The concept that has this code, typed in any spelling the terminology accepts.
    #[must_use]
    pub fn find(&self, typed: &str) -> Option<ConceptOrd> {
        let typed = typed.trim();
        let canonical = self.shape.canonical(typed);
        canonical
            .as_deref()
            .and_then(|code| self.find_spelled(code))
            .or_else(|| self.find_spelled(typed))
            // The end of a sentence, or of a category that was copied out of a book.
            .or_else(|| {
                let bare = typed.strip_suffix('.').filter(|_| self.shape.folds_case())?;
                self.find_spelled(bare)
            })
    }

    fn find_spelled(&self, code: &str) -> Option<ConceptOrd> {
        let exact = self.records.find(code);
        if exact.is_none() && self.shape.folds_case() {
            self.records.find_folded(code)
        } else {
            exact
        }
    }

    /// The words of its names that state something on an axis.
    pub(super) fn axis_numbers(&self) -> &AxisNumbers {
        let longer = |beginning: &str| {
            let mut words = self.lexical.words_with_prefix(beginning);
            words.start += u32::from(self.lexical.words().word(words.start as usize) == beginning);
            words
        };
        self.axis_numbers
            .get_or_init(|| AxisNumbers::new(|stem| self.lexical.stem_number(stem), longer))
    }

    /// How many codes to choose from stand above a concept: 0 for the most general ones.
    #[must_use]
    pub fn level(&self, concept: ConceptOrd) -> u32 {
        let mut level = 0;
        let mut at = concept;
        // The first parent is enough to tell the general from the specific; the bound is there for
        // damaged files.
        while let Some(parent) = self.hierarchy.parents(at).next() {
            if level > 64 || !self.records.is_selectable(parent) {
                break;
            }
            level += 1;
            at = parent;
        }
        level
    }

    /// The concepts as they were pushed, in code order: an index built from them is the same one.
    pub fn concepts(&self) -> impl Iterator<Item = Result<Concept, IndexError>> {
        let (refsets, failure) = match self.relations.as_ref().map(Relations::refsets_by_concept) {
            None => (Vec::new(), None),
            Some(Ok(refsets)) => (refsets, None),
            Some(Err(error)) => (Vec::new(), Some(Err(error.into()))),
        };
        let ords = (0u32..).map(ConceptOrd).take(self.records.len());
        let concepts = ords.map(move |ord| {
            let mut concept = self.concept(ord)?;
            let own = refsets.get(ord.index()).into_iter().flatten();
            concept.refsets = own.filter_map(|refset| Code::new(refset).ok()).collect();
            Ok(concept)
        });
        failure.into_iter().chain(concepts)
    }

    fn concept(&self, ord: ConceptOrd) -> Result<Concept, IndexError> {
        let code = |ord: ConceptOrd| {
            Code::new(self.records.code(ord)).map_err(|_| {
                IndexError::Disk(DiskError::new(
                    &self.folder.join("records.bin"),
                    DiskErrorKind::Checksum { what: format!("the code of concept {}", ord.0) },
                ))
            })
        };
        let details = self.records.details(ord)?;
        let designations = self
            .records
            .designations(ord)
            // The first one is the display.
            .skip(1)
            .map(|designation| self.records.designation(DesignationOrd(designation)))
            .map(|name| Designation {
                source: name.source.map(str::to_owned),
                ..Designation::new(name.language, name.use_, name.value)
            })
            .collect();
        Ok(Concept {
            code: code(ord)?,
            display: self.records.display(ord).to_owned(),
            designations,
            parents: self.hierarchy.parents(ord).map(code).collect::<Result<_, _>>()?,
            ancestors: self.hierarchy.stated_ancestors(ord).map(code).collect::<Result<_, _>>()?,
            properties: details.properties,
            relations: self.relations_of(ord, code)?,
            refsets: Vec::new(),
            definition: details.definition,
            active: self.records.is_active(ord),
        })
    }

    fn relations_of(
        &self,
        ord: ConceptOrd,
        code: impl Fn(ConceptOrd) -> Result<Code, IndexError>,
    ) -> Result<Vec<Relation>, IndexError> {
        let stored = self.relations.iter().flat_map(|relations| relations.relations(ord));
        stored
            .map(|stored| {
                let value = match stored.value {
                    StoredValue::Concept(ord) => RelationValue::Concept(code(ord)?),
                    StoredValue::Integer(value) => RelationValue::Integer(value),
                    StoredValue::Decimal(value) => RelationValue::Decimal(value),
                    StoredValue::Text(text) => RelationValue::Text(text.to_owned()),
                };
                Ok(Relation { group: stored.group, attribute: code(stored.attribute)?, value })
            })
            .collect()
    }
}

/// The path of a part, once it is known to be the one that the index was built with.
fn checked(folder: &Path, name: &str, info: &PartInfo) -> Result<PathBuf, IndexError> {
    let path = folder.join(name);
    check_identity(&path, info)?;
    Ok(path)
}

/// Two parts of the same kind differ in length or in the checksums of their sections.
fn check_identity(path: &Path, info: &PartInfo) -> Result<(), IndexError> {
    let found = PartInfo::from(Part::summary(path)?);
    if found.len != info.len {
        let kind = DiskErrorKind::Length { expected: info.len, found: found.len };
        return Err(DiskError::new(path, kind).into());
    }
    if found == *info { Ok(()) } else { Err(IndexError::ForeignPart { path: path.to_owned() }) }
}
