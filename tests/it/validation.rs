//! Validating and looking up: displays, languages, batches, letter case, check digits, excerpts, and
//! what is said of a code that is none.

use std::path::Path;

use medterm::catalog::{
    DisplayCheck, LookupRequest, MAX_LOOKUPS, MAX_VALIDATIONS, Severity, SuggestionReason,
    Undetermined, ValidateRequest, ValidateResponse,
};
use medterm::terminology::{
    CodeCase, Concept, Content, Designation, DesignationUse, HierarchyMeaning, Property, Release,
    known_system, property,
};
use medterm::{Catalog, Error};
use serde_json::json;

use crate::invented::{below, concept, invented};
use crate::support::*;

fn issues(response: &ValidateResponse) -> Vec<(&str, Severity)> {
    response.issues.iter().map(|issue| (issue.code.as_str(), issue.severity)).collect()
}

fn suggested(response: &ValidateResponse) -> Vec<(&str, SuggestionReason)> {
    response.suggestions.iter().map(|one| (one.code.as_str(), one.reason)).collect()
}

/// A release under the name of a terminology that others publish, of invented concepts.
fn named_like(alias: &str) -> Release {
    let known = known_system(alias).expect("in the register");
    let mut release = invented(alias);
    release.system = known.id();
    release
}

fn add(store: &Path, release: &Release, concepts: &[Concept]) {
    build(store, release, concepts, None).expect("it builds");
}

fn open(store: &Path) -> Catalog {
    let catalog = Catalog::open(store).expect("it opens");
    assert!(catalog.failures().is_empty(), "{:?}", catalog.failures());
    catalog
}

fn validate(catalog: &Catalog, system: &str, code: &str) -> ValidateResponse {
    catalog.validate_code(&ValidateRequest::new(system, code)).expect("it answers")
}

/// A kite with names in three languages.
fn kites() -> Vec<Concept> {
    let mut kite = concept("kite", "Kite");
    for (language, use_, value) in [
        ("en", DesignationUse::Synonym, "Paper bird"),
        ("de", DesignationUse::Synonym, "Papierdrachen"),
        ("de", DesignationUse::Display, "Drachen"),
        ("zh-TW", DesignationUse::Synonym, "風箏"),
        ("en", DesignationUse::Related, "Flying toy"),
    ] {
        kite.designations.push(Designation::new(language, use_, value));
    }
    vec![kite, below(concept("box", "Box kite"), &["kite"])]
}

#[test]
fn a_wrong_display_is_invalid_or_warned_of() {
    let store = folder("displays");
    add(&store, &invented("kites"), &kites());
    let catalog = open(&store);
    let of = || ValidateRequest::new("kites", "kite");
    let ask = |request: &ValidateRequest| catalog.validate_code(request).expect("it answers");
    for name in ["Kite", "kite", "PAPER  bird", "Drachen", "風箏"] {
        let answer = ask(&of().display(name));
        assert_eq!((answer.valid, issues(&answer)), (Some(true), vec![]), "{name}");
    }
    for name in ["Flying toy", "Box kite", "", "Kit"] {
        let strict = ask(&of().display(name));
        assert_eq!(strict.valid, Some(false), "{name}");
        assert_eq!(issues(&strict), [("invalid-display", Severity::Error)], "{name}");
        assert_eq!(strict.display.as_deref(), Some("Kite"), "what it is called is told");
        let lenient = ask(&of().display(name).display_check(DisplayCheck::Lenient));
        assert_eq!(lenient.valid, Some(true), "{name}");
        assert_eq!(issues(&lenient), [("invalid-display", Severity::Warning)], "{name}");
        assert_eq!(lenient.message, strict.message);
    }
}

