//! A small sound release of every format, for [`crate::hostile`] to harm. A new format is one entry.

use std::path::{Path, PathBuf};

use medterm::formats::{Format, ImportOptions};
use medterm::terminology::SystemId;

/// A release in a folder of the fixtures, and what makes its format what it is.
pub(crate) struct Sample {
    pub(crate) format: Format,
    /// Its folder.
    pub(crate) folder: &'static str,
    /// The files to harm, the one with the concepts first.
    pub(crate) harmed: &'static [&'static str],
    /// Files of the folder that are a release of their own.
    pub(crate) without: &'static [&'static str],
    /// What a record of the first file is.
    pub(crate) record: Option<Record>,
    /// Changes to the first file after which a parent is missing, or a concept is above itself:
    /// a text and what to put in its place.
    pub(crate) dangling: Option<(&'static str, &'static str)>,
    pub(crate) cycle: Option<(&'static str, &'static str)>,
}

/// How the records of a file are divided.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Record {
    Line,
    /// An element of this name.
    Element(&'static str),
    /// Paragraphs, each beginning with this line.
    Paragraph(&'static str),
}

impl Sample {
    pub(crate) fn folder(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(self.folder)
    }

    pub(crate) fn is_xml(&self, file: &str) -> bool {
        file.ends_with(".xml")
    }

    /// What has to be said beside the files.
    pub(crate) fn options(&self) -> ImportOptions {
        let mut options = ImportOptions::default();
        if self.format == Format::Delimited {
            options.system = Some(SystemId::new("https://hospital.example/wards").expect("a URI"));
            options.version = Some("1".to_owned());
        }
        options
    }
}

pub(crate) const SAMPLES: &[Sample] = &[
    Sample {
        format: Format::CmsTabular,
        folder: "icd10cm-index",
        harmed: &["list.xml", "index.xml", "drugs.xml"],
        without: &[],
        record: Some(Record::Element("diag")),
        // The elements stand in one another: neither can be written.
        dangling: None,
        cycle: None,
    },
    Sample {
        format: Format::CmsCodes,
        folder: "icd10cm-codes",
        harmed: &["icd10cm-order-2024.txt"],
        without: &["icd10cm-codes-2024.txt"],
        record: Some(Record::Line),
        dangling: None,
        cycle: None,
    },
    Sample {
        format: Format::CmsCodes,
        folder: "icd10cm-codes",
        harmed: &["icd10cm-codes-2024.txt"],
        without: &["icd10cm-order-2024.txt"],
        record: Some(Record::Line),
        dangling: None,
        cycle: None,
    },
    Sample {
        format: Format::PcsCodes,
        folder: "icd10pcs",
        harmed: &[
            "icd10pcs_order_2024.txt",
            "icd10pcs_tables_2024.xml",
            "icd10pcs_index_2024.xml",
            "icd10pcs_definitions_2024.xml",
        ],
        without: &["icd10pcs_codes_2024.txt"],
        record: Some(Record::Line),
        dangling: None,
        cycle: None,
    },
    Sample {
        format: Format::PcsTables,
        folder: "icd10pcs",
        harmed: &["icd10pcs_tables_2024.xml"],
        without: &[
            "icd10pcs_codes_2024.txt",
            "icd10pcs_order_2024.txt",
            "icd10pcs_index_2024.xml",
            "icd10pcs_definitions_2024.xml",
        ],
        record: Some(Record::Element("pcsTable")),
        dangling: None,
        cycle: None,
    },
    Sample {
        format: Format::Mesh,
        folder: "mesh",
        harmed: &["desc2099.xml", "qual2099.xml", "supp2099.xml"],
        without: &[],
        record: Some(Record::Element("DescriptorRecord")),
        dangling: None,
        cycle: None,
    },
    Sample {
        format: Format::RxNorm,
        folder: "rxnorm",
        harmed: &[
            "RxNorm_full_09022025/rrf/RXNCONSO.RRF",
            "RxNorm_full_09022025/rrf/RXNREL.RRF",
            "RxNorm_full_09022025/rrf/RXNSAT.RRF",
        ],
        without: &[],
        record: Some(Record::Line),
        dangling: None,
        cycle: None,
    },
    Sample {
        format: Format::Rf2,
        folder: "rf2/international",
        harmed: &[
            "Snapshot/Terminology/sct2_Concept_Snapshot_INT_20250101.txt",
            "Snapshot/Terminology/sct2_Description_Snapshot-en_INT_20250101.txt",
            "Snapshot/Terminology/sct2_Relationship_Snapshot_INT_20250101.txt",
            "Snapshot/Refset/Language/der2_cRefset_LanguageSnapshot-en_INT_20250101.txt",
        ],
        without: &[],
        record: Some(Record::Line),
        dangling: None,
        cycle: None,
    },
    Sample {
        format: Format::Loinc,
        folder: "loinc",
        harmed: &[
            "Loinc_2.81/LoincTable/Loinc.csv",
            "Loinc_2.81/AccessoryFiles/ComponentHierarchyBySystem/ComponentHierarchyBySystem.csv",
            "Loinc_2.81/AccessoryFiles/ConsumerName/ConsumerName.csv",
        ],
        without: &[],
        record: Some(Record::Line),
        dangling: None,
        cycle: None,
    },
    Sample {
        format: Format::Obo,
        folder: "obo",
        harmed: &["tides.obo"],
        without: &[],
        record: Some(Record::Paragraph("[Term]")),
        dangling: Some((
            "\nid: TIDE:0000001\nname: All\n",
            "\nid: TIDE:0000001\nname: All\nis_a: TIDE:9\n",
        )),
        cycle: Some((
            "\nid: TIDE:0000001\nname: All\n",
            "\nid: TIDE:0000001\nname: All\nis_a: TIDE:0000002\n",
        )),
    },
    Sample {
        format: Format::Cvx,
        folder: "cvx",
        harmed: &["cvx.txt"],
        without: &["cvx.xml"],
        record: Some(Record::Line),
        dangling: None,
        cycle: None,
    },
    Sample {
        format: Format::Cvx,
        folder: "cvx",
        harmed: &["cvx.xml"],
        without: &["cvx.txt"],
        record: Some(Record::Element("CVXInfo")),
        dangling: None,
        cycle: None,
    },
    Sample {
        format: Format::Fhir,
        folder: "fhir",
        harmed: &["CodeSystem-ailments.json"],
        without: &[
            "Bundle-mixed.json",
            "CodeSystem-parts.json",
            "ConceptMap-r4.json",
            "ConceptMap-r5.json",
            "ValueSet-expanded.json",
            "ValueSet-listed.json",
        ],
        record: None,
        dangling: None,
        cycle: None,
    },
    Sample {
        format: Format::Claml,
        folder: "claml",
        harmed: &["lamps.xml"],
        without: &[],
        record: Some(Record::Element("Class")),
        dangling: Some((
            "kind=\"block\">\n    <SuperClass code=\"I\"/>",
            "kind=\"block\">\n    <SuperClass code=\"IX\"/>",
        )),
        cycle: Some(("<SubClass code=\"L10-L19\"/>", "<SuperClass code=\"L10-L19\"/>")),
    },
    Sample {
        format: Format::Icd11,
        folder: "icd11",
        harmed: &["SimpleTabulation-ICD-11-MMS-en.txt"],
        without: &[],
        record: Some(Record::Line),
        dangling: None,
        cycle: None,
    },
    Sample {
        format: Format::Delimited,
        folder: "table",
        harmed: &["wards-2026-01-15.csv"],
        without: &[],
        record: Some(Record::Line),
        dangling: Some(("Children's ward,W,", "Children's ward,W77,")),
        cycle: Some(("W,Wards,,", "W,Wards,W1,")),
    },
];
