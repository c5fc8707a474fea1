use super::qualifier::is_negation;
use super::token::{Role, Token};

/// What a text says about a condition besides its name, and what turns it into another code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Context {
    /// It is not there: "no fever", "without fever".
    Absence,
    /// A relative has or had it.
    FamilyHistory,
    /// It is over: "history of", "status post".
    History,
    /// It is not certain: "suspected", "possible", "rule out".
    Suspicion,
    /// It is looked for: "screening for".
    Screening,
}

impl Context {
    /// What it is called in a sentence: "its absence".
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Absence => "absence",
            Self::FamilyHistory => "occurrence in the family",
            Self::History => "history",
            Self::Suspicion => "suspicion",
            Self::Screening => "screening",
        }
    }
}

/// The contexts that a text states.
///
/// ```
/// use medterm::text::{Context, contexts, tokens};
/// assert_eq!(contexts(&tokens("family history of colon cancer")), [Context::FamilyHistory]);
/// assert_eq!(contexts(&tokens("suspected pneumonia")), [Context::Suspicion]);
/// ```
#[must_use]
pub fn contexts(tokens: &[Token]) -> Vec<Context> {
    let says = |word: &str| tokens.iter().any(|token| token.word == word);
    let follow = |first: &str, second: &str| {
        tokens.windows(2).any(|pair| pair[0].word == first && pair[1].word == second)
    };
    let mut found = Vec::new();
    // A name can deny a part of itself; what is denied as a whole is not there.
    let content = || tokens.iter().filter(|token| token.role == Role::Content);
    let denied = content().filter(|token| token.negated).count();
    if denied > 0 && content().all(|token| token.negated || is_negation(&token.word)) {
        found.push(Context::Absence);
    }
    if follow("family", "history") {
        found.push(Context::FamilyHistory);
    } else if says("history") || follow("status", "post") {
        found.push(Context::History);
    }
    if ["suspected", "suspicion", "possible", "probable", "likely"].iter().any(|word| says(word))
        || follow("rule", "out")
    {
        found.push(Context::Suspicion);
    }
    if says("screening") || says("screen") {
        found.push(Context::Screening);
    }
    found
}

/// What is left of a text without the words that state its contexts: the condition itself. `None`
/// where it states none, or nothing else.
///
/// ```
/// use medterm::text::{itself, tokens};
/// assert_eq!(itself(&tokens("family history of gout")).as_deref(), Some("gout"));
/// assert_eq!(itself(&tokens("gout")), None);
/// ```
#[must_use]
pub fn itself(tokens: &[Token]) -> Option<String> {
    let found = contexts(tokens);
    if found.is_empty() {
        return None;
    }
    let states = |token: &&Token| {
        STATING.contains(&token.word.as_str())
            || (found.contains(&Context::Absence) && is_negation(&token.word))
    };
    let mut left = tokens.iter().filter(|token| !states(token)).peekable();
    // "Of" and "for" joined what is gone.
    while left.next_if(|token| token.role == Role::Function).is_some() {}
    let left: Vec<&str> = left.map(|token| token.word.as_str()).collect();
    (!left.is_empty()).then(|| left.join(" "))
}

/// Words that state a context.
const STATING: [&str; 14] = [
    "family",
    "personal",
    "past",
    "history",
    "status",
    "post",
    "suspected",
    "suspicion",
    "possible",
    "probable",
    "likely",
    "screening",
    "screen",
    "rule",
];
