use crate::support::{command, finished, folder, run, store};

const COMMANDS: [&str; 19] = [
    "demo",
    "build",
    "search",
    "lookup",
    "validate",
    "browse",
    "subsumes",
    "list",
    "use",
    "remove",
    "translate",
    "equivalents",
    "valueset",
    "expand",
    "map",
    "borrow",
    "eval",
    "doctor",
    "completions",
];

#[test]
fn every_command_explains_itself_with_examples() {
    let nowhere = folder("help");
    let overview = run(&nowhere, &["--help"]).ended(0).stdout;
    for name in COMMANDS {
        assert!(overview.contains(&format!("  {name} ")), "{name} is not in the overview");
        let help = run(&nowhere, &[name, "--help"]).ended(0).stdout;
        let example = format!("Examples:\n  medterm {name}");
        assert!(help.contains(&example), "{name} has no example:\n{help}");
        assert!(help.contains("--store"), "{name} does not show the global options");
    }
}

#[test]
fn wrong_usage_ends_with_2_and_with_json_where_that_was_asked_for() {
    let nowhere = folder("usage");
    run(&nowhere, &[]).ended(2);
    run(&nowhere, &["seek", "x"]).ended(2);
    run(&nowhere, &["search"]).ended(2);
    run(&nowhere, &["search", "x", "--mode", "magic"]).ended(2);
    run(&nowhere, &["eval", "--gold", "x", "--without", "display"]).ended(2);
    let error = run(&nowhere, &["--json", "search", "x", "--limit", "many"]).ended(2).json();
    assert_eq!(error["error"]["code"], "usage");
    assert!(error["error"]["message"].as_str().is_some_and(|text| text.contains("--limit")));
}

#[test]
fn completions_are_written_for_a_shell() {
    let script = run(&folder("completions"), &["completions", "bash"]).ended(0).stdout;
    assert!(script.contains("_medterm") && script.contains("subsumes"));
}

#[test]
fn color_is_for_terminals_unless_it_is_asked_for() {
    let search = ["search", "heart failure"];
    assert!(!run(store(), &search).ended(0).stdout.contains('\u{1b}'));
    let colored = run(store(), &["search", "heart failure", "--color", "always"]).ended(0);
    assert!(colored.stdout.contains("\u{1b}["));
    let never = command(store())
        .args(["search", "heart failure", "--color", "never"])
        .env("CLICOLOR_FORCE", "1")
        .output();
    assert!(!finished(never.expect("starts")).ended(0).stdout.contains('\u{1b}'));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = command(store())
        .args(["completions", "zsh"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("starts");
    drop(child.stdout.take());
    let run = finished(child.wait_with_output().expect("ends")).ended(0);
    assert_eq!(run.stderr, "");
}
