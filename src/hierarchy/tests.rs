use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;
use crate::disk::{Part, PartKind, PartWriter};
use crate::terminology::ConceptOrd;

fn write(dir: &Path, parents: &[Vec<u32>], stated: &[Vec<u32>]) -> (PathBuf, HierarchySummary) {
    let path = dir.join("hierarchy.bin");
    let _ = std::fs::remove_file(&path);
    let summary = write_hierarchy(&path, parents, stated).unwrap();
    (path, summary)
}

fn hierarchy(parents: &[Vec<u32>]) -> (Hierarchy, HierarchySummary) {
    stating(parents, &[])
}

fn stating(parents: &[Vec<u32>], stated: &[Vec<u32>]) -> (Hierarchy, HierarchySummary) {
    let dir = tempfile::tempdir().unwrap();
    let (path, summary) = write(dir.path(), parents, stated);
    let hierarchy = Hierarchy::open(&path).unwrap();
    hierarchy.verify().unwrap();
    (hierarchy, summary)
}

fn numbers(ords: impl IntoIterator<Item = ConceptOrd>) -> Vec<u32> {
    ords.into_iter().map(|ord| ord.0).collect()
}

/// 0 ─ 1 ─ 3 ─ 5
///   └ 2 ─┘└ 6     4 ─ 6, and 7 alone
fn diamond() -> Vec<Vec<u32>> {
    vec![vec![], vec![0], vec![0], vec![2, 1, 2], vec![], vec![3], vec![4, 3], vec![]]
}

#[test]
fn a_diamond_is_walked_in_every_direction() {
    let (h, summary) = hierarchy(&diamond());
    assert_eq!((summary.edges, summary.roots, summary.dropped_cycle_edges), (7, 3, 0));
    assert_eq!(h.len(), 8);
    assert!(h.has_edges());
    assert_eq!(numbers(h.roots()), [0, 4, 7]);
    assert_eq!(numbers(h.parents(ConceptOrd(3))), [1, 2], "sorted, each once");
    assert_eq!(numbers(h.children(ConceptOrd(3))), [5, 6]);
    assert_eq!(numbers(h.ancestors(ConceptOrd(6))), [3, 4, 1, 2, 0], "nearest first");
    assert_eq!(numbers(h.descendants(ConceptOrd(0))), [1, 2, 3, 5, 6]);
    assert_eq!(numbers(h.siblings(ConceptOrd(1))), [2]);
    assert_eq!(numbers(h.siblings(ConceptOrd(6))), [5]);
    assert!(h.siblings(ConceptOrd(0)).is_empty());
    let depths: Vec<u32> = (0..8).map(|ord| h.depth(ConceptOrd(ord))).collect();
    assert_eq!(depths, [0, 1, 1, 2, 0, 3, 1, 0], "6 is one step below the root 4");
    let paths: Vec<Vec<u32>> = h.paths(ConceptOrd(6)).into_iter().map(numbers).collect();
    assert_eq!(paths, [vec![0, 1, 3, 6], vec![0, 2, 3, 6], vec![4, 6]]);
    assert_eq!(h.paths(ConceptOrd(7)), [[ConceptOrd(7)]]);
    assert!(h.subsumes(ConceptOrd(0), ConceptOrd(6)));
    assert!(!h.subsumes(ConceptOrd(6), ConceptOrd(0)));
    assert!(!h.subsumes(ConceptOrd(3), ConceptOrd(3)));
    assert!(!h.subsumes(ConceptOrd(4), ConceptOrd(5)));
}

/// In [`diamond`], 5 is only under 1, and 7 is stated to be below 4 without a way that leads there.
fn stated() -> Vec<Vec<u32>> {
    let mut stated = vec![vec![]; 8];
    stated[5] = vec![1, 0, 3, 5, 1];
    stated[7] = vec![6, 4];
    stated
}

#[test]
fn stated_ancestors_are_the_ancestors() {
    let (h, summary) = stating(&diamond(), &stated());
    assert_eq!((summary.edges, summary.roots), (7, 3), "they are no edges");
    assert_eq!(numbers(h.ancestors(ConceptOrd(5))), [3, 1, 0], "nearest first");
    assert_eq!(numbers(h.stated_ancestors(ConceptOrd(5))), [0, 1, 3]);
    assert_eq!(numbers(h.ancestors(ConceptOrd(7))), [4, 6], "no way leads there: in order");
    assert_eq!(numbers(h.descendants(ConceptOrd(2))), [3, 6], "5 is not below 2");
    assert_eq!(numbers(h.descendants(ConceptOrd(1))), [3, 5, 6]);
    assert_eq!(numbers(h.descendants(ConceptOrd(6))), [7]);
    assert!(h.subsumes(ConceptOrd(1), ConceptOrd(5)) && !h.subsumes(ConceptOrd(2), ConceptOrd(5)));
    assert_eq!(h.stated_ancestors(ConceptOrd(6)).next(), None);
    assert_eq!(numbers(h.parents(ConceptOrd(5))), [3]);
}

