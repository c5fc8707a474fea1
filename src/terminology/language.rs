/// Whether a name in the language `tag` answers a wish for `wanted`: the same language, or a regional
/// form of it, in any letter case (BCP 47; basic filtering of RFC 4647, section 3.3.1).
///
/// ```
/// use medterm::terminology::language_fits;
/// assert!(language_fits("zh", "zh-TW") && language_fits("EN-us", "en-US"));
/// assert!(!language_fits("zh-CN", "zh-TW") && !language_fits("de", "den"));
/// ```
#[must_use]
pub fn language_fits(wanted: &str, tag: &str) -> bool {
    let (wanted, tag) = (wanted.as_bytes(), tag.as_bytes());
    tag.get(..wanted.len()).is_some_and(|start| start.eq_ignore_ascii_case(wanted))
        && tag.get(wanted.len()).is_none_or(|next| *next == b'-')
}
