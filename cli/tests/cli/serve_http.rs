//! `medterm serve --http`.

use serde_json::{Value, json};

use crate::serving::{MCP, Served, Session, initialize, request};
use crate::support::{file, folder, store};

fn hello() -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize()}).to_string()
}

#[test]
fn the_address_chooses_the_tools() {
    let (_served, address) = Served::over_http(store(), &[], &[]);
    for (path, tool) in [
        ("/mcp", "search_concepts"),
        ("/mcp/core", "lookup_concept"),
        ("/mcp/ontoserver", "expand_valueset"),
        ("/mcp/mesh", "pubmed_lookup_mesh"),
    ] {
        let session = Session::open(&address, path);
        let tools = session.ask("tools/list", json!({}));
        assert!(tools.to_string().contains(tool), "{path}: {tools}");
        assert_eq!(session.delete(), 204);
    }
    let session = Session::open(&address, "/mcp");
    let arguments = json!({"system": "icd10cm", "query": "heart failure"});
    let found = session.call("search_concepts", arguments);
    assert_eq!(found["structuredContent"]["results"][0]["code"], "I50", "{found}");
    assert_eq!(session.ask("tools/call", json!({"name": "x"}))["error"]["code"], -32602);
    assert_eq!(request(&address, "POST", "/mcp/none", &MCP, &hello()).status, 404);
}

#[test]
fn without_a_session_the_newest_protocol_is_answered() {
    let (_served, address) = Served::over_http(store(), &[], &[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let call = json!({"name": "health_check", "arguments": {}, "_meta": meta});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call});
    let version = [
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "health_check"),
    ];
    let headers = [&MCP[..], &version].concat();
    let reply = request(&address, "POST", "/mcp", &headers, &body.to_string());
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(reply.message()["result"]["structuredContent"]["status"], "ok", "{reply:?}");
}

#[test]
fn strangers_are_refused() {
    let arguments =
        ["--allowed-host", "codes.example.org", "--allowed-origin", "https://app.example.org"];
    let (_served, address) = Served::over_http(store(), &arguments, &[]);
    let post = |headers: &[(&str, &str)]| {
        request(&address, "POST", "/mcp", &[&MCP[..], headers].concat(), &hello()).status
    };
    assert_eq!(post(&[]), 200);
    for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example"] {
        assert_eq!(post(&[("Host", host)]), 403, "{host}");
    }
    for host in ["localhost", "codes.example.org:443"] {
        assert_eq!(post(&[("Host", host)]), 200, "{host}");
    }
    for origin in ["https://evil.example", "null", "https://app.example.org.evil.example"] {
        assert_eq!(post(&[("Origin", origin)]), 403, "{origin}");
    }
    for origin in ["https://app.example.org", "http://localhost:6274"] {
        assert_eq!(post(&[("Origin", origin)]), 200, "{origin}");
    }
    assert_eq!(request(&address, "GET", "/metrics", &[("Host", "evil.example")], "").status, 403);

    let ask = [("Origin", "https://app.example.org"), ("Access-Control-Request-Method", "POST")];
    let preflight = request(&address, "OPTIONS", "/mcp", &ask, "");
    assert_eq!(preflight.status, 204);
    let allowed = preflight.header("access-control-allow-origin");
    assert_eq!(allowed, Some("https://app.example.org"), "{preflight:?}");
    let evil = [("Origin", "https://evil.example"), ("Access-Control-Request-Method", "POST")];
    let refused = request(&address, "OPTIONS", "/mcp", &evil, "");
    assert_eq!(refused.status, 403);
    assert_eq!(refused.header("access-control-allow-origin"), None);
}

