//! The medterm command as people meet it: run as a process, judged by its output and exit code.
#![allow(clippy::expect_used, reason = "a test that cannot go on has failed")]

#[path = "cli/bad_input.rs"]
mod bad_input;
#[path = "cli/codes.rs"]
mod codes;
#[path = "cli/evaluation.rs"]
mod evaluation;
#[path = "cli/evaluation_report.rs"]
mod evaluation_report;
#[path = "cli/help.rs"]
mod help;
#[path = "cli/killed.rs"]
mod killed;
#[path = "cli/maps.rs"]
mod maps;
#[path = "cli/mcp_install.rs"]
mod mcp_install;
#[path = "cli/releases.rs"]
mod releases;
#[path = "cli/serve_http.rs"]
mod serve_http;
#[path = "cli/serve_reload.rs"]
mod serve_reload;
#[path = "cli/serve_stdio.rs"]
mod serve_stdio;
#[path = "cli/serving.rs"]
mod serving;
#[path = "cli/stores.rs"]
mod stores;
#[path = "cli/support.rs"]
mod support;
#[path = "cli/valuesets.rs"]
mod valuesets;
