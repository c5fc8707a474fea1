//! From a class of ClaML to a concept, and from a class and a modifier class to the code they make.

use crate::terminology::{Code, Concept, Designation, DesignationUse, Property, property};

use super::ImportErrorKind;
use super::claml_class::{Class, Rubric};
use super::claml_label::referred_code;

/// The kinds of classes that stand above codes and are none to choose.
const GROUPERS: [&str; 5] = ["chapter", "block", "component", "section", "group"];
/// Property: which half of a pair a code is, `dagger` or `aster`.
const USAGE: &str = "usage";
/// Property: a code that a name of the class refers to: the other half of such a pair.
const REFERENCE: &str = "reference";
/// Property: the modifier that a code is made with.
const MODIFIER: &str = "modifier";

/// Whether a class of this kind groups codes.
pub(super) fn is_grouper(kind: &str) -> bool {
    GROUPERS.contains(&kind)
}

fn texts<'a>(class: &'a Class, kind: &str, language: &'a str) -> Vec<(&'a str, &'a str)> {
    let of_kind = class.rubrics.iter().filter(|rubric| rubric.kind == kind);
    let said = |rubric: &'a Rubric| {
        let language = rubric.label.language.as_deref().unwrap_or(language);
        rubric.label.texts.iter().map(move |text| (language, text.as_str()))
    };
    of_kind.flat_map(said).collect()
}

/// The name of a class in a language, or in any where it has none in that.
fn name<'a>(class: &'a Class, language: &'a str) -> Option<(&'a str, &'a str)> {
    let names = [texts(class, "preferred", language), texts(class, "preferredLong", language)];
    let in_language = names.iter().flatten().find(|(other, _)| *other == language);
    in_language.or_else(|| names.iter().flatten().next()).copied()
}

fn code(text: &str) -> Result<Code, ImportErrorKind> {
    Code::new(text).map_err(|_| ImportErrorKind::InvalidCode {
        text: text.to_owned(),
        expected: "a code of a classification, such as a chapter, a block or a category",
    })
}

/// The concept of a class, without what is above it.
pub(super) fn concept(class: &Class, language: &str) -> Result<Concept, ImportErrorKind> {
    let name = name(class, language).ok_or_else(|| ImportErrorKind::Missing {
        element: "<Rubric kind=\"preferred\">",
        inside: format!("the class {}", class.code),
    })?;
    let mut concept = Concept::new(code(&class.code)?, name.1);
    let kind = class.kind.as_deref().unwrap_or("category");
    concept.properties.push(Property::text(property::KIND, kind));
    if is_grouper(kind) {
        concept.properties.push(Property::boolean(property::NOT_SELECTABLE, true));
    }
    for (rubric, use_) in [
        ("preferred", DesignationUse::Display),
        ("preferredLong", DesignationUse::Synonym),
        ("inclusion", DesignationUse::Inclusion),
    ] {
        for (said_in, text) in texts(class, rubric, language) {
            // Of two names in the language of the display, the second is another name.
            let is_second = use_ == DesignationUse::Display && said_in == name.0;
            let use_ = if is_second { DesignationUse::Synonym } else { use_ };
            let new = Designation::new(said_in, use_, text);
            if (said_in, text) != name && !concept.designations.contains(&new) {
                concept.designations.push(new);
            }
        }
    }
    add_properties(&mut concept, class, language);
    Ok(concept)
}

fn add_properties(concept: &mut Concept, class: &Class, language: &str) {
    if let Some(usage) = &class.usage {
        concept.properties.push(Property::text(USAGE, usage));
    }
    for rubric in &class.rubrics {
        let is_own = rubric.label.language.as_deref().is_none_or(|other| other == language);
        let code = match rubric.kind.as_str() {
            "preferred" | "preferredLong" | "inclusion" => {
                let codes = rubric.label.references.iter().map(|code| referred_code(code));
                for code in codes.filter(|code| Code::new(code).is_ok()) {
                    let property = Property::code(REFERENCE, code);
                    if !concept.properties.contains(&property) {
                        concept.properties.push(property);
                    }
                }
                continue;
            }
            // It tells people where in the book the modifier is, which is applied here.
            "modifierlink" => continue,
            "definition" if is_own => {
                let text = rubric.label.texts.join(" ");
                match &mut concept.definition {
                    Some(definition) => {
                        definition.push(' ');
                        definition.push_str(&text);
                    }
                    None => concept.definition = Some(text),
                }
                continue;
            }
            "exclusion" => property::EXCLUDES,
            _ => property::NOTE,
        };
        // Notes have no language of their own: those of the release's are kept.
        if is_own {
            let texts = rubric.label.texts.iter();
            concept.properties.extend(texts.map(|text| Property::text(code, text)));
        }
    }
    for (name, value) in &class.metas {
        if name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) {
            concept.properties.push(Property::text(name, value));
        }
    }
}

/// The concept that a modifier class makes of another one: `Lamp fever, with cough`.
///
/// What the modifier class includes names nothing without the class, and becomes a note.
pub(super) fn modified(base: &Concept, code: Code, class: &Class, language: &str) -> Concept {
    let own = name(class, language).map_or(class.code.as_str(), |(_, text)| text);
    let mut concept = Concept::new(code, format!("{}, {own}", base.display));
    concept.properties.push(Property::text(property::KIND, "category"));
    for other in base.designations.iter().filter(|one| one.use_ == DesignationUse::Display) {
        let names = texts(class, "preferred", language);
        if let Some((_, text)) = names.iter().find(|(said_in, _)| *said_in == other.language) {
            let text = format!("{}, {text}", other.value);
            concept.designations.push(Designation::new(&other.language, other.use_, text));
        }
    }
    let included = texts(class, "inclusion", language).into_iter();
    let included = included.filter(|(said_in, _)| *said_in == language);
    concept.properties.extend(included.map(|(_, text)| Property::text(property::INCLUDES, text)));
    if let Some(modifier) = &class.modifier {
        concept.properties.push(Property::text(MODIFIER, modifier));
    }
    add_properties(&mut concept, class, language);
    concept
}
