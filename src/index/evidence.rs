use std::collections::{BTreeMap, HashMap};

use crate::dense::Nearest;
use crate::fusion::{Equality, Evidence, lexical_score};
use crate::terminology::{ConceptOrd, DesignationOrd, DesignationUse};
use crate::text::{Axes, AxisComparison, Coverage, NameWord, QueryWord, Role, coverage, share};

use super::analysis::{Analysis, Origin, Reading};
use super::scope::Scope;
use super::search::Vectors;
use super::usage::Usage;
use super::{Confidence, IndexError, MatchedOn, TerminologyIndex};

/// Collects what is known about single concepts for one query. What it finds depends on nothing
/// but the query and the concept.
pub(super) struct Collector<'q> {
    scope: &'q Scope<'q>,
    index: &'q TerminologyIndex,
    usage: Usage,
    analysis: &'q Analysis,
    /// The words of each reading.
    words: Vec<Vec<QueryWord>>,
    vectors: &'q Vectors,
    /// Whether the first of the vectors is that of the query as it was typed.
    is_typed_embedded: bool,
    equal: &'q BTreeMap<ConceptOrd, (Equality, DesignationOrd)>,
    named: &'q BTreeMap<ConceptOrd, f32>,
    /// For a reading and a concept: how far its names have each word.
    heard: HashMap<(usize, ConceptOrd), Vec<f32>>,
    /// For each reading, how far the names of the concept that is looked at have each word.
    own: Vec<Vec<f32>>,
    /// How far the designation that was looked at last has each word.
    credits: Vec<f32>,
    /// The words of the designation that was looked at last.
    name: Vec<NameWord>,
}

/// Evidence, and what it rests on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Collected {
    pub(super) evidence: Evidence,
    pub(super) designation: DesignationOrd,
    pub(super) matched_on: MatchedOn,
    pub(super) confidence: Confidence,
    /// Share of the query's idf mass that the best designation covers.
    pub(super) covered: f32,
}

/// The best agreement between a reading and a designation.
struct Match<'a> {
    score: f32,
    coverage: Coverage,
    designation: DesignationOrd,
    reading: &'a Reading,
    /// The reading's place among all.
    at: usize,
}

/// From this share of each other on, query and name say the same in other words or another order.
const STRONG: f32 = 0.97;
/// Below this lexical score a hit was found by its meaning.
const FOUND_BY_WORDS: f32 = 0.35;

impl<'q> Collector<'q> {
    /// `vectors` are the embedded readings, each with its factor; `equal` are the concepts that the
    /// query is a name of.
    pub(super) fn new(
        scope: &'q Scope<'q>,
        analysis: &'q Analysis,
        vectors: &'q Vectors,
        equal: &'q BTreeMap<ConceptOrd, (Equality, DesignationOrd)>,
        named: &'q BTreeMap<ConceptOrd, f32>,
    ) -> Self {
        let lexical = &scope.index.lexical;
        let words = analysis.readings.iter().map(|reading| reading.words(lexical)).collect();
        let is_typed_embedded =
            analysis.embedded().next().is_some_and(|reading| reading.origin == Origin::Typed);
        Self {
            scope,
            index: scope.index,
            usage: Usage::new(&scope.index.manifest().release.system),
            analysis,
            words,
            vectors,
            is_typed_embedded,
            equal,
            named,
            heard: HashMap::new(),
            own: vec![Vec::new(); analysis.readings.len()],
            credits: Vec::new(),
            name: Vec::new(),
        }
    }

    pub(super) fn collect(&mut self, concept: ConceptOrd) -> Result<Option<Collected>, IndexError> {
        let Some(best) = self.best_match(concept) else { return Ok(None) };
        let (equality, designation) = match self.equal.get(&concept) {
            Some((equality, designation)) => (Some(*equality), *designation),
            None => (None, best.designation),
        };
        let name = self.index.records.designation(designation);
        self.read(designation);
        let says_qualifier = self.name.iter().any(|word| word.role == Role::Qualifier);
        let axes = self.compare_axes(concept, &best);
        let (semantic, semantic_typed) = self.cosines(concept);
        let evidence = Evidence {
            concept,
            equality,
            lexical: self.in_context(concept, &best),
            named: self.named.get(&concept).copied().unwrap_or(0.0),
            semantic,
            level: self.index.level(concept),
            usage: self.usage.of(&self.index.records, concept)?,
            semantic_typed,
            axes,
            qualifier_missing: best.reading.is_qualified() && !says_qualifier,
            name_length: u32::try_from(name.value.chars().count()).unwrap_or(u32::MAX),
        };
        Ok(Some(Collected {
            matched_on: matched_on(&evidence, &best, name.use_),
            confidence: confidence(&evidence, &best, name.use_, says_qualifier),
            evidence,
            designation,
            covered: best.coverage.query,
        }))
    }

    /// Looks at the words of a designation.
    fn read(&mut self, designation: DesignationOrd) {
        self.name.clear();
        self.index.lexical.words_of(designation, &mut self.name);
    }

