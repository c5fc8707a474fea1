use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper ends of the classes of the histogram, in seconds.
const BOUNDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// What is counted of calls: names of tools and reasons of errors, never what was asked.
#[derive(Debug, Default)]
pub struct Metrics {
    tools: Mutex<BTreeMap<&'static str, ToolCounts>>,
}

#[derive(Debug, Default)]
struct ToolCounts {
    calls: u64,
    errors: BTreeMap<&'static str, u64>,
    /// Calls that took no longer than the bound, and longer than the one before it.
    classes: [u64; BOUNDS.len()],
    seconds: f64,
}

impl Metrics {
    /// Counts a call that has ended, with the reason where it failed.
    pub fn count(&self, tool: &'static str, took: Duration, failed: Option<&'static str>) {
        // Counts are whole whoever left them.
        let mut tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = tools.entry(tool).or_default();
        counts.calls += 1;
        if let Some(reason) = failed {
            *counts.errors.entry(reason).or_default() += 1;
        }
        let seconds = took.as_secs_f64();
        counts.seconds += seconds;
        if let Some(class) = BOUNDS.iter().position(|bound| seconds <= *bound) {
            counts.classes[class] += 1;
        }
    }

    /// The counts in Prometheus' text format, after those that are measured now: name, meaning, value.
    pub fn text(&self, now: &[(&str, &str, f64)]) -> String {
        let mut text = String::new();
        for (name, help, value) in now {
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}");
        }
        let tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        text.push_str("# HELP medterm_tool_calls_total Calls that have ended.\n# TYPE medterm_tool_calls_total counter\n");
        for (tool, counts) in tools.iter() {
            let _ = writeln!(text, "medterm_tool_calls_total{{tool=\"{tool}\"}} {}", counts.calls);
        }
        text.push_str("# HELP medterm_tool_errors_total Calls that failed, by reason.\n# TYPE medterm_tool_errors_total counter\n");
        for (tool, counts) in tools.iter() {
            for (reason, count) in &counts.errors {
                let labels = format!("tool=\"{tool}\",reason=\"{reason}\"");
                let _ = writeln!(text, "medterm_tool_errors_total{{{labels}}} {count}");
            }
        }
        let name = "medterm_tool_call_seconds";
        let _ = writeln!(
            text,
            "# HELP {name} How long calls take, waiting included.\n# TYPE {name} histogram"
        );
        for (tool, counts) in tools.iter() {
            let mut below = 0;
            for (bound, count) in BOUNDS.iter().zip(counts.classes) {
                below += count;
                let _ = writeln!(text, "{name}_bucket{{tool=\"{tool}\",le=\"{bound}\"}} {below}");
            }
            let _ = writeln!(text, "{name}_bucket{{tool=\"{tool}\",le=\"+Inf\"}} {}", counts.calls);
            let _ = writeln!(text, "{name}_sum{{tool=\"{tool}\"}} {}", counts.seconds);
            let _ = writeln!(text, "{name}_count{{tool=\"{tool}\"}} {}", counts.calls);
        }
        text
    }
}

/// Bytes of memory that the process holds, where the system says.
pub fn resident_bytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok().map(|kib| kib * 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted_by_tool_reason_and_class() {
        let metrics = Metrics::default();
        metrics.count("search_concepts", Duration::from_millis(2), None);
        metrics.count("search_concepts", Duration::from_millis(700), Some("blank_query"));
        metrics.count("search_concepts", Duration::from_secs(100), None);
        let text = metrics.text(&[("medterm_sessions", "Sessions that are open.", 3.0)]);
        for line in [
            "medterm_sessions 3",
            "medterm_tool_calls_total{tool=\"search_concepts\"} 3",
            "medterm_tool_errors_total{tool=\"search_concepts\",reason=\"blank_query\"} 1",
            "medterm_tool_call_seconds_bucket{tool=\"search_concepts\",le=\"0.001\"} 0",
            "medterm_tool_call_seconds_bucket{tool=\"search_concepts\",le=\"0.0025\"} 1",
            "medterm_tool_call_seconds_bucket{tool=\"search_concepts\",le=\"1\"} 2",
            "medterm_tool_call_seconds_bucket{tool=\"search_concepts\",le=\"30\"} 2",
            "medterm_tool_call_seconds_bucket{tool=\"search_concepts\",le=\"+Inf\"} 3",
            "medterm_tool_call_seconds_count{tool=\"search_concepts\"} 3",
        ] {
            assert!(text.lines().any(|one| one == line), "{line}\n{text}");
        }
    }
}
