//! The check digit of LOINC, which is that of payment cards (ISO/IEC 7812-1, annex B: mod 10).

/// The digit that these ask for after them; every byte must be an ASCII digit.
pub(crate) fn check_digit(digits: &str) -> u32 {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(at, byte)| {
            let digit = u32::from(byte - b'0');
            let weighed = if at % 2 == 0 { digit * 2 } else { digit };
            weighed / 10 + weighed % 10
        })
        .sum();
    (10 - sum % 10) % 10
}
