//! Intervals that tell of most pairs of concepts, without a walk, that one is not above the other.

use super::HierarchyError;
use super::layout::section;
use crate::disk::{DiskError, Mapped, Part, PartWriter};
use crate::terminology::ConceptOrd;

/// Two intervals a concept: the numbers of all below it, the concept itself the highest, as a walk
/// down numbers them on its way back, once from the first child to the last and once from the last to
/// the first. In a tree the interval of what is below lies within that of what is above and in no
/// other; where a concept has several parents it may lie within others too, so that only the contrary
/// is certain: without containment nothing is above (H. Yildirim, V. Chaoji, M. Zaki: GRAIL, Scalable
/// Reachability Index for Large Graphs, VLDB 2010).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct Span([u32; 4]);

impl Span {
    fn contains(self, other: Self) -> bool {
        let [low, high, low_back, high_back] = self.0;
        let [inner, inner_high, inner_back, inner_high_back] = other.0;
        low <= inner && inner_high <= high && low_back <= inner_back && inner_high_back <= high_back
    }
}

/// The intervals of all concepts; none where an earlier medterm wrote the hierarchy.
#[derive(Debug)]
pub(super) struct Intervals(Option<Mapped<u32>>);

impl Intervals {
    pub(super) fn open(part: &Part, concepts: usize) -> Result<Self, DiskError> {
        if !part.sections().any(|name| name == section::INTERVAL) {
            return Ok(Self(None));
        }
        part.section_of(section::INTERVAL, concepts * 4).map(|values| Self(Some(values)))
    }

    /// The intervals of a concept.
    pub(super) fn of(&self, ord: ConceptOrd) -> Option<Span> {
        let start = ord.index().checked_mul(4)?;
        let four = self.0.as_ref()?.get(start..start.checked_add(4)?)?;
        four.try_into().ok().map(Span)
    }

    /// Whether a concept may lie below the one with this span. True where it is not known.
    pub(super) fn may_be_below(&self, ord: ConceptOrd, above: Option<Span>) -> bool {
        above.zip(self.of(ord)).is_none_or(|(above, own)| above.contains(own))
    }
}

/// Writes the intervals of a hierarchy without cycles.
pub(super) fn write(
    writer: &mut PartWriter,
    roots: &[u32],
    children: &[Vec<u32>],
) -> Result<(), HierarchyError> {
    let forth = numbered(roots.iter(), children, |row, at| row.get(at));
    let back = numbered(roots.iter().rev(), children, |row, at| {
        row.len().checked_sub(at + 1).and_then(|at| row.get(at))
    });
    let both = forth.into_iter().zip(back);
    let values: Vec<u32> = both.flat_map(|((a, b), (c, d))| [a, b, c, d]).collect();
    Ok(writer.section(section::INTERVAL, &values)?)
}

/// The lowest and the highest number at or below each concept. The walk keeps its own stack: a chain
/// of a hundred thousand concepts must not end the process.
fn numbered<'a>(
    roots: impl Iterator<Item = &'a u32>,
    children: &[Vec<u32>],
    child: impl Fn(&[u32], usize) -> Option<&u32>,
) -> Vec<(u32, u32)> {
    /// No number yet: there are fewer concepts.
    const NONE: u32 = u32::MAX;
    let mut spans = vec![(NONE, NONE); children.len()];
    let mut numbers = 0u32..;
    // Each concept on the way, which of its children is next, and the lowest number so far.
    let mut way: Vec<(u32, usize, u32)> = Vec::new();
    for root in roots {
        way.push((*root, 0, NONE));
        while let Some((concept, next, low)) = way.last_mut() {
            if let Some(child) = child(&children[*concept as usize], *next) {
                *next += 1;
                match spans[*child as usize] {
                    (NONE, _) => way.push((*child, 0, NONE)),
                    (known, _) => *low = known.min(*low),
                }
                continue;
            }
            let number = numbers.next().unwrap_or(NONE);
            let span = (number.min(*low), number);
            spans[*concept as usize] = span;
            way.pop();
            if let Some((_, _, low)) = way.last_mut() {
                *low = span.0.min(*low);
            }
        }
    }
    spans
}
