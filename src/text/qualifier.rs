use super::language::Language;
use super::token::{Role, Token, tokens_in};

/// Whether a normalized word only says that nothing more is said: "unspecified", "NOS".
///
/// "NEC" and "other specified" are meanings (.8 is not .9) and are no qualifiers.
pub(super) fn is_qualifier(word: &str) -> bool {
    matches!(word, "unspecified" | "nos" | "unsp" | "未明示" | "未明" | "明示")
}

/// The stems of the words that carry meaning, in their order: the key of equality in the second
/// step. Free qualifiers, joining words and what stands in parentheses are not in it; plurals and
/// spellings are one. Empty when nothing else is in the text.
///
/// ```
/// use medterm::text::bare;
/// assert_eq!(bare("Cholera, unspecified"), bare("cholera"));
/// assert_eq!(bare("Conduct disorders"), bare("conduct disorder NOS"));
/// assert_eq!(bare("Essential (primary) hypertension"), bare("essential hypertension"));
/// ```
#[must_use]
pub fn bare(text: &str) -> String {
    bare_in(Language::English, text)
}

/// The same for a text in this language.
#[must_use]
pub fn bare_in(language: Language, text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    let meant = |token: &Token| token.role == Role::Content && !token.optional;
    for token in tokens_in(language, text).iter().filter(|token| meant(token)) {
        if !bare.is_empty() {
            bare.push(' ');
        }
        bare.push_str(&token.stem);
    }
    bare
}

/// Whether a normalized word only joins others. Such words count little in a comparison; "with",
/// "without", "no" and "not" are none of them.
pub(super) fn is_function_word(word: &str) -> bool {
    matches!(
        word,
        "a" | "an"
            | "and"
            | "as"
            | "at"
            | "by"
            | "for"
            | "from"
            | "in"
            | "into"
            | "is"
            | "my"
            | "of"
            | "on"
            | "or"
            | "the"
            | "to"
            | "de"
            | "do"
            | "da"
            // Classifications write "without mention of" and "so stated".
            | "mention"
            | "so"
            | "stated"
    )
}

/// Whether a normalized word takes back what follows it.
pub(super) fn is_negation(word: &str) -> bool {
    matches!(word, "without" | "wo" | "no" | "not" | "denies" | "absent")
}
