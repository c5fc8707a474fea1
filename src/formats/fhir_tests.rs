use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use crate::terminology::{
    CodeCase, Concept, Content, DesignationUse, HierarchyMeaning, Property, PropertyValue, property,
};

use super::*;

pub(super) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/fhir").join(name)
}

fn source(name: &str) -> Box<dyn Source> {
    open(Format::Fhir, &fixture(name)).expect(name)
}

pub(super) fn read_all(source: &mut dyn Source) -> Vec<Concept> {
    source.collect::<Result<_, _>>().expect("it is sound")
}

fn by_code(source: &mut dyn Source) -> BTreeMap<String, Concept> {
    read_all(source).into_iter().map(|one| (one.code.to_string(), one)).collect()
}

pub(super) fn left_out(source: &dyn Source) -> BTreeMap<String, (u64, String)> {
    let all = source.tally().left_out.into_iter();
    all.map(|one| (one.reason, (one.count, one.first))).collect()
}

fn read(json: &str) -> Result<Vec<Concept>, ImportError> {
    read_bytes(json.as_bytes().to_vec())
}

fn read_bytes(bytes: Vec<u8>) -> Result<Vec<Concept>, ImportError> {
    open_reader(Format::Fhir, "CodeSystem.json", Box::new(Cursor::new(bytes)))?.collect()
}

fn parents(concept: &Concept) -> Vec<&str> {
    concept.parents.iter().map(|code| code.as_str()).collect()
}

fn names(concept: &Concept) -> Vec<(&str, DesignationUse, &str)> {
    let all = concept.designations.iter();
    all.map(|d| (d.language.as_str(), d.use_, d.value.as_str())).collect()
}

#[test]
fn a_code_system_says_what_release_it_is() {
    let files = ReleaseFiles::find(&[fixture("CodeSystem-ailments.json")]).expect("it is one");
    assert_eq!((files.len(), files[0].format()), (1, Format::Fhir));
    let source = source("CodeSystem-ailments.json");
    let release = source.release();
    assert_eq!(release.system.as_str(), "http://example.org/fhir/CodeSystem/ailments");
    assert_eq!((release.alias.as_str(), release.version.as_str()), ("ailments-r4", "2.1"));
    assert_eq!(release.title, "Ailments of invented animals");
    assert_eq!(release.date.as_deref(), Some("2025-03-04"));
    assert_eq!(release.publisher.as_deref(), Some("Nobody"));
    assert_eq!(release.license.as_deref(), Some("Free for tests."));
    assert_eq!(release.notices, ["Free for tests.\nNo animal was harmed."]);
    assert_eq!((release.language.as_str(), release.content), ("en-GB", Content::Complete));
}

#[test]
fn what_is_said_of_case_and_hierarchy_is_kept_of_the_release() {
    let said = |more: &str| {
        let more = format!("{more}\"content\"");
        let json = system("{\"code\":\"a\"}").replace("\"content\"", &more);
        let reader = Box::new(Cursor::new(json.into_bytes()));
        let source = open_reader(Format::Fhir, "x.json", reader).expect("it is one");
        (source.release().code_case, source.release().hierarchy_meaning)
    };
    assert_eq!(said(""), (None, None));
    assert_eq!(
        said("\"caseSensitive\":true,\"hierarchyMeaning\":\"part-of\","),
        (Some(CodeCase::Sensitive), Some(HierarchyMeaning::PartOf))
    );
    assert_eq!(
        said("\"caseSensitive\":false,\"hierarchyMeaning\":\"classified-with\","),
        (Some(CodeCase::Insensitive), Some(HierarchyMeaning::ClassifiedWith))
    );
    // Neither a text for a truth nor a word that FHIR does not have.
    assert_eq!(said("\"caseSensitive\":\"true\",\"hierarchyMeaning\":\"like\","), (None, None));
}

#[test]
fn concepts_within_concepts_are_children() {
    let mut source = source("CodeSystem-ailments.json");
    let concepts = by_code(&mut *source);
    assert_eq!(concepts.len(), 9);
    assert_eq!(parents(&concepts["A"]), [""; 0]);
    assert_eq!(parents(&concepts["A1"]), ["A"]);
    assert_eq!(parents(&concepts["A1.1"]), ["A1"]);
    assert_eq!(parents(&concepts["A4"]), ["A"]);
    assert_eq!(concepts["A"].flag(property::NOT_SELECTABLE), Some(true));
    assert!(concepts.values().all(|one| {
        one.properties.iter().all(|property| property.code != property::HIERARCHY_MEANING)
    }));
    let order: Vec<String> =
        read_all(&mut *open(Format::Fhir, &fixture("CodeSystem-ailments.json")).expect("it opens"))
            .iter()
            .map(|one| one.code.to_string())
            .collect();
    assert_eq!(order, ["A", "A1", "A1.1", "A2", "A3", "A4", "B", "B1", "B2"]);
    assert!(source.tally().left_out.is_empty(), "{:?}", source.tally());
    assert_eq!(source.tally().read["concepts"], 9);
    assert_eq!(source.progress().fraction(), Some(1.0));
}

