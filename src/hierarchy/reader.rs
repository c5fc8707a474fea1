use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::intervals::Intervals;
use super::layout::section;
use super::seen::Seen;
use super::stated::Lists;
use super::{HIERARCHY_FORMAT, HierarchyError};
use crate::disk::{Mapped, Part, PartKind};
use crate::terminology::ConceptOrd;

/// The most paths that [`Hierarchy::paths`] returns. In a polyhierarchy they are as many as the
/// ways to walk up, which grows with the product of the parents.
pub const MAX_PATHS: usize = 32;

/// The most steps taken in search of paths. A sound file needs a few hundred; the bound is there
/// for damaged ones, whose cycles have ways that end nowhere.
const MAX_PATH_STEPS: usize = 1 << 20;

/// The hierarchy of an index, open for reading. Cheap to clone.
///
/// Every ord returned is below [`Hierarchy::len`]. An ord that is not of this index has no
/// neighbors.
#[derive(Debug, Clone)]
pub struct Hierarchy(Arc<Sections>);

#[derive(Debug)]
struct Sections {
    part: Part,
    parents: Rows,
    children: Rows,
    depth: Mapped<u16>,
    root: Mapped<u32>,
    above: Lists,
    below: Lists,
    intervals: Intervals,
}

/// One direction of the edges.
#[derive(Debug)]
struct Rows {
    at: Mapped<u32>,
    values: Mapped<u32>,
}

impl Hierarchy {
    /// Opens the hierarchy of an index and checks its header and that its sections have the lengths
    /// they must have to each other.
    ///
    /// # Errors
    /// [`HierarchyError::Disk`] when the file is missing, of another kind or format, or damaged.
    pub fn open(path: &Path) -> Result<Self, HierarchyError> {
        let part = Part::open(path, PartKind::Hierarchy, HIERARCHY_FORMAT)?;
        let depth: Mapped<u16> = part.section(section::DEPTH)?;
        let rows = |offsets: &str, values: &str| -> Result<Rows, HierarchyError> {
            let at: Mapped<u32> = part.section_of(offsets, depth.len() + 1)?;
            let values: Mapped<u32> = part.section(values)?;
            if at.last().map(|end| *end as usize) != Some(values.len()) {
                return Err(part.damaged(offsets, "it does not end where its values end").into());
            }
            Ok(Rows { at, values })
        };
        let parents = rows(section::PARENT_AT, section::PARENT)?;
        let children = rows(section::CHILD_AT, section::CHILD)?;
        if parents.values.len() != children.values.len() {
            let reason = "it has another number of edges than there are upwards";
            return Err(part.damaged(section::CHILD, reason).into());
        }
        let root = part.section(section::ROOT)?;
        let (above, below) = (Lists::above(&part)?, Lists::below(&part)?);
        if above.len() != below.len() {
            let reason = "it has another number of ancestors than there are upwards";
            return Err(part.damaged(section::BELOW, reason).into());
        }
        let intervals = Intervals::open(&part, depth.len())?;
        Ok(Self(Arc::new(Sections {
            parents,
            children,
            depth,
            root,
            above,
            below,
            intervals,
            part,
        })))
    }

    /// Reads every byte and compares it with the checksums.
    ///
    /// # Errors
    /// [`HierarchyError::Disk`] naming the first section that differs.
    pub fn verify(&self) -> Result<(), HierarchyError> {
        Ok(self.0.part.verify()?)
    }

    /// How many concepts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.depth.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether any concept is above any other: false for a flat list of codes.
    #[must_use]
    pub fn has_edges(&self) -> bool {
        !self.0.parents.values.is_empty() || self.0.above.len() > 0
    }

    /// The concepts without parents, in ord order. In a flat list of codes these are all of them.
    pub fn roots(&self) -> impl Iterator<Item = ConceptOrd> + Clone {
        self.known(&self.0.root)
    }

    /// The concepts directly above, in ord order.
    pub fn parents(&self, ord: ConceptOrd) -> impl Iterator<Item = ConceptOrd> + Clone {
        self.known(self.0.parents.row(ord))
    }

