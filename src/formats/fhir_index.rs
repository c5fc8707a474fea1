//! Which releases the FHIR resources of a path are.
//!
//! Each `CodeSystem` with concepts is one, with the supplements at the path that are for it. Value sets are read only where there is no code system at
//! the path: what they list of a terminology, all of them together, is then a fragment of it. Of two
//! resources with the same URL and version the first counts, in the order of file names.
//!
//! The resources of a `Bundle` are kept in memory, compressed; the order of reading is then free.

use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::terminology::{SystemId, known_system};

use super::fhir::{BUNDLE, CODE_SYSTEM, CONCEPT_MAP, Kind, Selected, VALUE_SET};
use super::fhir_bundle::{BundleReader, Part};
use super::fhir_json::{Lenient, failure, read};
use super::fhir_release::{Head, canonical, plain};
use super::fhir_supplement::is_for;
use super::fhir_value_set::listed_systems;
use super::files::ReleaseFile;
use super::input::Meter;
use super::{ImportError, ImportErrorKind, ReleaseFiles, Tally};

const DAMAGED: &str = "FHIR files that cannot be read";
const SAME: &str = "resources with the URL and version of an earlier one";
const OTHERS: &str = "resources of other types";
const EMPTY: &str = "code systems without concepts";
const SUPPLEMENT: &str =
    "supplements of code systems that are not here: give them with --supplement";
const AIMLESS: &str = "supplements that do not say what they add to";
const NAMELESS: &str = "code systems without a URL";
const BESIDE: &str = "value sets beside code systems";
const UNLISTED: &str = "value sets that list no codes";
const MAPS: &str = "concept maps, which are no terminologies";

/// One resource, and the file that has nothing else in it.
pub(super) struct Resource {
    pub(super) file: ReleaseFile,
    /// Where it begins.
    pub(super) line: u64,
    pub(super) head: Arc<Head>,
}

/// The releases among the resources of these files.
pub(super) fn releases(found: &ReleaseFiles) -> Result<Vec<ReleaseFiles>, ImportError> {
    let mut tally = Tally::default();
    let resources = resources(found, &mut tally)?;
    let is_sole = resources.len() == 1;
    let mut names = Names::default();
    let (mut chosen, mut supplements, mut value_sets) = (Vec::new(), Vec::new(), Vec::new());
    for one in resources {
        match one.head.kind.stated() {
            Some(CODE_SYSTEM) => match names.code_system(&one.head, is_sole) {
                Ok(selected) => chosen.push((vec![one.file], selected)),
                Err(SUPPLEMENT) => supplements.push(one),
                Err(reason @ EMPTY) => one.pass_over(reason, &mut tally),
                Err(reason) => one.leave_out(reason, &mut tally),
            },
            Some(VALUE_SET) => value_sets.push(one),
            Some(CONCEPT_MAP) => one.pass_over(MAPS, &mut tally),
            _ => one.pass_over(OTHERS, &mut tally),
        }
    }
    supplements.into_iter().for_each(|one| supplement(one, &mut chosen, &mut tally));
    let select = |(files, selected)| found.select(files, selected);
    let mut systems: Vec<ReleaseFiles> = chosen.into_iter().map(select).collect();
    if systems.is_empty() {
        systems = fragments(found, &value_sets, &mut names, &mut tally)?;
    } else {
        value_sets.iter().for_each(|one| one.pass_over(BESIDE, &mut tally));
    }
    match systems.first_mut() {
        Some(first) => first.tell_beside(tally),
        None => return Err(found.error(nothing(&tally))),
    }
    Ok(systems)
}

/// Gives a supplement to the code systems that it is for: more than one where it names no version.
fn supplement(one: Resource, chosen: &mut [(Vec<ReleaseFile>, Selected)], tally: &mut Tally) {
    if one.head.supplements.stated().is_none() {
        return one.leave_out(AIMLESS, tally);
    }
    let mut is_used = false;
    for (files, selected) in chosen {
        if is_for(&one.head, &selected.system, selected.version.as_deref()) {
            files.push(one.file.clone());
            selected.supplements.push(Arc::clone(&one.head));
            is_used = true;
        }
    }
    if !is_used {
        one.pass_over(SUPPLEMENT, tally);
    }
}

/// A terminology by its URI, and its version where one is named.
type Versioned = (String, Option<String>);

/// What the value sets list, by terminology and version.
fn fragments(
    found: &ReleaseFiles,
    value_sets: &[Resource],
    names: &mut Names,
    tally: &mut Tally,
) -> Result<Vec<ReleaseFiles>, ImportError> {
    let mut listed: Vec<(Versioned, Vec<&Resource>)> = Vec::new();
    for one in value_sets {
        let Head { compose, expansion, version, .. } = one.head.as_ref();
        let listing = listed_systems(compose.as_deref(), expansion.as_deref(), version.stated());
        let systems = match listing {
            Ok(systems) => systems,
            Err(error) if value_sets.len() == 1 => return Err(failure(&one.file.path, error)),
            Err(_) => {
                one.leave_out(DAMAGED, tally);
                continue;
            }
        };
        if systems.is_empty() {
            one.leave_out(UNLISTED, tally);
        }
        for system in systems {
            match listed.iter_mut().find(|(known, _)| *known == system) {
                Some((_, others)) => others.push(one),
                None => listed.push((system, vec![one])),
            }
        }
    }
    Ok(listed
        .into_iter()
        .filter_map(|((system, version), resources)| {
            let alias = names.alias(&system, &[]);
            let head = Arc::clone(&resources.first()?.head);
            let files = resources.iter().map(|one| one.file.clone()).collect();
            let selected = Selected {
                system,
                version,
                alias,
                kind: Kind::ValueSets,
                head,
                supplements: Vec::new(),
            };
            Some(found.select(files, selected))
        })
        .collect())
}

