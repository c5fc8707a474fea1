//! Every format against files that are damaged, strange, or made to do harm: an error that names
//! the file, or a release with what can be used of it; never a panic, never a half-built store.

use medterm::formats::{Format, ImportErrorKind};
use medterm::index::IndexReport;

use crate::hostile_copy::{Copy, Outcome, attempt, essence};
use crate::hostile_samples::{Record, SAMPLES};

/// Places at which each file is cut.
const CUTS: usize = 40;
#[test]
fn every_format_has_a_sample_that_is_sound() {
    for format in Format::ALL {
        let sample = SAMPLES.iter().find(|sample| sample.format == *format);
        let Some(sample) = sample else { panic!("{format}: no sample to harm") };
        Copy::of(sample, "sound").whole();
    }
}

#[test]
fn an_empty_file_is_no_release() {
    for sample in SAMPLES {
        let copy = Copy::of(sample, "empty");
        let alone = copy.folder.parent().expect("it has one").join("alone");
        for (at, file) in sample.harmed.iter().enumerate() {
            // Given by itself it is named; among other files it is as if it were not there.
            std::fs::write(&alone, b"").expect("it is ours");
            let Outcome::Refused(error) = attempt(sample, "empty", &alone) else {
                panic!("{} {file}: built from nothing", sample.format)
            };
            assert!(matches!(error.kind(), ImportErrorKind::Empty), "{error}");
            let outcome = copy.with(file, b"", "empty");
            if sample.harmed.len() == 1 {
                assert!(!matches!(outcome, Outcome::Built(_)), "{} {at} {file}", sample.format);
            }
        }
    }
}

#[test]
fn a_file_cut_anywhere_does_no_harm() {
    for sample in SAMPLES {
        let copy = Copy::of(sample, "cut");
        let whole = copy.whole();
        for (at, file) in sample.harmed.iter().enumerate() {
            let sound = copy.sound(file);
            let cuts = if at == 0 { CUTS } else { CUTS / 4 };
            for cut in 1..=cuts {
                let end = sound.len() * cut / (cuts + 1);
                let outcome = copy.with(file, &sound[..end], &format!("cut at {end}"));
                let is_cut_xml = sample.is_xml(file) && end > 200;
                match outcome {
                    Outcome::Built(report) => {
                        // What is cut of a table may be whole rows.
                        assert!(!is_cut_xml, "{} {file}: cut at {end}", sample.format);
                        let found = report.concepts + report.groupers;
                        let all = whole.concepts + whole.groupers;
                        assert!(found <= all, "{} {file}: cut at {end}", sample.format);
                    }
                    Outcome::Refused(error) if is_cut_xml => {
                        assert!(error.line().is_some(), "{file}, cut at {end}: {error}");
                    }
                    Outcome::Refused(_) | Outcome::NothingInIt => {}
                }
            }
        }
    }
}

#[test]
fn a_mark_at_the_beginning_and_other_line_ends_change_nothing() {
    for sample in SAMPLES {
        let copy = Copy::of(sample, "marks");
        let whole = essence(&copy.whole());
        for file in sample.harmed {
            let sound = copy.text(file);
            let unix = sound.replace("\r\n", "\n");
            for (what, text) in [
                ("a byte order mark", format!("\u{feff}{sound}")),
                ("CRLF", unix.replace('\n', "\r\n")),
                ("LF", unix.clone()),
                ("no last line end", unix.trim_end().to_owned()),
            ] {
                match copy.with_text(file, &text, what) {
                    Outcome::Built(report) => {
                        assert_eq!(essence(&report), whole, "{} {file}: {what}", sample.format);
                    }
                    Outcome::Refused(error) => panic!("{} {what}: {error}", sample.format),
                    Outcome::NothingInIt => panic!("{} {file}: {what}", sample.format),
                }
            }
        }
    }
}

#[test]
fn a_letter_of_another_encoding_is_told_with_its_line() {
    for sample in SAMPLES {
        let copy = Copy::of(sample, "latin");
        for (at, file) in sample.harmed.iter().enumerate() {
            let mut bytes = copy.sound(file);
            if std::str::from_utf8(&bytes).is_err() {
                // Its publisher writes it so, and says so.
                continue;
            }
            // A letter in the last record, where it is in a name or in a value of any kind.
            let place = (0..bytes.len()).rev().find(|at| {
                let word = at.checked_sub(2).and_then(|from| bytes.get(from..*at + 3));
                let inside = bytes[..*at].iter().rposition(|byte| matches!(*byte, b'<' | b'>'));
                let in_tag = inside.is_some_and(|at| bytes[at] == b'<');
                word.is_some_and(|word| word.iter().all(u8::is_ascii_alphanumeric)) && !in_tag
            });
            let place = place.expect("there is a word");
            bytes[place] = 0xe9;
            let line = bytes[..place].iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
            match copy.with(file, &bytes, "Latin-1") {
                Outcome::Refused(error) => {
                    assert!(matches!(error.kind(), ImportErrorKind::Encoding { .. }), "{error}");
                    let told = error.line().unwrap_or_default();
                    assert!(told.abs_diff(line) <= 1, "{error}, not line {line}");
                }
                _ => assert!(at > 0, "{} {file}: Latin-1 was read", sample.format),
            }
        }
    }
}

