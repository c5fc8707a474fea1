//! Which terminology a prefix of an identifier stands for: `ICD10CM:E30.1`, `MONDO:0000088`.

use crate::terminology::{Code, SystemId, known_system};

/// The identifiers of one terminology.
pub(super) struct Namespace {
    /// What the prefix is called, in any letter case.
    prefixes: &'static [&'static str],
    /// What the prefix stands for.
    bases: &'static [&'static str],
    /// Its alias, or the canonical URI of one that has no alias.
    system: &'static str,
    /// The prefix that the codes themselves have, where they have one.
    in_codes: Option<&'static str>,
}

macro_rules! namespace {
    ([$($prefix:literal),*], [$($base:literal),*], $system:literal, $in_codes:expr) => {
        Namespace { prefixes: &[$($prefix),*], bases: &[$($base),*], system: $system, in_codes: $in_codes }
    };
}

/// Prefixes as the Bioregistry (bioregistry.io) and MONDO's mapping sets write them; canonical URIs
/// as the HL7 terminology register has them.
const NAMESPACES: &[Namespace] = &[
    namespace!(
        ["ICD10CM"],
        ["http://purl.bioontology.org/ontology/ICD10CM/", "http://hl7.org/fhir/sid/icd-10-cm/"],
        "icd10cm",
        None
    ),
    namespace!(["ICD10PCS"], ["http://purl.bioontology.org/ontology/ICD10PCS/"], "icd10pcs", None),
    namespace!(
        ["ICD9CM", "ICD9"],
        ["http://purl.bioontology.org/ontology/ICD9CM/"],
        "icd9cm",
        None
    ),
    namespace!(
        ["ICD10WHO", "ICD10"],
        ["https://icd.who.int/browse10/2019/en#/", "http://purl.bioontology.org/ontology/ICD10/"],
        "icd10",
        None
    ),
    namespace!(
        ["icd11.foundation"],
        ["http://id.who.int/icd/entity/"],
        "http://id.who.int/icd/entity",
        None
    ),
    namespace!(
        ["MESH", "MSH"],
        ["http://identifiers.org/mesh/", "http://id.nlm.nih.gov/mesh/"],
        "mesh",
        None
    ),
    namespace!(
        ["SCTID", "SNOMEDCT", "SNOMED", "SCT"],
        ["http://snomed.info/id/", "http://snomed.info/sct/"],
        "snomed",
        None
    ),
    namespace!(["LOINC"], ["http://loinc.org/", "https://loinc.org/"], "loinc", None),
    namespace!(
        ["RXNORM", "RXCUI"],
        ["http://purl.bioontology.org/ontology/RXNORM/"],
        "rxnorm",
        None
    ),
    namespace!(["MONDO"], ["http://purl.obolibrary.org/obo/MONDO_"], "mondo", Some("MONDO")),
    namespace!(["DOID"], ["http://purl.obolibrary.org/obo/DOID_"], "doid", Some("DOID")),
    namespace!(["HP"], ["http://purl.obolibrary.org/obo/HP_"], "hpo", Some("HP")),
    namespace!(
        ["NCIT"],
        ["http://purl.obolibrary.org/obo/NCIT_"],
        "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl",
        None
    ),
    namespace!(
        ["OMIM", "MIM"],
        ["https://omim.org/entry/", "http://omim.org/entry/"],
        "http://www.omim.org",
        None
    ),
    namespace!(
        ["Orphanet", "ORPHA", "ORDO"],
        ["http://www.orpha.net/ORDO/Orphanet_"],
        "http://www.orpha.net",
        None
    ),
    namespace!(
        ["UMLS"],
        ["http://linkedlifedata.com/resource/umls/id/"],
        "http://www.nlm.nih.gov/research/umls",
        None
    ),
];

impl Namespace {
    /// The namespace of a prefix: by what the file says it stands for, else by its name.
    pub(super) fn of(prefix: &str, stands_for: Option<&str>) -> Option<&'static Self> {
        let by_base = stands_for
            .and_then(|base| NAMESPACES.iter().find(|namespace| namespace.bases.contains(&base)));
        let named = |namespace: &&Self| {
            namespace.prefixes.iter().any(|known| known.eq_ignore_ascii_case(prefix))
        };
        by_base.or_else(|| NAMESPACES.iter().find(named))
    }

    /// The terminology.
    pub(super) fn system(&self) -> Option<SystemId> {
        match known_system(self.system) {
            Some(known) => Some(known.id()),
            None => SystemId::new(self.system).ok(),
        }
    }

    /// What comes after the prefix, as the terminology writes its codes.
    pub(super) fn code(&self, local: &str) -> Option<Code> {
        match self.in_codes {
            Some(prefix) => Code::new(&format!("{prefix}:{local}")).ok(),
            None => Code::new(local).ok(),
        }
    }
}
