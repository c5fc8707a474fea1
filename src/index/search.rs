use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::dense::{ConceptFilter, Direction, EmbedError, Embedder, Matrix};
use crate::fusion::{Equality, QueryShape, Weights, rank, score};
use crate::lexical::{LexicalHit, WeightedTerm};
use crate::terminology::{ConceptOrd, DesignationOrd, DesignationUse};
use crate::text::{Context, Role, bare_in, contexts, normalize, tokens_in};

use super::analysis::{Analysis, Reading};
use super::evidence::{Collected, Collector};
use super::scope::{Borrowed, Scope};
use super::{Found, IndexError, Notice, Outcome, SearchMode, TerminologyIndex, Used};

/// What to look for in one terminology.
pub struct Query<'a> {
    /// The text, with something visible in it.
    pub text: &'a str,
    /// Which evidence to use.
    pub mode: SearchMode,
    /// The model that built the index, where it is at hand.
    pub embedder: Option<&'a dyn Embedder>,
    /// Whether names count that were taken from another terminology.
    pub borrowed: Borrowed,
    /// Which concepts may be in the answer. Their scores do not depend on it.
    pub filter: &'a (dyn Fn(ConceptOrd) -> bool + Sync),
    /// The constants of the fusion.
    pub weights: Weights,
}

/// Designations that each reading of a query takes from the words. The pool is of a fixed size, so
/// that no page and no filter changes an order.
const LEXICAL_POOL: usize = 200;
/// Concepts that each reading of a query takes from the meaning.
pub(super) const SEMANTIC_POOL: usize = 100;
/// Words that a last word may be the beginning of.
const PREFIX_WORDS: usize = 20;
/// What a word counts in BM25 that only begins like the one in the query.
const PREFIX_WEIGHT: f32 = 0.6;
/// A stem in more than this share of the designations finds nothing that rarer ones do not.
const COMMON_SHARE: f32 = 0.1;

impl TerminologyIndex {
    /// Everything that a query finds, in its one total order.
    ///
    /// # Errors
    /// [`IndexError`] when a part cannot be read. A model that fails is no error: words are used
    /// alone, with a [`Notice`].
    pub fn search(&self, query: &Query<'_>) -> Result<Outcome, IndexError> {
        let scope = Scope::new(self, query.borrowed);
        match query.mode {
            SearchMode::Hybrid | SearchMode::Lexical => match scope.codes(query) {
                Some(found) => Ok(found),
                None => scope.ranked(query),
            },
            _ => scope.plain(query),
        }
    }
}

