//! Which names may go from one terminology to another: pure functions on texts.

use std::collections::BTreeSet;

use crate::text::{Axes, Role, Token, normalize, tokens};

/// Why a name of an equivalent concept is not borrowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It is the shape of an abbreviation that stands for many things.
    Short,
    /// It states, or lacks, a value on an axis on which the code's own name states another.
    Axis,
}

/// A name, read once for many comparisons.
pub(super) struct Reading {
    normal: String,
    tokens: Vec<Token>,
    axes: Axes,
    ordinals: BTreeSet<(String, String)>,
    negated: BTreeSet<String>,
    has_with: bool,
    is_disposition: bool,
    stems: BTreeSet<String>,
}

/// Letters and digits up to which a word standing alone is not borrowed. The table of abbreviations
/// has those in use with all their senses; a borrowed "MS" or "RTA" would make one sense the answer.
const SHORT: usize = 3;

/// Words that number what a classification subdivides: "type 2", "stage iv", "grade 1a".
const NUMBERED: &[&str] = &["type", "stage", "grade", "class", "group", "degree"];

/// Words of names that are about coming by a disease and not about having it. Ontologies take such
/// names over from catalogs of genes, as exact synonyms of the disease.
const DISPOSITIONS: &[&str] = &["susceptibility", "predisposition", "protection"];

impl Reading {
    pub(super) fn of(text: &str) -> Self {
        let tokens = tokens(text);
        let content = |token: &&Token| token.role == Role::Content;
        Self {
            normal: normalize(text),
            axes: Axes::of(&tokens),
            ordinals: tokens.windows(2).filter_map(ordinal).collect(),
            negated: tokens.iter().filter(|t| t.negated).map(|t| t.stem.clone()).collect(),
            has_with: tokens.iter().any(|token| token.word == "with"),
            is_disposition: tokens.iter().any(|t| DISPOSITIONS.contains(&t.word.as_str())),
            stems: tokens.iter().filter(content).map(|t| t.stem.clone()).collect(),
            tokens,
        }
    }

    /// The name as it is compared for equality.
    pub(super) fn normal(&self) -> &str {
        &self.normal
    }

    /// Whether this is the title of a code for what has no code of its own. Such a code is no
    /// concept, whatever is mapped to it.
    pub(super) fn is_residual(&self) -> bool {
        let rest = |word: &str| matches!(word, "other" | "others" | "elsewhere" | "nec");
        self.tokens.iter().any(|token| !token.optional && rest(&token.word))
    }

    fn is_short(&self) -> bool {
        // "R.A." is as short as "RA"; three Chinese characters are a whole name.
        let letters = self.normal.bytes().filter(|b| *b != b' ');
        self.normal.is_ascii() && letters.count() <= SHORT
    }

    /// Whether this states on some axis what the other does not state.
    fn states_more_than(&self, other: &Self) -> bool {
        let axes = other.axes.compare(self.axes);
        axes.unstated + axes.conflicting > 0
            || !self.ordinals.is_subset(&other.ordinals)
            || !self.negated.is_subset(&other.negated)
            || (self.has_with && !other.has_with)
            || (self.is_disposition && !other.is_disposition)
    }

    fn agrees_with(&self, other: &Self) -> bool {
        !self.states_more_than(other) && !other.states_more_than(self)
    }
}

/// The number that a word like "type" has behind it. A numeral of one letter is one only there.
fn ordinal(pair: &[Token]) -> Option<(String, String)> {
    let [kind, number] = pair else { return None };
    let number = match number.stem.as_str() {
        "i" => "1",
        "v" => "5",
        "x" => "10",
        other => other,
    };
    (NUMBERED.contains(&kind.word.as_str()) && number.len() <= SHORT)
        .then(|| (kind.word.clone(), number.to_owned()))
}

