use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;
use crate::terminology::{
    Code, Concept, ConceptOrd, Designation, DesignationOrd, DesignationUse, Property,
    PropertyValue, property,
};

fn concept(code: &str, display: &str) -> Concept {
    Concept::new(Code::new(code).unwrap(), display)
}

fn name(language: &str, use_: DesignationUse, value: &str) -> Designation {
    Designation::new(language, use_, value)
}

fn sample() -> Vec<Concept> {
    let mut chapter = concept("4", "Endocrine diseases");
    chapter.properties = vec![Property::boolean(property::NOT_SELECTABLE, true)];
    let mut diabetes = concept("E11.9", "Type 2 diabetes mellitus without complications");
    diabetes.designations = vec![
        name("en", DesignationUse::Synonym, "T2DM"),
        name("zh-TW", DesignationUse::Display, "第二型糖尿病"),
        name("en", DesignationUse::Inclusion, "T2DM"),
        name("en", DesignationUse::Synonym, "Type 2 diabetes mellitus without complications"),
        name("en", DesignationUse::Synonym, " \t"),
        name("de", DesignationUse::Synonym, "T2DM"),
        name("en", DesignationUse::Borrowed, "DM2").from_source("Ünother 1"),
        name("en", DesignationUse::Borrowed, "T2DM").from_source("Another 2"),
    ];
    diabetes.properties = vec![
        Property::boolean(property::BILLABLE, true),
        Property::text(property::EXCLUDES1, "größer ≥ 5 µg"),
        Property { code: "x".into(), value: PropertyValue::Integer(-7) },
        Property { code: "y".into(), value: PropertyValue::Decimal(0.25) },
        Property { code: "z".into(), value: PropertyValue::Code("E11".into()) },
        Property { code: "t".into(), value: PropertyValue::DateTime("2025-10-01".into()) },
    ];
    diabetes.definition = Some("A disease 🩸.".to_owned());
    let mut retired = concept("E11.A", "");
    retired.active = false;
    retired.properties = vec![Property::boolean(property::BILLABLE, false)];
    vec![chapter, concept("E11", "Type 2 diabetes mellitus"), diabetes, retired]
}

fn write(dir: &Path, concepts: &[Concept]) -> (PathBuf, RecordsSummary) {
    let path = dir.join("records.bin");
    let _ = std::fs::remove_file(&path);
    let summary = write_records(&path, concepts, "en").unwrap();
    (path, summary)
}

fn names(records: &Records, ord: u32) -> Vec<DesignationRef<'_>> {
    records
        .designations(ConceptOrd(ord))
        .map(|one| records.designation(DesignationOrd(one)))
        .collect()
}

#[test]
fn records_come_back_as_written() {
    let dir = tempfile::tempdir().unwrap();
    let concepts = sample();
    let (path, summary) = write(dir.path(), &concepts);
    assert_eq!((summary.concepts, summary.designations), (4, 8));
    assert_eq!(summary.part.len, std::fs::metadata(&path).unwrap().len());
    let records = Records::open(&path).unwrap();
    records.verify().unwrap();
    assert_eq!((records.len(), records.designation_count()), (4, 8));
    for (ord, concept) in (0..).map(ConceptOrd).zip(&concepts) {
        assert_eq!(records.code(ord), concept.code.as_str());
        assert_eq!(records.display(ord), concept.display);
        assert_eq!(records.find(concept.code.as_str()), Some(ord));
        let details = records.details(ord).unwrap();
        assert_eq!(details.properties, concept.properties);
        assert_eq!(details.definition, concept.definition);
        for one in records.designations(ord) {
            assert_eq!(records.owner(DesignationOrd(one)), ord);
        }
    }
    let flags = |ord| {
        let ord = ConceptOrd(ord);
        (records.is_active(ord), records.is_selectable(ord), records.is_billable(ord))
    };
    assert_eq!(flags(0), (true, false, None));
    assert_eq!(flags(1), (true, true, None));
    assert_eq!(flags(2), (true, true, Some(true)));
    assert_eq!(flags(3), (false, true, Some(false)));
}

