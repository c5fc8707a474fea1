use std::fs;
use std::io::{ErrorKind, Read};
use std::path::Path;

use crate::disk::{DiskError, replace_file};
use crate::index::StoreLayout;

use super::{Catalog, Error};

/// That a terminology is being worked on: it stays listed, and its tools say so instead of
/// answering.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Maintenance {
    /// What the operator tells those who ask, at most [`Maintenance::MAX_CHARS`] characters.
    pub message: Option<String>,
}

impl Maintenance {
    /// Characters of a message that are told.
    pub const MAX_CHARS: usize = 500;

    /// Maintenance with a message for those who ask; a blank one is none.
    #[must_use]
    pub fn new(message: &str) -> Self {
        let message: String = message.trim().chars().take(Self::MAX_CHARS).collect();
        Self { message: (!message.is_empty()).then_some(message) }
    }
}

impl Catalog {
    /// Whether a terminology is in maintenance now. One look at the disk: what the operator switches
    /// holds for the next question, without opening anything again.
    #[must_use]
    pub fn is_in_maintenance(&self, alias: &str) -> bool {
        StoreLayout::new(&self.store).maintenance_file(alias).exists()
    }

    /// The maintenance that a terminology is in, with the operator's message.
    #[must_use]
    pub fn maintenance(&self, alias: &str) -> Option<Maintenance> {
        let path = StoreLayout::new(&self.store).maintenance_file(alias);
        let Ok(file) = fs::File::open(&path) else {
            // One that is there and cannot be read means what it means all the same.
            return path.exists().then(Maintenance::default);
        };
        // UTF-8 has at most four bytes a character; what is not UTF-8 is shown as well as can be.
        let most = 4 * Maintenance::MAX_CHARS as u64;
        let mut text = Vec::new();
        let read = file.take(most).read_to_end(&mut text);
        Some(read.map_or_else(
            |_| Maintenance::default(),
            |_| Maintenance::new(&String::from_utf8_lossy(&text)),
        ))
    }

    /// Puts a terminology into maintenance, or takes it out with `None`. Catalogs that are open,
    /// also those of other processes, notice with their next question.
    ///
    /// # Errors
    /// [`Error::UnknownSystem`] or [`Error::EmptyStore`] when the store has no such terminology, and
    /// [`Error::Disk`] when it cannot be written.
    pub fn set_maintenance(
        &self,
        system: &str,
        maintenance: Option<&Maintenance>,
    ) -> Result<(), Error> {
        let alias = self.alias_of(system)?;
        let path = StoreLayout::new(&self.store).maintenance_file(&alias);
        match maintenance {
            Some(maintenance) => {
                let text = maintenance.message.as_deref().unwrap_or_default();
                Ok(replace_file(&path, text.as_bytes())?)
            }
            None => Ok(remove_if_there(&path)?),
        }
    }

    /// The alias of a terminology, also of one that could not be opened: that is when maintenance is
    /// called for.
    fn alias_of(&self, system: &str) -> Result<String, Error> {
        match self.terminologies().into_iter().find(|one| one.alias.eq_ignore_ascii_case(system)) {
            Some(summary) => Ok(summary.alias),
            None => match self.failures.iter().find(|failure| failure.alias == system) {
                Some(failure) => Ok(failure.alias.clone()),
                None => self.entry(system).map(|entry| entry.alias().to_owned()),
            },
        }
    }
}

fn remove_if_there(path: &Path) -> Result<(), DiskError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(DiskError::io(path, "removing it", e)),
        _ => Ok(()),
    }
}