impl Scope<'_> {
    fn ranked(&self, query: &Query<'_>) -> Result<Outcome, IndexError> {
        let analysis = Analysis::of(query.text, self.index);
        let mut notices = analysis.notices.clone();
        let equal = self.equal(query.text);
        let literal = equal.values().any(|(equality, _)| equality.is_literal());
        let model = query.embedder.filter(|_| query.mode.needs_model() && !literal);
        let (vectors, words) = self.both_sides(&analysis, model);
        let words = words?;
        let vectors = vectors.unwrap_or_else(|error| {
            notices.push(Notice::ModelFailed { message: error.to_string() });
            Vectors::default()
        });
        let used = match (literal, vectors.directions.is_empty()) {
            (true, _) => Used::Exact,
            (false, true) => Used::Keyword,
            (false, false) => Used::Hybrid,
        };

        let mut pool = self.pool(&words, &vectors, None);
        pool.extend(equal.keys());
        let named = self.named(&analysis);
        pool.extend(named.keys());
        let mut collector = Collector::new(self, &analysis, &vectors, &equal, &named);
        let mut collected: HashMap<ConceptOrd, Collected> = HashMap::new();
        let mut evidence = Vec::new();
        let mut covered = 0f32;
        for concept in &pool {
            if let Some(one) = collector.collect(*concept)? {
                covered = covered.max(one.covered);
                evidence.push(one.evidence);
                collected.insert(*concept, one);
            }
        }
        let shape = QueryShape { words: analysis.words(), covered };
        let mut order = rank(evidence, shape, &query.weights);
        order.retain(|scored| (query.filter)(scored.evidence.concept));
        if order.len() < collected.len() {
            // A filter leaves less of the common pool; what lies outside of it follows with the
            // same absolute scores.
            for concept in self.pool(&words, &vectors, Some(query.filter)).difference(&pool) {
                if let Some(one) = collector.collect(*concept)? {
                    order.push(score(one.evidence, shape, &query.weights));
                    collected.insert(*concept, one);
                }
            }
            order.sort_by(|a, b| b.score.total_cmp(&a.score));
        }

        let found: Vec<Found> = order
            .into_iter()
            .filter(|scored| scored.score > 0.0)
            .filter_map(|scored| {
                let one = collected.get(&scored.evidence.concept)?;
                Some(Found {
                    concept: scored.evidence.concept,
                    score: scored.score,
                    evidence: scored.evidence,
                    prior: scored.prior,
                    designation: one.designation,
                    matched_on: one.matched_on,
                    confidence: one.confidence,
                })
            })
            .collect();
        notices.extend(self.itself(&analysis, found.first()));
        Ok(Outcome { found, complete: false, used, notices, shape })
    }

    /// What is to be said where the query asks for a history, an absence or a suspicion, and the
    /// first hit is no such thing.
    fn itself(&self, analysis: &Analysis, first: Option<&Found>) -> Vec<Notice> {
        let Some(first) = first else { return Vec::new() };
        let asked = contexts(&analysis.typed_tokens());
        let names = [first.designation.0, self.index.records.designations(first.concept).start];
        let stated = |context: &Context| {
            names.iter().any(|name| {
                let name = self.index.records.designation(DesignationOrd(*name)).value;
                contexts(&tokens_in(self.index.language, name)).contains(context)
            })
        };
        let missing = asked.into_iter().filter(|context| !stated(context));
        missing.map(|context| Notice::Itself { context }).collect()
    }

    /// The concepts that the query is a name of: literally, or once both are without qualifiers;
    /// each with its best such name. A related or borrowed name is never literally the concept's own.
    /// A code that is a word too comes before the names.
    fn equal(&self, text: &str) -> BTreeMap<ConceptOrd, (Equality, DesignationOrd)> {
        let language = self.index.language;
        let (records, lexical) = (&self.index.records, &self.index.lexical);
        let (normal, bare_text) = (normalize(text), bare_in(language, text));
        let mut equal: BTreeMap<ConceptOrd, (Equality, DesignationOrd)> = BTreeMap::new();
        let mut add = |ord: DesignationOrd, equality| {
            if !self.has(ord) {
                return;
            }
            let best = equal.entry(records.owner(ord)).or_insert((equality, ord));
            *best = (*best).min((equality, ord));
        };
        if let Some(concept) = self.index.code(text) {
            add(DesignationOrd(records.designations(concept).start), Equality::Code);
        }
        let literal = |use_: DesignationUse| {
            if use_.names_literally() { Equality::Designation } else { Equality::BareDesignation }
        };
        let is_display = |use_| use_ == DesignationUse::Display;
        // The keys are hashes, so the names themselves are compared too.
        for ord in lexical.named(&normal) {
            let name = records.designation(ord);
            if normalize(name.value) == normal {
                add(
                    ord,
                    if is_display(name.use_) { Equality::Display } else { literal(name.use_) },
                );
            }
        }
        for ord in lexical.bare_named(&bare_text) {
            let name = records.designation(ord);
            let display = is_display(name.use_);
            if !bare_text.is_empty() && bare_in(language, name.value) == bare_text {
                add(ord, if display { Equality::BareDisplay } else { Equality::BareDesignation });
            }
        }
        equal
    }

    /// The concepts that a reading other than the words as typed is a name of, with what the best
    /// such reading is worth.
    fn named(&self, analysis: &Analysis) -> BTreeMap<ConceptOrd, f32> {
        let mut named: BTreeMap<ConceptOrd, f32> = BTreeMap::new();
        for reading in analysis.readings.iter().skip(1) {
            for (concept, (equality, _)) in self.equal(&reading.text) {
                let worth = reading.factor * equality.score();
                let best = named.entry(concept).or_default();
                *best = best.max(worth);
            }
        }
        named
    }

    /// The vectors of the readings, and the concepts that have their words, looked up beside each
    /// other where the model has to be asked.
    fn both_sides(
        &self,
        analysis: &Analysis,
        model: Option<&dyn Embedder>,
    ) -> (Result<Vectors, EmbedError>, Result<Vec<ConceptOrd>, IndexError>) {
        let words = || self.with_words(analysis);
        let Some((embedder, matrix)) = model.zip(self.matrix.as_ref()) else {
            return (Ok(Vectors::default()), words());
        };
        let mut readings = analysis.embedded();
        if readings.all(|reading| embedder.remembers(&reading.text)) {
            return (Vectors::of(analysis, embedder, matrix), words());
        }
        rayon::join(|| Vectors::of(analysis, embedder, matrix), words)
    }

    /// The concepts that the best names for each reading are of.
    fn with_words(&self, analysis: &Analysis) -> Result<Vec<ConceptOrd>, IndexError> {
        let mut found = Vec::new();
        for reading in &analysis.readings {
            let hits = self.by_words(&self.terms(reading))?;
            found.extend(hits.iter().map(|hit| self.index.records.owner(hit.designation)));
        }
        Ok(found)
    }

    /// The concepts worth ranking, from words and from meaning.
    fn pool(
        &self,
        words: &[ConceptOrd],
        vectors: &Vectors,
        filter: Option<&ConceptFilter<'_>>,
    ) -> BTreeSet<ConceptOrd> {
        let allows = |concept: &ConceptOrd| filter.is_none_or(|filter| filter(*concept));
        let mut pool: BTreeSet<ConceptOrd> = words.iter().copied().filter(allows).collect();
        if let Some(matrix) = &self.matrix {
            let nearest = matrix.top_k_of(&vectors.directions, SEMANTIC_POOL, filter);
            pool.extend(nearest.into_iter().flatten().map(|one| one.concept));
        }
        pool
    }

    /// The best names for these words.
    pub(super) fn by_words(&self, terms: &[WeightedTerm]) -> Result<Vec<LexicalHit>, IndexError> {
        Ok(self.index.lexical.search_among(terms, LEXICAL_POOL, &|name| self.has(name))?)
    }

    fn terms(&self, reading: &Reading) -> Vec<WeightedTerm> {
        let mut terms = Vec::new();
        let mut add = |stem: &str, weight: f32| {
            terms.push(WeightedTerm { stem: stem.to_owned(), weight });
        };
        for wanted in &reading.tokens {
            if wanted.token.role == Role::Content {
                add(&wanted.token.stem, 1.0);
            }
            for (stem, credit) in &wanted.alternatives {
                add(stem, *credit);
            }
            if wanted.prefix {
                let word = &wanted.token.word;
                for (stem, _) in self.index.lexical.stems_with_prefix(word, PREFIX_WORDS) {
                    if stem != wanted.token.stem {
                        add(&stem, PREFIX_WEIGHT);
                    }
                }
            }
        }
        if terms.is_empty() {
            // Nothing but small words: they are all there is to find names by.
            let small = reading.tokens.iter().map(|wanted| wanted.token.stem.clone());
            return small.map(|stem| WeightedTerm { stem, weight: 1.0 }).collect();
        }
        self.without_common(terms)
    }

    /// Leaves out stems that most names have, where others are left to find names by.
    #[allow(clippy::cast_precision_loss, reason = "counts of designations")]
    fn without_common(&self, terms: Vec<WeightedTerm>) -> Vec<WeightedTerm> {
        let common = COMMON_SHARE * self.index.lexical.documents() as f32;
        let rare = |term: &WeightedTerm| {
            let frequency = self.index.lexical.document_frequency(&term.stem);
            frequency > 0 && (frequency as f32) < common
        };
        if terms.iter().any(rare) { terms.into_iter().filter(rare).collect() } else { terms }
    }
}

