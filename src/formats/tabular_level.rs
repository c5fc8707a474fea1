//! One chapter, block, category or code of the tabular list, and the concepts it becomes.

use crate::terminology::{Code, Concept, Designation, DesignationUse, Property, property};

use super::ImportErrorKind;
use super::seventh::{Extension, SeventhCharacters};

/// The language of the list.
pub(super) const LANGUAGE: &str = "en";

/// A chapter, block, category or code whose element is open.
pub(super) struct Level {
    pub rank: Rank,
    /// The line of its name.
    pub line: u64,
    /// Its code; empty until its name is read.
    pub name: String,
    pub title: Option<String>,
    pub designations: Vec<Designation>,
    pub properties: Vec<Property>,
    pub seventh: SeventhCharacters,
    /// An element below it has begun: it has everything of its own.
    pub is_complete: bool,
    pub state: State,
}

/// Whether a level's concept was given out.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum State {
    Held,
    Given(Code),
    /// A block that is one concept with its category.
    Merged,
}

/// Whether a level has others below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Below {
    Codes,
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rank {
    Chapter,
    Block,
    Diagnosis,
}

impl Rank {
    pub(super) fn of(element: &str) -> Option<Self> {
        match element {
            "chapter" => Some(Self::Chapter),
            "section" => Some(Self::Block),
            "diag" => Some(Self::Diagnosis),
            _ => None,
        }
    }

    /// Whether an element of this rank may stand within `outer`.
    pub(super) fn fits_in(self, outer: Option<Self>) -> bool {
        match self {
            Self::Chapter => outer.is_none(),
            Self::Block => outer == Some(Self::Chapter),
            Self::Diagnosis => matches!(outer, Some(Self::Block | Self::Diagnosis)),
        }
    }

    fn element(self) -> &'static str {
        match self {
            Self::Chapter => "<chapter>",
            Self::Block => "<section>",
            Self::Diagnosis => "<diag>",
        }
    }

    fn has_code(self, text: &str) -> bool {
        match self {
            Self::Chapter => {
                matches!(text.len(), 1..=2) && text.bytes().all(|b| b.is_ascii_digit())
            }
            Self::Block => is_range(text),
            Self::Diagnosis => is_diagnosis(text),
        }
    }

    fn code_shape(self) -> &'static str {
        match self {
            Self::Chapter => "the number of a chapter such as 4",
            Self::Block => "a block such as E08-E13",
            Self::Diagnosis => "an ICD-10-CM code such as E11.9",
        }
    }
}

impl Level {
    pub(super) fn new(rank: Rank, line: u64, seventh: SeventhCharacters) -> Self {
        Self {
            rank,
            line,
            name: String::new(),
            title: None,
            designations: Vec::new(),
            properties: Vec::new(),
            seventh,
            is_complete: false,
            state: State::Held,
        }
    }

    /// Adds an inclusion term, once.
    pub(super) fn include(&mut self, term: String) {
        include(&mut self.designations, term);
    }

    /// Adds a note of what a category includes as a name close to its meaning, where it is one: I10 is
    /// "hypertension" by such a note alone. What refers to other codes or conditions is no name.
    pub(super) fn relate(&mut self, note: &str) {
        let refers = REFERRING.iter().any(|word| note.contains(word));
        let has_code = note.split([' ', '(', ')', ',', '.', '-']).any(is_category);
        if self.rank == Rank::Diagnosis
            && !refers
            && !has_code
            && note.len() <= MAX_NAME_BYTES
            && self.designations.iter().all(|one| one.value != note)
        {
            self.designations.push(Designation::new(LANGUAGE, DesignationUse::Related, note));
        }
    }

    /// Takes what belongs to a block that is one concept with this category. The block's title goes:
    /// where it differs it says less (QA0, "Genetic disorders, not elsewhere classified").
    pub(super) fn absorb(&mut self, block: &mut Self) {
        block.state = State::Merged;
        let own =
            std::mem::replace(&mut self.designations, std::mem::take(&mut block.designations));
        for designation in own {
            if self.designations.iter().all(|one| one.value != designation.value) {
                self.designations.push(designation);
            }
        }
        let own = std::mem::replace(&mut self.properties, std::mem::take(&mut block.properties));
        self.properties.extend(own);
    }

