//! From the definition of a value set to its concepts.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::valueset::{
    ConceptSet, Constraint, ExpressionError, Include, Language, ListedConcept, MAX_COST,
    StoredConcept, StoredExpansion, ValueSet, evaluate,
};

use super::expand_members::{Members, Segment};
use super::expand_request::{ValueSetSource, language_of};
use super::expand_resolve::{Named, Resolution};
use super::expand_response::{UnknownListed, Unresolved, UnresolvedKind};
use super::open::Entry;
use super::version_rule::VersionRules;
use super::{Catalog, Error};

/// How deep value sets may import each other.
const MAX_IMPORTS: usize = 32;

/// Evaluates one value set and those that it imports.
pub(super) struct Evaluator<'c, 'r> {
    catalog: &'c Catalog,
    rules: &'r VersionRules,
    /// The value sets that are being evaluated, the outer ones first.
    stack: Vec<String>,
    /// Those that were, so that each is evaluated once however often it is imported.
    known: BTreeMap<String, Rc<Members<'c>>>,
    /// How many concepts were put together.
    spent: u64,
    /// Whether what is evaluated is taken out of something.
    is_excluding: bool,
    on_version: OnVersion,
    /// The version of a terminology that is meant wherever the value set leaves it open.
    preferred: Option<(String, String)>,
    pub(super) notes: Notes<'c>,
}

/// What is to be told of an evaluation.
#[derive(Debug, Default)]
pub(super) struct Notes<'c> {
    pub(super) unresolved: Vec<Unresolved>,
    pub(super) unknown: Vec<UnknownListed>,
    pub(super) used: Vec<&'c Entry>,
    pub(super) used_valuesets: Vec<String>,
    /// The terminologies that its parts are about.
    pub(super) resolutions: Vec<Resolution<'c>>,
    /// The retired concepts that value sets leave out because they are retired.
    pub(super) retired: Members<'c>,
}

/// What becomes of a part that is about another version of a terminology than is loaded or allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OnVersion {
    /// It is an error.
    Refuse,
    /// It is noted, and the rest is evaluated.
    Note,
}

impl<'c, 'r> Evaluator<'c, 'r> {
    pub(super) fn new(catalog: &'c Catalog, rules: &'r VersionRules) -> Self {
        Self {
            catalog,
            rules,
            stack: Vec::new(),
            known: BTreeMap::new(),
            spent: 0,
            is_excluding: false,
            on_version: OnVersion::Refuse,
            preferred: None,
            notes: Notes::default(),
        }
    }

    /// The same for a code of a terminology, whose version is meant where the value set leaves it open;
    /// what is not loaded is noted.
    pub(super) fn for_code(mut self, system: Option<&str>, version: Option<&str>) -> Self {
        self.on_version = OnVersion::Note;
        self.preferred = system.zip(version).map(|(s, v)| (s.to_owned(), v.to_owned()));
        self
    }