#[test]
fn entities_are_not_expanded() {
    let mut entities =
        "<!DOCTYPE x [\n<!ENTITY lol0 \"lollollollollollollollollollol\">\n".to_owned();
    for level in 1..10 {
        let inner = format!("&lol{};", level - 1).repeat(10);
        entities.push_str(&format!("<!ENTITY lol{level} \"{inner}\">\n"));
    }
    entities.push_str("]>\n");
    for sample in SAMPLES {
        let copy = Copy::of(sample, "entities");
        for file in sample.harmed.iter().filter(|file| sample.is_xml(file)) {
            let sound = copy.text(file);
            let head = sound.find("?>").map_or(0, |at| at + 2);
            let (before, after) = sound.split_at(head);
            // The text of the last element that has one.
            let text = (1..after.len()).rev().find(|at| {
                after.as_bytes()[at - 1] == b'>' && after.as_bytes()[*at].is_ascii_alphanumeric()
            });
            let text = text.expect("there is a text");
            let evil = format!("{before}\n{entities}{}&lol9;{}", &after[..text], &after[text..]);
            match copy.with_text(file, &evil, "entities") {
                Outcome::Refused(error) => {
                    let is_told = matches!(
                        error.kind(),
                        ImportErrorKind::UndefinedEntity { .. } | ImportErrorKind::Misplaced { .. }
                    );
                    assert!(is_told && error.line().is_some(), "{error}");
                }
                _ => panic!("{} {file}: entities were read", sample.format),
            }
        }
    }
}

#[test]
fn a_code_that_comes_twice_is_one() {
    for sample in SAMPLES {
        let copy = Copy::of(sample, "twice");
        let whole = copy.whole();
        let sound = copy.text(sample.harmed[0]);
        let Some(record) = sample.record else { continue };
        let twice = repeated(&sound, record);
        match copy.with_text(sample.harmed[0], &twice, "a record twice") {
            Outcome::Built(report) => {
                assert_eq!(
                    (report.concepts, report.groupers),
                    (whole.concepts, whole.groupers),
                    "{}",
                    sample.format
                );
            }
            Outcome::Refused(error) => assert!(error.line().is_some(), "{error}"),
            Outcome::NothingInIt => panic!("{}: a record twice", sample.format),
        }
    }
}

/// The text with its last record once more behind it.
fn repeated(text: &str, record: Record) -> String {
    let (start, end) = match record {
        Record::Line => {
            let end = text.trim_end().len();
            (text[..end].rfind('\n').map_or(0, |at| at + 1), text.len())
        }
        Record::Element(name) => {
            let start = text.rfind(&format!("<{name}")).expect("there is one");
            let close = format!("</{name}>");
            let end = text[start..].find(&close).expect("it ends") + close.len();
            (start, start + end)
        }
        Record::Paragraph(first) => {
            let start = text.rfind(&format!("{first}\n")).expect("there is one");
            (start, text[start..].find("\n\n").map_or(text.len(), |end| start + end + 2))
        }
    };
    let mut repeated = text[..end].to_owned();
    if !repeated.ends_with('\n') {
        repeated.push('\n');
    }
    repeated.push_str(&text[start..end]);
    repeated.push_str(&text[end..]);
    repeated
}

#[test]
fn parents_that_are_missing_and_circles_are_counted() {
    for sample in SAMPLES {
        let copy = Copy::of(sample, "links");
        let file = sample.harmed[0];
        let sound = copy.text(file);
        let whole = copy.whole();
        for (what, change) in [("dangling", sample.dangling), ("cycle", sample.cycle)] {
            let Some((from, to)) = change else { continue };
            assert!(sound.contains(from), "{}: {from:?}", sample.format);
            let harmed = sound.replacen(from, to, 1);
            let Outcome::Built(report) = copy.with_text(file, &harmed, what) else {
                panic!("{}: {what} was refused", sample.format)
            };
            let counted = |report: &IndexReport| match what {
                "dangling" => report.dangling_parents,
                _ => report.dropped_cycle_edges,
            };
            assert_eq!(counted(&report), counted(&whole) + 1, "{}: {what}", sample.format);
            assert_eq!(report.concepts, whole.concepts, "{}: {what}", sample.format);
        }
    }
}