#[test]
fn the_display_comes_first_and_repeated_or_blank_names_are_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let records = Records::open(&write(dir.path(), &sample()).0).unwrap();
    let listed: Vec<_> = names(&records, 2)
        .iter()
        .map(|n| format!("{} {} {}", n.language, n.use_.name(), n.value))
        .collect();
    assert_eq!(
        listed,
        [
            "en display Type 2 diabetes mellitus without complications",
            "en synonym T2DM",
            "zh-TW display 第二型糖尿病",
            "de synonym T2DM",
            "en borrowed DM2",
        ]
    );
    let sources: Vec<_> = names(&records, 2).iter().map(|n| n.source).collect();
    assert_eq!(sources, [None, None, None, None, Some("Ünother 1")]);
    let nameless =
        DesignationRef { language: "en", use_: DesignationUse::Display, value: "", source: None };
    assert_eq!(names(&records, 3), [nameless]);
}

#[test]
fn codes_are_found_exactly_by_prefix_and_in_any_case() {
    let dir = tempfile::tempdir().unwrap();
    let concepts: Vec<Concept> =
        ["10", "9", "AB", "Ab", "aC", "ÄÖ-1", "ΑΣ"].map(|code| concept(code, code)).into();
    let records = Records::open(&write(dir.path(), &concepts).0).unwrap();
    let folded = |typed| records.find_folded(typed).map(|ord| records.code(ord));
    assert_eq!(folded("AB"), Some("AB"));
    assert_eq!(folded("Ab"), Some("Ab"), "the exact one first");
    assert_eq!(folded("ab"), Some("AB"), "else the first in code order");
    assert_eq!(folded("AC"), Some("aC"));
    assert_eq!(folded("äö-1"), Some("ÄÖ-1"));
    assert_eq!(folded("ας"), None, "a final sigma is another letter");
    assert_eq!(folded("ασ"), Some("ΑΣ"));
    assert_eq!(folded("zz"), None);
    assert_eq!(folded(""), None);
    assert_eq!(records.find("ab"), None);
    assert_eq!(records.with_prefix("A"), 2..4);
    assert_eq!(records.with_prefix("1"), 0..1);
    assert_eq!(records.with_prefix(""), 0..7);
    assert!(records.with_prefix("B").is_empty());
    assert!(records.with_prefix("zzz").is_empty());
    assert_eq!(records.insertion_point(""), 0);
    assert_eq!(records.insertion_point("A"), 2);
    assert_eq!(records.insertion_point("AB"), 2);
    assert_eq!(records.insertion_point("\u{10ffff}"), 7);
}

#[test]
fn none_and_one_are_numbers_too() {
    let dir = tempfile::tempdir().unwrap();
    let empty = Records::open(&write(dir.path(), &[]).0).unwrap();
    empty.verify().unwrap();
    assert!(empty.is_empty());
    visit(&empty);
    let one = Records::open(&write(dir.path(), &[concept("A", "a")]).0).unwrap();
    one.verify().unwrap();
    assert_eq!((one.len(), one.designation_count()), (1, 1));
    assert_eq!(one.details(ConceptOrd(0)).unwrap(), Details::default());
    assert_eq!(one.with_prefix("A"), 0..1);
    visit(&one);
}

#[test]
fn concepts_out_of_order_are_refused_before_anything_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.bin");
    for codes in [["B", "A"], ["A", "A"]] {
        let concepts = codes.map(|code| concept(code, ""));
        match write_records(&path, &concepts, "en").unwrap_err() {
            RecordsError::Order { previous, code } => {
                assert_eq!([previous.as_str(), code.as_str()], codes);
            }
            other => panic!("{other}"),
        }
        assert!(!path.exists());
    }
}

#[test]
fn details_that_are_too_long_are_refused_by_code() {
    let dir = tempfile::tempdir().unwrap();
    let mut long = concept("A", "a");
    long.definition = Some("x".repeat(details::MAX_DETAILS_BYTES));
    let refused = write_records(&dir.path().join("records.bin"), std::slice::from_ref(&long), "en")
        .unwrap_err();
    assert!(matches!(refused, RecordsError::Encode { code, .. } if code.as_str() == "A"));
    let mut fits = long;
    fits.definition = Some("x".repeat(details::MAX_DETAILS_BYTES - 16));
    fits.properties = Vec::new();
    let records = Records::open(&write(dir.path(), &[fits.clone()]).0);
    assert_eq!(records.unwrap().details(ConceptOrd(0)).unwrap().definition, fits.definition);
}

