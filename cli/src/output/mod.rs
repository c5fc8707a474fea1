//! How answers look: JSON for programs, tables for people.

mod bar;
mod clean;
mod concepts;
mod detail;
mod hits;
mod maps;
mod size;
mod style;
mod table;

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use serde::Serialize;

use crate::args::Global;
use crate::exit::CliError;

pub use clean::{Lines, clean};
pub use concepts::{concept_list, neighbors, one_line};
pub use detail::{lookup, validation};
pub use hits::{Signals, hits};
pub use maps::{equivalents, translation};
pub use size::{count, megabytes};
pub use style::{BAD, CODE, DIM, GOOD, STRONG, WARN, paint};
pub use table::{Cell, Column, Table};

/// How much is to be said beside answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verbosity {
    /// Warnings and errors.
    Quiet,
    /// What is going on.
    Usual,
    /// What only the curious want to know.
    Verbose,
}

/// Where answers and remarks go, and in which dress.
#[derive(Debug, Clone)]
pub struct Output {
    json: bool,
    quiet: bool,
    verbose: bool,
    color: ColorChoice,
}

impl Output {
    pub fn new(global: &Global) -> Self {
        Self {
            json: global.json,
            quiet: global.quiet,
            verbose: global.verbose > 0,
            color: global.color.into(),
        }
    }

    /// How much is to be said.
    pub fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, false) => Verbosity::Usual,
            (false, true) => Verbosity::Verbose,
        }
    }

    /// Prints an answer: as JSON where that was asked for, else as `human` renders it.
    pub fn answer<T: Serialize>(
        &self,
        answer: &T,
        human: impl FnOnce() -> String,
    ) -> Result<(), CliError> {
        if self.json { self.json(answer) } else { self.text(&human()) }
    }

    /// Prints JSON: indented for people at a terminal, one line for programs.
    pub fn json<T: Serialize>(&self, value: &T) -> Result<(), CliError> {
        let text = if io::stdout().is_terminal() {
            serde_json::to_string_pretty(value)?
        } else {
            serde_json::to_string(value)?
        };
        writeln!(io::stdout().lock(), "{text}").map_err(CliError::Output)
    }

    /// Prints text, whose colors are taken out where there is nobody to see them.
    pub fn text(&self, text: &str) -> Result<(), CliError> {
        let mut stdout = AutoStream::new(io::stdout().lock(), self.color);
        let line_end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        write!(stdout, "{text}{line_end}").and_then(|()| stdout.flush()).map_err(CliError::Output)
    }

    /// Columns of the terminal; `None` where the output goes elsewhere and nothing is cut off.
    pub fn width(&self) -> Option<usize> {
        if !io::stdout().is_terminal() {
            return None;
        }
        terminal_size::terminal_size().map(|(width, _)| usize::from(width.0).max(40))
    }

    /// Whether bars may be drawn on standard error.
    pub fn shows_progress(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    /// Says what is going on, unless somebody wants quiet.
    pub fn say(&self, text: impl Display) {
        if !self.quiet {
            self.standard_error(&format!("{text}\n"));
        }
    }

    /// Says what only the curious want to know.
    pub fn remark(&self, text: impl Display) {
        if self.verbose {
            self.standard_error(&format!("{}\n", paint(DIM, &text.to_string())));
        }
    }

    /// Warns of something that does not keep the command from answering.
    pub fn warn(&self, text: impl Display) {
        if !self.quiet {
            self.standard_error(&format!("{}: {text}\n", paint(WARN, "warning")));
        }
    }

    /// Says why there is no answer.
    pub fn error(&self, text: impl Display) {
        self.standard_error(&format!("{}: {text}\n", paint(BAD, "error")));
    }

    /// Remarks that cannot be written are lost: there is no better place to say so.
    fn standard_error(&self, text: &str) {
        let mut stderr = AutoStream::new(io::stderr().lock(), self.color);
        let _ = stderr.write_all(text.as_bytes());
    }
}

/// One answer as itself, several as a list: what `--json` prints where several were asked for.
pub fn one_or_many<T: Serialize>(values: &[T]) -> Result<serde_json::Value, CliError> {
    Ok(match values {
        [one] => serde_json::to_value(one)?,
        many => serde_json::to_value(many)?,
    })
}
