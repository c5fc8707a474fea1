use serde::{Deserialize, Serialize};

use super::{Code, Relation};

/// The property codes that this crate gives a meaning of its own. Importers may add any others.
pub mod property {
    /// Boolean: the code may be reported on a claim (the leaves of ICD-10-CM).
    pub const BILLABLE: &str = "billable";
    /// Boolean: a chapter, block or other grouper that is not itself a code to choose (FHIR).
    pub const NOT_SELECTABLE: &str = "notSelectable";
    /// Text: what level of the classification this is: `chapter`, `block`, `category`, `code`.
    pub const KIND: &str = "kind";
    /// Text: what the concept includes.
    pub const INCLUDES: &str = "includes";
    /// Text: what is never coded together with this concept.
    pub const EXCLUDES1: &str = "excludes1";
    /// Text: what is not part of this concept, but may be coded beside it.
    pub const EXCLUDES2: &str = "excludes2";
    /// Text: what is coded elsewhere, in classifications with but one kind of exclusion.
    pub const EXCLUDES: &str = "excludes";
    /// Text: the underlying condition to code before this one.
    pub const CODE_FIRST: &str = "codeFirst";
    /// Text: what to code in addition.
    pub const USE_ADDITIONAL_CODE: &str = "useAdditionalCode";
    /// Text: what to code as well, in either order.
    pub const CODE_ALSO: &str = "codeAlso";
    /// Code: the active concept to use instead of a retired one. Several where it was split.
    pub const REPLACED_BY: &str = "replacedBy";
    /// Text: the publisher's word for how far a concept is in use: `ACTIVE`, `DEPRECATED`.
    pub const STATUS: &str = "status";
    /// Text: a place in the tree of MeSH, as `C14.280.647`. One record may stand at several.
    pub const TREE_NUMBER: &str = "treeNumber";
    /// What kind of thing a concept of SNOMED CT is, by the tag of its fully specified name.
    pub const SEMANTIC_TAG: &str = "semanticTag";
    /// The place of a LOINC term among the tests and among the orders most in use, from 1; 0 is none.
    pub const COMMON_RANKS: [&str; 2] = ["COMMON_TEST_RANK", "COMMON_ORDER_RANK"];
    /// Text: the term types of an RxNorm concept (`IN`, `SCD`, `PSN`), one property each, in the order
    /// of [`TTY_ORDER`].
    pub const TTY: &str = "tty";
    /// Text: a National Drug Code of a drug in RxNorm, as the release writes it: 11 digits.
    pub const NDC: &str = "ndc";
    /// Code: what the hierarchy above the concept means, where that is not "is a": `part-of`,
    /// `grouped-by`, `classified-with` (FHIR `CodeSystem.hierarchyMeaning`).
    pub const HIERARCHY_MEANING: &str = "hierarchyMeaning";
    /// Text: any other note of the classification.
    pub const NOTE: &str = "note";
    /// Text: what the 7th characters of the codes below mean.
    pub const SEVENTH_CHARACTER_NOTE: &str = "seventhCharacterNote";

    /// The term types of RxNorm that name a concept, from the ingredient to the pack, and after them
    /// those of its other names: of several that a concept has, the first one names it.
    pub const TTY_ORDER: [&str; 24] = [
        "IN", "PIN", "MIN", "BN", "SCD", "SBD", "GPCK", "BPCK", "SCDC", "SBDC", "SCDF", "SBDF",
        "SCDFP", "SBDFP", "SCDG", "SBDG", "SCDGP", "DF", "DFG", "DP", "PSN", "TMSY", "SY", "ET",
    ];

    /// The association reference sets of SNOMED CT's international edition, and the properties that
    /// their members become: codes. They are kept apart, since what a concept was replaced by may be
    /// coded in its stead, and what it may possibly be the same as may not.
    pub const ASSOCIATIONS: [(u64, &str); 10] = [
        (900_000_000_000_526_001, REPLACED_BY),
        (900_000_000_000_527_005, "sameAs"),
        (900_000_000_000_523_009, "possiblyEquivalentTo"),
        (1_186_924_009, "partiallyEquivalentTo"),
        (1_186_921_001, "possiblyReplacedBy"),
        (900_000_000_000_530_003, "alternative"),
        (900_000_000_000_528_000, "wasA"),
        (900_000_000_000_529_008, "similarTo"),
        (900_000_000_000_524_003, "movedTo"),
        (900_000_000_000_525_002, "movedFrom"),
    ];

    /// The notes that hold for everything below the concept that states them (ICD-10-CM
    /// Guidelines, section I.A: conventions apply to the category or block and its subdivisions).
    pub const INHERITED: [&str; 8] = [
        INCLUDES,
        EXCLUDES,
        EXCLUDES1,
        EXCLUDES2,
        CODE_FIRST,
        USE_ADDITIONAL_CODE,
        CODE_ALSO,
        NOTE,
    ];
}

/// What a designation is for, which also decides how search treats it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum DesignationUse {
    /// The preferred name.
    Display,
    /// A name that means the same.
    Synonym,
    /// A condition that the code is to be used for: the inclusion terms of a classification.
    Inclusion,
    /// A path of an official alphabetical index that leads to the code.
    Index,
    /// A name that is close in meaning, broader or narrower: the non-exact synonyms of an ontology,
    /// the terms of the concepts that a MeSH descriptor has beside its preferred one. It is searched
    /// and embedded like a synonym, and is never the concept's own name nor lent to another.
    Related,
    /// A name taken from another terminology over a published exact map.
    Borrowed,
    /// A cell of an official table, named by its row and column: the index has tens of thousands
    /// that differ in a word or two. Found by words like a path of the index, never embedded.
    TableCell,
    /// A bag of related words: found by words, never embedded.
    WordBag,
}