#[test]
fn a_display_may_be_asked_for_in_a_language() {
    let store = folder("languages");
    add(&store, &invented("kites"), &kites());
    let catalog = open(&store);
    let ask = |language: &str, name: &str| {
        let request = ValidateRequest::new("kites", "kite").language(language).display(name);
        catalog.validate_code(&request).expect("it answers")
    };
    let german = ask("de-CH", "drachen");
    assert_eq!((german.valid, german.display.as_deref()), (Some(true), Some("Drachen")));
    let german = ask("de", "Papierdrachen");
    assert_eq!((german.valid, issues(&german)), (Some(true), vec![]));
    let english = ask("de", "Kite");
    assert_eq!(issues(&english), [("invalid-display", Severity::Error)]);
    let message = english.message.unwrap_or_default();
    assert!(message.contains("\"en\"") && message.contains("\"Drachen\""), "{message}");
    assert_eq!(ask("zh", "風箏").display.as_deref(), Some("風箏"));
    // Without a name in the language, any name is one, and that is said.
    let french = ask("fr", "Kite");
    assert_eq!(french.valid, Some(true));
    assert_eq!(issues(&french), [("no-display-in-language", Severity::Information)]);

    let request = LookupRequest::new("kites", "kite").language("de");
    let found = catalog.lookup_with(&request).expect("it is there");
    assert_eq!((found.display.as_str(), found.language.as_str()), ("Drachen", "de"));
    let names: Vec<&str> = found.designations.iter().map(|one| one.value.as_str()).collect();
    assert_eq!(names, ["Kite", "Paper bird", "Papierdrachen", "風箏", "Flying toy"]);
    let usual = catalog.lookup("kites", "kite").expect("it is there");
    assert_eq!((usual.display.as_str(), usual.language.as_str()), ("Kite", "en"));
}

#[test]
fn codes_in_another_case_are_others_where_the_release_says_so() {
    let store = folder("case");
    let codes = [concept("Male", "Male"), concept("female", "Female"), concept("m", "Milli")];
    for (alias, case) in [
        ("strict", Some(CodeCase::Sensitive)),
        ("loose", Some(CodeCase::Insensitive)),
        ("unsaid", None),
    ] {
        let mut release = invented(alias);
        release.code_case = case;
        add(&store, &release, &codes);
    }
    add(&store, &named_like("ucum"), &[concept("m", "Meter"), concept("Mg", "Megagram")]);
    let catalog = open(&store);
    for alias in ["loose", "unsaid"] {
        let folded = validate(&catalog, alias, "MALE");
        assert_eq!(folded.valid, Some(true), "{alias}");
        assert_eq!(folded.normalized_code.as_ref().map(|code| code.as_str()), Some("Male"));
    }
    for (alias, typed, right) in
        [("strict", "male", "Male"), ("strict", "FEMALE", "female"), ("ucum", "mg", "Mg")]
    {
        let other = validate(&catalog, alias, typed);
        assert_eq!(issues(&other), [("unknown-code", Severity::Error)], "{typed}");
        assert_eq!(suggested(&other), [(right, SuggestionReason::OtherCase)], "{typed}");
        let error = catalog.lookup(alias, typed).expect_err("it is no code");
        assert!(matches!(&error, Error::UnknownCode { .. }), "{error}");
        assert!(error.to_string().contains(right), "{error}");
    }
    assert_eq!(validate(&catalog, "strict", "Male").normalized_code, None);
    // Where case tells codes apart it tells names apart.
    let grams = ValidateRequest::new("ucum", "Mg").display("megagram");
    let answer = catalog.validate_code(&grams).expect("it answers");
    assert_eq!(issues(&answer), [("invalid-display", Severity::Error)]);
}

