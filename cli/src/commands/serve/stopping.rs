use tokio_util::sync::CancellationToken;
use tracing::info;

use super::logging::TARGET;

/// Cancelled when the process is asked to end. Who asks twice does not want to wait.
pub fn stop_signal() -> CancellationToken {
    let stop = CancellationToken::new();
    let asked = stop.clone();
    tokio::spawn(async move {
        ask().await;
        info!(target: TARGET, "stopping; calls in flight are finished first");
        asked.cancel();
        ask().await;
        std::process::exit(130);
    });
    stop
}

#[cfg(unix)]
async fn ask() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else {
        // Without it there is still the keyboard.
        let _ = tokio::signal::ctrl_c().await;
        return;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}

#[cfg(not(unix))]
async fn ask() {
    let _ = tokio::signal::ctrl_c().await;
}
