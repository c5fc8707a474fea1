use crate::maps::{ConceptMap, MapList, MapStore};

use super::{Catalog, Error};

impl Catalog {
    /// The published maps of the store, every version.
    ///
    /// # Errors
    /// [`Error::Map`] when the folder of maps cannot be read. A map that is damaged is told by the
    /// list; the others are in it.
    pub fn maps(&self) -> Result<MapList, Error> {
        Ok(MapStore::new(&self.store).list()?)
    }

    /// The last version of every map, open, by name. What is damaged is left out.
    ///
    /// # Errors
    /// As [`Catalog::maps`].
    pub fn open_maps(&self) -> Result<Vec<ConceptMap>, Error> {
        let mut last: Vec<ConceptMap> = Vec::new();
        for stored in self.maps()?.maps {
            let Ok(map) = ConceptMap::open(&stored.folder) else { continue };
            let name = &stored.manifest.release.name;
            match last.last_mut().filter(|other| other.manifest().release.name == *name) {
                Some(earlier) => *earlier = map,
                None => last.push(map),
            }
        }
        Ok(last)
    }
}
