//! What the tests share: the release, the stores built from it, and short ways to ask.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use medterm::catalog::{Hit, SearchResponse};
use medterm::dense::Embedder;
use medterm::formats;
use medterm::index::{IndexBuilder, IndexError, IndexReport};
use medterm::terminology::{Concept, Release};
use medterm::{Catalog, SearchRequest};

/// The complete official release that is committed here.
pub(crate) fn release_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/icd10cm/icd10cm-tabular-2026-04-01.xml.gz")
}

/// The release and its concepts, read once.
pub(crate) fn release() -> &'static (Release, Vec<Concept>) {
    static READ: OnceLock<(Release, Vec<Concept>)> = OnceLock::new();
    READ.get_or_init(|| {
        let format = formats::detect(&release_file()).expect("the fixture is recognized");
        let source = formats::open(format, &release_file()).expect("the fixture opens");
        let release = source.release().clone();
        (release, source.collect::<Result<_, _>>().expect("the fixture is sound"))
    })
}

/// The concepts of the release whose codes begin like this, chapters and blocks left out.
pub(crate) fn codes_of(prefixes: &[&str]) -> Vec<Concept> {
    let begins = |concept: &&Concept| {
        let code = concept.code.as_str();
        !code.contains('-') && prefixes.iter().any(|prefix| code.starts_with(prefix))
    };
    release().1.iter().filter(begins).cloned().collect()
}

/// A folder of this test binary that is empty at first.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("it").join(name);
    if folder.exists() {
        make_writable(&folder);
        std::fs::remove_dir_all(&folder).expect("the old folder goes");
    }
    std::fs::create_dir_all(&folder).expect("a new folder comes");
    folder
}

/// Undoes what a test of a read-only store left behind when it failed.
#[cfg(unix)]
pub(crate) fn make_writable(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path, mode| {
        let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode));
    };
    mode(folder, 0o755);
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            make_writable(&entry.path());
        } else {
            mode(&entry.path(), 0o644);
        }
    }
}

#[cfg(not(unix))]
pub(crate) fn make_writable(_: &Path) {}

/// Builds an index from these concepts.
pub(crate) fn build(
    store: &Path,
    release: &Release,
    concepts: &[Concept],
    embedder: Option<&dyn Embedder>,
) -> Result<IndexReport, IndexError> {
    let mut builder = IndexBuilder::new(release.clone());
    if let Some(embedder) = embedder {
        builder = builder.embedder(embedder);
    }
    for concept in concepts {
        builder.push(concept.clone())?;
    }
    builder.finish(store)
}

/// The release under another version, or another name.
pub(crate) fn as_version(version: &str) -> Release {
    let mut release = release().0.clone();
    version.clone_into(&mut release.version);
    release
}

/// The store of the complete release without vectors, built once, and what the build reported.
pub(crate) fn complete_store() -> &'static (PathBuf, IndexReport) {
    static BUILT: OnceLock<(PathBuf, IndexReport)> = OnceLock::new();
    BUILT.get_or_init(|| {
        let store = folder("complete");
        let (release, concepts) = release();
        let report = build(&store, release, concepts, None).expect("the release builds");
        (store, report)
    })
}

/// The complete release, open for questions.
pub(crate) fn complete() -> &'static Catalog {
    static OPEN: OnceLock<Catalog> = OnceLock::new();
    OPEN.get_or_init(|| Catalog::open(&complete_store().0).expect("the store opens"))
}

/// A search for so many hits.
pub(crate) fn request(query: &str, limit: usize) -> SearchRequest {
    let request = SearchRequest::new(query).expect("the query can be asked");
    request.system("icd10cm").limit(limit).expect("the limit is in range")
}

pub(crate) fn ask(catalog: &Catalog, request: &SearchRequest) -> SearchResponse {
    catalog.search(request).unwrap_or_else(|error| panic!("{request:?}: {error}"))
}

/// Ten hits of the complete release.
pub(crate) fn search(query: &str) -> SearchResponse {
    ask(complete(), &request(query, 10))
}

/// The codes of an answer, best first.
pub(crate) fn codes(response: &SearchResponse) -> Vec<&str> {
    response.results.iter().map(|hit| hit.code.as_str()).collect()
}

/// What must be the same in two answers for them to be the same.
pub(crate) fn essence(hits: &[Hit]) -> Vec<(String, u32, usize)> {
    hits.iter().map(|hit| (hit.code.to_string(), hit.score.to_bits(), hit.rank)).collect()
}

/// Scores are finite, in 0..=1 and never rise, and no concept is there twice.
pub(crate) fn assert_lawful(query: &str, response: &SearchResponse) {
    let mut before = 1.0f32;
    let mut seen = std::collections::BTreeSet::new();
    for (hit, rank) in response.results.iter().zip(response.paging.offset + 1..) {
        assert!(hit.score.is_finite(), "{query:?}: {hit:?}");
        assert!((0.0..=before).contains(&hit.score), "{query:?}: {} after {before}", hit.score);
        assert!(seen.insert(hit.code.as_str()), "{query:?}: {} twice", hit.code);
        assert_eq!(hit.rank, rank, "{query:?}");
        for signal in [hit.signals.lexical, hit.signals.exact, hit.signals.depth] {
            assert!(signal.is_finite() && signal.abs() <= 1.0, "{query:?}: {hit:?}");
        }
        before = hit.score;
    }
}

/// Every file below a folder with its bytes, by its path from there.
pub(crate) fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found: Vec<(String, Vec<u8>)> = crate::tidy_source::files(folder)
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(folder).expect("it is below").display().to_string();
            (name, std::fs::read(&path).expect("it can be read"))
        })
        .collect();
    found.sort();
    found
}

/// The paths of everything below a folder, hidden files among them.
pub(crate) fn listing(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder can be read").flatten() {
        found.push(entry.path().display().to_string());
        if entry.path().is_dir() {
            found.extend(listing(&entry.path()));
        }
    }
    found.sort();
    found
}