    /// The concept of this level, then the codes that 7th characters make of it.
    pub(super) fn concepts(
        &mut self,
        parent: Option<Code>,
        below: Below,
    ) -> Result<Vec<Concept>, ImportErrorKind> {
        let code = self.code()?;
        let title = self.display()?;
        let extensions = match (self.rank, below) {
            (Rank::Diagnosis, Below::Nothing) => self.seventh.expand(code.as_str()),
            _ => Vec::new(),
        };
        let mut concept = Concept::new(code.clone(), title);
        concept.parents.extend(parent);
        concept.designations = std::mem::take(&mut self.designations);
        concept.properties = match self.rank {
            Rank::Chapter => grouper("chapter"),
            Rank::Block => grouper("block"),
            Rank::Diagnosis => {
                let kind = if code.as_str().len() == 3 { "category" } else { "code" };
                coded(kind, below == Below::Nothing && extensions.is_empty())
            }
        };
        concept.properties.append(&mut self.properties);
        self.state = State::Given(code.clone());
        let mut concepts = Vec::with_capacity(1 + extensions.len());
        for (text, extension) in &extensions {
            concepts.push(extended(&concept, text, extension)?);
        }
        concepts.insert(0, concept);
        Ok(concepts)
    }

    fn code(&self) -> Result<Code, ImportErrorKind> {
        if self.name.is_empty() {
            let element = if self.rank == Rank::Block { "id attribute" } else { "<name>" };
            let inside = self.rank.element().to_owned();
            return Err(ImportErrorKind::Missing { element, inside });
        }
        let invalid = || ImportErrorKind::InvalidCode {
            text: self.name.clone(),
            expected: self.rank.code_shape(),
        };
        if !self.rank.has_code(&self.name) {
            return Err(invalid());
        }
        Code::new(&self.name).map_err(|_| invalid())
    }

    /// The title, without the range of codes that ends those of chapters and blocks.
    fn display(&self) -> Result<&str, ImportErrorKind> {
        let title = self.title.as_deref().ok_or_else(|| ImportErrorKind::Missing {
            element: "<desc>",
            inside: format!("{} {}", self.rank.element(), self.name),
        })?;
        if self.rank == Rank::Diagnosis {
            return Ok(title);
        }
        let named = title.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("));
        Ok(named.filter(|(_, range)| is_range(range)).map_or(title, |(name, _)| name.trim_end()))
    }
}

/// The code that a 7th character makes of a base.
fn extended(base: &Concept, code: &str, extension: &Extension) -> Result<Concept, ImportErrorKind> {
    let code = Code::new(code).map_err(|_| ImportErrorKind::InvalidCode {
        text: code.to_owned(),
        expected: Rank::Diagnosis.code_shape(),
    })?;
    let mut concept = Concept::new(code, format!("{}, {}", base.display, extension.label));
    concept.parents.push(base.code.clone());
    concept.properties = coded("code", true);
    for label in &extension.also {
        include(&mut concept.designations, format!("{}, {label}", base.display));
    }
    Ok(concept)
}

/// Words by which a note speaks of conditions instead of naming one.
const REFERRING: [&str; 7] =
    ["classifiable", "listed", "conditions", "the following", "when ", "code", "categor"];
/// Longer notes explain.
const MAX_NAME_BYTES: usize = 100;

fn include(designations: &mut Vec<Designation>, term: String) {
    if designations.iter().all(|one| one.value != term) {
        designations.push(Designation::new(LANGUAGE, DesignationUse::Inclusion, term));
    }
}

fn grouper(kind: &str) -> Vec<Property> {
    vec![Property::text(property::KIND, kind), Property::boolean(property::NOT_SELECTABLE, true)]
}

fn coded(kind: &str, is_billable: bool) -> Vec<Property> {
    vec![Property::text(property::KIND, kind), Property::boolean(property::BILLABLE, is_billable)]
}

/// A category: a letter and two more characters, a digit among them (E11, C7A, QA0).
fn is_category(text: &str) -> bool {
    let is_code = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit();
    matches!(text.as_bytes(), [first, rest @ ..] if rest.len() == 2
        && first.is_ascii_uppercase()
        && rest.iter().all(|b| is_code(*b))
        && rest.iter().any(u8::is_ascii_digit))
}

/// A block: one category or the first and last of several.
fn is_range(text: &str) -> bool {
    match text.split_once('-') {
        Some((first, last)) => is_category(first) && is_category(last),
        None => is_category(text),
    }
}

/// A category, alone or with a dot and one to four more characters.
fn is_diagnosis(text: &str) -> bool {
    let Some((category, rest)) = text.split_once('.') else { return is_category(text) };
    is_category(category)
        && matches!(rest.len(), 1..=4)
        && rest.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
}