/// Whether a name may be borrowed for a code that is called `display` and is said to be the same as
/// a concept called `lender`.
///
/// A name never brings a value of an axis with it that the code's display does not state. It may
/// lack one only where the concept itself states it and the name says it in words of its own:
/// "heart attack" is the acute infarction, but "adenoiditis" is not "chronic adenoiditis", however
/// the two are mapped.
pub(super) fn refusal(name: &Reading, lender: &Reading, display: &Reading) -> Option<Refusal> {
    if name.is_short() {
        return Some(Refusal::Short);
    }
    if name.states_more_than(display) {
        return Some(Refusal::Axis);
    }
    let lacks = display.states_more_than(name);
    let says_less = || name.stems.is_subset(&display.stems) || name.stems.is_subset(&lender.stems);
    (lacks && (!lender.agrees_with(display) || says_less())).then_some(Refusal::Axis)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(name: &str, lender: &str, display: &str) -> Option<Refusal> {
        refusal(&Reading::of(name), &Reading::of(lender), &Reading::of(display))
    }

    #[test]
    fn an_axis_is_neither_brought_nor_dropped() {
        for (name, lender, display) in [
            ("adenoiditis", "adenoiditis", "Chronic adenoiditis"),
            ("adenoiditis", "chronic adenoiditis", "Chronic adenoiditis"),
            ("inflamed adenoids", "adenoiditis", "Chronic adenoiditis"),
            ("acute cholera", "cholera", "Cholera"),
            ("left wrist sprain", "wrist sprain", "Sprain of right wrist"),
            ("diabetes mellitus type 1", "diabetes mellitus", "Type 2 diabetes mellitus"),
            ("Usher syndrome type IIa", "Usher syndrome", "Usher syndrome"),
            ("glycogen storage disease type i", "gsd", "Glycogen storage disease, type II"),
            ("migraine without aura", "migraine", "Migraine"),
            ("migraine with aura", "migraine", "Migraine"),
            ("migraine, susceptibility to", "migraine", "Migraine"),
            ("congenital atrial septal defect", "atrial septal defect", "Atrial septal defect"),
        ] {
            assert_eq!(judge(name, lender, display), Some(Refusal::Axis), "{name} for {display}");
        }
    }

    #[test]
    fn another_name_of_what_agrees_is_borrowed() {
        for (name, lender, display) in [
            ("heart attack", "acute myocardial infarction", "Acute myocardial infarction"),
            ("NIDDM", "type 2 diabetes mellitus", "Type 2 diabetes mellitus"),
            ("common migraine", "migraine without aura", "Migraine without aura"),
            ("Weil disease", "Weil disease", "Leptospirosis icterohemorrhagica"),
            (
                "Pompe disease",
                "glycogen storage disease type 2",
                "Glycogen storage disease, type II",
            ),
            ("高血壓", "hypertension", "Essential (primary) hypertension"),
        ] {
            assert_eq!(judge(name, lender, display), None, "{name} for {display}");
        }
    }

    #[test]
    fn what_may_be_an_abbreviation_of_anything_is_left() {
        assert_eq!(judge("MS", "multiple sclerosis", "Multiple sclerosis"), Some(Refusal::Short));
        assert_eq!(judge("R.A.", "arthritis", "Rheumatoid arthritis"), Some(Refusal::Short));
        assert_eq!(
            judge("COPD", "copd", "Chronic obstructive pulmonary disease"),
            Some(Refusal::Axis)
        );
    }

    #[test]
    fn residual_titles_are_told_by_their_words() {
        for residual in [
            "Other specified disorders of kidney and ureter",
            "Hemorrhage, not elsewhere classified",
            "Dementia in other diseases classified elsewhere",
            "Typhoid fever with other complications",
            "Myopathy, NEC",
        ] {
            assert!(Reading::of(residual).is_residual(), "{residual}");
        }
        for own in ["Cholera, unspecified", "Heart failure", "Mother's disease"] {
            assert!(!Reading::of(own).is_residual(), "{own}");
        }
    }
}
