use crate::terminology::{Code, MapEntry, MapRelease, Relationship, SystemId, Unmapped};

use super::fhir_tests::fixture;
use super::*;

fn maps(name: &str, options: &MapOptions) -> Vec<(MapRelease, Vec<MapEntry>, Tally)> {
    let maps = open_maps(&fixture(name), options).expect("it is one");
    maps.into_iter()
        .map(|mut map| {
            let entries = map.by_ref().collect::<Result<_, _>>().expect("it is sound");
            (map.release().clone(), entries, map.tally())
        })
        .collect()
}

#[test]
fn both_editions_say_the_same() {
    let options = MapOptions::default();
    let old = maps("ConceptMap-r4.json", &options);
    assert_eq!(old.len(), 2);
    let (release, entries, tally) = &old[0];
    assert_eq!(release.id, "http://example.org/fhir/ConceptMap/ailments-to-parts");
    assert_eq!(release.name, "ailments-to-parts-ailments-parts");
    assert_eq!((release.version.as_str(), release.title.as_str()), ("3", "Where ailments are"));
    assert_eq!(release.source.as_str(), "http://example.org/fhir/CodeSystem/ailments");
    assert_eq!(release.source_version.as_deref(), Some("2.1"));
    assert_eq!(release.target.as_str(), "http://example.org/fhir/CodeSystem/parts");
    assert_eq!(release.license.as_deref(), Some("Free for tests."));
    use Relationship::*;
    let rows: Vec<_> = entries
        .iter()
        .map(|one| {
            (one.source.as_str(), one.target.as_ref().map(|to| to.as_str()), one.relationship)
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("A1", Some("tail"), SourceIsNarrowerThanTarget),
            ("A1", Some("tip"), RelatedTo),
            ("B", Some("tail"), Equivalent),
            ("B1", Some("tip"), SourceIsBroaderThanTarget),
            ("B2", None, NotRelatedTo),
            ("A2", Some("animal"), NotRelatedTo),
        ]
    );
    assert_eq!(entries[0].advice.as_deref(), Some("Wings are tails here."));
    assert_eq!(entries[2].rule.as_deref(), Some("sex = any"));
    assert!(tally.left_out.is_empty(), "{tally:?}");
    let rest = Unmapped::Fixed {
        code: Code::new("animal").expect("a code"),
        display: None,
        relationship: RelatedTo,
    };
    assert_eq!(release.unmapped, Some(rest));
    assert_eq!(old[1].0.unmapped, None);
    assert_eq!(old[1].0.target.as_str(), "http://hl7.org/fhir/sid/icd-10-cm");
    let new = maps("ConceptMap-r5.json", &options);
    for (old, new) in old.iter().zip(&new) {
        assert_eq!((&old.0, &old.1), (&new.0, &new.1));
    }
}

#[test]
fn one_target_may_be_asked_for() {
    let target = SystemId::new("http://hl7.org/fhir/sid/icd-10-cm").expect("it is one");
    let options = MapOptions { target: Some(target), ..MapOptions::default() };
    let found = maps("ConceptMap-r4.json", &options);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].0.name.as_str(), found[0].1.len()), ("ailments-to-parts", 1));
}

#[test]
fn a_map_is_no_terminology() {
    let error = ReleaseFiles::find(&[fixture("ConceptMap-r4.json")]).expect_err("it is a map");
    assert!(error.to_string().contains("1 concept maps, which are no terminologies"), "{error}");
    let error = open_maps(&fixture("CodeSystem-parts.json"), &MapOptions::default())
        .err()
        .expect("it is no map");
    assert!(matches!(error.kind(), ImportErrorKind::UnknownFormat { .. }), "{error}");
}
