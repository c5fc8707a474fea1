use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use super::super::logging::TARGET;
use super::super::server::Server;

/// How the serving ends.
#[derive(Debug)]
pub struct Ends {
    /// We are asked to end.
    pub stop: CancellationToken,
    /// Cancelled by us when the last call has been answered: streams of events end then.
    pub ended: CancellationToken,
}

/// Connections that may be open at a time; others wait to be accepted.
const MAX_CONNECTIONS: usize = 4096;

/// Within how long the head of a request must have come.
const HEAD: Duration = Duration::from_secs(30);

/// How long calls in flight are waited for.
const GRACE: Duration = Duration::from_secs(10);

/// How long it may take to write the last answers.
const LAST_WORDS: Duration = Duration::from_millis(250);

/// Accepts connections and serves them until we are asked to end.
pub async fn serve(listener: TcpListener, app: Router, server: &Arc<Server>, ends: Ends) {
    let connections = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &places) => accepted,
            () = ends.stop.cancelled() => break,
        };
        let Some((stream, place)) = accepted else { continue };
        // Small messages are not held back to be sent with later ones.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(app.clone());
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .serve_connection(TokioIo::new(stream), service);
        let connection = connections.watch(connection);
        tokio::spawn(async move {
            // A client that breaks off is none of our errors.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    let closing = connections.shutdown();
    tokio::pin!(closing);
    let answered = async {
        server.calls.finished().await;
        // The last answers are on their way.
        let _ = tokio::time::timeout(LAST_WORDS, std::future::pending::<()>()).await;
    };
    let all_closed = tokio::select! {
        () = answered => false,
        () = &mut closing => true,
        () = timer(GRACE) => {
            warn!(target: TARGET, "calls that are still running are given up");
            false
        }
    };
    ends.ended.cancel();
    if !all_closed {
        let _ = tokio::time::timeout(GRACE, closing).await;
    }
}

type Accepted = (tokio::net::TcpStream, tokio::sync::OwnedSemaphorePermit);

async fn accept(listener: &TcpListener, places: &Arc<Semaphore>) -> Option<Accepted> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => Some((stream, place)),
        Err(problem) => {
            // Out of file descriptors, most likely; some connection will end.
            warn!(target: TARGET, %problem, "a connection cannot be accepted");
            timer(Duration::from_millis(100)).await;
            None
        }
    }
}

async fn timer(duration: Duration) {
    let _ = tokio::time::timeout(duration, std::future::pending::<()>()).await;
}
