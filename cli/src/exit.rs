use std::error::Error as StdError;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use medterm::catalog::{self, Finding};
use medterm::dense::EmbedError;
use medterm::eval::GoldError;
use medterm::formats::ImportError;
use medterm::index::IndexError;
use medterm::maps::MapError;
use serde_json::{Value, json};
use thiserror::Error;

use crate::args::Global;
use crate::output::{self, Output};

/// How a command that went well ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// There was something to answer.
    Fine,
    /// Nothing found, not valid, or damage found.
    Negative,
}

impl Outcome {
    /// Negative when there is nothing to show.
    pub fn found(count: usize) -> Self {
        if count == 0 { Self::Negative } else { Self::Fine }
    }
}

/// Why a command could not answer. The text says what to do.
#[derive(Debug, Error)]
pub enum CliError {
    #[error(transparent)]
    Catalog(#[from] catalog::Error),
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Map(#[from] MapError),
    #[error(transparent)]
    Embed(#[from] EmbedError),
    #[error(transparent)]
    Gold(#[from] GoldError),
    #[error("{0}")]
    Usage(String),
    #[error("{}: {problem}", path.display())]
    Damaged { path: PathBuf, problem: String },
    #[error("{}: {doing}", path.display())]
    Io { path: PathBuf, doing: &'static str, source: io::Error },
    #[error("the answer cannot be written as JSON")]
    Json(#[from] serde_json::Error),
    #[error("the answer cannot be written to standard output")]
    Output(#[source] io::Error),
}

impl CliError {
    pub fn io(path: &Path, doing: &'static str, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), doing, source }
    }

    /// An index that did not open.
    pub fn damaged(finding: &Finding) -> Self {
        Self::Damaged {
            path: finding.path.clone(),
            problem: finding.problem.clone().unwrap_or_default(),
        }
    }

    /// Whoever read our output has seen enough: `medterm list | head -1`.
    fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The release is at fault, and another one may be sound.
    pub fn is_of_the_release(&self) -> bool {
        self.exit_code() == BAD_INPUT
    }

    fn exit_code(&self) -> u8 {
        match self {
            Self::Catalog(
                catalog::Error::UnknownCode { .. } | catalog::Error::CannotDetermine { .. },
            ) => NEGATIVE,
            Self::Catalog(error) if error.is_caller_fault() => USAGE,
            Self::Usage(_) => USAGE,
            Self::Index(IndexError::InvalidName { .. }) => USAGE,
            Self::Map(MapError::InvalidName { .. } | MapError::Unknown { .. }) => USAGE,
            Self::Map(MapError::Empty) => BAD_INPUT,
            Self::Embed(EmbedError::BackendUnavailable { .. }) => USAGE,
            Self::Import(_) | Self::Gold(_) => BAD_INPUT,
            Self::Index(IndexError::DuplicateCode { .. } | IndexError::Empty) => BAD_INPUT,
            Self::Embed(
                EmbedError::File { .. } | EmbedError::Model { .. } | EmbedError::Tokenizer { .. },
            ) => BAD_INPUT,
            _ => TROUBLE,
        }
    }

    /// What JSON says of the error.
    pub fn described(&self, message: String) -> Value {
        let mut body = json!({"code": self.code(), "message": message});
        if let Self::Catalog(catalog::Error::UnknownCode { hints, .. }) = self {
            body["suggestions"] = json!(hints.suggestions);
            body["elsewhere"] = json!(hints.elsewhere);
        }
        body
    }

    /// The name of the error in JSON.
    fn code(&self) -> &'static str {
        match self {
            Self::Catalog(error) => error.reason(),
            Self::Import(_) => "bad_release",
            Self::Index(_) => "index",
            Self::Map(_) => "map",
            Self::Embed(_) => "model",
            Self::Gold(_) => "bad_gold_file",
            Self::Usage(_) => "usage",
            Self::Damaged { .. } => "damaged",
            Self::Io { .. } | Self::Json(_) | Self::Output(_) => "io",
        }
    }
}

const NEGATIVE: u8 = 1;
const USAGE: u8 = 2;
const BAD_INPUT: u8 = 3;
const TROUBLE: u8 = 4;

/// Reports how a command ended.
pub fn finish(global: &Global, result: Result<Outcome, CliError>) -> ExitCode {
    match result {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Negative) => ExitCode::from(NEGATIVE),
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            let output = Output::new(global);
            let message = with_causes(&error);
            if global.json {
                let body = json!({"error": error.described(message)});
                // Nothing is left to try where even the error cannot be written.
                let _ = output.json(&body);
            } else {
                output.error(&message);
            }
            ExitCode::from(error.exit_code())
        }
    }
}

/// Reports arguments that clap refuses, and prints the help and the version it was asked for.
pub fn usage(error: &clap::Error) -> ExitCode {
    let wants_json = std::env::args_os().any(|argument| argument == "--json");
    if error.use_stderr() && wants_json {
        let text = error.render().to_string();
        let message = text.trim_start_matches("error: ").trim_end();
        let body = json!({"error": {"code": "usage", "message": message}});
        let _ = writeln!(io::stdout(), "{body}");
    } else {
        let _ = error.print();
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(USAGE))
}

/// The message and what caused it, one a line. A cause that the message already has is left out.
pub fn with_causes(error: &CliError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let said = error.to_string();
        if !text.contains(&said) {
            text.push_str("\n  caused by: ");
            text.push_str(&said);
        }
        cause = error.source();
    }
    output::clean(&text, output::Lines::Kept)
}
