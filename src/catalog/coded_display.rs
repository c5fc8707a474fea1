//! Whether what data call a concept is one of its names.

use crate::terminology::{ConceptOrd, DesignationUse, language_fits};

use super::display::{compared, display, names, preferred};
use super::expand_members::Segment;
use super::open::Entry;
use super::{DisplayCheck, Issue, IssueCode, Severity};

/// A concept and what the value set calls it.
pub(super) struct Called<'a, 'c> {
    pub(super) entry: &'c Entry,
    pub(super) concept: ConceptOrd,
    pub(super) segment: Option<&'a Segment<'c>>,
}

/// What a display is compared by.
pub(super) struct DisplayRule<'a> {
    pub(super) languages: &'a [String],
    pub(super) check: DisplayCheck,
}

/// One name of a concept, and its language.
struct Name<'a> {
    value: &'a str,
    language: &'a str,
    /// Whether it is one to be shown.
    is_display: bool,
}

impl Called<'_, '_> {
    /// The name to show.
    pub(super) fn shown(&self, languages: &[String]) -> String {
        let found = languages.iter().find_map(|tag| preferred(self.entry, self.concept, tag));
        let (_, name) = found.unwrap_or_else(|| display(self.entry, self.concept, None));
        name.value.to_owned()
    }

    fn names(&self) -> Vec<Name<'_>> {
        let own = names(self.entry, self.concept);
        let mut all: Vec<Name<'_>> = own
            .map(|(_, name)| Name {
                value: name.value,
                language: name.language,
                is_display: name.use_ == DesignationUse::Display,
            })
            .collect();
        let usual = self.entry.index.manifest().release.language.as_str();
        let listed = self.segment.and_then(|segment| segment.name(self.concept));
        if let Some(listed) = listed {
            let display = listed.display.iter().map(|value| Name {
                value,
                language: usual,
                is_display: true,
            });
            let others = listed.designation.iter().map(|one| Name {
                value: &one.value,
                language: one.language.as_deref().unwrap_or(usual),
                is_display: one.use_.is_none(),
            });
            all.extend(display.chain(others));
        }
        all
    }

    /// Whether it may be called so.
    pub(super) fn is_called(&self, given: &str, languages: &[String]) -> bool {
        let rule = DisplayRule { languages, check: DisplayCheck::Strict };
        self.check(given, &rule).is_none_or(|issue| issue.severity != Severity::Error)
    }

    /// What is to be said of a display.
    pub(super) fn check(&self, given: &str, rule: &DisplayRule<'_>) -> Option<Issue> {
        let shape = self.entry.index.shape();
        let wanted = compared(shape, given);
        let is_it = |name: &&Name<'_>| compared(shape, name.value) == wanted;
        let fits = |name: &&Name<'_>| {
            rule.languages.is_empty()
                || rule.languages.iter().any(|tag| language_fits(tag, name.language))
        };
        let all = self.names();
        let choices: Vec<&Name<'_>> = all.iter().filter(fits).collect();
        let error = match rule.check {
            DisplayCheck::Strict => Severity::Error,
            DisplayCheck::Lenient => Severity::Warning,
        };
        let id = self.id();
        let asked = rule.languages.join(",");
        if choices.is_empty() {
            let usual = self.shown(&[]);
            return Some(match all.iter().any(|name| is_it(&name)) {
                true => Issue::new(
                    IssueCode::NoDisplayInLanguage,
                    Severity::Information,
                    format!(
                        "There are no valid display names found for the code {id} for language(s) \
                         '{asked}'. The display is '{given}' which is a valid display for the \
                         default language"
                    ),
                )
                .called("NO_VALID_DISPLAY_FOUND_NONE_FOR_LANG_OK"),
                false => Issue::new(
                    IssueCode::InvalidDisplay,
                    error,
                    format!(
                        "Wrong Display Name '{given}' for {id}. There are no valid display names \
                         found for language(s) '{asked}'. Default display is '{usual}'"
                    ),
                )
                .called("NO_VALID_DISPLAY_FOUND_NONE_FOR_LANG_ERR"),
            });
        }
        let has_it = choices.iter().any(is_it);
        let is_spaced = given.split_whitespace().collect::<Vec<_>>().join(" ") != given;
        if has_it && !is_spaced {
            return None;
        }
        let (what, name) = match has_it {
            true => (
                "Wrong whitespace in Display Name",
                "Display_Name_WS_for__should_be_one_of__instead_of",
            ),
            false => ("Wrong Display Name", "Display_Name_for__should_be_one_of__instead_of"),
        };
        let asked = if rule.languages.is_empty() { "--" } else { asked.as_str() };
        let message = format!(
            "{what} '{given}' for {id}. Valid display is {} (for the language(s) '{asked}')",
            listed(&choices)
        );
        Some(Issue::new(IssueCode::InvalidDisplay, error, message).called(name))
    }

    /// The terminology and the code.
    fn id(&self) -> String {
        format!("{}#{}", self.entry.system(), self.entry.index.records().code(self.concept))
    }
}

/// Names as a sentence has them, each once: those that are to be shown, where there are any.
fn listed(choices: &[&Name<'_>]) -> String {
    let mut all: Vec<String> = Vec::new();
    let has_display = choices.iter().any(|name| name.is_display);
    for name in choices.iter().filter(|name| name.is_display || !has_display) {
        let one = format!("'{}' ({})", name.value, name.language);
        if !all.contains(&one) {
            all.push(one);
        }
    }
    match all.as_slice() {
        [one] => one.clone(),
        many => format!("one of {} choices: {}", many.len(), many.join(" or ")),
    }
}
