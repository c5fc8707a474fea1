use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::normalize::normalize;
use super::rows::rows;
use super::stem::stem;
use super::token::tokens;

/// The table of everyday words: what people write, what clinicians write for it, the kind of row,
/// where the row comes from.
const TABLE: &str = include_str!("everyday.tsv");
/// The same for laboratories, imaging and drugs.
const LABS_AND_DRUGS: &str = include_str!("labs_and_drugs.tsv");
/// Plain and clinical names of the same thing, in both directions.
const PLAIN_WORDS: &str = include_str!("plain_words.tsv");

/// Why a query was rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RewriteKind {
    /// A lay phrase became the clinical one.
    Lay,
    /// An abbreviation was written out.
    Abbreviation,
    /// A brand name became the name of its substance.
    Brand,
    /// A procedure became a root operation on a body part.
    Procedure,
}

/// One reading of a query with an everyday phrase put into clinical words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewrite {
    /// The whole query in its new form.
    pub text: String,
    /// The phrase that was replaced, normalized.
    pub from: String,
    /// What stands in its place.
    pub to: String,
    /// Why.
    pub kind: RewriteKind,
    /// How many readings the phrase has in the table.
    pub senses: usize,
}

#[derive(Debug)]
struct Row {
    senses: Vec<&'static str>,
    kind: RewriteKind,
    /// An abbreviation that is also an English word ("add", "us") stands for itself inside a
    /// phrase unless it is written in capitals.
    also_a_word: bool,
}

#[derive(Debug, Default)]
struct Table {
    /// By the stems of the phrase, joined by spaces.
    phrases: HashMap<String, Row>,
    longest: usize,
    words: HashMap<String, Vec<(String, f32)>>,
    /// Every stem of every phrase.
    phrase_stems: HashSet<String>,
}

/// What the clinical word counts where the query has the everyday one.
const CLINICAL: f32 = 0.85;
/// What the everyday word counts where the query has the clinical one: less, because everyday words
/// mean more than one thing.
const EVERYDAY: f32 = 0.7;
/// At most this many readings of one query, however many senses its abbreviations have.
const MOST_REWRITES: usize = 6;

/// The readings of a query in which everyday phrases and abbreviations are replaced by clinical
/// words, the table's first sense first. Longer phrases win over the shorter ones inside them.
///
/// ```
/// let readings = medterm::text::rewrites("old heart attack");
/// assert!(readings.iter().any(|r| r.text == "old myocardial infarction"));
/// ```
#[must_use]
pub fn rewrites(query: &str) -> Vec<Rewrite> {
    let words = split(query);
    let mut readings = rewritten(&words);
    // "Broken left hip" is a broken hip, on the left.
    let is_side = |word: &&Word| SIDES.contains(&word.normal.as_str());
    let mut inside = words.iter().enumerate().skip(1).take(words.len().saturating_sub(2));
    if let Some((at, _)) = inside.find(|(_, word)| is_side(word)) {
        let mut words = words;
        let side = words.remove(at);
        words.insert(0, side);
        for moved in rewritten(&words) {
            let is_new = readings.iter().all(|other| other.text != moved.text);
            // Only a phrase of several words can have been divided.
            if is_new && moved.from.contains(' ') {
                readings.insert(0, moved);
            }
        }
        readings.truncate(MOST_REWRITES);
    }
    readings
}

/// Words that stand between the words of a phrase without being of it.
const SIDES: &[&str] = &["left", "right", "bilateral", "both"];

fn rewritten(words: &[Word]) -> Vec<Rewrite> {
    let table = table();
    let mut readings: Vec<Rewrite> = Vec::new();
    let mut at = 0;
    let mut done: Vec<String> = Vec::new();
    let mut found: Vec<(usize, &Row, String)> = Vec::new();
    while at < words.len() {
        match longest_phrase(table, words, at) {
            Some((length, row)) => {
                let from = words[at..at + length].iter().map(|w| w.normal.as_str());
                let from = from.collect::<Vec<_>>().join(" ");
                found.push((done.len(), row, from));
                done.push(row.senses.first().copied().unwrap_or_default().to_owned());
                at += length;
            }
            None => {
                done.push(words[at].normal.clone());
                at += 1;
            }
        }
    }
    for (place, row, from) in &found {
        for sense in &row.senses {
            let mut parts = done.clone();
            parts[*place] = (*sense).to_owned();
            let text = parts.join(" ");
            if readings.len() < MOST_REWRITES && readings.iter().all(|other| other.text != text) {
                readings.push(Rewrite {
                    text,
                    from: from.clone(),
                    to: (*sense).to_owned(),
                    kind: row.kind,
                    senses: row.senses.len(),
                });
            }
        }
    }
    readings
}

