//! Maps between terminologies as they are stored: both directions, the same bytes, and a map that is
//! bad or damaged leaves the others alone.

use std::path::Path;

use medterm::disk::{BuildLock, DiskErrorKind};
use medterm::maps::{ConceptMap, MapEntryRef, MapError, MapStore, StoredMap};
use medterm::terminology::{Code, MapEntry, Relationship};

use crate::maps::{Read, fixture, read};
use crate::support::{contents, folder};

pub(crate) fn add(store: &Path, path: &Path) -> StoredMap {
    let Read { release, entries, .. } = read(path).expect("the map is sound");
    MapStore::new(store).add(&release, &entries).expect("it is stored")
}

fn codes_of<'m>(
    rows: impl Iterator<Item = MapEntryRef<'m>>,
    code: fn(&MapEntryRef<'m>) -> Option<&'m str>,
) -> Vec<&'m str> {
    rows.filter_map(|row| code(&row)).collect()
}

fn targets<'m>(map: &'m ConceptMap, source: &str) -> Vec<&'m str> {
    codes_of(map.targets(source), |row| row.target)
}

fn sources<'m>(map: &'m ConceptMap, target: &str) -> Vec<&'m str> {
    codes_of(map.sources(target), |row| Some(row.source))
}

#[test]
fn a_stored_map_answers_in_both_directions() {
    let store = folder("maps-both");
    let stored = add(&store, &fixture("example-icd10cm.sssom.tsv"));
    assert!(stored.folder.ends_with("maps/example-icd10cm/2026-01-02"));
    let counts = stored.manifest.counts;
    assert_eq!((counts.entries, counts.sources, counts.targets), (12, 11, 11));
    assert_eq!((counts.equivalent, counts.without_target, counts.not_related_to), (7, 1, 1));
    let maps = MapStore::new(&store);
    let map = maps.open("example-icd10cm", None).expect("it opens");
    assert_eq!(targets(&map, "MONDO:9000005"), ["A00", "A00.9"]);
    assert_eq!(sources(&map, "A00"), ["MONDO:9000005"]);
    assert_eq!(sources(&map, "I21"), ["MONDO:9000001"]);
    assert_eq!(map.targets("MONDO:9000010").next().map(|row| row.target), Some(None));
    for none in ["", "A", "MONDO:9", "zzz", "I21"] {
        assert_eq!(map.targets(none).count(), 0, "{none:?}");
    }
    assert_eq!(map.sources("MONDO:9000005").count(), 0);
    let broad = map.targets("MONDO:9000006").next().expect("it is there");
    assert_eq!(broad.relationship.inverse(), Relationship::SourceIsBroaderThanTarget);
    assert_eq!(broad.advice, Some("only the viral kind"));
    map.verify().expect("every byte is as it was written");

    let gem = add(&store, &fixture("2018_I10gem.txt"));
    let map = maps.open(&gem.manifest.release.name, Some("2018")).expect("it opens");
    let rows: Vec<_> = map.targets("A18.01").filter_map(|row| row.gem).collect();
    let scenarios: Vec<(u8, u8)> = rows.iter().map(|gem| (gem.scenario, gem.choice_list)).collect();
    assert_eq!(scenarios, [(0, 0), (1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (4, 1), (4, 2)]);
}

#[test]
fn rules_and_advice_of_a_map_are_kept_in_their_order() {
    let store = folder("maps-rules");
    let mut release = read(&fixture("2018_I9gem.txt")).expect("it is sound").release;
    "rules".clone_into(&mut release.name);
    let entry = |target: &str, group, priority, rule: &str| {
        let code = |text: &str| Code::new(text).expect("a code");
        let mut entry =
            MapEntry::new(code("S1"), Some(code(target)), Relationship::SourceIsNarrowerThanTarget);
        entry.group = Some(group);
        entry.priority = Some(priority);
        entry.rule = Some(rule.to_owned());
        entry.advice = Some(format!("advice of {rule}"));
        entry
    };
    let entries = [
        entry("B", 2, 1, "OTHERWISE TRUE"),
        entry("C", 1, 2, "OTHERWISE TRUE"),
        entry("D", 1, 1, "IFA 1"),
        entry("D", 1, 1, "IFA 1"),
    ];
    let maps = MapStore::new(&store);
    let stored = maps.add(&release, &entries).expect("it is stored");
    assert_eq!(stored.manifest.counts.entries, 3, "a row that is there twice counts once");
    let map = maps.open("rules", None).expect("it opens");
    assert_eq!(targets(&map, "S1"), ["D", "C", "B"]);
    let first = map.targets("S1").next().expect("it is there");
    assert_eq!((first.rule, first.advice), (Some("IFA 1"), Some("advice of IFA 1")));
    assert_eq!((first.group, first.priority, first.gem), (Some(1), Some(1), None));
}

#[test]
fn the_same_rows_in_whatever_order_give_the_same_bytes() {
    let Read { release, mut entries, .. } = read(&fixture("2018_I10gem.txt")).expect("it is sound");
    let (one, other) = (folder("maps-bytes-1"), folder("maps-bytes-2"));
    MapStore::new(&one).add(&release, &entries).expect("it is stored");
    entries.reverse();
    entries.rotate_left(3);
    MapStore::new(&other).add(&release, &entries).expect("it is stored");
    let before = contents(&one);
    assert!(before.iter().any(|(path, _)| path.ends_with("map.bin")));
    assert!(before.iter().any(|(path, _)| path.ends_with("LICENSE.txt")));
    assert!(before == contents(&other));
    // And adding it again changes nothing.
    MapStore::new(&one).add(&release, &entries).expect("it is stored");
    assert!(before == contents(&one));
}

#[test]
fn maps_are_listed_replaced_and_removed_and_are_no_terminology() {
    let store = folder("maps-list");
    let maps = MapStore::new(&store);
    assert!(maps.list().expect("nothing is there").maps.is_empty());
    let error = maps.open("none", None).expect_err("there is none");
    assert!(error.to_string().contains("medterm map add"), "{error}");
    add(&store, &fixture("2018_I9gem.txt"));
    add(&store, &fixture("2018_I10gem.txt"));
    let Read { mut release, entries, .. } = read(&fixture("2018_I9gem.txt")).expect("sound");
    "2017".clone_into(&mut release.version);
    maps.add(&release, &entries).expect("it is stored");
    let listed = maps.list().expect("they can be listed");
    let names: Vec<(&str, &str)> = listed
        .maps
        .iter()
        .map(|map| (map.manifest.release.name.as_str(), map.manifest.release.version.as_str()))
        .collect();
    let nine = "gem-icd9cm-icd10cm";
    assert_eq!(names, [("gem-icd10cm-icd9cm", "2018"), (nine, "2017"), (nine, "2018")]);
    assert_eq!(maps.open(nine, None).expect("opens").manifest().release.version, "2018");
    assert!(medterm::Catalog::open(&store).is_ok_and(|catalog| catalog.terminologies().is_empty()));

    assert!(matches!(maps.remove(nine, Some("1999")), Err(MapError::Unknown { .. })));
    assert_eq!(maps.remove(nine, Some("2018")).expect("it goes").len(), 1);
    assert_eq!(maps.open(nine, None).expect("opens").manifest().release.version, "2017");
    maps.remove(nine, None).expect("it goes");
    let left = maps.list().expect("they can be listed").maps;
    assert_eq!(left.len(), 1);
    assert!(!store.join("maps").join(nine).exists());
}

#[test]
fn a_map_that_cannot_be_stored_leaves_what_was_there() {
    let store = folder("maps-refused");
    let maps = MapStore::new(&store);
    add(&store, &fixture("2018_I9gem.txt"));
    let before = contents(&store);
    let Read { release, entries, .. } = read(&fixture("2018_I9gem.txt")).expect("it is sound");
    assert!(matches!(maps.add(&release, &[]), Err(MapError::Empty)));
    for name in ["", "..", "a/b", ".hidden", "Upper"] {
        let mut other = release.clone();
        name.clone_into(&mut other.name);
        let error = maps.add(&other, &entries).expect_err(name);
        assert!(matches!(error, MapError::InvalidName { .. }), "{name:?}: {error}");
        assert!(maps.remove(name, None).is_err(), "{name:?}");
    }
    let held = BuildLock::acquire(&store.join("maps/.lock")).expect("nobody has it");
    let error = maps.add(&release, &entries).expect_err("somebody adds");
    let MapError::Disk(disk) = &error else { panic!("{error:?}") };
    assert!(matches!(disk.kind(), DiskErrorKind::Locked), "{error}");
    drop(held);
    assert!(before == contents(&store));
}

#[test]
fn a_damaged_map_is_told_and_the_others_answer() {
    let store = folder("maps-damaged");
    let stored = add(&store, &fixture("2018_I9gem.txt"));
    add(&store, &fixture("2018_I10gem.txt"));
    let path = stored.folder.join("map.bin");
    let whole = std::fs::read(&path).expect("it is there");
    for at in [0, 20, whole.len() / 2, whole.len() - 1] {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        std::fs::write(&path, &bytes).expect("it is ours");
        let opened = ConceptMap::open(&stored.folder).and_then(|map| {
            assert!(map.entries().count() <= map.len());
            let _ = (targets(&map, "001.0"), sources(&map, "A00.0"));
            map.verify()
        });
        assert!(opened.is_err(), "byte {at} was changed");
    }
    for len in [0, 63, 64, whole.len() - 8] {
        std::fs::write(&path, &whole[..len]).expect("it is ours");
        assert!(ConceptMap::open(&stored.folder).is_err(), "{len} bytes");
    }
    std::fs::write(stored.folder.join("manifest.json"), "{\"format\": 99}").expect("it is ours");
    let list = MapStore::new(&store).list().expect("the folders can be read");
    assert_eq!((list.maps.len(), list.failures.len()), (1, 1));
    assert!(list.failures[0].to_string().contains("format 99"), "{}", list.failures[0]);
}
