//! A store that changes under a running server.

use std::time::Instant;

use serde_json::{Value, json};

use crate::serving::{DEADLINE, Served};
use crate::support::{RELEASE, build_into, file, folder, run};

fn search(served: &mut Served, query: &str) -> Value {
    served.call("search_concepts", json!({"system": "icd10cm", "query": query}))
}

/// Asks until the answer is as wanted. The server says when it has looked at its store.
fn until(served: &mut Served, what: &str, query: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    let end = Instant::now() + DEADLINE;
    loop {
        let answer = search(served, query);
        if wanted(&answer["structuredContent"]) {
            return answer;
        }
        assert!(Instant::now() < end, "{what}: {answer}");
    }
}

/// Goes on talking until the server has said this.
fn until_told(served: &mut Served, notification: &str) {
    let end = Instant::now() + DEADLINE;
    while !served.said.iter().any(|line| line.contains(notification)) {
        served.ask("ping", json!({}));
        assert!(Instant::now() < end, "no {notification}: {:?}", served.said);
    }
}

#[test]
fn a_new_version_answers_without_a_restart() {
    let folder = folder("serve-reload");
    let store = folder.join("store");
    let mut served = Served::over_stdio(&store, &[]);
    served.until_logged("the store is empty");
    let reason = |answer: &Value| answer["structuredContent"]["error"]["data"]["reason"].clone();
    assert_eq!(reason(&search(&mut served, "heart failure")), "terminology_not_loaded");
    let resources = |served: &mut Served| {
        served.ask("resources/list", json!({}))["result"]["resources"].as_array().map(Vec::len)
    };
    let listed = resources(&mut served);

    build_into(&store).ended(0);
    served.until_logged("icd10cm");
    let found = search(&mut served, "heart failure");
    assert_eq!(found["structuredContent"]["results"][0]["version"], "2026", "{found}");
    // The chapters of what is new are listed now, and clients were told.
    assert_eq!(resources(&mut served), listed.map(|count| count + 1));
    until_told(&mut served, "notifications/resources/list_changed");

    let next = RELEASE
        .replace("<version>2026<", "<version>2027<")
        .replace("Heart failure,", "Failing heart,");
    let next = file(&folder, "next.xml", next.as_bytes());
    run(&store, &["build", &next, "--no-embeddings"]).ended(0);
    let is_next = |answer: &Value| answer["results"][0]["version"] == "2027";
    let found = until(&mut served, "the next version", "failing heart", is_next);
    assert_eq!(found["structuredContent"]["results"][0]["display"], "Failing heart, unspecified");
    // The other version can still be asked for by name.
    let arguments = json!({"system": "icd10cm", "version": "2026", "query": "heart failure"});
    let found = served.call("search_concepts", arguments);
    assert_eq!(found["structuredContent"]["results"][0]["version"], "2026", "{found}");

    run(&store, &["use", "icd10cm", "2026"]).ended(0);
    let is_first = |answer: &Value| answer["results"][0]["version"] == "2026";
    until(&mut served, "the other default", "heart failure", is_first);
    run(&store, &["remove", "icd10cm", "2026", "--yes"]).ended(0);
    until(&mut served, "what is left", "heart failure", is_next);
    assert_eq!(served.end(), Some(0));
}

#[test]
fn maintenance_holds_at_once_and_ends_at_once() {
    let store = folder("serve-maintenance").join("store");
    build_into(&store).ended(0);
    let mut served = Served::over_stdio(&store, &[]);
    assert_eq!(search(&mut served, "heart failure")["isError"], false);
    let switched =
        run(&store, &["--json", "maintenance", "icd10cm", "on", "--message", "back at noon"]);
    assert_eq!(switched.ended(0).json()["maintenance"], true);
    let refused = search(&mut served, "heart failure");
    assert_eq!(refused["isError"], true, "{refused}");
    let error = &refused["structuredContent"]["error"];
    assert_eq!(error["code"], "MODULE_MAINTENANCE");
    assert_eq!(error["module"], "icd");
    assert!(error["message_zh"].is_string(), "{error}");
    let tools = served.ask("tools/list", json!({}));
    assert!(tools.to_string().contains("search_concepts"), "its tools stay listed");
    let health = served.call("health_check", json!({}))["structuredContent"].clone();
    assert_eq!(health["terminologies"]["icd10cm"]["maintenance"], true, "{health}");
    run(&store, &["maintenance", "icd10cm", "off"]).ended(0);
    assert_eq!(search(&mut served, "heart failure")["isError"], false);
    run(&store, &["maintenance", "snomed", "on"]).ended(2);
    assert_eq!(served.end(), Some(0));
}

#[test]
fn a_terminology_that_is_broken_leaves_the_server_up() {
    let store = folder("serve-broken").join("store");
    build_into(&store).ended(0);
    let current = std::fs::read_to_string(store.join("icd10cm/2026/current")).expect("a pointer");
    let part = store.join("icd10cm/2026").join(current.trim()).join("records.bin");
    std::fs::write(&part, b"broken").expect("it is written");
    let mut served = Served::over_stdio(&store, &[]);
    served.until_logged("a terminology is left out");
    let health = served.call("health_check", json!({}))["structuredContent"].clone();
    assert_eq!(health["status"], "degraded", "{health}");
    assert!(!health.to_string().contains(env!("CARGO_TARGET_TMPDIR")), "{health}");
    let refused = search(&mut served, "heart failure");
    assert_eq!(refused["isError"], true);
    assert!(!refused.to_string().contains(env!("CARGO_TARGET_TMPDIR")), "{refused}");
    assert_eq!(served.end(), Some(0));
}
