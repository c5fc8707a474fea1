use std::fs;
use std::path::Path;

use super::fhir_tests::{left_out, read_all};
use super::*;

/// A bundle of a code system in two versions, and these supplements.
fn bundle(supplements: &[&str]) -> String {
    let system = |version: &str| {
        format!(
            r#"{{"resource":{{"resourceType":"CodeSystem","url":"http://example.org/kites",
"version":"{version}","language":"en","content":"complete","concept":[
{{"code":"K","display":"Kite","concept":[{{"code":"K1","display":"Box kite"}}]}}]}}}}"#
        )
    };
    let mut entries = vec![system("1"), system("2")];
    entries.extend(supplements.iter().map(|one| {
        format!(
            r#"{{"resource":{{"resourceType":"CodeSystem","content":"supplement",
{one}}}}}"#
        )
    }));
    format!(r#"{{"resourceType":"Bundle","entry":[{}]}}"#, entries.join(","))
}

fn sources(folder: &Path, supplements: &[&str]) -> Vec<Box<dyn Source>> {
    let path = folder.join("bundle.json");
    fs::write(&path, bundle(supplements)).expect("it is ours");
    let found = ReleaseFiles::find(&[path]).expect("there are releases");
    found.iter().map(|one| one.open(&ImportOptions::default()).expect("it opens")).collect()
}

const GERMAN: &str = r#""url":"http://example.org/kites-de","title":"Drachen","version":"7",
"language":"de","supplements":"http://example.org/kites","concept":[
{"code":"K1","display":"Kastendrachen","designation":[{"value":"Kasten"},
{"language":"fr","value":"Cerf-volant cellulaire"}],"property":[
{"code":"strings","valueInteger":2},{"code":"inactive","valueBoolean":true}]},
{"code":"K9","display":"Fehlt"}]"#;

const SECOND: &str = r#""url":"http://example.org/more","supplements":"http://example.org/kites|2",
"concept":[{"code":"K","display":"Other","designation":[{"value":"Toy kite"}]}]"#;

#[test]
fn supplements_add_to_the_code_system_beside_them() {
    let elsewhere = SECOND.replace("kites|2", "balloons");
    let other_version = SECOND.replace("kites|2", "kites|3");
    let aimless = r#""url":"http://example.org/y","concept":[{"code":"K"}]"#;
    let folder = tempfile::tempdir().expect("there is room");
    let supplements = [GERMAN, SECOND, &elsewhere, &other_version, aimless];
    let mut sources = sources(folder.path(), &supplements);
    assert_eq!(sources.len(), 2);
    let concepts: Vec<_> = sources.iter_mut().map(|source| read_all(&mut **source)).collect();
    for version in &concepts {
        let [kite, box_kite] = version.as_slice() else { panic!("{version:?}") };
        let names = box_kite.designations.iter();
        let names: Vec<_> = names
            .map(|one| (one.language.as_str(), one.value.as_str(), one.source.as_deref()))
            .collect();
        let from = Some("Drachen 7");
        let expected = [
            ("de", "Kastendrachen", from),
            ("de", "Kasten", from),
            ("fr", "Cerf-volant cellulaire", from),
        ];
        assert_eq!(names, expected);
        let properties: Vec<&str> = box_kite.properties.iter().map(|p| p.code.as_str()).collect();
        assert_eq!(properties, ["strings"]);
        assert!(box_kite.active, "a supplement retires nothing");
        assert_eq!((kite.display.as_str(), box_kite.display.as_str()), ("Kite", "Box kite"));
    }
    assert!(concepts[0][0].designations.is_empty(), "it is for the other version");
    assert_eq!(concepts[1][0].designations[0].value, "Toy kite");
    let first = left_out(&*sources[0]);
    let here = "supplements of code systems that are not here: give them with --supplement";
    assert_eq!(first[here].0, 2, "{first:?}");
    assert_eq!(first["supplements that do not say what they add to"].0, 1);
    let second = left_out(&*sources[1]);
    let (count, place) = &second["codes of supplements that the code system does not have"];
    assert!(*count == 1 && place.ends_with("bundle.json:11: K9"), "{place}");
    assert_eq!(second["properties that a supplement cannot change"].0, 1);
    assert_eq!(sources[1].tally().read["added names"], 4);
    assert_eq!(sources[1].tally().read["added properties"], 1);
    assert_eq!(sources[1].progress().fraction(), Some(1.0));
}

#[test]
fn a_supplement_that_cannot_be_read_costs_nothing_else() {
    let folder = tempfile::tempdir().expect("there is room");
    let odd = r#""supplements":"http://example.org/kites","concept":[{"code":5}]"#;
    let mut sources = sources(folder.path(), &[odd]);
    assert_eq!(read_all(&mut *sources[0]).len(), 2);
    let left_out = left_out(&*sources[0]);
    let (count, place) = &left_out["supplements that cannot be read"];
    assert!(*count == 1 && place.contains("bundle.json:6"), "{place}");
}
