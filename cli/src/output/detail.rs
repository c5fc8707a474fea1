use medterm::catalog::{DesignationView, LookupResponse, PropertyView, Severity, ValidateResponse};
use medterm::terminology::{PropertyValue, property};

use super::concepts::{one_line, summaries};
use super::style::{BAD, CODE, DIM, GOOD, STRONG, WARN, paint};
use super::{Lines, clean, count};

/// Everything about one concept.
pub fn lookup(found: &LookupResponse, width: Option<usize>) -> String {
    let mut text = format!(
        "{}  {}\n{}\n",
        paint(CODE, found.code.as_str()),
        paint(STRONG, &clean(&found.display, Lines::Joined)),
        paint(DIM, &facts(found).join(" · "))
    );
    for concept in &found.parents {
        text.push_str(&format!("{} {}\n", paint(DIM, "in"), one_line(concept)));
    }
    if let Some(definition) = &found.definition {
        text.push_str(&format!("\n{}\n", clean(definition, Lines::Joined)));
    }
    let mut heading = String::new();
    let mut designations: Vec<&DesignationView> = found.designations.iter().collect();
    designations.sort_by_key(|one| one.use_);
    for designation in designations {
        begin_group(&mut text, &mut heading, &words(designation.use_.name()));
        text.push_str(&format!(
            "  {}{}\n",
            clean(&designation.value, Lines::Joined),
            aside(designation)
        ));
    }
    for property in found.properties.iter().filter(|property| is_note(property)) {
        let title = match &property.inherited_from {
            Some(above) => format!("{} (from {above})", words(&property.code)),
            None => words(&property.code),
        };
        begin_group(&mut text, &mut heading, &title);
        text.push_str(&format!("  {}\n", clean(&value(&property.value), Lines::Joined)));
    }
    if !found.children.is_empty() {
        begin_group(&mut text, &mut heading, "Below");
        text.push_str(&summaries(&found.children, width));
        let more = found.child_count.saturating_sub(found.children.len());
        if more > 0 {
            let hint = format!("and {} more: medterm browse {}\n", count(more), found.code);
            text.push_str(&paint(DIM, &hint));
        }
    }
    for line in found.provenance.license.iter().chain(&found.provenance.notices) {
        text.push_str(&format!("\n{}", paint(DIM, &clean(line, Lines::Joined))));
    }
    text
}

/// The language and the source of a name, where they are not those of the release.
fn aside(designation: &DesignationView) -> String {
    let language = Some(designation.language.as_str()).filter(|tag| *tag != "en");
    let notes: Vec<&str> = language.into_iter().chain(designation.source.as_deref()).collect();
    if notes.is_empty() {
        return String::new();
    }
    paint(DIM, &clean(&format!("  {}", notes.join(" · ")), Lines::Joined))
}

/// What the head of the page says.
fn facts(found: &LookupResponse) -> Vec<String> {
    let mut facts = vec![format!("{} {}", found.provenance.source, found.version)];
    let kinds = found.properties.iter().filter(|one| one.code == property::KIND);
    facts.extend(kinds.map(|kind| value(&kind.value)));
    facts.push(if found.active { "active" } else { "inactive" }.to_owned());
    match found.billable {
        Some(true) => facts.push("billable".to_owned()),
        Some(false) => facts.push("not billable".to_owned()),
        None => {}
    }
    facts
}

fn begin_group(text: &mut String, heading: &mut String, title: &str) {
    if heading != title {
        title.clone_into(heading);
        text.push_str(&format!("\n{}\n", paint(DIM, title)));
    }
}

/// What the head of the page says already is not repeated among the notes.
fn is_note(one: &PropertyView) -> bool {
    ![property::BILLABLE, property::NOT_SELECTABLE, property::KIND].contains(&one.code.as_str())
}

/// The name of a property in words: `useAdditionalCode` is "Use additional code".
fn words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if words.is_empty() {
            words.extend(c.to_uppercase());
        } else if c.is_uppercase() {
            words.push(' ');
            words.extend(c.to_lowercase());
        } else {
            words.push(c);
        }
    }
    words
}

fn value(value: &PropertyValue) -> String {
    match value {
        PropertyValue::Text(text) | PropertyValue::Code(text) | PropertyValue::DateTime(text) => {
            text.clone()
        }
        PropertyValue::Boolean(yes) => yes.to_string(),
        PropertyValue::Integer(number) => number.to_string(),
        PropertyValue::Decimal(number) => number.to_string(),
        other => format!("{other:?}"),
    }
}

/// Whether a code is one, and what is to be known about it.
pub fn validation(answer: &ValidateResponse) -> String {
    let verdict = match answer.valid {
        Some(true) => paint(GOOD, "valid"),
        Some(false) => paint(BAD, "not valid"),
        None => paint(WARN, "cannot be told"),
    };
    let code = answer.normalized_code.as_ref().map_or(answer.code.as_str(), |code| code.as_str());
    let mut text = format!("{}  {verdict}", paint(CODE, &clean(code, Lines::Joined)));
    if let Some(display) = &answer.display {
        text.push_str(&format!("  {}", clean(display, Lines::Joined)));
    }
    text.push('\n');
    for issue in &answer.issues {
        let message = clean(&issue.message, Lines::Joined);
        text.push_str(&format!(
            "  {}: {message}\n",
            paint(color(issue.severity), issue.code.as_str())
        ));
    }
    for one in &answer.suggestions {
        let display = clean(&one.display, Lines::Joined);
        let code = clean(one.code.as_str(), Lines::Joined);
        text.push_str(&format!("  {} {}  {display}\n", paint(DIM, "perhaps"), paint(CODE, &code)));
    }
    text
}

fn color(severity: Severity) -> anstyle::Style {
    match severity {
        Severity::Error => BAD,
        Severity::Warning => WARN,
        _ => DIM,
    }
}
