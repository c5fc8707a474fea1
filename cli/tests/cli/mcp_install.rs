//! `medterm mcp install`.

use serde_json::{Value, json};

use crate::support::{file, folder, run, store};

fn read(path: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("it is there")).expect("JSON")
}

#[test]
fn every_client_has_its_own_form() {
    let folder = folder("mcp-install");
    for (client, key, says_type) in [
        ("claude-desktop", "mcpServers", false),
        ("claude-code", "mcpServers", true),
        ("cursor", "mcpServers", false),
        ("vscode", "servers", true),
    ] {
        let path = folder.join(client).join("config.json");
        let path = path.to_str().expect("UTF-8");
        let answer = run(
            store(),
            &["--json", "mcp", "install", "--client", client, "--file", path, "--profile", "icd10"],
        );
        assert_eq!(answer.ended(0).json()["backup"], Value::Null);
        let entry = read(path)[key]["medterm"].clone();
        assert_eq!(entry["command"], env!("CARGO_BIN_EXE_medterm"));
        assert_eq!(entry["args"], json!(["--store", store(), "serve", "--profile", "icd10"]));
        assert_eq!(entry.get("type"), says_type.then_some(&json!("stdio")));
        let url = "http://127.0.0.1:3000/mcp";
        let remote =
            run(store(), &["mcp", "install", "--client", client, "--print", "--http", url]);
        if client == "claude-desktop" {
            remote.ended(2);
            continue;
        }
        let remote = remote.ended(0).json()[key]["medterm"].clone();
        assert_eq!(remote["url"], url);
        assert_eq!(remote.get("type"), says_type.then_some(&json!("http")));
    }
}

#[test]
fn what_is_there_is_kept_and_backed_up() {
    let folder = folder("mcp-install-merge");
    let before = r#"{"theme": "dark", "mcpServers": {"other": {"command": "x"}}}"#;
    let path = file(&folder, "config.json", before.as_bytes());
    let install = ["mcp", "install", "--client", "cursor", "--file", path.as_str()];
    let said = run(store(), &install).ended(0);
    assert!(said.stdout.contains("config.json.bak"), "{}", said.stdout);
    let after = read(&path);
    assert_eq!(
        (&after["theme"], &after["mcpServers"]["other"]["command"]),
        (&json!("dark"), &json!("x"))
    );
    assert!(after["mcpServers"]["medterm"].is_object());
    assert_eq!(std::fs::read_to_string(format!("{path}.bak")).expect("a backup"), before);

    let commented = file(&folder, "comments.json", b"{ // mine\n}");
    let refused = run(store(), &["mcp", "install", "--client", "vscode", "--file", &commented]);
    assert!(refused.ended(2).stderr.contains("--print"));
    assert_eq!(std::fs::read(&commented).expect("it is there"), b"{ // mine\n}");
    let names = std::fs::read_dir(&folder).expect("the folder").count();
    assert_eq!(names, 3, "nothing else is left behind");
}
