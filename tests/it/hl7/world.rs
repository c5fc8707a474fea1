//! What a suite is asked about: its code systems in a store, its value sets in a catalog.

use std::path::{Path, PathBuf};

use medterm::Catalog;
use medterm::formats::{ImportOptions, MapOptions, ReleaseFiles, open_maps};
use medterm::index::IndexBuilder;
use medterm::maps::MapStore;
use medterm::terminology::Release;
use medterm::valueset::ValueSet;
use serde_json::Value;

use super::suite::{Archive, Suite};
use crate::support::folder;

/// The resources that suites take for granted: some of FHIR's own.
const CORE: &str = "fixtures/hl7_core";

/// The terminologies and value sets of a suite.
pub(crate) struct World {
    store: PathBuf,
    valuesets: Vec<Value>,
}

impl World {
    pub(crate) fn of(archive: &Archive, suite: &Suite) -> Self {
        let store = folder(&format!("hl7-{}", suite.name));
        let mut world = Self { store, valuesets: Vec::new() };
        let core = Path::new(env!("CARGO_MANIFEST_DIR")).join(CORE);
        for path in crate::tidy_source::files(&core) {
            if path.extension().is_some_and(|end| end == "json") {
                world.add(&std::fs::read_to_string(path).expect("the fixture can be read"));
            }
        }
        for name in &suite.setup {
            if let Some(text) = archive.text(name) {
                world.add(text);
            }
        }
        world
    }

    fn add(&mut self, text: &str) {
        let Ok(resource) = serde_json::from_str::<Value>(text) else { return };
        match resource["resourceType"].as_str() {
            Some("ValueSet") => self.valuesets.push(resource),
            Some("CodeSystem") => self.build(text, &resource),
            Some("ConceptMap") => self.map(text),
            _ => {}
        }
    }

    /// Builds an index; what is no terminology by itself, such as a supplement, is left out.
    fn build(&self, text: &str, resource: &Value) {
        let input = folder("hl7-input").join("codesystem.json");
        std::fs::write(&input, text).expect("it can be written");
        let Ok(found) = ReleaseFiles::find(&[input]) else { return };
        let mut source = found[0].open(&ImportOptions::default()).expect("it opens");
        // All versions of a terminology have one short name.
        let url = resource["url"].as_str().expect("it has a URL");
        let alias: String = url
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
            .collect();
        let release = Release { alias, ..source.release().clone() };
        let mut builder = IndexBuilder::new(release);
        for concept in source.by_ref() {
            builder.push(concept.expect("it is sound")).expect("it is taken");
        }
        builder.finish(&self.store).expect("it builds");
    }

    /// Stores the maps of a resource.
    fn map(&self, text: &str) {
        let input = folder("hl7-input").join("conceptmap.json");
        std::fs::write(&input, text).expect("it can be written");
        for mut map in open_maps(&input, &MapOptions::default()).expect("it is a map") {
            let entries: Vec<_> = map.by_ref().collect::<Result<_, _>>().expect("it is sound");
            let store = MapStore::new(&self.store);
            // Two of the suite's maps have the same name.
            let mut release = map.release().clone();
            let n = store.list().expect("they are listed").maps.len();
            release.name = format!("{}-{n}", release.name);
            store.add(&release, &entries).expect("it is stored");
        }
    }

    /// The catalog, with value sets that a request brings along.
    pub(crate) fn catalog(&self, more: &[Value]) -> Catalog {
        let all = self.valuesets.iter().chain(more);
        let all = all.filter_map(|one| ValueSet::from_json(&one.to_string()).ok());
        Catalog::open(&self.store).expect("the store opens").with_valuesets(all)
    }

    /// The resource of a value set, as it was given.
    pub(crate) fn valueset<'v>(&'v self, more: &'v [Value], url: &str) -> Option<&'v Value> {
        let (url, version) = match url.split_once('|') {
            Some((url, version)) => (url, Some(version)),
            None => (url, None),
        };
        self.valuesets.iter().chain(more).find(|one| {
            one["url"] == url && version.is_none_or(|version| one["version"] == version)
        })
    }
}
