use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use super::rows::rows;

/// The table of shorthand: what notes write, what it stands for, where the row comes from.
const TABLE: &str = include_str!("shorthand.tsv");

/// Units that are written without a space behind their number.
const UNITS: &[&str] = &[
    "mg", "mcg", "ug", "g", "kg", "ml", "cc", "l", "cm", "mm", "iu", "units", "meq", "mmol", "hr",
    "h", "%",
];

/// The query with shorthand written out: "s/p" is "status post", "w/o" is "without", "L" beside
/// other words is "left", "2nd" is "second", "500mg" is "500 mg". Borrowed where nothing changes.
///
/// ```
/// assert_eq!(medterm::text::written_out("fx L hip w/o displacement"), "fracture left hip without displacement");
/// assert_eq!(medterm::text::written_out("hepatitis B"), "hepatitis B");
/// ```
#[must_use]
pub fn written_out(query: &str) -> Cow<'_, str> {
    let chunks: Vec<&str> = query.split_whitespace().collect();
    let mut changed = false;
    let written: Vec<Cow<'_, str>> = chunks
        .iter()
        .map(|chunk| match write_out(chunk, chunks.len() > 1) {
            Some(written) => {
                changed = true;
                Cow::Owned(written)
            }
            None => Cow::Borrowed(*chunk),
        })
        .collect();
    if changed { Cow::Owned(written.join(" ")) } else { Cow::Borrowed(query) }
}

/// What one chunk between spaces stands for, where that is not itself.
fn write_out(chunk: &str, is_one_of_several: bool) -> Option<String> {
    let bare = chunk.trim_matches(|c: char| matches!(c, '.' | ',' | ';' | ':' | '(' | ')'));
    let lower = bare.to_lowercase();
    if let Some(word) = table().get(lower.as_str()) {
        // A comma ends a clause, which the words around it must go on to see.
        let comma = if chunk.ends_with([',', ';']) { "," } else { "" };
        return Some(format!("{word}{comma}"));
    }
    if is_one_of_several && let Some(side) = side(&lower) {
        return Some(side.to_owned());
    }
    ordinal(&lower)
        .map(str::to_owned)
        .or_else(|| measure(&lower))
        .or_else(|| with_ahead(&lower))
        .or_else(|| greek(&lower))
}

/// A single letter is a side only beside other words.
fn side(word: &str) -> Option<&'static str> {
    match word {
        "l" => Some("left"),
        "r" => Some("right"),
        _ => None,
    }
}

fn ordinal(word: &str) -> Option<&'static str> {
    Some(match word {
        "1st" => "first",
        "2nd" => "second",
        "3rd" => "third",
        "4th" => "fourth",
        "5th" => "fifth",
        "6th" => "sixth",
        "7th" => "seventh",
        "8th" => "eighth",
        "9th" => "ninth",
        "10th" => "tenth",
        _ => return None,
    })
}

/// "500mg" in two words.
fn measure(word: &str) -> Option<String> {
    let end = word.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = word.split_at(end);
    (!number.is_empty() && UNITS.contains(&unit)).then(|| format!("{number} {unit}"))
}

/// "w/ckd" is "with ckd".
fn with_ahead(word: &str) -> Option<String> {
    let (ahead, rest) = match word.strip_prefix("w/o") {
        Some(rest) => ("without", rest),
        None => ("with", word.strip_prefix("w/")?),
    };
    (rest.chars().count() > 1).then(|| format!("{ahead} {rest}"))
}

/// The name of a Greek letter inside a Latin word: "β-thalassemia".
fn greek(word: &str) -> Option<String> {
    const LETTERS: &[(char, &str)] = &[
        ('α', "alpha"),
        ('β', "beta"),
        ('γ', "gamma"),
        ('δ', "delta"),
        ('κ', "kappa"),
        ('λ', "lambda"),
        ('ω', "omega"),
    ];
    let of = |c: char| LETTERS.iter().find(|(letter, _)| *letter == c).map(|(_, name)| *name);
    // A word of a Greek text has several.
    if word.chars().filter(|c| of(*c).is_some()).count() != 1
        || word.chars().any(|c| c.is_alphabetic() && !c.is_ascii() && of(c).is_none())
    {
        return None;
    }
    Some(word.chars().map(|c| of(c).map_or_else(|| c.to_string(), str::to_owned)).collect())
}

fn table() -> &'static HashMap<&'static str, &'static str> {
    static PARSED: OnceLock<HashMap<&'static str, &'static str>> = OnceLock::new();
    PARSED.get_or_init(|| rows(TABLE).map(|[short, written]| (short, written)).collect())
}
