use super::normalize::fold;
use super::stem::stem;

/// One unit of a text that can match a unit of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The word as [`super::normalize`] leaves it, or two neighboring CJK characters.
    pub word: String,
    /// What all forms of the word have in common.
    pub stem: String,
    /// Whether it stands in brackets or parentheses beside other words: said, but not needed.
    pub optional: bool,
}

/// Splits a text into words of any script; runs of Chinese, Japanese and Korean characters into
/// overlapping pairs.
///
/// ```
/// let words: Vec<String> = medterm::text::tokens("Kidney stones").into_iter().map(|t| t.stem).collect();
/// assert_eq!(words, ["kidney", "stone"]);
/// ```
#[must_use]
pub fn tokens(text: &str) -> Vec<Token> {
    let folded = fold(text);
    let mut found = Vec::new();
    let mut word = String::new();
    let mut depth = 0usize;
    for c in folded.chars() {
        if c.is_alphanumeric() {
            // A change of script ends a word: "糖尿病type2" is two.
            if word.chars().next_back().is_some_and(|last| is_cjk(last) != is_cjk(c)) {
                flush(&mut word, depth > 0, &mut found);
            }
            word.push(c);
            continue;
        }
        flush(&mut word, depth > 0, &mut found);
        match c {
            '(' | '[' | '{' | '（' | '［' | '【' => depth += 1,
            ')' | ']' | '}' | '）' | '］' | '】' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    flush(&mut word, depth > 0, &mut found);
    if found.iter().all(|token| token.optional) {
        // Nothing stands outside the brackets, so what is inside is the name.
        found.iter_mut().for_each(|token| token.optional = false);
    }
    found
}

fn flush(word: &mut String, optional: bool, found: &mut Vec<Token>) {
    if word.is_empty() {
        return;
    }
    let text = std::mem::take(word);
    if text.starts_with(is_cjk) {
        let characters: Vec<char> = text.chars().collect();
        let pairs = characters.windows(2.min(characters.len()));
        found.extend(pairs.map(|pair| {
            let word: String = pair.iter().collect();
            Token { stem: word.clone(), word, optional }
        }));
    } else if optional && matches!(text.as_str(), "s" | "es") {
        // "graft(s)": a plural, not a word.
    } else {
        found.push(Token { stem: stem(&text), word: text, optional });
    }
}

/// Scripts written without spaces, and Hangul, whose particles cling to the word before.
fn is_cjk(c: char) -> bool {
    matches!(u32::from(c),
        0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xac00..=0xd7af | 0xf900..=0xfaff
        | 0x20000..=0x3134f)
}
