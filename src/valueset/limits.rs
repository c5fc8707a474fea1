/// The longest expression that is read, in bytes: ten thousand concepts with their terms.
pub const MAX_EXPRESSION_BYTES: usize = 512 * 1024;

/// How deep brackets may be nested. Reading, printing, evaluating and dropping an expression go down
/// one call for each level; people do not write ten.
pub const MAX_DEPTH: usize = 64;

/// How many steps the evaluation of one expression may take. A concept or an attribute that is looked
/// at is a step, some 50 ns or less; what takes longer is several. Looking through the names of a
/// release as large as SNOMED CT's once takes about 14 million.
pub const MAX_COST: u64 = 20_000_000;

/// The steps of looking at a name, which is normalized.
pub(super) const NAME_COST: u64 = 8;

/// The steps of unpacking the properties of a concept.
pub(super) const PROPERTIES_COST: u64 = 8;

/// The steps of comparing a text with a regular expression.
pub(super) const PATTERN_COST: u64 = 8;
