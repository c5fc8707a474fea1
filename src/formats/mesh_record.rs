//! One record of MeSH, put together from its elements.

use crate::terminology::{
    Code, Concept, Designation, DesignationUse, Property, PropertyValue, property,
};

use super::ImportErrorKind;
use super::mesh_release::bcp47;
use super::xml::collapsed;

/// The property codes of MeSH that have no name of their own in [`property`].
mod code {
    pub(super) const ALLOWABLE_QUALIFIER: &str = "allowableQualifier";
    pub(super) const CAS_NAME: &str = "casName";
    pub(super) const ENTRY_COMBINATION: &str = "entryCombination";
    pub(super) const INDEXING_INFORMATION: &str = "indexingInformation";
    pub(super) const MAPPED_TO: &str = "mappedTo";
    pub(super) const PHARMACOLOGICAL_ACTION: &str = "pharmacologicalAction";
    pub(super) const PREVIOUS_INDEXING: &str = "previousIndexing";
    pub(super) const REGISTRY_NUMBER: &str = "registryNumber";
    pub(super) const RELATED_REGISTRY_NUMBER: &str = "relatedRegistryNumber";
    pub(super) const SEE_RELATED: &str = "seeRelated";
}

/// Elements directly within a record that become a text property.
const TEXTS: &[(&str, &str)] = &[
    ("Annotation", "annotation"),
    ("ConsiderAlso", "considerAlso"),
    ("HistoryNote", "historyNote"),
    ("NLMClassificationNumber", "classificationNumber"),
    ("OnlineNote", "onlineNote"),
    ("PublicMeSHNote", "publicNote"),
];

/// Elements directly within a record that become a date.
const DATES: &[(&str, &str)] = &[
    ("DateCreated", "dateCreated"),
    ("DateRevised", "dateRevised"),
    ("DateEstablished", "dateEstablished"),
];

/// The three kinds of records, in the order in which their files are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RecordKind {
    Descriptor,
    Qualifier,
    Supplementary,
}

impl RecordKind {
    /// The kind of the records in a file with this root element.
    pub(super) fn of_set(root: &str) -> Option<Self> {
        [Self::Descriptor, Self::Qualifier, Self::Supplementary]
            .into_iter()
            .find(|kind| kind.set() == root)
    }

    /// The root element.
    pub(super) fn set(self) -> &'static str {
        match self {
            Self::Descriptor => "DescriptorRecordSet",
            Self::Qualifier => "QualifierRecordSet",
            Self::Supplementary => "SupplementalRecordSet",
        }
    }

    /// The element of one record.
    pub(super) fn record(self) -> &'static str {
        self.record_element().trim_matches(['<', '>'])
    }

    /// The element of one record, as it is shown.
    pub(super) fn record_element(self) -> &'static str {
        match self {
            Self::Descriptor => "<DescriptorRecord>",
            Self::Qualifier => "<QualifierRecord>",
            Self::Supplementary => "<SupplementalRecord>",
        }
    }

    /// The element of its code.
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::Descriptor => "DescriptorUI",
            Self::Qualifier => "QualifierUI",
            Self::Supplementary => "SupplementalRecordUI",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Descriptor => "DescriptorName",
            Self::Qualifier => "QualifierName",
            Self::Supplementary => "SupplementalRecordName",
        }
    }

    /// The attribute with the class of a record, and the property it becomes.
    fn class(self) -> (&'static str, &'static str) {
        match self {
            Self::Descriptor => ("DescriptorClass", "descriptorClass"),
            Self::Qualifier => ("QualifierClass", "qualifierClass"),
            Self::Supplementary => ("SCRClass", "supplementaryClass"),
        }
    }

    /// The value of the property `kind`.
    fn label(self) -> &'static str {
        match self {
            Self::Descriptor => "descriptor",
            Self::Qualifier => "qualifier",
            Self::Supplementary => "supplementary",
        }
    }

    /// What many of them are called.
    pub(super) fn plural(self) -> &'static str {
        match self {
            Self::Descriptor => "descriptors",
            Self::Qualifier => "qualifiers",
            Self::Supplementary => "supplementary records",
        }
    }
}