#[test]
fn names_have_language_and_use() {
    use DesignationUse::{Display, Synonym};
    let concepts = by_code(&mut *source("CodeSystem-ailments.json"));
    let flutter = &concepts["A1"];
    assert_eq!(
        names(flutter),
        [
            ("de", Display, "Flügelflattern"),
            ("de", Synonym, "Flatterflügel"),
            ("en-GB", Synonym, "Fluttering wing"),
        ]
    );
    assert_eq!(flutter.definition.as_deref(), Some("A wing that flutters at rest."));
    // Without a display: the first designation in the language of the release, or the code.
    assert_eq!(
        (concepts["B1"].display.as_str(), concepts["B1"].designations.len()),
        ("Tail knot", 0)
    );
    assert_eq!(concepts["B2"].display, "B2");
}

#[test]
fn retired_concepts_are_inactive() {
    let concepts = by_code(&mut *source("CodeSystem-ailments.json"));
    let inactive: Vec<&str> =
        concepts.values().filter(|one| !one.active).map(|one| one.code.as_str()).collect();
    assert_eq!(inactive, ["A2", "A3"]);
    let replaced = Property::code(property::REPLACED_BY, "A1");
    assert!(concepts["A2"].properties.contains(&replaced));
    let status = Property::code(property::STATUS, "retired");
    assert_eq!(concepts["A3"].properties, [status]);
    // A day on which a concept was deprecated says that it may still be used (FHIR).
    assert!(concepts["A4"].properties.contains(&Property::text(property::NOTE, "In wet seasons.")));
}

#[test]
fn properties_keep_their_types() {
    let mut source = source("CodeSystem-parts.json");
    let release = source.release().clone();
    assert_eq!((release.version.as_str(), release.alias.as_str()), ("unversioned", "parts"));
    assert_eq!((release.title.as_str(), release.content), ("Parts", Content::Fragment));
    let concepts = by_code(&mut *source);
    let tip = &concepts["tip"];
    let kept: Vec<(&str, &PropertyValue)> =
        tip.properties.iter().map(|one| (one.code.as_str(), &one.value)).collect();
    let text = |text: &str| PropertyValue::Text(text.to_owned());
    let code = |text: &str| PropertyValue::Code(text.to_owned());
    let expected = [
        ("twin", code("tail")),
        ("seen-in", text("http://example.org/fhir/CodeSystem/ailments|B1")),
        ("shape", text("pointed")),
        ("number", PropertyValue::Integer(1)),
        ("weight", PropertyValue::Decimal(0.5)),
        ("movable", PropertyValue::Boolean(true)),
        ("since", PropertyValue::DateTime("2025-01-01".to_owned())),
        ("kin", code("tail")),
        (property::HIERARCHY_MEANING, code("part-of")),
    ];
    let expected: Vec<_> = expected.iter().map(|(code, value)| (*code, value)).collect();
    assert_eq!(kept, expected);
    let left_out = left_out(&*source);
    let (count, first) = &left_out["properties without a value that can be kept"];
    assert!(*count == 1 && first.ends_with("CodeSystem-parts.json:13: tip unknown"), "{first}");
}

#[test]
fn parents_may_be_properties() {
    let concepts = by_code(&mut *source("CodeSystem-parts.json"));
    // Its own parent is none; the one that says so on the other side comes first.
    assert_eq!(parents(&concepts["tip"]), ["tail", "animal"]);
    // What is not there is for whoever builds to count.
    assert_eq!(parents(&concepts["animal"]), ["nowhere"]);
    assert!(concepts["tail"].properties.is_empty());
}

