//! Value sets of expressions: what they select, what they refuse, and searches within them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use medterm::catalog::{Inactive, Page, SearchMode};
use medterm::formats::{ImportOptions, ReleaseFiles};
use medterm::hierarchy::Hierarchy;
use medterm::terminology::{Code, Concept, Relation, RelationValue};
use medterm::valueset::ExpressionErrorKind;
use medterm::{Catalog, Error, SearchRequest};

use crate::ecl::snomed;
use crate::support::{build, codes, complete, folder, release, search};

const DISEASE: &str = "10031000999104";
const LASTING: &str = "10191000999104";
const FOOT: &str = "10231000999108";
const PART: &str = "10071000999101";
const SITE: &str = "10111000999108";
const OLD: &str = "10361000999109";
const DOUBLED: &str = "10391000999102";
const WATCHED: &str = "10461000999104";
const REPLACED_BY: &str = "900000000000526001";
const SAME_AS: &str = "900000000000527005";

fn fixture() -> &'static Catalog {
    static OPEN: std::sync::OnceLock<Catalog> = std::sync::OnceLock::new();
    OPEN.get_or_init(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/rf2/international");
        let found = ReleaseFiles::find(&[path]).expect("it is recognized");
        let mut source = found[0].open(&ImportOptions::default()).expect("it opens");
        let concepts: Vec<Concept> = source.by_ref().collect::<Result<_, _>>().expect("sound");
        let store = folder("valueset-fixture");
        build(&store, source.release(), &concepts, None).expect("it builds");
        Catalog::open(&store).expect("it opens")
    })
}

fn selected<'c>(catalog: &'c Catalog, system: &str, text: &str) -> Vec<&'c str> {
    let selected = catalog.select(system, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let records = catalog.index(system).expect("it is there").records();
    let ord = medterm::terminology::ConceptOrd;
    selected.concepts().iter().map(|one| records.code(ord(one))).collect()
}

#[test]
fn expressions_select_what_they_say() {
    let ecl = |text: &str| selected(fixture(), "snomed", text);
    for (text, expected) in [
        (format!("< {DISEASE}"), vec![LASTING, FOOT]),
        (format!("<! {LASTING}"), vec![FOOT]),
        (format!("^ {WATCHED}"), vec![DISEASE, FOOT]),
        (format!("* : {SITE} = {PART}"), vec![FOOT]),
        (format!("* : {{ {SITE} = {DISEASE} }}"), vec![FOOT]),
        (format!("* : {{ {SITE} = {DISEASE}, * = #2 }}"), vec![]),
        (format!("{FOOT} . {SITE}"), vec![DISEASE, PART]),
        (format!("{PART} : R {SITE} = *"), vec![PART]),
        ("* {{ C active = 0 }}".to_owned(), vec![OLD, DOUBLED]),
        ("* {{ term = \"foot hemo\" }}".to_owned(), vec![FOOT]),
        ("* {{ term = wild:\"*OF FOOT\" }}".to_owned(), vec![FOOT]),
        // A retired name and one that was said to be wrong are no names in use.
        ("* {{ term = \"wexler\" }}".to_owned(), vec![]),
        (format!("{DISEASE} {{{{ + HISTORY-MIN }}}}"), vec![DISEASE, DOUBLED]),
        (format!("{DISEASE} {{{{ + HISTORY-MOD }}}}"), vec![DISEASE, OLD, DOUBLED]),
        (format!("{FOOT} {{{{ + HISTORY-MOD }}}}"), vec![FOOT]),
        (format!("{FOOT} {{{{ + HISTORY }}}}"), vec![FOOT, OLD]),
        (format!("{DISEASE} {{{{ + HISTORY ({REPLACED_BY}) }}}}"), vec![DISEASE, OLD]),
        (format!("^ {SAME_AS}"), vec![DOUBLED]),
        (format!("^ ({SAME_AS} OR {WATCHED})"), vec![DISEASE, FOOT, DOUBLED]),
        (format!("^ [targetComponentId] {SAME_AS}"), vec![DISEASE]),
        (
            format!("^ {REPLACED_BY} {{{{ M targetComponentId = << {DISEASE}, active = 1 }}}}"),
            vec![OLD],
        ),
        (format!("{FOOT} : 116680003 = {LASTING}"), vec![FOOT]),
    ] {
        let mut expected = expected;
        expected.sort_unstable();
        assert_eq!(ecl(&text), expected, "{text}");
    }
    let isa = format!("http://snomed.info/sct?fhir_vs=isa/{DISEASE}");
    assert_eq!(ecl(&isa), [DISEASE, LASTING, FOOT]);
    let vcl = format!("http://fhir.org/VCL?v1=(http://snomed.info/sct){SITE}%3D{PART}");
    assert_eq!(ecl(&vcl), [FOOT]);
    assert_eq!(ecl("http://loinc.org?fhir_vs"), [""; 0]);
}

