use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tantivy::fieldnorm::FieldNormReader;

use super::engine::guard;
use super::ties::{TIES, Ties};
use super::*;
use crate::disk::{DiskErrorKind, PartKind};
use crate::terminology::DesignationOrd;
use crate::text;

const NAMES: [&str; 10] = [
    "Type 2 diabetes mellitus with hyperglycemia",
    "Type 2 diabetes mellitus without complications",
    "Type 1 diabetes mellitus without complications",
    "Cholera, unspecified",
    "Cholera",
    "Essential (primary) hypertension",
    "Sjögren's syndrome",
    "糖尿病性腎症",
    "—",
    "Cholera, cholera and once more cholera",
];

fn build(dir: &Path, names: &[impl AsRef<str>]) -> PathBuf {
    let path = dir.join("lexical.bin");
    let mut writer = LexicalWriter::new().unwrap();
    for (ord, name) in (0..).zip(names) {
        writer.push(DesignationOrd(ord), name.as_ref()).unwrap();
    }
    let summary = writer.finish(&path).unwrap();
    assert_eq!(summary.documents as usize, names.len());
    assert_eq!(summary.part.len, fs::metadata(&path).unwrap().len());
    path
}

fn index(names: &[impl AsRef<str>]) -> (tempfile::TempDir, LexicalIndex) {
    let dir = tempfile::tempdir().unwrap();
    let index = LexicalIndex::open(&build(dir.path(), names)).unwrap();
    (dir, index)
}

fn query(words: &str) -> Vec<WeightedTerm> {
    text::tokens(words)
        .into_iter()
        .map(|token| WeightedTerm { stem: token.stem, weight: 1.0 })
        .collect()
}

fn found(index: &LexicalIndex, words: &str, k: usize) -> Vec<u32> {
    let hits = index.search(&query(words), k).unwrap();
    hits.iter().map(|hit| hit.designation.0).collect()
}

fn ords(designations: &[DesignationOrd]) -> Vec<u32> {
    designations.iter().map(|designation| designation.0).collect()
}

#[test]
fn equal_input_gives_equal_bytes() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let names = corpus(2000, 7);
    let first = fs::read(build(one.path(), &names)).unwrap();
    let second = fs::read(build(two.path(), &names)).unwrap();
    assert!(first == second, "two builds of the same names differ");
}

#[test]
fn the_best_designation_comes_first() {
    let (_dir, index) = index(&NAMES);
    assert_eq!(index.documents(), 10);
    assert_eq!(found(&index, "diabetes with hyperglycemia", 10)[0], 0);
    assert_eq!(found(&index, "hypertension", 10), [5]);
    assert_eq!(found(&index, "sjogren", 10), [6]);
    assert_eq!(found(&index, "糖尿病", 10), [7]);
    assert_eq!(found(&index, "", 10), [0; 0]);
    assert_eq!(found(&index, "plague", 10), [0; 0]);
    assert_eq!(found(&index, "cholera", 0), [0; 0]);
    // The shortest is the best, and more of the word helps.
    assert_eq!(found(&index, "cholera", 10)[..2], [4, 9]);
    assert!(index.search(&query("cholera"), 10).unwrap().iter().all(|hit| hit.bm25 > 0.0));
    index.verify().unwrap();
}

#[test]
fn designations_keep_their_numbers_when_some_are_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("lexical.bin");
    let mut writer = LexicalWriter::new().unwrap();
    for (ord, name) in [(3, "cholera"), (40, "plague"), (4_000_000_000, "cholera")] {
        writer.push(DesignationOrd(ord), name).unwrap();
    }
    for ord in [3, 4_000_000_000] {
        let error = writer.push(DesignationOrd(ord), "anthrax").unwrap_err();
        assert!(matches!(
            error,
            LexicalError::Order { previous: DesignationOrd(4_000_000_000), .. }
        ));
    }
    let summary = writer.finish(&path).unwrap();
    assert_eq!((summary.documents, summary.terms), (3, 2));
    let index = LexicalIndex::open(&path).unwrap();
    assert_eq!(found(&index, "cholera", 10), [3, 4_000_000_000]);
    assert_eq!(ords(&index.named("plague")), [40]);
    let stems = |ord| {
        let mut words = Vec::new();
        index.words_of(DesignationOrd(ord), &mut words);
        words.iter().map(|word| index.stem(word.stem)).collect::<Vec<_>>()
    };
    assert_eq!(stems(40), ["plagu"]);
    assert!(stems(39).is_empty());
    assert_eq!(index.document_frequency(&text::tokens("anthrax")[0].stem), 0);
}

