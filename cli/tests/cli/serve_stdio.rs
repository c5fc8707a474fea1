//! `medterm serve` over stdio.

use serde_json::{Value, json};

use crate::serving::{DEADLINE, Served, initialize};
use crate::support::{folder, store};

fn names(list: &Value) -> Vec<&str> {
    let list = list.as_array().expect("a list");
    list.iter().map(|one| one["name"].as_str().expect("a name")).collect()
}

#[test]
fn a_whole_conversation() {
    let mut served = Served::start(store(), &[]);
    let hello = served.ask("initialize", initialize())["result"].clone();
    assert_eq!(hello["protocolVersion"], "2025-06-18");
    assert_eq!(hello["capabilities"]["tools"], json!({"listChanged": true}));
    assert_eq!(hello["capabilities"]["resources"], json!({"listChanged": true}));
    assert_eq!(hello["capabilities"]["prompts"], json!({}));
    assert_eq!(hello["capabilities"]["completions"], json!({}));
    assert!(hello["capabilities"].get("logging").is_none(), "{hello}");
    let instructions = hello["instructions"].as_str().expect("instructions");
    assert!(instructions.contains("patient names"), "{instructions}");
    served.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));

    let tools = served.ask("tools/list", json!({}))["result"]["tools"].clone();
    assert!(names(&tools).starts_with(&["search_concepts", "lookup_concept"]), "{tools}");
    for tool in tools.as_array().expect("a list") {
        let hints = json!({
            "title": tool["title"], "readOnlyHint": true, "idempotentHint": true,
            "destructiveHint": false, "openWorldHint": false,
        });
        assert_eq!(tool["annotations"], hints);
        assert_eq!(tool["inputSchema"]["type"], "object");
        assert_eq!(tool["outputSchema"]["type"], "object");
    }

    let arguments = json!({"system": "icd10cm", "query": "heart failure"});
    let found = served.call("search_concepts", arguments);
    assert_eq!(found["isError"], false, "{found}");
    assert_eq!(found["structuredContent"]["results"][0]["code"], "I50", "{found}");
    assert!(found["content"][0]["text"].as_str().expect("a text").contains("I50.9:"), "{found}");

    let refused = served.call("search_concepts", json!({"system": "icd10cm", "query": " "}));
    assert_eq!(refused["isError"], true);
    assert_eq!(refused["structuredContent"]["error"]["data"]["reason"], "blank_query");
    assert_eq!(served.end(), Some(0));
}

#[test]
fn what_is_asked_wrongly_is_told_and_does_no_harm() {
    let mut served = Served::over_stdio(store(), &["--profile", "ontoserver"]);
    let unknown = served.ask("tools/call", json!({"name": "find_cures", "arguments": {}}));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    assert_eq!(unknown["error"]["data"]["reason"], "unknown_tool");
    assert_eq!(served.ask("medterm/dance", json!({}))["error"]["code"], -32601);
    let message =
        served.call("search_concepts", json!({"system": "icd10cm", "query": "x", "page": 2}));
    assert_eq!(message["structuredContent"]["error"]["data"]["reason"], "invalid_argument");
    // What is no JSON is passed over; what is no message is told.
    served.write("{\"jsonrpc\": \"2.0\", \"id\": 4, \n");
    served.write("not json\n\n");
    served.send(&json!({"jsonrpc": "2.0", "id": 99, "method": 5}));
    let told = served.message();
    assert_eq!(told["error"]["code"], -32600, "{told}");
    assert!(served.ask("ping", json!({}))["result"].is_object());
    assert_eq!(served.end(), Some(0));
}

#[test]
fn a_line_that_is_too_long_is_passed_over() {
    let mut served = Served::over_stdio(store(), &["--max-body", "4096"]);
    let query = "x".repeat(5000);
    let call =
        json!({"name": "search_concepts", "arguments": {"system": "icd10cm", "query": query}});
    served.send(&json!({"jsonrpc": "2.0", "id": 50, "method": "tools/call", "params": call}));
    assert!(served.ask("ping", json!({}))["result"].is_object());
    assert_eq!(served.end(), Some(0));
}

#[test]
fn everything_that_was_asked_is_answered_before_the_end() {
    let mut served = Served::over_stdio(store(), &[]);
    for id in 100..120 {
        let arguments = json!({"system": "icd10cm", "query": "diabetes"});
        let call = json!({"name": "search_concepts", "arguments": arguments});
        served.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call}));
    }
    let before = served.said.len();
    assert_eq!(served.end(), Some(0));
    assert_eq!(served.said.len() - before, 20);
}

