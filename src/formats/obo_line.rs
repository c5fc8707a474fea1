//! One line of an OBO file: a tag and its value, with quotes, escapes, modifiers and comments.

/// A tag and its value, still as in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) tag: &'a str,
    pub(super) value: &'a str,
}

/// A value that begins with a text in quotes, taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Quoted<'a> {
    pub(super) text: String,
    /// Words between the text and the list of sources: scope and type of a synonym.
    pub(super) words: Vec<&'a str>,
    /// The sources, in brackets in the file.
    pub(super) sources: Vec<String>,
    /// What stands in braces at the end.
    pub(super) modifiers: Vec<(String, String)>,
}

/// A value without quotes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Plain {
    pub(super) text: String,
    pub(super) modifiers: Vec<(String, String)>,
}

/// What is wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    /// There is no colon after a tag.
    NoTag,
    /// A text in quotes was expected and does not begin.
    NoQuote,
    /// A text in quotes does not end.
    OpenQuote,
    /// A list in brackets does not end.
    OpenList,
}

impl Broken {
    /// What was expected, for messages.
    pub(super) fn expected(self) -> &'static str {
        match self {
            Self::NoTag => "a tag, a colon and a value",
            Self::NoQuote => "a text in quotes",
            Self::OpenQuote => "a text in quotes that ends",
            Self::OpenList => "a list in brackets that ends",
        }
    }
}

impl<'a> Line<'a> {
    /// Takes a line that is neither empty nor a comment apart.
    pub(super) fn parse(line: &'a str) -> Result<Self, Broken> {
        let (tag, value) = line.split_once(':').ok_or(Broken::NoTag)?;
        let tag = tag.trim();
        if tag.is_empty() || tag.contains(char::is_whitespace) {
            return Err(Broken::NoTag);
        }
        Ok(Self { tag, value: value.trim() })
    }

    /// The value as text in quotes and what follows it.
    pub(super) fn quoted(&self) -> Result<Quoted<'a>, Broken> {
        let inside = self.value.strip_prefix('"').ok_or(Broken::NoQuote)?;
        let end = unescaped(inside, '"').ok_or(Broken::OpenQuote)?;
        let text = unescape(&inside[..end]);
        let mut rest = &inside[end + 1..];
        // Words stand before the list of sources, if there is one.
        let words_end = rest.find(['[', '{', '!']).unwrap_or(rest.len());
        let words = rest[..words_end].split_whitespace().collect();
        rest = &rest[words_end..];
        let mut sources = Vec::new();
        if let Some(list) = rest.strip_prefix('[') {
            let end = unescaped(list, ']').ok_or(Broken::OpenList)?;
            sources = references(&list[..end]);
            rest = &list[end + 1..];
        }
        let rest = rest.trim_start();
        let modifiers = rest.strip_prefix('{').map(modifiers).unwrap_or_default();
        Ok(Quoted { text, words, sources, modifiers })
    }

    /// The value without trailing modifiers and comment.
    pub(super) fn plain(&self) -> Plain {
        let mut text = self.value;
        let mut found = Vec::new();
        if let Some(at) = modifiers_at(text) {
            found = modifiers(&text[at + 1..]);
            text = &text[..at];
        }
        text = &text[..comment_at(text).unwrap_or(text.len())];
        Plain { text: unescape(text.trim()), modifiers: found }
    }
}

impl Plain {
    /// The first word: the identifier of a reference that a description may follow.
    pub(super) fn first_word(&self) -> Option<&str> {
        self.text.split_whitespace().next()
    }
}

/// The BCP 47 language that modifiers state.
pub(super) fn language(modifiers: &[(String, String)]) -> Option<&str> {
    let mut named = modifiers.iter().filter(|(name, value)| {
        (name == "xml:lang" || name == "language" || name == "lang") && !value.is_empty()
    });
    named.next().map(|(_, value)| value.as_str())
}

/// Where the first such character stands that has no backslash before it.
fn unescaped(text: &str, wanted: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == wanted => return Some(at),
            _ => {}
        }
    }
    None
}

/// Where trailing modifiers begin: a brace after a space, a name, `="`, and a brace at the end or
/// before a comment. Other braces belong to the text (`{alpha}-tocopherol`).
fn modifiers_at(text: &str) -> Option<usize> {
    let starts = text.match_indices('{').map(|(at, _)| at);
    starts.into_iter().find(|at| {
        let (before, inside) = (&text[..*at], &text[at + 1..]);
        let name = inside.split_once("=\"").map(|(name, _)| name.trim());
        before.ends_with(char::is_whitespace)
            && inside.contains('}')
            && name.is_some_and(|name| !name.is_empty() && !name.contains([' ', '}', '"']))
    })
}

/// Where a comment begins: an exclamation mark between spaces, or at the end after one. Without
/// spaces it is a part of the text, since few writers escape it.
fn comment_at(text: &str) -> Option<usize> {
    if text.starts_with('!') {
        return Some(0);
    }
    text.match_indices('!').map(|(at, _)| at).find(|at| {
        let next = text[at + 1..].chars().next();
        text[..*at].ends_with(char::is_whitespace) && next.is_none_or(char::is_whitespace)
    })
}

/// The pairs of `name="value"` up to the closing brace.
fn modifiers(inside: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = inside;
    while let Some((name, value)) = rest.split_once("=\"") {
        let Some(end) = unescaped(value, '"') else { break };
        let name = name.trim_start_matches([',', ' ']).trim();
        found.push((name.to_owned(), unescape(&value[..end])));
        rest = &value[end + 1..];
        if rest.trim_start().starts_with('}') {
            break;
        }
    }
    found
}

/// The sources of a list, without the descriptions in quotes that may follow each.
fn references(list: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = list;
    loop {
        let end = unescaped(rest, ',').unwrap_or(rest.len());
        let quote = unescaped(rest, '"').unwrap_or(rest.len());
        let name = unescape(rest[..end.min(quote)].trim());
        if !name.is_empty() {
            found.push(name);
        }
        // A comma in a description separates nothing.
        let from = match rest.get(quote + 1..) {
            Some(described) if quote < end => match unescaped(described, '"') {
                Some(close) => quote + 1 + close + 1,
                None => return found,
            },
            _ => end.min(rest.len()),
        };
        match unescaped(&rest[from..], ',') {
            Some(comma) => rest = &rest[from + comma + 1..],
            None => return found,
        }
    }
}

/// The text that escapes stand for: `\n` a new line, `\W` a space, `\t` a tab, any other character
/// itself.
pub(super) fn unescape(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, if c == '\\' { chars.next() } else { None }) {
            (_, Some('n')) => plain.push('\n'),
            (_, Some('W')) => plain.push(' '),
            (_, Some('t')) => plain.push('\t'),
            (_, Some(other)) => plain.push(other),
            (c, None) => plain.push(c),
        }
    }
    plain
}
