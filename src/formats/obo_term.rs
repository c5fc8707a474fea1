//! One term of an ontology, put together from the lines of its stanza.

use crate::terminology::{
    Code, Concept, Designation, DesignationUse, Property, PropertyValue, property,
};

use super::ImportErrorKind;
use super::obo_line::{Broken, Line, language};

/// The language of what states none.
const LANGUAGE: &str = "en";

/// A term being read.
#[derive(Debug, Default)]
pub(super) struct Term {
    id: Option<String>,
    name: Option<String>,
    definition: Option<String>,
    designations: Vec<Designation>,
    parents: Vec<Code>,
    properties: Vec<Property>,
    is_obsolete: bool,
    pub(super) is_anonymous: bool,
}

impl Term {
    /// Takes a line of the stanza. Tags that say nothing about meaning, and those that define the
    /// term by logic, are passed over.
    pub(super) fn take(&mut self, line: Line<'_>) -> Result<(), ImportErrorKind> {
        let broken = |broken| invalid(line, broken);
        match line.tag {
            "id" => self.id = Some(line.plain().text),
            "name" => self.take_name(line),
            "def" => {
                let quoted = line.quoted().map_err(broken)?;
                self.definition = Some(quoted.text).filter(|text| !text.is_empty());
                self.texts("definitionSource", quoted.sources);
            }
            "synonym" => self.take_synonym(line, None).map_err(broken)?,
            "exact_synonym" => self.take_synonym(line, Some("EXACT")).map_err(broken)?,
            "broad_synonym" | "narrow_synonym" | "related_synonym" => {
                self.take_synonym(line, Some("RELATED")).map_err(broken)?;
            }
            "is_a" => {
                let parent = reference(line)?;
                self.parents.extend(Code::new(&parent));
            }
            "relationship" => self.take_relationship(line)?,
            "replaced_by" => self.refer(property::REPLACED_BY, reference(line)?),
            "consider" => self.refer("consider", reference(line)?),
            "alt_id" => self.texts("altId", [reference(line)?]),
            "xref" => self.texts("xref", [reference(line)?]),
            "subset" => self.texts("subset", [reference(line)?]),
            "namespace" => self.texts("namespace", [line.plain().text]),
            "comment" => self.texts(property::NOTE, [line.plain().text]),
            "creation_date" => {
                let value = PropertyValue::DateTime(line.plain().text);
                self.properties.push(Property { code: "dateCreated".to_owned(), value });
            }
            "property_value" => self.take_property(line),
            "is_obsolete" => self.is_obsolete = line.plain().text == "true",
            "is_anonymous" => self.is_anonymous = line.plain().text == "true",
            _ => {}
        }
        Ok(())
    }

    /// The first name is the display, any other one is for another language or by mistake.
    fn take_name(&mut self, line: Line<'_>) {
        let name = line.plain();
        let stated = language(&name.modifiers);
        if self.name.is_none() && stated.is_none_or(|language| language == LANGUAGE) {
            self.name = Some(name.text).filter(|text| !text.is_empty());
        } else {
            let language = stated.unwrap_or(LANGUAGE);
            self.designations.push(Designation::new(language, DesignationUse::Synonym, name.text));
        }
    }