#[test]
fn an_end_before_the_beginning_is_no_error() {
    let mut served = Served::start(store(), &[]);
    assert_eq!(served.end(), Some(0));
    assert!(served.said.is_empty(), "{:?}", served.said);
}

#[test]
fn prompts_resources_and_completions() {
    let mut served = Served::over_stdio(store(), &[]);
    let prompts = served.ask("prompts/list", json!({}))["result"]["prompts"].clone();
    assert!(names(&prompts).contains(&"find-code"), "{prompts}");
    let get = json!({"name": "find-code", "arguments": {"term": "flu", "system": "icd10cm"}});
    let text = served.ask("prompts/get", get)["result"]["messages"][0].clone();
    assert_eq!(text["role"], "user");
    assert!(text["content"]["text"].as_str().expect("a text").contains("icd10cm"), "{text}");
    // SNOMED CT is meant where nothing is said, and is not here.
    let get = json!({"name": "find-code", "arguments": {"term": "flu"}});
    let text = served.ask("prompts/get", get)["result"]["messages"][0]["content"]["text"].clone();
    assert!(text.as_str().expect("a text").contains("not loaded here"), "{text}");
    let without = served.ask("prompts/get", json!({"name": "find-code"}));
    assert_eq!(without["error"]["data"]["reason"], "invalid_argument", "{without}");

    let resources = served.ask("resources/list", json!({}))["result"]["resources"].clone();
    let uris: Vec<&str> = resources
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["uri"].as_str())
        .collect();
    let all = [
        "ecl://guide",
        "vcl://guide",
        "info://server",
        "info://licenses",
        "info://icd10cm/chapters",
    ];
    assert_eq!(uris, all);
    for uri in uris {
        let read =
            served.ask("resources/read", json!({"uri": uri}))["result"]["contents"][0].clone();
        assert_eq!(read["mimeType"], "text/markdown");
        assert!(read["text"].as_str().expect("a text").len() > 100, "{read}");
        let leak = env!("CARGO_TARGET_TMPDIR");
        assert!(!read["text"].as_str().expect("a text").contains(leak), "{read}");
    }
    let chapters = served.ask("resources/read", json!({"uri": "info://icd10cm/chapters"}));
    assert!(chapters.to_string().contains("circulatory"), "{chapters}");
    let missing = served.ask("resources/read", json!({"uri": "info://snomed/chapters"}));
    assert_eq!(missing["error"]["code"], -32002, "{missing}");
    let templates = served.ask("resources/templates/list", json!({}));
    let uri = &templates["result"]["resourceTemplates"][0]["uriTemplate"];
    assert_eq!(*uri, "info://{alias}/chapters");

    let complete = json!({
        "ref": {"type": "ref/prompt", "name": "find-code"},
        "argument": {"name": "system", "value": "ICD"},
    });
    let completed = served.ask("completion/complete", complete)["result"]["completion"].clone();
    assert_eq!(completed["values"], json!(["icd10cm"]));
    assert_eq!(completed["hasMore"], false);
    assert_eq!(served.end(), Some(0));
}

#[test]
fn a_call_that_is_cancelled_is_not_answered() {
    let mut served = Served::over_stdio(store(), &["--concurrency", "1"]);
    let mut all = String::new();
    for id in 1000..1300 {
        let arguments = json!({"system": "icd10cm", "query": format!("diabetes {id}")});
        let call = json!({"name": "search_concepts", "arguments": arguments});
        let message = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call});
        all.push_str(&format!("{message}\n"));
    }
    // The last one has to wait for all of the others.
    let cancel = json!({"requestId": 1299, "reason": "no longer needed"});
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel});
    all.push_str(&format!("{cancel}\n"));
    served.write(&all);
    let mut answered = Vec::new();
    while answered.len() < 299 {
        answered.push(served.message()["id"].as_u64().expect("an id"));
    }
    answered.sort_unstable();
    assert_eq!(answered, (1000..1299).collect::<Vec<_>>());
    assert_eq!(served.ask("ping", json!({}))["result"], json!({}));
    assert_eq!(served.end(), Some(0));
    assert!(served.log.contains("outcome=\"cancelled\""), "{}", served.log);
}