#[test]
fn an_identifier_that_cannot_be_one_is_told_from_one_that_is_unknown() {
    let store = folder("flaws");
    let mut excerpt = named_like("snomed");
    excerpt.content = Content::Fragment;
    add(&store, &excerpt, &[concept("138875005", "Everything")]);
    add(&store, &named_like("loinc"), &[concept("2345-7", "Sweetness"), concept("4-0", "Four")]);
    add(&store, &named_like("icd10pcs"), &[concept("0DTJ4ZZ", "Taking out")]);
    let catalog = open(&store);
    for (system, code, instead) in [
        ("loinc", "2345-6", "2345-7"),
        ("snomed", "138875006", "138875005"),
        ("icd10pcs", "odtj4zz", "0DTJ4ZZ"),
    ] {
        let answer = validate(&catalog, system, code);
        assert_eq!(answer.valid, Some(false), "{code}: not even of an excerpt");
        assert_eq!(issues(&answer), [("invalid-code-format", Severity::Error)], "{code}");
        assert_eq!(suggested(&answer), [(instead, SuggestionReason::Corrected)], "{code}");
        let error = catalog.lookup(system, code).expect_err("it is no code");
        assert_eq!(error.reason(), "invalid_code_format", "{error}");
        assert!(error.to_string().contains(instead), "{error}");
    }
    // Sound, and not there.
    assert_eq!(issues(&validate(&catalog, "loinc", "1-8")), [("unknown-code", Severity::Error)]);
    let unknown = validate(&catalog, "snomed", "10032000999101");
    assert_eq!(unknown.valid, None);
    assert_eq!(issues(&unknown), [("code-not-in-fragment", Severity::Warning)]);
    let error = catalog.lookup("snomed", "10032000999101").expect_err("it is not there");
    assert_eq!(error.reason(), "unknown_code");
    assert!(error.to_string().contains("excerpt"), "{error}");
    // The identifier of a description.
    let description = validate(&catalog, "snomed", "10032000999117");
    assert_eq!(issues(&description), [("invalid-code-format", Severity::Error)]);
    assert!(description.message.is_some_and(|text| text.contains("description")));
}

#[test]
fn what_may_have_been_meant_is_suggested() {
    let typed = |code: &str| validate(complete(), "icd10cm", code);
    let answer = typed("E11.99");
    assert_eq!(suggested(&answer)[0], ("E11.9", SuggestionReason::Above));
    assert!(suggested(&answer).contains(&("E11.8", SuggestionReason::Near)));
    assert_eq!(answer.suggestions[0].display, "Type 2 diabetes mellitus without complications");
    let longer = typed("IL50.1");
    assert!(suggested(&longer).contains(&("I50.1", SuggestionReason::Mistyped)), "{longer:?}");
    for nonsense in ["", "E", "💔💔💔💔", "Xyzzy Xyzzy Xyzzy Xyzzy Xyzzy Xyzzy"] {
        let answer = typed(nonsense);
        assert_eq!(answer.valid, Some(false), "{nonsense:?}");
        assert!(answer.suggestions.len() <= 5, "{nonsense:?}");
    }
    let store = folder("mistyped");
    add(&store, &invented("numbers"), &[concept("161", "A"), concept("4917", "B")]);
    let catalog = open(&store);
    let near = |code: &str| {
        let answer = validate(&catalog, "numbers", code);
        answer.suggestions.iter().map(|one| one.code.to_string()).collect::<Vec<_>>()
    };
    for code in ["4971", "9417", "4910", "497x", "49177", "14917"] {
        let expected: &[&str] = if code == "497x" { &[] } else { &["4917"] };
        assert_eq!(near(code), expected, "{code}");
    }
    assert!(near("160").is_empty(), "so short a code is near to anything");
}

