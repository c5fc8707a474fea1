use std::sync::OnceLock;

use super::stem::stem;
use super::token::Token;

/// The values of the axes along which classifications subdivide: side, encounter, type, acuity,
/// severity, and the
/// circumstances that make another code of the same disease: birth, pregnancy, history, a residual. Which of them a text states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Axes {
    bits: u64,
}

/// How the axes of a designation stand to those of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AxisComparison {
    /// Axes on which the designation states a value and the query none: chosen for the user.
    pub unstated: u32,
    /// Axes on which the two state different values.
    pub conflicting: u32,
}

/// The axes: each a list of values, each value the ways to state it, in one word or two. Values of
/// one axis exclude each other; an axis of one value is stated or not.
const AXES: &[&[&[&str]]] = &[
    &[&["left"], &["right"], &["bilateral"]],
    &[&["initial encounter"], &["subsequent encounter"], &["sequela", "late effect"]],
    &[&["type 1"], &["type 2"]],
    &[&["acute"], &["chronic"], &["subacute"]],
    &[&["mild"], &["moderate"], &["severe"]],
    &[&["stage 1"], &["stage 2"], &["stage 3"], &["stage 4"], &["stage 5"]],
    &[&["displaced"], &["nondisplaced"]],
    &[&["intractable"]],
    &[&["recurrent"]],
    &[&["congenital", "hereditary", "inherited"]],
    &[&["neonatal", "newborn", "perinatal", "fetus", "fetal"]],
    &[&["pregnancy", "childbirth", "puerperium", "maternal", "obstetric", "gestational"]],
    &[&["history"], &["screening"]],
    &[&["postprocedural", "postoperative", "intraoperative"]],
    &[&["secondary"]],
    &[&["other"]],
    &[&["elsewhere", "nec"]],
];

/// The same as stems: axis, value, way to state it, one stem or two.
fn stems() -> &'static [Vec<Vec<Vec<String>>>] {
    static STEMS: OnceLock<Vec<Vec<Vec<Vec<String>>>>> = OnceLock::new();
    STEMS.get_or_init(|| {
        let of = |way: &&str| way.split(' ').map(stem).collect();
        let value = |ways: &&[&str]| ways.iter().map(of).collect();
        AXES.iter().map(|values| values.iter().map(value).collect()).collect()
    })
}

impl Axes {
    /// The axis values that a text states: not those it takes back, nor those in parentheses, which
    /// are said to be included.
    #[must_use]
    pub fn of(tokens: &[Token]) -> Self {
        let mut bits = 0;
        let values = stems().iter().flatten();
        for (shift, ways) in values.enumerate() {
            if ways.iter().any(|way| states(tokens, way)) {
                bits |= 1 << shift;
            }
        }
        Self { bits }
    }

    /// Compares the axes of a designation with those of a query.
    #[must_use]
    pub fn compare(self, designation: Self) -> AxisComparison {
        let mut comparison = AxisComparison::default();
        let mut shift = 0;
        for values in AXES {
            let mask = ((1u64 << values.len()) - 1) << shift;
            let (asked, said) = (self.bits & mask, designation.bits & mask);
            match (asked, said) {
                (_, 0) => {}
                (0, _) => comparison.unstated += 1,
                _ if asked & said == 0 => comparison.conflicting += 1,
                _ => {}
            }
            shift += values.len();
        }
        comparison
    }
}

fn states(tokens: &[Token], way: &[String]) -> bool {
    let mut places = tokens.windows(way.len());
    let stated = |t: &Token, stem: &str| !t.negated && !t.optional && t.stem == stem;
    places.any(|place| place.iter().zip(way).all(|(token, stem)| stated(token, stem)))
}
