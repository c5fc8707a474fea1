use std::io::Read;
use std::path::{Path, PathBuf};

use super::fhir::VALUE_SET;
use super::fhir_index::resources_of;
use super::files::files_at;
use super::input::Meter;
use super::{Format, ImportError, ImportErrorKind};

/// A FHIR `ValueSet` as it is written, for whoever keeps its definition.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ValueSetText {
    /// The file; one within an archive is named as if the archive were a folder.
    pub path: PathBuf,
    /// The line at which it begins.
    pub line: u64,
    /// The JSON.
    pub text: String,
}

/// What is read of value sets, for messages.
const SUPPORTED: &str = "FHIR ValueSets (JSON), alone, in a Bundle, in a folder, ZIP or tar archive, \
     or in an NPM package (.tgz)";

/// The value sets at a path: a file, a folder, an archive or a FHIR NPM package, in the order of names.
/// Other resources are passed over.
///
/// # Errors
/// Any [`ImportErrorKind`]: a file cannot be read or is no FHIR resource, or there is no value set.
pub fn value_sets(path: &Path) -> Result<Vec<ValueSetText>, ImportError> {
    let files = files_at(path)?;
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.claim.is_some_and(|one| one.format == Format::Fhir))
    {
        for resource in resources_of(file)? {
            if resource.head.kind.stated() != Some(VALUE_SET) {
                continue;
            }
            let mut text = String::new();
            let read = resource.file.open(&Meter::default())?.reader.read_to_string(&mut text);
            read.map_err(|error| {
                ImportError::new(&file.path, None, ImportErrorKind::reading(error))
            })?;
            // One of a bundle is kept with the lines before it.
            if let Some(rest) = text.trim_start().strip_prefix('{') {
                text = format!("{{{}", rest.trim_start_matches('\n'));
            }
            found.push(ValueSetText { path: file.path.clone(), line: resource.line, text });
        }
    }
    if found.is_empty() {
        let what = match files.as_slice() {
            [one] => one.look.described(),
            many => format!("{} files, none of them with a value set", many.len()),
        };
        let kind = ImportErrorKind::UnknownFormat { found: what, supported: SUPPORTED.to_owned() };
        return Err(ImportError::new(path, None, kind));
    }
    Ok(found)
}
