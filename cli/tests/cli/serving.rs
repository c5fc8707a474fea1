//! A server as its clients meet it: messages over stdio and HTTP, lines on standard error.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::command;

/// Longer than anything takes on a machine that is busy; a test that waits so long has failed.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// A server that runs, and ends with the test.
pub struct Served {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Receiver<String>,
    stderr: Receiver<String>,
    /// What it has said on standard error so far.
    pub log: String,
    /// What it has said on standard output so far.
    pub said: Vec<String>,
    next: u64,
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines(from: impl Read + Send + 'static) -> Receiver<String> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    receive
}

impl Served {
    /// Starts `medterm serve` on a store.
    pub fn start(store: &Path, arguments: &[&str]) -> Self {
        Self::start_with(store, arguments, &[])
    }

    /// The same, with variables of the environment.
    pub fn start_with(store: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = command(store);
        command.env_remove("MEDTERM_TOKEN").envs(variables.iter().copied());
        let mut child = command
            .arg("serve")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let stdin = child.stdin.take();
        let stdout = lines(child.stdout.take().expect("a pipe"));
        let stderr = lines(child.stderr.take().expect("a pipe"));
        Self { child, stdin, stdout, stderr, log: String::new(), said: Vec::new(), next: 0 }
    }

    /// Starts a server over stdio and shakes hands.
    pub fn over_stdio(store: &Path, arguments: &[&str]) -> Self {
        let mut served = Self::start(store, arguments);
        let answer = served.ask("initialize", initialize());
        assert_eq!(answer["result"]["serverInfo"]["name"], "medterm", "{answer}");
        served.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        served
    }

    /// Starts a server over HTTP, and gives its address.
    pub fn over_http(
        store: &Path,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> (Self, String) {
        let arguments = [&["--http", "127.0.0.1:0"], arguments].concat();
        let mut served = Self::start_with(store, &arguments, variables);
        let line = served.until_logged("url=");
        let (_, rest) = line.split_once("http://").expect("an address");
        let address = rest.split('/').next().expect("an address").to_owned();
        (served, address)
    }

    /// The first line on standard error with this in it; waits for it.
    pub fn until_logged(&mut self, part: &str) -> String {
        if let Some(line) = self.log.lines().find(|line| line.contains(part)) {
            return line.to_owned();
        }
        let end = Instant::now() + DEADLINE;
        loop {
            let line = self.stderr.recv_timeout(end.saturating_duration_since(Instant::now()));
            let line = line.unwrap_or_else(|error| panic!("no {part:?} ({error}):\n{}", self.log));
            self.log.push_str(&line);
            self.log.push('\n');
            if line.contains(part) {
                return line;
            }
        }
    }

    pub fn write(&mut self, text: &str) {
        let stdin = self.stdin.as_mut().expect("it is open");
        stdin
            .write_all(text.as_bytes())
            .and_then(|()| stdin.flush())
            .expect("it can be written to");
    }

    pub fn send(&mut self, message: &Value) {
        self.write(&format!("{message}\n"));
    }

    /// The next message on standard output. Whatever is there must be one.
    pub fn message(&mut self) -> Value {
        let line = self.stdout.recv_timeout(DEADLINE);
        let line = line.unwrap_or_else(|error| panic!("no message ({error}):\n{}", self.log));
        let message: Value = serde_json::from_str(&line).expect("standard output is the protocol");
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        self.said.push(line);
        message
    }

    /// Asks, and gives the answer; notifications before it are passed over.
    pub fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}));
        loop {
            let message = self.message();
            if message["id"] == id {
                return message;
            }
            assert!(message.get("id").is_none(), "{message} is the answer to something else");
        }
    }

    /// Calls a tool, and gives its result.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments}))["result"].clone()
    }

    /// Closes its input and gives its exit code, with all that it said in `said` and `log`.
    pub fn end(&mut self) -> Option<i32> {
        self.stdin = None;
        self.ended()
    }

    /// Waits for its end.
    pub fn ended(&mut self) -> Option<i32> {
        let end = Instant::now() + DEADLINE;
        let left = || end.saturating_duration_since(Instant::now());
        // The pipes end with the process.
        while let Ok(line) = self.stdout.recv_timeout(left()) {
            self.said.push(line);
        }
        while let Ok(line) = self.stderr.recv_timeout(left()) {
            self.log.push_str(&line);
            self.log.push('\n');
        }
        assert!(Instant::now() < end, "it does not end:\n{}", self.log);
        self.child.wait().expect("it ends").code()
    }

    /// Asks the process to end, as `kill` does.
    #[cfg(unix)]
    pub fn terminate(&self) {
        let id = self.child.id().to_string();
        let sent = std::process::Command::new("kill").arg(id).status().expect("kill runs");
        assert!(sent.success());
    }
}

/// The parameters of the first message.
pub fn initialize() -> Value {
    json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    })
}

/// An answer over HTTP.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Reply {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(':'));
        lines.into_iter().find(|(one, _)| one.eq_ignore_ascii_case(name)).map(|(_, v)| v.trim())
    }

    /// The one message in it, sent as such or as an event.
    pub fn message(&self) -> Value {
        let event = self.body.lines().find_map(|line| line.strip_prefix("data: {"));
        let text = event.map_or_else(|| self.body.clone(), |rest| format!("{{{rest}"));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Sends a request and reads the answer to its end.
pub fn request(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Reply {
    let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
    if !headers.iter().any(|(name, _)| *name == "Host") {
        head.push_str(&format!("Host: {address}\r\n"));
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("Content-Length: {}\r\n\r\n", body.len()));
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(DEADLINE)).expect("a time limit");
    stream.write_all(head.as_bytes()).expect("it reads");
    // A server may refuse before it has read the body.
    let _ = stream.write_all(body.as_bytes());
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).expect("UTF-8");
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
    let chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    let body = if chunked { joined(body) } else { body.to_owned() };
    Reply { status, head: head.to_owned(), body }
}

/// The body of an answer that came in chunks.
fn joined(mut text: &str) -> String {
    let mut body = String::new();
    while let Some((length, rest)) = text.split_once("\r\n") {
        let length = usize::from_str_radix(length.trim(), 16).expect("a length");
        body.push_str(&rest[..length]);
        text = &rest[(length + 2).min(rest.len())..];
    }
    body
}

/// What every message is sent with.
pub const MCP: [(&str, &str); 2] =
    [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];

/// A client of one path over HTTP that has shaken hands.
pub struct Session {
    address: String,
    path: String,
    id: String,
}

impl Session {
    pub fn open(address: &str, path: &str) -> Self {
        let body =
            json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": initialize()});
        let reply = request(address, "POST", path, &MCP, &body.to_string());
        assert_eq!(reply.status, 200, "{reply:?}");
        let id = reply.header("mcp-session-id").expect("a session").to_owned();
        let session = Self { address: address.to_owned(), path: path.to_owned(), id };
        let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(session.post(&done).status, 202);
        session
    }

    pub fn post(&self, message: &Value) -> Reply {
        let headers = [&MCP[..], &[("Mcp-Session-Id", self.id.as_str())]].concat();
        request(&self.address, "POST", &self.path, &headers, &message.to_string())
    }

    pub fn ask(&self, method: &str, parameters: Value) -> Value {
        let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": parameters});
        let reply = self.post(&message);
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.message()
    }

    pub fn call(&self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments}))["result"].clone()
    }

    /// Whether its server has ended it, or it ends now.
    pub fn delete(&self) -> u16 {
        let headers = [("Mcp-Session-Id", self.id.as_str())];
        request(&self.address, "DELETE", &self.path, &headers, "").status
    }
}
