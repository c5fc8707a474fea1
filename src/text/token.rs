use super::language::Language;
use super::normalize::fold;
use super::qualifier::is_qualifier;
use super::stem::stem_in;

/// One unit of a text that can match a unit of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The word as [`super::normalize`] leaves it, or two neighboring CJK characters.
    pub word: String,
    /// What all forms of the word have in common.
    pub stem: String,
    /// Whether it stands in brackets or parentheses beside other words: said, but not needed.
    pub optional: bool,
    /// What it does in its text.
    pub role: Role,
    /// Whether a "without", "no" or "not" before it takes back what it says.
    pub negated: bool,
}

/// What a word does in its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It carries meaning.
    Content,
    /// It only joins others.
    Function,
    /// It only says that nothing more is said: "unspecified", and "site" beside it.
    Qualifier,
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
    tokens_in(Language::English, text)
}

/// The same for a text in this language.
#[must_use]
pub fn tokens_in(language: Language, text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut word = String::new();
    let mut depth = 0usize;
    let mut clauses = Vec::new();
    for c in fold(text).chars() {
        if c.is_alphanumeric() {
            // A change of script ends a word: "糖尿病type2" is two.
            if word.chars().next_back().is_some_and(|last| is_cjk(last) != is_cjk(c)) {
                flush(language, &mut word, depth > 0, &mut found);
            }
            word.push(c);
            continue;
        }
        flush(language, &mut word, depth > 0, &mut found);
        match c {
            '(' | '[' | '{' | '（' | '［' | '【' => depth += 1,
            ')' | ']' | '}' | '）' | '］' | '】' => depth = depth.saturating_sub(1),
            ',' | ';' | ':' => clauses.push(found.len()),
            _ => {}
        }
    }
    flush(language, &mut word, depth > 0, &mut found);
    let mut found = join_prefixes(language, found, &mut clauses);
    if found.iter().all(|token| token.optional) {
        // Nothing stands outside the brackets, so what is inside is the name.
        found.iter_mut().for_each(|token| token.optional = false);
    }
    mark_qualifiers(&mut found);
    mark_letters(&mut found);
    mark_negated(language, &mut found, &clauses);
    found
}

fn flush(language: Language, word: &mut String, optional: bool, found: &mut Vec<Token>) {
    if word.is_empty() {
        return;
    }
    let text = std::mem::take(word);
    if text.starts_with(is_cjk) {
        let characters: Vec<char> = text.chars().collect();
        let pairs = characters.windows(2.min(characters.len()));
        found.extend(pairs.map(|pair| Token::new(language, pair.iter().collect(), optional)));
    } else if optional && matches!(text.as_str(), "s" | "es") {
        // "graft(s)": a plural, not a word.
    } else {
        found.push(Token::new(language, text, optional));
    }
}

impl Token {
    fn new(language: Language, word: String, optional: bool) -> Self {
        let role = if is_qualifier(&word) {
            Role::Qualifier
        } else if language.is_function_word(&word) {
            Role::Function
        } else {
            Role::Content
        };
        Self { stem: stem_in(language, &word), word, optional, role, negated: false }
    }
}

/// Beginnings of words that are written apart, with a hyphen, or together: all become one word, as
/// in "pre-eclampsia", "pre eclampsia" and "preeclampsia".
const PREFIXES: &[&str] = &[
    "anti", "extra", "hyper", "hypo", "infra", "inter", "intra", "micro", "multi", "non", "peri",
    "poly", "post", "pre", "retro", "semi", "sub", "supra", "trans", "ultra",
];

fn join_prefixes(language: Language, tokens: Vec<Token>, clauses: &mut Vec<usize>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut moved = Vec::with_capacity(clauses.len());
    for (at, token) in tokens.into_iter().enumerate() {
        let breaks = clauses.contains(&at);
        if breaks {
            moved.push(joined.len());
        }
        match joined.last_mut() {
            Some(prefix)
                if !breaks
                    && PREFIXES.contains(&prefix.word.as_str())
                    && token.role == Role::Content
                    && token.word.starts_with(|c: char| c.is_ascii_lowercase()) =>
            {
                *prefix =
                    Token::new(language, format!("{}{}", prefix.word, token.word), prefix.optional);
            }
            _ => joined.push(token),
        }
    }
    *clauses = moved;
    joined
}

/// "Site unspecified" and "unspecified part" say no more than "unspecified".
fn mark_qualifiers(tokens: &mut [Token]) {
    const EMPTY: &[&str] = &["site", "part", "region", "location", "area", "nature"];
    for at in 0..tokens.len() {
        let before = at.checked_sub(1).is_some_and(|at| is_qualifier(&tokens[at].word));
        let after = tokens.get(at + 1).is_some_and(|next| is_qualifier(&next.word));
        if (before || after) && EMPTY.contains(&tokens[at].stem.as_str()) {
            tokens[at].role = Role::Qualifier;
        }
    }
}

/// "Hepatitis A" is not "a hepatitis": behind a word that carries meaning, the letter does too.
fn mark_letters(tokens: &mut [Token]) {
    for at in 1..tokens.len() {
        if tokens[at].word == "a" && tokens[at - 1].role == Role::Content {
            tokens[at].role = Role::Content;
        }
    }
}

/// A negation reaches to the end of its clause, or to a "with", "but" or "due".
fn mark_negated(language: Language, tokens: &mut [Token], clauses: &[usize]) {
    let mut negated = false;
    for (at, token) in tokens.iter_mut().enumerate() {
        if clauses.contains(&at)
            || matches!(token.word.as_str(), "with" | "but" | "due" | "com" | "con" | "mas")
        {
            negated = false;
        }
        if language.is_negation(&token.word) {
            negated = true;
        } else if token.role == Role::Content {
            token.negated = negated;
        }
    }
}

/// Scripts written without spaces, and Hangul, whose particles cling to the word before.
pub(super) fn is_cjk(c: char) -> bool {
    matches!(u32::from(c),
        0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xac00..=0xd7af | 0xf900..=0xfaff
        | 0x20000..=0x3134f)
}
