use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use crate::disk::{DiskError, Mapped, Part, PartWriter, Texts};
use crate::terminology::DesignationOrd;
use crate::text::{NameWord, Role, Token};

use super::bm25;
use super::words::numbered;

const STEMS: [&str; 2] = ["stem_at", "stem"];
const STEM_FREQUENCIES: &str = "stem_df";
const STEM_OF_WORD: &str = "word_stem";
const TOKENS: &str = "token";
const TOKENS_AT: &str = "token_at";
const DESIGNATIONS: &str = "token_of";

/// The lower bits of a token: the number of its word.
const WORD: u32 = (1 << 27) - 1;
const OPTIONAL: u32 = 1 << 27;
const NEGATED: u32 = 1 << 28;
const FUNCTION: u32 = 1 << 29;
const QUALIFIER: u32 = 1 << 30;

/// Collects the words of designations in their order.
#[derive(Debug, Default)]
pub(super) struct ForwardBuilder {
    stems: HashMap<String, Stem>,
    /// For each word, in the order in which they came: the stem, in the order in which those came.
    stem_of_word: Vec<u32>,
    tokens: Vec<u32>,
    /// For each document, where its tokens begin, and which designation it is.
    tokens_at: Vec<u32>,
    designations: Vec<u32>,
}

#[derive(Debug)]
struct Stem {
    number: u32,
    last: u32,
    documents: u32,
}

impl ForwardBuilder {
    /// Begins a designation; they come in ascending order.
    pub(super) fn begin(&mut self, designation: DesignationOrd) {
        self.tokens_at.push(u32::try_from(self.tokens.len()).unwrap_or(u32::MAX));
        self.designations.push(designation.0);
    }

    /// Adds a word of the designation that was begun last. `word` counts words in the order in which
    /// they first came.
    pub(super) fn push(&mut self, word: u32, token: &Token, document: u32) {
        let next = u32::try_from(self.stems.len()).unwrap_or(u32::MAX);
        let stem = match self.stems.get_mut(&token.stem) {
            Some(stem) => stem,
            None => self.stems.entry(token.stem.clone()).or_insert(Stem {
                number: next,
                last: document,
                documents: 1,
            }),
        };
        stem.documents += u32::from(stem.last != document);
        stem.last = document;
        if word as usize == self.stem_of_word.len() {
            self.stem_of_word.push(stem.number);
        }
        let role = match token.role {
            Role::Content => 0,
            Role::Function => FUNCTION,
            Role::Qualifier => QUALIFIER,
        };
        let optional = if token.optional { OPTIONAL } else { 0 };
        let negated = if token.negated { NEGATED } else { 0 };
        self.tokens.push(word.min(WORD) | role | optional | negated);
    }

    /// Writes the sections. `places` has, for each word in the order in which they came, its number.
    pub(super) fn write(mut self, part: &mut PartWriter, places: &[u32]) -> Result<(), DiskError> {
        let mut stems: Vec<(String, Stem)> = self.stems.into_iter().collect();
        stems.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let mut numbers = vec![0u32; stems.len()];
        for (number, (_, stem)) in (0u32..).zip(&stems) {
            numbers[stem.number as usize] = number;
        }
        let mut stem_of_word = vec![0u32; places.len()];
        for (stem, place) in self.stem_of_word.iter().zip(places) {
            stem_of_word[*place as usize] = numbers[*stem as usize];
        }
        for token in &mut self.tokens {
            *token = (*token & !WORD) | places[(*token & WORD) as usize];
        }
        self.tokens_at.push(u32::try_from(self.tokens.len()).unwrap_or(u32::MAX));
        let frequencies: Vec<u32> = stems.iter().map(|(_, stem)| stem.documents).collect();
        part.texts(STEMS, stems.iter().map(|(stem, _)| stem.as_str()))?;
        part.section(STEM_FREQUENCIES, &frequencies)?;
        part.section(STEM_OF_WORD, &stem_of_word)?;
        part.section(DESIGNATIONS, &self.designations)?;
        part.section(TOKENS_AT, &self.tokens_at)?;
        part.section(TOKENS, &self.tokens)
    }
}