#[test]
fn the_densest_details_are_within_what_the_decoder_counts() {
    let dir = tempfile::tempdir().unwrap();
    let mut dense = concept("A", "a");
    let shortest = Property { code: String::new(), value: PropertyValue::Boolean(true) };
    // Three bytes each, all of them numbers that the decoder counts at more than their length.
    dense.properties = vec![shortest; details::MAX_DETAILS_BYTES / 3 - 8];
    let records = Records::open(&write(dir.path(), &[dense.clone()]).0).unwrap();
    assert_eq!(records.details(ConceptOrd(0)).unwrap().properties.len(), dense.properties.len());
}

/// Calls every accessor for every ord and some that are none.
fn visit(records: &Records) {
    let n = u32::try_from(records.len()).unwrap();
    for ord in (0..n + 2).chain([u32::MAX - 1, u32::MAX]).map(ConceptOrd) {
        let _ = (records.is_active(ord), records.is_selectable(ord), records.is_billable(ord));
        let code = records.code(ord).to_owned();
        let _ = (records.find(&code), records.find_folded(&code), records.with_prefix(&code));
        let _ = (records.display(ord), records.details(ord));
        let designations = records.designations(ord);
        assert!(designations.end as usize <= records.designation_count());
        assert!(designations.start <= designations.end);
    }
    let d = u32::try_from(records.designation_count()).unwrap();
    for ord in (0..d + 2).chain([u32::MAX - 1, u32::MAX]).map(DesignationOrd) {
        let _ = records.designation(ord);
        assert!(records.owner(ord).0 < n.max(1));
    }
    for typed in ["", "E11", "e11.9", "zzzz"] {
        let _ = (records.find(typed), records.find_folded(typed), records.with_prefix(typed));
        assert!(records.insertion_point(typed) <= n);
    }
}

#[test]
fn no_damaged_byte_makes_a_panic() {
    let dir = tempfile::tempdir().unwrap();
    let (path, _) = write(dir.path(), &sample());
    let good = std::fs::read(&path).unwrap();
    let mut opened = 0;
    for at in 0..good.len() {
        for mask in [0x01, 0x80, 0xff] {
            let mut bad = good.clone();
            bad[at] ^= mask;
            std::fs::write(&path, &bad).unwrap();
            if let Ok(records) = Records::open(&path) {
                opened += 1;
                visit(&records);
                assert!(records.verify().is_err(), "byte {at} changed unnoticed");
            }
        }
    }
    assert!(opened > 500, "only {opened} damaged files were looked into");
}

#[test]
fn an_unknown_use_is_refused_when_opening() {
    let dir = tempfile::tempdir().unwrap();
    let (path, _) = write(dir.path(), &[concept("A", "a")]);
    let mut bytes = std::fs::read(&path).unwrap();
    let uses = section_at(&bytes, "use");
    assert_eq!(bytes[uses], 0);
    bytes[uses] = u8::try_from(DesignationUse::ALL.len()).unwrap();
    std::fs::write(&path, &bytes).unwrap();
    let refused = Records::open(&path).unwrap_err().to_string();
    assert!(refused.contains("use that is not known"), "{refused}");
}

/// Where a section begins, read from the table at the end of the file.
fn section_at(bytes: &[u8], name: &str) -> usize {
    let mut padded = [0; 16];
    padded[..name.len()].copy_from_slice(name.as_bytes());
    let row = bytes.windows(16).rposition(|window| window == padded).unwrap();
    usize::try_from(u64::from_le_bytes(bytes[row + 16..row + 24].try_into().unwrap())).unwrap()
}

#[test]
fn records_can_be_shared_between_threads() {
    fn check<T: Clone + Send + Sync + 'static>() {}
    check::<Records>();
}

