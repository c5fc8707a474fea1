//! SNOMED CT identifiers: 6 to 18 digits, the last of which checks the others.

/// What an identifier looks like, for messages.
pub(crate) const EXPECTED: &str = "a SNOMED CT identifier: 6 to 18 digits";

/// Multiplication in the dihedral group D5, on which Verhoeff's scheme is built (J. Verhoeff, Error
/// Detecting Decimal Codes, 1969; SNOMED CT Release File Specification, Check-digit).
const PRODUCT: [[u8; 10]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    [1, 2, 3, 4, 0, 6, 7, 8, 9, 5],
    [2, 3, 4, 0, 1, 7, 8, 9, 5, 6],
    [3, 4, 0, 1, 2, 8, 9, 5, 6, 7],
    [4, 0, 1, 2, 3, 9, 5, 6, 7, 8],
    [5, 9, 8, 7, 6, 0, 4, 3, 2, 1],
    [6, 5, 9, 8, 7, 1, 0, 4, 3, 2],
    [7, 6, 5, 9, 8, 2, 1, 0, 4, 3],
    [8, 7, 6, 5, 9, 3, 2, 1, 0, 4],
    [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
];

/// What becomes of a digit at each place, counted from the right; every eight places it repeats.
const PERMUTATION: [[u8; 10]; 8] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    [1, 5, 7, 6, 2, 8, 3, 0, 9, 4],
    [5, 8, 0, 3, 7, 9, 6, 1, 4, 2],
    [8, 9, 1, 6, 0, 4, 3, 5, 2, 7],
    [9, 4, 5, 3, 1, 2, 6, 8, 7, 0],
    [4, 2, 8, 6, 5, 7, 3, 9, 0, 1],
    [2, 7, 9, 3, 8, 0, 6, 4, 1, 5],
    [7, 0, 4, 6, 9, 1, 3, 2, 5, 8],
];

/// The number that an identifier is, whether or not its check digit fits.
pub(crate) fn parse(text: &str) -> Option<u64> {
    let is_shaped = (6..=18).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && !text.starts_with('0');
    is_shaped.then(|| text.parse().ok()).flatten()
}

/// Whether the last digit is the one that the others ask for: a single wrong digit and two swapped
/// ones are always found.
pub(crate) fn check_digit_fits(id: u64) -> bool {
    let (mut rest, mut place, mut sum) = (id, 0, 0u8);
    while rest > 0 {
        let digit = usize::try_from(rest % 10).unwrap_or_default();
        sum = PRODUCT[usize::from(sum)][usize::from(PERMUTATION[place % 8][digit])];
        rest /= 10;
        place += 1;
    }
    sum == 0
}

/// The namespace of the organization that made the identifier; none for the international ones.
pub(crate) fn namespace(id: u64) -> Option<u64> {
    let is_extension = (id / 100) % 10 == 1;
    is_extension.then_some((id / 1_000) % 10_000_000)
}

/// The identifier with the last digit that the others ask for.
pub(crate) fn with_check_digit(id: u64) -> Option<u64> {
    let base = id - id % 10;
    (base..base + 10).find(|one| check_digit_fits(*one))
}

/// What an identifier is of: its second digit from the right before the check digit says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Partition {
    Concept,
    Description,
    Relationship,
    Other,
}

/// What an identifier is of.
pub(crate) fn partition(id: u64) -> Partition {
    match (id / 10) % 100 {
        0 | 10 => Partition::Concept,
        1 | 11 => Partition::Description,
        2 | 12 => Partition::Relationship,
        _ => Partition::Other,
    }
}