#[test]
fn a_code_of_another_terminology_tells_whose_it_is() {
    let store = folder("families");
    let icd = |version: &str| {
        let mut release = named_like("icd10cm");
        version.clone_into(&mut release.version);
        release
    };
    add(&store, &icd("2025"), &[concept("E11", "Sugar"), concept("E13", "Old sugar")]);
    add(&store, &icd("2026"), &[concept("E11", "Sweet blood")]);
    add(&store, &named_like("icd11"), &[concept("5A11", "Sweet blood")]);
    let catalog = open(&store);
    let answer = validate(&catalog, "icd11", "e11");
    let [other] = answer.elsewhere.as_slice() else { panic!("{:?}", answer.elsewhere) };
    assert_eq!((other.alias.as_str(), other.code.as_str()), ("icd10cm", "E11"));
    assert_eq!((other.version.as_str(), other.display.as_str()), ("2026", "Sweet blood"));
    let error = catalog.lookup("icd11", "E11").expect_err("it is of another");
    assert!(error.to_string().contains("icd10cm|2026 has E11, Sweet blood"), "{error}");
    // Another version of the same has it.
    let gone = validate(&catalog, "icd10cm", "E13");
    assert_eq!(gone.elsewhere[0].version, "2025");
    assert_eq!(validate(&catalog, "icd10cm|2025", "E13").valid, Some(true));
    let request = ValidateRequest::new("icd10cm", "E13");
    let version = |version: &str| catalog.validate_code(&request.clone().version(version));
    assert_eq!(version("2025").expect("it answers").valid, Some(true));
    assert!(matches!(version("1999"), Err(Error::UnknownVersion { .. })));
    let twice = ValidateRequest::new("icd10cm|2026", "E13").version("2025");
    assert!(matches!(catalog.validate_code(&twice), Err(Error::InvalidRequest { .. })));
    let same = ValidateRequest::new("icd10cm|2025", "E13").version("2025");
    assert!(catalog.validate_code(&same).is_ok_and(|answer| answer.valid == Some(true)));
}

#[test]
fn a_batch_keeps_its_order_and_a_failing_row_hurts_no_other() {
    let rows = [("icd10cm", "E11.9"), ("snomed", "E11.9"), ("icd10cm", "E1"), ("ICD10CM", "i219")];
    let requests = rows.map(|(system, code)| ValidateRequest::new(system, code));
    let answers = complete().validate_codes(&requests).expect("they are few");
    let valid: Vec<Option<Option<bool>>> =
        answers.iter().map(|row| row.as_ref().ok().map(|answer| answer.valid)).collect();
    assert_eq!(valid, [Some(Some(true)), None, Some(Some(false)), Some(Some(true))]);
    assert!(matches!(&answers[1], Err(Error::UnknownSystem { .. })));
    let many = vec![ValidateRequest::new("icd10cm", "E11.9"); MAX_VALIDATIONS + 1];
    assert_eq!(complete().validate_codes(&many[1..]).expect("just enough").len(), MAX_VALIDATIONS);
    let error = complete().validate_codes(&many).expect_err("too many");
    assert_eq!(error.reason(), "batch_too_large");
    assert!(error.is_caller_fault() && error.to_string().contains("100"), "{error}");

    let requests = rows.map(|(system, code)| LookupRequest::new(system, code));
    let found = complete().lookup_many(&requests).expect("they are few");
    let codes: Vec<Option<&str>> =
        found.iter().map(|row| row.as_ref().ok().map(|found| found.code.as_str())).collect();
    assert_eq!(codes, [Some("E11.9"), None, None, Some("I21.9")]);
    assert_eq!(
        found[3].as_ref().expect("it is there"),
        &complete().lookup("icd10cm", "I219").expect("it is there")
    );
    let many = vec![LookupRequest::new("icd10cm", "E11.9"); MAX_LOOKUPS + 1];
    let error = complete().lookup_many(&many).expect_err("too many");
    assert_eq!(error.reason(), "batch_too_large");
    assert!(complete().lookup_many(&[]).is_ok_and(|none| none.is_empty()));
}

