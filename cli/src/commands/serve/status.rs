use axum::http::StatusCode;
use medterm::tools::{Profile, Registry};
use serde_json::{Map, Value, json};

use super::catalogs::State;
use super::metrics::resident_bytes;
use super::server::Server;

/// Whether this process answers, and over what: for those who watch it.
pub fn health(state: &State) -> (StatusCode, Value) {
    let version = env!("CARGO_PKG_VERSION");
    let Some(catalog) = state.catalog() else {
        let status = match state {
            State::Failed => "failed",
            _ => "opening",
        };
        return (StatusCode::SERVICE_UNAVAILABLE, json!({"status": status, "version": version}));
    };
    let checked = Registry::new(Profile::All).call(catalog, "health_check", Map::new());
    let checked = checked.map_or(Value::Null, |answer| answer.structured);
    let mut health = json!({"status": checked["status"], "version": version});
    for part in ["problems", "terminologies"] {
        if let Some(found) = checked.get(part) {
            health[part] = found.clone();
        }
    }
    (StatusCode::OK, health)
}

/// The metrics in Prometheus' text format.
pub fn metrics(server: &Server, sessions: usize) -> String {
    let state = server.catalogs.state();
    let loaded = state.catalog().map_or(0, |catalog| catalog.terminologies().len());
    #[allow(clippy::cast_precision_loss, reason = "counts are small")]
    let mut now = vec![
        ("medterm_sessions", "Sessions that are open.", sessions as f64),
        ("medterm_calls_running", "Calls that are running.", server.calls.running() as f64),
        ("medterm_terminologies", "Versions of terminologies that are loaded.", loaded as f64),
    ];
    if let Some(bytes) = resident_bytes() {
        now.push(("process_resident_memory_bytes", "Resident memory.", bytes));
    }
    server.calls.metrics().text(&now)
}
