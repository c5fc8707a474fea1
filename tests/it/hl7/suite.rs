//! The suites of the archive.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

/// The files of the archive, by their paths below `tests/`.
pub(crate) struct Archive(BTreeMap<String, String>);

#[derive(Deserialize)]
struct All {
    suites: Vec<Suite>,
}

/// Tests that share code systems and value sets.
#[derive(Deserialize)]
pub(crate) struct Suite {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) mode: Option<String>,
    #[serde(default)]
    pub(crate) setup: Vec<String>,
    #[serde(default)]
    pub(crate) tests: Vec<Case>,
}

/// One request and the answer to it.
#[derive(Deserialize)]
pub(crate) struct Case {
    pub(crate) name: String,
    #[serde(default)]
    mode: Option<String>,
    pub(crate) operation: String,
    #[serde(default)]
    pub(crate) request: Option<String>,
    pub(crate) response: String,
    #[serde(default)]
    response2: Option<String>,
    #[serde(rename = "response:flat", default)]
    flat: Option<String>,
    /// Parameters that are added to those of the request.
    #[serde(default)]
    pub(crate) profile: Option<String>,
    #[serde(rename = "Accept-Language", default)]
    pub(crate) language: Option<String>,
    #[serde(default)]
    pub(crate) header: Option<Header>,
}

/// A header of the request.
#[derive(Deserialize)]
pub(crate) struct Header {
    pub(crate) name: String,
    pub(crate) value: String,
}

impl Archive {
    /// The archive; `None` where it is not there, which is said.
    pub(crate) fn open() -> Option<Self> {
        let Some(data) = std::env::var_os("MEDTERM_TEST_DATA").map(PathBuf::from) else {
            println!("skipped: MEDTERM_TEST_DATA names no folder with HL7's tests");
            return None;
        };
        let path = data.join("data/fhir_tx/tests.tar.gz");
        let Ok(file) = std::fs::File::open(&path) else {
            println!("skipped: {} is not there", path.display());
            return None;
        };
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(file));
        let mut files = BTreeMap::new();
        for entry in archive.entries().expect("it is an archive") {
            let mut entry = entry.expect("it is a file of an archive");
            let name = entry.path().expect("it has a path").display().to_string();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).expect("it can be read");
            if let (Some((_, name)), Ok(text)) =
                (name.split_once("tests/"), String::from_utf8(bytes))
            {
                files.insert(name.to_owned(), text.trim_start_matches('\u{feff}').to_owned());
            }
        }
        Some(Self(files))
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    pub(crate) fn json(&self, name: &str) -> Option<Value> {
        serde_json::from_str(self.text(name)?).ok()
    }

    /// The suites that have tests of mode `general`, and those tests.
    pub(crate) fn suites(&self) -> Vec<Suite> {
        let text = self.text("test-cases.json").expect("the archive has suites");
        let all: All = serde_json::from_str(text).expect("they are as they were");
        let mut suites = all.suites;
        for suite in &mut suites {
            let usual = suite.mode.clone();
            let is_general =
                |mode: &Option<String>| mode.as_deref().unwrap_or("general") == "general";
            suite.tests.retain(|case| is_general(&case.mode) && is_general(&usual));
        }
        suites.retain(|suite| !suite.tests.is_empty());
        suites
    }

    /// The answers that are right.
    pub(crate) fn responses(&self, case: &Case) -> Vec<Value> {
        let flat = case.flat.as_ref().and_then(|name| self.json(name));
        let first = flat.or_else(|| {
            let mut nested = self.json(&case.response)?;
            // The archive names files for the mode `flat` that it does not have.
            if case.flat.is_some() {
                flatten(&mut nested);
            }
            Some(nested)
        });
        let second = case.response2.as_ref().and_then(|name| self.json(name));
        first.into_iter().chain(second).collect()
    }
}

/// Takes the concepts of an expansion out of each other.
fn flatten(valueset: &mut Value) {
    fn take(level: &mut Value, into: &mut Vec<Value>) {
        for one in level.as_array_mut().into_iter().flatten() {
            let within = one.as_object_mut().and_then(|one| one.remove("contains"));
            into.push(one.take());
            if let Some(mut within) = within {
                take(&mut within, into);
            }
        }
    }
    let Some(contains) = valueset.pointer_mut("/expansion/contains") else { return };
    let mut all = Vec::new();
    take(contains, &mut all);
    *contains = Value::Array(all);
}
