//! The map reference sets of an RF2 release: one published map each.

use std::collections::BTreeSet;

use crate::terminology::{
    Code, KnownSystem, MapEntry, MapRelease, Relationship, SystemId, known_system, sctid,
};

use super::files::ReleaseFile;
use super::map_source::{MapOptions, MapSource, NO_VERSION};
use super::rf2_concepts::REPEATED;
use super::rf2_edition::{LICENSE, NOTICE, PUBLISHER};
use super::rf2_file::{FileKind, Rf2Files};
use super::rf2_relations::code;
use super::rf2_row::{Row, Stamp, Versioned, latest};
use super::rf2_text::Texts;
use super::{Format, ImportError, Progress, Tally};

/// Map reference sets whose targets are of a terminology with a short name.
const TARGETS: [(u64, &str); 2] = [(447_562_003, "icd10"), (6_011_000_124_106, "icd10cm")];

/// What the publisher says of how a source stands to its target.
const CORRELATIONS: [(u64, Relationship); 5] = [
    (447_557_004, Relationship::Equivalent),
    (447_558_009, Relationship::SourceIsNarrowerThanTarget),
    (447_559_001, Relationship::SourceIsBroaderThanTarget),
    (447_560_006, Relationship::RelatedTo),
    (447_561_005, Relationship::RelatedTo),
];
/// 447556008 |SNOMED CT source code not mappable to target coding scheme|.
const NOT_MAPPABLE: u64 = 447_556_008;

const NO_SOURCE: &str = "what is mapped is no SNOMED CT identifier";
const NO_TARGET: &str = "the target cannot be a code";

/// Whether a file belongs to an RF2 release.
pub(super) fn is_rf2(file: &ReleaseFile) -> bool {
    file.claim.is_some_and(|claim| claim.format == Format::Rf2)
}

/// The maps in these files, in the order of their identifiers. Targets of which it is not known whose
/// codes they are belong to the terminology that the caller names; where none is named, the map's own
/// URI stands for it.
pub(super) fn open<'f>(
    files: impl Iterator<Item = &'f ReleaseFile>,
    options: &MapOptions,
) -> Result<Vec<Box<dyn MapSource>>, ImportError> {
    let files = Rf2Files::choose(files, &[FileKind::Map])?;
    let mut refsets = BTreeSet::new();
    files.rows(FileKind::Map, &["refsetId"], |row, _| {
        refsets.insert(row.id(4)?);
        Ok(())
    })?;
    let mut maps: Vec<Box<dyn MapSource>> = Vec::new();
    for refset in refsets {
        if let Some(release) = release(refset, &files, options) {
            let files = files.again();
            maps.push(Box::new(Rf2Map {
                files,
                refset,
                release,
                state: State::Begin,
                tally: Tally::default(),
            }));
        }
    }
    Ok(maps)
}

/// What the map is; `None` where the caller asks for others.
fn release(refset: u64, files: &Rf2Files, options: &MapOptions) -> Option<MapRelease> {
    let snomed = known_system("snomed")?;
    let is_asked =
        |asked: &Option<SystemId>, own: &SystemId| asked.as_ref().is_none_or(|asked| asked == own);
    let alias = TARGETS.iter().find(|(id, _)| *id == refset).map(|(_, alias)| *alias);
    let known: Option<&KnownSystem> = alias.and_then(known_system);
    let own_uri = || SystemId::new(&format!("http://snomed.info/id/{refset}")).ok();
    let target = match known {
        Some(known) => known.id(),
        None => options.target.clone().or_else(own_uri)?,
    };
    if !is_asked(&options.source, &snomed.id()) || !is_asked(&options.target, &target) {
        return None;
    }
    let name = match alias {
        Some(alias) => format!("{}-{alias}-{refset}", snomed.alias),
        None => format!("{}-{refset}", snomed.alias),
    };
    let title = known.map_or_else(|| format!("map {refset}"), |known| known.title.to_owned());
    let date = files.of(FileKind::Map).filter_map(|file| file.name.date.clone()).max();
    Some(MapRelease {
        id: format!("{}?fhir_cm={refset}", snomed.uri),
        name,
        version: date.unwrap_or_else(|| NO_VERSION.to_owned()),
        source: snomed.id(),
        source_version: None,
        target,
        target_version: None,
        title: format!("{} to {title}", snomed.title),
        publisher: Some(PUBLISHER.to_owned()),
        license: Some(LICENSE.to_owned()),
        notices: vec![NOTICE.to_owned()],
        unmapped: None,
    })
}

struct Rf2Map {
    files: Rf2Files,
    refset: u64,
    release: MapRelease,
    state: State,
    tally: Tally,
}

enum State {
    Begin,
    Give { rows: std::vec::IntoIter<MapRow>, texts: Texts },
    End,
}