/// The stems that mean the same as a single everyday word to a clinician (belly → abdomen), and
/// the other way round, each with how much a match of it counts, 0..=1.
#[must_use]
pub fn equivalents(stem: &str) -> &'static [(String, f32)] {
    table().words.get(stem).map(Vec::as_slice).unwrap_or_default()
}

/// Whether a stem is a word of the table, on its left side: known, so not a misspelling.
#[must_use]
pub fn is_everyday_word(stem: &str) -> bool {
    let table = table();
    table.words.contains_key(stem) || table.phrase_stems.contains(stem)
}

struct Word {
    normal: String,
    stem: String,
    capitals: bool,
}

fn split(query: &str) -> Vec<Word> {
    query
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’')))
        .filter(|part| !part.is_empty())
        .map(|part| {
            let normal = normalize(part);
            Word { stem: stem(&normal), normal, capitals: !part.chars().any(char::is_lowercase) }
        })
        .collect()
}

fn longest_phrase<'t>(table: &'t Table, words: &[Word], at: usize) -> Option<(usize, &'t Row)> {
    let most = table.longest.min(words.len() - at);
    (1..=most).rev().find_map(|length| {
        let phrase = &words[at..at + length];
        let key = phrase.iter().map(|w| w.stem.as_str()).collect::<Vec<_>>().join(" ");
        let row = table.phrases.get(&key)?;
        let stands_alone = length == words.len();
        let spelled_out = row.also_a_word && !stands_alone && !phrase.iter().all(|w| w.capitals);
        (!spelled_out).then_some((length, row))
    })
}

fn table() -> &'static Table {
    static PARSED: OnceLock<Table> = OnceLock::new();
    PARSED.get_or_init(|| {
        let mut table = Table::default();
        table.read(TABLE);
        table.read(LABS_AND_DRUGS);
        table.read(PLAIN_WORDS);
        table
    })
}

impl Table {
    fn relate(&mut self, stem: &str, equivalent: &str, credit: f32) {
        let known = self.words.entry(stem.to_owned()).or_default();
        if known.iter().all(|(other, _)| other != equivalent) {
            known.push((equivalent.to_owned(), credit));
        }
    }

    fn read(&mut self, text: &'static str) {
        for [everyday, clinical, kind, source] in rows(text) {
            let senses: Vec<&str> = clinical.split('|').collect();
            let stems: Vec<String> = split(everyday).into_iter().map(|w| w.stem).collect();
            let key = stems.join(" ");
            // A word's one-word equivalents stand in for it token by token; all others are phrases.
            let (singles, phrases): (Vec<&str>, Vec<&str>) = senses
                .into_iter()
                .partition(|sense| kind == "word" && stems.len() == 1 && tokens(sense).len() == 1);
            for single in singles.iter().flat_map(|single| tokens(single)).map(|token| token.stem) {
                if single != key {
                    self.relate(&key, &single, CLINICAL);
                    self.relate(&single, &key, EVERYDAY);
                }
            }
            if phrases.is_empty() {
                continue;
            }
            let senses = phrases;
            let kind = match kind {
                "abbreviation" => RewriteKind::Abbreviation,
                "brand" => RewriteKind::Brand,
                _ => RewriteKind::Lay,
            };
            let also_a_word = source.contains("ordinary English word");
            self.longest = self.longest.max(stems.len());
            self.phrase_stems.extend(stems);
            self.phrases.entry(key).or_insert(Row { senses, kind, also_a_word });
        }
    }
}
