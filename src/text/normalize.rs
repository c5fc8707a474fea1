use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The text as it is compared for equality: Unicode NFKC, lower case, no accents, no possessive
/// `'s`, every run of punctuation and white space one space.
///
/// ```
/// use medterm::text::normalize;
/// assert_eq!(normalize("Sjögren’s  Syndrome"), normalize("sjogren syndrome"));
/// assert_eq!(normalize("Type 2 Diabetes—mellitus"), "type 2 diabetes mellitus");
/// ```
#[must_use]
pub fn normalize(text: &str) -> String {
    let folded = fold(text);
    let mut normal = String::with_capacity(folded.len());
    for c in folded.chars() {
        if c.is_alphanumeric() {
            normal.push(c);
        } else if !normal.is_empty() && !normal.ends_with(' ') {
            normal.push(' ');
        }
    }
    normal.truncate(normal.trim_end().len());
    normal
}

/// NFKC, lower case, no accents, no possessive `'s`, other apostrophes dropped; punctuation and
/// spaces are left where they are.
pub(super) fn fold(text: &str) -> String {
    let lower = if text.is_ascii() { text.to_ascii_lowercase() } else { fold_unicode(text) };
    if lower.contains('\'') { without_apostrophes(&lower) } else { lower }
}

fn fold_unicode(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    // Decomposition takes the accents off; composing again restores Hangul syllables.
    let bare = text.nfkd().filter(|c| !is_combining_mark(*c) || is_kana_mark(*c));
    for c in bare.nfc().flat_map(char::to_lowercase) {
        match c {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            'đ' => folded.push('d'),
            'ı' => folded.push('i'),
            '’' | '‘' | 'ʼ' | '`' | '´' => folded.push('\''),
            // Lower-casing can bring a mark of its own (the Turkish dotted I).
            c if is_combining_mark(c) && !is_kana_mark(c) => {}
            // Zero-width and direction marks are invisible: they cannot make two texts differ.
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{feff}' => {}
            c => folded.push(c),
        }
    }
    folded
}

/// The voicing marks of kana tell syllables apart; they are no accents.
fn is_kana_mark(c: char) -> bool {
    matches!(c, '\u{3099}' | '\u{309a}')
}

fn without_apostrophes(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\'' {
            kept.push(c);
            continue;
        }
        let possessive = rest.peek() == Some(&'s') && {
            let mut ahead = rest.clone();
            ahead.next();
            ahead.peek().is_none_or(|next| !next.is_alphanumeric())
        };
        if possessive && kept.ends_with(char::is_alphanumeric) {
            rest.next();
        }
    }
    kept
}
