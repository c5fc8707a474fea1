use std::collections::BTreeMap;

use std::path::{Path, PathBuf};

use crate::terminology::{
    Concept, Content, DesignationUse, PropertyValue, Relation, RelationValue, property, sctid,
};

use super::rf2_file::FileName;
use super::*;

const DISEASE: &str = "10031000999104";
const PART: &str = "10071000999101";
const SITE: &str = "10111000999108";
const COUNT: &str = "10151000999109";
const LASTING: &str = "10191000999104";
const FOOT: &str = "10231000999108";
const OLD: &str = "10361000999109";
const DOUBLED: &str = "10391000999102";
const WATCHED: &str = "10461000999104";
const SPARK: &str = "10081000998107";
const MODULE: &str = "11000998101";

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/rf2").join(name)
}

fn source(paths: &[PathBuf], language: Option<&str>) -> Result<Box<dyn Source>, ImportError> {
    let found = ReleaseFiles::find(paths)?;
    let [release] = found.as_slice() else { panic!("{} releases", found.len()) };
    assert_eq!(release.format(), Format::Rf2);
    let options =
        ImportOptions { language: language.map(str::to_owned), ..ImportOptions::default() };
    release.open(&options)
}

type Concepts = BTreeMap<String, Concept>;

fn read(paths: &[PathBuf], language: Option<&str>) -> Result<(Concepts, Tally), ImportError> {
    let mut source = source(paths, language)?;
    let concepts = source.by_ref().collect::<Result<Vec<_>, _>>()?;
    let by_code = concepts.into_iter().map(|one| (one.code.as_str().to_owned(), one)).collect();
    Ok((by_code, source.tally()))
}

fn international() -> Concepts {
    read(&[fixture("international")], None).expect("the fixture is sound").0
}

fn both() -> Concepts {
    let paths = [fixture("international"), fixture("extension")];
    read(&paths, None).expect("the fixtures are sound").0
}

fn names(concept: &Concept) -> Vec<(&str, &str, &str)> {
    let all = concept.designations.iter();
    all.map(|one| (one.language.as_str(), one.use_.name(), one.value.as_str())).collect()
}

fn values<'a>(concept: &'a Concept, code: &str) -> Vec<&'a str> {
    let own = concept.properties.iter().filter(|property| property.code == code);
    own.map(|property| match &property.value {
        PropertyValue::Text(text) | PropertyValue::Code(text) => text.as_str(),
        PropertyValue::Boolean(true) => "true",
        PropertyValue::Boolean(false) => "false",
        other => panic!("{code} is {other:?}"),
    })
    .collect()
}

fn codes(codes: &[crate::terminology::Code]) -> Vec<&str> {
    codes.iter().map(|code| code.as_str()).collect()
}

#[test]
fn the_international_edition_is_recognized_and_named() {
    let source = source(&[fixture("international")], None).expect("it opens");
    let release = source.release();
    assert_eq!(release.system.as_str(), "http://snomed.info/sct");
    assert_eq!(release.alias, "snomed");
    assert_eq!(release.version, "http://snomed.info/sct/900000000000207008/version/20250101");
    assert_eq!(release.date.as_deref(), Some("2025-01-01"));
    assert_eq!(release.language, "en-US");
    assert_eq!(release.content, Content::Complete);
    assert_eq!(source.collect::<Vec<_>>().len(), 12);
}

#[test]
fn an_extension_on_it_is_another_edition() {
    for paths in [
        vec![fixture("international"), fixture("extension")],
        vec![fixture("extension"), fixture("international")],
        vec![fixture("")],
    ] {
        let source = source(&paths, None).expect("it opens");
        let expected = format!("http://snomed.info/sct/{MODULE}/version/20250301");
        assert_eq!(source.release().version, expected, "{paths:?}");
        assert_eq!(source.release().title, "SNOMED CT, edition XX");
        assert_eq!(source.collect::<Vec<_>>().len(), 15);
    }
}

