//! What becomes of a release that is not as its publisher made it.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::terminology::Concept;

use super::*;

const DISEASE: &str = "10031000999104";
const PART: &str = "10071000999101";
const LASTING: &str = "10191000999104";
const FOOT: &str = "10231000999108";

const CONCEPTS: &str = "sct2_Concept_Snapshot_INT";
const DESCRIPTIONS: &str = "sct2_Description_Snapshot-en_INT";
const RELATIONSHIPS: &str = "sct2_Relationship_Snapshot_INT";
const LANGUAGES: &str = "der2_cRefset_LanguageSnapshot-en_INT";

/// A copy of the fixture, all files in one folder.
struct Copy(TempDir);

impl Copy {
    fn new() -> Self {
        let copy = Self(tempfile::tempdir().expect("a folder"));
        let from =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/rf2/international/Snapshot");
        for folder in ["Terminology", "Refset/Content", "Refset/Language"] {
            for entry in fs::read_dir(from.join(folder)).expect("it is there") {
                let path = entry.expect("it is there").path();
                let name = path.file_name().expect("it has a name");
                fs::copy(&path, copy.0.path().join(name)).expect("it is copied");
            }
        }
        copy
    }

    fn file(&self, beginning: &str) -> PathBuf {
        self.0.path().join(format!("{beginning}_20250101.txt"))
    }

    fn change(self, file: &str, change: impl Fn(Vec<u8>) -> Vec<u8>) -> Self {
        let path = self.file(file);
        let bytes = fs::read(&path).expect("it is there");
        fs::write(path, change(bytes)).expect("it is written");
        self
    }

    fn text(self, file: &str, change: impl Fn(String) -> String) -> Self {
        self.change(file, |bytes| change(String::from_utf8(bytes).expect("UTF-8")).into_bytes())
    }

    fn add(self, file: &str, row: &str) -> Self {
        self.text(file, |text| format!("{text}{row}\r\n"))
    }

    fn read(&self) -> Result<(Vec<Concept>, Tally), ImportError> {
        let mut source = open(Format::Rf2, self.0.path())?;
        let concepts = source.by_ref().take(1_000).collect::<Result<Vec<_>, _>>()?;
        assert!(source.next().is_none(), "it ends");
        Ok((concepts, source.tally()))
    }

    fn sound(&self) -> (Vec<Concept>, Tally) {
        self.read().expect("it is read all the same")
    }

    fn refused(&self) -> ImportError {
        self.read().expect_err("it is refused")
    }
}

fn left_out(tally: &Tally) -> Vec<(&str, u64)> {
    tally.left_out.iter().map(|one| (one.reason.as_str(), one.count)).collect()
}

fn find<'c>(concepts: &'c [Concept], code: &str) -> Option<&'c Concept> {
    concepts.iter().find(|one| one.code.as_str() == code)
}

#[test]
fn the_copy_is_sound() {
    let (concepts, tally) = Copy::new().sound();
    assert_eq!(concepts.len(), 12);
    assert_eq!(
        left_out(&tally),
        [("the retired name means something else, its publisher says", 1)]
    );
    assert!(tally.read.contains_key("descriptions"), "{tally:?}");
}

#[test]
fn a_byte_order_mark_and_other_ends_of_lines_change_nothing() {
    let (expected, _) = Copy::new().sound();
    for file in [CONCEPTS, DESCRIPTIONS, RELATIONSHIPS, LANGUAGES] {
        let marked = Copy::new().text(file, |text| format!("\u{feff}{text}"));
        assert_eq!(marked.sound().0, expected, "{file}");
        let unix = Copy::new().text(file, |text| text.replace("\r\n", "\n"));
        assert_eq!(unix.sound().0, expected, "{file}");
        let unended = Copy::new().text(file, |text| text.trim_end().to_owned());
        assert_eq!(unended.sound().0, expected, "{file}");
    }
}

