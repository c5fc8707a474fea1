//! Pure functions on strings: what two texts have in common, whatever their spelling.
//!
//! Floor 1, importing nothing else of this crate. Queries and designations go through the same
//! [`normalize`] and the same [`tokens`], so that what is equal here is equal everywhere.

mod axis;
mod context;
mod coverage;
mod everyday;
mod language;
mod languages;
mod normalize;
mod procedures;
mod qualifier;
mod rows;
mod short_forms;
mod shorthand;
mod spelling;
mod stem;
mod token;

pub use axis::{Axes, AxisComparison, AxisNumbers};
pub use context::{Context, contexts, itself};
pub use coverage::{Coverage, NameWord, QueryToken, QueryWord, coverage, share};
pub use everyday::{Rewrite, RewriteKind, equivalents, is_everyday_word, rewrites};
pub use language::Language;
pub use languages::translations;
pub use normalize::normalize;
pub use procedures::{is_procedure_word, procedures, speaks_of_operations};
pub use qualifier::{bare, bare_in};
pub use short_forms::{ShortForm, short_forms};
pub use shorthand::written_out;
pub use spelling::{Correction, correct, joined};
pub use stem::stem;
pub use token::{Role, Token, tokens, tokens_in};

#[cfg(test)]
mod procedures_tests;
#[cfg(test)]
mod tests;
