use std::path::Path;
use std::time::Instant;

use medterm::catalog::{
    Catalog, Confidence, Embedders, Error, MAX_LIMIT, SearchMode, SearchRequest, SearchResponse,
};
use medterm::eval::{
    Accept, AxisCheck, DEPTH, Evaluation, EvaluationOf, Family, Gold, GoldQuery, ModelUse,
    PoolCheck, QueryRun, RankedHit, RankedList,
};
use medterm::index::TerminologyIndex;

use super::axes::{self, Top};
use crate::context::Context;
use crate::exit::CliError;
use crate::output::Output;
use crate::progress::Bar;

/// One terminology, to be measured in one or more ways of searching.
pub struct Subject {
    /// The terminology as it was asked for.
    system: String,
    /// Its short name.
    alias: String,
    /// The ways that are measured.
    modes: Vec<SearchMode>,
    /// One catalog a mode, since a catalog remembers the embeddings of queries: every mode is to
    /// pay for its own.
    catalogs: Vec<Catalog>,
}

/// What one way of searching answered.
#[derive(Default)]
struct Answer {
    list: RankedList,
    top: Option<Top>,
    /// What it really used; nothing where the query cannot be searched at all.
    used: String,
}

/// The two sides whose ranks every report shows.
const SIDES: [SearchMode; 2] = [SearchMode::Lexical, SearchMode::Semantic];

impl Subject {
    pub fn open(
        context: &Context,
        store: &Path,
        system: &str,
        modes: &[SearchMode],
    ) -> Result<Self, CliError> {
        let open = |_| {
            Catalog::open_with(store, Embedders::new(context.embedder()?)).map_err(CliError::from)
        };
        let catalogs = modes.iter().map(open).collect::<Result<Vec<_>, CliError>>()?;
        let first =
            catalogs.first().ok_or_else(|| CliError::Usage("--mode is empty".to_owned()))?;
        let alias = first.index(system)?.manifest().release.alias.clone();
        let subject = Self { system: system.to_owned(), alias, modes: modes.to_vec(), catalogs };
        // The model is loaded by a query that nobody counts.
        for (catalog, mode) in subject.catalogs.iter().zip(&subject.modes) {
            subject.answer(catalog, "warming up", *mode)?;
        }
        Ok(subject)
    }

    /// Runs every query in every mode, and in both sides; one evaluation a mode.
    pub fn measure(&self, output: &Output, gold: &Gold) -> Result<Vec<Evaluation>, CliError> {
        let mut evaluations: Vec<Evaluation> = self
            .modes
            .iter()
            .map(|mode| Evaluation::new(self.evaluation_of(gold, *mode)))
            .collect();
        let mut bar = Bar::new(output);
        bar.count("evaluating", gold.queries().len() as u64);
        for (done, query) in (1..).zip(gold.queries()) {
            let ways = self.catalogs.iter().zip(&self.modes);
            let answers = ways
                .map(|(catalog, mode)| self.answer(catalog, &query.query, *mode))
                .collect::<Result<Vec<_>, _>>()?;
            let [lexical, semantic] = self.sides(&query.query, &answers)?;
            let index = self.index()?;
            for (at, (evaluation, answer)) in evaluations.iter_mut().zip(answers).enumerate() {
                let top = answer.top.as_ref();
                let run = QueryRun {
                    lexical: lexical.clone(),
                    semantic: semantic.clone(),
                    model: model_use(&answer.used),
                    axes: top.map_or(AxisCheck::Clean, |top| axes::check(index, &query.query, top)),
                    stated: axes::stated(index, &query.query, top),
                    pool: self.pool(at, query, &answer.list)?,
                    ranked: answer.list,
                };
                evaluation.push(query, run);
            }
            bar.at(done);
        }
        bar.end();
        Ok(evaluations)
    }

    /// What each side answers: taken from the answers where the side is measured anyway.
    fn sides(&self, query: &str, answers: &[Answer]) -> Result<[Option<RankedList>; 2], CliError> {
        let mut lists = [None, None];
        for (list, side) in lists.iter_mut().zip(SIDES) {
            let (found, used) = match self.modes.iter().position(|mode| *mode == side) {
                Some(at) => (answers[at].list.clone(), answers[at].used.clone()),
                None => {
                    let answer = self.answer(&self.catalogs[0], query, side)?;
                    (answer.list, answer.used)
                }
            };
            // Without vectors the semantic side has nothing of its own to say.
            let is_absent = side == SearchMode::Semantic && used == "keyword_only";
            *list = (!is_absent).then_some(found);
        }
        Ok(lists)
    }

    /// The index that is measured.
    pub fn index(&self) -> Result<&TerminologyIndex, CliError> {
        Ok(self.catalogs[0].index(&self.system)?)
    }

    /// Looks for a right code in all that was ranked, where the hybrid search has none on top.
    fn pool(&self, at: usize, gold: &GoldQuery, list: &RankedList) -> Result<PoolCheck, CliError> {
        let is_found = gold.accept == Accept::Nothing || list.rank(&gold.accept).is_some();
        if is_found || self.modes[at] != SearchMode::Hybrid {
            return Ok(PoolCheck::NotLooked);
        }
        let Ok(request) = SearchRequest::new(&gold.query) else { return Ok(PoolCheck::Outside) };
        let request = request.system(&self.system).limit(MAX_LIMIT)?.mode(self.modes[at]);
        let mut offset = 0;
        loop {
            let response = self.catalogs[at].search(&request.clone().offset(offset))?;
            if response.results.iter().any(|hit| gold.accept.accepts(hit.code.as_str())) {
                return Ok(PoolCheck::Inside);
            }
            if response.results.len() < MAX_LIMIT {
                return Ok(PoolCheck::Outside);
            }
            offset += MAX_LIMIT;
        }
    }

    fn evaluation_of(&self, gold: &Gold, mode: SearchMode) -> EvaluationOf {
        EvaluationOf {
            system: self.alias.clone(),
            gold: gold.path().display().to_string(),
            mode: mode.name().to_owned(),
            family: if self.alias.starts_with("icd") { Family::FirstThree } else { Family::None },
        }
    }

    /// Searches in one mode, and takes the time. A query that the catalog refuses, such as one
    /// without a letter, finds nothing.
    fn answer(&self, catalog: &Catalog, query: &str, mode: SearchMode) -> Result<Answer, CliError> {
        let request = match SearchRequest::new(query) {
            Ok(request) => request.system(&self.system).limit(DEPTH)?.mode(mode),
            Err(Error::InvalidRequest { .. }) => {
                return Ok(Answer::default());
            }
            Err(error) => return Err(error.into()),
        };
        let started = Instant::now();
        let response = catalog.search(&request)?;
        let milliseconds = started.elapsed().as_secs_f64() * 1000.0;
        let list = RankedList { hits: ranked(&response), milliseconds };
        let top = response
            .results
            .first()
            .map(|hit| Top { code: hit.code.to_string(), matched_term: hit.matched_term.clone() });
        Ok(Answer { list, top, used: response.search_mode })
    }
}

fn ranked(response: &SearchResponse) -> Vec<RankedHit> {
    let is_strong = |confidence| matches!(confidence, Confidence::Exact | Confidence::Strong);
    let hit =
        |hit: &medterm::catalog::Hit| RankedHit::new(hit.code.as_str(), is_strong(hit.confidence));
    response.results.iter().map(hit).collect()
}

fn model_use(used: &str) -> ModelUse {
    match used {
        "code" | "exact" => ModelUse::NotNeeded,
        _ => ModelUse::Needed,
    }
}
