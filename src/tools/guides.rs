//! The guides to expressions, in our own words. A test reads every example.

/// What `ecl://guide` says.
pub(super) const ECL_GUIDE: &str = include_str!("ecl_guide.md");

/// What `vcl://guide` says.
pub(super) const VCL_GUIDE: &str = include_str!("vcl_guide.md");
