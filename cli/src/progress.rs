use std::fmt::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use medterm::formats;
use medterm::index::{BuildProgress, BuildStage};

use crate::output::Output;

/// A bar on standard error, where that is a terminal and nobody asked for quiet.
pub struct Bar {
    bar: ProgressBar,
    wanted: bool,
}

const COUNTED: &str = "{msg:18} {wide_bar} {human_pos}/{human_len} · {rate} · {eta} left";
const BYTES: &str = "{msg:18} {wide_bar} {bytes}/{total_bytes} · {eta} left";
const UNCOUNTED: &str = "{msg:18} {spinner}";
/// How often a bar is redrawn where nothing else moves it.
const TICK: Duration = Duration::from_millis(120);

impl Bar {
    pub fn new(output: &Output) -> Self {
        Self { bar: ProgressBar::hidden(), wanted: output.shows_progress() }
    }

    /// Begins something that has `total` steps, 0 where that is not known.
    pub fn begin(&mut self, message: &str, total: u64, template: &str) {
        self.bar.finish_and_clear();
        if !self.wanted {
            return;
        }
        let template = if total == 0 { UNCOUNTED } else { template };
        self.bar = ProgressBar::with_draw_target(
            (total > 0).then_some(total),
            ProgressDrawTarget::stderr(),
        );
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style.with_key("rate", rate).progress_chars("█▉▊▋▌▍▎▏ "));
        }
        self.bar.set_message(message.to_owned());
        self.bar.enable_steady_tick(TICK);
    }

    /// Begins something counted.
    pub fn count(&mut self, message: &str, total: u64) {
        self.begin(message, total, COUNTED);
    }

    /// Begins to read a release.
    pub fn read(&mut self, progress: formats::Progress) {
        self.begin("reading", progress.total_bytes.unwrap_or(0), BYTES);
    }

    pub fn at(&self, position: u64) {
        self.bar.set_position(position);
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// Steps a second, without the digits that nobody reads.
fn rate(state: &ProgressState, text: &mut dyn Write) {
    // A rate that cannot be written is not worth an error.
    let _ = write!(text, "{:.0}/s", state.per_sec());
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.end();
    }
}

impl BuildProgress for Bar {
    fn stage(&mut self, stage: BuildStage, total: u64) {
        self.count(stage.name(), total);
    }

    fn advance(&mut self, done: u64) {
        self.bar.inc(done);
    }
}