    /// The concepts directly below, in ord order.
    pub fn children(&self, ord: ConceptOrd) -> impl Iterator<Item = ConceptOrd> + Clone {
        self.known(self.0.children.row(ord))
    }

    /// The other children of the concept's parents, in ord order, each once. A root has none.
    #[must_use]
    pub fn siblings(&self, ord: ConceptOrd) -> Vec<ConceptOrd> {
        let mut siblings: Vec<ConceptOrd> = self
            .parents(ord)
            .flat_map(|parent| self.children(parent))
            .filter(|sibling| *sibling != ord)
            .collect();
        siblings.sort_unstable();
        siblings.dedup();
        siblings
    }

    /// How many edges the shortest way up to a root has: 0 for a root.
    #[must_use]
    pub fn depth(&self, ord: ConceptOrd) -> u32 {
        self.0.depth.get(ord.index()).copied().unwrap_or_default().into()
    }

    /// The ancestors that the release states where they are not what is above the parents, in ord
    /// order. None for a concept whose parents say it all.
    pub fn stated_ancestors(&self, ord: ConceptOrd) -> impl Iterator<Item = ConceptOrd> + Clone {
        self.known(self.0.above.of(ord).unwrap_or_default()).filter(move |above| *above != ord)
    }

    /// All concepts above, each once: the parents first, then what is two edges away, and so on;
    /// among equally near ones in the order in which they are met, from parents in ord order. Where
    /// they are stated, these are the ones, those last that no way over parents leads to.
    #[must_use]
    pub fn ancestors(&self, ord: ConceptOrd) -> Vec<ConceptOrd> {
        let over_parents = self.above_parents(ord);
        if self.0.above.of(ord).is_none() {
            return over_parents;
        }
        let mut rest: BTreeSet<ConceptOrd> = self.stated_ancestors(ord).collect();
        let mut ancestors: Vec<ConceptOrd> =
            over_parents.into_iter().filter(|ancestor| rest.remove(ancestor)).collect();
        ancestors.extend(rest);
        ancestors
    }

    /// What the parents say is above, nearest first.
    fn above_parents(&self, ord: ConceptOrd) -> Vec<ConceptOrd> {
        let mut seen = Seen::new(self.len());
        seen.insert(ord);
        let mut ancestors: Vec<ConceptOrd> =
            self.parents(ord).filter(|parent| seen.insert(*parent)).collect();
        let mut next = 0;
        while let Some(ancestor) = ancestors.get(next).copied() {
            next += 1;
            ancestors.extend(self.parents(ancestor).filter(|parent| seen.insert(*parent)));
        }
        ancestors
    }

