//! How often the code that Mondo's published maps give to a disease is among the first three candidates
//! of each terminology: without those maps, and with them. Needs test data that may not be in the
//! repository (`MEDTERM_TEST_DATA`); says so and passes without.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use medterm::Catalog;
use medterm::catalog::{EquivalentsRequest, SearchMode};
use medterm::formats::{self, ImportOptions, MapOptions, ReleaseFiles};
use medterm::index::IndexBuilder;
use medterm::maps::MapStore;

use crate::support::{folder, release_file};

/// One in so many of the terms is asked.
const STEP: usize = 4;

fn data() -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os("MEDTERM_TEST_DATA")?);
    folder.join("gold/dev/equivalents_mondo.tsv").exists().then_some(folder)
}

fn load(store: &Path, path: &Path) {
    let found = ReleaseFiles::find(&[path.to_owned()]).expect("it is a release");
    for files in found {
        let source = files.open(&ImportOptions::default()).expect("it opens");
        let mut builder = IndexBuilder::new(source.release().clone());
        for concept in source {
            builder.push(concept.expect("it is sound")).expect("it can be indexed");
        }
        builder.finish(store).expect("it builds");
    }
}

/// The shares of right codes among the first three, by terminology, with how many were asked for.
fn measure(store: &Path, gold: &str, without: &str) -> BTreeMap<String, (usize, usize)> {
    let catalog = Catalog::open(store).expect("it opens");
    let mut lines = gold.lines();
    let header: Vec<&str> = lines.next().expect("a header").split('\t').skip(1).collect();
    let alias = |column: &str| column.split('_').next().unwrap_or_default().to_owned();
    let mut counts = BTreeMap::new();
    for line in lines.step_by(STEP) {
        let mut cells = line.split('\t');
        let label = cells.next().expect("a label");
        let mut request = EquivalentsRequest::term(label).expect("words");
        request = request.limit(3).expect("three").mode(SearchMode::Lexical);
        let wanted: Vec<(String, &str)> =
            header.iter().map(|column| alias(column)).zip(cells).collect();
        let asked: Vec<&(String, &str)> = wanted
            .iter()
            .filter(|(alias, codes)| !codes.is_empty() && catalog.index(alias).is_ok())
            .collect();
        for (alias, _) in &asked {
            request = request.target(alias);
        }
        if asked.is_empty() {
            continue;
        }
        let answer = catalog.equivalents(&request).expect("it answers");
        for ((alias, codes), result) in asked.iter().zip(&answer.results) {
            let is_right = |code: &str| {
                let local = code.split_once(':').map_or(code, |(_, local)| local);
                codes.split('|').any(|right| right == code || right == local)
            };
            let (right, all) = counts.entry(alias.clone()).or_insert((0, 0));
            *right += usize::from(result.candidates.iter().any(|one| is_right(one.code.as_str())));
            *all += 1;
        }
    }
    for (alias, (right, all)) in &counts {
        println!("{without}: {alias}: {right} of {all} among the first three");
    }
    counts
}

fn assert_at_least(counts: &BTreeMap<String, (usize, usize)>, percent: usize) {
    for (alias, (right, all)) in counts {
        assert!(right * 100 >= all * percent, "{alias}: {right} of {all} is less than {percent} %");
    }
}

#[test]
fn the_mapped_code_is_among_the_first_three() {
    let Some(folder_of_data) = data() else {
        println!("skipped: MEDTERM_TEST_DATA names no folder with gold/dev/equivalents_mondo.tsv");
        return;
    };
    let gold = std::fs::read_to_string(folder_of_data.join("gold/dev/equivalents_mondo.tsv"));
    let gold = gold.expect("it is text");
    let data = folder_of_data.join("data");
    let store = folder("equivalents-gold");
    load(&store, &release_file());
    load(&store, &data.join("mesh/desc2024.xml.gz"));
    load(&store, &data.join("snomed/ValueSet-snomed-intl-gps.json.gz"));
    load(&store, &data.join("obo/doid.obo.gz"));
    // The names of Mondo, from which the terms are, are not loaded, nor are its maps.
    assert_at_least(&measure(&store, &gold, "without Mondo"), 85);
    load(&store, &data.join("obo/mondo.obo.gz"));
    for entry in std::fs::read_dir(data.join("sssom")).expect("it is there").flatten() {
        for mut map in formats::open_maps(&entry.path(), &MapOptions::default()).expect("a map") {
            let rows: Vec<_> = map.by_ref().collect::<Result<_, _>>().expect("it is sound");
            MapStore::new(&store).add(map.release(), &rows).expect("it is stored");
        }
    }
    assert_at_least(&measure(&store, &gold, "with Mondo and its maps"), 98);
}
