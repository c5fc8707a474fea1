//! The files of a release, written row by row.

use std::io;
use std::ops::Range;
use std::path::Path;

use super::ids::{Component, Numbers, identifier};
use super::table::Table;
use super::words::{TAGS, Wording};

/// How large a release is to be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    pub(crate) concepts: u64,
    pub(crate) descriptions: u64,
    pub(crate) seed: u64,
}

/// The identifiers of SNOMED CT's metadata, without which no importer reads anything.
mod metadata {
    pub(super) const ROOT: u64 = 138_875_005;
    pub(super) const PRIMITIVE: u64 = 900_000_000_000_074_008;
    pub(super) const DEFINED: u64 = 900_000_000_000_073_002;
    pub(super) const FULLY_SPECIFIED: u64 = 900_000_000_000_003_001;
    pub(super) const SYNONYM: u64 = 900_000_000_000_013_009;
    pub(super) const DEFINITION: u64 = 900_000_000_000_550_004;
    pub(super) const CASE: u64 = 900_000_000_000_448_009;
    pub(super) const IS_A: u64 = 116_680_003;
    pub(super) const INFERRED: u64 = 900_000_000_000_011_006;
    pub(super) const EXISTENTIAL: u64 = 900_000_000_000_451_002;
    pub(super) const US: u64 = 900_000_000_000_509_007;
    pub(super) const GB: u64 = 900_000_000_000_508_004;
    pub(super) const PREFERRED: u64 = 900_000_000_000_548_007;
    pub(super) const ACCEPTABLE: u64 = 900_000_000_000_549_004;
    pub(super) const REPLACED_BY: u64 = 900_000_000_000_526_001;
    pub(super) const POSSIBLY_EQUIVALENT: u64 = 900_000_000_000_523_009;
    pub(super) const INACTIVATION: u64 = 900_000_000_000_489_007;
    pub(super) const AMBIGUOUS: u64 = 900_000_000_000_484_002;
    pub(super) const CORRELATION: u64 = 447_561_005;
    pub(super) const CLASSIFIED: u64 = 447_637_006;
}
use metadata as meta;

/// Concepts in a hundred that are retired.
const RETIRED: u64 = 6;
const ATTRIBUTES: u64 = 8;
const REFSETS: u64 = 6;

/// Writes a release into `folder`, which is made; gives the names of the files and their rows.
///
/// # Errors
/// What the disk says.
pub(crate) fn write_release(folder: &Path, size: Size) -> io::Result<Vec<(String, u64)>> {
    let mut writer = Writer::create(folder, size)?;
    writer.metadata()?;
    for number in writer.first()..size.concepts {
        writer.concept(number)?;
    }
    writer.finish()
}

struct Writer {
    size: Size,
    numbers: Numbers,
    descriptions: u64,
    relationships: u64,
    concept: Table,
    description: Table,
    definition: Table,
    relationship: Table,
    concrete: Table,
    language: Table,
    simple: Table,
    association: Table,
    attribute_value: Table,
    map: Table,
}

impl Writer {
    fn create(folder: &Path, size: Size) -> io::Result<Self> {
        let table = |name: &str, columns: &str| Table::create(folder, name, columns);
        let names = "conceptId languageCode typeId term caseSignificanceId";
        let ends = "relationshipGroup typeId characteristicTypeId modifierId";
        let member = "refsetId referencedComponentId";
        let map = "mapGroup mapPriority mapRule mapAdvice mapTarget correlationId mapCategoryId";
        Ok(Self {
            size,
            numbers: Numbers::new(size.seed),
            descriptions: 0,
            relationships: 0,
            concept: table("Terminology/sct2_Concept_Snapshot", "definitionStatusId")?,
            description: table("Terminology/sct2_Description_Snapshot-en", names)?,
            definition: table("Terminology/sct2_TextDefinition_Snapshot-en", names)?,
            relationship: table(
                "Terminology/sct2_Relationship_Snapshot",
                &format!("sourceId destinationId {ends}"),
            )?,
            concrete: table(
                "Terminology/sct2_RelationshipConcreteValues_Snapshot",
                &format!("sourceId value {ends}"),
            )?,
            language: table(
                "Refset/Language/der2_cRefset_LanguageSnapshot-en",
                &format!("{member} acceptabilityId"),
            )?,
            simple: table("Refset/Content/der2_Refset_SimpleSnapshot", member)?,
            association: table(
                "Refset/Content/der2_cRefset_AssociationSnapshot",
                &format!("{member} targetComponentId"),
            )?,
            attribute_value: table(
                "Refset/Content/der2_cRefset_AttributeValueSnapshot",
                &format!("{member} valueId"),
            )?,
            map: table(
                "Refset/Map/der2_iisssccRefset_ExtendedMapSnapshot",
                &format!("{member} {map}"),
            )?,
        })
    }

