use std::collections::HashSet;

use crate::fusion::Weights;
use crate::index::{Found, Notice, Outcome, Query, SearchMode, Used};
use crate::terminology::{Code, ConceptOrd};
use crate::valueset::ExpressionErrorKind;

use super::display::display;
use super::lookup::{code_of, provenance, replaced_by};
use super::open::Entry;
use super::paging::{Total, page};
use super::select::within;
use super::validate::retired;
use super::{Catalog, Error, Hit, Inactive, Page, Ranking, SearchRequest, SearchResponse, Signals};

/// One terminology's answer.
struct Answer<'c> {
    entry: &'c Entry,
    outcome: Outcome,
}

impl Catalog {
    /// Finds the concepts that words, a code or a name mean.
    ///
    /// # Errors
    /// [`Error::UnknownSystem`], [`Error::UnknownVersion`], [`Error::UnknownCode`] for `under`,
    /// [`Error::Expression`] for `valueset` and `property`, and [`Error::Index`] when a part cannot be read. A missing or failing model is no error: words
    /// answer alone, said in `search_mode` and `search_note`.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchResponse, Error> {
        let entries = self.entries_of(&request.systems)?;
        let mut answers = Vec::new();
        let mut unknown = None;
        for entry in &entries {
            match self.search_one(entry, request) {
                Ok(outcome) => answers.push(Answer { entry, outcome }),
                // Where only one of several has the code, the others have nothing below it; an
                // expression in the language of one is none in that of another.
                Err(error) if is_about_another(&error) => unknown = unknown.or(Some(error)),
                Err(error) => return Err(error),
            }
        }
        if let Some(error) = unknown.filter(|_| answers.is_empty()) {
            return Err(error);
        }
        let mut all: Vec<(&Entry, Found)> = answers
            .iter()
            .flat_map(|answer| answer.outcome.found.iter().map(|found| (answer.entry, *found)))
            .filter(|(_, found)| found.score >= request.min_score)
            .collect();
        // Stable: within a terminology the order is its own, between them by the order of request.
        all.sort_by(|a, b| b.1.score.total_cmp(&a.1.score));
        let complete = answers.iter().all(|answer| answer.outcome.complete);
        let total = if complete { Total::Exact } else { Total::Pool };
        let (shown, paging) =
            page(&all, Page { offset: request.offset, limit: request.limit }, total);
        let results = shown
            .iter()
            .zip(request.offset + 1..)
            .map(|((entry, found), rank)| hit(entry, found, rank, request.language.as_deref()))
            .collect::<Result<Vec<_>, _>>()?;
        let overshoot = (request.offset > 0 && shown.is_empty())
            .then(|| format!("offset {} is past the end of {} results", request.offset, all.len()));
        Ok(SearchResponse {
            query: request.query.clone(),
            results,
            paging,
            ranking: ranking(request.mode),
            search_mode: mode(&answers).to_owned(),
            search_note: self.note(&answers, request.mode),
            notice: match overshoot {
                Some(overshoot) => Some(overshoot),
                None => notice(&answers, request, all.is_empty())?,
            },
            provenance: entries.iter().map(|entry| provenance(entry)).collect(),
        })
    }

    fn search_one(&self, entry: &Entry, request: &SearchRequest) -> Result<Outcome, Error> {
        let records = entry.index.records();
        let under: Option<HashSet<ConceptOrd>> = match &request.under {
            Some(code) => {
                let top = self.find(entry, code)?;
                Some(entry.index.hierarchy().descendants(top).into_iter().chain([top]).collect())
            }
            None => None,
        };
        let within = within(self, entry, request)?;
        let filter = |concept: ConceptOrd| {
            (records.is_active(concept) || request.include_inactive == Inactive::Shown)
                && under.as_ref().is_none_or(|under| under.contains(&concept))
                && within.as_ref().is_none_or(|within| within.contains(concept.0))
                && request.billable.is_none_or(|asked| records.is_billable(concept) == Some(asked))
        };
        let model = entry.index.manifest().model.as_ref();
        let query = Query {
            text: &request.query,
            mode: request.mode,
            borrowed: request.borrowed,
            embedder: model.and_then(|model| self.embedders.get(&model.id)),
            filter: &filter,
            weights: Weights::TUNED,
        };
        entry.index.search(&query).map_err(|source| entry.failed(source))
    }

    fn note(&self, answers: &[Answer<'_>], asked: SearchMode) -> Option<String> {
        if asked == SearchMode::Lexical || asked == SearchMode::Bm25 {
            return None;
        }
        answers.iter().filter(|answer| answer.outcome.used == Used::Keyword).find_map(|answer| {
            let alias = answer.entry.alias();
            let manifest = answer.entry.index.manifest();
            let failed = answer.outcome.notices.iter().find_map(|notice| match notice {
                Notice::ModelFailed { .. } => Some(format!("{alias}: {notice}")),
                _ => None,
            });
            failed.or_else(|| match &manifest.model {
                None => {
                    Some(format!("{alias} was built without embeddings; words alone were used"))
                }
                Some(model) if self.embedders.get(&model.id).is_none() => Some(format!(
                    "{alias} was built with another model ({}); words alone were used",
                    model.id
                )),
                Some(_) => None,
            })
        })
    }
}

