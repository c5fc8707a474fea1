use crate::lexical::LexicalIndex;
use crate::text::{
    Axes, Correction, QueryToken, RewriteKind, Token, correct, equivalents, is_everyday_word,
    is_function_word, is_qualifier, rewrites, tokens,
};

use super::Notice;

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

/// Every way to read a query, what was typed first.
#[derive(Debug, Clone)]
pub(super) struct Analysis {
    pub(super) readings: Vec<Reading>,
    pub(super) notices: Vec<Notice>,
}

const CORRECTED: f32 = 0.95;
const LAY: f32 = 0.97;
const ABBREVIATION: f32 = 0.95;
/// Each further sense of an ambiguous phrase is worth a little less than the one before.
const NEXT_SENSE: f32 = 0.985;
/// What a clinical word counts where the query has the everyday one.
const EQUIVALENT: f32 = 0.85;
/// Readings whose meaning is looked up, the first among them: each costs an embedding.
pub(super) const MOST_EMBEDDED: usize = 4;
/// A last word of fewer letters is too short to be the beginning of another.
const SHORTEST_PREFIX: usize = 3;

impl Analysis {
    pub(super) fn of(query: &str, lexical: &LexicalIndex) -> Self {
        let mut analysis = Self { readings: Vec::new(), notices: Vec::new() };
        let typed = tokens(query);
        let corrections = corrections(&typed, lexical);
        analysis.add(query.to_owned(), Origin::Typed, 1.0);
        let (basis, factor) = if corrections.is_empty() {
            (query.to_owned(), 1.0)
        } else {
            let corrected = apply(&typed, &corrections);
            analysis.add(corrected.clone(), Origin::Corrected, CORRECTED);
            (corrected, CORRECTED)
        };
        analysis.notices.extend(
            corrections
                .into_iter()
                .map(|c| Notice::Corrected { original: c.original, corrected: c.corrected }),
        );
        analysis.rewrite(&basis, factor);
        analysis
    }

    fn rewrite(&mut self, basis: &str, factor: f32) {
        let mut seen: Vec<String> = Vec::new();
        let mut sense = 1.0;
        for rewrite in rewrites(basis) {
            let (origin, worth) = match rewrite.kind {
                RewriteKind::Lay => (Origin::Lay, LAY),
                RewriteKind::Abbreviation => (Origin::Abbreviation, ABBREVIATION),
            };
            if seen.contains(&rewrite.from) {
                sense *= NEXT_SENSE;
            } else {
                sense = 1.0;
                seen.push(rewrite.from.clone());
                self.notices
                    .push(Notice::Read { from: rewrite.from.clone(), to: rewrite.to.clone() });
            }
            if rewrite.senses > 1 && rewrite.kind == RewriteKind::Abbreviation {
                self.notice_sense(&rewrite.from, &rewrite.to);
            }
            // After a correction nothing counts as if it had been typed so.
            let origin = if factor < 1.0 { Origin::Corrected } else { origin };
            self.add(rewrite.text, origin, factor * worth * sense);
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

    fn add(&mut self, text: String, origin: Origin, factor: f32) {
        let found = tokens(&text);
        let axes = Axes::of(&found);
        let last = found.len().saturating_sub(1);
        let typed = origin == Origin::Typed;
        let tokens = found
            .into_iter()
            .enumerate()
            .map(|(at, token)| QueryToken {
                alternatives: equivalents(&token.stem)
                    .iter()
                    .map(|stem| (stem.clone(), EQUIVALENT))
                    .collect(),
                prefix: typed && at == last && token.word.chars().count() >= SHORTEST_PREFIX,
                token,
            })
            .collect();
        self.readings.push(Reading { text, tokens, axes, origin, factor });
    }

    /// What was typed.
    pub(super) fn typed(&self) -> Option<&Reading> {
        self.readings.first()
    }

    /// The readings whose meaning is looked up: not the misspelt one, and not too many.
    pub(super) fn embedded(&self) -> impl Iterator<Item = &Reading> {
        let corrected = self.readings.iter().any(|reading| reading.origin == Origin::Corrected);
        self.readings
            .iter()
            .filter(move |reading| !(corrected && reading.origin == Origin::Typed))
            .take(MOST_EMBEDDED)
    }

    /// Words that carry meaning, in the query as it was typed.
    pub(super) fn words(&self) -> usize {
        let carries = |wanted: &&QueryToken| {
            !is_function_word(&wanted.token.word) && !is_qualifier(&wanted.token.word)
        };
        self.typed().map_or(0, |typed| typed.tokens.iter().filter(carries).count())
    }
}

/// The words of a query that the terminology does not have, with what they most likely are.
fn corrections(typed: &[Token], lexical: &LexicalIndex) -> Vec<Correction> {
    let last = typed.len().saturating_sub(1);
    // A last word may be the beginning of one that is being typed.
    let begins_a_word = |at, word| at == last && !lexical.stems_with_prefix(word, 1).is_empty();
    let known = |token: &Token| {
        lexical.document_frequency(&token.stem) > 0
            || lexical.words().find_word(&token.word).is_some()
            || is_everyday_word(&token.stem)
    };
    typed
        .iter()
        .enumerate()
        .filter(|(at, token)| !known(token) && !begins_a_word(*at, &token.word))
        .filter_map(|(_, token)| correct(&token.word, lexical.words().iter()))
        .collect()
}

fn apply(typed: &[Token], corrections: &[Correction]) -> String {
    let fixed = |token: &Token| {
        let correction = corrections.iter().find(|c| c.original == token.word);
        correction.map_or_else(|| token.word.clone(), |c| c.corrected.clone())
    };
    typed.iter().map(fixed).collect::<Vec<_>>().join(" ")
}