    /// The concepts of what a request names.
    pub(super) fn source(&mut self, source: &ValueSetSource) -> Result<Members<'c>, Error> {
        match source {
            ValueSetSource::Given(valueset) => self.named(&Named::given(valueset)),
            ValueSetSource::Expression { system, text } => {
                let entry = self.catalog.entry(system)?;
                self.use_entry(entry);
                let uri = entry.system().as_str();
                let language = language_of(uri, text);
                let constraint = Constraint::read(text, uri).map_err(failed(entry, language))?;
                let members = self.constrained(entry, &constraint)?;
                Ok(Members::of(Segment::of_set(entry, members)))
            }
            ValueSetSource::Url(url) => match self.catalog.named(url, self.rules)? {
                Some(named) => self.named(&named),
                None => match self.implicit(url)? {
                    Some(members) => Ok(members),
                    None => Err(Error::UnknownValueSet { url: url.clone() }),
                },
            },
        }
    }

    /// The concepts of a value set.
    pub(super) fn named(&mut self, named: &Named) -> Result<Members<'c>, Error> {
        if self.stack.contains(&named.name) {
            let mut chain = self.stack.clone();
            chain.push(named.name.clone());
            return Err(Error::ImportCycle { chain });
        }
        if self.stack.len() >= MAX_IMPORTS {
            let what = format!("{}: value sets within value sets", named.name);
            return Err(Error::TooCostly { what, most: MAX_IMPORTS as u64 });
        }
        self.stack.push(named.name.clone());
        let members = match (&named.valueset.compose, &named.valueset.expansion) {
            (Some(_), _) | (None, None) => self.composed(named),
            (None, Some(expansion)) => self.stored(expansion),
        };
        self.stack.pop();
        members
    }

    fn composed(&mut self, named: &Named) -> Result<Members<'c>, Error> {
        let mut members = Members::default();
        let Some(compose) = &named.valueset.compose else { return Ok(members) };
        for (at, include) in compose.include.iter().enumerate() {
            let place = format!("ValueSet.compose.include[{at}]");
            let more = self.part(named, include, &place)?;
            members.add(more);
        }
        let was_excluding = std::mem::replace(&mut self.is_excluding, true);
        for (at, exclude) in compose.exclude.iter().enumerate() {
            let place = format!("ValueSet.compose.exclude[{at}]");
            let gone = self.part(named, exclude, &place)?;
            members.remove(&gone);
        }
        self.is_excluding = was_excluding;
        if compose.inactive == Some(false) {
            let retired = members.remove_inactive();
            self.notes.retired.add(retired);
        }
        Ok(members)
    }

    /// The concepts of one part: of all that it names together.
    fn part(
        &mut self,
        named: &Named,
        include: &Include,
        place: &str,
    ) -> Result<Members<'c>, Error> {
        let mut found: Option<Members<'c>> = None;
        if let Some(system) = &include.system {
            found = Some(self.of_system(named, include, system, place)?);
        } else if include.value_set.is_empty() {
            let reason = "it names neither a system nor a value set".to_owned();
            let (valueset, place) = (named.name.clone(), place.to_owned());
            return Err(Error::InvalidValueSet { valueset, place, reason });
        }
        for url in &include.value_set {
            let imported = self.import(named, url)?;
            match &mut found {
                Some(found) => found.keep(&imported),
                None => found = Some(imported.as_ref().clone()),
            }
        }
        let found = found.unwrap_or_default();
        self.spend(found.len())?;
        Ok(found)
    }

    fn of_system(
        &mut self,
        named: &Named,
        include: &Include,
        system: &str,
        place: &str,
    ) -> Result<Members<'c>, Error> {
        let constraint = include.constraint().map_err(|(at, error)| Error::InvalidValueSet {
            valueset: named.name.clone(),
            place: format!("{place}.filter[{at}]"),
            reason: format!("The system {system} {error}"),
        })?;
        let Some(entry) = self.resolved(system, include.version.as_deref())? else {
            return Ok(Members::default());
        };
        let mut members = match include.concept.as_slice() {
            [] => Members::of(Segment::all_of(entry)),
            listed => Members::of(self.listed(entry, listed)),
        };
        if let Some(constraint) = constraint {
            let set = self.constrained(entry, &constraint)?;
            members.keep(&Members::of(Segment::of_set(entry, set)));
        }
        Ok(members)
    }

    fn listed(&mut self, entry: &'c Entry, listed: &[ListedConcept]) -> Segment<'c> {
        let mut found = Vec::with_capacity(listed.len());
        for one in listed {
            match entry.index.find(&one.code) {
                Some(concept) => found.push((concept, Arc::new(one.clone()))),
                None => self.note_unknown(entry, &one.code),
            }
        }
        Segment::listed(entry, found)
    }

    fn note_unknown(&mut self, entry: &Entry, code: &str) {
        let unknown = UnknownListed { system: entry.system().clone(), code: code.to_owned() };
        if !self.notes.unknown.contains(&unknown) {
            self.notes.unknown.push(unknown);
        }
    }

    fn constrained(
        &mut self,
        entry: &'c Entry,
        constraint: &Constraint,
    ) -> Result<ConceptSet, Error> {
        let found = evaluate(constraint, entry.index.as_ref())
            .map_err(failed(entry, constraint.language()))?;
        found.unknown.iter().for_each(|code| self.note_unknown(entry, code));
        Ok(found.concepts)
    }

    /// The concepts of another value set.
    fn import(&mut self, within: &Named, url: &str) -> Result<Rc<Members<'c>>, Error> {
        let contained = url.strip_prefix('#').and_then(|id| {
            within.valueset.contained.iter().find(|one| one.id.as_deref() == Some(id))
        });
        let named = match contained {
            Some(one) => {
                let name = format!("{}{url}", within.name);
                // What it contains beside it, it may refer to.
                let beside = within.valueset.contained.clone();
                let valueset = Arc::new(ValueSet { contained: beside, ..one.clone() });
                Some(Named { name, valueset })
            }
            None => match self.catalog.named(url, self.rules) {
                Err(Error::UnknownValueSet { url }) if self.on_version == OnVersion::Note => {
                    self.unresolved(&url, UnresolvedKind::Valueset);
                    return Ok(Rc::default());
                }
                named => named?,
            },
        };
        let Some(named) = named else {
            return match self.implicit(url)? {
                Some(members) => Ok(Rc::new(members)),
                None if self.is_excluding && self.on_version == OnVersion::Refuse => {
                    Err(Error::UnknownValueSet { url: url.to_owned() })
                }
                None => {
                    self.unresolved(url, UnresolvedKind::Valueset);
                    Ok(Rc::default())
                }
            };
        };
        if let Some(known) = self.known.get(&named.name) {
            return Ok(Rc::clone(known));
        }
        if contained.is_none() && !self.notes.used_valuesets.contains(&named.name) {
            self.notes.used_valuesets.push(named.name.clone());
        }
        let members = Rc::new(self.named(&named)?);
        self.known.insert(named.name, Rc::clone(&members));
        Ok(members)
    }

    /// The concepts of the URL of an implicit value set.
    fn implicit(&mut self, url: &str) -> Result<Option<Members<'c>>, Error> {
        let read = Constraint::implicit(url).map_err(|source| Error::Expression {
            system: url.to_owned(),
            language: if url.contains("fhir_vs=ecl/") { Language::Ecl } else { Language::Vcl },
            source,
        })?;
        let Some(Constraint::Vcl(expression)) = read else { return Ok(None) };
        let systems = expression.systems();
        if systems.is_empty() {
            let reason = "the expression names no terminology: put its URI in brackets before it";
            return Err(Error::invalid("valueset", reason));
        }
        let constraint = Constraint::Vcl(expression);
        let mut members = Members::default();
        for system in systems {
            let (uri, version) = match system.split_once('|') {
                Some((uri, version)) => (uri, Some(version)),
                None => (system.as_str(), None),
            };
            if let Some(entry) = self.resolved(uri, version)? {
                let set = self.constrained(entry, &constraint)?;
                members.add(Members::of(Segment::of_set(entry, set)));
            }
        }
        self.spend(members.len())?;
        Ok(Some(members))
    }

    /// The concepts of an expansion that somebody made.
    fn stored(&mut self, expansion: &StoredExpansion) -> Result<Members<'c>, Error> {
        let mut listed: Vec<&StoredConcept> = Vec::new();
        flatten(&expansion.contains, &mut listed);
        let mut by_entry: Vec<(&Entry, Vec<ListedConcept>)> = Vec::new();
        for one in listed {
            let (Some(system), Some(code)) = (&one.system, &one.code) else { continue };
            let Some(entry) = self.resolved(system, one.version.as_deref())? else { continue };
            let (code, display) = (code.clone(), one.display.clone());
            let concept = ListedConcept { code, display, ..ListedConcept::default() };
            match by_entry.iter_mut().find(|(known, _)| std::ptr::eq(*known, entry)) {
                Some((_, concepts)) => concepts.push(concept),
                None => by_entry.push((entry, vec![concept])),
            }
        }
        let segments = by_entry.into_iter().map(|(entry, listed)| self.listed(entry, &listed));
        let members = Members { segments: segments.collect() };
        self.spend(members.len())?;
        Ok(members)
    }

    /// The index of the terminology that a part is about; `None` where it is not loaded, which is
    /// noted.
    fn resolved(
        &mut self,
        system: &str,
        version: Option<&str>,
    ) -> Result<Option<&'c Entry>, Error> {
        let preferred = self.preferred.as_ref().filter(|(of, _)| of == system);
        let preferred = preferred.map(|(_, version)| version.as_str());
        let mut resolution = self.catalog.resolve(system, version, preferred, self.rules);
        if let Some(problem) = resolution.problem.take_if(|_| self.on_version == OnVersion::Refuse)
        {
            return Err(problem);
        }
        let entry = resolution.entry;
        match entry {
            Some(entry) => self.use_entry(entry),
            None if resolution.problem.is_none() => {
                self.unresolved(system, UnresolvedKind::System);
            }
            None => {}
        }
        self.notes.resolutions.push(resolution);
        Ok(entry)
    }

    fn use_entry(&mut self, entry: &'c Entry) {
        if self.notes.used.iter().all(|other| !std::ptr::eq(*other, entry)) {
            self.notes.used.push(entry);
        }
    }

    fn unresolved(&mut self, name: &str, kind: UnresolvedKind) {
        let reason = match kind {
            UnresolvedKind::System => "the terminology is not loaded",
            UnresolvedKind::Valueset => "the value set is not loaded",
        };
        let one = Unresolved { system: name.to_owned(), kind, reason: reason.to_owned() };
        if !self.notes.unresolved.contains(&one) {
            self.notes.unresolved.push(one);
        }
    }

    fn spend(&mut self, concepts: usize) -> Result<(), Error> {
        self.spent = self.spent.saturating_add(concepts as u64 + 1);
        match self.spent > MAX_COST {
            true => {
                let what = "concepts that would have to be put together".to_owned();
                Err(Error::TooCostly { what, most: MAX_COST })
            }
            false => Ok(()),
        }
    }
}

fn failed(entry: &Entry, language: Language) -> impl FnOnce(ExpressionError) -> Error {
    let system = entry.alias().to_owned();
    move |source| Error::Expression { system, language, source }
}

/// The concepts of an expansion, each before those within it.
fn flatten<'e>(level: &'e [StoredConcept], into: &mut Vec<&'e StoredConcept>) {
    let mut open: Vec<&StoredConcept> = level.iter().rev().collect();
    while let Some(one) = open.pop() {
        into.push(one);
        open.extend(one.contains.iter().rev());
    }
}
