use super::normalize::normalize;
use super::qualifier::is_function_word;

/// A short form that a name gives for itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShortForm {
    /// The short form, normalized, without spaces.
    pub short: String,
    /// The name without it.
    pub full: String,
    /// Whether the name states it, as in "Gastro-esophageal reflux disease (GERD)"; otherwise it is
    /// made of the first letters of its words.
    pub is_stated: bool,
}

/// Letters of a short form that first letters may make up: fewer stand for too many names, more are
/// nobody's habit.
const INITIALS: std::ops::RangeInclusive<usize> = 3..=6;
/// Letters of a short form that is stated.
const STATED: std::ops::RangeInclusive<usize> = 2..=8;

/// The short forms of a name: those it states in brackets ("Full name (ABBR)", `Full name [ABBR]`)
/// or ahead of a dash ("ABBR - Full name"), whose letters must stand in the full name in their
/// order (after Schwartz and Hearst, Pacific Symposium on Biocomputing 2003), and the first letters
/// of its words where there are three to six.
///
/// ```
/// let forms = medterm::text::short_forms("Gastro-esophageal reflux disease (GERD)");
/// assert_eq!(forms[0].short, "gerd");
/// assert_eq!(forms[0].full, "Gastro-esophageal reflux disease");
/// let forms = medterm::text::short_forms("Tay-Sachs disease");
/// assert_eq!(forms[0].short, "tsd");
/// ```
#[must_use]
pub fn short_forms(name: &str) -> Vec<ShortForm> {
    let mut forms = bracketed(name);
    forms.extend(dashed(name));
    if forms.is_empty() {
        forms.extend(initials(name));
    }
    forms
}

fn bracketed(name: &str) -> Vec<ShortForm> {
    let mut forms = Vec::new();
    let mut from = 0;
    while let Some(open) = name[from..].find(['(', '[']).map(|at| from + at) {
        let close = if name[open..].starts_with('(') { ')' } else { ']' };
        let Some(end) = name[open..].find(close).map(|at| open + at) else { break };
        let (before, after) = (name[..open].trim_end(), name[end + 1..].trim());
        if let Some(short) = stated(&name[open + 1..end], before) {
            let full =
                if after.is_empty() { before.to_owned() } else { format!("{before} {after}") };
            forms.push(ShortForm { short, full, is_stated: true });
        }
        from = end + 1;
    }
    forms
}

fn dashed(name: &str) -> Option<ShortForm> {
    let (short, full) = name.split_once(" - ")?;
    let short = stated(short, full)?;
    Some(ShortForm { short, full: full.trim().to_owned(), is_stated: true })
}

/// The text as a short form of a name, where it looks like one and its letters are the name's.
fn stated(text: &str, full: &str) -> Option<String> {
    let capitals = text.chars().filter(|c| c.is_uppercase()).count();
    if capitals < 2 || text.contains(char::is_whitespace) {
        return None;
    }
    let short: String = normalize(text).chars().filter(|c| *c != ' ').collect();
    (STATED.contains(&short.chars().count()) && stands_for(&short, full)).then_some(short)
}

/// Whether the letters of the short form come in the name in their order, the first at the
/// beginning of a word.
fn stands_for(short: &str, full: &str) -> bool {
    let full = normalize(full);
    let letters: Vec<char> = short.chars().filter(|c| c.is_alphabetic()).collect();
    let Some((first, rest)) = letters.split_first() else { return false };
    let words = full.match_indices(*first);
    words.filter(|(at, _)| *at == 0 || full[..*at].ends_with(' ')).any(|(at, _)| {
        let mut left = full[at..].chars().skip(1);
        rest.iter().all(|letter| left.any(|c| c == *letter))
    })
}

fn initials(name: &str) -> Option<ShortForm> {
    // Inverted names ("Anemia, aplastic") and longer ones are not abbreviated.
    if name.contains([',', ';', ':', '(', '[']) {
        return None;
    }
    let normal = normalize(name);
    let words = normal.split(' ').filter(|word| !is_function_word(word));
    let letters: Option<String> =
        words.map(|word| word.chars().next().filter(char::is_ascii_lowercase)).collect();
    let short = letters.filter(|letters| INITIALS.contains(&letters.len()))?;
    Some(ShortForm { short, full: name.to_owned(), is_stated: false })
}