    /// Whether a walk up over the parents comes to `ancestor`. What is above a concept is little,
    /// what is below may be everything: so the walk goes up, over nothing that cannot be below the
    /// ancestor, and ends where it has arrived.
    fn leads_up_to(&self, ancestor: ConceptOrd, from: ConceptOrd) -> bool {
        let intervals = &self.0.intervals;
        let target = intervals.of(ancestor);
        if !intervals.may_be_below(from, target) {
            return false;
        }
        let mut seen = Seen::new(self.len());
        seen.insert(from);
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            for parent in self.parents(at) {
                if parent == ancestor {
                    return true;
                }
                if intervals.may_be_below(parent, target) && seen.insert(parent) {
                    open.push(parent);
                }
            }
        }
        false
    }

    /// All concepts below, each once, in ord order.
    #[must_use]
    pub fn descendants(&self, ord: ConceptOrd) -> Vec<ConceptOrd> {
        let stated = self.known(self.0.below.of(ord).unwrap_or_default());
        let stated = stated.filter(|below| *below != ord);
        if self.children(ord).next().is_none() {
            return stated.collect();
        }
        let mut descendants = self.below_children(ord);
        if self.0.above.len() == 0 {
            return descendants;
        }
        // Of those that state what is above them, only the ones that state this concept.
        descendants.retain(|descendant| self.0.above.of(*descendant).is_none());
        descendants.extend(stated);
        descendants.sort_unstable();
        descendants.dedup();
        descendants
    }

    /// What the children say is below, in ord order.
    fn below_children(&self, ord: ConceptOrd) -> Vec<ConceptOrd> {
        let mut seen = Seen::new(self.len());
        let mut descendants: Vec<ConceptOrd> =
            self.children(ord).filter(|child| seen.insert(*child)).collect();
        let mut next = 0;
        while let Some(descendant) = descendants.get(next).copied() {
            next += 1;
            descendants.extend(self.children(descendant).filter(|child| seen.insert(*child)));
        }
        match seen.in_order() {
            Some(ordered) => descendants = ordered,
            None => descendants.sort_unstable(),
        }
        // Only in a damaged file does a way down come back to where it began.
        descendants.retain(|descendant| *descendant != ord);
        descendants
    }

    /// Whether `ancestor` lies above `descendant`, at any distance. No concept lies above itself.
    #[must_use]
    pub fn subsumes(&self, ancestor: ConceptOrd, descendant: ConceptOrd) -> bool {
        ancestor != descendant
            && match self.0.above.of(descendant) {
                Some(_) => self.stated_ancestors(descendant).any(|one| one == ancestor),
                None => self.leads_up_to(ancestor, descendant),
            }
    }

    /// The ways from a root down to the concept, both included, at most [`MAX_PATHS`] of them; the
    /// way over the first parents comes first. A root has one, which is itself.
    #[must_use]
    pub fn paths(&self, ord: ConceptOrd) -> Vec<Vec<ConceptOrd>> {
        let mut paths = Vec::new();
        if ord.index() >= self.len() {
            return paths;
        }
        // The way from the concept upwards, and beside each step the parents not yet walked.
        let mut way = vec![ord];
        let mut on_way = HashSet::from([ord]);
        let mut untried = vec![self.parents(ord)];
        for _ in 0..MAX_PATH_STEPS {
            let (Some(here), Some(parents)) = (way.last().copied(), untried.last_mut()) else {
                break;
            };
            match parents.next() {
                Some(parent) if on_way.insert(parent) => {
                    way.push(parent);
                    untried.push(self.parents(parent));
                }
                // Only in a damaged file does a way come back to itself.
                Some(_) => {}
                None => {
                    if self.parents(here).next().is_none() {
                        paths.push(way.iter().rev().copied().collect());
                        if paths.len() == MAX_PATHS {
                            break;
                        }
                    }
                    on_way.remove(&here);
                    way.pop();
                    untried.pop();
                }
            }
        }
        paths
    }

    /// Whether any concept states what is above it.
    pub(super) fn has_stated(&self) -> bool {
        self.0.above.len() > 0
    }

    /// Whether a concept states what is above it, rather than that its parents tell it.
    pub(super) fn states_ancestors(&self, ord: ConceptOrd) -> bool {
        self.0.above.of(ord).is_some()
    }

    /// The concepts that state that this one is above them, in ord order.
    pub(super) fn stated_descendants(&self, ord: ConceptOrd) -> impl Iterator<Item = ConceptOrd> {
        self.known(self.0.below.of(ord).unwrap_or_default()).filter(move |below| *below != ord)
    }

    /// The values as ords, without those that a damaged file made up.
    fn known<'a>(&self, values: &'a [u32]) -> impl Iterator<Item = ConceptOrd> + Clone + use<'a> {
        let n = self.len();
        values.iter().copied().map(ConceptOrd).filter(move |ord| ord.index() < n)
    }
}

impl Rows {
    fn row(&self, ord: ConceptOrd) -> &[u32] {
        let start = self.at.get(ord.index());
        let end = self.at.get(ord.index().saturating_add(1));
        start
            .zip(end)
            .and_then(|(start, end)| self.values.get(*start as usize..*end as usize))
            .unwrap_or_default()
    }
}
