use super::*;

fn part(dir: &std::path::Path) -> std::path::PathBuf {
    let path = dir.join("records.bin");
    let mut writer = PartWriter::create(&path, PartKind::Records, 3).unwrap();
    writer.section("numbers", &[1u32, 2, 3]).unwrap();
    writer.begin("bytes").unwrap();
    writer.append(b"ab").unwrap();
    writer.append(b"c").unwrap();
    writer.finish().unwrap();
    path
}

#[test]
fn sections_come_back_as_written() {
    let dir = tempfile::tempdir().unwrap();
    let part = Part::open(&part(dir.path()), PartKind::Records, 3).unwrap();
    assert_eq!(&*part.section::<u32>("numbers").unwrap(), &[1, 2, 3]);
    assert_eq!(&*part.section::<u8>("bytes").unwrap(), b"abc");
    assert_eq!(part.sections().collect::<Vec<_>>(), ["numbers", "bytes"]);
    assert!(part.section::<u8>("none").is_err());
    assert!(part.section::<u32>("bytes").is_err(), "three bytes are no u32");
    assert!(part.section_of::<u32>("numbers", 4).is_err());
    part.verify().unwrap();
}

#[test]
fn every_flipped_byte_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let path = part(dir.path());
    let good = std::fs::read(&path).unwrap();
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x40;
        std::fs::write(&path, &bad).unwrap();
        let found = Part::open(&path, PartKind::Records, 3).and_then(|part| part.verify());
        assert!(found.is_err(), "byte {at} changed unnoticed");
    }
}

#[test]
fn every_truncation_is_found_when_opening() {
    let dir = tempfile::tempdir().unwrap();
    let path = part(dir.path());
    let good = std::fs::read(&path).unwrap();
    for len in 0..good.len() {
        std::fs::write(&path, &good[..len]).unwrap();
        assert!(Part::open(&path, PartKind::Records, 3).is_err(), "{len} bytes were enough");
    }
}

#[test]
fn another_kind_or_format_is_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let path = part(dir.path());
    let kind = Part::open(&path, PartKind::Dense, 3).unwrap_err();
    assert!(matches!(kind.kind(), DiskErrorKind::Magic { expected: "dense" }));
    let format = Part::open(&path, PartKind::Records, 2).unwrap_err();
    assert!(matches!(format.kind(), DiskErrorKind::Version { found: 3, supported: 2 }));
    assert!(Part::open(&dir.path().join("none"), PartKind::Records, 3).unwrap_err().is_not_found());
    assert!(Part::open(dir.path(), PartKind::Records, 3).is_err(), "a folder is no part");
}

#[test]
fn a_file_is_replaced_and_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("current");
    replace_file(&path, b"one").unwrap();
    replace_file(&path, b"two").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"two");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn the_second_builder_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("lock");
    let first = BuildLock::acquire(&path).unwrap();
    let second = BuildLock::acquire(&path).unwrap_err();
    assert!(matches!(second.kind(), DiskErrorKind::Locked));
    drop(first);
    BuildLock::acquire(&path).unwrap();
}