    /// How many concepts stand for attributes and reference sets, the root among them.
    fn first(&self) -> u64 {
        1 + ATTRIBUTES + REFSETS
    }

    /// The identifier of a concept by its number; the first is the root.
    fn id(&self, number: u64) -> u64 {
        if number == 0 { meta::ROOT } else { identifier(100 + number, Component::Concept) }
    }

    /// The identifier of a concept whose number is in this range, which is not empty.
    fn one_of(&mut self, range: Range<u64>) -> u64 {
        let number = range.start + self.numbers.below(range.end - range.start);
        self.id(number)
    }

    /// The root, the attributes, the reference sets.
    fn metadata(&mut self) -> io::Result<()> {
        for number in 0..self.first() {
            let (name, tag) = match number {
                0 => ("Invented concept".to_owned(), "invented"),
                1..=ATTRIBUTES => (format!("Invented attribute {number}"), "attribute"),
                _ => (format!("Invented set {number}"), "foundation metadata concept"),
            };
            let id = self.id(number);
            self.concept.row(&id.to_string(), true, &[meta::PRIMITIVE.to_string()])?;
            self.name(id, meta::FULLY_SPECIFIED, &format!("{name} ({tag})"), &BOTH)?;
            self.name(id, meta::SYNONYM, &name, &BOTH)?;
            if number > 0 {
                self.relation(id, meta::ROOT, 0, meta::IS_A)?;
            }
        }
        Ok(())
    }

    fn concept(&mut self, number: u64) -> io::Result<()> {
        let id = self.id(number);
        let is_active = !self.numbers.happens(RETIRED) || number < self.first() + 100;
        let is_defined = self.numbers.happens(35);
        let status = if is_defined { meta::DEFINED } else { meta::PRIMITIVE };
        self.concept.row(&id.to_string(), is_active, &[status.to_string()])?;
        self.names(number, id)?;
        if is_active {
            self.relations(number, id)?;
            self.members(number, id)
        } else {
            self.history(number, id)
        }
    }

    fn names(&mut self, number: u64, id: u64) -> io::Result<()> {
        let wording = Wording::new(&mut self.numbers);
        let (name, tag) = (wording.preferred(), TAGS[(number % TAGS.len() as u64) as usize]);
        self.name(id, meta::FULLY_SPECIFIED, &format!("{name} ({tag})"), &BOTH)?;
        match wording.british() {
            Some(british) => {
                self.name(id, meta::SYNONYM, &name, &[(meta::US, true), (meta::GB, false)])?;
                self.name(id, meta::SYNONYM, &british, &[(meta::US, false), (meta::GB, true)])?;
            }
            None => self.name(id, meta::SYNONYM, &name, &BOTH)?,
        }
        // What is left of the descriptions is shared out among what is left of the concepts.
        let left = self.size.descriptions.saturating_sub(self.descriptions);
        let concepts = (self.size.concepts - number).max(1);
        let own = (left / concepts).saturating_sub(2)
            + u64::from(self.numbers.below(concepts) < left % concepts);
        for synonym in 0..own {
            let term = wording.synonym(synonym);
            if self.numbers.happens(20) {
                self.description_row(id, meta::SYNONYM, &term, false)?;
            } else {
                self.name(id, meta::SYNONYM, &term, &[(meta::US, false), (meta::GB, false)])?;
            }
        }
        if self.numbers.happens(2) {
            let description = self.next_description();
            let cells = [
                id.to_string(),
                "en".to_owned(),
                meta::DEFINITION.to_string(),
                wording.definition(),
                meta::CASE.to_string(),
            ];
            self.definition.row(&description.to_string(), true, &cells)?;
            self.prefer(description, &BOTH)?;
        }
        Ok(())
    }

    fn relations(&mut self, number: u64, id: u64) -> io::Result<()> {
        let first = self.first();
        // A parent has between a fourth and a half of the child's number, so that some twelve steps
        // lead from the last concept to the root.
        let above = ((number - first) / 2).max(1);
        for _ in 0..1 + self.numbers.below(3) {
            let nearest = above / 2 + self.numbers.below(above - above / 2);
            let parent = if number == first { 0 } else { first + nearest };
            let parent = self.id(parent);
            self.relation(id, parent, 0, meta::IS_A)?;
        }
        for group in 1..=1 + self.numbers.below(3) {
            for _ in 0..1 + self.numbers.below(3) {
                let attribute = self.one_of(1..1 + ATTRIBUTES);
                let value = self.one_of(0..number);
                self.relation(id, value, group, attribute)?;
            }
        }
        // As many again that held once, as in a real snapshot.
        for _ in 0..4 {
            let value = self.one_of(0..number);
            self.relation_row(id, value, 0, meta::IS_A, false)?;
        }
        if self.numbers.happens(5) {
            let value = format!("#{}", 1 + self.numbers.below(500));
            let relationship = self.next_relationship();
            let attribute = self.id(1).to_string();
            let cells = [
                id.to_string(),
                value,
                "1".to_owned(),
                attribute,
                meta::INFERRED.to_string(),
                meta::EXISTENTIAL.to_string(),
            ];
            self.concrete.row(&relationship.to_string(), true, &cells)?;
        }
        Ok(())
    }