#[test]
fn an_extension_alone_is_a_fragment() {
    let source = source(&[fixture("extension")], None).expect("it opens");
    assert_eq!(source.release().content, Content::Fragment);
    let concepts: Vec<Concept> = source.collect::<Result<_, _>>().expect("it is sound");
    // The row of an international concept comes without its names.
    assert_eq!(concepts.len(), 3);
    let spark = concepts.iter().find(|one| one.code.as_str() == SPARK).expect("it is there");
    assert_eq!(codes(&spark.parents), [FOOT]);
    assert!(spark.relations.is_empty(), "the attribute is not in the release");
}

#[test]
fn names_are_told_apart_by_type_and_dialect() {
    let concepts = international();
    let foot = &concepts[FOOT];
    assert_eq!(foot.display, "Hemoglimmer of foot");
    assert_eq!(
        names(foot),
        [
            ("en-GB", "display", "Haemoglimmer of foot"),
            ("en", "synonym", "Hemoglimmer of foot (disorder)"),
        ]
    );
    let disease = &concepts[DISEASE];
    assert_eq!(
        names(disease),
        [
            ("en", "synonym", "Glimmer disease (disorder)"),
            ("en", "synonym", "Glimmering sickness"),
            ("en", "related", "Wexler glimmer"),
        ]
    );
    let definition = "A disease of invented people, who glimmer.";
    assert_eq!(disease.definition.as_deref(), Some(definition));
}

#[test]
fn the_dialect_that_is_asked_for_is_displayed() {
    let british = read(&[fixture("international")], Some("en-GB")).expect("it is sound").0;
    let foot = &british[FOOT];
    assert_eq!(foot.display, "Haemoglimmer of foot");
    assert_eq!(names(foot)[0], ("en-US", "display", "Hemoglimmer of foot"));
    let paths = [fixture("international"), fixture("extension")];
    let swedish = read(&paths, Some("sv")).expect("it is sound").0;
    assert_eq!(swedish[DISEASE].display, "Glimmersjuka");
    assert!(names(&swedish[DISEASE]).contains(&("en-US", "display", "Glimmer disease")));
    // Where the language has no name, there is one in another.
    assert_eq!(swedish[PART].display, "Glimmer foot");

    let error = read(&paths, Some("fr")).expect_err("there is no French");
    assert!(matches!(error.kind(), ImportErrorKind::InvalidValue { .. }), "{error}");
    assert!(error.to_string().contains("en-GB, en-US, sv"), "{error}");
}

#[test]
fn other_languages_are_displays_of_their_own() {
    let disease = &both()[DISEASE];
    assert_eq!(disease.display, "Glimmer disease");
    assert!(names(disease).contains(&("sv", "display", "Glimmersjuka")));
    assert!(names(disease).contains(&("sv", "synonym", "Glimmeråkomma")));
}

#[test]
fn a_retired_name_finds_its_concept_and_does_not_name_it() {
    let concepts = international();
    let retired = concepts[DISEASE]
        .designations
        .iter()
        .find(|one| one.value == "Wexler glimmer")
        .expect("it is there");
    assert_eq!(retired.use_, DesignationUse::Related);
    assert_eq!(retired.source.as_deref(), Some("retired"));
    let all = concepts[DISEASE].designations.iter();
    assert!(all.clone().all(|one| one.value != "Dullness"), "it means something else");
    // A later edition retires what an earlier one had.
    let both = both();
    let sickness = both[DISEASE].designations.iter().find(|one| one.value == "Glimmering sickness");
    assert_eq!(sickness.map(|one| one.use_), Some(DesignationUse::Related));
}

#[test]
fn parents_are_the_active_is_a_and_the_rest_are_attributes() {
    let concepts = international();
    let foot = &concepts[FOOT];
    assert_eq!(codes(&foot.parents), [DISEASE, LASTING]);
    let code = |text: &str| crate::terminology::Code::new(text).expect("it is a code");
    let relation =
        |group, attribute: &str, value| Relation { group, attribute: code(attribute), value };
    assert_eq!(
        foot.relations,
        [
            relation(1, SITE, RelationValue::Concept(code(PART))),
            relation(1, COUNT, RelationValue::Integer(2)),
            relation(1, COUNT, RelationValue::Decimal(2.5)),
            relation(2, SITE, RelationValue::Concept(code(DISEASE))),
            relation(2, COUNT, RelationValue::Text("drops".to_owned())),
        ]
    );
}

