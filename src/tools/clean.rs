//! Texts of releases are data: what could act on a terminal or turn a line around is left out.

use serde_json::Value;

/// Leaves control characters and bidirectional overrides out of every text of an answer.
pub(super) fn clean(value: &mut Value) {
    match value {
        Value::String(text) if text.contains(is_unsafe) => *text = clean_text(text),
        Value::Array(items) => items.iter_mut().for_each(clean),
        Value::Object(members) => members.values_mut().for_each(clean),
        _ => {}
    }
}

/// The text without them; line breaks and tabs stay.
pub(super) fn clean_text(text: &str) -> String {
    text.chars().filter(|c| !is_unsafe(*c)).collect()
}

/// Control characters but line breaks and tabs, and the controls of the bidirectional algorithm
/// (Unicode Standard Annex 9): embeddings, overrides, isolates and marks.
fn is_unsafe(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || matches!(c, '\u{200E}' | '\u{200F}' | '\u{061C}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}
