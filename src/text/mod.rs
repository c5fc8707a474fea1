//! Pure functions on strings: what two texts have in common, whatever their spelling.
//!
//! Floor 1, importing nothing else of this crate. Queries and designations go through the same
//! [`normalize`] and the same [`tokens`], so that what is equal here is equal everywhere.

mod axis;
mod coverage;
mod everyday;
mod normalize;
mod procedures;
mod qualifier;
mod spelling;
mod stem;
mod token;

pub use axis::{Axes, AxisComparison};
pub use coverage::{Coverage, QueryToken, coverage};
pub use everyday::{Rewrite, RewriteKind, equivalents, is_everyday_word, rewrites};
pub use normalize::normalize;
pub use procedures::{is_procedure_word, procedures, speaks_of_operations};
pub use qualifier::bare;
pub use spelling::{Correction, correct};
pub use stem::stem;
pub use token::{Role, Token, tokens};

#[cfg(test)]
mod procedures_tests;
#[cfg(test)]
mod tests;