/// A record being read.
pub(super) struct Record {
    kind: RecordKind,
    /// BCP 47 language of the file.
    language: String,
    code: String,
    name: String,
    definition: Option<String>,
    terms: Vec<Designation>,
    properties: Vec<Property>,
    is_in_preferred: bool,
    term: Term,
}

/// What is known about the term being read.
#[derive(Default)]
struct Term {
    is_permuted: bool,
    /// Where its identifier tells it.
    language: Option<String>,
}

impl Record {
    pub(super) fn new(kind: RecordKind, language: &str, attributes: &[(String, String)]) -> Self {
        let mut properties = vec![Property::text(property::KIND, kind.label())];
        let (attribute, class) = kind.class();
        if let Some(value) = value_of(attributes, attribute) {
            properties.push(Property::text(class, value));
        }
        Self {
            kind,
            language: language.to_owned(),
            code: String::new(),
            name: String::new(),
            definition: None,
            terms: Vec::new(),
            properties,
            is_in_preferred: false,
            term: Term::default(),
        }
    }

    /// An element within the record begins; `open` are the elements from there to it.
    pub(super) fn begin(&mut self, open: &[String], attributes: &[(String, String)]) {
        let says_yes = |name| value_of(attributes, name).is_some_and(|value| value == "Y");
        match names(open).as_slice() {
            ["ConceptList", "Concept"] => self.is_in_preferred = says_yes("PreferredConceptYN"),
            ["ConceptList", "Concept", "TermList", "Term"] => {
                self.term = Term { is_permuted: says_yes("IsPermutedTermYN"), language: None };
            }
            ["EntryCombinationList", "EntryCombination"] => self.text(property::NOTE, ""),
            _ => {}
        }
    }

    /// Takes the text of an element; `open` are the elements from the record to it.
    pub(super) fn take(&mut self, open: &[String], text: &str) {
        let text = collapsed(text);
        match names(open).as_slice() {
            [element] => self.take_own(element, text),
            [element, "String"] if *element == self.kind.name() => self.name = text,
            [element, part @ ("Year" | "Month" | "Day")] => self.take_date(element, part, &text),
            ["TreeNumberList", "TreeNumber"] => self.text(property::TREE_NUMBER, text),
            ["PreviousIndexingList", "PreviousIndexing"] => {
                self.text(code::PREVIOUS_INDEXING, text);
            }
            ["ConceptList", "Concept", rest @ ..] => self.take_from_concept(rest, text),
            [list, _, rest @ ..] => self.take_reference(list, rest, &text),
            [] => {}
        }
    }

    fn take_own(&mut self, element: &str, text: String) {
        if element == self.kind.code() {
            self.code = text;
        } else if element == "Note" && self.kind == RecordKind::Supplementary {
            self.definition = Some(text);
        } else if let Some((_, code)) = TEXTS.iter().find(|(name, _)| *name == element) {
            self.text(code, text);
        }
    }

    /// Year, month and day come in this order.
    fn take_date(&mut self, element: &str, part: &str, text: &str) {
        let Some((_, code)) = DATES.iter().find(|(name, _)| *name == element) else { return };
        if part == "Year" {
            let value = PropertyValue::DateTime(text.to_owned());
            self.properties.push(Property { code: (*code).to_owned(), value });
        } else if let Some(Property { code: last, value: PropertyValue::DateTime(date) }) =
            self.properties.last_mut()
            && last == code
        {
            date.push_str(&format!("-{text:0>2}"));
        }
    }

    fn take_from_concept(&mut self, open: &[&str], text: String) {
        match open {
            ["ScopeNote"] if self.is_in_preferred => self.definition = Some(text),
            ["CASN1Name"] => self.text(code::CAS_NAME, text),
            // A zero says that there is none.
            ["RegistryNumber"] | ["RegistryNumberList", "RegistryNumber"] if text != "0" => {
                self.text(code::REGISTRY_NUMBER, text);
            }
            ["RelatedRegistryNumberList", _] => self.text(code::RELATED_REGISTRY_NUMBER, text),
            ["TermList", "Term", "TermUI"] => self.term.language = language_of_term(&text),
            ["TermList", "Term", "String"] if !self.term.is_permuted => {
                let use_ = match self.is_in_preferred {
                    true => DesignationUse::Synonym,
                    false => DesignationUse::Related,
                };
                let language = self.term.language.as_ref().unwrap_or(&self.language);
                self.terms.push(Designation::new(language, use_, text));
            }
            _ => {}
        }
    }

