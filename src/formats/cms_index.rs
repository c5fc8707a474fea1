//! The alphabetical indexes and tables of ICD-10-CM, as NCHS publishes them in XML: names for the
//! codes of the tabular list.
//!
//! - The path of a term, from the main term down, is a name of its code, the words of each step
//!   divided by commas: `Accident (to), boat (boating), striking swimmer, powered`. What the
//!   publisher calls nonessential stays in parentheses, which search reads as optional; so does
//!   another form of the same word.
//! - A term that has no code and says "see" or "see also" has the code of the term it names.
//! - A code that ends with a dash stands for several longer ones; the path is a name of the header
//!   above them.
//! - A cell of the tables of drugs and of neoplasms is a name made of the path of its row and the
//!   heading of its column: `Aspirin, poisoning assault`.
//! - Two codes of one term, the second in brackets, are the condition and what causes it: the path
//!   is a name of both.
//!
//! An index of another year than the list leads to some codes that are no more: they are counted.

use crate::terminology::DesignationUse;

use super::cms_index_references::{References, Target};
use super::cms_index_tree::{IndexTree, IndexedCode, ROOT};
use super::files::ReleaseFile;
use super::input::Meter;
use super::look::Look;
use super::names::{ExtraName, NameTable, attach};
use super::source::Source;
use super::tabular_level::LANGUAGE;
use super::{ImportError, ReleaseFiles};

const NO_TERM: &str = "the index has no such term to see";
const NO_SINGLE_TERM: &str = "the term to see is not a single one";
const NO_CODE: &str = "the term to see leads to no code";

/// Whether a file is an index of ICD-10-CM.
pub(super) fn is_index(file: &ReleaseFile) -> bool {
    matches!(&file.look, Look::Xml { root } if root == ROOT)
}

/// The release with the names of the index files that lie beside it.
pub(super) fn attach_to(
    source: Box<dyn Source>,
    files: &ReleaseFiles,
    meter: &Meter,
) -> Result<Box<dyn Source>, ImportError> {
    let indexes = files.companions().filter(|file| is_index(file));
    let trees = indexes
        .map(|file| IndexTree::read(file.open(meter)?))
        .collect::<Result<Vec<_>, ImportError>>()?;
    let references = References::new(&trees);
    let tables = (0..trees.len()).map(|at| names(&trees, at, &references)).collect();
    Ok(attach(source, tables))
}

/// The names of one file.
fn names(trees: &[IndexTree], at: usize, references: &References<'_>) -> NameTable {
    let tree = &trees[at];
    let mut table = NameTable::new(tree.path.clone(), tree.source.clone());
    let mut paths: Vec<String> = Vec::with_capacity(tree.terms.len());
    for term in &tree.terms {
        let shown = with_forms_as_optional(&term.title);
        let path = match term.parent {
            Some(parent) => format!("{}, {shown}", paths[parent]),
            None => shown,
        };
        for code in &term.codes {
            table.tally.read("index entries");
            add(&mut table, tree, (&path, term.line), code);
        }
        if term.codes.is_empty() {
            for reference in &term.references {
                let reason = match references.follow(at, reference) {
                    Target::Codes(codes) => {
                        table.tally.read("index references");
                        for code in &codes {
                            add(&mut table, tree, (&path, term.line), code);
                        }
                        continue;
                    }
                    Target::NoCode => NO_CODE,
                    Target::NoSingleTerm => NO_SINGLE_TERM,
                    Target::Unknown => NO_TERM,
                };
                let text = format!("{path}: see {reference}");
                table.tally.leave_out(reason, &tree.path, term.line, &text);
            }
        }
        paths.push(path);
    }
    table
}

/// Adds the name of a path, and of a column where the code is in a table.
fn add(table: &mut NameTable, tree: &IndexTree, (path, line): (&str, u64), code: &IndexedCode) {
    let head = tree.heads.iter().find(|(column, _)| Some(*column) == code.column);
    let (use_, value) = match (code.column, head) {
        (None, _) => (DesignationUse::Index, path.to_owned()),
        (Some(_), Some((_, head))) => {
            (DesignationUse::TableCell, format!("{path}, {}", heading(head)))
        }
        (Some(_), None) => (DesignationUse::TableCell, path.to_owned()),
    };
    let language = LANGUAGE.to_owned();
    table.add(&code.code, ExtraName { language, use_, value, expected: None, line });
}

/// The heading of a column as it follows the words of a row. The one abbreviation is written out.
fn heading(head: &str) -> String {
    let lower = head.to_lowercase();
    match lower.strip_prefix("ca in situ") {
        Some(rest) => format!("carcinoma in situ{rest}"),
        None => lower,
    }
}

/// The title with other forms of its first word in parentheses: `boat, boating` is one thing said
/// in two ways, and `cable car, not on rails` is not.
fn with_forms_as_optional(title: &str) -> String {
    let mut parts = title.split(", ");
    let first = parts.next().unwrap_or_default();
    let first_word = first.split(' ').next().unwrap_or_default();
    let mut shown = first.to_owned();
    for part in parts {
        let (word, rest) = part.split_once(' ').unwrap_or((part, ""));
        let is_alone = rest.is_empty() || rest.starts_with('(');
        if is_alone && first.len() == first_word.len() && is_form_of(word, first_word) {
            shown.push_str(&format!(" ({word})"));
            if !rest.is_empty() {
                shown.push_str(&format!(" {rest}"));
            }
        } else {
            shown.push_str(&format!(", {part}"));
        }
    }
    shown
}

/// Whether two words begin with the same four letters.
fn is_form_of(word: &str, other: &str) -> bool {
    let beginning =
        |word: &str| word.chars().take(4).flat_map(char::to_lowercase).collect::<String>();
    word.chars().count() >= 4 && beginning(word) == beginning(other)
}
