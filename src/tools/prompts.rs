use std::collections::BTreeMap;

use crate::catalog::Catalog;

use super::clean::clean_text;
use super::instructions::NO_PATIENT_DATA;
use super::prompt_texts::{PROMPTS, Prompt};
use super::{Profile, Registry, ToolError};

/// The terminology that is meant where a prompt names none.
const USUAL: &str = "snomed";

/// Characters of an argument that are taken into a prompt: a summary of several pages.
const MAX_CHARS: usize = 20_000;

/// A way of working that a person can choose: steps for a model, with the tools of this registry.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PromptDescription {
    /// What it is asked for by.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it is for.
    pub description: &'static str,
    /// What it asks for.
    pub arguments: &'static [PromptArgument],
}

/// An argument of a prompt; its value is a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PromptArgument {
    /// What it is given by.
    pub name: &'static str,
    /// What it is.
    pub description: &'static str,
    /// Whether the prompt has no meaning without it.
    pub required: bool,
}

impl Registry {
    /// The prompts whose tools the profile has.
    #[must_use]
    pub fn prompts(&self) -> Vec<PromptDescription> {
        let description = |prompt: &Prompt| PromptDescription {
            name: prompt.name,
            title: prompt.title,
            description: prompt.description,
            arguments: prompt.arguments,
        };
        PROMPTS.iter().filter(|prompt| self.offers(prompt)).map(description).collect()
    }

    /// The text of a prompt, for the user's side of the conversation; nothing where the profile has no
    /// prompt of this name.
    ///
    /// # Errors
    /// `invalid_argument` where an argument is missing, unknown or too long.
    #[must_use]
    pub fn prompt(
        &self,
        catalog: &Catalog,
        name: &str,
        arguments: &BTreeMap<String, String>,
    ) -> Option<Result<String, ToolError>> {
        let prompt = PROMPTS.iter().find(|prompt| prompt.name == name && self.offers(prompt))?;
        Some(self.written(prompt, catalog, arguments))
    }

    fn offers(&self, prompt: &Prompt) -> bool {
        match self.profile() {
            Profile::Core | Profile::Ontoserver | Profile::All => true,
            Profile::Icd10 => prompt.name == "find-medical-code",
            _ => false,
        }
    }

    fn written(
        &self,
        prompt: &Prompt,
        catalog: &Catalog,
        arguments: &BTreeMap<String, String>,
    ) -> Result<String, ToolError> {
        check(prompt, arguments)?;
        let has_tool = |name: &str| self.tools(None).iter().any(|tool| tool.name == name);
        let mut text = String::new();
        for line in prompt.steps.lines() {
            // A step may be for profiles that have its tool, or for those that lack it.
            let (condition, step) = match line.split_once("?? ") {
                Some((condition, step)) => (condition, step),
                None => ("", line),
            };
            let applies = match condition.strip_prefix('!') {
                Some(name) => !has_tool(name),
                None => condition.is_empty() || has_tool(condition),
            };
            if applies {
                text.push_str(step);
                text.push('\n');
            }
        }
        for argument in prompt.arguments {
            let given = arguments.get(argument.name).map(|value| clean_text(value.trim()));
            let given = given.filter(|value| !value.is_empty());
            let value = match (given, argument.name) {
                (Some(value), _) => value,
                (None, "system") => {
                    text = format!("{}{text}", instead_of_usual(catalog));
                    USUAL.to_owned()
                }
                (None, _) => argument.otherwise().to_owned(),
            };
            text = text.replace(&format!("{{{}}}", argument.name), &value);
        }
        text.push_str(&format!("\nReminder: {NO_PATIENT_DATA}\n"));
        Ok(text)
    }
}

impl PromptArgument {
    /// What stands for it where it is not given.
    fn otherwise(&self) -> &'static str {
        match self.name {
            "type" => "all",
            "valueSet" => "(none)",
            _ => "",
        }
    }
}

fn check(prompt: &Prompt, arguments: &BTreeMap<String, String>) -> Result<(), ToolError> {
    let accepted = || prompt.arguments.iter().map(|one| one.name).collect::<Vec<_>>().join(", ");
    for (name, value) in arguments {
        if prompt.arguments.iter().all(|argument| argument.name != name) {
            let problem = format!("the prompt has no such argument; it has {}", accepted());
            return Err(ToolError::argument(name, problem));
        }
        if value.chars().count() > MAX_CHARS {
            let problem = format!("it is longer than {MAX_CHARS} characters");
            return Err(ToolError::argument(name, problem));
        }
    }
    let is_given = |name: &str| arguments.get(name).is_some_and(|value| !value.trim().is_empty());
    match prompt.arguments.iter().find(|one| one.required && !is_given(one.name)) {
        Some(missing) => Err(ToolError::argument(missing.name, "the prompt needs it")),
        None => Ok(()),
    }
}

/// What is loaded, said where the terminology that is meant by default is not.
fn instead_of_usual(catalog: &Catalog) -> String {
    if catalog.terminology(USUAL, None).is_ok() {
        return String::new();
    }
    let mut loaded: Vec<String> =
        catalog.terminologies().into_iter().map(|one| one.alias).collect();
    loaded.dedup();
    let loaded = match loaded.as_slice() {
        [] => "nothing is loaded yet".to_owned(),
        some => format!("choose the one that fits: {}", some.join(", ")),
    };
    format!(
        "SNOMED CT ({USUAL}) is meant where no system is named, but it is not loaded here; {loaded}.\n\n"
    )
}