/// What the readings of a query mean.
#[derive(Debug, Default)]
pub(super) struct Vectors {
    /// Where each reading that is embedded points.
    pub(super) directions: Vec<Direction>,
    /// What each of them is worth.
    pub(super) factors: Vec<f32>,
}

impl Vectors {
    fn of(
        analysis: &Analysis,
        embedder: &dyn Embedder,
        matrix: &Matrix,
    ) -> Result<Self, EmbedError> {
        let mut vectors = Self::default();
        for reading in analysis.embedded() {
            let vector = query_vector(embedder, matrix, &reading.text)?;
            let direction = matrix.direction(&vector).map_err(|_| EmbedError::NotFinite)?;
            vectors.directions.push(direction);
            vectors.factors.push(reading.factor);
        }
        Ok(vectors)
    }
}

/// The vector of a text, checked to be one that the matrix can be asked for: what an embedder does
/// wrong is its own failure, and no failure of the search.
pub(super) fn query_vector(
    embedder: &dyn Embedder,
    matrix: &Matrix,
    text: &str,
) -> Result<Vec<f32>, EmbedError> {
    let vector = embedder.embed_query(text)?;
    let (expected, found) = (matrix.dimension(), vector.len());
    if expected != found {
        return Err(EmbedError::Dimension { expected, found });
    }
    let has_direction = vector.iter().all(|x| x.is_finite()) && vector.iter().any(|x| *x != 0.0);
    if has_direction { Ok(vector) } else { Err(EmbedError::NotFinite) }
}
