//! The pieces of the two rivers that can be looked at alone; tests/it builds whole stores.

use super::layout::folder_name;
use super::plan::RowPlan;
use super::{IndexError, Manifest};
use crate::terminology::{Code, Concept, Designation, DesignationUse, Property, property};

fn concept(code: &str, display: &str) -> Concept {
    Concept::new(Code::new(code).unwrap(), display)
}

fn named(mut concept: Concept, language: &str, use_: DesignationUse, value: &str) -> Concept {
    concept.designations.push(Designation::new(language, use_, value));
    concept
}

#[test]
fn equal_names_share_a_row_and_each_row_knows_its_owners() {
    let concepts = [
        named(concept("A", "Low back pain"), "en", DesignationUse::Inclusion, "Lumbago"),
        concept("B", "LOW BACK  PAIN"),
        concept("C", "Sciatica"),
    ];
    let plan = RowPlan::of(&concepts, "en");
    assert_eq!(plan.texts, ["Low back pain", "Lumbago", "Sciatica"]);
    assert_eq!(plan.owners_at, [0, 2, 3, 4]);
    assert_eq!(plan.owners, [0, 1, 0, 2]);
}

#[test]
fn borrowed_names_have_rows_of_their_own_at_the_end() {
    let borrows = |concept, value| named(concept, "en", DesignationUse::Borrowed, value);
    let concepts = [
        borrows(borrows(concept("A", "Lumbago"), "Back pain"), "LUMBAGO"),
        borrows(
            named(concept("B", "Back pain"), "en", DesignationUse::Synonym, "Ache"),
            "Sore back",
        ),
        borrows(concept("C", "Sciatica"), "sore  back"),
    ];
    let plan = RowPlan::of(&concepts, "en");
    assert_eq!(plan.texts, ["Lumbago", "Back pain", "Ache", "Sciatica", "Back pain", "Sore back"]);
    assert_eq!(plan.borrowed_from, 4);
    assert_eq!(plan.owners_at, [0, 1, 2, 3, 4, 5, 7]);
    assert_eq!(plan.owners, [0, 1, 1, 2, 0, 1, 2]);
}

#[test]
fn groupers_word_bags_and_languages_the_model_cannot_read_get_no_row() {
    let mut chapter = concept("1", "Infections");
    chapter.properties.push(Property::boolean(property::NOT_SELECTABLE, true));
    let bag = named(concept("A", "Glucose"), "en", DesignationUse::WordBag, "sugar blood serum");
    let chinese = named(concept("B", "Cholera"), "zh-TW", DesignationUse::Synonym, "霍亂");
    assert_eq!(RowPlan::of(&[chapter, bag, chinese], "en").texts, ["Glucose", "Cholera"]);
    assert!(RowPlan::of(&[concept("A", "霍亂")], "zh-TW").texts.is_empty());
}

#[test]
fn every_version_has_a_folder_of_its_own_that_stays_inside() {
    let versions = ["2026", "2026/1", "2026_1", "2026%2F1", "..", ".hidden", "http://a/b?c", "１"];
    let mut names: Vec<String> = versions.iter().map(|version| folder_name(version)).collect();
    assert!(
        names.iter().all(|name| !name.starts_with('.') && !name.contains(['/', '\\', ':', '?']))
    );
    assert_eq!(names[0], "2026");
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), versions.len());
}

#[test]
fn a_manifest_of_another_format_is_refused_before_its_fields_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(Manifest::FILE);
    std::fs::write(&path, r#"{"format": 99, "something": "new"}"#).unwrap();
    let error = Manifest::read(folder.path()).unwrap_err();
    assert!(error.to_string().contains("format 99"), "{error}");
    std::fs::write(&path, "{").unwrap();
    assert!(matches!(Manifest::read(folder.path()), Err(IndexError::Manifest { .. })));
    std::fs::remove_file(&path).unwrap();
    assert!(
        matches!(Manifest::read(folder.path()), Err(IndexError::Disk(error)) if error.is_not_found())
    );
}