#[test]
fn a_token_is_asked_for_where_there_is_one() {
    let path = file(&folder("serve-token"), "token.txt", b" s3cret-token\n");
    for (arguments, variables) in [
        (&["--token-file", path.as_str()][..], &[][..]),
        (&[], &[("MEDTERM_TOKEN", "s3cret-token")]),
    ] {
        let (mut served, address) = Served::over_http(store(), arguments, variables);
        let get = |path: &str, token: &str| {
            request(&address, "GET", path, &[("Authorization", token)], "").status
        };
        let post = |token: &str| {
            let headers = [&MCP[..], &[("Authorization", token)]].concat();
            request(&address, "POST", "/mcp", &headers, &hello()).status
        };
        let without = request(&address, "POST", "/mcp", &MCP, &hello());
        assert_eq!((without.status, without.header("www-authenticate")), (401, Some("Bearer")));
        assert_eq!(post("Bearer s3cret-tokem"), 401);
        assert_eq!(post("Bearer s3cret"), 401);
        assert_eq!(post("Bearer s3cret-token"), 200);
        assert_eq!(get("/metrics", "Bearer no"), 401);
        assert_eq!(get("/metrics", "Bearer s3cret-token"), 200);
        assert_eq!(get("/health", "Bearer no"), 200);
        served.until_logged("the store is open");
        assert!(!served.log.contains("s3cret"), "{}", served.log);
    }
    let blank = file(&folder("serve-token-blank"), "token.txt", b" \n");
    let mut served = Served::start(store(), &["--http", "127.0.0.1:0", "--token-file", &blank]);
    assert_eq!(served.end(), Some(2));
}

#[test]
fn what_is_too_large_or_no_message_is_refused() {
    let (_served, address) = Served::over_http(store(), &["--max-body", "4096"], &[]);
    let large = format!("{:5000}", hello());
    assert_eq!(request(&address, "POST", "/mcp", &MCP, &large).status, 413);
    for body in ["", "{", "[]", "{\"jsonrpc\": \"2.0\"}"] {
        let status = request(&address, "POST", "/mcp", &MCP, body).status;
        assert!((400..=422).contains(&status), "{body:?}: {status}");
    }
    let text = [("Content-Type", "text/plain"), MCP[1]];
    assert_eq!(request(&address, "POST", "/mcp", &text, &hello()).status, 415);
    let get = request(&address, "GET", "/mcp", &[("Accept", "application/json")], "");
    assert_eq!((get.status, get.header("allow")), (405, Some("POST, DELETE")));
    assert_eq!(request(&address, "PUT", "/mcp", &MCP, "").status, 405);
    let session = [&MCP[..], &[("Mcp-Session-Id", "no-such-session")]].concat();
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
    assert_eq!(request(&address, "POST", "/mcp", &session, &ping).status, 404);
    assert_eq!(request(&address, "POST", "/mcp", &MCP, &hello()).status, 200);
}

#[test]
fn operators_see_health_and_metrics_and_no_question() {
    let (mut served, address) = Served::over_http(store(), &[], &[]);
    served.until_logged("the store is open");
    let session = Session::open(&address, "/mcp");
    session.call("search_concepts", json!({"system": "icd10cm", "query": "zebrafish"}));
    session.call("search_concepts", json!({"system": "icd10cm", "query": ""}));
    let health: Value = request(&address, "GET", "/health", &[], "").message();
    assert_eq!(health["status"], "ok", "{health}");
    assert_eq!(health["terminologies"]["icd10cm"]["loaded"], true, "{health}");
    let metrics = request(&address, "GET", "/metrics", &[], "").body;
    for line in [
        "medterm_sessions 1",
        "medterm_terminologies 1",
        "medterm_calls_running 0",
        "medterm_tool_calls_total{tool=\"search_concepts\"} 2",
        "medterm_tool_errors_total{tool=\"search_concepts\",reason=\"blank_query\"} 1",
        "medterm_tool_call_seconds_count{tool=\"search_concepts\"} 2",
    ] {
        assert!(metrics.lines().any(|one| one == line), "{line}\n{metrics}");
    }
    assert!(!metrics.contains("zebrafish"), "{metrics}");
    assert_eq!(session.delete(), 204);
}

#[cfg(unix)]
#[test]
fn it_ends_when_it_is_asked_to_also_with_sessions_open() {
    let (mut served, address) = Served::over_http(store(), &[], &[]);
    let session = Session::open(&address, "/mcp");
    assert!(session.ask("ping", json!({}))["result"].is_object());
    served.terminate();
    assert_eq!(served.ended(), Some(0), "{}", served.log);
    assert!(served.said.is_empty(), "standard output is not for logs: {:?}", served.said);
    assert!(served.log.contains("stopped"), "{}", served.log);
}

#[test]
fn an_address_that_is_taken_is_an_error_of_usage() {
    let (_served, address) = Served::over_http(store(), &[], &[]);
    let mut second = Served::start(store(), &["--http", &address]);
    assert_eq!(second.end(), Some(2));
    assert!(second.log.contains("cannot be listened at"), "{}", second.log);
}