/// Whether what was asked for may be in another terminology: a code, or an expression in another
/// language or about other properties.
fn is_about_another(error: &Error) -> bool {
    match error {
        Error::UnknownCode { .. } => true,
        Error::Expression { source, .. } => {
            !matches!(source.kind(), ExpressionErrorKind::TooCostly | ExpressionErrorKind::Data(_))
        }
        _ => false,
    }
}

fn hit(entry: &Entry, found: &Found, rank: usize, language: Option<&str>) -> Result<Hit, Error> {
    let records = entry.index.records();
    let code: Code = code_of(entry, found.concept)?;
    let matched = records.designation(found.designation);
    Ok(Hit {
        system: entry.index.manifest().release.system.clone(),
        version: entry.version().to_owned(),
        code,
        display: display(entry, found.concept, language).1.value.to_owned(),
        active: records.is_active(found.concept),
        billable: records.is_billable(found.concept),
        score: found.score,
        confidence: found.confidence,
        rank,
        matched_term: matched.value.to_owned(),
        matched_use: matched.use_,
        matched_source: matched.source.map(str::to_owned),
        matched_on: found.matched_on,
        signals: Signals {
            lexical: found.evidence.lexical,
            semantic: found.evidence.semantic,
            depth: found.prior,
            exact: match found.evidence.equality {
                Some(equality) if equality.is_literal() => 1.0,
                Some(_) => 0.5,
                None => 0.0,
            },
        },
    })
}

/// The least that any of the answers used is what the whole answer used.
fn mode(answers: &[Answer<'_>]) -> &'static str {
    let used: Vec<Used> = answers.iter().map(|answer| answer.outcome.used).collect();
    let first = used.first().copied().unwrap_or(Used::Keyword);
    if used.iter().all(|other| *other == first) {
        first.name()
    } else if used.contains(&Used::Keyword) {
        Used::Keyword.name()
    } else {
        Used::Hybrid.name()
    }
}

fn notice(
    answers: &[Answer<'_>],
    request: &SearchRequest,
    nothing: bool,
) -> Result<Option<String>, Error> {
    let mut notices: Vec<String> = Vec::new();
    for answer in answers {
        for notice in &answer.outcome.notices {
            let text = notice.to_string();
            if !matches!(notice, Notice::ModelFailed { .. }) && !notices.contains(&text) {
                notices.push(text);
            }
        }
    }
    if nothing {
        let retired = answers.iter().map(|answer| retired_code(answer.entry, &request.query));
        let retired: Vec<String> =
            retired.filter_map(Result::transpose).collect::<Result<_, _>>()?;
        if retired.is_empty() {
            notices.push("nothing was found; try other words, or a code".to_owned());
        }
        notices.extend(retired);
    }
    Ok((!notices.is_empty()).then(|| notices.join("; ")))
}

/// What is to be said where the query is the code of a retired concept, which is not shown.
fn retired_code(entry: &Entry, query: &str) -> Result<Option<String>, Error> {
    let records = entry.index.records();
    let Some(concept) = entry.index.find(query).filter(|found| !records.is_active(*found)) else {
        return Ok(None);
    };
    let details = records.details(concept).map_err(|source| entry.failed(source))?;
    Ok(Some(retired(&code_of(entry, concept)?, &replaced_by(&details.properties))))
}

fn ranking(mode: SearchMode) -> Ranking {
    let (method, note) = match mode {
        SearchMode::Hybrid | SearchMode::Lexical => (
            "score-aware-fusion",
            "score 0..1, absolute: codes and names first, then covered words, nearness of meaning \
             and a small prior for general codes",
        ),
        SearchMode::Semantic => ("cosine", "score is the cosine of query and nearest name"),
        SearchMode::Rrf => ("reciprocal-rank-fusion", "a baseline; the score is made of ranks"),
        SearchMode::MinMax => (
            "min-max-fusion",
            "a baseline; the score is the mean of BM25 and cosine, each a share of its list's range",
        ),
        SearchMode::Dbsf => (
            "distribution-based-score-fusion",
            "a baseline; the score is the mean of BM25 and cosine, each by its distance from its \
             list's mean",
        ),
        _ => ("bm25", "a baseline; the score is a share of the best hit's BM25"),
    };
    Ranking { method: method.to_owned(), note: note.to_owned() }
}