/// The resources of all files, bundles taken apart.
fn resources(found: &ReleaseFiles, tally: &mut Tally) -> Result<Vec<Resource>, ImportError> {
    let mut resources = Vec::new();
    for file in found.files() {
        match resources_of(file) {
            Ok(more) => resources.extend(more),
            Err(error) if found.files().len() == 1 => return Err(error),
            Err(error) => {
                let text = error.kind().to_string();
                tally.leave_out(DAMAGED, error.path(), error.line().unwrap_or(0), &text);
            }
        }
    }
    Ok(resources)
}

/// The resource of a file; of a bundle, those in it.
pub(super) fn resources_of(file: &ReleaseFile) -> Result<Vec<Resource>, ImportError> {
    let meter = Meter::default();
    let head = read(file.open(&meter)?, |_| PhantomData::<Head>)?;
    if head.kind.stated() != Some(BUNDLE) {
        return Ok(vec![Resource { file: file.clone(), line: 1, head: Arc::new(head) }]);
    }
    let mut parts = Vec::new();
    read(file.open(&meter)?, |line| BundleReader { line, parts: &mut parts })?;
    let resource = |part: Part| Resource {
        file: file.kept(part.text),
        line: part.line,
        head: Arc::new(part.head),
    };
    Ok(parts.into_iter().map(resource).collect())
}

impl Resource {
    fn pass_over(&self, reason: &str, tally: &mut Tally) {
        tally.pass_over(reason, &self.file.path, self.line, self.head.label());
    }

    fn leave_out(&self, reason: &str, tally: &mut Tally) {
        tally.leave_out(reason, &self.file.path, self.line, self.head.label());
    }
}

/// What was left out, where nothing is left.
fn nothing(tally: &Tally) -> ImportErrorKind {
    let what: Vec<String> =
        tally.left_out.iter().map(|one| format!("{} {}", one.count, one.reason)).collect();
    let found = match what.as_slice() {
        [] => "a FHIR bundle with nothing in it".to_owned(),
        _ => format!("FHIR resources, none of them with codes to index ({})", what.join(", ")),
    };
    ImportErrorKind::unknown(found, None)
}

/// The names given so far.
#[derive(Default)]
struct Names {
    taken: BTreeSet<(String, Option<String>)>,
    aliases: Vec<(String, String)>,
}

impl Names {
    /// A code system that can be built, or why it cannot.
    fn code_system(&mut self, head: &Arc<Head>, is_sole: bool) -> Result<Selected, &'static str> {
        if head.content.stated() == Some("supplement") {
            return Err(SUPPLEMENT);
        }
        if !head.concept.0 {
            return Err(EMPTY);
        }
        let version = head.version.stated().map(str::to_owned);
        let url = head.url.stated().map(canonical).unwrap_or_default();
        // Whoever gives a single resource may name the terminology beside it.
        if !is_sole && SystemId::new(url).is_err() {
            return Err(NAMELESS);
        }
        let system = url.to_owned();
        if !self.taken.insert((system.clone(), version.clone())) {
            return Err(SAME);
        }
        let alias = self.alias(&system, &[&head.id, &head.name]);
        let (kind, head) = (Kind::CodeSystem, Arc::clone(head));
        Ok(Selected { system, version, alias, kind, head, supplements: Vec::new() })
    }

    /// The short name of a terminology: the same for all its versions, and no other's.
    fn alias(&mut self, url: &str, names: &[&Lenient]) -> String {
        if let Some(known) = known_system(url) {
            return known.alias.to_owned();
        }
        if let Some((_, alias)) = self.aliases.iter().find(|(system, _)| system == url) {
            return alias.clone();
        }
        let last = url.rsplit(['/', ':']).next().unwrap_or_default();
        let wanted = names.iter().filter_map(|name| name.stated()).chain([last]);
        let wanted = wanted.map(plain).find(|name| !name.is_empty());
        let wanted = wanted.unwrap_or_else(|| "codesystem".to_owned());
        let is_free = |name: &str| {
            known_system(name).is_none() && self.aliases.iter().all(|(_, alias)| alias != name)
        };
        let numbered = (2..).map(|n: u32| format!("{wanted}-{n}"));
        let alias = std::iter::once(wanted.clone()).chain(numbered).find(|name| is_free(name));
        let alias = alias.unwrap_or(wanted);
        self.aliases.push((url.to_owned(), alias.clone()));
        alias
    }
}