impl DesignationUse {
    /// All uses, in the order in which equally good designations are preferred.
    pub const ALL: [Self; 8] = [
        Self::Display,
        Self::Synonym,
        Self::Inclusion,
        Self::Index,
        Self::Related,
        Self::Borrowed,
        Self::TableCell,
        Self::WordBag,
    ];

    /// Whether designations of this use are embedded.
    #[must_use]
    pub fn is_embedded(self) -> bool {
        !matches!(self, Self::TableCell | Self::WordBag)
    }

    /// Whether whoever types a name of this use has named the concept: what is only close in meaning
    /// or borrowed finds a concept and never is it, literally.
    #[must_use]
    pub fn names_literally(self) -> bool {
        !matches!(self, Self::Related | Self::Borrowed | Self::WordBag)
    }

    /// The name used in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Display => "display",
            Self::Synonym => "synonym",
            Self::Inclusion => "inclusion",
            Self::Index => "index",
            Self::Related => "related",
            Self::Borrowed => "borrowed",
            Self::TableCell => "tableCell",
            Self::WordBag => "wordBag",
        }
    }

    /// The use with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}

/// One name of a concept in one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Designation {
    /// BCP 47 language tag: `en`, `zh-TW`.
    pub language: String,
    /// What the name is for.
    #[serde(rename = "use")]
    pub use_: DesignationUse,
    /// The name.
    pub value: String,
    /// Where the name is from, where that is not the release itself: the title and version of a
    /// supplement, an index file or the terminology it was borrowed from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

impl Designation {
    /// A name that the release itself gives.
    #[must_use]
    pub fn new(
        language: impl Into<String>,
        use_: DesignationUse,
        value: impl Into<String>,
    ) -> Self {
        Self { language: language.into(), use_, value: value.into(), source: None }
    }

    /// The same name, from elsewhere.
    #[must_use]
    pub fn from_source(mut self, source: impl Into<String>) -> Self {
        self.source = Some(source.into());
        self
    }
}

/// The typed value of a property, as FHIR's `CodeSystem.concept.property.value[x]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum PropertyValue {
    /// Free text.
    Text(String),
    /// A code of the same terminology.
    Code(String),
    /// True or false.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A finite number.
    Decimal(f64),
    /// A date or time in ISO 8601 form.
    DateTime(String),
}

impl PropertyValue {
    /// The value where it is a text or a code.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Code(text) => Some(text),
            _ => None,
        }
    }
}

/// A typed attribute of a concept. One code may occur several times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Property {
    /// The property's name: `billable`, `excludes1`.
    pub code: String,
    /// Its value.
    pub value: PropertyValue,
}

impl Property {
    /// A property with a text value.
    #[must_use]
    pub fn text(code: &str, value: impl Into<String>) -> Self {
        Self { code: code.to_owned(), value: PropertyValue::Text(value.into()) }
    }

    /// A property whose value is a code of the same terminology.
    #[must_use]
    pub fn code(code: &str, value: impl Into<String>) -> Self {
        Self { code: code.to_owned(), value: PropertyValue::Code(value.into()) }
    }

    /// A property that is a whole number.
    #[must_use]
    pub fn integer(code: &str, value: i64) -> Self {
        Self { code: code.to_owned(), value: PropertyValue::Integer(value) }
    }

    /// A property that is true or false.
    #[must_use]
    pub fn boolean(code: &str, value: bool) -> Self {
        Self { code: code.to_owned(), value: PropertyValue::Boolean(value) }
    }
}

/// One concept of a release, as an importer reads it and an index is built from it.
#[derive(Debug, Clone, PartialEq)]
pub struct Concept {
    /// Its code.
    pub code: Code,
    /// Its preferred name, in the release's language.
    pub display: String,
    /// Its other names, in the order in which the release has them.
    pub designations: Vec<Designation>,
    /// The concepts directly above it. Several where the hierarchy is not a tree.
    pub parents: Vec<Code>,
    /// All concepts above it, where that is less than what is above its parents: a MeSH descriptor
    /// stands at several places of the tree, and what is above its parent elsewhere is not above
    /// it. Empty where the parents say it all.
    pub ancestors: Vec<Code>,
    /// Its typed attributes, notes among them.
    pub properties: Vec<Property>,
    /// Its defining attributes, as they are grouped.
    pub relations: Vec<Relation>,
    /// The reference sets it is a member of, by their codes.
    pub refsets: Vec<Code>,
    /// The release's definition or scope note.
    pub definition: Option<String>,
    /// False for a retired concept.
    pub active: bool,
}

impl Concept {
    /// An active concept with a name and nothing else.
    #[must_use]
    pub fn new(code: Code, display: impl Into<String>) -> Self {
        Self {
            code,
            display: display.into(),
            designations: Vec::new(),
            parents: Vec::new(),
            ancestors: Vec::new(),
            properties: Vec::new(),
            relations: Vec::new(),
            refsets: Vec::new(),
            definition: None,
            active: true,
        }
    }

    /// The value of a boolean property, where the concept states it.
    #[must_use]
    pub fn flag(&self, code: &str) -> Option<bool> {
        self.properties.iter().find(|p| p.code == code).and_then(|p| match p.value {
            PropertyValue::Boolean(value) => Some(value),
            _ => None,
        })
    }
}
