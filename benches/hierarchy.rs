//! How long does it take to tell what stands above and below what, in a polyhierarchy of SNOMED CT's
//! size?
//!
//! `cargo bench --bench hierarchy`
//!
//! The release is that of `examples/synthetic_rf2`: 350,000 concepts, one to three parents each. Pairs
//! are told apart by what they cost: `a stranger` does not stand above one of the concepts with the
//! most ancestors, and the `worst` is one of the fifty such strangers that stand above most others.
//! Beside it in the same run, with the same answers: all ancestors collected before one is looked
//! for, and a flag for each concept of the release when walking down. The first run writes the
//! release under `target/` and reads it, in a minute.

mod common;
#[path = "../examples/synthetic_rf2/ids.rs"]
mod ids;
#[path = "../examples/synthetic_rf2/release.rs"]
mod release;
#[path = "../examples/synthetic_rf2/table.rs"]
mod table;
#[path = "../examples/synthetic_rf2/words.rs"]
mod words;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use common::{AnyError, Contender};
use medterm::formats::{self, Format};
use medterm::hierarchy::{Hierarchy, write_hierarchy};
use medterm::terminology::{Code, ConceptOrd};
use release::{Size, write_release};

const CONCEPTS: u64 = 350_000;
const PAIRS: usize = 2000;

/// Two concepts, and the question whether the first one stands above the second.
type Pair = (ConceptOrd, ConceptOrd);

fn main() -> Result<(), AnyError> {
    let hierarchy = Hierarchy::open(&stored()?)?;
    let concepts = hierarchy.len() as u32;
    let all = (0..concepts).map(ConceptOrd);
    let mut by_ancestors: Vec<(usize, ConceptOrd)> =
        all.clone().map(|ord| (hierarchy.ancestors(ord).len(), ord)).collect();
    by_ancestors.sort_unstable();
    let ancestors = |share: usize| by_ancestors[(by_ancestors.len() - 1) * share / 100].0;
    println!(
        "{concepts} concepts; ancestors of one: p50 {}, p90 {}, p99 {}, most {}",
        ancestors(50),
        ancestors(90),
        ancestors(99),
        ancestors(100)
    );

    let mut by_descendants: Vec<(usize, ConceptOrd)> = all
        .filter(|ord| hierarchy.children(*ord).next().is_some())
        .map(|ord| (hierarchy.descendants(ord).len(), ord))
        .collect();
    by_descendants.sort_unstable();

    let mut criterion = common::criterion();
    for (kind, pairs) in pairs(&hierarchy, &by_ancestors, &by_descendants) {
        for (a, b) in &pairs {
            assert_eq!(hierarchy.subsumes(*a, *b), collected(&hierarchy, *a, *b));
        }
        common::in_turns(
            &format!("subsumes, {kind}"),
            20_000,
            &mut [
                Contender::new("walk up", |round| {
                    let (a, b) = pairs[round % PAIRS];
                    hierarchy.subsumes(a, b)
                }),
                Contender::new("all ancestors", |round| {
                    let (a, b) = pairs[round % PAIRS];
                    collected(&hierarchy, a, b)
                }),
            ],
        );
        let mut at = 0;
        criterion.bench_function(&format!("hierarchy/subsumes/{kind}"), |b| {
            b.iter(|| {
                at = (at + 1) % PAIRS;
                hierarchy.subsumes(pairs[at].0, pairs[at].1)
            });
        });
    }
    for wanted in [1, 30, 1000, 30_000, usize::MAX] {
        let at = by_descendants.partition_point(|(count, _)| *count < wanted);
        let (count, top) = by_descendants[at.min(by_descendants.len() - 1)];
        assert_eq!(hierarchy.descendants(top), flagged(&hierarchy, top));
        common::in_turns(
            &format!("descendants, {count} of them"),
            if count > 10_000 { 100 } else { 2000 },
            &mut [
                Contender::new("as many as there are", |_| hierarchy.descendants(top)),
                Contender::new("a flag a concept", |_| flagged(&hierarchy, top)),
            ],
        );
        criterion.bench_function(&format!("hierarchy/descendants/{count}"), |b| {
            b.iter(|| hierarchy.descendants(top));
        });
    }
    criterion.final_summary();
    Ok(())
}

