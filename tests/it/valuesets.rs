//! Value sets in the store, and what asks for them.

use std::io::Write;

use medterm::catalog::{IssueCode, ValidateRequest, ValueSetRequest, ValueSetStore};
use medterm::index::{IndexBuilder, IndexError};
use medterm::terminology::Release;
use medterm::{Catalog, Error, SearchRequest, formats};

use crate::support::{build, codes_of, folder, release};

const URL: &str = "http://example.org/fhir/ValueSet/cholera";

fn text(version: &str, code: &str) -> String {
    format!(
        r#"{{"resourceType": "ValueSet", "url": "{URL}", "version": "{version}", "compose": {{"include":
        [{{"system": "http://hl7.org/fhir/sid/icd-10-cm", "concept": [{{"code": "{code}"}}]}}]}}}}"#
    )
}

fn expanded(catalog: &Catalog, url: &str) -> Vec<String> {
    let answer = catalog.expand(&ValueSetRequest::new(url)).unwrap_or_else(|e| panic!("{e}"));
    answer.contains.iter().map(|one| one.code.to_string()).collect()
}

#[test]
fn versions_stand_side_by_side_and_the_last_one_answers() {
    let store = folder("valuesets-versions");
    build(&store, &release().0, &codes_of(&["A00"]), None).expect("it builds");
    let valuesets = ValueSetStore::new(&store);
    assert_eq!(valuesets.list().expect("it is listed"), []);
    for (version, code) in [("1.9.0", "A00.0"), ("1.10.0", "A00.1")] {
        valuesets.add(&text(version, code)).expect("it is stored");
    }
    // The same version again takes the place of the first.
    valuesets.add(&text("1.10.0", "A00.9")).expect("it is stored");
    assert_eq!(valuesets.list().expect("it is listed").len(), 2);
    let catalog = Catalog::open(&store).expect("it opens");
    assert_eq!(catalog.terminologies().len(), 1, "value sets are no terminology");
    assert_eq!(expanded(&catalog, URL), ["A00.9"]);
    assert_eq!(expanded(&catalog, &format!("{URL}|1.9.0")), ["A00.0"]);
    let unknown = catalog.expand(&ValueSetRequest::new(&format!("{URL}|2.0.0")));
    assert!(matches!(unknown, Err(Error::UnknownValueSet { .. })), "{unknown:?}");

    let search = SearchRequest::new("cholera").expect("it can be asked").valueset(URL);
    let found = catalog.search(&search.system("icd10cm")).expect("it is answered");
    assert_eq!(found.results.iter().map(|hit| hit.code.as_str()).collect::<Vec<_>>(), ["A00.9"]);

    valuesets.remove(URL, Some("1.10.0")).expect("it goes");
    let catalog = Catalog::open(&store).expect("it opens");
    assert_eq!(expanded(&catalog, URL), ["A00.0"]);
    valuesets.remove(URL, None).expect("it goes");
    assert!(matches!(valuesets.remove(URL, None), Err(Error::UnknownValueSet { .. })));
}

