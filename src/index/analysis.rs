use std::borrow::Cow;

use crate::lexical::LexicalIndex;
use crate::text::{
    Axes, Correction, Language, QueryToken, QueryWord, Rewrite, RewriteKind, Role, Token, correct,
    equivalents, is_everyday_word, is_procedure_word, itself, joined, normalize, procedures,
    rewrites, speaks_of_operations, stem, tokens_in, translations, written_out,
};

use super::learned::learned;
use super::{Notice, TerminologyIndex};

/// Where a reading of a query comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    Typed,
    Corrected,
    Lay,
    Abbreviation,
}

/// One way to read a query.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    pub(super) text: String,
    pub(super) tokens: Vec<QueryToken>,
    pub(super) axes: Axes,
    pub(super) origin: Origin,
    /// What a match of this reading is worth against one of what was typed, 0..=1.
    pub(super) factor: f32,
}

impl Reading {
    /// Whether it says that nothing more is said.
    pub(super) fn is_qualified(&self) -> bool {
        self.tokens.iter().any(|wanted| wanted.token.role == Role::Qualifier)
    }
}

impl Reading {
    /// Its words by the numbers that the index gives them.
    pub(super) fn words(&self, lexical: &LexicalIndex) -> Vec<QueryWord> {
        let number = |wanted: &QueryToken| {
            let alternatives = wanted.alternatives.iter().map(|(stem, credit)| (stem, *credit));
            let stems = [(&wanted.token.stem, 1.0)].into_iter().chain(alternatives);
            let stems =
                stems.filter_map(|(stem, credit)| Some((lexical.stem_number(stem)?, credit)));
            let word = wanted.token.word.as_str();
            QueryWord {
                stems: stems.collect(),
                beginnings: if wanted.prefix { lexical.words_with_prefix(word) } else { 0..0 },
                length: u32::try_from(word.len()).unwrap_or(u32::MAX),
                role: wanted.token.role,
                negated: wanted.token.negated,
                weight: lexical.idf(&wanted.token.stem),
            }
        };
        self.tokens.iter().map(number).collect()
    }
}

/// Every way to read a query, what was typed first.
#[derive(Debug, Clone)]
pub(super) struct Analysis {
    pub(super) readings: Vec<Reading>,
    pub(super) notices: Vec<Notice>,
}

const CORRECTED: f32 = 0.95;
const AFFIRMED: f32 = 0.7;
const JOINED: f32 = 0.98;
const LAY: f32 = 0.97;
const ABBREVIATION: f32 = 0.95;
/// Low enough that the best and the second reading of a procedure are not both cut to the highest
/// score of what is only similar.
const PROCEDURE: f32 = 0.92;
/// Each further sense of an ambiguous phrase is worth a little less than the one before.
const NEXT_SENSE: f32 = 0.96;
/// Readings whose meaning is looked up, the first among them: each costs an embedding.
const MOST_EMBEDDED: usize = 4;
/// How much more frequent a word must be than the stem that a misspelt one has by chance.
const MORE_FREQUENT: u32 = 4;
/// What a word counts that only begins like the one in the query, were the beginning all of it.
const RELATIVE: f32 = 0.6;
/// Letters that two such words have in common.
const SHORTEST_RELATIVE: usize = 6;
/// Such words for one word of a query.
const PREFIX_RELATIVES: usize = 10;
/// Names that a word must be in to be one of two that were written together.
const COMMON_WORD: u32 = 3;
/// A last word of fewer letters is too short to be the beginning of another.
const SHORTEST_PREFIX: usize = 3;

impl Analysis {
    pub(super) fn of(query: &str, index: &TerminologyIndex) -> Self {
        let mut analysis = Self { readings: Vec::new(), notices: Vec::new() };
        // Shorthand, everyday words and translations lead to English names.
        let is_english = index.language == Language::English;
        let query = if is_english { written_out(query) } else { Cow::Borrowed(query) };
        let is_known = |word: &str| index.lexical.words().find_word(word).is_some();
        let translated = if is_english { translations(&query, is_known) } else { Vec::new() };
        analysis.add(query.clone().into_owned(), Origin::Typed, 1.0, index);
        // What is no English is no misspelt English.
        let (basis, factor) = match translated.is_empty() {
            true => analysis.correct(&query, index),
            false => (query.into_owned(), 1.0),
        };
        let words: Vec<&str> = basis.split_whitespace().collect();
        let is_one_word = |word: &str| is_known(word) || is_everyday_word(&stem(word));
        let basis = match joined(&words, is_one_word) {
            Some(text) => {
                analysis.add(text.clone(), Origin::Lay, factor * JOINED, index);
                text
            }
            None => basis,
        };
        analysis.affirm(&basis, factor, index);
        analysis.rewrite(translated, factor, index);
        if is_english {
            // Where operations are named by what is done to what, "appendectomy" is no name of one.
            if has_operations(&index.lexical) {
                analysis.rewrite(procedures(&basis), factor, index);
            }
            analysis.rewrite(rewrites(&basis), factor, index);
        }
        if analysis.readings.len() == 1 {
            analysis.rewrite(learned(&basis, index), factor, index);
        }
        analysis
    }