    fn best_match(&mut self, concept: ConceptOrd) -> Option<Match<'q>> {
        let (index, analysis) = (self.index, self.analysis);
        let mut best: Option<Match<'q>> = None;
        for (own, query) in self.own.iter_mut().zip(&self.words) {
            own.clear();
            own.resize(query.len(), 0.0);
        }
        let names = index.records.designations(concept).map(DesignationOrd);
        for designation in names.filter(|name| self.scope.has(*name)) {
            self.read(designation);
            for (at, (reading, query)) in analysis.readings.iter().zip(&self.words).enumerate() {
                let coverage = coverage(query, &self.name, &mut self.credits);
                raise(&mut self.own[at], &self.credits);
                let score = reading.factor * lexical_score(&coverage);
                if best.as_ref().is_none_or(|found| score > found.score) {
                    best = Some(Match { score, coverage, designation, reading, at });
                }
            }
        }
        best
    }

    /// The axes of the designation that was looked at last; where the preferred name says the opposite
    /// of the query, the concept does.
    fn compare_axes(&mut self, concept: ConceptOrd, best: &Match<'_>) -> AxisComparison {
        let asked = best.reading.axes;
        let mut comparison = asked.compare(self.axes());
        // "Without exacerbation" is no answer to "with exacerbation".
        comparison.unanswered += u32::from(best.coverage.negation_differs);
        let display = DesignationOrd(self.index.records.designations(concept).start);
        if !asked.is_empty() && display != best.designation {
            self.read(display);
            let other = asked.compare(self.axes());
            comparison.conflicting = comparison.conflicting.max(other.conflicting);
        }
        comparison
    }

    fn axes(&self) -> Axes {
        Axes::of_name(&self.name, self.index.axis_numbers())
    }

    /// The lexical score of the best match, where what the names of the concept and of what is
    /// above it say together counts as said: "toxic uninodular goiter" is a name of E05.1, and "with
    /// thyrotoxic crisis" is said below it.
    fn in_context(&mut self, concept: ConceptOrd, best: &Match<'_>) -> f32 {
        if best.coverage.query >= 1.0 {
            return best.score;
        }
        let index = self.index;
        let mut credits = std::mem::take(&mut self.own[best.at]);
        for above in index.hierarchy.ancestors(concept) {
            if index.records.is_selectable(above) {
                raise(&mut credits, self.heard(above, best.at));
            }
        }
        let together = self.words.get(best.at).map_or(0.0, |query| share(query, &credits));
        self.own[best.at] = credits;
        let query = together.max(best.coverage.query);
        best.reading.factor * lexical_score(&Coverage { query, ..best.coverage })
    }

    /// For each word of a reading, how far the names of one concept have it.
    fn heard(&mut self, concept: ConceptOrd, at: usize) -> &[f32] {
        if !self.heard.contains_key(&(at, concept)) {
            let mut heard = vec![0f32; self.words.get(at).map_or(0, Vec::len)];
            let names = self.index.records.designations(concept).map(DesignationOrd);
            for designation in names.filter(|name| self.scope.has(*name)) {
                self.read(designation);
                if let Some(query) = self.words.get(at) {
                    coverage(query, &self.name, &mut self.credits);
                    raise(&mut heard, &self.credits);
                }
            }
            self.heard.insert((at, concept), heard);
        }
        self.heard.get(&(at, concept)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The best cosine of all readings, each by what it is worth, and that of the query as it was
    /// typed, where that is one of the readings that were embedded: it is the first one then.
    fn cosines(&self, concept: ConceptOrd) -> (Option<f32>, Option<f32>) {
        let Some(matrix) = &self.scope.matrix else { return (None, None) };
        let (mut best, mut typed): (Option<f32>, Option<f32>) = (None, None);
        let vectors = self.vectors.directions.iter().zip(&self.vectors.factors);
        for (at, (direction, factor)) in vectors.enumerate() {
            if let Some(Nearest { cosine, .. }) = matrix.best_row_towards(concept, direction) {
                let worth = factor * cosine;
                best = Some(best.map_or(worth, |found| found.max(worth)));
                typed = typed.or((at == 0 && self.is_typed_embedded).then_some(cosine));
            }
        }
        (best, typed)
    }
}

/// Keeps the greater of each two.
fn raise(best: &mut [f32], others: &[f32]) {
    best.iter_mut().zip(others).for_each(|(best, one)| *best = best.max(*one));
}

fn matched_on(evidence: &Evidence, best: &Match<'_>, use_: DesignationUse) -> MatchedOn {
    let name = if use_ == DesignationUse::Display { MatchedOn::Name } else { MatchedOn::Synonym };
    match evidence.equality {
        Some(Equality::Code) => MatchedOn::Code,
        Some(_) => name,
        None if best.score < FOUND_BY_WORDS && evidence.semantic.is_some() => MatchedOn::Semantic,
        None => match best.reading.origin {
            Origin::Typed => name,
            Origin::Corrected => MatchedOn::Correction,
            Origin::Lay => MatchedOn::Synonym,
            Origin::Abbreviation => MatchedOn::Abbreviation,
        },
    }
}

fn confidence(
    evidence: &Evidence,
    best: &Match<'_>,
    use_: DesignationUse,
    says_qualifier: bool,
) -> Confidence {
    let literal = evidence.equality.is_some_and(Equality::is_literal);
    if literal && use_.names_literally() {
        return Confidence::Exact;
    }
    // A residual ("other …") and a name that leaves open what the query does not, or the other way
    // round, is right more often than not, which is not often enough.
    let is_plain = !says_qualifier
        && !evidence.qualifier_missing
        && evidence.axes == AxisComparison::default()
        && !best.coverage.negation_differs;
    let same_words = best.coverage.query >= STRONG
        && best.coverage.designation >= STRONG
        && best.reading.origin == Origin::Typed;
    if is_plain && (evidence.equality.is_some() || same_words) {
        Confidence::Strong
    } else {
        Confidence::NeedsReview
    }
}