#[test]
fn what_is_said_of_a_concept_are_its_properties() {
    let concepts = international();
    let foot = &concepts[FOOT];
    assert_eq!(values(foot, "sufficientlyDefined"), ["true"]);
    assert_eq!(values(&concepts[DISEASE], "sufficientlyDefined"), ["false"]);
    assert_eq!(values(foot, "semanticTag"), ["disorder"]);
    assert_eq!(values(&concepts[PART], "semanticTag"), ["body structure"]);
    assert_eq!(values(foot, "moduleId"), ["900000000000207008"]);
    assert_eq!(values(&both()[SPARK], "moduleId"), [MODULE]);
}

#[test]
fn a_retired_concept_tells_what_became_of_it() {
    let concepts = international();
    let old = &concepts[OLD];
    assert!(!old.active && old.parents.is_empty());
    assert_eq!(values(old, property::REPLACED_BY), [DISEASE]);
    assert_eq!(values(old, "possiblyEquivalentTo"), [LASTING, FOOT]);
    assert_eq!(values(old, "inactivationReason"), ["900000000000483008"]);
    let doubled = &concepts[DOUBLED];
    assert_eq!(values(doubled, "sameAs"), [DISEASE]);
    assert!(values(doubled, property::REPLACED_BY).is_empty(), "that one was withdrawn");
}

#[test]
fn the_latest_version_of_each_component_counts() {
    let alone = international();
    assert_eq!(codes(&alone[DISEASE].refsets), [WATCHED]);
    assert_eq!(codes(&alone[FOOT].refsets), [WATCHED]);
    assert!(alone[PART].refsets.is_empty(), "it is a member no more");
    let both = both();
    assert!(both[FOOT].refsets.is_empty(), "the extension has withdrawn it");
    assert_eq!(codes(&both[SPARK].refsets), [WATCHED]);
    assert!(both[LASTING].active, "the extension's row is older");
    assert_eq!(values(&both[LASTING], "sufficientlyDefined"), ["false"]);
}

#[test]
fn the_names_of_files_say_what_they_are() {
    let name = |text: &str| FileName::read(text);
    let snapshot = name("sct2_description_snapshot-en_us1000124_20250301.txt");
    assert!(snapshot.is_snapshot);
    assert_eq!(snapshot.language.as_deref(), Some("en"));
    assert_eq!(snapshot.place.as_deref(), Some("US1000124"));
    assert_eq!(snapshot.namespace(), Some(1_000_124));
    assert_eq!(snapshot.date.as_deref(), Some("2025-03-01"));
    assert!(!name("sct2_concept_full_int_20250101.txt").is_snapshot);
    assert!(!name("der2_crefset_languagedelta-en_int_20250101.txt").is_snapshot);
    assert_eq!(name("sct2_concept_full_int_20250101.txt").namespace(), None);
    assert_eq!(name("concepts.txt"), FileName { is_snapshot: true, ..FileName::default() });
}

#[test]
fn check_digits_tell_identifiers_from_other_numbers() {
    for sound in ["138875005", "900000000000207008", DISEASE, MODULE] {
        let id = sctid::parse(sound).expect(sound);
        assert!(sctid::check_digit_fits(id), "{sound}");
        for (place, digit) in sound.bytes().enumerate().skip(1) {
            let mut wrong = sound.as_bytes().to_vec();
            wrong[place] = b'0' + (digit - b'0' + 1) % 10;
            let id = sctid::parse(std::str::from_utf8(&wrong).expect("ASCII")).expect(sound);
            assert!(!sctid::check_digit_fits(id), "{sound} at {place}");
        }
    }
    for text in ["", "12345", "0138875005", "1234567890123456789", "13887500x", "-138875005"] {
        assert_eq!(sctid::parse(text), None, "{text:?}");
    }
    assert_eq!(sctid::namespace(731_000_124_108), Some(1_000_124));
    assert_eq!(sctid::namespace(138_875_005), None);
}
