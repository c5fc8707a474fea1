use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::everyday::{Rewrite, RewriteKind};
use super::normalize::normalize;
use super::rows::rows;
use super::stem::stem;

/// The table of procedure words: what people write, the words of an operation for it, the kind of
/// row, where the row comes from.
const TABLE: &str = include_str!("procedures.tsv");

/// At most this many readings of one query.
const MOST_READINGS: usize = 4;
/// Vowels that join a combining form to what follows it: nephr-o-lith-o-tomy.
const JOINTS: [char; 3] = ['o', 'i', 'a'];
/// Words that say that not all of a body part is meant.
const IN_PART: [&str; 3] = ["partial", "subtotal", "segmental"];
/// Shorter pieces of a word are no combining forms, but chance.
const SHORTEST_FORM: usize = 2;

#[derive(Debug, Default)]
struct Table {
    /// Names of procedures, by the stems of their words: whole readings.
    names: HashMap<String, Vec<&'static str>>,
    longest: usize,
    /// Every stem of every name.
    name_stems: HashSet<String>,
    /// Body parts, by the combining form: the first is the one meant most.
    forms: HashMap<&'static str, Vec<&'static str>>,
    /// Endings with the operations they stand for, `{}` being the body part; the longest first.
    endings: Vec<(&'static str, Vec<&'static str>)>,
}

/// Whether a terminology that has these stems speaks of operations by the root operations that
/// procedure words are read as. Others have no use for such readings: there an appendectomy can
/// only be a thing of the past, and is named so.
///
/// `frequency` is the number of designations that have a stem.
#[must_use]
pub fn speaks_of_operations(frequency: impl Fn(&str) -> u32, designations: u32) -> bool {
    /// Root operations of ICD-10-PCS and words of SNOMED CT that classifications of diseases
    /// do without: ICD-10-CM has none of them in 74,044 titles, ICD-10-PCS has them in 9,510 of
    /// 78,603.
    const ROOTS: [&str; 4] = ["resection", "excision", "extirpation", "reposition"];
    let found: u32 = ROOTS.iter().map(|root| frequency(&stem(root))).sum();
    found > 0 && found >= designations / 200
}

/// Whether a word can be read as a procedure, so that it is no misspelling of another.
#[must_use]
pub fn is_procedure_word(word: &str) -> bool {
    let table = table();
    table.name_stems.contains(&stem(word)) || !composed(table, word).is_empty()
}

/// The readings of a query in which procedure words are put into root operations and body parts:
/// by the table's names of procedures ("c-section"), and by the parts of a word (append-ectomy).
/// The first sense of each word first; longer names win over shorter ones inside them. A text comes
/// once for each phrase that was replaced in it.
///
/// ```
/// let readings = medterm::text::procedures("laparoscopic appendectomy");
/// assert_eq!(readings[0].text, "percutaneous endoscopic resection of appendix");
/// ```
#[must_use]
pub fn procedures(query: &str) -> Vec<Rewrite> {
    let table = table();
    let words: Vec<String> = query
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '&')))
        .map(normalize)
        .filter(|word| !word.is_empty())
        .collect();
    let in_part = words.iter().any(|word| IN_PART.contains(&word.as_str()));
    let (mut first, mut found) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < words.len() {
        let (length, mut senses) =
            longest_name(table, &words[at..]).unwrap_or_else(|| (1, composed(table, &words[at])));
        if in_part {
            // A resection takes all of a body part; what takes a part of it is an excision.
            senses.sort_by_key(|sense| !sense.starts_with("excision"));
        }
        let from = words[at..at + length].join(" ");
        match senses.first() {
            Some(sense) => {
                let sense = sense.clone();
                found.push((first.len(), from, senses));
                first.push(sense);
            }
            None => first.push(from),
        }
        at += length;
    }
    let mut readings: Vec<Rewrite> = Vec::new();
    let mut texts: HashSet<String> = HashSet::new();
    for (place, from, senses) in found {
        for sense in &senses {
            let mut parts = first.clone();
            parts[place].clone_from(sense);
            parts.retain(|part| !part.is_empty());
            let text = parts.join(" ");
            if texts.len() == MOST_READINGS && !texts.contains(&text) {
                continue;
            }
            texts.insert(text.clone());
            let (from, to, senses) = (from.clone(), sense.clone(), senses.len());
            readings.push(Rewrite { text, from, to, kind: RewriteKind::Procedure, senses });
        }
    }
    readings.retain(|reading| !reading.text.is_empty());
    readings
}

fn longest_name(table: &Table, words: &[String]) -> Option<(usize, Vec<String>)> {
    (1..=table.longest.min(words.len())).rev().find_map(|length| {
        let senses = table.names.get(&key(&words[..length]))?;
        Some((length, senses.iter().map(|sense| (*sense).to_owned()).collect()))
    })
}

/// What a word made of combining forms and an ending stands for; of forms alone, the body parts.
fn composed(table: &Table, word: &str) -> Vec<String> {
    if !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return Vec::new();
    }
    let singular = word.strip_suffix("ies").map(|start| format!("{start}y"));
    let word = singular.as_deref().unwrap_or(word);
    for (ending, operations) in &table.endings {
        let Some(parts) = word.strip_suffix(ending).and_then(|rest| body_parts(table, rest)) else {
            continue;
        };
        return operations.iter().map(|one| one.replace("{}", &parts)).collect();
    }
    // "Salpingo-oophorectomy": a form that stands apart still ends in its vowel.
    word.strip_suffix('o').and_then(|rest| body_parts(table, rest)).into_iter().collect()
}

/// The body parts that a run of combining forms stands for, if all of it is such.
fn body_parts(table: &Table, run: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    let mut rest = run;
    while !rest.is_empty() {
        let form = (SHORTEST_FORM..=rest.len()).rev().find_map(|length| {
            let part = table.forms.get(rest.get(..length)?)?.first()?;
            let after = &rest[length..];
            // The last form may bring its vowel too: "bronch-o" before "scopy".
            let joined = after.strip_prefix(JOINTS).filter(|after| begins_a_form(table, after));
            let after = joined.or_else(|| begins_a_form(table, after).then_some(after))?;
            Some((*part, after))
        })?;
        parts.push(form.0);
        rest = form.1;
    }
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// Whether a text is empty or goes on with a combining form.
fn begins_a_form(table: &Table, text: &str) -> bool {
    let is_form = |length| text.get(..length).is_some_and(|form| table.forms.contains_key(form));
    text.is_empty() || (SHORTEST_FORM..=text.len()).any(is_form)
}

fn key(words: &[String]) -> String {
    words.iter().map(|word| stem(word)).collect::<Vec<_>>().join(" ")
}

fn table() -> &'static Table {
    static PARSED: OnceLock<Table> = OnceLock::new();
    PARSED.get_or_init(|| parse(TABLE))
}

fn parse(text: &'static str) -> Table {
    let mut table = Table::default();
    for [word, operation, kind] in rows(text) {
        let senses: Vec<&str> = operation.split('|').collect();
        match kind {
            "form" => {
                for form in word.split(' ') {
                    table.forms.entry(form).or_insert_with(|| senses.clone());
                }
            }
            "ending" => table.endings.push((word, senses)),
            _ => {
                let words: Vec<String> = word.split([' ', '-']).map(normalize).collect();
                table.longest = table.longest.max(words.len());
                table.name_stems.extend(words.iter().map(|word| stem(word)));
                table.names.entry(key(&words)).or_insert(senses);
            }
        }
    }
    table.endings.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then(a.0.cmp(b.0)));
    table
}
