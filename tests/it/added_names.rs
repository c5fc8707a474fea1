//! Names from files beside a release: supplements and alphabetical indexes, found by a search.

use std::path::{Path, PathBuf};

use medterm::Catalog;
use medterm::formats::{ImportOptions, ReleaseFiles, Source, Supplement, SupplementOptions};
use medterm::index::IndexBuilder;
use medterm::terminology::Code;

use crate::support::*;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

fn source(paths: &[PathBuf]) -> Box<dyn Source> {
    let files = ReleaseFiles::find(paths).expect("the files are recognized");
    assert_eq!(files.len(), 1, "they are one release");
    files[0].open(&ImportOptions::default()).expect("it opens")
}

/// The store of the codes that begin like this, by words alone.
fn catalog(name: &str, source: Box<dyn Source>, prefix: &str) -> Catalog {
    let store = folder(name);
    let mut builder = IndexBuilder::new(source.release().clone());
    for concept in source {
        let concept = concept.expect("it is sound");
        if concept.code.as_str().starts_with(prefix) {
            builder.push(concept).expect("it is taken");
        }
    }
    builder.finish(&store).expect("it builds");
    Catalog::open(&store).expect("it opens")
}

fn first(catalog: &Catalog, query: &str) -> Code {
    let response = ask(catalog, &request(query, 3));
    response.results.first().unwrap_or_else(|| panic!("{query}: nothing")).code.clone()
}

#[test]
fn a_code_is_found_by_its_path_in_the_index_and_by_a_cell_of_a_table() {
    let catalog = catalog("added-index", source(&[fixture("icd10cm-index")]), "A");
    for (query, code) in [
        ("Accident, boat, striking swimmer", "A00.0"),
        // What is in parentheses is optional.
        ("accident to boating any in motion striking swimmer", "A00.0"),
        ("Accident, canoe, not at sea", "A00.0"),
        ("sinking ocean", "A00.21"),
        ("paint poisoning assault", "A01.2"),
        ("oil paint, white, poisoning accidental", "A01.1"),
    ] {
        assert_eq!(first(&catalog, query).as_str(), code, "{query}");
    }
}

#[test]
fn a_code_is_found_by_the_name_of_a_supplement() {
    let supplement =
        Supplement::open(&fixture("supplement/boats-fr.json"), &SupplementOptions::default());
    let list = source(&[fixture("icd10cm-index/list.xml")]);
    let named = supplement.and_then(|read| read.attach(list)).expect("it fits");
    let catalog = catalog("added-names", named, "A");
    assert_eq!(first(&catalog, "accident de bateau").as_str(), "A00");
    assert_eq!(first(&catalog, "Accidente de barco").as_str(), "A00");
}

#[test]
fn a_chinese_name_leads_to_its_code() {
    let Some(data) = std::env::var_os("MEDTERM_TEST_DATA") else {
        println!("skipped: MEDTERM_TEST_DATA is not set");
        return;
    };
    let mut options = SupplementOptions::default();
    options.language = Some("zh-TW".to_owned());
    options.columns = ["code=1", "display=2", "value=3"].map(|one| one.parse().expect(one)).into();
    let titles = Path::new(&data).join("data/icd10cm/icd10cm_zh_tw.tsv.gz");
    let supplement = Supplement::open(&titles, &options);
    let named = supplement.and_then(|read| read.attach(source(&[release_file()])));
    let catalog = catalog("added-chinese", named.expect("it fits"), "");
    assert_eq!(first(&catalog, "高血壓").as_str(), "I10");
}
