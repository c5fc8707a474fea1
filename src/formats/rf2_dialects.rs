//! The language reference sets of an RF2 release: which name is preferred in which dialect.

use std::collections::BTreeMap;

use super::rf2_concepts::REPEATED;
use super::rf2_file::{FileKind, Rf2Files};
use super::rf2_row::{Numbered, Stamp, Versioned, latest};
use super::{ImportError, Tally};

/// 900000000000548007 |Preferred|.
const PREFERRED: u64 = 900_000_000_000_548_007;

/// The language reference sets whose dialect their names do not tell, as BCP 47 tags.
const DIALECTS: [(u64, &str); 7] = [
    (900_000_000_000_509_007, "en-US"),
    (900_000_000_000_508_004, "en-GB"),
    (999_001_261_000_000_100, "en-GB"),
    (999_000_691_000_001_104, "en-GB"),
    (32_570_271_000_036_106, "en-AU"),
    (271_000_210_107, "en-NZ"),
    (19_491_000_087_109, "en-CA"),
];

const NO_NAME: &str = "the language reference set's member is no description of the release";

/// The preferences of all dialects, by description.
#[derive(Debug, Default)]
pub(super) struct Dialects {
    /// Description, number of the reference set.
    preferred: Vec<(u32, u16)>,
    /// The tag of each reference set.
    tags: Vec<String>,
}

#[derive(Debug, Clone, Copy)]
struct LanguageRow {
    id: [u64; 2],
    description: u32,
    stamp: Stamp,
    refset: u16,
    preferred: bool,
}

impl Versioned for LanguageRow {
    type Key = [u64; 2];

    fn key(&self) -> [u64; 2] {
        self.id
    }

    fn stamp(&self) -> Stamp {
        self.stamp
    }
}

impl Dialects {
    /// Reads who prefers what. `find` gives the number of a description and the tag of its language.
    pub(super) fn read<'n>(
        files: &Rf2Files,
        find: impl Fn(u64) -> Option<(u32, &'n str)>,
        tally: &mut Tally,
    ) -> Result<Self, ImportError> {
        let mut refsets = Numbered::default();
        let mut rows = Vec::new();
        // How many descriptions of which language each reference set has: most tell their dialect by
        // nothing else.
        let mut languages: Vec<BTreeMap<&'n str, usize>> = Vec::new();
        let columns = ["refsetId", "referencedComponentId", "acceptabilityId"];
        files.rows(FileKind::Language, &columns, |row, stamp| {
            let Some((description, language)) = find(row.id(5)?) else {
                if stamp.active {
                    tally.leave_out(NO_NAME, row.path(), row.line, row.cell(5));
                }
                return Ok(());
            };
            let refset = row.numbered(4, &mut refsets)?;
            languages.resize_with(refsets.len(), BTreeMap::new);
            if let Some(counts) = languages.get_mut(usize::from(refset)) {
                *counts.entry(language).or_default() += 1;
            }
            let preferred = row.id(6)? == PREFERRED;
            rows.push(LanguageRow { id: row.uuid(0)?, description, stamp, refset, preferred });
            Ok(())
        })?;
        let rows = latest(rows, |row| {
            let line = row.stamp.line.into();
            let [high, low] = row.id;
            let text = format!("{high:016x}{low:016x}");
            tally.leave_out(REPEATED, files.path(row.stamp), line, &text);
        });
        let mut preferred: Vec<(u32, u16)> = rows
            .iter()
            .filter(|row| row.stamp.active && row.preferred)
            .map(|row| (row.description, row.refset))
            .collect();
        preferred.sort_unstable();
        preferred.dedup();
        let tags = (0u16..).zip(&languages).map(|(refset, counts)| {
            let known = DIALECTS.iter().find(|(id, _)| *id == refsets.id(refset));
            let most = counts.iter().max_by_key(|(language, count)| (**count, **language));
            let tag = known.map(|(_, tag)| *tag).or(most.map(|(language, _)| *language));
            tag.unwrap_or_default().to_owned()
        });
        Ok(Self { preferred, tags: tags.collect() })
    }

    /// The tags of the dialects in which a description is preferred.
    pub(super) fn preferring(&self, description: u32) -> impl Iterator<Item = &str> {
        let begin = self.preferred.partition_point(|(one, _)| *one < description);
        self.preferred[begin..]
            .iter()
            .take_while(move |(one, _)| *one == description)
            .filter_map(|(_, refset)| self.tags.get(usize::from(*refset)))
            .map(String::as_str)
    }

    /// Whether there are any names in this language or dialect.
    pub(super) fn has(&self, language: &str) -> bool {
        self.tags.iter().any(|tag| is_within(tag, language))
    }

    /// The tags of all dialects, each once.
    pub(super) fn tags(&self) -> Vec<&str> {
        let mut tags: Vec<&str> = self.tags.iter().map(String::as_str).collect();
        tags.sort_unstable();
        tags.dedup();
        tags
    }
}

/// Whether a tag is of a language or dialect: `en-GB` is of `en` and of `en-GB`.
pub(super) fn is_within(tag: &str, language: &str) -> bool {
    let rest = tag.get(..language.len()).filter(|head| head.eq_ignore_ascii_case(language));
    rest.is_some() && matches!(tag.as_bytes().get(language.len()), None | Some(b'-'))
}

/// The language of a tag without its region.
pub(super) fn primary(tag: &str) -> &str {
    tag.split('-').next().unwrap_or_default()
}
