//! Queries that are codes: they need no words and no model.

use crate::fusion::{Equality, Evidence, QueryShape, score};
use crate::terminology::{ConceptOrd, DesignationOrd};
use crate::text::{AxisComparison, normalize, rewrites};

use super::scope::Scope;
use super::{Confidence, Found, MatchedOn, Outcome, Query, TerminologyIndex, Used};

impl TerminologyIndex {
    /// The concept with this code; chapters and blocks are for browsing and not searched.
    pub(super) fn code(&self, text: &str) -> Option<ConceptOrd> {
        self.find(text).filter(|concept| self.records.is_selectable(*concept))
    }
}

impl Scope<'_> {
    /// A code, the beginning of codes, or a pasted list of codes; no model, no words.
    pub(super) fn codes(&self, query: &Query<'_>) -> Option<Outcome> {
        let listed = self.code_list(query.text);
        let found = match listed {
            Some(listed) => listed,
            None => self.code_or_prefix(query.text)?,
        };
        let found = found
            .into_iter()
            .filter(|(concept, _)| (query.filter)(*concept))
            .map(|(concept, equality)| self.found_by_code(concept, equality, query))
            .collect();
        Some(Outcome {
            found,
            complete: true,
            used: Used::Code,
            notices: Vec::new(),
            shape: QueryShape::default(),
        })
    }

    fn code_list(&self, text: &str) -> Option<Vec<(ConceptOrd, Equality)>> {
        let parts: Vec<&str> = text
            .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|'))
            .filter(|part| !part.is_empty())
            .collect();
        if parts.len() < 2 {
            return None;
        }
        let mut codes = Vec::new();
        for part in parts {
            // A word that happens to be a code is not one inside a sentence.
            let concept =
                part.contains(|c: char| c.is_ascii_digit()).then(|| self.index.code(part))??;
            if codes.iter().all(|(other, _)| *other != concept) {
                codes.push((concept, Equality::Code));
            }
        }
        Some(codes)
    }

    fn code_or_prefix(&self, text: &str) -> Option<Vec<(ConceptOrd, Equality)>> {
        let records = &self.index.records;
        let code = self.index.code(text);
        let prefix = self.index.shape().prefix(text);
        if !text.contains(|c: char| c.is_ascii_digit()) {
            // A word may be the code of one concept and the name of others: both are ranked.
            return None;
        }
        if code.is_none() {
            // B12 begins codes nowhere, but is a vitamin; a name is never taken for a prefix.
            let names = self.index.lexical.named(&normalize(text));
            let named = names.into_iter().any(|name| self.has(name)) || !rewrites(text).is_empty();
            if prefix.is_none() || named {
                return None;
            }
        }
        let below = prefix.map(|prefix| records.with_prefix(&prefix)).unwrap_or(0..0);
        let mut found: Vec<(ConceptOrd, Equality)> =
            code.map(|concept| (concept, Equality::Code)).into_iter().collect();
        found.extend(
            below
                .map(ConceptOrd)
                .filter(|concept| Some(*concept) != code && records.is_selectable(*concept))
                .map(|concept| (concept, Equality::BareDisplay)),
        );
        (!found.is_empty()).then_some(found)
    }

    fn found_by_code(&self, concept: ConceptOrd, equality: Equality, query: &Query<'_>) -> Found {
        let whole = equality == Equality::Code;
        let evidence = Evidence {
            concept,
            equality: Some(equality),
            lexical: 0.0,
            named: 0.0,
            usage: 0.0,
            semantic_typed: None,
            semantic: None,
            level: self.index.level(concept),
            axes: AxisComparison::default(),
            qualifier_missing: false,
            name_length: 0,
        };
        let scored = score(evidence, QueryShape::default(), &query.weights);
        Found {
            concept,
            score: scored.score,
            evidence,
            prior: scored.prior,
            designation: DesignationOrd(self.index.records.designations(concept).start),
            matched_on: MatchedOn::Code,
            confidence: if whole { Confidence::Exact } else { Confidence::NeedsReview },
        }
    }
}
