//! The files of a LOINC release: which is which, and which are read.

use std::path::Path;

use super::files::{Part, ReleaseFile};
use super::input::Meter;
use super::lines::Lines;
use super::look::Look;
use super::table::{Dialect, Header, Quotes, Table};
use super::{ImportError, ImportErrorKind, ReleaseFiles, Tally};

/// How all of its tables are written.
pub(super) const DIALECT: Dialect =
    Dialect { delimiter: b',', quotes: Quotes::Quote, header: Header::First };

/// What a file of the release holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `Loinc.csv`: the terms with all their columns.
    Table,
    /// `LoincTableCore.csv`: the terms with the columns that never change their meaning.
    Core,
    /// `ComponentHierarchyBySystem.csv`: the hierarchy.
    Hierarchy,
    /// `MultiAxialHierarchy.csv`: the hierarchy of older releases.
    OldHierarchy,
    /// `MapTo.csv`: the terms to use instead of deprecated ones.
    Replacements,
    /// `ConsumerName.csv`: names for laypeople.
    ConsumerNames,
    /// `esMX28LinguisticVariant.csv`: a translation.
    Translation,
}

impl Kind {
    /// The kind of a file of this name with this header.
    fn of(name: &str, header: &str) -> Option<Self> {
        let columns: Vec<String> = header
            .split(',')
            .map(|column| column.trim().trim_matches('"').to_ascii_uppercase())
            .collect();
        let has = |names: &[&str]| names.iter().all(|name| columns.iter().any(|one| one == name));
        if has(&["LOINC_NUM", "COMPONENT", "SCALE_TYP"]) {
            if name.ends_with("linguisticvariant.csv") || has(&["LINGUISTICVARIANTDISPLAYNAME"]) {
                return Some(Self::Translation);
            }
            let is_full = has(&["RELATEDNAMES2"]);
            return has(&["STATUS"]).then_some(if is_full { Self::Table } else { Self::Core });
        }
        if has(&["PATH_TO_ROOT", "IMMEDIATE_PARENT", "CODE", "CODE_TEXT"]) {
            let is_old = name.contains("multi");
            return Some(if is_old { Self::OldHierarchy } else { Self::Hierarchy });
        }
        if has(&["LOINC", "MAP_TO"]) {
            return Some(Self::Replacements);
        }
        has(&["LOINCNUMBER", "CONSUMERNAME"]).then_some(Self::ConsumerNames)
    }

    fn part(self) -> Part {
        if matches!(self, Self::Table | Self::Core) { Part::Release } else { Part::Companion }
    }
}

/// What a file is to LOINC.
pub(super) fn claim(file: &ReleaseFile, beginning: &str) -> Option<Part> {
    let Look::Text { .. } = file.look else { return None };
    Kind::of(&file.name(), beginning.lines().next()?).map(Kind::part)
}

/// The files of the one release that is read.
pub(super) struct Chosen {
    pub(super) table: ReleaseFile,
    others: Vec<(Kind, ReleaseFile)>,
}

impl Chosen {
    /// Chooses among the files. A release has its table, the core of it, and a cut of it beside the
    /// panels and forms; the first is read, the second only where it is alone.
    pub(super) fn of(files: &ReleaseFiles, tally: &mut Tally) -> Result<Self, ImportError> {
        let mut tables = Vec::new();
        for file in files.releases() {
            let rank = match kind(file)? {
                _ if is_cut(&file.path) => 2,
                Some(Kind::Table) => 0,
                _ => 1,
            };
            tables.push((rank, file));
        }
        let best = tables.iter().map(|(rank, _)| *rank).min();
        let (chosen, beside): (Vec<_>, Vec<_>) =
            tables.into_iter().partition(|(rank, _)| Some(*rank) == best);
        let table = match chosen[..] {
            [(_, one)] => one.clone(),
            [] => return Err(files.error(ImportErrorKind::Empty)),
            _ => {
                let found = chosen.iter().map(|(_, file)| file.path.display().to_string());
                return Err(files.error(ImportErrorKind::Ambiguous { found: found.collect() }));
            }
        };
        for (_, file) in beside {
            let reason = "a table beside the one that is read, which contains it";
            tally.pass_over(reason, &file.path, 1, &file.name());
        }
        let mut others = Vec::new();
        for file in files.companions() {
            others.extend(kind(file)?.map(|kind| (kind, file.clone())));
        }
        if others.iter().any(|(kind, _)| *kind == Kind::Hierarchy) {
            others.retain(|(kind, _)| *kind != Kind::OldHierarchy);
        }
        Ok(Self { table, others })
    }

    /// The files of a kind.
    pub(super) fn all(&self, kind: Kind) -> impl Iterator<Item = &ReleaseFile> {
        self.others.iter().filter(move |(one, _)| *one == kind).map(|(_, file)| file)
    }

    /// The hierarchy, of either name.
    pub(super) fn hierarchy(&self) -> impl Iterator<Item = &ReleaseFile> {
        self.all(Kind::Hierarchy).chain(self.all(Kind::OldHierarchy))
    }

    /// The version: in the name of the file, or of the nearest folder or archive it is in, else the
    /// newest in which a term was changed, which every release does.
    pub(super) fn version(&self) -> Result<Option<String>, ImportError> {
        let named = self
            .table
            .path
            .ancestors()
            .find_map(|path| version_in_name(&path.file_name()?.to_string_lossy()));
        if named.is_some() {
            return Ok(named);
        }
        let mut table = Table::open(self.table.open(&Meter::default())?, DIALECT)?;
        let Some(column) = table.find("VersionLastChanged") else { return Ok(None) };
        let mut newest: Option<(Vec<u32>, String)> = None;
        while let Some(row) = table.next()? {
            let text = row.cell(column);
            let numbers: Option<Vec<u32>> = text.split('.').map(|one| one.parse().ok()).collect();
            if let Some(numbers) = numbers
                && newest.as_ref().is_none_or(|known| numbers > known.0)
            {
                newest = Some((numbers, text.to_owned()));
            }
        }
        Ok(newest.map(|(_, version)| version))
    }
}

fn kind(file: &ReleaseFile) -> Result<Option<Kind>, ImportError> {
    let mut lines = Lines::new(file.open(&Meter::default())?);
    Ok(lines.next()?.and_then(|header| Kind::of(&file.name(), header)))
}

fn is_cut(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str().eq_ignore_ascii_case("PanelsAndForms"))
}

/// The version in a name such as `Loinc_2.81.zip`.
fn version_in_name(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    let (_, rest) = name.split_once("loinc")?;
    let rest = rest.trim_start_matches(['_', '-', ' ', 'v']);
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    let version = rest[..end].trim_end_matches('.');
    let (major, minor) = version.split_once('.')?;
    (!major.is_empty() && !minor.is_empty()).then(|| version.to_owned())
}

/// The language of a translation, from a name such as `esMX28LinguisticVariant.csv`.
pub(super) fn language(file: &ReleaseFile) -> Option<String> {
    let name = file.name();
    let (language, country) = (name.get(..2)?, name.get(2..4)?);
    let are_letters = name[..4].bytes().all(|byte| byte.is_ascii_lowercase());
    let is_numbered = name[4..].starts_with(|c: char| c.is_ascii_digit() || c == 'l');
    (are_letters && is_numbered).then(|| format!("{language}-{}", country.to_ascii_uppercase()))
}
