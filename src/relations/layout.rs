//! The layout of the part's file.

/// The format of `relations.bin` that this version writes and reads.
pub const RELATIONS_FORMAT: u32 = 2;

/// The names of the sections, in the order in which they are written.
pub(super) mod section {
    pub(in crate::relations) const RELATION_AT: &str = "relation_at";
    pub(in crate::relations) const ATTRIBUTE: &str = "attribute";
    pub(in crate::relations) const GROUP: &str = "group";
    pub(in crate::relations) const KIND: &str = "kind";
    pub(in crate::relations) const VALUE: &str = "value";
    pub(in crate::relations) const SOURCE_AT: &str = "source_at";
    pub(in crate::relations) const SOURCE: &str = "source";
    pub(in crate::relations) const SOURCE_ATTRIBUTE: &str = "source_by";
    pub(in crate::relations) const TEXT_AT: &str = "text_at";
    pub(in crate::relations) const TEXT: &str = "text";
    pub(in crate::relations) const REFSET_AT: &str = "refset_at";
    pub(in crate::relations) const REFSET: &str = "refset";
    pub(in crate::relations) const MEMBERS: &str = "members";
    pub(in crate::relations) const MEMBERS_AT: &str = "members_at";
    pub(in crate::relations) const FILTER_AT: &str = "filter_at";
    pub(in crate::relations) const FILTER: &str = "filter";
    pub(in crate::relations) const FILTERED: &str = "filtered";
    pub(in crate::relations) const FILTERED_AT: &str = "filtered_at";
}

/// What the value of a relation is.
pub(super) mod kind {
    /// The ord of a concept.
    pub(in crate::relations) const CONCEPT: u8 = 0;
    /// An `i64`, as its bits.
    pub(in crate::relations) const INTEGER: u8 = 1;
    /// An `f64`, as its bits.
    pub(in crate::relations) const DECIMAL: u8 = 2;
    /// The number of a text.
    pub(in crate::relations) const TEXT: u8 = 3;
}
