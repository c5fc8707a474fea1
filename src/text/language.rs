use super::qualifier::{is_function_word, is_negation};

/// The language whose endings and small words the texts of a terminology have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Language {
    /// English, and every language that has no rules of its own here.
    #[default]
    English,
    /// Portuguese.
    Portuguese,
    /// Spanish.
    Spanish,
}

impl Language {
    /// The language of a BCP 47 tag, such as that of a release.
    ///
    /// ```
    /// use medterm::text::Language;
    /// assert_eq!(Language::of_tag("pt-BR"), Language::Portuguese);
    /// assert_eq!(Language::of_tag("zh-TW"), Language::English);
    /// ```
    #[must_use]
    pub fn of_tag(tag: &str) -> Self {
        match tag.split('-').next().unwrap_or_default().to_ascii_lowercase().as_str() {
            "pt" => Self::Portuguese,
            "es" => Self::Spanish,
            _ => Self::English,
        }
    }

    /// What the forms of a normalized word have in common: plural and singular, feminine and
    /// masculine. A light stemmer, which keeps derivations apart, after J. Savoy, "Light stemming
    /// approaches for the French, Portuguese, German and Hungarian languages" (SAC 2006); the words
    /// come without their accents.
    pub(super) fn romance_stem(self, word: &str) -> String {
        let mut stem = singular(self, word);
        // "Crônico" and "crônica", "doente" and "doenta": the last vowel is the gender.
        if stem.len() > 4 && stem.ends_with(['a', 'o', 'e']) {
            stem.pop();
        }
        stem
    }

    /// Whether a normalized word only joins others.
    pub(super) fn is_function_word(self, word: &str) -> bool {
        match self {
            Self::English => is_function_word(word),
            Self::Portuguese => matches!(
                word,
                "a" | "o"
                    | "as"
                    | "os"
                    | "e"
                    | "ou"
                    | "um"
                    | "uma"
                    | "de"
                    | "do"
                    | "da"
                    | "dos"
                    | "das"
                    | "em"
                    | "no"
                    | "na"
                    | "nos"
                    | "nas"
                    | "ao"
                    | "aos"
                    | "por"
                    | "pelo"
                    | "pela"
                    | "para"
                    | "que"
                    | "se"
                    | "meu"
                    | "minha"
            ),
            Self::Spanish => matches!(
                word,
                "el" | "la"
                    | "los"
                    | "las"
                    | "y"
                    | "o"
                    | "un"
                    | "una"
                    | "de"
                    | "del"
                    | "en"
                    | "al"
                    | "por"
                    | "para"
                    | "que"
                    | "se"
                    | "mi"
            ),
        }
    }

    /// Whether a normalized word takes back what follows it.
    pub(super) fn is_negation(self, word: &str) -> bool {
        match self {
            Self::English => is_negation(word),
            Self::Portuguese => matches!(word, "sem" | "nao" | "nem" | "nega"),
            Self::Spanish => matches!(word, "sin" | "no" | "ni" | "niega"),
        }
    }
}

/// The singular of a plural.
fn singular(language: Language, word: &str) -> String {
    let with = |end: &str, instead: &str| {
        word.strip_suffix(end)
            .filter(|start| start.len() > 2)
            .map(|start| format!("{start}{instead}"))
    };
    let plurals: &[(&str, &str)] = match language {
        Language::Portuguese => &[
            ("oes", "ao"),
            ("aes", "ao"),
            ("ais", "al"),
            ("eis", "el"),
            ("ois", "ol"),
            ("res", "r"),
            ("zes", "z"),
            ("ns", "m"),
        ],
        Language::Spanish => &[
            ("ces", "z"),
            ("ciones", "cion"),
            ("siones", "sion"),
            ("res", "r"),
            ("les", "l"),
            ("nes", "n"),
        ],
        Language::English => &[],
    };
    let irregular = plurals.iter().find_map(|(plural, singular)| with(plural, singular));
    irregular.unwrap_or_else(|| match word.strip_suffix('s') {
        // "Ptose" and "ptoses", but no "vírus" and no "pus".
        Some(start) if start.len() > 3 && start.ends_with(['a', 'e', 'o']) => start.to_owned(),
        _ => word.to_owned(),
    })
}
