//! Which candidates of different terminologies are likely the same concept.

use std::collections::{BTreeMap, BTreeSet};

use crate::maps::ConceptMap;
use crate::text::normalize;

use super::equivalents_links::are_linked;
use super::equivalents_names::exact_names;
use super::equivalents_score::normal;
use super::find_equivalent::Candidate;
use super::{Basis, EquivalentGroup, GroupMember};

/// Groups candidates, which come by rank: those of one title; then those that a map says to be
/// equivalent; then those that share a synonym. A group has what led to it as its basis, the weakest
/// where there were several.
pub(super) fn groups(candidates: &[Candidate<'_>], maps: &[ConceptMap]) -> Vec<EquivalentGroup> {
    let mut joined = Joined::new(candidates.len());
    let titles: Vec<String> = candidates.iter().map(|one| normal(&one.title)).collect();
    joined.join(candidates, Basis::Title, |a, b| titles[a] == titles[b]);
    joined.join(candidates, Basis::Map, |a, b| {
        let coding = |at: usize| (candidates[at].entry.system(), candidates[at].code.as_str());
        !maps.is_empty() && are_linked(maps, coding(a), coding(b))
    });
    let names: Vec<BTreeSet<String>> = candidates
        .iter()
        .map(|one| exact_names(one.entry, one.concept).iter().map(|name| normalize(name)).collect())
        .collect();
    joined.join(candidates, Basis::Synonym, |a, b| !names[a].is_disjoint(&names[b]));
    joined.groups(candidates, &titles)
}

/// Which candidates belong together: each knows the first of its group.
struct Joined {
    first: Vec<usize>,
    basis: Vec<Basis>,
}

impl Joined {
    fn new(count: usize) -> Self {
        Self { first: (0..count).collect(), basis: vec![Basis::Title; count] }
    }

    fn join(
        &mut self,
        candidates: &[Candidate<'_>],
        basis: Basis,
        are_same: impl Fn(usize, usize) -> bool,
    ) {
        for a in 0..candidates.len() {
            for b in a + 1..candidates.len() {
                let is_other = candidates[a].alias != candidates[b].alias;
                if is_other && self.first[a] != self.first[b] && are_same(a, b) {
                    let (keep, drop) =
                        (self.first[a].min(self.first[b]), self.first[a].max(self.first[b]));
                    self.first
                        .iter_mut()
                        .filter(|first| **first == drop)
                        .for_each(|first| *first = keep);
                    self.basis[keep] = [self.basis[keep], self.basis[drop], basis]
                        .into_iter()
                        .max_by_key(|one| weakness(*one))
                        .unwrap_or(basis);
                }
            }
        }
    }

    fn groups(self, candidates: &[Candidate<'_>], titles: &[String]) -> Vec<EquivalentGroup> {
        let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, first) in self.first.iter().enumerate() {
            members.entry(*first).or_default().push(at);
        }
        let group = |(first, members): (usize, Vec<usize>)| EquivalentGroup {
            normalized_title: titles[first].clone(),
            terminologies: {
                let mut all: Vec<String> =
                    members.iter().map(|at| candidates[*at].alias.clone()).collect();
                let mut seen = BTreeSet::new();
                all.retain(|alias| seen.insert(alias.clone()));
                all
            },
            members: members.iter().map(|at| member(&candidates[*at])).collect(),
            basis: self.basis[first],
        };
        // The first of each has the best rank, and they come by rank.
        members.into_iter().filter(|(_, members)| members.len() > 1).map(group).collect()
    }
}

/// One title is what clients call a group; the other two are said to be less.
fn weakness(basis: Basis) -> u8 {
    match basis {
        Basis::Title => 0,
        Basis::Map => 1,
        Basis::Synonym => 2,
        Basis::Search => 3,
    }
}

fn member(candidate: &Candidate<'_>) -> GroupMember {
    GroupMember {
        terminology: candidate.alias.clone(),
        code: candidate.code.clone(),
        title: candidate.title.clone(),
        match_score: candidate.score,
    }
}