#[test]
fn a_lookup_counts_what_it_does_not_list_and_keeps_what_is_asked_for() {
    let store = folder("many-children");
    let mut concepts = vec![concept("top", "Top")];
    concepts[0].properties =
        vec![Property::text(property::NOTE, "of all"), Property::text("x", "1")];
    concepts.extend((0..150).map(|at| below(concept(&format!("c{at:03}"), "Child"), &["top"])));
    add(&store, &invented("many"), &concepts);
    let mut parts = invented("parts");
    parts.hierarchy_meaning = Some(HierarchyMeaning::PartOf);
    add(&store, &parts, &concepts);
    let catalog = open(&store);
    let top = catalog.lookup("many", "top").expect("it is there");
    assert_eq!((top.children.len(), top.child_count, top.parent_count), (100, 150, 0));
    assert_eq!(top.children[99].code.as_str(), "c099");
    let notes = |system: &str, name: Option<&str>| {
        let request = LookupRequest::new(system, "c007");
        let request = name.into_iter().fold(request, |request, name| request.property(name));
        let found = catalog.lookup_with(&request).expect("it is there");
        found.properties.into_iter().map(|one| one.code).collect::<Vec<_>>()
    };
    assert_eq!(notes("many", None), ["note"]);
    assert_eq!(notes("many", Some("note")), ["note"]);
    assert!(notes("many", Some("x")).is_empty(), "only notes are handed down");
    assert!(notes("parts", None).is_empty(), "a part has not the notes of the whole");
    let own = LookupRequest::new("many", "top").property("x");
    let own = catalog.lookup_with(&own).expect("it is there").properties;
    assert_eq!((own.len(), own[0].code.as_str()), (1, "x"));
}

#[test]
fn subsumption_is_left_open_where_the_data_does_not_tell() {
    let store = folder("undetermined");
    let concepts =
        [concept("a", "A"), below(concept("b", "B"), &["a"]), below(concept("c", "C"), &["a"])];
    for meaning in HierarchyMeaning::ALL {
        let mut release = invented(meaning.name());
        release.hierarchy_meaning = Some(meaning);
        add(&store, &release, &concepts);
    }
    let mut excerpt = invented("excerpt");
    excerpt.content = Content::Fragment;
    add(&store, &excerpt, &concepts);
    add(&store, &invented("flat"), &[concept("a", "A"), concept("b", "B")]);
    let catalog = open(&store);
    let outcome = |system: &str, a: &str, b: &str| match catalog.subsumes(system, a, b) {
        Ok(answer) => Ok(json!(answer.outcome).as_str().unwrap_or_default().to_owned()),
        Err(Error::CannotDetermine { reason, .. }) => Err(reason),
        Err(error) => panic!("{error}"),
    };
    for system in ["is-a", "classified-with"] {
        assert_eq!(outcome(system, "a", "b"), Ok("subsumes".to_owned()), "{system}");
        assert_eq!(outcome(system, "b", "a"), Ok("subsumed-by".to_owned()), "{system}");
        assert_eq!(outcome(system, "b", "c"), Ok("not-subsumed".to_owned()), "{system}");
    }
    for meaning in [HierarchyMeaning::PartOf, HierarchyMeaning::GroupedBy] {
        let system = meaning.name();
        assert_eq!(outcome(system, "a", "b"), Err(Undetermined::OtherMeaning(meaning)));
        assert_eq!(outcome(system, "a", "a"), Ok("equivalent".to_owned()));
        // It can be walked all the same.
        assert!(catalog.children(system, "a").is_ok_and(|list| list.items.len() == 2), "{system}");
    }
    assert_eq!(outcome("flat", "a", "b"), Err(Undetermined::NoHierarchy));
    assert_eq!(outcome("excerpt", "a", "b"), Ok("subsumes".to_owned()));
    assert_eq!(outcome("excerpt", "b", "c"), Err(Undetermined::Excerpt));
    let error = catalog.subsumes("part-of", "a", "b").expect_err("it is not told");
    assert_eq!(error.reason(), "cannot_determine");
    assert!(error.to_string().contains("part-of") && error.is_caller_fault(), "{error}");
}
