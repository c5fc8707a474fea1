//! From the rows of a map to translations: what belongs together is one match.

use std::collections::{BTreeMap, BTreeSet};

use crate::maps::{ConceptMap, MapEntryRef};
use crate::terminology::{Code, GemFlags, Relationship};

use super::translate_side::Side;
use super::{MappedCode, TranslateDirection, TranslateMatch, WithoutTarget};

/// What is asked of maps: from one side to the other, and which way they are read.
pub(super) struct Asked<'c> {
    pub(super) source: Side<'c>,
    pub(super) target: Side<'c>,
    pub(super) direction: TranslateDirection,
    pub(super) language: Option<String>,
}

/// What maps say of one code.
#[derive(Debug, Default)]
pub(super) struct Translations {
    pub(super) matches: Vec<TranslateMatch>,
    pub(super) without_target: Vec<WithoutTarget>,
}

impl Translations {
    pub(super) fn is_empty(&self) -> bool {
        self.matches.is_empty() && self.without_target.is_empty()
    }

    /// Whether there is a match that is more than the statement that two codes have nothing to do
    /// with each other.
    pub(super) fn has_related(&self) -> bool {
        self.matches.iter().any(is_related)
    }

    /// Says of a code what was found for one above it: what covers that code covers this one, and
    /// nothing else can be concluded.
    pub(super) fn of_narrower(&mut self) {
        for one in &mut self.matches {
            one.relationship = match one.relationship {
                Relationship::Equivalent | Relationship::SourceIsNarrowerThanTarget => {
                    Relationship::SourceIsNarrowerThanTarget
                }
                _ => Relationship::RelatedTo,
            };
        }
    }

    /// Puts the closest relationships first and marks the match to take where nothing more is known:
    /// the first that depends on nothing.
    pub(super) fn rank(&mut self) {
        // Stable: the maps' own order stays within each relationship, and with it priorities.
        self.matches.sort_by_key(|one| one.relationship);
        let is_unconditional = |one: &TranslateMatch| {
            let rules = one.codes.iter().filter_map(|code| code.rule.as_deref());
            rules.into_iter().all(|rule| matches!(rule, "TRUE" | "OTHERWISE TRUE"))
        };
        let first = |wanted: &dyn Fn(&TranslateMatch) -> bool| {
            self.matches.iter().position(|one| is_related(one) && wanted(one))
        };
        let primary = first(&is_unconditional).or_else(|| first(&|_| true));
        if let Some(one) = primary.and_then(|at| self.matches.get_mut(at)) {
            one.primary = true;
        }
    }
}

fn is_related(one: &TranslateMatch) -> bool {
    one.relationship != Relationship::NotRelatedTo
}

