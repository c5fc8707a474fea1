use std::path::Path;

use crate::terminology::{CodeShape, DesignationUse, Release, known_system};

use super::columns::{Column, ColumnRole};
use super::delimited_columns::{CODES, Roles, UsualNames, open_table, spelled};
use super::files::{ReleaseFile, files_at};
use super::input::{Input, Meter};
use super::look::Look;
use super::names::{ExtraName, NameTable, attach};
use super::source::Source;
use super::supplement_json;
use super::{ImportError, ImportErrorKind};

/// What a table of names does not say itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SupplementOptions {
    /// Which column is what, where their names do not tell: see [`Column`].
    pub columns: Vec<Column>,
    /// The language of the names, BCP 47, where no column says it.
    pub language: Option<String>,
}

/// Names for the codes of a release that is published elsewhere: a translation, the words of a
/// hospital.
///
/// Either a table with a code and a name in each row, and the display that the release is expected
/// to have where the names were made for another edition of it, or a FHIR CodeSystem whose content
/// is `supplement`. A name whose code the release does not have, or has with another display, is
/// counted in the tally and not given.
///
/// ```no_run
/// use medterm::formats::{self, Format, Supplement, SupplementOptions};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut options = SupplementOptions::default();
/// options.columns = vec!["code=1".parse()?, "display=2".parse()?, "value=3".parse()?];
/// options.language = Some("zh-TW".to_owned());
/// let supplement = Supplement::open("titles-zh-tw.tsv.gz".as_ref(), &options)?;
/// let source = formats::open(Format::CmsTabular, "icd10cm-tabular.xml.gz".as_ref())?;
/// for concept in supplement.attach(source)? {
///     println!("{:?}", concept?.designations);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Supplement {
    names: NameTable,
    /// The terminology it says it is for.
    system: Option<String>,
}

/// What the columns are usually called.
const USUAL: &UsualNames = &[
    (ColumnRole::Code, CODES),
    (
        ColumnRole::Value,
        &["value", "designation", "translation", "synonym", "alias", "name", "term", "label"],
    ),
    (
        ColumnRole::Display,
        &["display", "expected", "expecteddisplay", "original", "english", "title"],
    ),
    (ColumnRole::Language, &["language", "lang", "locale"]),
];

impl Supplement {
    /// Reads a supplement: a table or a FHIR CodeSystem, plain, `.gz`, `.xz` or in a `.zip`.
    ///
    /// # Errors
    /// Any [`ImportErrorKind`]: the file cannot be read, its columns cannot be told, the language
    /// of its names is not said.
    pub fn open(path: &Path, options: &SupplementOptions) -> Result<Self, ImportError> {
        let file = only_text(path)?;
        let mut input = file.open(&Meter::default())?;
        if let Look::Text { first_line } = &file.look
            && first_line.starts_with('{')
        {
            let read = supplement_json::read(&mut input, options.language.as_deref())
                .map_err(|(line, kind)| ImportError::new(&file.path, line, kind))?;
            let mut names = NameTable::new(file.path.clone(), read.source.unwrap_or(file.name()));
            for (code, name) in read.names {
                names.add(&code, name);
            }
            return Ok(Self { names, system: Some(read.system) });
        }
        Ok(Self { names: read_table(&file, input, options)?, system: None })
    }

    /// The release with the names.
    ///
    /// # Errors
    /// [`ImportErrorKind::InvalidValue`] when the supplement says that it is for another
    /// terminology, or for another version of this one.
    pub fn attach(mut self, source: Box<dyn Source>) -> Result<Box<dyn Source>, ImportError> {
        let release = source.release();
        if let Some(system) = &self.system
            && !is_of(system, release)
        {
            let kind = ImportErrorKind::InvalidValue {
                what: "what it supplements".to_owned(),
                text: system.clone(),
                expected: "the terminology, and the version if any, of the release",
            };
            return Err(self.names.error(kind));
        }
        let shape = CodeShape::of(&release.system);
        self.names.respell(|code| spelled(shape, code).into_owned());
        Ok(attach(source, vec![self.names]))
    }
}

/// Whether a canonical URI, perhaps with a version after a bar, is that of the release.
fn is_of(canonical: &str, release: &Release) -> bool {
    let (uri, version) = match canonical.split_once('|') {
        Some((uri, version)) => (uri, Some(version)),
        None => (canonical, None),
    };
    let known = known_system(uri).map(|known| known.uri);
    known.unwrap_or(uri) == release.system.as_str()
        && version.is_none_or(|version| version == release.version)
}

/// The one text of a path.
fn only_text(path: &Path) -> Result<ReleaseFile, ImportError> {
    let mut files = files_at(path)?;
    let fail = |kind| Err(ImportError::new(path, None, kind));
    if let [file] = files.as_slice()
        && file.look == Look::Empty
    {
        return fail(ImportErrorKind::Empty);
    }
    let looks: Vec<String> = files.iter().map(|file| file.look.described()).collect();
    files.retain(|file| matches!(file.look, Look::Text { .. } | Look::Utf16));
    if files.len() > 1 {
        let found = files.iter().map(|file| file.path.display().to_string()).collect();
        return fail(ImportErrorKind::Ambiguous { found });
    }
    match files.pop() {
        Some(file) => Ok(file),
        None => fail(ImportErrorKind::UnknownFormat {
            found: looks.into_iter().next().unwrap_or_else(|| "no file".to_owned()),
            supported: "a table of names (CSV, TSV) or a FHIR CodeSystem supplement (JSON)"
                .to_owned(),
        }),
    }
}

fn read_table(
    file: &ReleaseFile,
    input: Input,
    options: &SupplementOptions,
) -> Result<NameTable, ImportError> {
    let mut table = open_table(input, &options.columns)?;
    let columns = Roles::of(table.columns(), &options.columns, USUAL).and_then(|roles| {
        let (code, value) = (roles.require(&ColumnRole::Code)?, roles.require(&ColumnRole::Value)?);
        Ok((code, value, roles.one(&ColumnRole::Display), roles.one(&ColumnRole::Language)))
    });
    let (code, value, display, language) = columns.map_err(|kind| table.error(kind))?;
    if language.is_none() && options.language.is_none() {
        return Err(table.error(ImportErrorKind::Unsaid {
            what: "the language of its names",
            remedy: "add a column named language, or give --language TAG",
        }));
    }
    let mut names = NameTable::new(file.path.clone(), file.name());
    while let Some(row) = table.next()? {
        let language = row.optional(language).or(options.language.as_deref());
        let reason = match (row.cell(code), row.cell(value), language) {
            ("", _, _) => "the row has no code",
            (_, "", _) => "the row has no name to add",
            (_, _, None) => "the row has no language",
            (code, value, Some(language)) => {
                let name = ExtraName {
                    language: language.to_owned(),
                    use_: DesignationUse::Synonym,
                    value: value.to_owned(),
                    expected: row.optional(display).map(str::to_owned),
                    line: row.line,
                };
                names.add(code, name);
                continue;
            }
        };
        let text = format!("{} {}", row.cell(code), row.cell(value));
        names.tally.leave_out(reason, &file.path, row.line, &text);
    }
    Ok(names)
}
