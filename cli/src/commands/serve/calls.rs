use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use medterm::catalog::Catalog;
use medterm::tools::{Reason, Registry, ToolAnswer, ToolError};
use serde_json::{Map, Value};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tracing::info;

use super::logging::TARGET;
use super::metrics::Metrics;

/// How long a call may take, how many run at once, and what is logged of them.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub concurrency: usize,
    pub timeout: Duration,
    pub log_queries: bool,
}

/// A tool call.
pub struct Call {
    pub registry: Registry,
    pub tool: &'static str,
    pub arguments: Map<String, Value>,
    /// The caller is no longer interested.
    pub cancelled: CancellationToken,
}

/// Runs calls beside the asynchronous workers: so many at a time, each on a thread that may block.
#[derive(Debug)]
pub struct Calls {
    limits: Limits,
    running: Arc<Semaphore>,
    metrics: Metrics,
}

impl Calls {
    pub fn new(limits: Limits) -> Self {
        let running = Arc::new(Semaphore::new(limits.concurrency));
        Self { limits, running, metrics: Metrics::default() }
    }

    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// How long a call may take.
    pub fn timeout(&self) -> Duration {
        self.limits.timeout
    }

    /// How many are running now.
    pub fn running(&self) -> usize {
        self.limits.concurrency - self.running.available_permits()
    }

    /// Waits until none is running or waiting.
    pub async fn finished(&self) {
        // Places are given in the order in which they were asked for.
        let all = u32::try_from(self.limits.concurrency).unwrap_or(u32::MAX);
        let _ = self.running.acquire_many(all).await;
    }

    /// Calls a tool. Whatever happens, there is an answer; nothing where the caller has cancelled.
    /// What a tool is doing cannot be stopped: a call that is given up keeps its place until it ends.
    pub async fn run(
        &self,
        catalog: impl Future<Output = Option<Arc<Catalog>>>,
        call: Call,
    ) -> Option<ToolAnswer> {
        let started = Instant::now();
        let (registry, tool) = (call.registry, call.tool);
        let arguments = self.limits.log_queries.then(|| Value::Object(call.arguments.clone()));
        let cancelled = call.cancelled.clone();
        let answered = tokio::select! {
            answer = tokio::time::timeout(self.limits.timeout, self.answer(catalog, call)) => Some(answer),
            () = cancelled.cancelled() => None,
        };
        let answer = match answered {
            Some(Ok(answer)) => answer,
            Some(Err(_)) => registry.failure(tool, &self.too_long()),
            None => {
                self.log(tool, started, "cancelled", arguments.as_ref());
                self.metrics.count(tool, started.elapsed(), Some("cancelled"));
                return None;
            }
        };
        let failed = answer.as_ref().and_then(reason);
        self.log(tool, started, failed.unwrap_or("ok"), arguments.as_ref());
        self.metrics.count(tool, started.elapsed(), failed);
        answer
    }

    async fn answer(
        &self,
        catalog: impl Future<Output = Option<Arc<Catalog>>>,
        call: Call,
    ) -> Option<ToolAnswer> {
        let Call { registry, tool, arguments, .. } = call;
        let internal = || registry.failure(tool, &ToolError::internal());
        let Some(catalog) = catalog.await else { return internal() };
        let Ok(place) = Arc::clone(&self.running).acquire_owned().await else { return internal() };
        let work = move || {
            let _place = place;
            catch_unwind(AssertUnwindSafe(|| registry.call(&catalog, tool, arguments)))
        };
        match tokio::task::spawn_blocking(work).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) | Err(_) => internal(),
        }
    }

    fn too_long(&self) -> ToolError {
        let seconds = self.limits.timeout.as_secs();
        ToolError::new(
            Reason::TooCostly,
            format!("the call took longer than {seconds} s and was given up"),
            "Ask for less: a narrower expression, a smaller page, fewer terms.",
        )
    }

    fn log(&self, tool: &str, started: Instant, outcome: &str, arguments: Option<&Value>) {
        let milliseconds = started.elapsed().as_secs_f64() * 1000.0;
        match arguments {
            Some(arguments) => {
                info!(target: TARGET, tool, outcome, milliseconds, %arguments, "called")
            }
            None => info!(target: TARGET, tool, outcome, milliseconds, "called"),
        }
    }
}

/// Why a call failed.
fn reason(answer: &ToolAnswer) -> Option<&'static str> {
    if !answer.is_error {
        return None;
    }
    let name = answer.structured["error"]["data"]["reason"].as_str().unwrap_or_default();
    let known = Reason::ALL.into_iter().map(Reason::name).find(|known| *known == name);
    Some(known.unwrap_or("internal"))
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use medterm::tools::Profile;

    use super::*;

    fn calls() -> Calls {
        let timeout = Duration::from_millis(20);
        Calls::new(Limits { concurrency: 1, timeout, log_queries: false })
    }

    fn call() -> Call {
        Call {
            registry: Registry::new(Profile::Core),
            tool: "health_check",
            arguments: Map::new(),
            cancelled: CancellationToken::new(),
        }
    }

    fn counted(calls: &Calls, reason: &str) -> bool {
        calls
            .metrics()
            .text(&[])
            .contains(&format!("tool=\"health_check\",reason=\"{reason}\"}} 1"))
    }

    #[tokio::test]
    async fn what_takes_too_long_is_given_up() {
        let calls = calls();
        let answer = calls.run(pending(), call()).await.expect("an answer");
        assert!(answer.is_error);
        assert_eq!(reason(&answer), Some("too_costly"));
        assert!(counted(&calls, "too_costly"));
        assert_eq!(calls.running(), 0);
    }

    #[tokio::test]
    async fn a_call_that_waits_for_its_turn_can_be_given_up() {
        let calls = calls();
        let _place = Arc::clone(&calls.running).acquire_owned().await.expect("a place");
        let folder = tempfile::tempdir().expect("a folder");
        let catalog = Arc::new(Catalog::open(folder.path()).expect("an empty store opens"));
        let answer = calls.run(ready(Some(catalog)), call()).await.expect("an answer");
        assert_eq!(reason(&answer), Some("too_costly"));
        assert_eq!(calls.running(), 1);
    }

    #[tokio::test]
    async fn what_is_cancelled_is_not_answered() {
        let calls = calls();
        let call = call();
        call.cancelled.cancel();
        assert!(calls.run(pending(), call).await.is_none());
        assert!(counted(&calls, "cancelled"));
    }

    #[tokio::test]
    async fn without_a_store_the_fault_is_ours() {
        let calls = calls();
        let answer = calls.run(ready(None), call()).await.expect("an answer");
        assert_eq!(reason(&answer), Some("internal"));
        assert!(counted(&calls, "internal"));
    }
}
