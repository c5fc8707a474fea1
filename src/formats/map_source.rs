use std::path::Path;

use crate::terminology::{MapEntry, MapRelease, SystemId};

use super::files::{ReleaseFile, files_at};
use super::gem::Gem;
use super::input::Meter;
use super::look::Look;
use super::map_lines::MapLines;
use super::sssom::Sssom;
use super::{Format, ImportError, ImportErrorKind, Progress, Tally, fhir_map, rf2_maps};

/// A published map being read: an iterator of its rows, in the order of the file.
///
/// After the first error it ends.
pub trait MapSource: Iterator<Item = Result<MapEntry, ImportError>> + Send {
    /// The map, complete before the first row is read.
    fn release(&self) -> &MapRelease;

    /// How far the reading has come.
    fn progress(&self) -> Progress;

    /// What was left out so far, and why. Complete when the rows have ended.
    fn tally(&self) -> Tally;
}

/// What a caller knows of a map and the file does not say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MapOptions {
    /// The terminology of the sources. Rows of others are left out; a prefix that is not known
    /// stands for this one.
    pub source: Option<SystemId>,
    /// The terminology of the targets, likewise.
    pub target: Option<SystemId>,
}

/// The version of a map that names none.
pub(super) const NO_VERSION: &str = "unversioned";

/// What is read of maps, for messages.
const SUPPORTED: &str = "one of: an SSSOM mapping set (TSV with the column subject_id), \
     a FHIR ConceptMap (JSON), the map reference sets of an RF2 release (der2_…Map…), \
     a CMS General Equivalence Mapping (text, or CSV with the columns icd9cm, icd10cm, flags)";

/// Begins to read the maps at a path: a file, plain, `.gz` or `.xz`, or all maps of a folder or ZIP
/// archive, in the order of names. Their formats are told from their content.
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use medterm::formats::{MapOptions, open_maps};
/// let path = std::path::Path::new("mondo_exactmatch_icd10cm.sssom.tsv");
/// for mut map in open_maps(path, &MapOptions::default())? {
///     let entries = map.by_ref().collect::<Result<Vec<_>, _>>()?;
///     println!("{}: {} rows", map.release().title, entries.len());
///     println!("left out: {:?}", map.tally().left_out);
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Any [`ImportErrorKind`]: a file cannot be read, is of no format read here, or has no valid
/// header.
pub fn open_maps(
    path: &Path,
    options: &MapOptions,
) -> Result<Vec<Box<dyn MapSource>>, ImportError> {
    let files = files_at(path)?;
    let mut maps = Vec::new();
    let (of_rf2, others): (Vec<&ReleaseFile>, Vec<&ReleaseFile>) =
        files.iter().partition(|file| rf2_maps::is_rf2(file));
    maps.extend(rf2_maps::open(of_rf2.into_iter(), options)?);
    for file in others {
        if file.claim.is_some_and(|claim| claim.format == Format::Fhir) {
            maps.extend(fhir_map::open(file, options)?);
            continue;
        }
        // Only text can be one. A folder or archive holds more than maps; a file has to be one.
        if files.len() == 1 || matches!(file.look, Look::Text { .. }) {
            maps.extend(open(file, options)?);
        }
    }
    if maps.is_empty() {
        let found = match files.as_slice() {
            [one] => one.look.described(),
            many => format!("{} files, none of them a map", many.len()),
        };
        let kind = ImportErrorKind::UnknownFormat { found, supported: SUPPORTED.to_owned() };
        return Err(ImportError::new(path, None, kind));
    }
    Ok(maps)
}

/// Begins to read one file, where it is a map.
fn open(
    file: &ReleaseFile,
    options: &MapOptions,
) -> Result<Option<Box<dyn MapSource>>, ImportError> {
    let meter = Meter::new(Some(file.size));
    let mut lines = MapLines::new(file.open(&meter)?);
    let Some(first) = lines.next()? else {
        return Err(ImportError::new(&file.path, None, ImportErrorKind::Empty));
    };
    let (is_sssom, is_gem) = (Sssom::begins(&first), Gem::begins(&first));
    lines.put_back(first);
    Ok(if is_sssom {
        Some(Box::new(Sssom::open(lines, meter, options)?))
    } else if is_gem {
        Some(Box::new(Gem::open(lines, meter, options)?))
    } else {
        None
    })
}
