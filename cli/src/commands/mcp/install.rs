use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use medterm::tools::Profile;
use serde_json::json;

use super::clients::{Client, Reach};
use super::merge::merged;
use crate::context::Context;
use crate::exit::{CliError, Outcome};

const EXAMPLES: &str = "\
Examples:
  medterm mcp install --client claude-desktop
  medterm mcp install --client vscode --print
  medterm mcp install --client cursor --http http://127.0.0.1:3000/mcp";

/// What clients know the server by.
const NAME: &str = "medterm";

/// Write medterm into the configuration of an MCP client, beside what is there.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Install {
    /// The client.
    #[arg(long, value_name = "NAME")]
    client: Client,

    /// Print the configuration and write nothing.
    #[arg(long)]
    print: bool,

    /// The address of a server that runs, instead of one that the client starts.
    #[arg(long, value_name = "URL")]
    http: Option<String>,

    /// The tools to offer: core, ontoserver, icd10, equivalents, mesh or all.
    #[arg(long, value_name = "NAME", conflicts_with = "http")]
    profile: Option<Profile>,

    /// The file to write, instead of where the client looks for it.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Install {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        let entry = self.client.entry(&self.reach(context)?)?;
        let key = self.client.key();
        if self.print {
            let text = merged("", key, NAME, &entry)?;
            context.output.text(&text)?;
            return Ok(Outcome::Fine);
        }
        let file = match &self.file {
            Some(file) => file.clone(),
            None => self.client.file()?,
        };
        let before = match std::fs::read_to_string(&file) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(CliError::io(&file, "reading it", error)),
        };
        let text = merged(before.as_deref().unwrap_or_default(), key, NAME, &entry).map_err(|error| {
            CliError::Usage(format!(
                "{} is not plain JSON as expected ({error}); it was left as it is. Add by hand what --print shows",
                file.display()
            ))
        })?;
        let backup = before.as_ref().map(|_| beside(&file));
        if let Some(backup) = &backup {
            std::fs::copy(&file, backup)
                .map_err(|error| CliError::io(backup, "copying the old configuration", error))?;
        }
        replace(&file, &text)?;
        let client = self.client.title();
        let answer = json!({"client": client, "file": file, "backup": backup, key: {NAME: entry}});
        context.output.answer(&answer, || {
            let mut said = format!("{client} knows {NAME} now: {}\n", file.display());
            if let Some(backup) = &backup {
                said.push_str(&format!("the old configuration is in {}\n", backup.display()));
            }
            said + "restart the client to have it read that\n"
        })?;
        Ok(Outcome::Fine)
    }

    fn reach(&self, context: &Context) -> Result<Reach, CliError> {
        if let Some(url) = &self.http {
            if !url.starts_with("http://") && !url.starts_with("https://") {
                return Err(CliError::Usage(format!(
                    "{url:?} is no address that begins with http"
                )));
            }
            return Ok(Reach::Http { url: url.clone() });
        }
        let program = std::env::current_exe()
            .map_err(|error| CliError::io(Path::new(NAME), "finding this program", error))?;
        let mut arguments = Vec::new();
        if let Some(store) = context.named_store() {
            // A client starts it in a folder of its own.
            let store = std::path::absolute(store)
                .map_err(|error| CliError::io(store, "finding the store", error))?;
            arguments.extend(["--store".to_owned(), store.display().to_string()]);
        }
        arguments.push("serve".to_owned());
        if let Some(profile) = self.profile {
            arguments.extend(["--profile".to_owned(), profile.name().to_owned()]);
        }
        Ok(Reach::Stdio { command: program.display().to_string(), arguments })
    }
}

/// The name of the old file: the whole of it and `.bak`.
fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".bak");
    PathBuf::from(name)
}

/// Replaces a file in one step.
fn replace(file: &Path, text: &str) -> Result<(), CliError> {
    let failed = |error| CliError::io(file, "writing it", error);
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut temporary = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    temporary.write_all(text.as_bytes()).map_err(failed)?;
    if let Ok(data) = std::fs::metadata(file) {
        // Others who could read it can still read it.
        temporary.as_file().set_permissions(data.permissions()).map_err(failed)?;
    }
    temporary.persist(file).map_err(|error| failed(error.error))?;
    Ok(())
}
