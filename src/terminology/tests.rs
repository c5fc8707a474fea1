use super::*;

#[test]
fn icd10cm_codes_are_read_in_every_spelling() {
    for typed in ["E11.9", "e11.9", "E119", " E11.9. ", "e 11 9", "E11. 9", "Ｅ１１．９"] {
        assert_eq!(CodeShape::Icd10Cm.canonical(typed).as_deref(), Some("E11.9"), "{typed:?}");
    }
    assert_eq!(CodeShape::Icd10Cm.canonical("i21").as_deref(), Some("I21"));
    assert_eq!(CodeShape::Icd10Cm.canonical("s0000xa").as_deref(), Some("S00.00XA"));
    assert_eq!(CodeShape::Icd10Cm.canonical("qa001").as_deref(), Some("QA0.01"));
    for typed in ["E1", "heart", "flu", "E11.9; I10", "E11-9", "", "ÉÉ1", "S0000XAB"] {
        assert_eq!(CodeShape::Icd10Cm.canonical(typed), None, "{typed:?}");
    }
}

#[test]
fn icd10pcs_codes_have_seven_characters_without_i_and_o() {
    assert_eq!(CodeShape::Icd10Pcs.canonical("0dtj4zz").as_deref(), Some("0DTJ4ZZ"));
    assert_eq!(CodeShape::Icd10Pcs.canonical("ODTJ4ZZ"), None);
    assert_eq!(CodeShape::Icd10Pcs.prefix("0dtj").as_deref(), Some("0DTJ"));
}

#[test]
fn a_known_system_answers_to_alias_uri_and_oid() {
    for name in [
        "icd10cm",
        "ICD10CM",
        "http://hl7.org/fhir/sid/icd-10-cm",
        "2.16.840.1.113883.6.90",
        "urn:oid:2.16.840.1.113883.6.90",
    ] {
        assert_eq!(known_system(name).map(|k| k.alias), Some("icd10cm"), "{name}");
    }
    assert!(known_system("icd-10-cm-ish").is_none());
}

#[test]
fn names_in_the_register_are_used_once() {
    let mut names: Vec<&str> = known_systems()
        .iter()
        .flat_map(|k| {
            [k.alias, k.uri].into_iter().chain(k.oids.iter().copied()).chain(k.also.iter().copied())
        })
        .collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}

#[test]
fn a_code_is_never_empty_or_hidden_text() {
    assert!(Code::new("  ").is_err());
    assert!(Code::new("A\u{7}B").is_err());
    assert_eq!(Code::new(" A00 ").map(|c| c.to_string()), Ok("A00".to_owned()));
}

#[test]
fn what_is_only_close_in_meaning_is_searched_and_never_the_name_itself() {
    use super::DesignationUse::{Borrowed, Display, Related, Synonym, TableCell, WordBag};
    assert!(Related.is_embedded() && Borrowed.is_embedded() && !WordBag.is_embedded());
    assert!(!TableCell.is_embedded() && TableCell.names_literally());
    assert!(!Related.names_literally() && !Borrowed.names_literally());
    assert!(Display.names_literally() && Synonym.names_literally());
    assert_eq!(super::DesignationUse::from_name("related"), Some(Related));
}

#[test]
fn relationships_are_fhirs_and_turn_around() {
    use super::Relationship;
    for one in Relationship::ALL {
        assert_eq!(Relationship::from_name(one.name()), Some(one));
        assert_eq!(one.inverse().inverse(), one);
        let json = serde_json::to_string(&one).unwrap();
        assert_eq!(json, format!("\"{}\"", one.name()));
    }
    let narrower = Relationship::SourceIsNarrowerThanTarget;
    assert_eq!(narrower.inverse(), Relationship::SourceIsBroaderThanTarget);
}
