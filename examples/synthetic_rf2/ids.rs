//! Identifiers with valid check digits, and numbers that only look random.

/// A namespace that SNOMED International has given to nobody.
const NAMESPACE: u64 = 9_999_999;

/// The component that an identifier is of: the digits before the check digit.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Component {
    Concept = 10,
    Description = 11,
    Relationship = 12,
}

/// Verhoeff's multiplication table of the dihedral group D5.
fn product(a: u8, b: u8) -> u8 {
    match (a < 5, b < 5) {
        (true, true) => (a + b) % 5,
        (true, false) => 5 + (a + b) % 5,
        (false, true) => 5 + (a + 5 - b) % 5,
        (false, false) => (a + 5 - b) % 5,
    }
}

/// Verhoeff's permutation, which is applied once for each place.
const PERMUTATION: [u8; 10] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

fn permuted(digit: u8, times: u32) -> u8 {
    (0..times % 8).fold(digit, |digit, _| PERMUTATION[usize::from(digit)])
}

/// The identifier of an item.
pub(crate) fn identifier(item: u64, component: Component) -> u64 {
    let body = (item * 10_000_000 + NAMESPACE) * 100 + component as u64;
    let (mut rest, mut place, mut sum) = (body, 1, 0);
    while rest > 0 {
        sum = product(sum, permuted((rest % 10) as u8, place));
        (rest, place) = (rest / 10, place + 1);
    }
    let check = (0..10).find(|digit| product(*digit, sum) == 0).unwrap_or_default();
    body * 10 + u64::from(check)
}

/// SplitMix64 (Steele, Lea and Flood 2014): a small generator whose numbers are the same everywhere.
#[derive(Debug, Clone)]
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// True `percent` times in a hundred.
    pub(crate) fn happens(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn uuid(&mut self) -> String {
        let (a, b) = (self.next(), self.next());
        format!(
            "{:08x}-{:04x}-5{:03x}-8{:03x}-{:012x}",
            a >> 32,
            a >> 16 & 0xffff,
            a & 0xfff,
            b >> 48 & 0xfff,
            b & 0xffff_ffff_ffff
        )
    }
}