    fn take_reference(&mut self, list: &str, open: &[&str], text: &str) {
        if list == "EntryCombinationList" {
            self.take_combination(open, text);
        }
        let code = match (list, open) {
            ("AllowableQualifiersList", ["QualifierReferredTo", "QualifierUI"]) => {
                code::ALLOWABLE_QUALIFIER
            }
            ("EntryCombinationList", ["ECOUT", "DescriptorReferredTo", "DescriptorUI"]) => {
                code::ENTRY_COMBINATION
            }
            ("HeadingMappedToList", ["DescriptorReferredTo", "DescriptorUI"]) => code::MAPPED_TO,
            ("IndexingInformationList", ["DescriptorReferredTo", "DescriptorUI"]) => {
                code::INDEXING_INFORMATION
            }
            ("PharmacologicalActionList", ["DescriptorReferredTo", "DescriptorUI"]) => {
                code::PHARMACOLOGICAL_ACTION
            }
            ("SeeRelatedList", ["DescriptorReferredTo", "DescriptorUI"]) => code::SEE_RELATED,
            _ => return,
        };
        // A star marks the heading that is a main topic.
        let target = text.trim_start_matches('*');
        self.properties.push(Property::code(code, target));
    }

    /// Says in words what the codes of an entry combination mean: "Abdomen/injuries: use Abdominal
    /// Injuries". The record itself and its qualifier come first.
    fn take_combination(&mut self, open: &[&str], text: &str) {
        let before = match open {
            ["ECIN", "DescriptorReferredTo", "DescriptorName", "String"] => "",
            ["ECOUT", "DescriptorReferredTo", "DescriptorName", "String"] => ": use ",
            [_, "QualifierReferredTo", "QualifierName", "String"] => "/",
            _ => return,
        };
        let note = self.properties.iter_mut().rev().find(|one| one.code == property::NOTE);
        if let Some(Property { value: PropertyValue::Text(note), .. }) = note {
            note.push_str(before);
            note.push_str(text);
        }
    }

    fn text(&mut self, code: &str, text: impl Into<String>) {
        self.properties.push(Property::text(code, text));
    }

    /// The concept, without what is above it.
    pub(super) fn concept(self) -> Result<Concept, ImportErrorKind> {
        let record = self.kind.record_element();
        if self.code.is_empty() {
            let element = self.kind.code();
            return Err(ImportErrorKind::Missing { element, inside: record.to_owned() });
        }
        if self.name.is_empty() {
            let element = self.kind.name();
            let inside = format!("{record} of {}", self.code);
            return Err(ImportErrorKind::Missing { element, inside });
        }
        let code = Code::new(&self.code).map_err(|_| ImportErrorKind::InvalidCode {
            text: self.code.clone(),
            expected: "a MeSH identifier such as D009203",
        })?;
        let mut concept = Concept::new(code, self.name);
        for term in self.terms {
            let is_known =
                |one: &Designation| one.value == term.value && one.language == term.language;
            let is_display = term.value == concept.display && term.language == self.language;
            if !is_display && !concept.designations.iter().any(is_known) {
                concept.designations.push(term);
            }
        }
        concept.properties = self.properties;
        concept.definition = self.definition;
        Ok(concept)
    }
}

fn names(open: &[String]) -> Vec<&str> {
    open.iter().map(String::as_str).collect()
}

fn value_of<'a>(attributes: &'a [(String, String)], name: &str) -> Option<&'a str> {
    attributes.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
}

/// The language of a term that a national center added: its identifier begins with the language
/// instead of a T. In a translation, terms of NLM itself are English.
fn language_of_term(identifier: &str) -> Option<String> {
    let end = identifier.find(|c: char| !c.is_ascii_alphabetic())?;
    match &identifier[..end] {
        "T" => Some("en".to_owned()),
        letters if letters.len() == 3 => Some(bcp47(letters)),
        _ => None,
    }
}
