use std::path::{Path, PathBuf};

use crate::terminology::{MapEntry, Relationship, SystemId};

use super::*;

const PART: &str = "10071000999101";
const FOOT: &str = "10231000999108";
const DISEASE: &str = "10031000999104";
const EXTENDED: &str = "10501000999104";
const SIMPLE: &str = "10541000999102";

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/rf2/international")
}

fn maps(options: &MapOptions) -> Vec<Box<dyn MapSource>> {
    open_maps(&fixture(), options).expect("the fixture has maps")
}

fn rows(map: &mut Box<dyn MapSource>) -> Vec<MapEntry> {
    map.collect::<Result<_, _>>().expect("the fixture is sound")
}

#[test]
fn each_map_reference_set_is_a_map() {
    let found = maps(&MapOptions::default());
    let ids: Vec<&str> = found.iter().map(|map| map.release().id.as_str()).collect();
    let id = |refset: &str| format!("http://snomed.info/sct?fhir_cm={refset}");
    assert_eq!(ids, [id(EXTENDED), id(SIMPLE)]);
    let release = found[0].release();
    assert_eq!(release.name, format!("snomed-{EXTENDED}"));
    assert_eq!(release.version, "2025-01-01");
    assert_eq!(release.source.as_str(), "http://snomed.info/sct");
    assert_eq!(release.target.as_str(), format!("http://snomed.info/id/{EXTENDED}"));
    assert!(!release.notices.is_empty());
}

#[test]
fn an_extended_map_keeps_its_rules() {
    let rows = rows(&mut maps(&MapOptions::default())[0]);
    let facts: Vec<_> = rows
        .iter()
        .map(|row| {
            let target = row.target.as_ref().map(|code| code.as_str());
            (row.source.as_str(), row.group, row.priority, target)
        })
        .collect();
    assert_eq!(
        facts,
        [
            (PART, Some(1), Some(1), None),
            (FOOT, Some(1), Some(1), Some("Q1.1")),
            (FOOT, Some(1), Some(2), Some("Q1.0")),
            (FOOT, Some(2), Some(1), Some("Z9")),
        ]
    );
    let rule = "IFA 10191000999104 | Lasting glimmer (disorder) |";
    assert_eq!(rows[1].rule.as_deref(), Some(rule));
    assert_eq!(rows[2].advice.as_deref(), Some("ALWAYS Q1.0"));
    assert_eq!(rows[1].relationship, Relationship::RelatedTo);
    assert_eq!(rows[0].relationship, Relationship::NotRelatedTo);
}

#[test]
fn a_simple_map_says_no_more_than_the_target() {
    let rows = rows(&mut maps(&MapOptions::default())[1]);
    let [row] = rows.as_slice() else { panic!("the other row is withdrawn: {rows:?}") };
    assert_eq!(row.source.as_str(), DISEASE);
    assert_eq!(row.target.as_ref().map(|code| code.as_str()), Some("G-1"));
    assert_eq!((row.group, row.priority, row.rule.as_deref()), (None, None, None));
}

#[test]
fn the_caller_may_say_whose_codes_the_targets_are() {
    let target = SystemId::new("http://example.org/glimmer").expect("it is a URI");
    let options = MapOptions { target: Some(target.clone()), ..MapOptions::default() };
    assert!(maps(&options).iter().all(|map| map.release().target == target));
    let source = SystemId::new("http://loinc.org").expect("it is a URI");
    let options = MapOptions { source: Some(source), ..MapOptions::default() };
    assert!(open_maps(&fixture(), &options).is_err(), "it maps no LOINC");
}
