use crate::catalog::{Catalog, TerminologySummary};
use crate::terminology::known_system;

use super::error::Reason;
use super::provenance::ProvenanceView;
use super::{Profile, ToolError};

/// What a call is answered over.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'c> {
    pub(super) catalog: &'c Catalog,
    pub(super) profile: Profile,
}

/// The terminology that a call is about.
#[derive(Debug, Clone)]
pub(super) struct Terminology {
    pub(super) summary: TerminologySummary,
    /// `alias|version`: names it beyond doubt.
    pub(super) name: String,
}

impl Context<'_> {
    /// The terminology with this alias, canonical URI or OID, if it is loaded and not in maintenance.
    pub(super) fn terminology(
        &self,
        system: &str,
        version: Option<&str>,
    ) -> Result<Terminology, ToolError> {
        if system.trim().is_empty() {
            return Err(ToolError::argument("system", "it is empty"));
        }
        let summary = match self.catalog.terminology(system, version) {
            Ok(summary) => summary,
            Err(error) => return Err(self.broken(system).unwrap_or_else(|| error.into())),
        };
        self.check_maintenance(&summary)?;
        let name = format!("{}|{}", summary.alias, summary.version);
        Ok(Terminology { summary, name })
    }

    /// That a terminology is in the store, but could not be opened. Which file and why is for the
    /// operator.
    fn broken(&self, system: &str) -> Option<ToolError> {
        let name = system.split('|').next().unwrap_or(system).trim();
        let alias = known_system(name).map_or(name, |known| known.alias);
        let failures = self.catalog.failures();
        let failure = failures.iter().find(|one| one.alias.eq_ignore_ascii_case(alias))?;
        Some(ToolError::new(
            Reason::IndexIncompatible,
            format!("{} {} is in the store and cannot be opened", failure.alias, failure.version),
            "Ask the operator to run `medterm doctor`, and to build the terminology again.",
        ))
    }

    fn check_maintenance(&self, summary: &TerminologySummary) -> Result<(), ToolError> {
        let Some(maintenance) = self.catalog.maintenance(&summary.alias) else { return Ok(()) };
        // Clients of the ICD-10 tools know both classifications by one key.
        let module = match summary.alias.as_str() {
            "icd10cm" | "icd10pcs" => "icd",
            alias => alias,
        };
        Err(ToolError::maintenance(module, &summary.title, maintenance.message.as_deref()))
    }

    pub(super) fn provenance(&self, terminology: &Terminology) -> ProvenanceView {
        ProvenanceView::of(self.catalog, &terminology.summary)
    }
}
