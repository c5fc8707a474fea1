use std::fmt;

use super::files::{Claim, Part, ReleaseFile};
use super::source::until_error;
use super::{
    ImportError, ImportOptions, ReleaseFiles, Source, claml, cms_codes, cms_tabular, cvx,
    delimited, fhir, icd11, loinc, mesh, obo, pcs_codes, pcs_tables, rf2, rxnorm,
};

/// A publisher's file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// The tabular list of ICD-10-CM: the XML that NCHS and CMS publish, alone or in its ZIP, with
    /// the XML of the alphabetical indexes and tables where they are given.
    CmsTabular,
    /// The order file or the codes file of ICD-10-CM, as CMS publishes them.
    CmsCodes,
    /// The order file or the codes file of ICD-10-PCS, as CMS publishes them, with the XML of
    /// tables, index and definitions where they are given.
    PcsCodes,
    /// The XML tables of ICD-10-PCS, from which its codes are built.
    PcsTables,
    /// MeSH in NLM's XML: descriptors, qualifiers and supplementary records.
    Mesh,
    /// RxNorm in NLM's rich release format.
    RxNorm,
    /// SNOMED CT in its release format 2.
    Rf2,
    /// LOINC's table and what its release has beside it.
    Loinc,
    /// An ontology in OBO 1.2 or 1.4.
    Obo,
    /// The vaccine codes of CDC.
    Cvx,
    /// Code systems and value sets of FHIR R4 and R5 in JSON, alone, in bundles or in packages: each
    /// is a release.
    Fhir,
    /// A classification in ClaML: ICD-10 of WHO and its national editions, ICF.
    Claml,
    /// ICD-11 MMS, as the text of its simple tabulation.
    Icd11,
    /// A table with a code in each row.
    Delimited,
}

impl Format {
    /// All formats, in the order in which they are listed to people; of several that a folder of
    /// one terminology holds, the first is read.
    pub const ALL: &'static [Self] = &[
        Self::CmsTabular,
        Self::CmsCodes,
        Self::PcsCodes,
        Self::PcsTables,
        Self::Mesh,
        Self::RxNorm,
        Self::Rf2,
        Self::Loinc,
        Self::Obo,
        Self::Cvx,
        Self::Fhir,
        Self::Claml,
        Self::Icd11,
        Self::Delimited,
    ];

    /// The name used on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::CmsTabular => "icd10cm-tabular",
            Self::CmsCodes => "icd10cm-codes",
            Self::PcsCodes => "icd10pcs-codes",
            Self::PcsTables => "icd10pcs-tables",
            Self::Mesh => "mesh",
            Self::RxNorm => "rxnorm",
            Self::Rf2 => "rf2",
            Self::Loinc => "loinc",
            Self::Obo => "obo",
            Self::Cvx => "cvx",
            Self::Fhir => "fhir",
            Self::Claml => "claml",
            Self::Icd11 => "icd11",
            Self::Delimited => "table",
        }
    }

    /// The name for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::CmsTabular => "the ICD-10-CM tabular list (XML)",
            Self::CmsCodes => "the ICD-10-CM order or codes file (text)",
            Self::PcsCodes => "the ICD-10-PCS order or codes file (text)",
            Self::PcsTables => "the ICD-10-PCS tables (XML)",
            Self::Mesh => "MeSH descriptors, qualifiers or supplementary records (XML)",
            Self::RxNorm => "RxNorm (RXNCONSO.RRF)",
            Self::Rf2 => "SNOMED CT (RF2 snapshot: sct2_Concept_Snapshot…)",
            Self::Loinc => "LOINC (Loinc.csv)",
            Self::Obo => "an OBO ontology",
            Self::Cvx => "CVX (CDC's table of vaccines)",
            Self::Fhir => "FHIR code systems or value sets (JSON, or an NPM package)",
            Self::Claml => "a classification in ClaML (ICD-10, CID-10, ICD-10-GM)",
            Self::Icd11 => "the ICD-11 MMS simple tabulation (text)",
            Self::Delimited => "a table with named columns (CSV, TSV)",
        }
    }

    /// The format with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.name() == name)
    }

    /// What the files of one terminology have in common, whichever of its formats they are in.
    pub(super) fn family(self) -> &'static str {
        match self {
            Self::CmsTabular | Self::CmsCodes => "icd10cm",
            Self::PcsCodes | Self::PcsTables => "icd10pcs",
            other => other.name(),
        }
    }

    /// Whether a release comes in several files of equal rank.
    pub(super) fn is_in_parts(self) -> bool {
        matches!(
            self,
            // CMS puts an order file and a codes file into one archive.
            Self::CmsCodes | Self::PcsCodes | Self::Mesh | Self::RxNorm | Self::Rf2 | Self::Loinc
        )
    }

    /// Whether each file with concepts is a release of its own.
    pub(super) fn is_collection(self) -> bool {
        matches!(self, Self::Fhir)
    }

    /// What a file that begins like this is, and to which format.
    pub(super) fn claim(file: &ReleaseFile, beginning: &str) -> Option<Claim> {
        Self::ALL.iter().find_map(|format| {
            let part = match format {
                Self::CmsTabular => cms_tabular::claim(file, beginning),
                Self::CmsCodes => cms_codes::claim(file, beginning),
                Self::PcsCodes => pcs_codes::claim(file, beginning),
                Self::PcsTables => pcs_tables::claim(file, beginning),
                Self::Mesh => mesh::claim(file, beginning),
                Self::RxNorm => rxnorm::claim(file, beginning),
                Self::Rf2 => rf2::claim(file, beginning),
                Self::Loinc => loinc::claim(file, beginning),
                Self::Obo => obo::claim(file, beginning),
                Self::Cvx => cvx::claim(file, beginning),
                Self::Fhir => fhir::claim(file, beginning),
                Self::Claml => claml::claim(file, beginning),
                Self::Icd11 => icd11::claim(file, beginning),
                Self::Delimited => delimited::claim(file, beginning),
            }?;
            Some(Claim { format: *format, part })
        })
    }

    /// The claim of a table on any text, whatever other format it looks like.
    pub(super) fn as_table(file: &ReleaseFile) -> Option<Claim> {
        let is_text = matches!(file.look, super::look::Look::Text { .. });
        is_text.then_some(Claim { format: Self::Delimited, part: Part::Release })
    }

    /// Begins to read files of this format.
    pub(super) fn open(
        self,
        files: &ReleaseFiles,
        options: &ImportOptions,
    ) -> Result<Box<dyn Source>, ImportError> {
        let source = match self {
            Self::CmsTabular => cms_tabular::open(files),
            Self::CmsCodes => cms_codes::open(files),
            Self::PcsCodes => pcs_codes::open(files),
            Self::PcsTables => pcs_tables::open(files),
            Self::Mesh => mesh::open(files),
            Self::RxNorm => rxnorm::open(files, options),
            Self::Rf2 => rf2::open(files, options),
            Self::Loinc => loinc::open(files),
            Self::Obo => obo::open(files),
            Self::Cvx => cvx::open(files),
            Self::Fhir => fhir::open(files, options),
            Self::Claml => claml::open(files),
            Self::Icd11 => icd11::open(files),
            Self::Delimited => delimited::open(files, options),
        }?;
        Ok(until_error(source))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
