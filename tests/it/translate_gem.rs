//! The General Equivalence Mappings as a whole, both ways: nothing is lost, and what comes back.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use lzma_rust2::XzReader;
use medterm::Catalog;
use medterm::catalog::{TranslateDirection, TranslateOutcome, TranslateRequest};
use medterm::maps::ConceptMap;
use medterm::terminology::Relationship;

use crate::maps_store::add;
use crate::support::folder;

const WAYS: [(&str, &str, &str); 2] = [
    ("icd9cm", "icd10cm", "icd9toicd10cmgem.csv.xz"),
    ("icd10cm", "icd9cm", "icd10cmtoicd9gem.csv.xz"),
];

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/gem").join(name)
}

/// Both maps, stored once.
fn store() -> &'static Path {
    static STORE: OnceLock<PathBuf> = OnceLock::new();
    STORE.get_or_init(|| {
        let store = folder("gems");
        for (_, _, name) in WAYS {
            add(&store, &file(name));
        }
        store
    })
}

fn maps() -> [ConceptMap; 2] {
    let catalog = Catalog::open(store()).expect("it opens");
    let maps = catalog.open_maps().expect("they open");
    WAYS.map(|(from, to, _)| {
        let name = format!("gem-{from}-{to}");
        let map = maps.iter().find(|map| map.manifest().release.name == name);
        map.expect("it is stored").clone()
    })
}

/// The rows of a file as they are written there: source, target, flags.
fn rows(name: &str) -> Vec<[String; 3]> {
    let file = std::fs::File::open(file(name)).expect("it is there");
    let mut text = String::new();
    XzReader::new(file, false).read_to_string(&mut text).expect("it is text");
    text.lines()
        .skip(1)
        .map(|line| {
            let mut cells = line.split(',').map(|cell| cell.trim_matches('"').to_owned());
            std::array::from_fn(|_| cells.next().expect("a row has three cells"))
        })
        .collect()
}

fn bare(code: &str) -> String {
    code.replace('.', "")
}

#[test]
fn every_row_of_both_files_is_answered_with_its_flags() {
    let catalog = Catalog::open(store()).expect("it opens");
    for (from, to, name) in WAYS {
        let mut written: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
        for [source, target, flags] in rows(name) {
            written.entry(source).or_default().insert((target, flags));
        }
        for (source, wanted) in &written {
            let request = TranslateRequest::new(from, source, to);
            let found = catalog.translate(&request).expect("it is mapped");
            let mut answered = BTreeSet::new();
            for one in &found.matches {
                for code in &one.codes {
                    let gem = code.gem.expect("it has flags");
                    assert_eq!(one.scenario, gem.combination.then_some(gem.scenario));
                    let digit = |flag: bool| if flag { '1' } else { '0' };
                    let flags = format!(
                        "{}{}{}{}{}",
                        digit(gem.approximate),
                        digit(gem.no_map),
                        digit(gem.combination),
                        gem.scenario,
                        gem.choice_list
                    );
                    answered.insert((bare(code.code.as_str()), flags));
                }
            }
            if found.outcome == TranslateOutcome::NoMap {
                answered.insert(("NoDx".to_owned(), "11000".to_owned()));
            }
            assert_eq!(&answered, wanted, "{from} {source}");
            let exact = found.matches.iter().filter(|m| m.relationship == Relationship::Equivalent);
            let flags = wanted.iter().filter(|(_, flags)| flags == "00000");
            assert_eq!(exact.count(), flags.count(), "{from} {source}");
        }
    }
}

#[test]
fn the_stored_maps_have_as_many_rows_and_codes_as_the_files() {
    for (map, (_, _, name)) in maps().iter().zip(WAYS) {
        let rows = rows(name);
        let sources: BTreeSet<&str> = rows.iter().map(|[source, ..]| source.as_str()).collect();
        let targets: BTreeSet<&str> =
            rows.iter().map(|[_, target, _]| target.as_str()).filter(|to| *to != "NoDx").collect();
        let counts = map.manifest().counts;
        assert_eq!(counts.entries, rows.len());
        assert_eq!((counts.sources, counts.targets), (sources.len(), targets.len()));
        let none = rows.iter().filter(|[_, target, _]| target == "NoDx").count();
        assert_eq!(counts.without_target, none);
        let exact = rows.iter().filter(|[_, _, flags]| flags == "00000").count();
        assert_eq!(counts.equivalent, exact);
        // Read backwards it has the same rows.
        let codes: BTreeSet<&str> = map.entries().filter_map(|row| row.target).collect();
        let backwards: usize = codes.iter().map(|code| map.sources(code).count()).sum();
        assert_eq!(backwards, rows.len() - none);
    }
}

