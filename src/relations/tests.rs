use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::terminology::{
    Code, Concept, ConceptOrd, Property, PropertyValue, Relation, RelationValue,
};

fn code(text: &str) -> Code {
    Code::new(text).expect("it is a code")
}

fn relation(group: u16, attribute: &str, value: RelationValue) -> Relation {
    Relation { group, attribute: code(attribute), value }
}

fn sample() -> Vec<Concept> {
    let concept = |text: &str| Concept::new(code(text), text);
    let mut a = concept("A");
    a.properties.push(Property::boolean("billable", true));
    a.properties.push(Property::text("kind", "leaf"));
    a.properties.push(Property::text("note", "long ".repeat(100)));
    a.refsets = vec![code("watched"), code("rare")];
    a.relations = vec![
        relation(0, "site", RelationValue::Concept(code("B"))),
        relation(1, "count", RelationValue::Integer(-2)),
        relation(1, "count", RelationValue::Decimal(2.5)),
        relation(2, "count", RelationValue::Text("drops".to_owned())),
        relation(2, "site", RelationValue::Concept(code("nowhere"))),
        relation(2, "nothing", RelationValue::Concept(code("A"))),
    ];
    let mut b = concept("B");
    b.properties.push(Property::text("kind", "branch"));
    b.properties.push(Property::code("kind", "branch"));
    b.properties.push(Property::integer("rank", 7));
    b.properties.push(Property { code: "weight".to_owned(), value: PropertyValue::Decimal(0.5) });
    b.refsets = vec![code("watched")];
    vec![a, b, concept("count"), concept("site")]
}

struct Written {
    _folder: TempDir,
    path: PathBuf,
    summary: RelationsSummary,
}

fn write(concepts: &[Concept]) -> Written {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("relations.bin");
    let summary = write_relations(&path, concepts).expect("it is written");
    Written { _folder: folder, path, summary }
}

fn open(path: &Path) -> Relations {
    Relations::open(path).expect("it opens")
}

fn ords(found: Option<roaring::RoaringBitmap>) -> Option<Vec<u32>> {
    found.map(|bitmap| bitmap.iter().collect())
}

#[test]
fn attributes_come_back_in_their_order() {
    let written = write(&sample());
    assert_eq!((written.summary.relations, written.summary.dangling), (4, 2));
    let relations = open(&written.path);
    relations.verify().expect("it is sound");
    let stored =
        |group, attribute, value| StoredRelation { group, attribute: ConceptOrd(attribute), value };
    assert_eq!(
        relations.relations(ConceptOrd(0)).collect::<Vec<_>>(),
        [
            stored(0, 3, StoredValue::Concept(ConceptOrd(1))),
            stored(1, 2, StoredValue::Integer(-2)),
            stored(1, 2, StoredValue::Decimal(2.5)),
            stored(2, 2, StoredValue::Text("drops")),
        ]
    );
    let sources: Vec<_> = relations.sources(ConceptOrd(1)).collect();
    assert_eq!(sources, [RelationSource { source: ConceptOrd(0), attribute: ConceptOrd(3) }]);
    for ord in (0..5).chain([u32::MAX]).map(ConceptOrd) {
        assert_eq!(relations.source_count(ord), relations.sources(ord).count(), "{ord:?}");
    }
    assert_eq!((relations.len(), relations.relation_count()), (4, 4));
    for ord in [1, 3, 4, u32::MAX] {
        assert_eq!(relations.relations(ConceptOrd(ord)).count(), 0, "{ord}");
    }
}

#[test]
fn reference_sets_have_their_members() {
    let written = write(&sample());
    let relations = open(&written.path);
    assert_eq!(relations.refsets().collect::<Vec<_>>(), ["rare", "watched"]);
    let members = |refset: &str| ords(relations.members(refset).expect("it is sound"));
    assert_eq!(members("watched"), Some(vec![0, 1]));
    assert_eq!(members("rare"), Some(vec![0]));
    assert_eq!(members("other"), None);
    let by_concept = relations.refsets_by_concept().expect("it is sound");
    assert_eq!(by_concept, [vec!["rare", "watched"], vec!["watched"], vec![], vec![]]);
}