fn any_concepts() -> impl Strategy<Value = Vec<Concept>> {
    let value = prop_oneof![
        ".{0,8}".prop_map(PropertyValue::Text),
        any::<bool>().prop_map(PropertyValue::Boolean),
        any::<i64>().prop_map(PropertyValue::Integer),
    ];
    let property = ("[a-z]{0,6}", value).prop_map(|(code, value)| Property { code, value });
    let source = prop::option::of("[SÜ]{0,2}");
    let designation = ("en|de", 0..DesignationUse::ALL.len(), "[ab ü]{0,2}", source).prop_map(
        |(language, use_, value, source)| Designation {
            source,
            ..name(&language, DesignationUse::ALL[use_], &value)
        },
    );
    let body = (
        ".{0,6}",
        prop::collection::vec(designation, 0..6),
        prop::collection::vec(property, 0..4),
        prop::option::of(".{0,12}"),
        any::<bool>(),
    );
    prop::collection::btree_map("[aAbBzÉé0-9][aAbBÉé.]{0,2}", body, 0..24).prop_map(|map| {
        let mut concepts: Vec<Concept> = map
            .into_iter()
            .map(|(code, (display, designations, properties, definition, active))| Concept {
                designations,
                properties,
                definition,
                active,
                ..concept(&code, &display)
            })
            .collect();
        concepts.sort_by(|a, b| a.code.cmp(&b.code));
        concepts
    })
}

proptest! {
    #[test]
    fn what_is_read_is_what_a_plain_list_says(concepts in any_concepts(), typed in "[aAbBÉé0-9]{0,2}") {
        let dir = tempfile::tempdir().unwrap();
        let (path, summary) = write(dir.path(), &concepts);
        let records = Records::open(&path).unwrap();
        let mut total = 0;
        for (ord, concept) in (0..).map(ConceptOrd).zip(&concepts) {
            let mut expected =
                vec![("en", DesignationUse::Display, concept.display.as_str(), None)];
            for other in &concept.designations {
                let repeated = expected.iter().any(|(l, _, v, _)| (*l, *v) == (&*other.language, &*other.value));
                if !other.value.trim().is_empty() && !repeated {
                    expected.push((&other.language, other.use_, &other.value, other.source.as_deref()));
                }
            }
            let found: Vec<_> =
                names(&records, ord.0).into_iter().map(|n| (n.language, n.use_, n.value, n.source)).collect();
            total += found.len();
            prop_assert_eq!(found, expected);
            let details = records.details(ord).unwrap();
            prop_assert_eq!(&details.properties, &concept.properties);
            prop_assert_eq!(&details.definition, &concept.definition);
            prop_assert_eq!(records.is_active(ord), concept.active);
        }
        prop_assert_eq!(total, summary.designations as usize);
        let code = |c: &Concept| c.code.as_str().to_owned();
        let with_prefix: Vec<String> = records.with_prefix(&typed).map(|ord| records.code(ConceptOrd(ord)).to_owned()).collect();
        let expected: Vec<String> = concepts.iter().map(code).filter(|c| c.starts_with(&typed)).collect();
        prop_assert_eq!(with_prefix, expected);
        let exact = concepts.iter().map(code).find(|c| *c == typed);
        prop_assert_eq!(records.find(&typed).map(|ord| records.code(ord).to_owned()), exact.clone());
        let folded = exact.or_else(|| concepts.iter().map(code).find(|c| c.to_lowercase() == typed.to_lowercase()));
        prop_assert_eq!(records.find_folded(&typed).map(|ord| records.code(ord).to_owned()), folded);
    }

    #[test]
    fn the_same_concepts_give_the_same_bytes(concepts in any_concepts()) {
        let dir = tempfile::tempdir().unwrap();
        let first = std::fs::read(write(dir.path(), &concepts).0).unwrap();
        prop_assert_eq!(first, std::fs::read(write(dir.path(), &concepts).0).unwrap());
    }

    #[test]
    fn no_damage_makes_a_panic(at in any::<prop::sample::Index>(), noise in prop::collection::vec(any::<u8>(), 1..40)) {
        let dir = tempfile::tempdir().unwrap();
        let (path, _) = write(dir.path(), &sample());
        let mut bytes = std::fs::read(&path).unwrap();
        let at = at.index(bytes.len() - noise.len());
        bytes[at..at + noise.len()].copy_from_slice(&noise);
        std::fs::write(&path, &bytes).unwrap();
        if let Ok(records) = Records::open(&path) {
            visit(&records);
        }
    }
}
