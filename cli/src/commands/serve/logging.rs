use std::io::stderr;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::LogFormat;
use crate::output::Verbosity;

/// What our lines are marked with. Lines of other crates are not written: they may have messages of
/// clients in them, and what clients ask is not logged.
pub const TARGET: &str = "medterm";

/// Sends lines to standard error from now on, those of panics too.
pub fn start(format: LogFormat, verbosity: Verbosity) {
    let level = match verbosity {
        Verbosity::Quiet => LevelFilter::WARN,
        Verbosity::Usual => LevelFilter::INFO,
        Verbosity::Verbose => LevelFilter::DEBUG,
    };
    let lines = tracing_subscriber::fmt::layer().with_writer(stderr);
    let lines = match format {
        LogFormat::Text => lines.with_ansi(false).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    let ours = Targets::new().with_target(TARGET, level);
    // Only a second server in this process would find one there already; it then logs there.
    let _ = tracing_subscriber::registry().with(lines.with_filter(ours)).try_init();
    // The message of a panic may have what was asked in it; the place says enough.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(target: TARGET, place, "a part of the server panicked; please report it");
    }));
}
