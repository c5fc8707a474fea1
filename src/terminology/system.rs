use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::TerminologyError;

/// A terminology, named by its canonical URI (FHIR `CodeSystem.url`).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SystemId(Arc<str>);

impl SystemId {
    /// Accepts a canonical URI.
    ///
    /// # Errors
    /// [`TerminologyError::InvalidSystem`] when it is empty, has white space, or has no scheme.
    pub fn new(uri: &str) -> Result<Self, TerminologyError> {
        let refuse = |reason| TerminologyError::InvalidSystem { text: uri.to_owned(), reason };
        if uri.is_empty() {
            return Err(refuse("it is empty"));
        }
        if uri.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(refuse("it has white space"));
        }
        if !uri.contains(':') {
            return Err(refuse("it has no scheme such as http:"));
        }
        Ok(Self(uri.into()))
    }

    /// The URI.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SystemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for SystemId {
    type Error = TerminologyError;

    fn try_from(uri: String) -> Result<Self, Self::Error> {
        Self::new(&uri)
    }
}

impl From<SystemId> for String {
    fn from(system: SystemId) -> Self {
        system.0.as_ref().to_owned()
    }
}

/// What a terminology of the HL7 register is called here and elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownSystem {
    /// Short name, used for folders and on the command line.
    pub alias: &'static str,
    /// Canonical URI.
    pub uri: &'static str,
    /// Object identifiers, without `urn:oid:`.
    pub oids: &'static [&'static str],
    /// Other URIs in use for the same terminology.
    pub also: &'static [&'static str],
    /// Its name for people.
    pub title: &'static str,
}

impl KnownSystem {
    /// The canonical URI as an identifier.
    #[must_use]
    pub fn id(&self) -> SystemId {
        SystemId(self.uri.into())
    }
}

/// The terminologies this crate knows by name. Source: HL7 terminology register
/// (terminology.hl7.org), except where a URI is marked "usage" there.
#[must_use]
pub fn known_systems() -> &'static [KnownSystem] {
    KNOWN
}

/// Finds a terminology by alias (any case), canonical URI, other URI or OID (bare or `urn:oid:`).
///
/// ```
/// let icd = medterm::terminology::known_system("ICD10CM").expect("in the register");
/// assert_eq!(icd.uri, "http://hl7.org/fhir/sid/icd-10-cm");
/// ```
#[must_use]
pub fn known_system(name: &str) -> Option<&'static KnownSystem> {
    let name = name.trim();
    let oid = name.strip_prefix("urn:oid:").unwrap_or(name);
    KNOWN.iter().find(|known| {
        known.alias.eq_ignore_ascii_case(name)
            || known.uri == name
            || known.also.contains(&name)
            || known.oids.contains(&oid)
    })
}

/// What a URI of a terminology names beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pin {
    /// One version.
    Version(String),
    /// An edition, whose versions all begin like this.
    Edition(String),
}

/// Takes apart a URI that names a version or an edition of a terminology: of SNOMED CT
/// `http://snomed.info/sct/MODULE` and `…/version/YYYYMMDD` (SNOMED CT URI Standard, section 2), of
/// ICD-11 a release as in `http://id.who.int/icd/release/11/2025-01/mms`.
///
/// ```
/// use medterm::terminology::{Pin, pinned};
/// let (system, pin) = pinned("http://id.who.int/icd/release/11/2025-01/mms").expect("a release");
/// assert_eq!((system.alias, pin), ("icd11", Pin::Version("2025-01".to_owned())));
/// ```
#[must_use]
pub fn pinned(uri: &str) -> Option<(&'static KnownSystem, Pin)> {
    let uri = uri.trim();
    if uri.strip_prefix("http://snomed.info/sct/").is_some_and(|module| !module.is_empty()) {
        let pin = match uri.contains("/version/") {
            true => Pin::Version(uri.to_owned()),
            false => Pin::Edition(format!("{}/version/", uri.trim_end_matches('/'))),
        };
        return known_system("snomed").map(|known| (known, pin));
    }
    let release = uri.strip_prefix("http://id.who.int/icd/release/11/")?.strip_suffix("/mms")?;
    known_system("icd11").map(|known| (known, Pin::Version(release.to_owned())))
}

