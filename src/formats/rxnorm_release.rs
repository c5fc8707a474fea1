//! Which release of RxNorm the files are.

use crate::terminology::{Content, Release, known_system};

use super::file_date::date_in_name;
use super::input::Meter;
use super::rxnorm_files::{Chosen, Kind, dialect, is_prescribable};
use super::rxnorm_names::{Choice, LANGUAGE, OWN};
use super::table::Table;
use super::{ImportError, ImportErrorKind, ImportOptions, ReleaseFiles};

const ALIAS: &str = "rxnorm";

const COLUMNS: [&str; 25] = [
    "VCUI", "RCUI", "VSAB", "RSAB", "SON", "SF", "SVER", "VSTART", "VEND", "IMETA", "RMETA", "SLC",
    "SCC", "SRL", "TFR", "CFR", "CXTY", "TTYL", "ATNL", "LAT", "CENC", "CURVER", "SABIN", "SSN",
    "SCIT",
];
const RSAB: usize = 3;
const SVER: usize = 6;

/// The version of files that do not say it.
pub(super) const UNDATED: &str = "undated";

/// What is known about the release.
pub(super) fn release(
    files: &ReleaseFiles,
    chosen: &Chosen,
    options: &ImportOptions,
) -> Result<Release, ImportError> {
    let known = known_system(ALIAS).ok_or_else(|| {
        let inside = "the register of known terminologies".to_owned();
        files.error(ImportErrorKind::Missing { element: ALIAS, inside })
    })?;
    let stated = stated_version(chosen)?;
    let date = stated.as_deref().and_then(date_of_version).or_else(|| date_in_path(chosen));
    let version = date.clone().or(stated).or_else(|| options.version.clone());
    let is_full = chosen.has(Kind::Relations)
        && chosen.has(Kind::Attributes)
        && !is_prescribable(&chosen.names.path)
        && Choice::of(options).has(OWN);
    Ok(Release {
        system: known.id(),
        alias: known.alias.to_owned(),
        version: version.unwrap_or_else(|| UNDATED.to_owned()),
        date,
        title: known.title.to_owned(),
        publisher: Some("National Library of Medicine".to_owned()),
        license: Some(
            "RxNorm's own names (SAB=RXNORM) are free to use with credit to the National Library \
             of Medicine; those of other sources need a UMLS license"
                .to_owned(),
        ),
        notices: vec![
            "This product uses publicly available data courtesy of the U.S. National Library of \
             Medicine (NLM), National Institutes of Health, Department of Health and Human \
             Services; NLM is not responsible for the product and does not endorse or recommend \
             this or any other product."
                .to_owned(),
            "RxNorm is published every month; this release may not be the most current one."
                .to_owned(),
        ],
        language: LANGUAGE.to_owned(),
        content: if is_full { Content::Complete } else { Content::Fragment },
        code_case: None,
        hierarchy_meaning: None,
    })
}

/// RxNorm's version in the table of sources, such as `20AA_250902F`.
fn stated_version(chosen: &Chosen) -> Result<Option<String>, ImportError> {
    for file in chosen.all(Kind::Sources) {
        let mut table = Table::open(file.open(&Meter::default())?, dialect(&COLUMNS))?;
        while let Some(row) = table.next()? {
            if row.cell(RSAB) == OWN && !row.cell(SVER).is_empty() {
                return Ok(Some(row.cell(SVER).to_owned()));
            }
        }
    }
    Ok(None)
}

/// The day in RxNorm's version: year, month and day in two digits each, after the edition of the
/// UMLS it goes with, and before a letter.
fn date_of_version(version: &str) -> Option<String> {
    let (_, day) = version.split_once('_')?;
    let digits = day.get(..6).filter(|day| day.bytes().all(|byte| byte.is_ascii_digit()))?;
    date_in_name(&format!("20{digits}"))
}

/// The day in the name of the file, or of the nearest folder or archive it is in:
/// `RxNorm_full_09022025.zip` is that of September 2, 2025.
fn date_in_path(chosen: &Chosen) -> Option<String> {
    chosen.names.path.ancestors().find_map(|path| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        month_first(&name).or_else(|| date_in_name(&name))
    })
}

fn month_first(name: &str) -> Option<String> {
    name.split(|c: char| !c.is_ascii_alphanumeric()).find_map(|word| {
        let is_date = word.len() == 8 && word.bytes().all(|byte| byte.is_ascii_digit());
        is_date.then(|| date_in_name(&format!("{}{}", &word[4..], &word[..4]))).flatten()
    })
}
