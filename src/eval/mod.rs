//! Quality as numbers: gold files, and recall, MRR and their kin over ranked lists.
//!
//! Floor 2, importing at most [`terminology`](crate::terminology). Nothing here searches: the caller
//! runs the queries of a [`Gold`] file down to [`DEPTH`], hands each answer to an [`Evaluation`] as
//! a [`QueryRun`], and takes the [`EvalReport`]. So any engine can be measured by the same rules.
//!
//! ```
//! use medterm::eval::{Evaluation, EvaluationOf, Family, Gold, QueryRun, RankedHit, RankedList};
//!
//! let gold = Gold::parse("gold.tsv".as_ref(), "query\taccept\nheart attack\tI21*|I22*\n")?;
//! let mut evaluation = Evaluation::new(EvaluationOf {
//!     system: "icd10cm".to_owned(),
//!     gold: gold.path().display().to_string(),
//!     mode: "hybrid".to_owned(),
//!     family: Family::FirstThree,
//! });
//! for query in gold.queries() {
//!     let hits = vec![RankedHit::new("I21.9", true)];
//!     evaluation.push(query, QueryRun::new(RankedList { hits, milliseconds: 3.5 }));
//! }
//! assert_eq!(evaluation.finish(10).recall_at.one, 1.0);
//! # Ok::<(), medterm::eval::GoldError>(())
//! ```

mod error;
mod evaluation;
mod failure;
mod gold;
mod interval;
mod judged;
mod ranked;
mod report;

pub use error::{GoldError, GoldErrorKind};
pub use evaluation::{Evaluation, EvaluationOf, Family};
pub use failure::{Failure, FailureKind};
pub use gold::{Accept, Gold, GoldQuery};
pub use interval::wilson_interval;
pub use ranked::{
    AxisCheck, DEPTH, ModelUse, PoolCheck, QueryRun, RankedHit, RankedList, StatedAxes,
};
pub use report::{AxisConflicts, EvalReport, Milliseconds, RecallAt, Strong};

#[cfg(test)]
mod tests;