/// How many codes of a map lead back to themselves over the map of the other way.
fn round_trips(there: &ConceptMap, back: &ConceptMap) -> [usize; 5] {
    let mut counts = [0; 5];
    let sources: BTreeSet<&str> = there.entries().map(|row| row.source).collect();
    for source in sources {
        let targets: Vec<&str> = there.targets(source).filter_map(|row| row.target).collect();
        let leads_back = |target: &&str| back.targets(target).any(|row| row.target == Some(source));
        let returning = targets.iter().filter(|target| leads_back(target)).count();
        let only = targets.len() == 1
            && back.targets(targets[0]).filter_map(|row| row.target).eq([source]);
        let kind = match (targets.len(), returning) {
            (0, _) => 4,
            (_, 0) => 3,
            _ if only => 0,
            (all, some) if all == some => 1,
            _ => 2,
        };
        counts[kind] += 1;
    }
    counts
}

/// The tables of docs/GEMS.md between its marks.
fn tables() -> String {
    let [forward, backward] = maps();
    let mut text =
        String::from("| | ICD-9-CM to ICD-10-CM | ICD-10-CM to ICD-9-CM |\n|---|---:|---:|\n");
    let mut line = |what: &str, [one, other]: [usize; 2]| {
        let _ = writeln!(text, "| {what} | {one} | {other} |");
    };
    let counts = [forward.manifest().counts, backward.manifest().counts];
    line("rows", counts.map(|c| c.entries));
    line("codes mapped", counts.map(|c| c.sources));
    line("codes mapped to", counts.map(|c| c.targets));
    line("rows that are exact", counts.map(|c| c.equivalent));
    line("rows without a target", counts.map(|c| c.without_target));
    let maps = [&forward, &backward];
    let rows = |wanted: fn(&medterm::terminology::GemFlags) -> bool| {
        maps.map(|map| map.entries().filter_map(|row| row.gem).filter(wanted).count())
    };
    line("rows that are a part of a combination", rows(|gem| gem.combination));
    let scenarios = maps.map(|map| {
        let parts = map.entries().filter_map(|row| Some((row.source, row.gem?)));
        let parts = parts.filter(|(_, gem)| gem.combination);
        parts.map(|(source, gem)| (source, gem.scenario)).collect::<BTreeSet<_>>().len()
    });
    line("combinations", scenarios);
    let trips = [round_trips(&forward, &backward), round_trips(&backward, &forward)];
    for (at, what) in [
        "codes with one target that leads back to them alone",
        "codes all of whose targets lead back to them, among others",
        "codes some of whose targets lead back to them",
        "codes none of whose targets leads back to them",
        "codes without a target",
    ]
    .into_iter()
    .enumerate()
    {
        line(what, trips.map(|counts| counts[at]));
    }
    text
}

#[test]
fn round_trips_are_those_of_the_documentation() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/GEMS.md");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let tables = tables();
    println!("{tables}");
    assert!(text.contains(&tables), "docs/GEMS.md is to have:\n{tables}");
}

#[test]
fn what_one_map_says_backwards_the_other_need_not_say() {
    let catalog = Catalog::open(store()).expect("it opens");
    let forward = catalog.translate(&TranslateRequest::new("icd9cm", "4280", "icd10cm"));
    let forward = forward.expect("it is mapped");
    assert_eq!(forward.matches[0].codes[0].code.as_str(), "I50.9");
    let request =
        TranslateRequest::new("icd10cm", "I50.9", "icd9cm").direction(TranslateDirection::Reverse);
    let backward = catalog.translate(&request).expect("it is mapped");
    let codes: Vec<&str> = backward.matches.iter().map(|m| m.codes[0].code.as_str()).collect();
    assert!(codes.contains(&"428.0"), "{codes:?}");
    assert!(backward.matches.iter().all(|m| m.map == "gem-icd9cm-icd10cm"));
}