/// Names of few words, so that many documents are equal or nearly so.
fn corpus(count: usize, seed: u64) -> Vec<String> {
    let words = ["acute", "bone", "fracture", "left", "leg", "open", "right", "ulna", "wound"];
    let mut state = seed;
    let mut below = |n: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % n
    };
    (0..count)
        .map(|_| {
            // Squaring makes the first words frequent and the last ones rare.
            let word = |r: usize| words[r * r / 9];
            (0..below(8) + 1).map(|_| word(below(9))).collect::<Vec<_>>().join(" ")
        })
        .collect()
}

/// BM25 as Robertson and Zaragoza write it, with the lengths tantivy keeps, over every name.
fn naive(names: &[String], terms: &[WeightedTerm], k: usize) -> Vec<(u32, f32)> {
    let documents: Vec<Vec<String>> = names
        .iter()
        .map(|name| text::tokens(name).into_iter().map(|token| token.stem).collect())
        .collect();
    let count = documents.len() as f32;
    let mean = documents.iter().map(Vec::len).sum::<usize>() as f32 / count;
    let mut scores = vec![0.0f32; documents.len()];
    let terms: BTreeMap<&str, f32> = terms.iter().map(|t| (t.stem.as_str(), t.weight)).collect();
    for (stem, weight) in terms {
        let occurrences = |document: &Vec<String>| document.iter().filter(|s| *s == stem).count();
        let df = documents.iter().filter(|document| occurrences(document) > 0).count() as f32;
        let idf = (1.0 + (count - df + 0.5) / (df + 0.5)).ln();
        for (document, score) in documents.iter().zip(&mut scores) {
            let tf = occurrences(document) as f32;
            let id = FieldNormReader::fieldnorm_to_id(document.len().try_into().unwrap());
            let length = FieldNormReader::id_to_fieldnorm(id) as f32;
            let norm = 1.2 * (1.0 - 0.75 + 0.75 * length / mean);
            if tf > 0.0 {
                *score += idf * (1.0 + 1.2) * weight * (tf / (tf + norm));
            }
        }
    }
    let mut ranked: Vec<(u32, f32)> = (0..).zip(scores).filter(|(_, s)| *s > 0.0).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    if let Some((_, kth)) = ranked.get(k - 1).copied() {
        ranked.retain(|(_, score)| *score >= kth);
        ranked.truncate(TIES * k);
    }
    ranked
}

#[test]
fn the_ranking_is_that_of_bm25_over_every_name_ties_included() {
    let names = corpus(3000, 1);
    let (_dir, index) = index(&names);
    let queries = [
        "fracture",
        "wound",
        "acute wound",
        "left ulna fracture",
        "open wound of the right leg",
        "ulna wound right leg bone acute fracture open left",
    ];
    for words in queries {
        for weights in [[1.0, 1.0, 1.0], [0.3, 1.0, 2.5]] {
            let mut terms = query(words);
            terms.iter_mut().zip(weights.iter().cycle()).for_each(|(term, w)| term.weight = *w);
            for k in [1, 2, 10, 100, 5000] {
                let expected = naive(&names, &terms, k);
                let hits = index.search(&terms, k).unwrap();
                let got: Vec<_> = hits.iter().map(|hit| (hit.designation.0, hit.bm25)).collect();
                assert_eq!(got, expected, "{words:?}, weights {weights:?}, k = {k}");
                terms.reverse();
                assert_eq!(index.search(&terms, k).unwrap(), hits, "the order of terms matters");
            }
        }
    }
}