/// The words of each designation by their numbers, as they were split when it was indexed: comparing
/// numbers takes a fiftieth of the time of splitting the text again.
#[derive(Debug, Clone)]
pub(super) struct Forward {
    stems: Texts,
    frequencies: Mapped<u32>,
    /// What a word of each stem weighs: computed when it is first asked for.
    weights: OnceLock<Vec<f32>>,
    stem_of_word: Mapped<u32>,
    designations: Mapped<u32>,
    tokens_at: Mapped<u32>,
    tokens: Mapped<u32>,
}

impl Forward {
    /// `None` where an earlier medterm wrote the part.
    pub(super) fn open(part: &Part) -> Result<Option<Self>, DiskError> {
        if !part.sections().any(|section| section == TOKENS) {
            return Ok(None);
        }
        let frequencies: Mapped<u32> = part.section(STEM_FREQUENCIES)?;
        let designations: Mapped<u32> = part.section(DESIGNATIONS)?;
        Ok(Some(Self {
            stems: numbered(part, STEMS, frequencies.len())?,
            frequencies,
            weights: OnceLock::new(),
            stem_of_word: part.section(STEM_OF_WORD)?,
            tokens_at: part.section_of(TOKENS_AT, designations.len() + 1)?,
            designations,
            tokens: part.section(TOKENS)?,
        }))
    }

    pub(super) fn stem(&self, number: u32) -> &str {
        self.stems.get(number as usize)
    }

    pub(super) fn stem_number(&self, stem: &str) -> Option<u32> {
        self.stems.find(stem).and_then(|number| u32::try_from(number).ok())
    }

    /// The document of a designation: its number, less those before it that were left out.
    fn document(&self, designation: DesignationOrd) -> Option<usize> {
        let last = self.designations.last()?;
        let left_out = (*last as usize + 1).saturating_sub(self.designations.len());
        let end = (designation.index() + 1).min(self.designations.len());
        let start = designation.index().saturating_sub(left_out).min(end);
        let among = self.designations.get(start..end)?;
        among.binary_search(&designation.0).ok().map(|at| start + at)
    }

    /// Adds the words of a designation; none where it is not in the index.
    pub(super) fn words(
        &self,
        designation: DesignationOrd,
        vocabulary: &Texts,
        documents: u32,
        into: &mut Vec<NameWord>,
    ) {
        let weights = self.weights.get_or_init(|| {
            let frequencies = self.frequencies.iter();
            frequencies.map(|frequency| bm25::idf(*frequency, documents)).collect()
        });
        let document = self.document(designation);
        let range = document.and_then(|at| self.tokens_at.get(at).zip(self.tokens_at.get(at + 1)));
        let tokens = range.and_then(|(start, end)| self.tokens.get(*start as usize..*end as usize));
        let stems = &*self.stem_of_word;
        into.extend(tokens.unwrap_or_default().iter().map(|token| {
            let word = token & WORD;
            let stem = stems.get(word as usize).copied().unwrap_or(u32::MAX);
            let weight = weights.get(stem as usize).copied();
            NameWord {
                word,
                stem,
                length: vocabulary.length(word as usize),
                optional: token & OPTIONAL != 0,
                role: match token & (FUNCTION | QUALIFIER) {
                    0 => Role::Content,
                    FUNCTION => Role::Function,
                    _ => Role::Qualifier,
                },
                negated: token & NEGATED != 0,
                weight: weight.unwrap_or_else(|| bm25::idf(0, documents)),
            }
        }));
    }

    /// The words of a vocabulary from the first that begins so to the first that does not.
    pub(super) fn beginnings(words: &Texts, prefix: &str) -> Range<u32> {
        let start = words.partition_point(|word| word < prefix);
        let end = words.partition_point(|word| word < prefix || word.starts_with(prefix));
        let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        number(start)..number(end)
    }
}