/// What an earlier medterm wrote had no intervals, and is walked without them.
#[test]
fn a_hierarchy_without_intervals_answers_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let (path, _) = write(dir.path(), &diamond(), &[]);
    let part = Part::open(&path, PartKind::Hierarchy, HIERARCHY_FORMAT).unwrap();
    let old = dir.path().join("old.bin");
    let mut writer = PartWriter::create(&old, PartKind::Hierarchy, HIERARCHY_FORMAT).unwrap();
    let names: Vec<&str> = part.sections().filter(|name| *name != "interval").collect();
    assert_eq!(names.len() + 1, part.sections().count());
    for name in names {
        writer.section(name, &part.section::<u8>(name).unwrap()).unwrap();
    }
    writer.finish().unwrap();
    let (new, old) = (Hierarchy::open(&path).unwrap(), Hierarchy::open(&old).unwrap());
    for (a, b) in (0..9).flat_map(|a| (0..9).map(move |b| (ConceptOrd(a), ConceptOrd(b)))) {
        assert_eq!(new.subsumes(a, b), old.subsumes(a, b), "{a:?} and {b:?}");
    }
}

#[test]
fn a_flat_list_has_no_edges_and_an_empty_one_no_concepts() {
    let (flat, summary) = hierarchy(&[vec![], vec![]]);
    assert_eq!((summary.edges, summary.roots), (0, 2));
    assert!(!flat.has_edges() && !flat.is_empty());
    visit(&flat);
    let (empty, _) = hierarchy(&[]);
    assert!(empty.is_empty());
    assert!(empty.paths(ConceptOrd(0)).is_empty());
    visit(&empty);
}

#[test]
fn the_edge_that_closes_a_cycle_is_dropped_and_counted() {
    let (itself, summary) = hierarchy(&[vec![0]]);
    assert_eq!((summary.dropped_cycle_edges, summary.edges), (1, 0));
    assert_eq!(numbers(itself.roots()), [0]);

    // 0 below 1 below 2 below 0, and 3 below 2: walking up from 0, the edge from 2 closes it.
    let (three, summary) = hierarchy(&[vec![1], vec![2], vec![0], vec![2]]);
    assert_eq!((summary.dropped_cycle_edges, summary.edges), (1, 3));
    assert_eq!(numbers(three.roots()), [2]);
    assert_eq!(numbers(three.descendants(ConceptOrd(2))), [0, 1, 3]);

    // 1 and 2 below each other, and 2 below 0 as well: it is 1 that needs its parent.
    let (mended, summary) = hierarchy(&[vec![], vec![2], vec![0, 1]]);
    assert_eq!((summary.dropped_cycle_edges, summary.edges), (1, 2));
    assert_eq!(numbers(mended.roots()), [0]);
    assert_eq!(numbers(mended.descendants(ConceptOrd(2))), [1]);
    let (mended, _) = hierarchy(&[vec![], vec![0, 2], vec![1]]);
    assert_eq!(numbers(mended.descendants(ConceptOrd(1))), [2]);
}

#[test]
fn a_parent_that_is_no_concept_is_refused_before_anything_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hierarchy.bin");
    let refused = write_hierarchy(&path, &[vec![], vec![]], &[vec![], vec![2]]).unwrap_err();
    assert!(matches!(
        refused,
        HierarchyError::UnknownAncestor {
            concept: ConceptOrd(1),
            ancestor: ConceptOrd(2),
            concepts: 2
        }
    ));
    let refused = write_hierarchy(&path, &[vec![], vec![2]], &[]).unwrap_err();
    assert!(matches!(
        refused,
        HierarchyError::UnknownParent {
            concept: ConceptOrd(1),
            parent: ConceptOrd(2),
            concepts: 2
        }
    ));
    assert!(!path.exists());
}