#[derive(Debug, Clone, Copy)]
struct MapRow {
    id: [u64; 2],
    stamp: Stamp,
    source: u64,
    target: u64,
    rule: Option<(u64, u64)>,
    correlation: Option<u64>,
    group: Option<u16>,
    priority: Option<u16>,
}

impl Versioned for MapRow {
    type Key = [u64; 2];

    fn key(&self) -> [u64; 2] {
        self.id
    }

    fn stamp(&self) -> Stamp {
        self.stamp
    }
}

impl Rf2Map {
    /// The rows in force: by source, group and priority, which is the order in which rules are
    /// tried.
    fn read(&mut self) -> Result<(Vec<MapRow>, Texts), ImportError> {
        let (mut rows, mut texts) = (Vec::new(), Texts::default());
        let (refset, tally) = (self.refset, &mut self.tally);
        let common = ["refsetId", "referencedComponentId", "mapTarget"];
        let extended = ["mapGroup", "mapPriority", "mapRule", "mapAdvice", "correlationId"];
        self.files.rows_with(FileKind::Map, &common, &extended, |row, stamp| {
            if row.id(4)? != refset {
                return Ok(());
            }
            match sctid::parse(row.cell(5)) {
                Some(source) => rows.push(map_row(row, stamp, source, &mut texts)?),
                None => tally.leave_out(NO_SOURCE, row.path(), row.line, row.cell(5)),
            }
            Ok(())
        })?;
        let mut rows = latest(rows, |row| {
            let line = row.stamp.line.into();
            tally.leave_out(REPEATED, self.files.path(row.stamp), line, &row.source.to_string());
        });
        rows.retain(|row| row.stamp.active);
        rows.sort_unstable_by_key(|row| (row.source, row.group, row.priority, row.id));
        self.tally.read_many("map rows", rows.len() as u64);
        Ok((rows, texts))
    }
}

/// A row of any of the kinds of maps; a simple one says nothing but the target.
fn map_row(
    row: &Row<'_>,
    stamp: Stamp,
    source: u64,
    texts: &mut Texts,
) -> Result<MapRow, ImportError> {
    let has = |column: usize| !row.cell(column).is_empty();
    let number = |column: usize| has(column).then(|| row.number(column)).transpose();
    Ok(MapRow {
        id: row.uuid(0)?,
        stamp,
        source,
        target: texts.add(row, 6)?,
        rule: if has(9) || has(10) {
            Some((texts.add(row, 9)?, texts.add(row, 10)?))
        } else {
            None
        },
        correlation: has(11).then(|| row.id(11)).transpose()?,
        group: number(7)?,
        priority: number(8)?,
    })
}

/// The row as an entry; an error is the text that is no code.
fn entry(row: &MapRow, texts: &Texts) -> Result<Option<MapEntry>, String> {
    let target = texts.get(row.target);
    let is_mapped = !target.is_empty() && row.correlation != Some(NOT_MAPPABLE);
    let target = match is_mapped {
        true => Some(Code::new(target).map_err(|_| target.to_owned())?),
        false => None,
    };
    let known = CORRELATIONS.iter().find(|(id, _)| Some(*id) == row.correlation);
    let relationship = match (&target, known) {
        (None, _) => Relationship::NotRelatedTo,
        (Some(_), Some((_, relationship))) => *relationship,
        (Some(_), None) => Relationship::RelatedTo,
    };
    let Some(source) = code(row.source) else { return Ok(None) };
    let mut entry = MapEntry::new(source, target, relationship);
    (entry.group, entry.priority) = (row.group, row.priority);
    let text = |number: u64| Some(texts.get(number).to_owned()).filter(|text| !text.is_empty());
    if let Some((rule, advice)) = row.rule {
        (entry.rule, entry.advice) = (text(rule), text(advice));
    }
    Ok(Some(entry))
}

impl Iterator for Rf2Map {
    type Item = Result<MapEntry, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        if matches!(self.state, State::Begin) {
            match self.read() {
                Ok((rows, texts)) => {
                    self.state = State::Give { rows: rows.into_iter(), texts };
                }
                Err(error) => {
                    self.state = State::End;
                    return Some(Err(error));
                }
            }
        }
        let State::Give { rows, texts } = &mut self.state else { return None };
        for row in rows {
            match entry(&row, texts) {
                Ok(Some(entry)) => return Some(Ok(entry)),
                Ok(None) => {}
                Err(text) => {
                    let (path, line) = (self.files.path(row.stamp), row.stamp.line.into());
                    self.tally.leave_out(NO_TARGET, path, line, &text);
                }
            }
        }
        None
    }
}

impl MapSource for Rf2Map {
    fn release(&self) -> &MapRelease {
        &self.release
    }

    fn progress(&self) -> Progress {
        self.files.meter.progress()
    }

    fn tally(&self) -> Tally {
        self.tally.clone()
    }
}
