use super::normalize::normalize;

/// Whether a normalized word only says that nothing more is said: "unspecified", "NOS".
///
/// "NEC" and "other specified" are meanings (.8 is not .9) and are no qualifiers.
pub(super) fn is_qualifier(word: &str) -> bool {
    matches!(word, "unspecified" | "nos" | "unsp" | "未明示" | "未明" | "明示")
}

/// The text without free qualifiers and without what stands in parentheses, normalized: the key
/// of equality in the second step. Empty when nothing else is in it.
///
/// ```
/// use medterm::text::bare;
/// assert_eq!(bare("Cholera, unspecified"), "cholera");
/// assert_eq!(bare("Essential (primary) hypertension"), "essential hypertension");
/// ```
#[must_use]
pub fn bare(text: &str) -> String {
    let outside = outside_brackets(text);
    let normal = normalize(&outside).replace("not otherwise specified", " ").replace("未明示", " ");
    let mut bare = String::with_capacity(normal.len());
    for word in normal.split_whitespace().filter(|word| !is_qualifier(word)) {
        if !bare.is_empty() {
            bare.push(' ');
        }
        bare.push_str(word);
    }
    bare
}

fn outside_brackets(text: &str) -> String {
    let mut depth = 0usize;
    let mut outside = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '(' | '[' | '（' | '［' => {
                depth += 1;
                outside.push(' ');
            }
            ')' | ']' | '）' | '］' => depth = depth.saturating_sub(1),
            c if depth == 0 => outside.push(c),
            _ => {}
        }
    }
    if outside.trim().is_empty() { text.to_owned() } else { outside }
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
            | "s"
            | "de"
            | "do"
            | "da"
            | "e"
    )
}

/// Whether a normalized word takes back what follows it.
pub(super) fn is_negation(word: &str) -> bool {
    matches!(word, "without" | "no" | "not" | "denies" | "absent")
}
