use std::error::Error;
use std::fmt;

use thiserror::Error;

use super::{MAX_COST, MAX_DEPTH, MAX_EXPRESSION_BYTES};

/// Why an expression cannot be read or evaluated, and where in it.
#[derive(Debug, Error)]
#[error("at character {}: {kind}", position + 1)]
pub struct ExpressionError {
    /// Where in the expression, in bytes from its beginning.
    position: usize,
    kind: ExpressionErrorKind,
}

/// What is wrong with an expression.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExpressionErrorKind {
    /// Something else was expected there.
    #[error("expected {}, found {found}", Alternatives(expected))]
    Unexpected {
        /// What could stand there, symbols and words in quotation marks.
        expected: Vec<String>,
        /// What stands there, shortened.
        found: String,
    },
    /// Different operators follow each other, and it depends on brackets what they mean.
    #[error("{found} after {before}: put brackets around what belongs together")]
    Ambiguous {
        /// The operator that came before.
        before: &'static str,
        /// The one that may not follow it.
        found: &'static str,
    },
    /// What stands there can be read, but cannot be.
    #[error("{what} {text:?}: {reason}")]
    Invalid {
        /// What it is.
        what: &'static str,
        /// As it was written.
        text: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// There are more brackets in brackets than are read.
    #[error("brackets are nested more than {MAX_DEPTH} deep")]
    TooDeep,
    /// The expression is too long.
    #[error("the expression has {bytes} bytes; up to {MAX_EXPRESSION_BYTES} are read")]
    TooLong {
        /// How long it is, in bytes.
        bytes: usize,
    },
    /// The data that is loaded, or this crate, has no answer; a wrong one is not given.
    #[error("{feature} cannot be answered: {reason}")]
    Unsupported {
        /// What was asked for.
        feature: String,
        /// Why there is no answer.
        reason: &'static str,
    },
    /// Evaluating takes too long.
    #[error(
        "too costly: more than {MAX_COST} concepts, attributes and names would have to be looked at; make it more specific"
    )]
    TooCostly,
    /// The terminology could not be read.
    #[error("the terminology could not be read: {0}")]
    Data(#[source] Box<dyn Error + Send + Sync>),
}

impl ExpressionError {
    pub(super) fn new(position: usize, kind: ExpressionErrorKind) -> Self {
        Self { position, kind }
    }

    pub(super) fn unsupported(
        position: super::Position,
        feature: impl Into<String>,
        reason: &'static str,
    ) -> Self {
        let kind = ExpressionErrorKind::Unsupported { feature: feature.into(), reason };
        Self::new(position.0, kind)
    }

    /// The same error of an expression that stands within another one.
    pub(super) fn moved(self, at: super::Position) -> Self {
        Self { position: at.0, ..self }
    }

    /// Where in the expression, in bytes from its beginning.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> &ExpressionErrorKind {
        &self.kind
    }

    /// The line and the column of [`ExpressionError::position`] in the expression's text, both
    /// counted from 1, columns in characters.
    #[must_use]
    pub fn line_and_column(&self, text: &str) -> (usize, usize) {
        let before: String = text
            .char_indices()
            .take_while(|(at, _)| *at < self.position)
            .map(|(_, letter)| letter)
            .collect();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        (line, column)
    }
}

/// What could stand in a place, as a list in a sentence.
struct Alternatives<'e>(&'e [String]);

impl fmt::Display for Alternatives<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, one) in self.0.iter().enumerate() {
            let before = match nth {
                0 => "",
                _ if nth + 1 == self.0.len() => " or ",
                _ => ", ",
            };
            write!(f, "{before}{one}")?;
        }
        Ok(())
    }
}