#[test]
fn what_is_no_value_set_is_not_stored() {
    let store = folder("valuesets-bad");
    let valuesets = ValueSetStore::new(&store);
    for bad in [
        "",
        "{",
        "[]",
        r#"{"resourceType": "CodeSystem", "url": "http://example.org/x"}"#,
        r#"{"resourceType": "ValueSet"}"#,
        r#"{"resourceType": "ValueSet", "url": "http://example.org/x", "compose": {"include": 7}}"#,
        r#"{"resourceType": "ValueSet", "url": "../../etc/passwd"}"#,
    ] {
        assert!(valuesets.add(bad).is_err(), "{bad}");
    }
    let long = format!("http://example.org/{}", "x".repeat(300));
    let long = format!(r#"{{"resourceType": "ValueSet", "url": "{long}"}}"#);
    assert!(matches!(valuesets.add(&long), Err(Error::InvalidRequest { field: "url", .. })));
    assert_eq!(valuesets.list().expect("it is listed"), []);
    let escaping = r#"{"resourceType": "ValueSet", "url": "a:/../../b", "version": "../c"}"#;
    let stored = valuesets.add(escaping).expect("it is stored");
    assert_eq!(stored.path.parent(), Some(store.join("valuesets").as_path()));
    let listed = valuesets.list().expect("it is listed");
    assert_eq!(
        (listed[0].url.as_str(), listed[0].version.as_deref()),
        ("a:/../../b", Some("../c"))
    );
}

#[test]
fn no_terminology_can_have_the_name_of_their_folder() {
    let release = Release { alias: "valuesets".to_owned(), ..release().0.clone() };
    let mut builder = IndexBuilder::new(release);
    builder.push(codes_of(&["A00"])[0].clone()).expect("it is taken");
    let built = builder.finish(&folder("valuesets-alias"));
    assert!(matches!(built, Err(IndexError::InvalidName { .. })), "{built:?}");
}

#[test]
fn value_sets_are_read_from_files_bundles_and_folders() {
    let folder = folder("valuesets-read");
    std::fs::write(folder.join("a.json"), text("1", "A00")).expect("it is written");
    let bundle = format!(
        "{{\"resourceType\": \"Bundle\",\n \"entry\": [\n  {{\"resource\": {}}},\n  {{\"resource\": {}}}]}}",
        text("2", "A00"),
        text("3", "A00")
    );
    std::fs::write(folder.join("b.json"), bundle).expect("it is written");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text("4", "A00").as_bytes()).expect("it is packed");
    std::fs::write(folder.join("c.json.gz"), gzip.finish().expect("it is packed"))
        .expect("it is written");
    let found = formats::value_sets(&folder).expect("they are read");
    let versions: Vec<Option<String>> = found
        .iter()
        .map(|one| medterm::valueset::ValueSet::from_json(&one.text).expect("it is one").version)
        .collect();
    assert_eq!(versions, ["1", "2", "3", "4"].map(|one| Some(one.to_owned())));
    let code_system = r#"{"resourceType": "CodeSystem", "url": "http://example.org/x"}"#;
    std::fs::write(folder.join("d.json"), code_system).expect("it is written");
    assert!(formats::value_sets(&folder.join("d.json")).is_err());
    assert!(formats::value_sets(&folder.join("nothing.json")).is_err());
}

#[test]
fn a_code_is_checked_against_a_value_set() {
    let store = folder("valuesets-validate");
    build(&store, &release().0, &codes_of(&["A00"]), None).expect("it builds");
    ValueSetStore::new(&store).add(&text("1", "A00.0")).expect("it is stored");
    let catalog = Catalog::open(&store).expect("it opens");
    let check = |code: &str, valueset: &str| {
        let request = ValidateRequest::new("icd10cm", code).valueset(valueset);
        let answer = catalog.validate_code(&request).unwrap_or_else(|error| panic!("{error}"));
        let is_in = |issue: &medterm::catalog::Issue| issue.code == IssueCode::NotInValueset;
        (answer.valid, answer.issues.iter().any(is_in))
    };
    assert_eq!(check("A00.0", URL), (Some(true), false));
    assert_eq!(check("a000", URL), (Some(true), false));
    assert_eq!(check("A00.1", URL), (Some(false), true));
    assert_eq!(check("A00.1", "concept << A00"), (Some(true), false));
    assert_eq!(
        check("A00", "http://hl7.org/fhir/sid/icd-10-cm?fhir_vs=isa/A00.1"),
        (Some(false), true)
    );
    let unknown = ValidateRequest::new("icd10cm", "A00").valueset("http://example.org/nowhere");
    assert!(matches!(catalog.validate_code(&unknown), Err(Error::UnknownValueSet { .. })));
}
