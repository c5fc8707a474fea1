use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{build_into, command, file, folder, run};

/// A release of 1,100 codes with as many names: more than one piece of embeddings is saved.
fn release() -> String {
    let mut codes = String::new();
    for category in 0..100 {
        let _ =
            write!(codes, "<diag><name>A{category:02}</name><desc>Fever of kind {category}</desc>");
        for code in 0..10 {
            let _ = write!(
                codes,
                "<diag><name>A{category:02}.{code}</name><desc>Fever {category} with rash {code}</desc></diag>"
            );
        }
        codes.push_str("</diag>\n");
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<ICD10CM.tabular>\n<version>2026</version>\n\
         <title>ICD-10-CM TABULAR LIST of DISEASES and INJURIES</title>\n\
         <chapter><name>1</name><desc>Infections (A00-A99)</desc>\n\
         <section id=\"A00-A99\"><desc>Fevers (A00-A99)</desc>\n{codes}</section></chapter>\n\
         </ICD10CM.tabular>\n"
    )
}

/// Bytes of 512 saved embeddings of 384 half-precision numbers.
const SAVED: u64 = 512 * 384 * 2;

#[test]
fn a_build_that_is_killed_leaves_the_old_version_served_and_resumes_to_the_same_bytes() {
    let folder = folder("killed");
    let store = folder.join("store");
    build_into(&store).ended(0);
    let big = file(&folder, "big.xml", release().as_bytes());
    let build = ["build", &big, "--version", "big", "--backend", "rten", "--json"];

    let log = store.join("icd10cm/big/.building/embeddings.log");
    let mut child = command(&store)
        .args(build)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    let deadline = Instant::now() + Duration::from_secs(120);
    while fs::metadata(&log).map_or(0, |log| log.len()) < SAVED {
        assert!(child.try_wait().expect("the child is ours").is_none(), "it ended unkilled");
        assert!(Instant::now() < deadline, "nothing was saved in two minutes");
        std::thread::yield_now();
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");

    let served = run(&store, &["lookup", "E11", "--json"]).ended(0).json();
    assert_eq!(served["version"], "2026");
    let resumed = run(&store, &build).ended(0).json();
    // The kill may fall into the writing of a piece: its whole rows are kept, and each takes a few
    // bytes more than its numbers.
    assert!(resumed["reused"].as_u64().is_some_and(|rows| rows >= 480), "{resumed}");
    assert!(!log.exists(), "what was of use to the next build only is gone");

    let fresh = folder.join("fresh");
    let whole = run(&fresh, &build).ended(0).json();
    assert_eq!(whole["reused"], 0);
    assert_eq!(whole["build"], resumed["build"]);
    for name in ["manifest.json", "records.bin", "hierarchy.bin", "lexical.bin", "dense.bin"] {
        let read = |report: &serde_json::Value| {
            let folder = report["folder"].as_str().expect("a folder");
            fs::read(Path::new(folder).join(name)).expect("the part is there")
        };
        assert!(read(&whole) == read(&resumed), "{name} differs");
    }
}
