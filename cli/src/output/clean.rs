/// Whether line breaks are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lines {
    Kept,
    /// They become spaces, for the cells of tables.
    Joined,
}

/// Text without what could take over a terminal or turn the reading direction around: releases and
/// queries are data.
pub fn clean(text: &str, lines: Lines) -> String {
    let kept = |c: char| match c {
        '\n' if lines == Lines::Kept => Some(c),
        '\n' | '\t' => Some(' '),
        c if c.is_control() => None,
        '\u{200e}' | '\u{200f}' | '\u{061c}' => None,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => None,
        c => Some(c),
    };
    text.chars().filter_map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_direction_marks_are_taken_out() {
        assert_eq!(clean("a\u{1b}[31mb\u{202e}c\nd\te", Lines::Joined), "a[31mbc d e");
        assert_eq!(clean("a\nb", Lines::Kept), "a\nb");
    }
}