#[test]
fn a_term_given_twice_adds_its_weights_and_a_useless_one_is_left_out() {
    let (_dir, index) = index(&NAMES);
    let search = |weights: &[f32]| {
        let stem = text::tokens("cholera").remove(0).stem;
        let terms =
            weights.iter().map(|weight| WeightedTerm { stem: stem.clone(), weight: *weight });
        index.search(&terms.collect::<Vec<_>>(), 10).unwrap()
    };
    assert_eq!(search(&[0.5, 1.5]), search(&[2.0]));
    assert!(search(&[2.0])[0].bm25 > search(&[1.0])[0].bm25);
    assert_eq!(search(&[1.0, 0.0, -1.0, f32::NAN, f32::INFINITY]), search(&[1.0]));
    assert_eq!(search(&[0.0]), []);
}

#[test]
fn of_too_many_ties_the_first_are_kept() {
    let (_dir, index) = index(&vec!["cholera"; 1000]);
    assert_eq!(found(&index, "cholera", 3), (0..12).collect::<Vec<_>>());
    assert_eq!(found(&index, "cholera", usize::MAX).len(), 1000);

    // A better document late still gets in, and new ties with the new k-th are collected.
    let mut ties = Ties::new(2);
    let scores = [vec![5.0; 40], vec![6.0], vec![5.0; 40], vec![7.0; 3], vec![6.0; 9]].concat();
    let mut threshold = f32::MIN;
    for (document, score) in (0..).zip(scores) {
        if score > threshold {
            threshold = ties.push(document, score);
        }
        if document == 39 {
            assert!(threshold >= 5.0, "with the room full, more ties are still asked for");
        }
    }
    assert_eq!(ties.into_documents(), [81, 82, 83]);
}

#[test]
fn stems_are_listed_by_prefix_most_frequent_first() {
    let (_dir, index) = index(&["hypex a", "hypex b", "hypo a", "hypex c", "hypa", "typhus"]);
    let stems = |prefix: &str, limit| index.stems_with_prefix(prefix, limit);
    let owned = |stems: &[(&str, u32)]| {
        stems.iter().map(|(s, n)| ((*s).to_owned(), *n)).collect::<Vec<_>>()
    };
    assert_eq!(stems("hyp", 9), owned(&[("hypex", 3), ("hypa", 1), ("hypo", 1)]));
    assert_eq!(stems("hyp", 2), owned(&[("hypex", 3), ("hypa", 1)]));
    assert_eq!(stems("hypo", 9), owned(&[("hypo", 1)]));
    assert_eq!(stems("z", 9), []);
    assert_eq!(stems("", 1), owned(&[("hypex", 3)]));
    assert_eq!(index.document_frequency("hypex"), 3);
    assert_eq!(index.document_frequency("hyp"), 0);
}

#[test]
fn names_are_found_by_their_normalized_and_by_their_bare_text() {
    let (_dir, index) = index(&NAMES);
    assert_eq!(ords(&index.named(&text::normalize("CHOLERA"))), [4]);
    assert_eq!(ords(&index.named(&text::normalize("Cholera unspecified"))), [3]);
    assert_eq!(ords(&index.bare_named(&text::bare("cholera NOS"))), [3, 4]);
    assert_eq!(ords(&index.bare_named(&text::bare("essential hypertension"))), [5]);
    assert_eq!(ords(&index.named("plague")), [0; 0]);
    // A name without a word is nobody's.
    assert_eq!(ords(&index.named("")), [0; 0]);
    assert_eq!(ords(&index.bare_named("")), [0; 0]);
}

#[test]
fn the_vocabulary_is_sorted_and_counts_designations() {
    let (_dir, index) = index(&NAMES);
    let words = index.words();
    let all: Vec<(&str, u32)> = words.iter().collect();
    assert_eq!(all.len(), words.len());
    assert!(!words.is_empty());
    assert!(all.is_sorted_by(|a, b| a.0 < b.0), "{all:?}");
    for (i, (word, frequency)) in all.iter().enumerate() {
        assert_eq!((words.word(i), words.word_frequency(i)), (*word, *frequency));
        assert_eq!(words.find_word(word), Some(*frequency));
    }
    // Whole words, not stems; a word three times in one name counts once.
    assert_eq!(words.find_word("diabetes"), Some(3));
    assert_eq!(words.find_word("cholera"), Some(3));
    assert_eq!(words.find_word("diabet"), None);
    assert_eq!(words.find_word(""), None);
    assert_eq!(words.find_word("zzz"), None);
    assert_eq!((words.word(words.len()), words.word_frequency(words.len())), ("", 0));
}

