//! The files of an RxNorm release in NLM's rich release format: which is which, and which are read.
//!
//! A row is cells that each end in `|`. There is no header: the columns are those of NLM's RxNorm
//! technical documentation.

use std::path::Path;

use super::files::{Part, ReleaseFile};
use super::input::Meter;
use super::lines::Lines;
use super::look::Look;
use super::table::{Dialect, Header, Quotes};
use super::{ImportError, ImportErrorKind, ReleaseFiles, Tally};

/// What a file of the release holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// RXNCONSO: every name, with its concept, source and term type.
    Names,
    /// RXNREL: relations of concepts and of names.
    Relations,
    /// RXNSAT: attributes of concepts and of names, such as NDCs.
    Attributes,
    /// RXNSAB: the sources and their versions.
    Sources,
    /// RXNATOMARCHIVE: names that were taken out, and the concepts they went to.
    Archive,
    /// RXNCUI: concepts that were retired, and what they became.
    Retired,
    /// RXNSTY and RXNDOC: semantic types and documentation, which are not read.
    Unread,
}

impl Kind {
    /// The kinds by the names that NLM publishes them under.
    const NAMED: [(&'static str, Self); 8] = [
        ("rxnconso.rrf", Self::Names),
        ("rxnrel.rrf", Self::Relations),
        ("rxnsat.rrf", Self::Attributes),
        ("rxnsab.rrf", Self::Sources),
        ("rxnatomarchive.rrf", Self::Archive),
        ("rxncui.rrf", Self::Retired),
        ("rxnsty.rrf", Self::Unread),
        ("rxndoc.rrf", Self::Unread),
    ];

    fn part(self) -> Part {
        if self == Self::Names { Part::Release } else { Part::Companion }
    }

    /// The kind of a file of this name with this first row.
    fn of(name: &str, row: &str) -> Option<Self> {
        if !row.contains('|') {
            return None;
        }
        let named = Self::NAMED.iter().find(|(known, _)| *known == name);
        named.map(|(_, kind)| *kind).or_else(|| Self::of_row(row))
    }

    /// The kind of a file under another name, told from its first row.
    fn of_row(row: &str) -> Option<Self> {
        let cells: Vec<&str> = row.trim_end().strip_suffix('|')?.split('|').collect();
        let cell = |at: usize| cells.get(at).copied().unwrap_or_default();
        let is_level =
            |at: usize| ["CUI", "AUI", "SCUI", "SDUI", "CODE", "RUI"].contains(&cell(at));
        match cells.len() {
            18 if number(cell(0)).is_some()
                && cell(1).len() == 3
                && number(cell(7)).is_some()
                && is_abbreviation(cell(11))
                && !cell(14).is_empty() =>
            {
                Some(Self::Names)
            }
            16 if is_level(2) && is_level(6) => Some(Self::Relations),
            16 if number(cell(12)).is_some() && is_abbreviation(cell(13)) => Some(Self::Archive),
            13 if is_level(4) && is_abbreviation(cell(9)) => Some(Self::Attributes),
            25 if is_abbreviation(cell(3)) && ["Y", "N"].contains(&cell(21)) => Some(Self::Sources),
            5 if [0, 3, 4].iter().all(|at| number(cell(*at)).is_some()) => Some(Self::Retired),
            6 if number(cell(0)).is_some() && cell(1).starts_with('T') => Some(Self::Unread),
            _ => None,
        }
    }
}

/// What a file is to RxNorm.
pub(super) fn claim(file: &ReleaseFile, beginning: &str) -> Option<Part> {
    let Look::Text { .. } = file.look else { return None };
    Kind::of(&file.name(), beginning.lines().next()?).map(Kind::part)
}

/// The concept identifier in a cell, where it is one.
pub(super) fn number(cell: &str) -> Option<u32> {
    let is_plain = cell.bytes().all(|byte| byte.is_ascii_digit()) && !cell.starts_with('0');
    is_plain.then(|| cell.parse().ok()).flatten()
}

fn is_abbreviation(cell: &str) -> bool {
    let fits = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || "_-.".contains(c);
    !cell.is_empty() && cell.chars().all(fits)
}

/// How a file with these columns is written.
pub(super) fn dialect(columns: &'static [&'static str]) -> Dialect {
    Dialect { delimiter: b'|', quotes: Quotes::Plain, header: Header::Fixed(columns) }
}

/// The files of the one release that is read.
pub(super) struct Chosen {
    pub(super) names: ReleaseFile,
    others: Vec<(Kind, ReleaseFile)>,
}

impl Chosen {
    /// Chooses among the files. The archive of the full release has the prescribable subset beside
    /// it, in a folder `prescribe`; that one is read only where it is alone.
    pub(super) fn of(files: &ReleaseFiles, tally: &mut Tally) -> Result<Self, ImportError> {
        let all: Vec<&ReleaseFile> = files.releases().collect();
        let has_full = all.iter().any(|file| !is_prescribable(&file.path));
        let (chosen, beside): (Vec<&ReleaseFile>, Vec<&ReleaseFile>) =
            all.into_iter().partition(|file| !has_full || !is_prescribable(&file.path));
        let names = match chosen[..] {
            [one] => one.clone(),
            [] => return Err(files.error(ImportErrorKind::Empty)),
            _ => {
                let found = chosen.iter().map(|file| file.path.display().to_string()).collect();
                return Err(files.error(ImportErrorKind::Ambiguous { found }));
            }
        };
        for file in &beside {
            tally.pass_over(PRESCRIBABLE, &file.path, 1, &file.name());
        }
        let mut others = Vec::new();
        for file in files.companions() {
            let folder = file.path.parent();
            let is_beside = beside.iter().any(|other| other.path.parent() == folder);
            if let (false, Some(kind)) = (is_beside, kind(file)?) {
                others.push((kind, file.clone()));
            }
        }
        Ok(Self { names, others })
    }

    /// The files of a kind.
    pub(super) fn all(&self, kind: Kind) -> impl Iterator<Item = &ReleaseFile> {
        self.others.iter().filter(move |(one, _)| *one == kind).map(|(_, file)| file)
    }

    pub(super) fn has(&self, kind: Kind) -> bool {
        self.all(kind).next().is_some()
    }
}

const PRESCRIBABLE: &str = "the prescribable subset beside the full release, which contains it";

/// Whether a file is of the subset of drugs that can be prescribed today.
pub(super) fn is_prescribable(path: &Path) -> bool {
    path.components()
        .any(|part| part.as_os_str().to_string_lossy().to_ascii_lowercase().contains("prescribe"))
}

fn kind(file: &ReleaseFile) -> Result<Option<Kind>, ImportError> {
    let mut lines = Lines::new(file.open(&Meter::default())?);
    Ok(lines.next()?.and_then(|row| Kind::of(&file.name(), row)))
}