#[test]
fn a_long_chain_needs_no_deep_stack() {
    let n = 100_000u32;
    let parents: Vec<Vec<u32>> =
        (0..n).map(|ord| ord.checked_sub(1).into_iter().collect()).collect();
    let (chain, summary) = hierarchy(&parents);
    let last = ConceptOrd(n - 1);
    assert_eq!(summary.edges, n - 1);
    assert_eq!(chain.ancestors(last).len(), n as usize - 1);
    assert_eq!(chain.descendants(ConceptOrd(0)).len(), n as usize - 1);
    assert_eq!(chain.paths(last)[0].len(), n as usize);
    assert_eq!(chain.depth(last), u32::from(u16::MAX), "deeper than is counted");
    assert_eq!(chain.depth(ConceptOrd(1000)), 1000);
}

#[test]
fn paths_stop_at_their_limit() {
    // A ladder of 20 diamonds has a million ways up.
    let mut parents = vec![vec![]];
    for step in 0..20 {
        let top = step * 3;
        parents.extend([vec![top], vec![top], vec![top + 1, top + 2]]);
    }
    let (ladder, _) = hierarchy(&parents);
    let paths = ladder.paths(ConceptOrd(60));
    assert_eq!(paths.len(), MAX_PATHS);
    assert!(paths.iter().all(|path| path.len() == 41 && path[0] == ConceptOrd(0)));
    let different: BTreeSet<_> = paths.iter().collect();
    assert_eq!(different.len(), MAX_PATHS);
}

/// Calls every accessor for every ord and some that are none.
fn visit(h: &Hierarchy) {
    let n = u32::try_from(h.len()).unwrap();
    let is_known = |ord: &ConceptOrd| ord.0 < n;
    assert!(h.roots().all(|ord| is_known(&ord)));
    let ords: Vec<ConceptOrd> =
        (0..n + 2).chain([u32::MAX - 1, u32::MAX]).map(ConceptOrd).collect();
    for ord in &ords {
        assert!(h.parents(*ord).all(|ord| is_known(&ord)));
        assert!(h.children(*ord).all(|ord| is_known(&ord)));
        assert!(h.stated_ancestors(*ord).all(|ord| is_known(&ord)));
        for found in [h.ancestors(*ord), h.descendants(*ord), h.siblings(*ord)] {
            assert!(found.iter().all(is_known));
            assert!(!found.contains(ord));
        }
        assert!(h.paths(*ord).iter().flatten().all(is_known));
        let _ = (h.depth(*ord), h.has_edges());
        for other in &ords {
            let _ = h.subsumes(*ord, *other);
        }
    }
}

#[test]
fn no_damaged_byte_makes_a_panic() {
    let dir = tempfile::tempdir().unwrap();
    let (path, _) = write(dir.path(), &diamond(), &stated());
    let good = std::fs::read(&path).unwrap();
    let mut opened = 0;
    for at in 0..good.len() {
        // The low bits turn ords into others of the index, which makes cycles.
        for mask in [0x01, 0x02, 0x03, 0x04, 0x06, 0x80, 0xff] {
            let mut bad = good.clone();
            bad[at] ^= mask;
            std::fs::write(&path, &bad).unwrap();
            if let Ok(hierarchy) = Hierarchy::open(&path) {
                opened += 1;
                visit(&hierarchy);
                assert!(hierarchy.verify().is_err(), "byte {at} changed unnoticed");
            }
        }
    }
    assert!(opened > 500, "only {opened} damaged files were looked into");
}

/// Edges only from a concept to one whose place in `order` is earlier: no cycles, ords any.
fn any_dag() -> impl Strategy<Value = Vec<Vec<u32>>> {
    (0u32..24)
        .prop_flat_map(|n| {
            let row = prop::collection::vec(any::<prop::sample::Index>(), 0..4);
            let rows = prop::collection::vec(row, n as usize);
            (Just((0..n).collect::<Vec<u32>>()).prop_shuffle(), rows)
        })
        .prop_map(|(order, rows)| {
            let mut parents = vec![Vec::new(); order.len()];
            for (place, row) in rows.into_iter().enumerate().skip(1) {
                parents[order[place] as usize] =
                    row.iter().map(|i| order[i.index(place)]).collect();
            }
            parents
        })
}

/// A hierarchy without cycles, and stated ancestors for some of its concepts, which may be any.
fn any_stated() -> impl Strategy<Value = (Vec<Vec<u32>>, Vec<Vec<u32>>)> {
    any_dag().prop_flat_map(|parents| {
        let n = u32::try_from(parents.len()).unwrap();
        let list =
            prop_oneof![2 => Just(Vec::new()), 1 => prop::collection::vec(0..n.max(1), 0..6)];
        let stated = prop::collection::vec(list, parents.len());
        (Just(parents), stated)
    })
}

