//! The MCP server: the tools of the library over stdio or Streamable HTTP.
//!
//! Standard output is the protocol; whatever else there is to say goes to standard error.

mod calls;
mod catalogs;
mod changes;
mod convert;
mod demo_store;
mod handler;
mod http;
mod logging;
mod metrics;
mod origins;
mod server;
mod status;
mod stdio;
mod stopping;
mod token;

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use medterm::tools::Profile;
use tracing::info;

use crate::context::Context;
use crate::exit::{CliError, Outcome};

use calls::Limits;
use catalogs::Catalogs;
use server::Server;

const EXAMPLES: &str = "\
Examples:
  medterm serve                                        for a client that starts it: stdio
  medterm serve --http                                 http://127.0.0.1:3000/mcp
  medterm serve --http 0.0.0.0:3000 --allowed-host codes.example.org --token-file token.txt
  medterm serve --demo                                 with the embedded ICD-10-CM

Over HTTP the address selects the tools: /mcp is the profile of --profile, /mcp/ontoserver, /mcp/icd10,
/mcp/equivalents, /mcp/mesh, /mcp/core and /mcp/all the others. /health and /metrics are for operators.";

/// Serve the tools to AI agents and other programs: MCP over stdio or Streamable HTTP.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Serve {
    /// Serve Streamable HTTP at this address, instead of stdio.
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = "127.0.0.1:3000")]
    http: Option<SocketAddr>,

    /// The tools to offer: core, ontoserver, icd10, equivalents, mesh or all.
    #[arg(long, value_name = "NAME", default_value = "core")]
    profile: Profile,

    /// A name that clients may call this server by (HTTP); loopback names always may be.
    #[arg(long, value_name = "HOST", value_delimiter = ',')]
    allowed_host: Vec<String>,

    /// A web page's origin that may call this server (HTTP), such as https://app.example.org; * for
    /// any. Pages of this machine always may.
    #[arg(long, value_name = "ORIGIN", value_delimiter = ',')]
    allowed_origin: Vec<String>,

    /// A file with the bearer token that HTTP clients must send; also the variable MEDTERM_TOKEN.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// Log the arguments of calls. Without it, nothing of what is asked is logged.
    #[arg(long)]
    log_queries: bool,

    /// How lines on standard error look.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    log_format: LogFormat,

    /// The largest message that is read, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 20, value_parser = clap::value_parser!(u32).range(1024..))]
    max_body: u32,

    /// Seconds after which a call is given up.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=3600))]
    timeout: u32,

    /// Calls that run at the same time; the others wait. As many as there are processors where none
    /// is given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: Option<u32>,

    /// Where the store has no ICD-10-CM, index the embedded one while serving: by words in seconds,
    /// then by meaning too.
    #[arg(long)]
    demo: bool,

    /// With --demo, by words alone.
    #[arg(long, requires = "demo")]
    no_embeddings: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    Text,
    Json,
}

impl Serve {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        logging::start(self.log_format, context.output.verbosity());
        let concurrency = match self.concurrency {
            Some(n) => n as usize,
            None => std::thread::available_parallelism().map_or(2, usize::from),
        };
        let limits = Limits {
            concurrency,
            timeout: Duration::from_secs(self.timeout.into()),
            log_queries: self.log_queries,
        };
        let token = token::read(self.token_file.as_deref())?;
        let embedder = context.embedder()?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            // Calls, and what tokio itself does that blocks.
            .max_blocking_threads(concurrency + 4)
            .build()
            .map_err(|error| CliError::io(&context.store, "starting the server", error))?;
        let catalogs = Catalogs::open(&context.store, Arc::clone(&embedder));
        if self.demo {
            let embedder = (!self.no_embeddings).then_some(embedder);
            demo_store::fill_behind(context.store.clone(), embedder);
        }
        let server = Arc::new(Server::new(catalogs, limits));
        let served = runtime.block_on(self.serve(Arc::clone(&server), token));
        info!(target: logging::TARGET, "stopped");
        // A call that goes on and on does not keep the process; neither does a read of stdin.
        runtime.shutdown_timeout(Duration::from_millis(100));
        served.map(|()| Outcome::Fine)
    }

    async fn serve(&self, server: Arc<Server>, token: Option<String>) -> Result<(), CliError> {
        let stop = stopping::stop_signal();
        server.tell_changes();
        let max_body = self.max_body as usize;
        let Some(address) = self.http else {
            if std::io::stdin().is_terminal() {
                info!(target: logging::TARGET, "serving MCP over stdio: a client is meant to start this; end with ctrl-d");
            }
            return stdio::serve(server, self.profile, max_body, stop).await;
        };
        let options = http::Options {
            address,
            profile: self.profile,
            allowed_hosts: self.allowed_host.clone(),
            allowed_origins: self.allowed_origin.clone(),
            token,
            max_body,
        };
        http::serve(server, options, stop).await
    }
}
