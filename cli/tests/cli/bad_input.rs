use crate::support::{RELEASE, build_into, file, folder, run};

/// Builds from a file that is bad, over a store that is good: the message names the file, the exit
/// code is 3, and the store answers as before.
fn refused(name: &str, file_name: &str, content: &[u8]) -> String {
    let folder = folder(name);
    let store = folder.join("store");
    build_into(&store).ended(0);
    let path = file(&folder, file_name, content);
    let error = run(&store, &["build", &path, "--no-embeddings"]).ended(3).stderr;
    assert!(error.contains(&path), "{error}");
    run(&store, &["lookup", "E11.9"]).ended(0);
    error
}

#[test]
fn a_missing_file() {
    let folder = folder("missing");
    let error = run(&folder, &["build", "no-such-release.xml"]).ended(3).stderr;
    assert!(error.contains("no-such-release.xml"), "{error}");
    assert!(error.contains("caused by: "), "{error}");
    let error = run(&folder, &["build", "no-such-release.xml", "--json"]).ended(3).json();
    assert_eq!(error["error"]["code"], "bad_release");
}

#[test]
fn a_file_of_another_format() {
    let error = refused("format", "codes.json", b"{\"codes\": []}");
    assert!(error.contains("ICD-10-CM tabular list"), "{error}");
}

#[test]
fn a_truncated_file() {
    let cut = &RELEASE.as_bytes()[..RELEASE.find("E11.65").expect("it is there")];
    let error = refused("truncated", "cut.xml", cut);
    let lines = cut.iter().filter(|byte| **byte == b'\n').count() + 1;
    assert!(error.contains(&format!("cut.xml:{lines}:")), "{error}");
}

#[test]
fn a_file_in_another_encoding() {
    let text = RELEASE.replace("Heart failure, unspecified", "Maladie de M@ni@re");
    let latin1: Vec<u8> = text.bytes().map(|byte| if byte == b'@' { 0xe9 } else { byte }).collect();
    let error = refused("encoding", "latin1.xml", &latin1);
    assert!(error.contains("UTF-8"), "{error}");
}

#[test]
fn a_code_given_twice() {
    let twice = RELEASE.replace("<name>I50.9</name>", "<name>I21.9</name>");
    let error = refused("twice", "twice.xml", twice.as_bytes());
    assert!(error.contains("I21.9"), "{error}");
}

#[test]
fn a_model_that_is_none() {
    let folder = folder("model");
    let store = folder.join("store");
    build_into(&store).ended(0);
    let nowhere = folder.join("nowhere");
    let nowhere = nowhere.to_str().expect("UTF-8");
    let error = run(&store, &["search", "heart", "--model", nowhere]).ended(3).stderr;
    assert!(error.contains("model.onnx"), "{error}");
    // What needs no model does not ask for one.
    run(&store, &["lookup", "E11", "--model", nowhere]).ended(0);
}