macro_rules! known {
    ($alias:literal, $title:literal, $uri:literal, [$($oid:literal),*], [$($also:literal),*]) => {
        KnownSystem { alias: $alias, uri: $uri, oids: &[$($oid),*], also: &[$($also),*], title: $title }
    };
}

const KNOWN: &[KnownSystem] = &[
    known!("snomed", "SNOMED CT", "http://snomed.info/sct", ["2.16.840.1.113883.6.96"], []),
    known!("loinc", "LOINC", "http://loinc.org", ["2.16.840.1.113883.6.1"], []),
    known!(
        "rxnorm",
        "RxNorm",
        "http://www.nlm.nih.gov/research/umls/rxnorm",
        ["2.16.840.1.113883.6.88"],
        []
    ),
    known!(
        "icd10",
        "ICD-10",
        "http://hl7.org/fhir/sid/icd-10",
        ["2.16.840.1.113883.6.3"],
        ["http://terminology.hl7.org/CodeSystem/icd10"]
    ),
    known!(
        "icd10cm",
        "ICD-10-CM",
        "http://hl7.org/fhir/sid/icd-10-cm",
        ["2.16.840.1.113883.6.90"],
        ["http://terminology.hl7.org/CodeSystem/icd10CM"]
    ),
    known!(
        "icd10pcs",
        "ICD-10-PCS",
        "http://www.cms.gov/Medicare/Coding/ICD10",
        ["2.16.840.1.113883.6.4"],
        ["http://terminology.hl7.org/CodeSystem/icd10PCS"]
    ),
    known!(
        "icd9cm",
        "ICD-9-CM",
        "http://hl7.org/fhir/sid/icd-9-cm",
        ["2.16.840.1.113883.6.103", "2.16.840.1.113883.6.104"],
        []
    ),
    known!(
        "icd11",
        "ICD-11 MMS",
        "http://id.who.int/icd/release/11/mms",
        ["2.16.840.1.113883.6.347"],
        []
    ),
    known!(
        "icd10am",
        "ICD-10-AM",
        "http://hl7.org/fhir/sid/icd-10-am",
        ["2.16.840.1.113883.6.135"],
        []
    ),
    known!(
        "cid10",
        "CID-10",
        "http://www.saude.gov.br/fhir/r4/CodeSystem/BRCID10",
        [],
        ["https://terminologia.saude.gov.br/fhir/CodeSystem/BRCID10"]
    ),
    known!(
        "mesh",
        "MeSH",
        "https://www.nlm.nih.gov/mesh",
        ["2.16.840.1.113883.6.177"],
        ["http://id.nlm.nih.gov/mesh/", "http://terminology.hl7.org/CodeSystem/MSH"]
    ),
    known!(
        "hpo",
        "Human Phenotype Ontology",
        "http://human-phenotype-ontology.org",
        ["2.16.840.1.113883.6.339"],
        ["http://purl.obolibrary.org/obo/hp.owl"]
    ),
    known!(
        "mondo",
        "Mondo Disease Ontology",
        "http://purl.obolibrary.org/obo/mondo.owl",
        ["2.16.840.1.113883.3.9216"],
        []
    ),
    known!("doid", "Human Disease Ontology", "http://purl.obolibrary.org/obo/doid.owl", [], []),
    known!("ucum", "UCUM", "http://unitsofmeasure.org", ["2.16.840.1.113883.6.8"], []),
    known!("cpt", "CPT", "http://www.ama-assn.org/go/cpt", ["2.16.840.1.113883.6.12"], []),
    known!(
        "hcpcs",
        "HCPCS Level II",
        "http://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets",
        ["2.16.840.1.113883.6.285"],
        ["https://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets"]
    ),
    known!("ndc", "NDC", "http://hl7.org/fhir/sid/ndc", ["2.16.840.1.113883.6.69"], []),
    known!(
        "cvx",
        "CVX",
        "http://hl7.org/fhir/sid/cvx",
        ["2.16.840.1.113883.12.292"],
        ["http://terminology.hl7.org/CodeSystem/CVX"]
    ),
    known!("atc", "ATC", "http://www.whocc.no/atc", ["2.16.840.1.113883.6.73"], []),
    known!("icpc2", "ICPC-2", "http://hl7.org/fhir/sid/icpc-2", ["2.16.840.1.113883.6.139"], []),
];
