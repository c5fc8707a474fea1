//! The layout of the part's file.

/// The format of `hierarchy.bin` that this version writes and reads.
pub const HIERARCHY_FORMAT: u32 = 1;

/// The names of the sections, in the order in which they are written.
pub(super) mod section {
    pub(in crate::hierarchy) const PARENT_AT: &str = "parent_at";
    pub(in crate::hierarchy) const PARENT: &str = "parent";
    pub(in crate::hierarchy) const CHILD_AT: &str = "child_at";
    pub(in crate::hierarchy) const CHILD: &str = "child";
    pub(in crate::hierarchy) const DEPTH: &str = "depth";
    pub(in crate::hierarchy) const ROOT: &str = "root";
}
