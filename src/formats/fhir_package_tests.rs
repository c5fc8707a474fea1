use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::fhir_tests::{fixture, left_out, read_all};
use super::*;

/// An archive of these files, as npm packs one.
fn tgz(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
    for (name, bytes) in files {
        let mut header = tar::Header::new_ustar();
        // The library refuses to write an unsafe name; whoever means harm does not use it.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        tar.append(&header, *bytes).expect("memory takes it");
    }
    tar.into_inner().and_then(GzEncoder::finish).expect("memory takes it")
}

fn written(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("it has one")).expect("it is ours");
    fs::write(&path, bytes).expect("it is ours");
    path
}

fn found(path: &Path) -> Vec<Box<dyn Source>> {
    let found = ReleaseFiles::find(&[path.to_owned()]).expect("there are releases");
    found.iter().map(|one| one.open(&ImportOptions::default()).expect("it opens")).collect()
}

fn aliases(sources: &[Box<dyn Source>]) -> Vec<String> {
    sources.iter().map(|one| one.release().alias.clone()).collect()
}

fn refused(path: &Path) -> ImportError {
    ReleaseFiles::find(&[path.to_owned()]).expect_err("it is bad")
}

#[test]
fn each_code_system_of_a_bundle_is_a_release() {
    let mut sources = found(&fixture("Bundle-mixed.json"));
    // Of two with one name, the second is numbered.
    assert_eq!(aliases(&sources), ["tails", "tails-2"]);
    let first = &mut sources[0];
    let concepts = read_all(&mut **first);
    assert_eq!(concepts.len(), 1);
    assert_eq!(concepts[0].display, "Short tail");
    let left_out = left_out(&**first);
    let path = fixture("Bundle-mixed.json");
    let at = |line: u64, text: &str| (1, format!("{}:{line}: {text}", path.display()));
    for (reason, expected) in [
        ("resources of other types", at(5, "")),
        (
            "resources with the URL and version of an earlier one",
            at(21, "http://example.org/fhir/CodeSystem/tails"),
        ),
        ("code systems without concepts", at(22, "http://example.org/empty")),
        ("code systems without a URL", at(24, "")),
        ("value sets beside code systems", at(25, "http://example.org/set")),
        // These are in the resource, and told with their lines in the bundle.
        ("concepts whose code was given before", at(13, "T1")),
        ("concepts without a code that can be one", at(14, "T\u{1}")),
    ] {
        assert_eq!(left_out.get(reason), Some(&expected), "{reason}");
    }
    assert_eq!(left_out.len(), 7, "{left_out:?}");
    assert!(sources[1].tally().left_out.is_empty());
    let error = ReleaseFiles::find_as(Format::Fhir, &path).expect_err("there are two");
    assert!(error.to_string().contains("tails, tails-2"), "{error}");
    assert_eq!(ReleaseFiles::find_all_as(Format::Fhir, &path).expect("there are two").len(), 2);
}

#[test]
fn packages_folders_and_archives_hold_many() {
    let folder = tempfile::tempdir().expect("there is room");
    let ailments = fs::read(fixture("CodeSystem-ailments.json")).expect("it is ours");
    let parts = fs::read(fixture("CodeSystem-parts.json")).expect("it is ours");
    let bundle = fs::read(fixture("Bundle-mixed.json")).expect("it is ours");
    let files: [(&str, &[u8]); 6] = [
        ("package/package.json", b"{\"name\":\"example\"}"),
        ("package/CodeSystem-b.json", &ailments),
        ("package/CodeSystem-a.json", &parts),
        ("package/deep/bundle.json", &bundle),
        ("package/CodeSystem-broken.json", b"{\"resourceType\":\"CodeSystem\",\n"),
        ("package/text.txt", b"no resource"),
    ];
    let package = written(folder.path(), "example.tgz", &tgz(&files));
    let plain = folder.path().join("plain");
    for (name, bytes) in files {
        written(&plain, name, bytes);
    }
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).expect("memory takes it");
        zip.write_all(bytes).expect("memory takes it");
    }
    let bytes = zip.finish().expect("memory takes it").into_inner();
    let zip = written(folder.path(), "example.zip", &bytes);
    let expected = ["parts", "ailments-r4", "tails", "tails-2"];
    for path in [&package, &plain, &zip] {
        let mut sources = found(path);
        assert_eq!(aliases(&sources), expected, "{}", path.display());
        let counts: Vec<usize> = sources.iter_mut().map(|one| read_all(&mut **one).len()).collect();
        assert_eq!(counts, [3, 9, 1, 1], "{}", path.display());
        let (count, first) = &left_out(&*sources[0])["FHIR files that cannot be read"];
        assert!(*count == 1 && first.contains("CodeSystem-broken.json:2:"), "{first}");
    }
    // The same once more, not packed.
    let mut tar = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(parts.len() as u64);
    tar.append_data(&mut header, "parts.json", &*parts).expect("memory takes it");
    let bytes = tar.into_inner().expect("memory takes it");
    let tar = written(folder.path(), "example.tar", &bytes);
    assert_eq!(aliases(&found(&tar)), ["parts"]);
}