#[test]
fn columns_may_stand_in_another_order() {
    let (expected, _) = Copy::new().sound();
    let moved = Copy::new().text(CONCEPTS, |text| {
        let move_last = |line: &str| {
            let mut cells: Vec<&str> = line.split('\t').collect();
            cells.swap(3, 4);
            cells.join("\t")
        };
        text.lines().map(|line| move_last(line) + "\r\n").collect()
    });
    assert_eq!(moved.sound().0, expected);
}

#[test]
fn an_empty_file_is_refused() {
    for file in [CONCEPTS, DESCRIPTIONS, RELATIONSHIPS, LANGUAGES] {
        let error = Copy::new().change(file, |_| Vec::new()).refused();
        assert!(matches!(error.kind(), ImportErrorKind::Empty), "{file}: {error}");
    }
    let bare = Copy::new().text(CONCEPTS, |text| text.lines().take(1).collect());
    assert!(matches!(bare.refused().kind(), ImportErrorKind::Missing { .. }));
    let nameless = Copy::new();
    for file in [DESCRIPTIONS, "sct2_TextDefinition_Snapshot-en_INT"] {
        fs::remove_file(nameless.file(file)).expect("it is there");
    }
    assert!(nameless.refused().to_string().contains("sct2_Description_Snapshot"));
}

#[test]
fn a_row_cut_short_is_refused_with_its_line() {
    for file in [CONCEPTS, DESCRIPTIONS, RELATIONSHIPS, LANGUAGES] {
        // Ever shorter, until the last cell is gone, and the one before it.
        for cells in 1..=3 {
            let cut = Copy::new().text(file, |text| {
                let text = text.trim_end();
                let end = text.rmatch_indices('\t').nth(cells - 1).map_or(0, |(at, _)| at);
                text[..end].to_owned()
            });
            let lines = fs::read_to_string(cut.file(file)).expect("it is there").lines().count();
            let error = cut.refused();
            assert!(matches!(error.kind(), ImportErrorKind::ShortRow { .. }), "{file}: {error}");
            assert_eq!(error.line(), Some(lines as u64), "{file}");
            assert_eq!(error.path(), cut.file(file));
        }
    }
}

#[test]
fn a_missing_column_is_named() {
    for (file, column) in [
        (CONCEPTS, "definitionStatusId"),
        (DESCRIPTIONS, "languageCode"),
        (DESCRIPTIONS, "term"),
        (RELATIONSHIPS, "relationshipGroup"),
        (RELATIONSHIPS, "destinationId"),
        (LANGUAGES, "acceptabilityId"),
        (LANGUAGES, "refsetId"),
    ] {
        let error = Copy::new().text(file, |text| text.replacen(column, "other", 1)).refused();
        assert!(
            matches!(error.kind(), ImportErrorKind::MissingColumn { column: found, .. } if found == column),
            "{column}: {error}"
        );
    }
}

#[test]
fn what_is_no_utf_8_is_refused_with_its_line() {
    let error = Copy::new()
        .change(DESCRIPTIONS, |bytes| {
            let at = bytes.windows(5).position(|five| five == b"Glimm").expect("it is there");
            [&bytes[..at], b"\xe9", &bytes[at + 1..]].concat()
        })
        .refused();
    assert!(matches!(error.kind(), ImportErrorKind::Encoding { .. }), "{error}");
    assert!(error.line().is_some());
}

#[test]
fn values_that_are_none_are_refused() {
    for (file, from, to) in [
        (CONCEPTS, "\t20250101\t1", "\t2025011\t1"),
        (CONCEPTS, "\t20250101\t1", "\t20250101\tyes"),
        (DESCRIPTIONS, "\ten\t", "\tEnglish, of course\t"),
        (RELATIONSHIPS, "\t0\t116680003", "\tnone\t116680003"),
        (LANGUAGES, "-", "x"),
    ] {
        let error = Copy::new().text(file, |text| text.replacen(from, to, 1)).refused();
        assert!(matches!(error.kind(), ImportErrorKind::InvalidValue { .. }), "{to}: {error}");
    }
    let error = Copy::new().text(DESCRIPTIONS, |text| text.replacen(FOOT, "foot", 1)).refused();
    assert!(matches!(error.kind(), ImportErrorKind::InvalidCode { .. }), "{error}");
}

