//! The layout of the part's file.

/// The format of `hierarchy.bin` that this version writes and reads.
pub const HIERARCHY_FORMAT: u32 = 2;

/// The names of the sections, in the order in which they are written.
pub(super) mod section {
    pub(in crate::hierarchy) const PARENT_AT: &str = "parent_at";
    pub(in crate::hierarchy) const PARENT: &str = "parent";
    pub(in crate::hierarchy) const CHILD_AT: &str = "child_at";
    pub(in crate::hierarchy) const CHILD: &str = "child";
    pub(in crate::hierarchy) const DEPTH: &str = "depth";
    pub(in crate::hierarchy) const ROOT: &str = "root";
    /// The concepts whose ancestors are stated, ascending, and the ancestors of each, ascending.
    pub(in crate::hierarchy) const STATED: &str = "stated";
    pub(in crate::hierarchy) const ABOVE_AT: &str = "above_at";
    pub(in crate::hierarchy) const ABOVE: &str = "above";
    /// The same turned round: the concepts that are stated to be above others, and those.
    pub(in crate::hierarchy) const STATED_ABOVE: &str = "stated_above";
    pub(in crate::hierarchy) const BELOW_AT: &str = "below_at";
    pub(in crate::hierarchy) const BELOW: &str = "below";
    /// Four numbers a concept, see the `intervals` module; missing where an earlier medterm wrote.
    pub(in crate::hierarchy) const INTERVAL: &str = "interval";
}
