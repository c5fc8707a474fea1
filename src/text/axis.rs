use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use super::coverage::NameWord;
use super::stem::stem;
use super::token::Token;

/// The values of the axes along which classifications subdivide: side, encounter, type, acuity,
/// severity; the circumstances that make another code of the same disease: birth, pregnancy,
/// history, a residual; and plain opposites, to which embeddings are blind: low and high, upper and
/// lower. Which of them a text states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Axes {
    bits: u128,
}

/// How the axes of a designation stand to those of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AxisComparison {
    /// Axes on which the designation states a value and the query none: chosen for the user.
    pub unstated: u32,
    /// Axes on which the two state different values.
    pub conflicting: u32,
    /// Axes on which the query states a value and the designation none, plain opposites not
    /// counted: a name can say "hypokalemia" for "low potassium".
    pub missing: u32,
    /// The plain opposites among those.
    pub unanswered: u32,
}

/// What it means that a designation has a value on an axis of which the query says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A choice that the user did not make.
    Choice,
    /// Nothing: "hypertension" chooses no "high" for anybody. Only the opposite is wrong.
    Opposites,
}

/// The axes: each a list of values, each value the ways to state it: one word, two, or the
/// beginning of a word (`hypo*`). Values of one axis exclude each other; an axis of one value is
/// stated or not.
const AXES: &[(Kind, &[&[&str]])] = &[
    (Kind::Choice, &[&["left"], &["right"], &["bilateral", "both"]]),
    (
        Kind::Choice,
        &[&["initial encounter"], &["subsequent encounter"], &["sequela", "late effect"]],
    ),
    (Kind::Choice, &[&["type 1"], &["type 2"]]),
    (Kind::Choice, &[&["acute"], &["chronic"], &["subacute"]]),
    (Kind::Choice, &[&["mild"], &["moderate"], &["severe"]]),
    (Kind::Choice, &[&["stage 1"], &["stage 2"], &["stage 3"], &["stage 4"], &["stage 5"]]),
    (Kind::Choice, &[&["displaced"], &["nondisplaced"]]),
    (Kind::Choice, &[&["intractable"]]),
    (Kind::Choice, &[&["recurrent"]]),
    (Kind::Choice, &[&["remission"], &["relapse"]]),
    (Kind::Choice, &[&["congenital", "hereditary", "inherited"]]),
    (Kind::Choice, &[&["neonatal", "newborn", "perinatal", "fetus", "fetal"]]),
    (
        Kind::Choice,
        &[&["pregnancy", "childbirth", "puerperium", "maternal", "obstetric", "gestational"]],
    ),
    (Kind::Choice, &[&["history"], &["screening"]]),
    (Kind::Choice, &[&["postprocedural", "postoperative", "intraoperative"]]),
    (Kind::Choice, &[&["secondary"]]),
    (Kind::Choice, &[&["underlying"], &["induced"]]),
    (Kind::Choice, &[&["other"]]),
    (Kind::Choice, &[&["elsewhere", "nec"]]),
    (
        Kind::Opposites,
        &[
            &["low", "decreased", "reduced", "underactive", "hypo*"],
            &["high", "increased", "elevated", "raised", "overactive", "hyper*"],
        ],
    ),
    (Kind::Opposites, &[&["upper"], &["lower"]]),
    (Kind::Opposites, &[&["anterior"], &["posterior"]]),
    (Kind::Opposites, &[&["internal"], &["external"]]),
    (Kind::Opposites, &[&["open"], &["closed"]]),
    (Kind::Opposites, &[&["proximal"], &["distal"]]),
    (Kind::Opposites, &[&["medial"], &["lateral"]]),
    (Kind::Opposites, &[&["benign"], &["malignant", "cancer", "carcinoma"]]),
    (Kind::Opposites, &[&["male"], &["female"]]),
    (Kind::Opposites, &[&["adult"], &["juvenile", "child", "infantile", "infancy"]]),
    (Kind::Opposites, &[&["complete"], &["incomplete", "partial"]]),
    (Kind::Opposites, &[&["viral", "virus"], &["bacterial"], &["fungal"]]),
    (Kind::Opposites, &[&["artery", "arterial"], &["vein", "venous"]]),
    (
        Kind::Opposites,
        &[
            &["accidental", "unintentional"],
            &["intentional", "suicide", "suicidal"],
            &["assault", "homicide"],
            &["undetermined"],
        ],
    ),
    (Kind::Opposites, &[&["driver"], &["passenger"]]),
    (Kind::Opposites, &[&["traffic"], &["nontraffic"]]),
    (Kind::Opposites, &[&["traumatic"], &["nontraumatic"]]),
    (Kind::Opposites, &[&["rheumatic"], &["nonrheumatic"]]),
];