#[cfg(unix)]
#[test]
fn a_server_that_is_busy_ends_when_it_is_asked_to() {
    let mut served = Served::over_stdio(store(), &["--concurrency", "1"]);
    for id in 500..560 {
        let arguments = json!({"system": "icd10cm", "query": "diabetes"});
        let call = json!({"name": "search_concepts", "arguments": arguments});
        served.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call}));
    }
    served.message();
    served.terminate();
    assert_eq!(served.ended(), Some(0), "{}", served.log);
    // What it was answering it has answered in full.
    for line in &served.said {
        serde_json::from_str::<Value>(line).expect("a whole message");
    }
}

#[test]
fn nothing_of_what_is_asked_is_logged() {
    let ask = |arguments: &[&str]| {
        let mut served = Served::over_stdio(store(), arguments);
        served.call("search_concepts", json!({"system": "icd10cm", "query": "zebrafish failure"}));
        served.call("search_concepts", json!({"system": "zebrafish", "query": "x"}));
        served.call("search_concepts", json!({"zebrafish": 1}));
        served.ask("tools/call", json!({"name": "zebrafish", "arguments": {"query": "zebrafish"}}));
        served.ask("prompts/get", json!({"name": "find-code", "arguments": {"term": "zebrafish"}}));
        served.ask("resources/read", json!({"uri": "info://zebrafish/chapters"}));
        served.ask("zebrafish", json!({}));
        served.write("{\"zebrafish\": \n");
        served.send(&json!({"jsonrpc": "2.0", "id": 98, "method": ["zebrafish"]}));
        served.message();
        assert_eq!(served.end(), Some(0));
        served.log.clone()
    };
    for arguments in [&[][..], &["-v"], &["-v", "--log-format", "json"]] {
        let log = ask(arguments);
        assert!(log.contains("search_concepts"), "calls are logged: {log}");
        assert!(!log.contains("zebrafish"), "{arguments:?}: {log}");
    }
    assert!(ask(&["--log-queries"]).contains("zebrafish"));
    let json = ask(&["--log-format", "json"]);
    for line in json.lines() {
        assert!(
            serde_json::from_str::<Value>(line).is_ok_and(|line| line["level"].is_string()),
            "{line}"
        );
    }
}

#[test]
fn an_empty_store_is_served_and_says_so() {
    let empty = folder("serve-empty").join("store");
    let mut served = Served::over_stdio(&empty, &[]);
    served.until_logged("the store is empty");
    let found = served.call("search_concepts", json!({"system": "icd10cm", "query": "flu"}));
    let error = &found["structuredContent"]["error"];
    assert_eq!(error["data"]["reason"], "terminology_not_loaded", "{found}");
    assert_eq!(served.end(), Some(0));
}

#[test]
fn the_demo_fills_an_empty_store_while_it_serves() {
    let empty = folder("serve-demo").join("store");
    let mut served = Served::over_stdio(&empty, &["--demo", "--no-embeddings", "--profile", "all"]);
    assert!(served.ask("tools/list", json!({}))["result"].is_object());
    served.until_logged("icd10cm 2026-04-01");
    let found =
        served.call("search_concepts", json!({"system": "icd10cm", "query": "heart attack"}));
    let first = found["structuredContent"]["results"][0]["code"].as_str();
    assert!(first.is_some_and(|code| code.starts_with("I21")), "{found}");
    // The tools of ICD-10 are for the whole of it, which is there now.
    let tools = served.ask("tools/list", json!({}))["result"]["tools"].clone();
    assert!(names(&tools).contains(&"browse_icd_category"), "{tools}");
    let end = std::time::Instant::now() + DEADLINE;
    while !served.said.iter().any(|line| line.contains("notifications/tools/list_changed")) {
        served.ask("ping", json!({}));
        assert!(std::time::Instant::now() < end, "clients are not told of the tools");
    }
    assert_eq!(served.end(), Some(0));
}

#[test]
fn the_profile_chooses_the_tools() {
    for (profile, tool) in [("mesh", "pubmed_lookup_mesh"), ("all", "browse_icd_category")] {
        let mut served = Served::over_stdio(store(), &["--profile", profile]);
        let tools = served.ask("tools/list", json!({}))["result"]["tools"].clone();
        // The tools of ICD-10 are for the whole of it.
        assert_eq!(names(&tools).contains(&tool), profile != "all", "{tools}");
    }
    let mut served = Served::start(store(), &["--profile", "none"]);
    assert_eq!(served.end(), Some(2));
}
