use super::token::Token;

/// The values of the axes along which classifications subdivide: side, encounter, type, acuity,
/// severity, presence. Which of them a text states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Axes {
    bits: u32,
}

/// How the axes of a designation stand to those of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AxisComparison {
    /// Axes on which the designation states a value and the query none: chosen for the user.
    pub unstated: u32,
    /// Axes on which the two state different values.
    pub conflicting: u32,
}

/// One axis: its values, each a list of stems of which any states it.
type Axis = &'static [&'static [&'static str]];

/// The axes. A value may be stated by a pair of stems ("type 1"), written with a space.
const AXES: &[Axis] = &[
    &[&["left"], &["right"], &["bilater"]],
    &[&["initi encount"], &["subsequ encount"], &["sequela"]],
    &[&["type 1"], &["type 2"]],
    &[&["acut"], &["chronic"], &["subacut"]],
    &[&["mild"], &["moder"], &["sever"]],
    &[&["stage 1"], &["stage 2"], &["stage 3"], &["stage 4"], &["stage 5"]],
    &[&["displac"], &["nondisplac"]],
    &[&["intract"]],
    &[&["recurr"]],
];

impl Axes {
    /// The axis values that a text states.
    #[must_use]
    pub fn of(tokens: &[Token]) -> Self {
        let mut bits = 0;
        let mut bit = 1;
        for values in AXES {
            for stems in *values {
                if stems.iter().any(|stem| states(tokens, stem)) {
                    bits |= bit;
                }
                bit <<= 1;
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
            let mask = ((1u32 << values.len()) - 1) << shift;
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

fn states(tokens: &[Token], stems: &str) -> bool {
    match stems.split_once(' ') {
        Some((first, second)) => {
            tokens.windows(2).any(|pair| pair[0].stem == first && pair[1].stem == second)
        }
        None => tokens.iter().any(|token| token.stem == stems),
    }
}