    /// Of what is denied, suspected, looked for or over, the thing itself is shown where there is no
    /// code for that.
    fn affirm(&mut self, query: &str, factor: f32, index: &TerminologyIndex) {
        if let Some(text) = itself(&tokens_in(index.language, query)) {
            self.add(text, Origin::Lay, factor * AFFIRMED, index);
        }
    }

    /// Adds the reading in which misspelt words are corrected. What there is to read further, and
    /// what it is worth.
    fn correct(&mut self, query: &str, index: &TerminologyIndex) -> (String, f32) {
        let typed = tokens_in(index.language, query);
        let capitals: Vec<String> =
            query.split_whitespace().filter(|word| is_abbreviated(word)).map(normalize).collect();
        let mut corrections = corrections(&typed, &index.lexical);
        corrections.retain(|one| !capitals.contains(&one.original));
        if corrections.is_empty() {
            return (query.to_owned(), 1.0);
        }
        let corrected = apply(&typed, &corrections);
        self.add(corrected.clone(), Origin::Corrected, CORRECTED, index);
        self.notices.extend(
            corrections
                .into_iter()
                .map(|c| Notice::Corrected { original: c.original, corrected: c.corrected }),
        );
        (corrected, CORRECTED)
    }

    fn rewrite(&mut self, rewrites: Vec<Rewrite>, factor: f32, index: &TerminologyIndex) {
        let mut seen: Vec<String> = Vec::new();
        let mut sense = 1.0;
        // Senses that the terminology has no words for find nothing, and take the place of others.
        let has_words = |to: &str| {
            let words = tokens_in(index.language, to);
            let mut content = words.iter().filter(|word| word.role == Role::Content);
            content.all(|word| index.lexical.document_frequency(&word.stem) > 0)
        };
        let fits: Vec<bool> = rewrites.iter().map(|rewrite| has_words(&rewrite.to)).collect();
        let fitting = rewrites.iter().zip(&fits).filter(|(_, fits)| **fits);
        let found: Vec<String> = fitting.map(|(rewrite, _)| rewrite.from.clone()).collect();
        for (rewrite, fits) in rewrites.into_iter().zip(fits) {
            // A brand that the terminology has is what was asked for.
            if rewrite.kind == RewriteKind::Brand && has_words(&rewrite.from) {
                continue;
            }
            let (origin, worth) = match rewrite.kind {
                RewriteKind::Lay | RewriteKind::Brand => (Origin::Lay, LAY),
                RewriteKind::Abbreviation => (Origin::Abbreviation, ABBREVIATION),
                RewriteKind::Procedure => (Origin::Lay, PROCEDURE),
            };
            if seen.contains(&rewrite.from) {
                sense *= NEXT_SENSE;
            } else {
                sense = 1.0;
                seen.push(rewrite.from.clone());
                // A word that says nothing is read as nothing, which is no news.
                if !rewrite.to.is_empty() {
                    let (from, to) = (rewrite.from.clone(), rewrite.to.clone());
                    self.notices.push(Notice::Read { from, to });
                }
            }
            if rewrite.senses > 1 && rewrite.kind == RewriteKind::Abbreviation {
                self.notice_sense(&rewrite.from, &rewrite.to);
            }
            // What a phrase usually means is not what it means where the query says otherwise.
            let stated = Axes::of(&tokens_in(index.language, &rewrite.to));
            let contradicts = self.typed().is_some_and(|t| t.axes.compare(stated).conflicting > 0);
            if contradicts || (!fits && found.contains(&rewrite.from)) {
                continue;
            }
            // After a correction nothing counts as if it had been typed so.
            let origin = if factor < 1.0 { Origin::Corrected } else { origin };
            self.add(rewrite.text, origin, factor * worth * sense, index);
        }
    }

    /// All senses of one abbreviation go into one notice.
    fn notice_sense(&mut self, from: &str, to: &str) {
        self.notices
            .retain(|notice| !matches!(notice, Notice::Read { from: read, .. } if read == from));
        for notice in &mut self.notices {
            if let Notice::Ambiguous { abbreviation, senses } = notice
                && abbreviation == from
            {
                senses.push(to.to_owned());
                return;
            }
        }
        self.notices
            .push(Notice::Ambiguous { abbreviation: from.to_owned(), senses: vec![to.to_owned()] });
    }

    fn add(&mut self, text: String, origin: Origin, factor: f32, index: &TerminologyIndex) {
        if self.readings.iter().any(|reading| reading.text == text) {
            return;
        }
        let found = tokens_in(index.language, &text);
        let axes = Axes::of(&found);
        let last = found.len().saturating_sub(1);
        let typed = origin == Origin::Typed;
        let tokens = found
            .into_iter()
            .enumerate()
            .map(|(at, token)| QueryToken {
                alternatives: alternatives(&token, index),
                prefix: typed && at == last && token.word.chars().count() >= SHORTEST_PREFIX,
                token,
            })
            .collect();
        self.readings.push(Reading { text, tokens, axes, origin, factor });
    }

