//! A copy of a release in which files are harmed, and what an import makes of it.

use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use medterm::formats::{ImportError, ReleaseFiles};
use medterm::index::{IndexBuilder, IndexError, IndexReport};

use crate::hostile_samples::Sample;
use crate::support::folder;

/// How an import ended.
pub(crate) enum Outcome {
    Built(Box<IndexReport>),
    Refused(ImportError),
    /// The files are sound and have no concept.
    NothingInIt,
}

/// Everything that a caller does with the files at a path, up to the store.
fn import(sample: &Sample, path: &Path, store: &Path) -> Result<IndexReport, Box<dyn Error>> {
    let files = ReleaseFiles::find_as(sample.format, path)?;
    let source = files.open(&sample.options())?;
    let mut builder = IndexBuilder::new(source.release().clone());
    for concept in source {
        builder.push(concept?)?;
    }
    Ok(builder.finish(store)?)
}

/// Imports what must not panic, and looks at what is left of it.
pub(crate) fn attempt(sample: &Sample, what: &str, path: &Path) -> Outcome {
    let store = path.parent().expect("it lies in a folder").join("store");
    let tried = catch_unwind(AssertUnwindSafe(|| import(sample, path, &store)));
    let outcome = tried.unwrap_or_else(|_| panic!("{} {what}: it panicked", sample.format));
    let error = match outcome {
        Ok(report) => {
            assert!(report.concepts + report.groupers > 0, "{} {what}", sample.format);
            std::fs::remove_dir_all(&store).expect("it was built");
            return Outcome::Built(Box::new(report));
        }
        Err(error) => error,
    };
    assert!(!store.exists(), "{} {what}: half a store was built", sample.format);
    match error.downcast::<ImportError>() {
        Ok(error) => {
            let text = error.to_string();
            assert!(error.path().starts_with(path), "{} {what}: {text}", sample.format);
            assert!(text.len() < 2000, "{} {what}: {text}", sample.format);
            Outcome::Refused(*error)
        }
        Err(error) => match error.downcast_ref::<IndexError>() {
            Some(IndexError::Empty) => Outcome::NothingInIt,
            _ => panic!("{} {what}: {error}", sample.format),
        },
    }
}

/// A copy of a sample's folder in which files can be harmed.
pub(crate) struct Copy<'s> {
    sample: &'s Sample,
    pub(crate) folder: PathBuf,
}

impl<'s> Copy<'s> {
    pub(crate) fn of(sample: &'s Sample, name: &str) -> Self {
        let file = sample.harmed[0].rsplit('/').next().unwrap_or_default();
        let copy = folder(&format!("hostile-{name}-{}-{file}", sample.format)).join("release");
        copy_folder(&sample.folder(), &copy);
        for other in sample.without {
            std::fs::remove_file(copy.join(other)).expect("it was copied");
        }
        Self { sample, folder: copy }
    }

    pub(crate) fn sound(&self, file: &str) -> Vec<u8> {
        std::fs::read(self.sample.folder().join(file)).expect("the fixture is there")
    }

    /// Puts other bytes in the place of a file, imports the folder, and puts the file back.
    pub(crate) fn with(&self, file: &str, bytes: &[u8], what: &str) -> Outcome {
        std::fs::write(self.folder.join(file), bytes).expect("it is ours");
        let outcome = attempt(self.sample, &format!("{file}, {what}"), &self.folder);
        std::fs::write(self.folder.join(file), self.sound(file)).expect("it is ours");
        outcome
    }

    /// A file as text: UTF-8, or else Latin-1.
    pub(crate) fn text(&self, file: &str) -> String {
        let bytes = self.sound(file);
        let text = String::from_utf8(bytes);
        text.unwrap_or_else(|error| error.as_bytes().iter().copied().map(char::from).collect())
    }

    /// As [`Copy::with`]; the text is written in the encoding of the file.
    pub(crate) fn with_text(&self, file: &str, text: &str, what: &str) -> Outcome {
        if std::str::from_utf8(&self.sound(file)).is_ok() {
            return self.with(file, text.as_bytes(), what);
        }
        let bytes: Vec<u8> = text.chars().filter_map(|c| u8::try_from(c).ok()).collect();
        self.with(file, &bytes, what)
    }

    /// Imports the folder as it is.
    pub(crate) fn whole(&self) -> IndexReport {
        match attempt(self.sample, "as it is", &self.folder) {
            Outcome::Built(report) => *report,
            Outcome::Refused(error) => panic!("{}: {error}", self.sample.format),
            Outcome::NothingInIt => panic!("{}: nothing in it", self.sample.format),
        }
    }
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a new folder comes");
    for entry in std::fs::read_dir(from).expect("the fixture is there").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else if entry.file_name() != "README.md" {
            std::fs::copy(entry.path(), target).expect("a file can be copied");
        }
    }
}

/// What must be the same of two builds of the same release.
pub(crate) fn essence(report: &IndexReport) -> [usize; 4] {
    [report.concepts, report.groupers, report.designations, report.dangling_parents]
}