    fn members(&mut self, number: u64, id: u64) -> io::Result<()> {
        for set in 0..REFSETS - 1 {
            if self.numbers.happens(1 + 10 / (set + 1)) {
                let refset = self.id(1 + ATTRIBUTES + set).to_string();
                let member = self.numbers.uuid();
                self.simple.row(&member, true, &[refset, id.to_string()])?;
            }
        }
        if self.numbers.happens(35) {
            let refset = self.id(ATTRIBUTES + REFSETS).to_string();
            for priority in 1..=1 + self.numbers.below(2) {
                let member = self.numbers.uuid();
                let target = format!("Q{:02}.{}", number % 100, priority);
                let cells = [
                    refset.clone(),
                    id.to_string(),
                    "1".to_owned(),
                    priority.to_string(),
                    "OTHERWISE TRUE".to_owned(),
                    format!("ALWAYS {target}"),
                    target,
                    meta::CORRELATION.to_string(),
                    meta::CLASSIFIED.to_string(),
                ];
                self.map.row(&member, true, &cells)?;
            }
        }
        Ok(())
    }

    /// What became of a retired concept: one of the first hundred, which are all in use.
    fn history(&mut self, number: u64, id: u64) -> io::Result<()> {
        let associations = if number.is_multiple_of(3) {
            [Some(meta::POSSIBLY_EQUIVALENT), Some(meta::POSSIBLY_EQUIVALENT)]
        } else {
            [Some(meta::REPLACED_BY), None]
        };
        for refset in associations.into_iter().flatten() {
            let first = self.first();
            let target = self.one_of(first..number.min(first + 100)).to_string();
            let member = self.numbers.uuid();
            let cells = [refset.to_string(), id.to_string(), target];
            self.association.row(&member, true, &cells)?;
        }
        let member = self.numbers.uuid();
        let cells = [meta::INACTIVATION, id, meta::AMBIGUOUS].map(|id| id.to_string());
        self.attribute_value.row(&member, true, &cells)
    }

    /// A name in use, and what each dialect makes of it.
    fn name(&mut self, id: u64, kind: u64, term: &str, dialects: &[(u64, bool)]) -> io::Result<()> {
        let description = self.description_row(id, kind, term, true)?;
        self.prefer(description, dialects)
    }

    fn description_row(&mut self, id: u64, kind: u64, term: &str, active: bool) -> io::Result<u64> {
        let description = self.next_description();
        let cells = [
            id.to_string(),
            "en".to_owned(),
            kind.to_string(),
            term.to_owned(),
            meta::CASE.to_string(),
        ];
        self.description.row(&description.to_string(), active, &cells)?;
        Ok(description)
    }

    fn prefer(&mut self, description: u64, dialects: &[(u64, bool)]) -> io::Result<()> {
        for (refset, is_preferred) in dialects {
            let acceptability = if *is_preferred { meta::PREFERRED } else { meta::ACCEPTABLE };
            let member = self.numbers.uuid();
            let cells = [*refset, description, acceptability].map(|id| id.to_string());
            self.language.row(&member, true, &cells)?;
        }
        Ok(())
    }

    fn relation(&mut self, source: u64, target: u64, group: u64, kind: u64) -> io::Result<()> {
        self.relation_row(source, target, group, kind, true)
    }

    fn relation_row(
        &mut self,
        source: u64,
        target: u64,
        group: u64,
        kind: u64,
        active: bool,
    ) -> io::Result<()> {
        let relationship = self.next_relationship();
        let cells = [source, target, group, kind, meta::INFERRED, meta::EXISTENTIAL];
        let cells = cells.map(|id| id.to_string());
        self.relationship.row(&relationship.to_string(), active, &cells)
    }

    fn next_description(&mut self) -> u64 {
        self.descriptions += 1;
        identifier(100 + self.descriptions, Component::Description)
    }

    fn next_relationship(&mut self) -> u64 {
        self.relationships += 1;
        identifier(100 + self.relationships, Component::Relationship)
    }

    fn finish(self) -> io::Result<Vec<(String, u64)>> {
        [
            self.concept,
            self.description,
            self.definition,
            self.relationship,
            self.concrete,
            self.language,
            self.simple,
            self.association,
            self.attribute_value,
            self.map,
        ]
        .into_iter()
        .map(Table::finish)
        .collect()
    }
}

/// Preferred in both dialects.
const BOTH: [(u64, bool); 2] = [(meta::US, true), (meta::GB, true)];
