//! Names that another file gives to the codes of a release: an alphabetical index, a translation.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;

use crate::terminology::{Concept, Designation, DesignationUse, Release};

use super::extended::{Extra, extended};
use super::source::Source;
use super::{ImportError, ImportErrorKind, Tally};

/// The names of one file by code, to be given to the concepts of a release as they are read.
#[derive(Debug)]
pub(super) struct NameTable {
    path: PathBuf,
    /// What the names are said to be from: the title and version of the file.
    source: String,
    by_code: BTreeMap<String, VecDeque<ExtraName>>,
    pub(super) tally: Tally,
}

/// One name of one code.
#[derive(Debug, Clone)]
pub(super) struct ExtraName {
    pub(super) language: String,
    pub(super) use_: DesignationUse,
    pub(super) value: String,
    /// The display that the file has for the code, where it has one: with another one the name is
    /// not given, for it was made for another meaning.
    pub(super) expected: Option<String>,
    /// Where the file has it; 0 where that is not known.
    pub(super) line: u64,
}

impl NameTable {
    pub(super) fn new(path: PathBuf, source: String) -> Self {
        Self { path, source, by_code: BTreeMap::new(), tally: Tally::default() }
    }

    /// Adds a name of a code, as the release writes the code.
    pub(super) fn add(&mut self, code: &str, name: ExtraName) {
        match self.by_code.get_mut(code) {
            Some(names) => names.push_back(name),
            None => drop(self.by_code.insert(code.to_owned(), VecDeque::from([name]))),
        }
    }

    /// Writes the codes in another way.
    pub(super) fn respell(&mut self, spell: impl Fn(&str) -> String) {
        for (code, names) in std::mem::take(&mut self.by_code) {
            self.by_code.entry(spell(&code)).or_default().extend(names);
        }
    }

    /// An error about the file as a whole.
    pub(super) fn error(&self, kind: ImportErrorKind) -> ImportError {
        ImportError::new(&self.path, None, kind)
    }
}

const OTHER_NAME: &str = "the release has another name for the code";
const NO_CODE: &str = "the release does not have the code";

/// Whether two displays differ in nothing but how they are printed: case, accents, white space and
/// punctuation.
pub(super) fn is_same(a: &str, b: &str) -> bool {
    words(a) == words(b)
}

fn words(text: &str) -> Vec<String> {
    let plain: String =
        text.replace(['\'', '’'], "").chars().flat_map(char::to_lowercase).collect();
    let words = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| word.chars().map(without_accent).collect()).collect()
}

/// The letters under the accents of Western European ones, which some editions of a release have
/// and others do not.
fn without_accent(letter: char) -> Cow<'static, str> {
    Cow::Borrowed(match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' => "a",
        'ç' => "c",
        'è' | 'é' | 'ê' | 'ë' => "e",
        'ì' | 'í' | 'î' | 'ï' => "i",
        'ñ' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' => "o",
        'ù' | 'ú' | 'û' | 'ü' => "u",
        'ý' | 'ÿ' => "y",
        'æ' => "ae",
        'œ' => "oe",
        'ß' => "ss",
        other => return Cow::Owned(other.to_string()),
    })
}

impl Extra for NameTable {
    /// Gives the concept its names.
    fn add(&mut self, concept: &mut Concept, _: &Release) {
        for name in self.by_code.remove(concept.code.as_str()).unwrap_or_default() {
            if name.expected.as_deref().is_some_and(|other| !is_same(other, &concept.display)) {
                let text = format!("{} {}", concept.code, name.expected.unwrap_or_default());
                self.tally.leave_out(OTHER_NAME, &self.path, name.line, &text);
                continue;
            }
            let designation = Designation::new(name.language, name.use_, name.value);
            concept.designations.push(designation.from_source(&self.source));
            self.tally.read("added names");
        }
    }

    /// Notes the names that were left over when all concepts were read.
    fn end(&mut self) {
        for (code, names) in std::mem::take(&mut self.by_code) {
            for name in names {
                let text = format!("{code} {}", name.value);
                self.tally.leave_out(NO_CODE, &self.path, name.line, &text);
            }
        }
    }

    fn tally(&self) -> &Tally {
        &self.tally
    }
}

/// The release with the names of these tables.
pub(super) fn attach(source: Box<dyn Source>, tables: Vec<NameTable>) -> Box<dyn Source> {
    if tables.is_empty() {
        return source;
    }
    extended(source, tables, Tally::default())
}