#[test]
fn a_concept_whose_check_digit_is_wrong_is_left_out() {
    for wrong in ["10231000999109", "10231000999", "not a number"] {
        let (concepts, tally) =
            Copy::new().text(CONCEPTS, |text| text.replacen(FOOT, wrong, 1)).sound();
        assert_eq!(concepts.len(), 11, "{wrong}");
        assert!(find(&concepts, FOOT).is_none() && find(&concepts, wrong).is_none());
        let reason = "the identifier is no SNOMED CT identifier: its check digit does not fit";
        assert!(left_out(&tally).contains(&(reason, 1)), "{tally:?}");
        let first = &tally.left_out.iter().find(|one| one.reason == reason).expect("it is").first;
        assert!(first.contains("sct2_Concept") && first.ends_with(wrong), "{first}");
        let dangling = "the description's concept is not in the release";
        assert!(left_out(&tally).contains(&(dangling, 3)), "{tally:?}");
    }
}

#[test]
fn of_a_component_given_twice_the_first_one_counts() {
    let row = format!("{DISEASE}\t20250101\t0\t900000000000207008\t900000000000073002");
    let (concepts, tally) = Copy::new().add(CONCEPTS, &row).sound();
    assert_eq!(concepts.len(), 12);
    assert!(find(&concepts, DISEASE).is_some_and(|one| one.active));
    let reason = "the identifier is given twice in one file; the first one counts";
    assert!(left_out(&tally).contains(&(reason, 1)), "{tally:?}");
}

#[test]
fn a_circle_and_a_parent_that_is_not_there_are_left_to_the_builder() {
    let end = "0\t116680003\t900000000000011006\t900000000000451002";
    let begin = "99011000999127\t20250101\t1\t900000000000207008";
    let circle = Copy::new().add(RELATIONSHIPS, &format!("{begin}\t{DISEASE}\t{FOOT}\t{end}"));
    let (concepts, _) = circle.sound();
    let parents = &find(&concepts, DISEASE).expect("it is there").parents;
    assert!(parents.iter().any(|code| code.as_str() == FOOT));
    let dangling = Copy::new().add(RELATIONSHIPS, &format!("{begin}\t{PART}\t999999999\t{end}"));
    let (concepts, _) = dangling.sound();
    let parents = &find(&concepts, PART).expect("it is there").parents;
    assert!(parents.iter().any(|code| code.as_str() == "999999999"));
}

#[test]
fn attributes_that_lead_nowhere_are_left_out() {
    let begin = "99011000999127\t20250101\t1\t900000000000207008";
    let end = format!("1\t{LASTING}\t900000000000011006\t900000000000451002");
    for (source, target, reason) in [
        (PART, "999999999", "the relationship leads to a concept that is not in the release"),
        ("999999999", PART, "the relationship begins at a concept that is not in the release"),
    ] {
        let (concepts, tally) =
            Copy::new().add(RELATIONSHIPS, &format!("{begin}\t{source}\t{target}\t{end}")).sound();
        assert!(find(&concepts, PART).expect("it is there").relations.is_empty());
        assert!(left_out(&tally).contains(&(reason, 1)), "{tally:?}");
    }
}

#[test]
fn full_and_delta_files_beside_the_snapshot_are_passed_over() {
    let (expected, _) = Copy::new().sound();
    let copy = Copy::new();
    for kind in ["Full", "Delta"] {
        let path = copy.0.path().join(format!("sct2_Concept_{kind}_INT_20250101.txt"));
        let text = fs::read_to_string(copy.file(CONCEPTS)).expect("it is there");
        let later = text.replace("\t20250101\t1", "\t20250201\t0");
        fs::write(path, later).expect("it is written");
    }
    assert_eq!(copy.sound().0, expected);
}