#[test]
fn codes_that_are_not_there_are_told() {
    let answer = fixture().select("snomed", &format!("<< 999999 OR {FOOT} OR 888888"));
    let answer = answer.expect("it is answered");
    assert_eq!(answer.unknown(), ["888888", "999999"]);
    assert_eq!((answer.len(), answer.is_empty()), (1, false));
    assert!(answer.contains(FOOT) && !answer.contains(PART));
    let page = answer.page(Page::default()).expect("it is read");
    assert_eq!(page.items[0].code.as_str(), FOOT);
    assert_eq!(page.paging.total, 1);
}

#[test]
fn what_the_data_does_not_say_is_an_error_and_never_a_wrong_set() {
    for text in [
        "* {{ D type = syn }}",
        "* {{ D typeId = 900000000000013009 }}",
        "* {{ D dialect = en-gb }}",
        "* {{ D dialectId = 900000000000508004 (prefer) }}",
        "* {{ D moduleId = 900000000000207008 }}",
        "* {{ D effectiveTime > \"20250101\" }}",
        "* {{ D active = false }}",
        "* {{ D id = 754786011 }}",
        "* {{ C effectiveTime > \"20250101\" }}",
        "^ *",
        "^ 447562003",
        "^ [*] 10461000999104",
        "^ [mapTarget] 10461000999104",
        "^ 10461000999104 {{ M active = 0 }}",
        "^ 10461000999104 {{ M moduleId = 900000000000207008 }}",
        "^ 10461000999104 {{ M targetComponentId = * }}",
        "LOINC#1-2",
        "* : { R 10111000999108 = * }",
        "* : R 10111000999108 = #1",
        "* {{ + HISTORY (10461000999104) }}",
        "(http://snomed.info/sct|another)*",
    ] {
        let text = match text.strip_prefix("(http") {
            Some(_) => format!("http://fhir.org/VCL?v1={text}"),
            None => text.to_owned(),
        };
        match fixture().select("snomed", &text) {
            Err(error @ Error::Expression { .. }) => {
                assert_eq!(error.reason(), "unsupported_feature", "{text}: {error}");
                assert!(error.is_caller_fault());
            }
            other => panic!("{text}: {:?}", other.map(|one| one.len())),
        }
    }
    let vcl = |text: &str| complete().select("icd10cm", text).map(|one| one.len());
    for text in ["color = red", "^http://example.org/ValueSet/x", "constraint = \"< 100001\""] {
        let error = vcl(text).expect_err("it is refused");
        assert_eq!(error.reason(), "unsupported_feature", "{text}: {error}");
    }
}

#[test]
fn errors_have_a_reason_and_a_place() {
    for (catalog, system, text, reason, position) in [
        (fixture(), "snomed", "< 100001 AND", "invalid_ecl", 12),
        (fixture(), "snomed", "http://fhir.org/VCL?v1=A,", "invalid_vcl", 2),
        (complete(), "icd10cm", "concept <<", "invalid_vcl", 10),
        (complete(), "icd10cm", "code / \"(\"", "invalid_vcl", 0),
    ] {
        let error = catalog.select(system, text).expect_err("it is refused");
        assert_eq!(error.reason(), reason, "{text}: {error}");
        let Error::Expression { source, .. } = &error else { panic!("{error}") };
        assert_eq!(source.position(), position, "{error}");
    }
}

#[test]
fn what_costs_too_much_is_refused() {
    for text in [
        vec!["*"; 10_000].join(";"),
        vec!["concept / \".*\""; 10_000].join(","),
        vec!["*.parent"; 10_000].join(";"),
    ] {
        let error = complete().select("icd10cm", &text).expect_err("it is refused");
        let Error::Expression { source, .. } = &error else { panic!("{error}") };
        assert!(matches!(source.kind(), ExpressionErrorKind::TooCostly), "{error}");
        assert_eq!(error.reason(), "too_costly");
    }
    // Expressions within expressions within expressions.
    let mut url = "E11".to_owned();
    for _ in 0..8 {
        let escaped = url.replace('%', "%25").replace('(', "%28").replace(')', "%29");
        url = format!("^(http://fhir.org/VCL?v1={escaped})");
    }
    let error = complete().select("icd10cm", &url).expect_err("it is refused");
    let Error::Expression { source, .. } = &error else { panic!("{error}") };
    assert!(matches!(source.kind(), ExpressionErrorKind::TooDeep), "{error}");
}