fn any_graph() -> impl Strategy<Value = Vec<Vec<u32>>> {
    (1u32..16)
        .prop_flat_map(|n| prop::collection::vec(prop::collection::vec(0..n, 0..4), n as usize))
}

/// `above[a][b]`: whether `b` lies above `a`, by Warshall's closure.
fn closure(parents: &[Vec<u32>]) -> Vec<Vec<bool>> {
    let n = parents.len();
    let mut above = vec![vec![false; n]; n];
    for (ord, row) in parents.iter().enumerate() {
        for parent in row {
            above[ord][*parent as usize] = true;
        }
    }
    for middle in 0..n {
        for low in 0..n {
            for high in 0..n {
                above[low][high] |= above[low][middle] && above[middle][high];
            }
        }
    }
    above
}

fn naive_paths(parents: &[Vec<u32>], ord: u32) -> Vec<Vec<u32>> {
    let above: BTreeSet<u32> = parents[ord as usize].iter().copied().collect();
    if above.is_empty() {
        return vec![vec![ord]];
    }
    let longer = |mut path: Vec<u32>| {
        path.push(ord);
        path
    };
    above.into_iter().flat_map(|parent| naive_paths(parents, parent)).map(longer).collect()
}

#[test]
fn of_edges_that_went_for_others_none_is_missed() {
    // Found by the property below: mending one edge let another one stay.
    let parents: Vec<Vec<u32>> = vec![
        vec![8, 7],
        vec![4, 2],
        vec![0],
        vec![],
        vec![6],
        vec![4],
        vec![7],
        vec![1, 9],
        vec![4],
        vec![],
        vec![],
        vec![],
    ];
    let (h, summary) = hierarchy(&parents);
    let kept: Vec<Vec<u32>> =
        (0..parents.len()).map(|ord| numbers(h.parents(ConceptOrd(ord as u32)))).collect();
    let above = closure(&kept);
    let dropped = parents
        .iter()
        .enumerate()
        .flat_map(|(child, row)| row.iter().map(move |parent| (child, *parent)));
    let dropped: Vec<(usize, u32)> =
        dropped.filter(|(child, parent)| !kept[*child].contains(parent)).collect();
    assert_eq!(dropped.len(), summary.dropped_cycle_edges as usize);
    assert!(dropped.iter().all(|(child, parent)| above[*parent as usize][*child]), "{dropped:?}");
}