/// The same, to be found by a stem.
#[derive(Debug, Default)]
struct Ways {
    /// By the first stem: the second one, where there is one, and the number of the value.
    words: HashMap<String, Vec<(Option<String>, u32)>>,
    beginnings: Vec<(&'static str, u32)>,
}

fn ways() -> &'static Ways {
    static WAYS: OnceLock<Ways> = OnceLock::new();
    WAYS.get_or_init(|| {
        let mut ways = Ways::default();
        let values = AXES.iter().flat_map(|(_, values)| values.iter());
        for (value, stated) in (0u32..).zip(values) {
            for way in *stated {
                if let Some(beginning) = way.strip_suffix('*') {
                    ways.beginnings.push((beginning, value));
                    continue;
                }
                let mut words = way.split(' ').map(stem);
                let first = words.next().unwrap_or_default();
                ways.words.entry(first).or_default().push((words.next(), value));
            }
        }
        ways
    })
}

/// The words that state something on an axis, by the numbers that a vocabulary gives its words and
/// stems.
#[derive(Debug, Clone, Default)]
pub struct AxisNumbers {
    /// For each stem: the values that it states alone, and whether it states one with the next.
    stems: Vec<(u128, bool)>,
    /// Two stems, and the value that they state together.
    pairs: Vec<(u32, u32, u32)>,
    /// Words with one beginning, and the value that they state.
    beginnings: Vec<(Range<u32>, u32)>,
}

impl AxisNumbers {
    /// The words of a vocabulary: `stem` gives the number of a stem, `longer` the words that begin
    /// with a text and are longer.
    #[must_use]
    pub fn new(stem: impl Fn(&str) -> Option<u32>, longer: impl Fn(&str) -> Range<u32>) -> Self {
        let mut numbers = Self::default();
        for (first, stated) in &ways().words {
            let Some(first) = stem(first) else { continue };
            let at = first as usize;
            if numbers.stems.len() <= at {
                numbers.stems.resize(at + 1, (0, false));
            }
            for (second, value) in stated {
                match second {
                    None => numbers.stems[at].0 |= 1 << value,
                    Some(second) => {
                        let Some(second) = stem(second) else { continue };
                        numbers.stems[at].1 = true;
                        numbers.pairs.push((first, second, *value));
                    }
                }
            }
        }
        let beginnings = ways().beginnings.iter();
        numbers.beginnings = beginnings.map(|(text, value)| (longer(text), *value)).collect();
        numbers
    }
}

impl Axes {
    /// The axis values that a text states: not those it takes back, nor those in parentheses, which
    /// are said to be included.
    #[must_use]
    pub fn of(tokens: &[Token]) -> Self {
        let counts = |token: &Token| !token.negated && !token.optional;
        let words = tokens.iter().map(|t| (t.stem.as_str(), t.word.as_str(), counts(t)));
        Self::of_words(&words.collect::<Vec<_>>())
    }

    /// The same of a name whose words are given by numbers.
    #[must_use]
    pub fn of_name(name: &[NameWord], numbers: &AxisNumbers) -> Self {
        let counts = |word: &NameWord| !word.negated && !word.optional;
        let mut bits = 0;
        for (at, word) in name.iter().enumerate().filter(|(_, word)| counts(word)) {
            let (own, begins_pair) =
                numbers.stems.get(word.stem as usize).copied().unwrap_or_default();
            bits |= own;
            if begins_pair && let Some(next) = name.get(at + 1).filter(|next| counts(next)) {
                let pair = |(first, second, _): &&(u32, u32, u32)| {
                    (*first, *second) == (word.stem, next.stem)
                };
                numbers.pairs.iter().filter(pair).for_each(|(.., value)| bits |= 1 << value);
            }
            for (words, value) in &numbers.beginnings {
                bits |= u128::from(words.contains(&word.word)) << value;
            }
        }
        Self { bits }
    }

    /// The same of words given as stem, word, and whether what they say counts.
    #[must_use]
    pub fn of_words(words: &[(&str, &str, bool)]) -> Self {
        let ways = ways();
        let mut bits = 0;
        for (at, (stem, word, _)) in words.iter().enumerate().filter(|(_, (.., counts))| *counts) {
            for (second, value) in ways.words.get(*stem).into_iter().flatten() {
                let follows = |wanted: &String| {
                    words.get(at + 1).is_some_and(|(next, _, counts)| *counts && next == wanted)
                };
                if second.as_ref().is_none_or(follows) {
                    bits |= 1 << value;
                }
            }
            for (beginning, value) in &ways.beginnings {
                if word.len() > beginning.len() && word.starts_with(beginning) {
                    bits |= 1 << value;
                }
            }
        }
        Self { bits }
    }

    /// Compares the axes of a designation with those of a query.
    #[must_use]
    pub fn compare(self, designation: Self) -> AxisComparison {
        let mut comparison = AxisComparison::default();
        let mut shift = 0;
        for (kind, values) in AXES {
            let mask = ((1u128 << values.len()) - 1) << shift;
            let (asked, said) = (self.bits & mask, designation.bits & mask);
            match (asked, said) {
                (0, 0) => {}
                (_, 0) if *kind == Kind::Opposites => comparison.unanswered += 1,
                (_, 0) => comparison.missing += 1,
                (0, _) => comparison.unstated += u32::from(*kind == Kind::Choice),
                _ if asked & said == 0 => comparison.conflicting += 1,
                _ => {}
            }
            shift += values.len();
        }
        comparison
    }

    /// Whether the text states anything on any axis.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }
}