#[test]
fn a_package_that_leads_out_of_itself_is_refused() {
    let folder = tempfile::tempdir().expect("there is room");
    for (at, name) in ["../evil.json", "/etc/evil.json", "package/../../evil.json", "C:\\evil.json"]
        .into_iter()
        .enumerate()
    {
        let path = written(folder.path(), &format!("{at}.tgz"), &tgz(&[(name, b"{}")]));
        let error = refused(&path);
        assert!(matches!(error.kind(), ImportErrorKind::UnsafePath { .. }), "{name}: {error}");
    }
}

#[test]
fn a_package_that_is_cut_short_or_swells_is_refused() {
    let folder = tempfile::tempdir().expect("there is room");
    let parts = fs::read(fixture("CodeSystem-parts.json")).expect("it is ours");
    let whole = tgz(&[("package/parts.json", &parts)]);
    let path = written(folder.path(), "cut.tgz", &whole[..whole.len() / 2]);
    let error = refused(&path);
    assert!(matches!(error.kind(), ImportErrorKind::Truncated { .. }), "{error:?}");
    assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");

    let mut bomb = b"{\"resourceType\":\"CodeSystem\",\"url\":\"".to_vec();
    bomb.resize(100 << 20, b' ');
    let path = written(folder.path(), "bomb.tgz", &tgz(&[("package/bomb.json", &bomb)]));
    let error = refused(&path);
    assert!(matches!(error.kind(), ImportErrorKind::Expands { .. }), "{error:?}");

    let path = written(folder.path(), "none.tgz", &tgz(&[("package/a.txt", b"text")]));
    let error = refused(&path);
    assert!(matches!(error.kind(), ImportErrorKind::UnknownFormat { .. }), "{error:?}");
}

#[test]
fn what_is_damaged_in_a_bundle_is_told_with_its_line() {
    let folder = tempfile::tempdir().expect("there is room");
    let bundle = "{\"resourceType\":\"Bundle\",\n\"entry\":[{\"resource\":\n{\"resourceType\":\
                  \"CodeSystem\",\"url\":\"http://example.org/a\",\n\"concept\":[{\"code\":\n1}]}\n}]}";
    let path = written(folder.path(), "bundle.json", bundle.as_bytes());
    let found = ReleaseFiles::find(&[path]).expect("it is one");
    let error = found[0].open(&ImportOptions::default()).err().expect("a code is a text");
    assert_eq!(error.line(), Some(5), "{error}");
    let path = written(folder.path(), "cut.json", &bundle.as_bytes()[..bundle.len() - 8]);
    let error = refused(&path);
    assert_eq!(error.line(), Some(5), "{error}");
    assert!(matches!(error.kind(), ImportErrorKind::Truncated { .. }), "{error}");
}

#[test]
fn value_sets_of_one_terminology_are_one_fragment() {
    let folder = tempfile::tempdir().expect("there is room");
    for (name, code) in [("a.json", "1"), ("b.json", "2"), ("c.json", "1")] {
        let json = format!(
            "{{\"resourceType\":\"ValueSet\",\"version\":\"1\",\"title\":\"{name}\",\"compose\":\
             {{\"include\":[{{\"system\":\"urn:oid:2.16.840.1.113883.6.96\",\"concept\":\
             [{{\"code\":\"{code}\",\"display\":\"{name}\"}}]}}]}}}}"
        );
        written(folder.path(), name, json.as_bytes());
    }
    let mut sources = found(folder.path());
    assert_eq!(aliases(&sources), ["snomed"]);
    let concepts = read_all(&mut *sources[0]);
    let names: Vec<&str> = concepts.iter().map(|one| one.display.as_str()).collect();
    assert_eq!(names, ["a.json", "b.json"]);
    assert_eq!(sources[0].tally().read["value sets"], 3);
}

#[test]
fn real_packages_are_read() {
    let Some(data) = std::env::var_os("MEDTERM_TEST_DATA").map(|at| Path::new(&at).join("data"))
    else {
        eprintln!("skipped: MEDTERM_TEST_DATA is not set");
        return;
    };
    let mut sources = found(&data.join("snomed/ValueSet-snomed-intl-gps.json.gz"));
    assert_eq!(aliases(&sources), ["snomed"]);
    let concepts = read_all(&mut *sources[0]);
    assert_eq!(concepts.len(), 26_158);
    assert!(concepts.iter().all(|one| one.properties.iter().any(|p| p.code == "semanticTag")));
    let sources = found(&data.join("fhir_tx/tests.tar.gz"));
    assert_eq!(sources.len(), 44);
}