proptest! {
    #[test]
    fn walks_agree_with_the_closure(parents in any_dag()) {
        let (h, summary) = hierarchy(&parents);
        prop_assert_eq!(summary.dropped_cycle_edges, 0);
        let above = closure(&parents);
        let n = u32::try_from(parents.len()).unwrap();
        for a in 0..n {
            let ord = ConceptOrd(a);
            let expected_below: Vec<u32> = (0..n).filter(|b| above[*b as usize][a as usize]).collect();
            prop_assert_eq!(numbers(h.descendants(ord)), expected_below);
            let ancestors = numbers(h.ancestors(ord));
            let mut sorted = ancestors.clone();
            sorted.sort_unstable();
            let expected_above: Vec<u32> = (0..n).filter(|b| above[a as usize][*b as usize]).collect();
            prop_assert_eq!(sorted, expected_above);
            for b in 0..n {
                prop_assert_eq!(h.subsumes(ConceptOrd(b), ord), above[a as usize][b as usize]);
            }
            let paths = naive_paths(&parents, a);
            let shortest = paths.iter().map(Vec::len).min().unwrap() - 1;
            prop_assert_eq!(h.depth(ord) as usize, shortest);
            let found: Vec<Vec<u32>> = h.paths(ord).into_iter().map(numbers).collect();
            prop_assert_eq!(&found[..], &paths[..paths.len().min(MAX_PATHS)]);

            let distances: Vec<u32> = ancestors.iter().map(|b| distance(&parents, a, *b)).collect();
            prop_assert!(distances.is_sorted(), "nearest first: {:?}", distances);
            let family: BTreeSet<u32> = h.parents(ord).flat_map(|p| h.children(p)).map(|o| o.0).filter(|o| *o != a).collect();
            prop_assert_eq!(numbers(h.siblings(ord)), family.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn of_any_graph_a_hierarchy_without_cycles_is_kept(parents in any_graph()) {
        let (h, summary) = hierarchy(&parents);
        let kept: Vec<Vec<u32>> =
            (0..parents.len()).map(|ord| numbers(h.parents(ConceptOrd(ord as u32)))).collect();
        let above = closure(&kept);
        prop_assert!((0..kept.len()).all(|ord| !above[ord][ord]));
        let mut wanted = parents.clone();
        wanted.iter_mut().for_each(|row| { row.sort_unstable(); row.dedup(); });
        let edges = |rows: &[Vec<u32>]| rows.iter().map(Vec::len).sum::<usize>();
        prop_assert_eq!(edges(&kept), summary.edges as usize);
        prop_assert_eq!(edges(&wanted) - edges(&kept), summary.dropped_cycle_edges as usize);
        let had_cycle = { let all = closure(&parents); (0..all.len()).any(|ord| all[ord][ord]) };
        prop_assert_eq!(had_cycle, summary.dropped_cycle_edges > 0);
        // A dropped edge is one that would close a cycle with those that are kept.
        for (ord, row) in wanted.iter().enumerate() {
            for parent in row.iter().filter(|parent| !kept[ord].contains(*parent)) {
                prop_assert!(*parent as usize == ord || above[*parent as usize][ord]);
            }
        }
    }

    #[test]
    fn below_is_the_other_side_of_above((parents, stated) in any_stated()) {
        let (h, _) = stating(&parents, &stated);
        let over_parents = closure(&parents);
        let n = u32::try_from(parents.len()).unwrap();
        let is_above = |high: u32, low: u32| match &stated[low as usize] {
            none if none.iter().all(|one| *one == low) => over_parents[low as usize][high as usize],
            list => high != low && list.contains(&high),
        };
        for a in 0..n {
            let ord = ConceptOrd(a);
            let below: Vec<u32> = (0..n).filter(|b| is_above(a, *b)).collect();
            prop_assert_eq!(numbers(h.descendants(ord)), below);
            let ancestors = numbers(h.ancestors(ord));
            let above: BTreeSet<u32> = (0..n).filter(|b| is_above(*b, a)).collect();
            prop_assert_eq!(ancestors.len(), above.len());
            prop_assert_eq!(ancestors.iter().copied().collect::<BTreeSet<u32>>(), above);
            for b in 0..n {
                prop_assert_eq!(h.subsumes(ConceptOrd(b), ord), is_above(b, a));
            }
            let distances: Vec<u32> = ancestors.iter().map(|b| distance(&parents, a, *b)).collect();
            prop_assert!(distances.is_sorted(), "nearest first: {:?}", distances);
        }
    }

    #[test]
    fn the_same_parents_give_the_same_bytes(parents in any_graph()) {
        let dir = tempfile::tempdir().unwrap();
        let turn = |rows: &[Vec<u32>]| rows.iter().map(|row| row.iter().rev().copied().collect()).collect::<Vec<_>>();
        let stated = turn(&parents);
        let first = std::fs::read(write(dir.path(), &parents, &stated).0).unwrap();
        prop_assert_eq!(first, std::fs::read(write(dir.path(), &turn(&parents), &turn(&stated)).0).unwrap());
    }

    #[test]
    fn no_damage_makes_a_panic(at in any::<prop::sample::Index>(), noise in prop::collection::vec(0u8..9, 1..40)) {
        let dir = tempfile::tempdir().unwrap();
        let (path, _) = write(dir.path(), &diamond(), &stated());
        let mut bytes = std::fs::read(&path).unwrap();
        let at = at.index(bytes.len() - noise.len());
        bytes[at..at + noise.len()].copy_from_slice(&noise);
        std::fs::write(&path, &bytes).unwrap();
        if let Ok(hierarchy) = Hierarchy::open(&path) {
            visit(&hierarchy);
        }
    }
}

/// Edges of the shortest way up from `low` to `high`.
fn distance(parents: &[Vec<u32>], low: u32, high: u32) -> u32 {
    if low == high {
        return 0;
    }
    let ways = parents[low as usize].iter().map(|parent| distance(parents, *parent, high));
    ways.min().unwrap_or(u32::MAX / 2).saturating_add(1)
}

proptest! {
    #[test]
    fn what_was_seen_is_a_set(concepts in 1usize..9000, ords in prop::collection::vec(any::<prop::sample::Index>(), 0..300)) {
        let mut seen = super::seen::Seen::new(concepts);
        let mut set = BTreeSet::new();
        for ord in ords {
            let ord = ConceptOrd(ord.index(concepts) as u32);
            prop_assert_eq!(seen.insert(ord), set.insert(ord));
        }
        if let Some(ordered) = seen.in_order() {
            prop_assert_eq!(ordered, set.into_iter().collect::<Vec<_>>());
        } else {
            prop_assert!(set.len() < 32.max(concepts / 64), "bits would take less time");
        }
    }
}
