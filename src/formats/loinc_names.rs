//! Names of LOINC terms from the files beside the table: for laypeople, and in other languages.

use std::path::{Path, PathBuf};

use crate::terminology::{Concept, Designation, DesignationUse};

use super::files::ReleaseFile;
use super::input::Meter;
use super::loinc_files::{DIALECT, language};
use super::loinc_row::{Columns, LANGUAGE, number};
use super::table::Table;
use super::{ImportError, Tally};

/// Where the names for laypeople are said to be from.
const CONSUMER_SOURCE: &str = "LOINC consumer names";

/// Names by code: some 60 bytes each and the text. A release with 20 languages has 1.5 million.
///
/// Of a translation, all names are kept but its bag of related words, which would be a gigabyte.
#[derive(Debug, Default)]
pub(super) struct MoreNames {
    files: Vec<Origin>,
    names: Vec<MoreName>,
}

#[derive(Debug)]
struct Origin {
    path: PathBuf,
    language: String,
    source: String,
}

#[derive(Debug)]
struct MoreName {
    number: u32,
    file: u16,
    is_given: bool,
    line: u32,
    text: Box<str>,
}

impl MoreNames {
    pub(super) fn read_consumer_names(
        &mut self,
        file: &ReleaseFile,
        meter: &Meter,
        tally: &mut Tally,
    ) -> Result<(), ImportError> {
        let mut table = Table::open(file.open(meter)?, DIALECT)?;
        let (code, name) = (table.require("LoincNumber")?, table.require("ConsumerName")?);
        let origin = self.origin(table.path(), LANGUAGE.to_owned(), CONSUMER_SOURCE.to_owned());
        let path = table.path().to_owned();
        while let Some(row) = table.next()? {
            let names = [row.cell(name).to_owned()];
            self.add(Place { origin, path: &path, line: row.line }, row.cell(code), &names, tally);
        }
        Ok(())
    }

    pub(super) fn read_translation(
        &mut self,
        file: &ReleaseFile,
        meter: &Meter,
        tally: &mut Tally,
    ) -> Result<(), ImportError> {
        let Some(language) = language(file) else {
            let reason = "a translation whose name does not begin with its language, as esMX does";
            tally.leave_out(reason, &file.path, 1, &file.name());
            return Ok(());
        };
        let mut table = Table::open(file.open(meter)?, DIALECT)?;
        let columns = Columns::of_translation(&table)?;
        let origin = self.origin(table.path(), language.clone(), format!("LOINC {language}"));
        let path = table.path().to_owned();
        while let Some(row) = table.next()? {
            let place = Place { origin, path: &path, line: row.line };
            self.add(place, columns.code(&row), &columns.translations(&row), tally);
        }
        tally.read("languages");
        Ok(())
    }

    fn origin(&mut self, path: &Path, language: String, source: String) -> u16 {
        self.files.push(Origin { path: path.to_owned(), language, source });
        u16::try_from(self.files.len() - 1).unwrap_or(u16::MAX)
    }

    fn add(&mut self, place: Place<'_>, code: &str, names: &[String], tally: &mut Tally) {
        let Some(number) = number(code) else {
            tally.leave_out("a name of what is no LOINC code", place.path, place.line, code);
            return;
        };
        for text in names.iter().filter(|name| !name.is_empty()) {
            self.names.push(MoreName {
                number,
                file: place.origin,
                is_given: false,
                line: u32::try_from(place.line).unwrap_or(u32::MAX),
                text: text.as_str().into(),
            });
        }
    }

    /// Puts the names into the order of codes.
    pub(super) fn sort(&mut self) {
        self.names.sort_by_key(|name| name.number);
    }

    /// Gives a concept its names.
    pub(super) fn name(&mut self, concept: &mut Concept, tally: &mut Tally) {
        let Some(number) = number(concept.code.as_str()) else { return };
        let start = self.names.partition_point(|name| name.number < number);
        for name in self.names[start..].iter_mut().take_while(|name| name.number == number) {
            name.is_given = true;
            let Some(origin) = self.files.get(usize::from(name.file)) else { continue };
            let is_known = concept
                .designations
                .iter()
                .any(|one| one.language == origin.language && *one.value == *name.text);
            if is_known || (origin.language == LANGUAGE && *concept.display == *name.text) {
                continue;
            }
            let language = origin.language.as_str();
            let designation = Designation::new(language, DesignationUse::Synonym, &*name.text);
            concept.designations.push(designation.from_source(&origin.source));
            tally.read("added names");
        }
    }

    /// Notes the names of codes that the table does not have.
    pub(super) fn end(&mut self, tally: &mut Tally) {
        for name in self.names.drain(..).filter(|name| !name.is_given) {
            if let Some(origin) = self.files.get(usize::from(name.file)) {
                let reason = "a name of a code that the table does not have";
                tally.leave_out(reason, &origin.path, u64::from(name.line), &name.text);
            }
        }
    }
}

/// Where a name stands.
struct Place<'p> {
    origin: u16,
    path: &'p Path,
    line: u64,
}