/// Pairs of each kind, in an order that jumps through the release.
fn pairs(
    hierarchy: &Hierarchy,
    by_ancestors: &[(usize, ConceptOrd)],
    by_descendants: &[(usize, ConceptOrd)],
) -> [(&'static str, Vec<Pair>); 4] {
    let n = by_ancestors.len();
    let any = |at: usize| by_ancestors[at.wrapping_mul(104_729) % n].1;
    let deep = |at: usize| by_ancestors[n - 1 - at % PAIRS].1;
    let above = |at: usize| {
        let ancestors = hierarchy.ancestors(deep(at));
        (ancestors.last().copied().unwrap_or(deep(at)), deep(at))
    };
    let stranger = |at: usize| {
        let below = deep(at);
        let is_none = |one: &ConceptOrd| !hierarchy.subsumes(*one, below);
        ((at..).map(any).find(is_none).unwrap_or(below), below)
    };
    let high_stranger = |at: usize| {
        let below = deep(at);
        let highest = by_descendants.iter().rev().map(|(_, one)| *one);
        let mut strangers = highest.filter(|one| !hierarchy.subsumes(*one, below));
        (strangers.nth(at % 50).unwrap_or(below), below)
    };
    [
        ("any two", (0..PAIRS).map(|at| (any(at), any(at + PAIRS))).collect()),
        ("the topmost ancestor", (0..PAIRS).map(above).collect()),
        ("a stranger", (0..PAIRS).map(stranger).collect()),
        ("worst", (0..PAIRS).map(high_stranger).collect()),
    ]
}

/// What the walk is compared with: all ancestors, in a set of the standard library.
fn collected(hierarchy: &Hierarchy, ancestor: ConceptOrd, of: ConceptOrd) -> bool {
    let mut seen: HashSet<ConceptOrd> = hierarchy.parents(of).collect();
    let mut open: Vec<ConceptOrd> = seen.iter().copied().collect();
    while let Some(at) = open.pop() {
        open.extend(hierarchy.parents(at).filter(|parent| seen.insert(*parent)));
    }
    seen.contains(&ancestor)
}

/// What the walk is compared with: a flag for each concept of the release.
fn flagged(hierarchy: &Hierarchy, top: ConceptOrd) -> Vec<ConceptOrd> {
    let mut seen = vec![false; hierarchy.len()];
    let mut found: Vec<ConceptOrd> = Vec::new();
    let mut open = vec![top];
    while let Some(at) = open.pop() {
        for child in hierarchy.children(at) {
            if !std::mem::replace(&mut seen[child.index()], true) {
                found.push(child);
                open.push(child);
            }
        }
    }
    found.sort_unstable();
    found
}

/// The hierarchy of the release, made once and kept.
fn stored() -> Result<PathBuf, AnyError> {
    let kept = common::kept_folder()?;
    let path = kept.join("hierarchy-350000.bin");
    if !path.exists() {
        let folder = tempfile::tempdir_in(&kept)?;
        let size = Size { concepts: CONCEPTS, descriptions: CONCEPTS * 2, seed: 1 };
        write_release(folder.path(), size)?;
        write_hierarchy(&path, &parents(folder.path())?, &[])?;
    }
    Ok(path)
}

/// Whose parents are which, in code order.
fn parents(release: &Path) -> Result<Vec<Vec<u32>>, AnyError> {
    let mut stated: BTreeMap<Code, Vec<Code>> = BTreeMap::new();
    for concept in formats::open(Format::Rf2, release)? {
        let concept = concept?;
        stated.insert(concept.code, concept.parents);
    }
    let ords: BTreeMap<&Code, u32> = stated.keys().zip(0..).collect();
    let row =
        |parents: &Vec<Code>| parents.iter().filter_map(|one| ords.get(one).copied()).collect();
    Ok(stated.values().map(row).collect())
}