#[test]
fn properties_of_few_values_are_filters() {
    let written = write(&sample());
    let relations = open(&written.path);
    assert_eq!(relations.filterable(), ["billable", "kind", "rank"]);
    let filter =
        |property: &str, value| ords(relations.filter(property, value).expect("it is sound"));
    assert_eq!(filter("billable", FilterValue::Boolean(true)), Some(vec![0]));
    assert_eq!(filter("billable", FilterValue::Boolean(false)), Some(vec![]));
    assert_eq!(filter("kind", FilterValue::Text("branch")), Some(vec![1]));
    assert_eq!(filter("kind", FilterValue::Code("branch")), Some(vec![1]));
    assert_eq!(filter("kind", FilterValue::Code("leaf")), Some(vec![]));
    assert_eq!(filter("rank", FilterValue::Integer(7)), Some(vec![1]));
    assert_eq!(filter("note", FilterValue::Text("long")), None);
    assert_eq!(filter("weight", FilterValue::Integer(0)), None);
    assert_eq!(filter("kin", FilterValue::Text("leaf")), None);
    let values =
        [FilterValue::Code("branch"), FilterValue::Text("branch"), FilterValue::Text("leaf")];
    assert_eq!(relations.values("kind"), values);
}

#[test]
fn a_property_of_many_values_is_no_filter() {
    let concepts = |values: usize| -> Vec<Concept> {
        let one = |number: usize| {
            let mut concept = Concept::new(code(&format!("{number:05}")), "one");
            concept.properties.push(Property::text("id", number.to_string()));
            concept
        };
        (0..values).map(one).collect()
    };
    let most = open(&write(&concepts(MAX_FILTER_VALUES)).path).filterable().len();
    let more = open(&write(&concepts(MAX_FILTER_VALUES + 1)).path).filterable().len();
    assert_eq!((most, more), (1, 0));
}

#[test]
fn nothing_is_something_too() {
    for concepts in [vec![], vec![Concept::new(code("A"), "A")]] {
        let written = write(&concepts);
        let relations = open(&written.path);
        relations.verify().expect("it is sound");
        assert_eq!(relations.is_empty(), concepts.is_empty());
        assert_eq!(relations.refsets().count() + relations.filterable().len(), 0);
    }
}

#[test]
fn concepts_out_of_order_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("relations.bin");
    for codes in [["B", "A"], ["A", "A"]] {
        let concepts = codes.map(|text| Concept::new(code(text), text));
        let error = write_relations(&path, &concepts).expect_err("they are refused");
        assert!(matches!(error, RelationsError::Order { .. }), "{error}");
        assert!(!path.exists());
    }
}

#[test]
fn the_same_concepts_give_the_same_bytes() {
    let bytes = || fs::read(write(&sample()).path).expect("it is there");
    assert_eq!(bytes(), bytes());
}

/// Asks everything there is to ask; what matters is that it ends.
fn ask_everything(relations: &Relations) {
    for ord in (0..6).chain([u32::MAX]).map(ConceptOrd) {
        for one in relations.sources(ord) {
            assert!(
                one.source.index() < relations.len() && one.attribute.index() < relations.len()
            );
        }
        for one in relations.relations(ord) {
            assert!(one.attribute.index() < relations.len());
            if let StoredValue::Concept(value) = one.value {
                assert!(value.index() < relations.len());
            }
        }
    }
    let n = relations.len();
    let check = |found: Result<Option<roaring::RoaringBitmap>, RelationsError>| {
        if let Ok(Some(found)) = found {
            assert!(found.iter().all(|ord| (ord as usize) < n));
        }
    };
    for refset in relations.refsets() {
        check(relations.members(refset));
    }
    for property in relations.filterable() {
        for value in relations.values(property) {
            check(relations.filter(property, value));
        }
    }
}

// Opening looks at the header and the table alone: what it accepts has to be asked without a panic.
proptest! {
    #[test]
    fn damage_is_found_and_never_fatal(at in any::<prop::sample::Index>(), bits in 1u8..) {
        let written = write(&sample());
        let mut bytes = fs::read(&written.path).expect("it is there");
        let at = at.index(bytes.len());
        bytes[at] ^= bits;
        fs::write(&written.path, &bytes).expect("it is written");
        if let Ok(relations) = Relations::open(&written.path) {
            prop_assert!(relations.verify().is_err(), "byte {at} is changed");
            ask_everything(&relations);
        }
    }

    #[test]
    fn a_file_cut_short_does_not_open(at in any::<prop::sample::Index>()) {
        let written = write(&sample());
        let bytes = fs::read(&written.path).expect("it is there");
        fs::write(&written.path, &bytes[..at.index(bytes.len())]).expect("it is written");
        prop_assert!(Relations::open(&written.path).is_err());
    }
}
