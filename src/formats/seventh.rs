//! The 7th characters of ICD-10-CM: codes that the tabular list defines by rule, not by name.

use std::sync::Arc;

/// The number of characters before the 7th; shorter codes are filled up with `X`.
const BASE_CHARS: usize = 6;

/// The 7th characters that hold for a branch of the list.
///
/// A definition holds for all leaves below the code that states it, until one further down states
/// its own. Exceptions are stated in prose and add up.
#[derive(Debug, Clone, Default)]
pub(super) struct SeventhCharacters {
    definition: Option<Arc<[Extension]>>,
    exceptions: Vec<Arc<Exception>>,
}

/// One 7th character and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Extension {
    pub character: char,
    pub label: String,
    /// Other labels with the same meaning.
    pub also: Vec<String>,
}

/// The definition of one `sevenChrDef` element as it is read.
#[derive(Debug, Default)]
pub(super) struct Definition(Vec<Extension>);

impl Definition {
    /// Adds a character. The first label of a character is the one that counts.
    pub(super) fn extend(&mut self, character: char, label: String) {
        if self.0.iter().all(|one| one.character != character) {
            self.0.push(Extension { character, label, also: Vec::new() });
        }
    }

    /// Adds another label for the character before; false when there is none.
    pub(super) fn also(&mut self, label: String) -> bool {
        match self.0.last_mut() {
            Some(last) => last.also.push(label),
            None => return false,
        }
        true
    }
}

/// Characters that do not apply to some codes of a category.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Exception {
    characters: Vec<char>,
    category: String,
    sixth: Vec<char>,
}

impl SeventhCharacters {
    pub(super) fn define(&mut self, definition: Definition) {
        self.definition = (!definition.0.is_empty()).then(|| definition.0.into());
    }

    /// Takes the exception that a note states, if it states one.
    pub(super) fn except(&mut self, note: &str) {
        self.exceptions.extend(Exception::stated(note).map(Arc::new));
    }

    /// The codes that a leaf stands for, each with its 7th character: empty when the leaf is itself
    /// the code to use.
    pub(super) fn expand(&self, leaf: &str) -> Vec<(String, Extension)> {
        let base: String = leaf.chars().filter(|c| *c != '.').collect();
        let Some(definition) = self.definition.as_deref() else { return Vec::new() };
        if base.len() > BASE_CHARS {
            return Vec::new();
        }
        let base = format!("{base:X<BASE_CHARS$}");
        let (category, rest) = base.split_at(3);
        let applies = |character| !self.exceptions.iter().any(|one| one.holds(&base, character));
        definition
            .iter()
            .filter(|extension| applies(extension.character))
            .map(|extension| {
                (format!("{category}.{rest}{}", extension.character), extension.clone())
            })
            .collect()
    }
}

impl Exception {
    /// Reads "7th characters D and S do not apply to codes in category S06 with 6th character 7 -
    /// death due to …, or 8 - death due to …", the wording of the one exception there is.
    fn stated(note: &str) -> Option<Self> {
        let (who, what) = note.split_once(" do not apply to codes in category ")?;
        let (category, sixth) = what.split_once(" with 6th character ")?;
        let who = who.strip_prefix("7th character")?;
        let characters = who.split([' ', ',']).filter_map(seventh_character).collect();
        // A character of the list is followed by its meaning after a dash; without meanings, by the
        // next character or by nothing.
        let words: Vec<&str> = sixth.split([' ', ',', '.']).filter(|w| !w.is_empty()).collect();
        let sixth = (0..words.len())
            .filter(|at| matches!(words.get(at + 1), None | Some(&("-" | "or" | "and"))))
            .filter_map(|at| seventh_character(words[at]))
            .collect();
        Some(Self { characters, category: category.to_owned(), sixth })
    }

    fn holds(&self, base: &str, character: char) -> bool {
        base.starts_with(&self.category)
            && base.chars().nth(BASE_CHARS - 1).is_some_and(|sixth| self.sixth.contains(&sixth))
            && self.characters.contains(&character)
    }
}

/// A text that is one upper-case letter or digit.
pub(super) fn seventh_character(text: &str) -> Option<char> {
    let mut characters = text.chars();
    let first = characters.next().filter(|c| c.is_ascii_uppercase() || c.is_ascii_digit())?;
    characters.next().is_none().then_some(first)
}