#[test]
fn value_sets_are_fragments_of_what_they_list() {
    let found = ReleaseFiles::find(&[fixture("ValueSet-listed.json")]).expect("it is one");
    let options = ImportOptions::default();
    let mut sources: Vec<_> =
        found.iter().map(|one| one.open(&options).expect("it opens")).collect();
    let [snomed, ailments] = sources.as_mut_slice() else { panic!("{} releases", found.len()) };
    let release = snomed.release().clone();
    assert_eq!(release.system.as_str(), "http://snomed.info/sct");
    assert_eq!((release.alias.as_str(), release.content), ("snomed", Content::Fragment));
    assert_eq!(release.version, "http://snomed.info/sct/11000999109/version/20250101");
    assert_eq!(release.title, "SNOMED CT: Often seen");
    let concepts = by_code(&mut **snomed);
    assert_eq!(concepts.keys().collect::<Vec<_>>(), ["1000000001", "1000000002"]);
    let flutter = &concepts["1000000001"];
    assert_eq!(flutter.display, "Fluttering wing (disorder)");
    assert_eq!(names(flutter), [("en", DesignationUse::Synonym, "Fluttering wing")]);
    assert_eq!(flutter.properties, [Property::text("semanticTag", "disorder")]);
    // Brackets that are no tag stay.
    assert_eq!(names(&concepts["1000000002"]), [("es", DesignationUse::Display, "Ala")]);
    assert_eq!(left_out(&**snomed).len(), 1, "{:?}", left_out(&**snomed));
    assert_eq!(
        (ailments.release().alias.as_str(), ailments.release().version.as_str()),
        ("ailments", "7")
    );
    let concepts = by_code(&mut **ailments);
    assert_eq!(concepts["A1"].display, "A1");
}

#[test]
fn an_expansion_comes_before_the_definition() {
    let mut source = source("ValueSet-expanded.json");
    assert_eq!(source.release().version, "2.1");
    let concepts = by_code(&mut *source);
    assert_eq!(concepts.keys().collect::<Vec<_>>(), ["A", "A2"]);
    assert_eq!(concepts["A"].flag(property::NOT_SELECTABLE), Some(true));
    assert!(concepts["A"].active && !concepts["A2"].active);
    assert!(concepts["A2"].parents.is_empty());
    assert!(source.tally().left_out.is_empty());
}

/// A code system with the given concepts in its second line.
fn system(concepts: &str) -> String {
    format!(
        "{{\"resourceType\":\"CodeSystem\",\"url\":\"http://example.org/x\",\"content\":\"complete\",\
         \"concept\":[\n{concepts}\n]}}\n"
    )
}

#[test]
fn what_may_differ_is_read_all_the_same() {
    let plain = fs::read_to_string(fixture("CodeSystem-ailments.json")).expect("it is ours");
    let expected = read(&plain).expect("it is sound");
    for (name, bytes) in [
        ("a byte order mark", [b"\xef\xbb\xbf", plain.as_bytes()].concat()),
        ("ends of lines", plain.replace('\n', "\r\n").into_bytes()),
        ("one line", plain.replace('\n', " ").into_bytes()),
    ] {
        assert_eq!(read_bytes(bytes).expect(name), expected, "{name}");
    }
    // The type last, and other things under known names.
    let odd =
        system("{\"concept\":[{\"code\":\"b\"}],\"code\":\"a\",\"extension\":[{\"code\":1}]}")
            .replace(
                "\"resourceType\":\"CodeSystem\",",
                "\"contact\":[{\"name\":[1]}],\"publisher\":[],",
            );
    let odd = odd.replace("]}\n", "],\"resourceType\":\"CodeSystem\"}\n");
    let concepts = read(&odd).expect("it is sound");
    assert_eq!((concepts[1].code.as_str(), parents(&concepts[1])), ("b", vec!["a"]));
}

#[test]
fn what_is_no_concept_is_left_out_and_counted() {
    let json = system(
        "{\"display\":\"none\",\"concept\":[{\"code\":\"c\"}]},\n{\"code\":\"c\",\"display\":\"again\"},\n\
         {\"code\":\"a\\u0007b\"},{\"code\":\"p\",\"property\":[{\"code\":\"parent\",\"valueCode\":\"q\"}]},\
         {\"code\":\"q\",\"property\":[{\"code\":\"parent\",\"valueCode\":\"p\"}]}",
    );
    let reader = Box::new(Cursor::new(json.into_bytes()));
    let mut source = open_reader(Format::Fhir, "x.json", reader).expect("it is one");
    let concepts = by_code(&mut *source);
    assert_eq!(concepts.keys().collect::<Vec<_>>(), ["c", "p", "q"]);
    assert_eq!(concepts["c"].display, "c");
    assert!(concepts["c"].parents.is_empty());
    // A circle is for whoever builds to break.
    assert_eq!((parents(&concepts["p"]), parents(&concepts["q"])), (vec!["q"], vec!["p"]));
    let left_out = left_out(&*source);
    assert_eq!(
        left_out["concepts without a code that can be one"],
        (2, "x.json:2: none".to_owned())
    );
    assert_eq!(left_out["concepts whose code was given before"], (1, "x.json:3: c".to_owned()));
}

