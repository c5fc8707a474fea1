use std::collections::VecDeque;
use std::path::Path;

use super::cycles::without_cycles;
use super::layout::section;
use super::{HIERARCHY_FORMAT, HierarchyError};
use super::{intervals, stated};
use crate::disk::{PartKind, PartSummary, PartWriter};
use crate::terminology::ConceptOrd;

/// What was written: for the manifest and the report of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HierarchySummary {
    /// The file.
    pub part: PartSummary,
    /// How many edges from a concept to a parent, each once.
    pub edges: u32,
    /// How many concepts have no parent, those that have no children either among them.
    pub roots: u32,
    /// How many edges were left out because they close a cycle; zero for a sound release.
    pub dropped_cycle_edges: u32,
}

/// Writes the hierarchy of an index to `path`, which must not exist.
///
/// `parents[ord]` are the ords of the concepts directly above concept `ord`, in any order; repeated
/// ones count once. Where edges form a cycle, the one that closes it is dropped: the last one met
/// when walking upwards depth first, from the concepts and to the parents in ord order; or another
/// one of the cycle, where that leaves a concept a parent that has no other. A concept that is its
/// own parent is a cycle of one.
///
/// `stated[ord]` are all the concepts above concept `ord`, in any order, where that is not what is
/// above its parents; an empty list, or none, leaves it to the parents. Lists are taken as they are:
/// nothing is added that is above what they name.
///
/// # Errors
/// [`HierarchyError::UnknownParent`], [`HierarchyError::UnknownAncestor`] and
/// [`HierarchyError::TooMany`] before anything is written, and [`HierarchyError::Disk`].
pub fn write_hierarchy(
    path: &Path,
    parents: &[Vec<u32>],
    stated: &[Vec<u32>],
) -> Result<HierarchySummary, HierarchyError> {
    let n = fits_u32("concepts", parents.len())?;
    check_parents(parents)?;
    let stated = stated::sorted(stated, parents.len())?;
    let (parents, dropped) = without_cycles(sorted(parents));
    let edges = fits_u32("parents", parents.iter().map(Vec::len).sum())?;

    let mut children = vec![Vec::new(); parents.len()];
    let mut roots = Vec::new();
    for (ord, above) in (0..n).zip(&parents) {
        for parent in above {
            children[*parent as usize].push(ord);
        }
        if above.is_empty() {
            roots.push(ord);
        }
    }

    let mut writer = PartWriter::create(path, PartKind::Hierarchy, HIERARCHY_FORMAT)?;
    write_rows(&mut writer, [section::PARENT_AT, section::PARENT], &parents)?;
    write_rows(&mut writer, [section::CHILD_AT, section::CHILD], &children)?;
    writer.section(section::DEPTH, &depths(&roots, &children))?;
    writer.section(section::ROOT, &roots)?;
    stated::write(&mut writer, stated, parents.len())?;
    intervals::write(&mut writer, &roots, &children)?;
    Ok(HierarchySummary {
        part: writer.finish()?,
        edges,
        roots: fits_u32("roots", roots.len())?,
        dropped_cycle_edges: fits_u32("dropped edges", dropped)?,
    })
}

fn check_parents(parents: &[Vec<u32>]) -> Result<(), HierarchyError> {
    let concepts = parents.len();
    for (ord, above) in (0..).zip(parents) {
        if let Some(parent) = above.iter().find(|parent| **parent as usize >= concepts) {
            let (concept, parent) = (ConceptOrd(ord), ConceptOrd(*parent));
            return Err(HierarchyError::UnknownParent { concept, parent, concepts });
        }
    }
    Ok(())
}

fn sorted(parents: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let sort = |above: &Vec<u32>| {
        let mut above = above.clone();
        above.sort_unstable();
        above.dedup();
        above
    };
    parents.iter().map(sort).collect()
}

/// Edges of the shortest way from each concept up to a root; deeper than 65,535 counts as that.
fn depths(roots: &[u32], children: &[Vec<u32>]) -> Vec<u16> {
    let mut depths = vec![0u16; children.len()];
    let mut seen = vec![false; children.len()];
    let mut queue: VecDeque<u32> = roots.iter().copied().collect();
    for root in roots {
        seen[*root as usize] = true;
    }
    while let Some(ord) = queue.pop_front() {
        let below = depths[ord as usize].saturating_add(1);
        for child in &children[ord as usize] {
            if !std::mem::replace(&mut seen[*child as usize], true) {
                depths[*child as usize] = below;
                queue.push_back(*child);
            }
        }
    }
    depths
}

pub(super) fn write_rows(
    writer: &mut PartWriter,
    [offsets, values]: [&str; 2],
    rows: &[Vec<u32>],
) -> Result<(), HierarchyError> {
    let mut at = vec![0];
    let mut end = 0;
    for row in rows {
        end += row.len();
        at.push(fits_u32("edges", end)?);
    }
    writer.section(offsets, &at)?;
    writer.section(values, &rows.concat())?;
    Ok(())
}

pub(super) fn fits_u32(what: &'static str, count: usize) -> Result<u32, HierarchyError> {
    u32::try_from(count).map_err(|_| HierarchyError::TooMany { what })
}