impl Asked<'_> {
    /// Whether a map has the code on the side that is asked for.
    pub(super) fn has(&self, map: &ConceptMap, code: &str) -> bool {
        match self.direction {
            TranslateDirection::Forward => map.targets(code).next().is_some(),
            TranslateDirection::Reverse => map.sources(code).next().is_some(),
        }
    }

    /// What these maps say of a code.
    pub(super) fn rows(&self, maps: &[ConceptMap], code: &str) -> Translations {
        let mut found = Translations::default();
        for map in maps {
            match self.direction {
                TranslateDirection::Forward => self.forward(map, code, &mut found),
                TranslateDirection::Reverse => self.backward(map, code, &mut found),
            }
        }
        found
    }

    fn forward(&self, map: &ConceptMap, code: &str, found: &mut Translations) {
        let (mapped, without): (Vec<_>, Vec<_>) =
            map.targets(code).partition(|row| row.target.is_some());
        found.without_target.extend(without.iter().map(|row| without_target(map, row)));
        let groups: BTreeSet<u16> = mapped.iter().filter_map(|row| row.group).collect();
        let mut scenarios: BTreeMap<u8, Vec<MapEntryRef<'_>>> = BTreeMap::new();
        let mut together = Vec::new();
        for row in mapped {
            if let Some(gem) = combination(&row) {
                scenarios.entry(gem.scenario).or_default().push(row);
            } else if groups.len() > 1 && row.group.is_some() {
                together.push(row);
            } else {
                let codes = self.targets(&[row]);
                found.matches.push(translation(map, codes, row.relationship));
            }
        }
        if !together.is_empty() {
            let relationship = common(&together);
            found.matches.push(translation(map, self.targets(&together), relationship));
        }
        for (scenario, rows) in scenarios {
            let relationship = whole(&rows);
            let one = translation(map, self.targets(&rows), relationship);
            found.matches.push(TranslateMatch { scenario: Some(scenario), ..one });
        }
    }

    fn backward(&self, map: &ConceptMap, code: &str, found: &mut Translations) {
        for row in map.sources(code) {
            let codes = mapped(&self.target, Some(row.source), row.source_display, &row, self);
            let beside = self.beside(map, &row);
            // One part of a combination is not the whole.
            let relationship = match beside.is_empty() {
                true => row.relationship.inverse(),
                false => Relationship::RelatedTo,
            };
            let one = translation(map, codes.into_iter().collect(), relationship);
            let scenario = combination(&row).map(|gem| gem.scenario);
            found.matches.push(TranslateMatch { scenario, together_with: beside, ..one });
        }
    }

    /// The codes that the source of a row needs beside the row's target.
    fn beside(&self, map: &ConceptMap, row: &MapEntryRef<'_>) -> Vec<MappedCode> {
        let others = map.targets(row.source).filter(|other| match combination(row) {
            Some(gem) => combination(other).is_some_and(|other| {
                other.scenario == gem.scenario && other.choice_list != gem.choice_list
            }),
            None => row.group.is_some() && other.group.is_some() && other.group != row.group,
        });
        let name =
            |row: MapEntryRef<'_>| mapped(&self.source, row.target, row.target_display, &row, self);
        others.filter_map(name).collect()
    }

    fn targets(&self, rows: &[MapEntryRef<'_>]) -> Vec<MappedCode> {
        let name =
            |row: &MapEntryRef<'_>| mapped(&self.target, row.target, row.target_display, row, self);
        rows.iter().filter_map(name).collect()
    }
}

/// The flags of a row that is only one part of a combination.
fn combination(row: &MapEntryRef<'_>) -> Option<GemFlags> {
    row.gem.filter(|gem| gem.combination)
}

/// How a source stands to rows that hold together.
fn common(rows: &[MapEntryRef<'_>]) -> Relationship {
    let first = rows.first().map(|row| row.relationship);
    let all = first.filter(|first| rows.iter().all(|row| row.relationship == *first));
    all.unwrap_or(Relationship::RelatedTo)
}

/// How a source stands to a combination: the same where no row is approximate and nothing has to be
/// chosen.
fn whole(rows: &[MapEntryRef<'_>]) -> Relationship {
    let gems: Vec<GemFlags> = rows.iter().filter_map(combination).collect();
    let lists: BTreeSet<u8> = gems.iter().map(|gem| gem.choice_list).collect();
    match lists.len() == gems.len() && gems.iter().all(|gem| !gem.approximate) {
        true => Relationship::Equivalent,
        false => Relationship::RelatedTo,
    }
}

/// The code of one side of a row, with its name and all that the row says.
fn mapped(
    side: &Side<'_>,
    code: Option<&str>,
    display: Option<&str>,
    row: &MapEntryRef<'_>,
    asked: &Asked<'_>,
) -> Option<MappedCode> {
    let code = Code::new(code?).ok()?;
    let (own, active) = side.describe(code.as_str(), asked.language.as_deref());
    Some(MappedCode {
        code,
        display: own.or_else(|| display.map(str::to_owned)),
        active,
        group: row.group,
        priority: row.priority,
        rule: row.rule.map(str::to_owned),
        advice: row.advice.map(str::to_owned),
        gem: row.gem,
    })
}

pub(super) fn translation(
    map: &ConceptMap,
    codes: Vec<MappedCode>,
    relationship: Relationship,
) -> TranslateMatch {
    let release = &map.manifest().release;
    TranslateMatch {
        codes,
        relationship,
        primary: false,
        map: release.name.clone(),
        map_version: release.version.clone(),
        scenario: None,
        together_with: Vec::new(),
        unmapped_rule: None,
    }
}

fn without_target(map: &ConceptMap, row: &MapEntryRef<'_>) -> WithoutTarget {
    let release = &map.manifest().release;
    WithoutTarget {
        map: release.name.clone(),
        map_version: release.version.clone(),
        group: row.group,
        priority: row.priority,
        rule: row.rule.map(str::to_owned),
        advice: row.advice.map(str::to_owned),
    }
}