#[test]
fn json_that_is_cut_short_or_wrong_is_refused_with_its_place() {
    let whole = fs::read_to_string(fixture("CodeSystem-ailments.json")).expect("it is ours");
    for share in [2, 3, 4] {
        let cut = &whole[..whole.len() / share];
        let error = read(cut).expect_err("it is cut");
        assert_eq!(error.line(), Some(cut.matches('\n').count() as u64 + 1), "{error}");
        assert!(matches!(error.kind(), ImportErrorKind::Truncated { .. }), "{error}");
        assert!(error.to_string().contains("column"), "{error}");
    }
    let error = read(&system("{\"code\":5}")).expect_err("a code is a text");
    assert!(matches!(error.kind(), ImportErrorKind::Json(_)), "{error:?}");
    let cause = std::error::Error::source(&error).expect("the reader says more").to_string();
    assert!(cause.contains("expected a string") && cause.contains("column 10"), "{cause}");
    assert_eq!(error.line(), Some(2));
    let error = read(&system("{\"code\":\"a\",}")).expect_err("a comma too many");
    assert!(matches!(error.kind(), ImportErrorKind::Json(_)), "{error}");
    let mut latin = system("{\"code\":\"a\",\"display\":\"Fi?vre\"}").into_bytes();
    let at = latin.iter().position(|byte| *byte == b'?').expect("it has one");
    latin[at] = 0xe9;
    let error = read_bytes(latin).expect_err("it is Latin-1");
    assert!(matches!(error.kind(), ImportErrorKind::Encoding { .. }), "{error}");
    assert_eq!(error.line(), Some(2));
}

#[test]
fn nothing_is_nested_without_end() {
    let nested = |depth: usize| {
        let open = "{\"code\":\"c\",\"concept\":[".repeat(depth);
        system(&format!("{open}{}", "]}".repeat(depth)))
    };
    assert_eq!(read(&nested(60)).expect("that deep").len(), 1);
    for depth in [64, 100_000] {
        let error = read(&nested(depth)).expect_err("too deep");
        assert!(matches!(error.kind(), ImportErrorKind::TooDeep { .. }), "{error}");
        assert_eq!(error.line(), Some(2));
    }
}

#[test]
fn a_code_system_without_a_url_is_named_by_whoever_reads_it() {
    let json =
        "{\"resourceType\":\"CodeSystem\",\"content\":\"complete\",\"concept\":[{\"code\":\"a\"}]}";
    let error = read(json).expect_err("it says nothing");
    assert!(matches!(error.kind(), ImportErrorKind::Unsaid { .. }), "{error}");
    assert!(error.to_string().contains("--system"), "{error}");
    let named = json.replace("\"content\"", "\"url\":\"tails\",\"content\"");
    let error = read(&named).expect_err("it is no URI");
    assert!(error.to_string().contains("\"tails\""), "{error}");
}

#[test]
fn what_has_no_concepts_is_refused_with_what_it_is() {
    for (json, found) in [
        (
            "{\"resourceType\":\"CodeSystem\",\"url\":\"http://a\",\"content\":\"not-present\"}",
            "without concepts",
        ),
        (
            "{\"resourceType\":\"CodeSystem\",\"url\":\"http://a\",\"content\":\"supplement\",\"concept\":[{\"code\":\"a\"}]}",
            "supplement",
        ),
        (
            "{\"resourceType\":\"ValueSet\",\"compose\":{\"include\":[{\"system\":\"http://a\"}]}}",
            "list no codes",
        ),
        ("{\"resourceType\":\"Bundle\",\"entry\":[]}", "nothing in it"),
        ("{\"resourceType\":\"Patient\",\"concept\":[]}", "Patient"),
    ] {
        let error = read(json).expect_err(json);
        assert!(matches!(error.kind(), ImportErrorKind::UnknownFormat { .. }), "{error}");
        assert!(error.to_string().contains(found), "{found:?} is not in {error}");
    }
    for json in ["", "  \n", "\u{feff}"] {
        let error = read(json).expect_err("it is empty");
        assert!(matches!(error.kind(), ImportErrorKind::Empty), "{error}");
    }
}
