use crate::catalog::{Catalog, TerminologySummary};

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
        let summary = self.catalog.terminology(system, version)?;
        self.check_maintenance(&summary)?;
        let name = format!("{}|{}", summary.alias, summary.version);
        Ok(Terminology { summary, name })
    }

    fn check_maintenance(&self, summary: &TerminologySummary) -> Result<(), ToolError> {
        if !self.catalog.is_in_maintenance(&summary.alias) {
            return Ok(());
        }
        // Clients of the ICD-10 tools know both classifications by one key.
        let module = match summary.alias.as_str() {
            "icd10cm" | "icd10pcs" => "icd",
            alias => alias,
        };
        Err(ToolError::maintenance(module, &summary.title))
    }

    pub(super) fn provenance(&self, terminology: &Terminology) -> ProvenanceView {
        ProvenanceView::of(self.catalog, &terminology.summary)
    }
}
