//! Tools called as a client calls them, every answer checked against the schema that was published.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use medterm::Catalog;
use medterm::formats;
use medterm::index::IndexBuilder;
use medterm::terminology::{Designation, DesignationUse};
use medterm::tools::{Profile, Registry, ToolAnswer};
use serde_json::{Map, Value};

use crate::support::{build, folder, release};

/// Chinese names of a few codes, written for these tests.
const CHINESE: &[(&str, &str)] =
    &[("I10", "原發性高血壓"), ("E11.9", "第二型糖尿病,無併發症"), ("J18.9", "肺炎,病原體未明示")];

/// A store with the complete ICD-10-CM, a cut of ICD-10-PCS, MeSH and SNOMED CT in miniature.
pub(crate) fn house() -> &'static Catalog {
    static OPEN: OnceLock<Catalog> = OnceLock::new();
    OPEN.get_or_init(|| {
        let store = folder("tools");
        build_house(&store);
        Catalog::open(&store).expect("the store opens")
    })
}

/// Builds what [`house`] opens.
pub(crate) fn build_house(store: &Path) {
    let (icd, mut concepts) = release().clone();
    for concept in &mut concepts {
        if let Some((_, name)) = CHINESE.iter().find(|(code, _)| *code == concept.code.as_str()) {
            let name = Designation::new("zh-TW", DesignationUse::Display, *name);
            concept.designations.push(name);
        }
    }
    build(store, &icd, &concepts, None).expect("ICD-10-CM builds");
    for fixture in ["icd10pcs/icd10pcs_codes_2024.txt", "mesh", "rf2"] {
        build_fixture(store, fixture);
    }
    crate::maps_store::add(store, &crate::maps::fixture("2018_I9gem.txt"));
}

/// Builds a release in `fixtures/`; gives the folder of the build.
pub(crate) fn build_fixture(store: &Path, name: &str) -> PathBuf {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
    let format = formats::detect(&path).expect("the fixture is recognized");
    let source = formats::open(format, &path).expect("the fixture opens");
    let mut builder = IndexBuilder::new(source.release().clone());
    for concept in source {
        builder.push(concept.expect("the fixture is sound")).expect("it can be indexed");
    }
    builder.finish(store).expect("the fixture builds").folder
}

/// Calls a tool of the house.
pub(crate) fn call(profile: Profile, name: &str, arguments: Value) -> ToolAnswer {
    call_on(house(), profile, name, arguments)
}

/// Calls a tool; its answer fits its schema, and is no error.
pub(crate) fn ok(profile: Profile, name: &str, arguments: Value) -> Value {
    let answer = call(profile, name, arguments);
    assert!(!answer.is_error, "{name}: {}", answer.structured);
    answer.structured
}

/// Calls a tool; its answer fits its schema, and is this error.
pub(crate) fn fails(profile: Profile, name: &str, arguments: Value, reason: &str) -> Value {
    let answer = call(profile, name, arguments);
    assert!(answer.is_error, "{name}: {}", answer.structured);
    let error = &answer.structured["error"];
    assert_eq!(error["data"]["reason"], reason, "{name}: {error}");
    let hint = error["data"]["recovery"]["hint"].as_str().expect("there is a hint");
    assert!(!hint.is_empty(), "{name}: {error}");
    assert!(!error.to_string().contains('/') || !error.to_string().contains(".bin"), "{error}");
    answer.structured
}

pub(crate) fn call_on(
    catalog: &Catalog,
    profile: Profile,
    name: &str,
    arguments: Value,
) -> ToolAnswer {
    let arguments: Map<String, Value> = match arguments {
        Value::Object(arguments) => arguments,
        other => panic!("{other} are no arguments"),
    };
    let registry = Registry::new(profile);
    let described = registry.tools(None).into_iter().find(|tool| tool.name == name);
    let described = described.unwrap_or_else(|| panic!("{profile:?} has no {name}"));
    let answer = registry.call(catalog, name, arguments).expect("the tool is there");
    let schema = Value::Object((*described.output_schema).clone());
    let validator = jsonschema::draft202012::new(&schema).expect("the schema is one");
    let faults: Vec<String> =
        validator.iter_errors(&answer.structured).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{name} answers {}: {faults:?}", answer.structured);
    assert!(!answer.text.is_empty(), "{name} has nothing to say: {}", answer.structured);
    answer
}

/// The codes in a list of rows.
pub(crate) fn codes_in(rows: &Value) -> Vec<&str> {
    let rows = rows.as_array().unwrap_or_else(|| panic!("{rows} is no list"));
    rows.iter().map(|row| row["code"].as_str().expect("a code")).collect()
}