/// VCL over the complete ICD-10-CM, against a look at each of its concepts.
#[test]
fn vcl_agrees_with_a_look_at_each_concept() {
    let index = complete().index("icd10cm").expect("it is there");
    let (records, hierarchy): (_, &Hierarchy) = (index.records(), index.hierarchy());
    let concepts: BTreeMap<&str, &Concept> =
        release().1.iter().map(|concept| (concept.code.as_str(), concept)).collect();
    let above = |code: &str| -> BTreeSet<&str> {
        let ord = records.find(code).expect("it is there");
        hierarchy.ancestors(ord).into_iter().map(|ord| records.code(ord)).collect()
    };
    let parents = |code: &str| -> BTreeSet<&str> {
        concepts[code].parents.iter().map(Code::as_str).collect()
    };
    let is_leaf =
        |code: &str| hierarchy.children(records.find(code).expect("it is there")).next().is_none();
    let flag = |code: &str| concepts[code].flag("billable") == Some(true);
    let includes = |code: &str| concepts[code].properties.iter().any(|one| one.code == "includes");
    type Test<'t> = (&'t str, &'t dyn Fn(&str) -> bool);
    let tests: &[Test<'_>] = &[
        ("*", &|_| true),
        ("\"E11.9\"", &|code| code == "E11.9"),
        ("concept << E11", &|code| code == "E11" || above(code).contains("E11")),
        ("concept < E11", &|code| above(code).contains("E11")),
        ("concept ~<< E11", &|code| code != "E11" && !above(code).contains("E11")),
        ("concept <! E11", &|code| parents(code).contains("E11")),
        ("concept !!< E11", &|code| above(code).contains("E11") && is_leaf(code)),
        ("concept >> \"E11.65\"", &|code| code == "E11.65" || above("E11.65").contains(code)),
        ("concept ^ {E11, \"E11.9\"}", &|code| ["E11", "E11.9"].contains(&code)),
        ("parent = E11", &|code| parents(code).contains("E11")),
        ("ancestor = E11", &|code| above(code).contains("E11")),
        ("child = \"E11.9\"", &|code| code == "E11"),
        ("descendant = \"E11.65\"", &|code| above("E11.65").contains(code)),
        ("parent ^ {parent = E11}", &|code| {
            parents(code).iter().any(|up| parents(up).contains("E11"))
        }),
        ("{concept < E11}.parent", &|code| {
            code == "E11" || above(code).contains("E11") && !is_leaf(code)
        }),
        ("E11.child", &|code| parents(code).contains("E11")),
        ("code / \"E1[01].*\"", &|code| code.starts_with("E10") || code.starts_with("E11")),
        ("display / \".*acidosis.*\"", &|code| concepts[code].display.contains("acidosis")),
        ("billable = true", &flag),
        ("billable ~^ {true}", &|code| !flag(code)),
        ("includes ? true", &includes),
        ("includes ? false", &|code| !includes(code)),
        ("includes / \"(?s).*diabetes.*\"", &|code| {
            concepts[code].properties.iter().any(|one| {
                one.code == "includes"
                    && matches!(&one.value, medterm::terminology::PropertyValue::Text(text) if text.contains("diabetes"))
            })
        }),
        ("concept << E11, billable = true", &|code| above(code).contains("E11") && flag(code)),
        ("(concept << E11) - billable = true", &|code| {
            (code == "E11" || above(code).contains("E11")) && !flag(code)
        }),
        ("E11 ; (http://loinc.org)* ; (http://hl7.org/fhir/sid/icd-10-cm)E10", &|code| {
            ["E10", "E11"].contains(&code)
        }),
        ("inactive = true", &|code| !concepts[code].active),
    ];
    for (text, is_meant) in tests {
        let expected: BTreeSet<&str> =
            concepts.keys().copied().filter(|code| is_meant(code)).collect();
        let found: BTreeSet<&str> = selected(complete(), "icd10cm", text).into_iter().collect();
        assert_eq!(found, expected, "{text}");
        assert!(!expected.is_empty() || text.starts_with("inactive"), "{text} tests nothing");
    }
}

/// All pages of a search.
fn all(catalog: &Catalog, request: &SearchRequest) -> Vec<(String, u32)> {
    let mut found = Vec::new();
    loop {
        let page = request.clone().limit(100).expect("in range").offset(found.len());
        let answer = catalog.search(&page).expect("it is answered");
        if answer.results.is_empty() {
            return found;
        }
        found.extend(answer.results.iter().map(|hit| (hit.code.to_string(), hit.score.to_bits())));
    }
}

