//! Edges that form cycles, which no hierarchy has.

/// The most dropped edges for which better ones are looked for. MeSH has one, and a release with a
/// hundred is damaged.
const MAX_MENDED: usize = 100;

/// A concept and one directly above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edge {
    child: usize,
    parent: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    NotYet,
    /// On the way from where the walk began to where it is.
    OnTheWay,
    Done,
}

/// The edges without those that close a cycle, and how many those were. The walk keeps its own
/// stack: a chain of a hundred thousand concepts must not end the process.
pub(super) fn without_cycles(mut parents: Vec<Vec<u32>>) -> (Vec<Vec<u32>>, usize) {
    let mut visits = vec![Visit::NotYet; parents.len()];
    let mut dropped: Vec<Edge> = Vec::new();
    // Each concept on the way, and which of its parents is next.
    let mut way: Vec<(usize, usize)> = Vec::new();
    for start in 0..parents.len() {
        if visits[start] != Visit::NotYet {
            continue;
        }
        visits[start] = Visit::OnTheWay;
        way.push((start, 0));
        while let Some((concept, next)) = way.last_mut() {
            let Some(parent) = parents[*concept].get(*next).map(|parent| *parent as usize) else {
                visits[*concept] = Visit::Done;
                way.pop();
                continue;
            };
            match visits[parent] {
                Visit::OnTheWay => {
                    parents[*concept].remove(*next);
                    dropped.push(Edge { child: *concept, parent });
                }
                Visit::Done => *next += 1,
                Visit::NotYet => {
                    *next += 1;
                    visits[parent] = Visit::OnTheWay;
                    way.push((parent, 0));
                }
            }
        }
    }
    let count = dropped.len();
    if count > MAX_MENDED {
        return (parents, count);
    }
    let instead: Vec<Edge> = dropped.iter().filter_map(|edge| mend(&mut parents, *edge)).collect();
    let mut back = 0;
    if !instead.is_empty() {
        dropped.extend(instead);
        back = put_back(&mut parents, &dropped);
    }
    (parents, count - back)
}

/// Keeps an edge that was dropped, whose child has no parent left, and drops one of its cycle instead
/// whose child has another: MeSH has two disorders of the eyes each of which is below the other, and
/// one of them belongs nowhere else. Gives the edge that went instead.
fn mend(parents: &mut [Vec<u32>], edge: Edge) -> Option<Edge> {
    if edge.child == edge.parent || !parents[edge.child].is_empty() {
        return None;
    }
    let way = way_up(parents, edge.parent, edge.child)?;
    for (below, above) in way.iter().zip(&way[1..]) {
        let instead = Edge { child: *below, parent: *above };
        if parents[instead.child].len() < 2 {
            continue;
        }
        remove(parents, instead);
        if way_up(parents, edge.parent, edge.child).is_none() {
            insert(parents, edge);
            return Some(instead);
        }
        insert(parents, instead);
    }
    None
}

/// Puts the edges back that close no cycle any more; how many.
fn put_back(parents: &mut [Vec<u32>], dropped: &[Edge]) -> usize {
    let mut count = 0;
    for edge in dropped {
        let is_there = parents[edge.child].iter().any(|parent| *parent as usize == edge.parent);
        if !is_there && way_up(parents, edge.parent, edge.child).is_none() {
            insert(parents, *edge);
            count += 1;
        }
    }
    count
}

/// A way from a concept up to another, both included.
fn way_up(parents: &[Vec<u32>], from: usize, to: usize) -> Option<Vec<usize>> {
    // From where each concept was come to.
    let mut below: Vec<Option<usize>> = vec![None; parents.len()];
    below[from] = Some(from);
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        if at == to {
            let mut way = vec![to];
            let mut at = to;
            while at != from {
                at = below[at]?;
                way.push(at);
            }
            way.reverse();
            return Some(way);
        }
        for parent in &parents[at] {
            let parent = *parent as usize;
            if below[parent].is_none() {
                below[parent] = Some(at);
                open.push(parent);
            }
        }
    }
    None
}

fn remove(parents: &mut [Vec<u32>], edge: Edge) {
    parents[edge.child].retain(|parent| *parent as usize != edge.parent);
}

fn insert(parents: &mut [Vec<u32>], edge: Edge) {
    let Ok(parent) = u32::try_from(edge.parent) else { return };
    let row = &mut parents[edge.child];
    if let Err(at) = row.binary_search(&parent) {
        row.insert(at, parent);
    }
}