    fn take_synonym(&mut self, line: Line<'_>, scope: Option<&str>) -> Result<(), Broken> {
        let quoted = line.quoted()?;
        // A scope that is not stated is RELATED, as the specification has it.
        let scope = scope.or(quoted.words.first().copied()).unwrap_or("RELATED");
        let is_dropped = quoted.words.contains(&"obsolete_synonym");
        let use_ = match scope == "EXACT" && !is_dropped {
            true => DesignationUse::Synonym,
            false => DesignationUse::Related,
        };
        let language = language(&quoted.modifiers).unwrap_or(LANGUAGE);
        let text = quoted.text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            self.designations.push(Designation::new(language, use_, text));
        }
        Ok(())
    }

    fn take_relationship(&mut self, line: Line<'_>) -> Result<(), ImportErrorKind> {
        let plain = line.plain();
        let mut words = plain.text.split_whitespace();
        match (words.next(), words.next()) {
            (Some(name), Some(target)) => {
                self.refer(name, target.to_owned());
                Ok(())
            }
            _ => Err(ImportErrorKind::InvalidValue {
                what: line.tag.to_owned(),
                text: plain.text.clone(),
                expected: "the name of a relation and an identifier",
            }),
        }
    }

    /// `dc:date "2024-05-01" xsd:date`, or an identifier instead of the text in quotes.
    fn take_property(&mut self, line: Line<'_>) {
        let Some((name, value)) = line.value.split_once(char::is_whitespace) else { return };
        let line = Line { tag: name, value: value.trim() };
        let value = match line.quoted() {
            Ok(quoted) => typed(quoted.text, quoted.words.first().copied().unwrap_or_default()),
            Err(_) => {
                let plain = line.plain();
                let mut words = plain.text.split_whitespace();
                let text = words.next().unwrap_or_default().to_owned();
                typed(text, words.next().unwrap_or_default())
            }
        };
        self.properties.push(Property { code: name.to_owned(), value });
    }

    fn texts(&mut self, code: &str, texts: impl IntoIterator<Item = String>) {
        let texts = texts.into_iter().filter(|text| !text.is_empty());
        self.properties.extend(texts.map(|text| Property::text(code, text)));
    }

    /// A reference is a code where it is to the same ontology, else text.
    fn refer(&mut self, code: &str, target: String) {
        let own = self.id.as_deref().and_then(prefix);
        let is_own = own.is_none() || own == prefix(&target);
        let to = if is_own { Property::code(code, target) } else { Property::text(code, target) };
        self.properties.push(to);
    }

    /// The identifier, where there is one.
    pub(super) fn id(&self) -> Option<&str> {
        self.id.as_deref().filter(|id| !id.is_empty())
    }

    /// Whether the term has a name.
    pub(super) fn is_named(&self) -> bool {
        self.name.is_some()
    }

    /// The concept. A term without a name is called by its identifier.
    pub(super) fn concept(self) -> Result<Concept, ImportErrorKind> {
        let id = self.id.unwrap_or_default();
        let code = Code::new(&id).map_err(|_| ImportErrorKind::InvalidCode {
            text: id.clone(),
            expected: "an identifier such as HP:0000256",
        })?;
        let mut concept = Concept::new(code, self.name.unwrap_or(id));
        for name in self.designations {
            let is_known =
                |one: &Designation| one.value == name.value && one.language == name.language;
            let is_display = name.value == concept.display && name.language == LANGUAGE;
            match concept.designations.iter_mut().find(|one| is_known(one)) {
                // The same text in two scopes is what it is in the closer one.
                Some(known) => known.use_ = known.use_.min(name.use_),
                None if is_display => {}
                None => concept.designations.push(name),
            }
        }
        concept.parents = self.parents;
        concept.properties = self.properties;
        concept.definition = self.definition;
        concept.active = !self.is_obsolete;
        Ok(concept)
    }
}

/// What stands before the colon of an identifier.
pub(super) fn prefix(id: &str) -> Option<&str> {
    id.split_once(':').map(|(prefix, _)| prefix)
}

/// The identifier that a line refers to.
fn reference(line: Line<'_>) -> Result<String, ImportErrorKind> {
    let plain = line.plain();
    plain.first_word().map(str::to_owned).ok_or_else(|| ImportErrorKind::InvalidValue {
        what: line.tag.to_owned(),
        text: String::new(),
        expected: "an identifier",
    })
}

/// The error for a line that cannot be taken apart.
pub(super) fn invalid(line: Line<'_>, broken: Broken) -> ImportErrorKind {
    ImportErrorKind::InvalidValue {
        what: line.tag.to_owned(),
        text: line.value.chars().take(60).collect(),
        expected: broken.expected(),
    }
}

fn typed(text: String, kind: &str) -> PropertyValue {
    match kind {
        "xsd:boolean" if text == "true" || text == "false" => {
            PropertyValue::Boolean(text == "true")
        }
        "xsd:integer" | "xsd:int" => match text.parse() {
            Ok(number) => PropertyValue::Integer(number),
            Err(_) => PropertyValue::Text(text),
        },
        "xsd:date" | "xsd:dateTime" => PropertyValue::DateTime(text),
        _ => PropertyValue::Text(text),
    }
}
