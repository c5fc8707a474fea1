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

fn release(alias: &str, said: Option<CodeCase>) -> Release {
    let invented = || SystemId::new("http://example.org/x").expect("a URI");
    Release {
        system: known_system(alias).map_or_else(invented, KnownSystem::id),
        alias: alias.to_owned(),
        version: "1".to_owned(),
        date: None,
        title: String::new(),
        publisher: None,
        license: None,
        notices: Vec::new(),
        language: "en".to_owned(),
        content: Content::Complete,
        code_case: said,
        hierarchy_meaning: None,
    }
}

#[test]
fn case_folds_unless_the_terminology_or_its_release_says_otherwise() {
    use CodeCase::{Insensitive, Sensitive};
    let shape = |alias, said| CodeShape::of_release(&release(alias, said));
    assert_eq!(shape("x", None), CodeShape::FoldCase);
    assert_eq!(shape("x", Some(Sensitive)), CodeShape::Exact);
    assert_eq!(shape("x", Some(Insensitive)), CodeShape::FoldCase);
    // Whatever a resource says: this is known.
    assert_eq!(shape("icd10cm", Some(Sensitive)), CodeShape::Icd10Cm);
    assert_eq!(shape("ucum", Some(Insensitive)), CodeShape::Exact);
    // Written as ICD-10-CM is, and read without its dot.
    assert_eq!(shape("cid10", None).canonical("e119").as_deref(), Some("E11.9"));
    assert_eq!(shape("icd10", None), CodeShape::Icd10Cm);
    assert!(!CodeShape::Exact.folds_case() && CodeShape::Mesh.folds_case());
}

#[test]
fn a_release_of_an_earlier_medterm_says_nothing_of_case_and_hierarchy() {
    let json = serde_json::to_string(&release("x", None)).expect("it is JSON");
    assert!(!json.contains("codeCase") && !json.contains("hierarchyMeaning"), "{json}");
    let read: Release = serde_json::from_str(&json).expect("it is one");
    assert_eq!(read, release("x", None));
    let mut said = release("x", Some(CodeCase::Sensitive));
    said.hierarchy_meaning = Some(HierarchyMeaning::GroupedBy);
    let json = serde_json::to_string(&said).expect("it is JSON");
    assert!(json.contains("\"hierarchyMeaning\":\"grouped-by\""), "{json}");
    assert_eq!(serde_json::from_str::<Release>(&json).expect("it is one"), said);
    let subsumes = HierarchyMeaning::ALL.map(HierarchyMeaning::is_subsumption);
    assert_eq!(subsumes, [true, true, false, false]);
    assert!(!said.has_subsumption() && read.has_subsumption());
}

#[test]
fn a_text_that_breaks_a_rule_of_its_terminology_is_no_code() {
    let of = |alias: &str, typed: &str| {
        CodeFlaw::of(&known_system(alias).expect("in the register").id(), typed)
    };
    let digit = |instead: &str| Some(CodeFlaw::CheckDigit { instead: instead.to_owned() });
    assert_eq!(of("loinc", "2345-7"), None);
    assert_eq!(of("loinc", " 2345-6 "), digit("2345-7"));
    for part in ["LP1-8", "LA12", "2345", "-7", "2345-77", "23456-"] {
        assert_eq!(of("loinc", part), None, "{part}");
    }
    // The root concept, and its identifier with two digits swapped.
    assert_eq!(of("snomed", "138875005"), None);
    assert!(of("snomed", "138857005").is_some_and(|flaw| flaw.suggestion().is_some()));
    // A description, a relationship and a concept of a namespace, made for this test.
    for (partition, expected) in [(11, Some("description")), (12, Some("relationship")), (10, None)]
    {
        let id = sctid::with_check_digit(731_000_124_000 + partition * 10).expect("a digit fits");
        let expected = expected.map(|of| CodeFlaw::OtherIdentifier { of });
        assert_eq!(of("snomed", &id.to_string()), expected, "{id}");
    }
    for text in ["", "heart", "12345", "0138875005"] {
        assert!(matches!(of("snomed", text), Some(CodeFlaw::Shape { .. })), "{text:?}");
    }
    let instead = "0DTJ4Z1".to_owned();
    assert_eq!(of("icd10pcs", "odtj4zi"), Some(CodeFlaw::LetterForDigit { instead }));
    for text in ["0DTJ4ZZ", "0DTJ", "ODTJ", "\u{130}DTJ4ZZ"] {
        assert_eq!(of("icd10pcs", text), None, "{text:?}");
    }
    assert_eq!(of("icd10cm", "what?"), None);
}

#[test]
fn tree_numbers_are_told_from_identifiers() {
    for number in ["A01", "C14.280.647", "V03.100"] {
        assert!(is_tree_number(number), "{number}");
    }
    for other in ["", "D003924", "C14.28", "C1", "C14.", "c14", "C14.280.", "014", "CC4", "Cé4"] {
        assert!(!is_tree_number(other), "{other}");
    }
}

#[test]
fn a_region_answers_for_its_language() {
    for (wanted, tag, fits) in [
        ("de", "de", true),
        ("de", "de-CH", true),
        ("DE-ch", "de-CH", true),
        ("de-CH", "de", false),
        ("d", "de", false),
        ("en", "e", false),
        ("é", "e", false),
    ] {
        assert_eq!(language_fits(wanted, tag), fits, "{wanted} {tag}");
    }
}