    /// What was typed.
    fn typed(&self) -> Option<&Reading> {
        self.readings.first()
    }

    /// The words of what was typed.
    pub(super) fn typed_tokens(&self) -> Vec<Token> {
        let typed = self.typed().map(|typed| typed.tokens.as_slice()).unwrap_or_default();
        typed.iter().map(|wanted| wanted.token.clone()).collect()
    }

    /// The readings whose meaning is looked up: in a script that the model reads, not the misspelt
    /// one, and not too many.
    pub(super) fn embedded(&self) -> impl Iterator<Item = &Reading> {
        let corrected = self.readings.iter().any(|reading| reading.origin == Origin::Corrected);
        self.readings
            .iter()
            .filter(move |reading| !(corrected && reading.origin == Origin::Typed))
            .filter(|reading| reading.text.chars().any(|c| c.is_ascii_alphabetic()))
            .take(MOST_EMBEDDED)
    }

    /// Words that carry meaning, in the query as it was typed.
    pub(super) fn words(&self) -> usize {
        let carries = |wanted: &&QueryToken| wanted.token.role == Role::Content;
        self.typed().map_or(0, |typed| typed.tokens.iter().filter(carries).count())
    }
}

/// Stems that mean the same to a clinician, in English; for a word that the terminology does not
/// have, those of the words that begin as it does.
fn alternatives(token: &Token, index: &TerminologyIndex) -> Vec<(String, f32)> {
    let mut found = match index.language {
        Language::English => equivalents(&token.stem).to_vec(),
        _ => Vec::new(),
    };
    if index.lexical.document_frequency(&token.stem) == 0 {
        found.extend(relatives(&token.word, &index.lexical));
    }
    found
}

/// The stems of the words that share the longest beginning with one that no name has, six letters
/// and more than half of it at least: "dystrophinopathy" is about dystrophin.
#[allow(clippy::cast_precision_loss, reason = "words are short")]
fn relatives(word: &str, lexical: &LexicalIndex) -> Vec<(String, f32)> {
    if !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return Vec::new();
    }
    let shortest = SHORTEST_RELATIVE.max(word.len() / 2 + 1);
    for length in (shortest..word.len()).rev() {
        let stems = lexical.stems_with_prefix(&word[..length], PREFIX_RELATIVES);
        if !stems.is_empty() {
            let credit = RELATIVE * length as f32 / word.len() as f32;
            return stems.into_iter().map(|(stem, _)| (stem, credit)).collect();
        }
    }
    Vec::new()
}

/// The words of a query that the terminology does not have, with what they most likely are.
fn corrections(typed: &[Token], lexical: &LexicalIndex) -> Vec<Correction> {
    let last = typed.len().saturating_sub(1);
    // A last word may be the beginning of one that is being typed.
    let begins_a_word = |at, word| at == last && !lexical.stems_with_prefix(word, 1).is_empty();
    let operations = has_operations(lexical);
    let known = |token: &Token| {
        lexical.words().find_word(&token.word).is_some()
            || is_everyday_word(&token.stem)
            || (operations && is_procedure_word(&token.word))
    };
    typed
        .iter()
        .enumerate()
        .filter(|(_, token)| !known(token))
        .filter_map(|(at, token)| {
            // The stem may be known by another form of the word, or by chance ("migrane" and
            // "migrans"): then only a far more frequent word is a better reading.
            let by_stem = lexical.document_frequency(&token.stem);
            if by_stem == 0 && begins_a_word(at, &token.word) {
                return None;
            }
            let is_word = |word: &str| {
                lexical.words().find_word(word).is_some_and(|frequency| frequency >= COMMON_WORD)
            };
            let found = correct(&token.word, lexical.words().iter(), is_word)?;
            if found.corrected.contains(' ') {
                return (by_stem == 0).then_some(found);
            }
            let corrected = stem(&found.corrected);
            let better = corrected != token.stem
                && lexical.document_frequency(&corrected) >= by_stem.saturating_mul(MORE_FREQUENT);
            better.then_some(found)
        })
        .collect()
}

/// A short word in capitals is an abbreviation that is not known, not a misspelt word.
fn is_abbreviated(word: &str) -> bool {
    word.chars().count() <= 6 && !word.chars().any(char::is_lowercase)
}

fn has_operations(lexical: &LexicalIndex) -> bool {
    speaks_of_operations(|stem| lexical.document_frequency(stem), lexical.documents())
}

fn apply(typed: &[Token], corrections: &[Correction]) -> String {
    let fixed = |token: &Token| {
        let correction = corrections.iter().find(|c| c.original == token.word);
        correction.map_or_else(|| token.word.clone(), |c| c.corrected.clone())
    };
    typed.iter().map(fixed).collect::<Vec<_>>().join(" ")
}