#[test]
fn a_search_within_is_the_search_with_the_others_struck_out() {
    for (valueset, query) in [
        ("concept << E11", "diabetes with kidney disease"),
        ("ancestor = \"C00-D49\"", "heart attack"),
        ("billable = true", "fracture of wrist"),
        ("concept !!< I20-I25", "myocardial infarction"),
        ("code / \"S.*A\"", "broken arm"),
        ("* - concept << I21", "heart attack"),
    ] {
        // The scores of the baselines are shares of the best hit's, or made of ranks.
        for mode in [SearchMode::Hybrid, SearchMode::Lexical] {
            let request = || {
                let request = SearchRequest::new(query).expect("it has words").mode(mode);
                request.system("icd10cm").inactive(Inactive::Shown)
            };
            let valueset = valueset.replace("I20-I25", "\"I20-I25\"");
            let within = complete().select("icd10cm", &valueset).expect("it is an expression");
            let free = all(complete(), &request());
            let struck: Vec<_> =
                free.iter().filter(|(code, _)| within.contains(code)).cloned().collect();
            let found = all(complete(), &request().valueset(&valueset));
            assert!(found.iter().all(|(code, _)| within.contains(code)), "{valueset}: {query}");
            // A search ranks a pool; of what is left out, what lies beyond it takes the place.
            let scores: BTreeMap<_, _> = free.iter().cloned().collect();
            let both: Vec<_> =
                found.iter().filter(|(code, _)| scores.contains_key(code)).cloned().collect();
            assert_eq!(both, struck, "{valueset}: {query} by {mode:?}");
        }
    }
}

#[test]
fn properties_are_exact_filters() {
    let request = || SearchRequest::new("diabetes").expect("it has words").system("icd10cm");
    let kind = all(complete(), &request().property("kind", "category"));
    assert!(!kind.is_empty() && kind.iter().all(|(code, _)| code.len() == 3), "{kind:?}");
    let both = request().property("billable", "true").valueset("concept << E11");
    let both = all(complete(), &both);
    assert!(both.iter().all(|(code, _)| code.starts_with("E11.")), "{both:?}");
    assert_eq!(both, all(complete(), &request().billable(true).under("E11")));
    let error = complete().search(&request().property("color", "red")).expect_err("none has it");
    assert_eq!(error.reason(), "unsupported_feature");
    let error = complete().search(&request().valueset("concept <<")).expect_err("it is none");
    assert_eq!(error.reason(), "invalid_vcl");
    assert_eq!(codes(&search("diabetes")).len(), 10);
}

/// Disorders and vaccines that share their words.
fn outbreak() -> Catalog {
    let code = |number: u32| Code::new(&(700_000 + number).to_string()).expect("it is a code");
    let concept = |number, name: &str, parent: Option<u32>| {
        let mut concept = Concept::new(code(number), name);
        concept.parents.extend(parent.map(code));
        concept
    };
    let mut disease = concept(4, "COVID-19", Some(2));
    let value = RelationValue::Concept(code(8));
    disease.relations.push(Relation { group: 1, attribute: code(9), value });
    let concepts = [
        concept(1, "Everything", None),
        concept(2, "Disorder", Some(1)),
        concept(3, "Medicinal product", Some(1)),
        disease,
        concept(5, "Pneumonia caused by COVID-19", Some(4)),
        concept(6, "COVID-19 vaccine", Some(3)),
        concept(7, "COVID-19 mRNA vaccine", Some(6)),
        concept(8, "Coronavirus", Some(1)),
        concept(9, "Causative agent", Some(1)),
    ];
    let store = folder("valueset-outbreak");
    build(&store, &snomed(), &concepts, None).expect("it builds");
    Catalog::open(&store).expect("it opens")
}

#[test]
fn covid_under_disorders_is_no_vaccine() {
    let catalog = outbreak();
    let request = || SearchRequest::new("COVID").expect("it has words").system("snomed");
    let free: Vec<String> = all(&catalog, &request()).into_iter().map(|(code, _)| code).collect();
    assert!(free.iter().any(|code| code == "700006"), "{free:?}");
    for valueset in ["<< 700002 |Disorder|", "* MINUS << 700003"] {
        let found = all(&catalog, &request().valueset(valueset));
        let found: Vec<&str> = found.iter().map(|(code, _)| code.as_str()).collect();
        assert!(found.starts_with(&["700004"]), "{valueset}: {found:?}");
        assert!(!found.contains(&"700006") && !found.contains(&"700007"), "{valueset}: {found:?}");
    }
    let caused = all(&catalog, &request().valueset("* : 700009 = 700008"));
    assert_eq!(caused.iter().map(|(code, _)| code.as_str()).collect::<Vec<_>>(), ["700004"]);
}
