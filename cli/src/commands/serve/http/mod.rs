//! Streamable HTTP: `/mcp` and `/mcp/{profile}` for clients, `/health` and `/metrics` for operators.

mod connections;
mod guard;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use medterm::tools::Profile;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use super::handler::Handler;
use super::logging::TARGET;
use super::origins::Allowed;
use super::server::Server;
use super::status;
use crate::exit::CliError;

use guard::Guard;

/// How to serve.
#[derive(Debug, Clone)]
pub struct Options {
    pub address: SocketAddr,
    /// What `/mcp` offers.
    pub profile: Profile,
    pub allowed_hosts: Vec<String>,
    pub allowed_origins: Vec<String>,
    pub token: Option<String>,
    pub max_body: usize,
}

/// A session without a word for so long is closed.
const IDLE: Duration = Duration::from_secs(600);

/// How long a request may take to come in, before the time that its call may take.
const ARRIVAL: Duration = Duration::from_secs(30);

/// How long answers that have been sent are kept for a client whose connection broke.
const KEPT: Duration = Duration::from_secs(1);

/// What the routes answer from.
#[derive(Debug, Clone)]
struct Shared {
    server: Arc<Server>,
    sessions: Sessions,
}

/// The sessions of every address.
#[derive(Debug, Clone)]
pub struct Sessions(Vec<Arc<LocalSessionManager>>);

impl Sessions {
    /// How many are open.
    pub async fn count(&self) -> usize {
        let mut count = 0;
        for manager in &self.0 {
            count += manager.sessions.read().await.len();
        }
        count
    }
}

/// Serves until we are stopped; calls in flight are answered first.
pub async fn serve(
    server: Arc<Server>,
    options: Options,
    stop: CancellationToken,
) -> Result<(), CliError> {
    let listener = TcpListener::bind(options.address).await.map_err(|error| {
        CliError::Usage(format!("{} cannot be listened at: {error}", options.address))
    })?;
    let address = listener.local_addr().unwrap_or(options.address);
    warn_of_strangers(&options, address);
    let ended = CancellationToken::new();
    let app = app(&server, &options, &ended);
    info!(target: TARGET, url = format!("http://{address}/mcp"), profile = options.profile.name(), "listening");
    connections::serve(listener, app, &server, connections::Ends { stop, ended }).await;
    Ok(())
}

fn app(server: &Arc<Server>, options: &Options, ended: &CancellationToken) -> Router {
    let mut hosts = options.allowed_hosts.clone();
    if !options.address.ip().is_unspecified() {
        // Who listens at one address is called by it.
        hosts.push(match options.address {
            SocketAddr::V4(address) => address.ip().to_string(),
            SocketAddr::V6(address) => format!("[{}]", address.ip()),
        });
    }
    let mut router = Router::new();
    let mut sessions = Sessions(Vec::new());
    let own = Profile::ALL.map(|profile| (format!("/mcp/{}", profile.name()), profile));
    for (path, profile) in [("/mcp".to_owned(), options.profile)].into_iter().chain(own) {
        let manager = Arc::new(session_manager());
        sessions.0.push(Arc::clone(&manager));
        let server = Arc::clone(server);
        let handler = Handler::new(server, profile);
        let service = StreamableHttpService::new(
            move || Ok(handler.clone()),
            manager,
            config(options, ended),
        );
        router = router.route_service(&path, service);
    }
    let guard = Guard {
        allowed: Allowed::new(&hosts, &options.allowed_origins),
        token: options.token.clone(),
        sessions: sessions.clone(),
        patience: server.calls.timeout() + ARRIVAL,
    };
    router
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .with_state(Shared { server: Arc::clone(server), sessions })
        .layer(axum::middleware::from_fn_with_state(Arc::new(guard), guard::check))
}

fn config(options: &Options, ended: &CancellationToken) -> StreamableHttpServerConfig {
    StreamableHttpServerConfig::default()
        // Our own check does both, for every path.
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_max_request_body_bytes(options.max_body)
        .with_sse_retry(None)
        .with_json_response(true)
        .with_cancellation_token(ended.clone())
}

fn session_manager() -> LocalSessionManager {
    let mut manager = LocalSessionManager::default();
    manager.session_config.keep_alive = Some(IDLE);
    manager.session_config.completed_cache_ttl = KEPT;
    manager.session_config.sse_retry = None;
    manager
}

async fn health(State(shared): State<Shared>) -> impl IntoResponse {
    let state = shared.server.catalogs.state();
    let (status, body) = status::health(&state);
    (status, Json(body))
}

async fn metrics(State(shared): State<Shared>) -> impl IntoResponse {
    let sessions = shared.sessions.count().await;
    let text = status::metrics(&shared.server, sessions);
    ([(axum::http::header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
}

/// Says so when the server can be reached from elsewhere.
fn warn_of_strangers(options: &Options, address: SocketAddr) {
    if address.ip().is_loopback() {
        return;
    }
    if options.token.is_none() {
        warn!(target: TARGET, %address, "other machines can reach this address, and there is no token: see --token-file");
    }
    if address.ip().is_unspecified() && options.allowed_hosts.is_empty() {
        warn!(target: TARGET, "clients on other machines are refused until --allowed-host names this one as they do");
    }
}
