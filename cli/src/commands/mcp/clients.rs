use std::path::PathBuf;

use clap::ValueEnum;
use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use serde_json::{Value, json};

use crate::exit::CliError;

/// An MCP client whose configuration we know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Client {
    /// Claude Desktop: its own configuration.
    ClaudeDesktop,
    /// Claude Code: `.mcp.json` of this folder's project.
    ClaudeCode,
    /// Cursor: `~/.cursor/mcp.json`.
    Cursor,
    /// VS Code: `.vscode/mcp.json` of this folder's workspace.
    Vscode,
}

/// How a client reaches the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// It starts it.
    Stdio { command: String, arguments: Vec<String> },
    /// It is there already.
    Http { url: String },
}

impl Client {
    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::ClaudeDesktop => "Claude Desktop",
            Self::ClaudeCode => "Claude Code",
            Self::Cursor => "Cursor",
            Self::Vscode => "VS Code",
        }
    }

    /// Where its servers stand in its configuration.
    pub fn key(self) -> &'static str {
        match self {
            Self::Vscode => "servers",
            _ => "mcpServers",
        }
    }

    /// The file of its configuration.
    pub fn file(self) -> Result<PathBuf, CliError> {
        let unknown =
            |_| CliError::Usage("there is no home folder; name the file with --file".to_owned());
        Ok(match self {
            Self::ClaudeDesktop => {
                let folders = choose_native_strategy().map_err(unknown)?;
                // macOS and Windows keep configuration beside data; elsewhere it has a folder.
                let base = match cfg!(any(target_os = "macos", windows)) {
                    true => folders.data_dir(),
                    false => folders.config_dir(),
                };
                base.join("Claude").join("claude_desktop_config.json")
            }
            Self::ClaudeCode => PathBuf::from(".mcp.json"),
            Self::Cursor => etcetera::home_dir().map_err(unknown)?.join(".cursor").join("mcp.json"),
            Self::Vscode => PathBuf::from(".vscode").join("mcp.json"),
        })
    }

    /// What stands for the server there.
    pub fn entry(self, reach: &Reach) -> Result<Value, CliError> {
        let says_type = matches!(self, Self::ClaudeCode | Self::Vscode);
        let mut entry = match reach {
            Reach::Stdio { command, arguments } => json!({"command": command, "args": arguments}),
            Reach::Http { .. } if self == Self::ClaudeDesktop => {
                let how = "Claude Desktop takes servers at an address in its settings, under Connectors, and not \
                    from its file; leave --http out to have it start medterm";
                return Err(CliError::Usage(how.to_owned()));
            }
            Reach::Http { url } => json!({"url": url}),
        };
        if says_type {
            entry["type"] = match reach {
                Reach::Stdio { .. } => json!("stdio"),
                Reach::Http { .. } => json!("http"),
            };
        }
        Ok(entry)
    }
}
