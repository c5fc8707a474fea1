//! What is owed wherever the content of a terminology goes: where it is from, how it is cited, and
//! what must be said with it. The one table of it; licences are never merged.

/// The duties of one terminology, where the release itself does not say.
#[derive(Debug, Clone, Copy)]
pub(super) struct Duties {
    alias: &'static str,
    /// Who publishes it.
    pub(super) source: &'static str,
    /// The publisher's page.
    pub(super) url: &'static str,
    /// Its licence in one line.
    pub(super) license: &'static str,
    /// What must be said with it.
    pub(super) notices: &'static [&'static str],
    /// What is known of its next version.
    pub(super) revision: &'static str,
}

/// The duties of a terminology that has an alias in the register.
pub(super) fn duties(alias: &str) -> Option<&'static Duties> {
    DUTIES.iter().find(|duties| duties.alias == alias)
}

const WHO: &str = "ICD-10 is © World Health Organization.";

/// Sources: the licence pages of the publishers named, read in 2026.
const DUTIES: &[Duties] = &[
    Duties {
        alias: "icd10cm",
        source: "CDC/NCHS and CMS",
        url: "https://www.cdc.gov/nchs/icd/icd-10-cm/",
        license: "a work of the US government, in the public domain",
        notices: &[
            WHO,
            "ICD-10-CM is the adaptation of ICD-10 that WHO authorized for US government purposes.",
        ],
        revision: "revised each October 1, with an update on April 1",
    },
    Duties {
        alias: "icd10pcs",
        source: "CMS",
        url: "https://www.cms.gov/medicare/coding-billing/icd-10-codes",
        license: "a work of the US government, in the public domain",
        notices: &[],
        revision: "revised each October 1, with an update on April 1",
    },
    Duties {
        alias: "icd9cm",
        source: "CDC/NCHS and CMS",
        url: "https://www.cms.gov/medicare/coding-billing/icd-10-codes",
        license: "a work of the US government, in the public domain",
        notices: &["ICD-9-CM was replaced on October 1, 2015, and is not maintained."],
        revision: "no longer revised",
    },
    Duties {
        alias: "icd10",
        source: "World Health Organization",
        url: "https://icd.who.int/browse10/",
        license: "WHO's terms for ICD-10",
        notices: &["© World Health Organization."],
        revision: "no longer revised; ICD-11 follows it",
    },
    Duties {
        alias: "icd11",
        source: "World Health Organization",
        url: "https://icd.who.int/",
        license: "CC BY-ND 3.0 IGO",
        notices: &[
            "ICD-11 is © World Health Organization, CC BY-ND 3.0 IGO: code, URI and title are shown \
             together and unchanged.",
        ],
        revision: "revised each January or February",
    },
    Duties {
        alias: "snomed",
        source: "SNOMED International",
        url: "https://www.snomed.org/",
        license: "SNOMED CT license; the Global Patient Set is CC BY 4.0",
        notices: &[
            "This material includes SNOMED Clinical Terms (SNOMED CT), used by permission of SNOMED \
             International. SNOMED CT was originally created by the College of American Pathologists.",
        ],
        revision: "the international edition is revised each month",
    },
    Duties {
        alias: "loinc",
        source: "Regenstrief Institute",
        url: "https://loinc.org/",
        license: "LOINC license (https://loinc.org/license)",
        notices: &[
            "This material contains content from LOINC (https://loinc.org). LOINC is copyright \
             Regenstrief Institute, Inc. and the LOINC Committee, and available at no cost under the \
             license at https://loinc.org/license. LOINC is a registered United States trademark of \
             Regenstrief Institute, Inc.",
            "A term with an EXTERNAL_COPYRIGHT_NOTICE is also under the terms of its owner: see the \
             property of that name.",
        ],
        revision: "revised each February and August",
    },
    Duties {
        alias: "rxnorm",
        source: "US National Library of Medicine",
        url: "https://www.nlm.nih.gov/research/umls/rxnorm/",
        license: "UMLS Metathesaurus license for sources with restrictions; RXNORM itself is free of them",
        notices: &[
            "This product uses publicly available data courtesy of the US National Library of \
             Medicine (NLM), National Institutes of Health, Department of Health and Human Services; \
             NLM is not responsible for the product and does not endorse or recommend it.",
            "It may not be the most current data available from NLM.",
        ],
        revision: "revised each month, with weekly updates",
    },
    Duties {
        alias: "mesh",
        source: "US National Library of Medicine",
        url: "https://www.nlm.nih.gov/mesh/",
        license: "NLM's terms for MeSH: free to use and share with attribution",
        notices: &[
            "Data courtesy of the US National Library of Medicine (NLM). It may not be the most \
             current data available from NLM, which does not endorse this product.",
        ],
        revision: "revised each year",
    },
    Duties {
        alias: "hpo",
        source: "Human Phenotype Ontology",
        url: "https://hpo.jax.org/",
        license: "HPO license (https://hpo.jax.org/license)",
        notices: &["This service uses the Human Phenotype Ontology; find out more at \
             http://www.human-phenotype-ontology.org."],
        revision: "revised several times a year",
    },
    Duties {
        alias: "mondo",
        source: "Monarch Initiative",
        url: "https://mondo.monarchinitiative.org/",
        license: "CC BY 4.0",
        notices: &["Mondo Disease Ontology, Monarch Initiative, CC BY 4.0."],
        revision: "revised each month",
    },
    Duties {
        alias: "doid",
        source: "Disease Ontology, University of Maryland",
        url: "https://disease-ontology.org/",
        license: "CC0 1.0",
        notices: &[],
        revision: "revised each month",
    },
    Duties {
        alias: "cvx",
        source: "CDC",
        url: "https://www2.cdc.gov/vaccines/iis/iisstandards/vaccines.asp?rpt=cvx",
        license: "a work of the US government, in the public domain",
        notices: &[],
        revision: "revised as vaccines come and go",
    },
];
