//! What stored maps say to mean the same, in both directions.

use crate::maps::{ConceptMap, MapEntryRef};
use crate::terminology::{Code, Relationship, SystemId};

use super::MapView;

/// A code that a map says to mean the same as another.
#[derive(Debug, Clone)]
pub(super) struct Link<'m> {
    pub(super) system: &'m SystemId,
    pub(super) code: Code,
    /// What the map calls it.
    pub(super) display: Option<&'m str>,
    pub(super) map: &'m ConceptMap,
}

impl Link<'_> {
    /// The map with its version.
    pub(super) fn map_name(&self) -> String {
        let release = &self.map.manifest().release;
        format!("{} {}", release.name, release.version)
    }

    pub(super) fn map_view(&self) -> MapView {
        MapView::of(&self.map.manifest().release)
    }
}

/// Everything that maps say to mean the same as a code.
pub(super) fn links<'m>(maps: &'m [ConceptMap], system: &SystemId, code: &str) -> Vec<Link<'m>> {
    let mut found = Vec::new();
    for map in maps {
        let release = &map.manifest().release;
        if release.source == *system {
            let rows = map.targets(code).filter(is_equivalent);
            found.extend(rows.filter_map(|row| {
                let code = Code::new(row.target?).ok()?;
                Some(Link { system: &release.target, code, display: row.target_display, map })
            }));
        }
        if release.target == *system {
            let rows = map.sources(code).filter(is_equivalent);
            found.extend(rows.filter_map(|row| {
                let code = Code::new(row.source).ok()?;
                Some(Link { system: &release.source, code, display: row.source_display, map })
            }));
        }
    }
    found
}

/// Whether a map says of two codes, either way, that they mean the same.
pub(super) fn are_linked(
    maps: &[ConceptMap],
    (system, code): (&SystemId, &str),
    (other_system, other): (&SystemId, &str),
) -> bool {
    let is_other = |link: &Link<'_>| link.system == other_system && link.code.as_str() == other;
    links(maps, system, code).iter().any(is_other)
}

fn is_equivalent(row: &MapEntryRef<'_>) -> bool {
    row.relationship == Relationship::Equivalent
}
