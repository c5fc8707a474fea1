use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

/// What a run of the command left behind.
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// The output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {:?} {}", self.stdout, self.stderr))
    }

    /// Fails unless the command ended like this.
    pub fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.stdout, self.stderr);
        self
    }
}

/// The command with nothing of the surroundings in it.
pub fn command(store: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_medterm"));
    for name in ["MEDTERM_STORE", "MEDTERM_MODEL", "NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"] {
        command.env_remove(name);
    }
    command.env("MEDTERM_STORE", store).stdin(Stdio::null());
    command
}

/// Runs the command on a store.
pub fn run(store: &Path, arguments: &[&str]) -> Run {
    finished(command(store).args(arguments).output().expect("the command starts"))
}

pub fn finished(output: Output) -> Run {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is UTF-8");
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// A folder of this test binary that is empty at first.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("the old folder goes");
    }
    std::fs::create_dir_all(&folder).expect("a new folder comes");
    folder
}

/// A file in such a folder.
pub fn file(folder: &Path, name: &str, content: &[u8]) -> String {
    let path = folder.join(name);
    std::fs::write(&path, content).expect("the file is written");
    path.to_str().expect("a path in UTF-8").to_owned()
}

/// A small release in the format of the ICD-10-CM tabular list.
pub const RELEASE: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<ICD10CM.tabular>
<version>2026</version>
<title>ICD-10-CM TABULAR LIST of DISEASES and INJURIES</title>
<chapter>
  <name>4</name>
  <desc>Endocrine, nutritional and metabolic diseases (E00-E89)</desc>
  <sectionIndex><sectionRef first="E08" last="E13" id="E08-E13">Diabetes mellitus</sectionRef></sectionIndex>
  <section id="E08-E13">
    <desc>Diabetes mellitus (E08-E13)</desc>
    <diag><name>E10</name><desc>Type 1 diabetes mellitus</desc>
      <diag><name>E10.9</name><desc>Type 1 diabetes mellitus without complications</desc></diag>
    </diag>
    <diag><name>E11</name><desc>Type 2 diabetes mellitus</desc>
      <excludes1><note>type 1 diabetes mellitus (E10.-)</note></excludes1>
      <diag><name>E11.6</name><desc>Type 2 diabetes mellitus with other specified complications</desc>
        <diag><name>E11.65</name><desc>Type 2 diabetes mellitus with hyperglycemia</desc></diag>
      </diag>
      <diag><name>E11.9</name><desc>Type 2 diabetes mellitus without complications</desc></diag>
    </diag>
  </section>
</chapter>
<chapter>
  <name>9</name>
  <desc>Diseases of the circulatory system (I00-I99)</desc>
  <section id="I20-I25">
    <desc>Ischemic heart diseases (I20-I25)</desc>
    <diag><name>I21</name><desc>Acute myocardial infarction</desc>
      <inclusionTerm><note>coronary thrombosis</note></inclusionTerm>
      <diag><name>I21.4</name><desc>Non-ST elevation (NSTEMI) myocardial infarction</desc></diag>
      <diag><name>I21.9</name><desc>Acute myocardial infarction, unspecified</desc></diag>
    </diag>
  </section>
  <section id="I30-I5A">
    <desc>Other forms of heart disease (I30-I5A)</desc>
    <diag><name>I50</name><desc>Heart failure</desc>
      <diag><name>I50.9</name><desc>Heart failure, unspecified</desc></diag>
    </diag>
  </section>
</chapter>
</ICD10CM.tabular>
"#;

/// Builds the small release into a store, by words alone.
pub fn build_into(store: &Path) -> Run {
    let release = file(store.parent().expect("a parent"), "release.xml", RELEASE.as_bytes());
    run(store, &["build", &release, "--no-embeddings"])
}

/// The store that most tests read and none writes.
pub fn store() -> &'static Path {
    static STORE: OnceLock<PathBuf> = OnceLock::new();
    STORE.get_or_init(|| {
        let store = folder("shared").join("store");
        build_into(&store).ended(0);
        store
    })
}