#[test]
fn an_index_without_designations_or_without_words_opens() {
    for names in [&[][..], &["", "—", "  "][..]] {
        let (_dir, index) = index(names);
        assert_eq!(index.documents() as usize, names.len());
        assert_eq!(found(&index, "cholera", 10), [0; 0]);
        assert_eq!(index.document_frequency("cholera"), 0);
        assert_eq!(index.stems_with_prefix("", 10), []);
        assert!(index.words().is_empty());
        assert_eq!(index.words().find_word("cholera"), None);
        assert_eq!(ords(&index.named("cholera")), [0; 0]);
        index.verify().unwrap();
    }
}

#[test]
fn damaged_bytes_are_an_error_and_no_panic() {
    let dir = tempfile::tempdir().unwrap();
    let path = build(dir.path(), &NAMES);
    let good = fs::read(&path).unwrap();
    for at in (0..good.len()).step_by(3) {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        fs::write(&path, &bad).unwrap();
        let error = LexicalIndex::open(&path).unwrap_err();
        assert!(matches!(error, LexicalError::Disk(_)), "byte {at}: {error}");
    }
    for len in (0..good.len()).step_by(61) {
        fs::write(&path, &good[..len]).unwrap();
        assert!(LexicalIndex::open(&path).is_err(), "{len} bytes were enough");
    }
    fs::write(&path, &good).unwrap();
    LexicalIndex::open(&path).unwrap();
}

#[test]
fn a_part_with_good_checksums_and_bad_content_is_an_error() {
    // What a defect of a writer would leave: everything there, nothing in it.
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("lexical.bin");
    let mut part =
        crate::disk::PartWriter::create(&path, PartKind::Lexical, LEXICAL_FORMAT).unwrap();
    for section in ["term", "idx", "pos", "fieldnorm", "fast", "store", "meta.json"] {
        part.section(section, &[0u8; 40]).unwrap();
    }
    part.finish().unwrap();
    let error = LexicalIndex::open(&path).unwrap_err();
    assert!(matches!(error, LexicalError::Engine { .. }), "{error}");

    let other = dir.path().join("other.bin");
    let other_kind = crate::disk::PartWriter::create(&other, PartKind::Lexical, 99).unwrap();
    other_kind.finish().unwrap();
    let error = LexicalIndex::open(&other).unwrap_err();
    let LexicalError::Disk(error) = error else { panic!("{error}") };
    assert!(matches!(error.kind(), DiskErrorKind::Version { found: 99, .. }));
}

#[test]
fn a_panic_of_the_engine_becomes_an_error() {
    let result = guard::<()>("testing", || panic!("as tantivy does on damaged files"));
    assert!(matches!(result, Err(LexicalError::Panicked { doing: "testing" })));
}

#[test]
fn reading_writes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = build(dir.path(), &NAMES);
    let set_mode = |path: &Path, read_only: bool| {
        let mut permissions = fs::metadata(path).unwrap().permissions();
        permissions.set_readonly(read_only);
        fs::set_permissions(path, permissions).unwrap();
    };
    set_mode(&path, true);
    set_mode(dir.path(), true);
    let before = fs::read(&path).unwrap();
    let index = LexicalIndex::open(&path).unwrap();
    assert_eq!(found(&index, "hypertension", 1), [5]);
    // Root may write anywhere, so what counts is what is there afterwards.
    let files: Vec<_> =
        fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(files, ["lexical.bin"]);
    assert_eq!(fs::read(&path).unwrap(), before);
    set_mode(dir.path(), false);
}

#[test]
fn threads_share_an_index() {
    fn shared<T: Send + Sync + Clone + 'static>(_: &T) {}
    let (_dir, index) = index(&NAMES);
    shared(&index);
    let expected = found(&index, "diabetes mellitus", 10);
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let index = index.clone();
            std::thread::spawn(move || found(&index, "diabetes mellitus", 10))
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), expected);
    }
}
