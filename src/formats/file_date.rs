//! The date in a release's file name, for formats that do not state it inside.

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The date in a file name, as ISO 8601: `2026-04-01`, `20260401`, `April-1-2026`, or `April-2026`
/// for the first of the month, the day on which releases take effect. A year alone is no date: the
/// 2026 release takes effect in October 2025.
pub(super) fn date_in_name(name: &str) -> Option<String> {
    let words: Vec<&str> =
        name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    (0..words.len()).find_map(|start| match words[start..] {
        [year, month, day, ..] if digits(year, 4).is_some() && month.len() == 2 => {
            iso(year, digits(month, 2)?, digits(day, 2)?)
        }
        [month, day, year, ..] if month_number(month).is_some() && day.len() <= 2 => {
            iso(year, month_number(month)?, day.parse().ok()?)
        }
        [month, year, ..] if month_number(month).is_some() => iso(year, month_number(month)?, 1),
        [one, ..] if digits(one, 8).is_some() => {
            iso(&one[..4], digits(&one[4..6], 2)?, digits(&one[6..], 2)?)
        }
        _ => None,
    })
}

fn digits(text: &str, length: usize) -> Option<u32> {
    (text.len() == length && text.bytes().all(|b| b.is_ascii_digit()))
        .then(|| text.parse().ok())
        .flatten()
}

fn month_number(word: &str) -> Option<u32> {
    let at = MONTHS.iter().position(|month| month.eq_ignore_ascii_case(word))?;
    u32::try_from(at + 1).ok()
}

fn iso(year: &str, month: u32, day: u32) -> Option<String> {
    let year = digits(year, 4)?;
    let plausible =
        (1990..=2100).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    plausible.then(|| format!("{year:04}-{month:02}-{day:02}"))
}
