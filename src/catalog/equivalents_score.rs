//! How alike two names are, by their words alone.

use std::collections::BTreeSet;

use crate::text::{normalize, tokens};

/// How alike a term and a title are, 0..=1 with three decimals: the mean of the share of the term's
/// words that the title has and of the Sørensen–Dice coefficient of both sets of words; 1 where they
/// are the same once normalized. Words are cut at apostrophes too, and neither stemmed nor expanded;
/// Chinese, Japanese and Korean texts are compared by pairs of characters.
///
/// ```
/// use medterm::catalog::lexical_similarity;
/// assert_eq!(lexical_similarity("heart failure", "Heart failure, unspecified"), 0.9);
/// ```
#[must_use]
pub fn lexical_similarity(term: &str, title: &str) -> f32 {
    let (term, title) = (normal(term), normal(title));
    if term.is_empty() || title.is_empty() {
        return 0.0;
    }
    if term == title {
        return 1.0;
    }
    let (term, title) = (words(&term), words(&title));
    #[allow(clippy::cast_precision_loss, reason = "names have a few words")]
    let [shared, asked, said] =
        [term.intersection(&title).count(), term.len(), title.len()].map(|count| count as f32);
    let (coverage, dice) = (shared / asked, 2.0 * shared / (asked + said));
    ((coverage + dice) / 2.0 * 1000.0).round() / 1000.0
}

/// The text as titles are compared, an apostrophe being the end of a word.
pub(super) fn normal(text: &str) -> String {
    normalize(&text.replace(['\'', '’', '‘', 'ʼ', '`', '´'], " "))
}

fn words(normal: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for word in normal.split(' ').filter(|word| !word.is_empty()) {
        if word.is_ascii() {
            found.insert(word.to_owned());
        } else {
            found.extend(tokens(word).into_iter().map(|token| token.word));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_that_clients_know_are_kept() {
        for (term, title, score) in [
            ("aspirin", "aspirin / caffeine oral product", 0.7),
            ("heart failure", "Heart failure, unspecified", 0.9),
            ("heart failure", "Acute on chronic right heart failure", 0.75),
            ("type 2 diabetes", "Type 2 diabetes mellitus", 0.929),
            ("Tylenol", "Tylenol PM", 0.833),
            ("Sjogren syndrome", "Sjögren's syndrome", 0.9),
            ("Asthma", "asthma", 1.0),
            ("aspirin", "Heart failure", 0.0),
            ("?", "Heart failure", 0.0),
        ] {
            assert_eq!(lexical_similarity(term, title), score, "{term} ~ {title}");
        }
    }

    #[test]
    fn texts_without_spaces_are_compared_too() {
        assert_eq!(lexical_similarity("高血壓", "高血壓"), 1.0);
        let longer = lexical_similarity("高血壓", "本態性高血壓");
        assert!((0.6..1.0).contains(&longer), "{longer}");
        assert!(lexical_similarity("糖尿病", "第二型糖尿病") > 0.5);
        assert_eq!(lexical_similarity("高血壓", "糖尿病"), 0.0);
    }
}
