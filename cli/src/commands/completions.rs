use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::args::Cli;
use crate::exit::{CliError, Outcome};

const EXAMPLES: &str = "\
Examples:
  medterm completions bash > ~/.local/share/bash-completion/completions/medterm
  medterm completions zsh > ~/.zfunc/_medterm
  medterm completions fish > ~/.config/fish/completions/medterm.fish";

/// Print the completions of a shell.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Completions {
    /// The shell.
    shell: Shell,
}

impl Completions {
    pub fn run(&self) -> Result<Outcome, CliError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "medterm", &mut script);
        io::stdout().lock().write_all(&script).map_err(CliError::Output)?;
        Ok(Outcome::Fine)
    }
}
