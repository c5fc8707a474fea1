use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::catalog::{Catalog, TerminologySummary};

use super::duties::duties;

/// Where an answer comes from, and what is owed for it: one of each terminology.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct ProvenanceView {
    /// Who publishes the terminology.
    source: String,
    /// The publisher's page, or the canonical URI.
    source_url: String,
    /// Which terminology.
    system: String,
    version: String,
    /// The day the version took effect.
    data_vintage: Option<String>,
    /// When it was loaded here, ISO 8601.
    retrieved_at: Option<String>,
    /// Null: the data is local, and nothing was asked of another server.
    retrieval: Option<()>,
    citation: String,
    license: Option<String>,
    notices: Vec<String>,
    revision: Revision,
    /// True where a number in the answer is ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    derived: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    derivation_note: Option<&'static str>,
}

/// Whether the data may still change.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Revision {
    status: &'static str,
    note: Option<String>,
}

impl JsonSchema for ProvenanceView {
    fn schema_name() -> Cow<'static, str> {
        "Provenance".into()
    }

    // Described once, in info://server, and not with every tool.
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object"})
    }
}

impl ProvenanceView {
    pub(super) fn of(catalog: &Catalog, summary: &TerminologySummary) -> Self {
        let duties = duties(&summary.alias);
        // A release that says itself what is owed says it in its publisher's words.
        let mut notices = catalog.release_notices(&summary.alias, &summary.version).to_vec();
        if let Some(duties) = duties.filter(|_| notices.is_empty()) {
            notices.extend(duties.notices.iter().map(|notice| (*notice).to_owned()));
        }
        let source = match (&summary.publisher, duties) {
            (Some(publisher), _) => publisher.clone(),
            (None, Some(duties)) => duties.source.to_owned(),
            (None, None) => summary.title.clone(),
        };
        let license = summary.license.clone();
        let name = format!("{}|{}", summary.alias, summary.version);
        Self {
            citation: citation(&source, summary),
            source,
            source_url: duties
                .map_or_else(|| summary.system.as_str().to_owned(), |duties| duties.url.to_owned()),
            system: summary.system.as_str().to_owned(),
            version: summary.version.clone(),
            data_vintage: summary.date.clone(),
            retrieved_at: catalog
                .written_at(&name)
                .and_then(|time| OffsetDateTime::from(time).format(&Rfc3339).ok()),
            retrieval: None,
            license: license.or_else(|| duties.map(|duties| duties.license.to_owned())),
            notices,
            revision: Revision {
                status: "current",
                note: duties.map(|duties| format!("As loaded here; {}.", duties.revision)),
            },
            derived: None,
            derivation_note: None,
        }
    }

    /// Says that numbers of the answer are ours.
    #[must_use]
    pub(super) fn derived(mut self, note: &'static str) -> Self {
        self.derived = Some(true);
        self.derivation_note = Some(note);
        self
    }

    /// The publisher's page, for lists of attributions.
    pub(super) fn source_url(&self) -> &str {
        &self.source_url
    }
}

fn citation(source: &str, summary: &TerminologySummary) -> String {
    let TerminologySummary { title, version, .. } = summary;
    let source = source.trim_end_matches('.');
    match &summary.date {
        Some(date) if date != version => format!("{source}. {title}, version {version} ({date})."),
        _ => format!("{source}. {title}, version {version}."),
    }
}
