//! Expansions: against the slow way, in pages, within limits, and told apart by version.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use medterm::catalog::{Inactive, Missing, UnresolvedKind, ValueSetRequest, VersionRule};
use medterm::terminology::Concept;
use medterm::valueset::ValueSet;
use medterm::{Catalog, Error};
use proptest::prelude::*;

use crate::support::{as_version, build, codes_of, complete, complete_store, folder, release};

const ICD: &str = "http://hl7.org/fhir/sid/icd-10-cm";

fn valueset(json: serde_json::Value) -> ValueSet {
    let mut json = json;
    json["resourceType"] = "ValueSet".into();
    ValueSet::from_json(&json.to_string()).expect("it is a value set")
}

fn all_codes(catalog: &Catalog, request: &ValueSetRequest) -> Vec<String> {
    let expansion = catalog.expand(request).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(expansion.paging.total, expansion.contains.len());
    expansion.contains.iter().map(|one| one.code.to_string()).collect()
}

/// A part of a value set, and which concepts it means, told without the library.
#[derive(Debug, Clone)]
enum Part {
    IsA(usize),
    Below(usize),
    ChildOf(usize),
    Listed(Vec<usize>),
    Pattern(&'static str),
}

impl Part {
    fn json(&self, concepts: &[Concept]) -> serde_json::Value {
        let filter = |op: &str, value: &str| {
            serde_json::json!({"system": ICD,
                "filter": [{"property": "concept", "op": op, "value": value}]})
        };
        match self {
            Self::IsA(at) => filter("is-a", concepts[*at].code.as_str()),
            Self::Below(at) => filter("descendent-of", concepts[*at].code.as_str()),
            Self::ChildOf(at) => filter("child-of", concepts[*at].code.as_str()),
            Self::Pattern(pattern) => filter("regex", pattern),
            Self::Listed(all) => {
                let listed: Vec<_> = all
                    .iter()
                    .map(|at| serde_json::json!({"code": concepts[*at].code.as_str()}))
                    .collect();
                serde_json::json!({"system": ICD, "concept": listed})
            }
        }
    }

    fn codes(&self, concepts: &[Concept]) -> BTreeSet<String> {
        let code = |at: usize| concepts[at].code.as_str();
        match self {
            Self::IsA(at) => {
                let mut found = below(code(*at));
                found.insert(code(*at).to_owned());
                found
            }
            Self::Below(at) => below(code(*at)),
            Self::ChildOf(at) => children().get(code(*at)).into_iter().flatten().cloned().collect(),
            Self::Listed(all) => all.iter().map(|at| code(*at).to_owned()).collect(),
            Self::Pattern(pattern) => {
                // The patterns are of this shape alone.
                let start = pattern.trim_end_matches(".*");
                concepts
                    .iter()
                    .map(|one| one.code.to_string())
                    .filter(|code| code.starts_with(start))
                    .collect()
            }
        }
    }
}

/// The codes directly below each code.
fn children() -> &'static BTreeMap<String, Vec<String>> {
    static READ: OnceLock<BTreeMap<String, Vec<String>>> = OnceLock::new();
    READ.get_or_init(|| {
        let mut children: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for one in &release().1 {
            for parent in &one.parents {
                children.entry(parent.to_string()).or_default().push(one.code.to_string());
            }
        }
        children
    })
}

fn below(top: &str) -> BTreeSet<String> {
    let (mut found, mut open) = (BTreeSet::new(), vec![top.to_owned()]);
    while let Some(parent) = open.pop() {
        for code in children().get(&parent).into_iter().flatten() {
            if found.insert(code.clone()) {
                open.push(code.clone());
            }
        }
    }
    found
}

fn part() -> impl Strategy<Value = Part> {
    let n = release().1.len();
    prop_oneof![
        (0..n).prop_map(Part::IsA),
        (0..n).prop_map(Part::Below),
        (0..n).prop_map(Part::ChildOf),
        prop::collection::vec(0..n, 1..20).prop_map(Part::Listed),
        prop::sample::select(vec!["E11.*", "S72.*", "I2.*", "Z.*"]).prop_map(Part::Pattern),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_expansion_is_what_its_parts_say(
        include in prop::collection::vec(part(), 1..4),
        exclude in prop::collection::vec(part(), 0..3),
        offset in 0usize..300,
        count in 0usize..300,
    ) {
        let concepts = &release().1;
        let mut expected: BTreeSet<String> = BTreeSet::new();
        for part in &include {
            expected.extend(part.codes(concepts));
        }
        for part in &exclude {
            for code in part.codes(concepts) {
                expected.remove(&code);
            }
        }
        let json = |parts: &[Part]| -> Vec<_> { parts.iter().map(|one| one.json(concepts)).collect() };
        let one = valueset(serde_json::json!({
            "compose": {"include": json(&include), "exclude": json(&exclude)}
        }));
        let request = ValueSetRequest::given(one).inactive(Inactive::Shown);
        let page = complete().expand(&request.clone().count(0).expect("it is in range"));
        prop_assert_eq!(page.expect("it is answered").paging.total, expected.len());
        if expected.len() <= 10_000 {
            let all = all_codes(complete(), &request.clone().whole(10_000));
            prop_assert_eq!(all.iter().cloned().collect::<BTreeSet<_>>(), expected);
            let page = request.offset(offset).count(count).expect("it is in range");
            let page = complete().expand(&page).expect("it is answered");
            let shown: Vec<String> = page.contains.iter().map(|one| one.code.to_string()).collect();
            let end = (offset + count).min(all.len());
            prop_assert_eq!(&shown[..], all.get(offset..end).unwrap_or_default());
            prop_assert_eq!(page.paging.has_more, end < all.len());
        }
    }
}

#[test]
fn implicit_value_sets_of_a_terminology_are_expanded() {
    let total = |url: &str| {
        let answer = complete().expand(&ValueSetRequest::new(url));
        answer.unwrap_or_else(|error| panic!("{url}: {error}")).paging.total
    };
    assert_eq!(total(&format!("{ICD}?fhir_vs")), release().1.len());
    let isa = total(&format!("{ICD}?fhir_vs=isa/E11"));
    assert_eq!(isa, below("E11").len() + 1);
    let vcl = total(
        "http://fhir.org/VCL?v1=(http%3A%2F%2Fhl7.org%2Ffhir%2Fsid%2Ficd-10-cm)(concept%3C%3CE11)",
    );
    assert_eq!(vcl, isa);
    let nowhere = complete().expand(&ValueSetRequest::new("http://loinc.org?fhir_vs"));
    let nowhere = nowhere.expect("it is answered");
    assert_eq!((nowhere.paging.total, nowhere.unresolved.len()), (0, 1));
    assert_eq!(nowhere.unresolved[0].kind, UnresolvedKind::System);
}

#[test]
fn a_list_keeps_its_order_and_its_names() {
    let one = valueset(serde_json::json!({"compose": {"include": [{"system": ICD, "concept": [
        {"code": "I21.9", "display": "Heart attack"}, {"code": "E11.9"}, {"code": "I21.9"},
        {"code": "nonsense"}, {"code": "A00"}]}]}}));
    let answer = complete().expand(&ValueSetRequest::given(one)).expect("it is answered");
    let shown: Vec<(&str, &str)> =
        answer.contains.iter().map(|one| (one.code.as_str(), one.display.as_str())).collect();
    assert_eq!(shown[0], ("I21.9", "Heart attack"));
    assert_eq!(shown[1].0, "E11.9");
    assert_eq!(shown[2], ("A00", "Cholera"));
    assert_eq!(shown.len(), 3);
    assert_eq!(answer.unknown[0].code, "nonsense");
}

#[test]
fn what_is_not_loaded_is_told_or_refused() {
    let one = valueset(serde_json::json!({"compose": {"include": [
        {"system": "http://loinc.org", "concept": [{"code": "1-8", "display": "Invented"}]},
        {"valueSet": ["http://example.org/nowhere"]},
        {"system": ICD, "concept": [{"code": "A00"}]}]}}));
    let request = ValueSetRequest::given(one);
    let answer = complete().expand(&request).expect("it is answered");
    let codes: Vec<&str> = answer.contains.iter().map(|one| one.code.as_str()).collect();
    assert_eq!(codes, ["A00"]);
    let missing: Vec<&str> = answer.unresolved.iter().map(|one| one.system.as_str()).collect();
    assert_eq!(missing, ["http://loinc.org", "http://example.org/nowhere"]);
    let refused = complete().expand(&request.missing(Missing::Refused));
    assert!(matches!(refused, Err(Error::UnknownSystem { .. })), "{refused:?}");
    let unknown = complete().expand(&ValueSetRequest::new("http://example.org/nowhere"));
    assert!(matches!(unknown, Err(Error::UnknownValueSet { .. })));
}

#[test]
fn value_sets_that_import_each_other_in_a_circle_are_an_error() {
    let import = |url: &str, of: &str| {
        valueset(serde_json::json!({"url": url, "compose": {"include": [{"valueSet": [of]}]}}))
    };
    let catalog = Catalog::open(&complete_store().0).expect("it opens").with_valuesets([
        import("http://example.org/a", "http://example.org/b"),
        import("http://example.org/b", "http://example.org/c"),
        import("http://example.org/c", "http://example.org/a"),
        import("http://example.org/self", "http://example.org/self"),
    ]);
    for url in ["http://example.org/a", "http://example.org/self"] {
        let circle = catalog.expand(&ValueSetRequest::new(url));
        let Err(Error::ImportCycle { chain }) = circle else { panic!("{circle:?}") };
        assert_eq!(chain.first(), chain.last());
    }
}

#[test]
fn many_imports_of_the_same_are_evaluated_once() {
    // Each level imports the one below twice: 2^30 evaluations, were they not kept.
    let level = |n: usize| {
        let below = format!("http://example.org/{}", n + 1);
        let json = match n {
            30 => serde_json::json!({"include": [{"system": ICD, "concept": [{"code": "A00"}]}]}),
            _ => serde_json::json!({"include": [{"valueSet": [below]}, {"valueSet": [below]}]}),
        };
        valueset(serde_json::json!({"url": format!("http://example.org/{n}"), "compose": json}))
    };
    let catalog = Catalog::open(&complete_store().0).expect("it opens");
    let catalog = catalog.with_valuesets((0..=30).map(level));
    assert_eq!(all_codes(&catalog, &ValueSetRequest::new("http://example.org/0")), ["A00"]);
    let deep = (0..40).map(|n| {
        valueset(serde_json::json!({"url": format!("http://example.org/{n}"), "compose":
            {"include": [{"valueSet": [format!("http://example.org/{}", n + 1)]}]}}))
    });
    let catalog = Catalog::open(&complete_store().0).expect("it opens").with_valuesets(deep);
    let answer = catalog.expand(&ValueSetRequest::new("http://example.org/0"));
    assert!(matches!(answer, Err(Error::TooCostly { .. })), "{answer:?}");
}

#[test]
fn more_than_is_returned_at_once_is_an_error() {
    let request = ValueSetRequest::all_of(ICD);
    let all = complete().expand(&request.clone().whole(1000));
    assert!(matches!(all, Err(Error::TooCostly { most: 1000, .. })), "{all:?}");
    assert!(request.clone().count(10_001).is_err());
    let page = complete().expand(&request.offset(90_000).count(10_000).expect("it is in range"));
    let page = page.expect("it is answered");
    assert_eq!(page.contains.len(), release().1.len() - 90_000);
    assert!(!page.paging.has_more);
}

#[test]
fn a_text_ranks_what_it_means_first() {
    let isa = format!("{ICD}?fhir_vs=isa/E08-E13");
    let request = ValueSetRequest::new(&isa).filter("type 2 diabetes").expect("it can be asked");
    let answer = complete().expand(&request.clone().count(5).expect("in range"));
    let answer = answer.expect("it is answered");
    assert_eq!(answer.contains[0].code.as_str(), "E11");
    let whole = complete().expand(&request.clone().whole(10_000)).expect("it is answered");
    let codes: BTreeSet<_> = whole.contains.iter().map(|one| one.code.to_string()).collect();
    assert_eq!(codes.len(), whole.contains.len());
    assert_eq!(answer.contains[..], whole.contains[..5]);
    // All that have the words are there, also those that a search's pool would leave out.
    let within = below("E08-E13");
    let named = release().1.iter().filter(|one| {
        let name = one.display.to_lowercase();
        within.contains(one.code.as_str())
            && ["type", "2", "diabetes"].iter().all(|word| {
                name.split(|c: char| !c.is_alphanumeric()).any(|own| own.starts_with(word))
            })
    });
    for one in named {
        assert!(codes.contains(one.code.as_str()), "{} {}", one.code, one.display);
    }
    let nothing = request.filter("xyzzyplugh").expect("it can be asked");
    assert_eq!(complete().expand(&nothing).expect("it is answered").paging.total, 0);
}

#[test]
fn a_version_that_is_not_loaded_never_has_another_one_answer() {
    let store = folder("expand-versions");
    for (version, prefix) in [("1.0.0", "A00"), ("1.2.0", "A01"), ("2.0.0", "A02")] {
        let concepts = codes_of(&[prefix]);
        build(&store, &as_version(version), &concepts, None).expect("it builds");
    }
    let catalog = Catalog::open(&store).expect("it opens");
    let of = |version: Option<&str>| {
        let mut include = serde_json::json!({"system": ICD});
        if let Some(version) = version {
            include["version"] = version.into();
        }
        ValueSetRequest::given(valueset(serde_json::json!({"compose": {"include": [include]}})))
    };
    let versions = |request: &ValueSetRequest| {
        let answer = catalog.expand(request).unwrap_or_else(|error| panic!("{error}"));
        answer.used.iter().map(|one| one.version.clone().unwrap_or_default()).collect::<Vec<_>>()
    };
    assert_eq!(versions(&of(None)), ["2.0.0"]);
    assert_eq!(versions(&of(Some("1.0.0"))), ["1.0.0"]);
    assert_eq!(versions(&of(Some("1.x.x"))), ["1.2.0"]);
    for unknown in ["1", "1.1.0", "3.x.x"] {
        let answer = catalog.expand(&of(Some(unknown)));
        assert!(matches!(answer, Err(Error::UnknownVersion { .. })), "{unknown}: {answer:?}");
    }
    let rule = |rule, version: Option<&str>| {
        of(version).system_version(rule, &format!("{ICD}|1.0.0")).expect("it is a version")
    };
    assert_eq!(versions(&rule(VersionRule::Default, None)), ["1.0.0"]);
    assert_eq!(versions(&rule(VersionRule::Default, Some("1.2.0"))), ["1.2.0"]);
    assert_eq!(versions(&rule(VersionRule::Force, Some("1.2.0"))), ["1.0.0"]);
    let refused = catalog.expand(&rule(VersionRule::Check, Some("1.2.0")));
    assert!(matches!(refused, Err(Error::VersionRefused { .. })), "{refused:?}");
}

#[test]
fn retired_concepts_are_shown_where_they_are_asked_for() {
    let store = folder("expand-inactive");
    let mut concepts = codes_of(&["A00"]);
    concepts[1].active = false;
    build(&store, &release().0, &concepts, None).expect("it builds");
    let catalog = Catalog::open(&store).expect("it opens");
    let total = |inactive, compose: serde_json::Value| {
        let request = ValueSetRequest::given(valueset(serde_json::json!({"compose": compose})));
        catalog.expand(&request.inactive(inactive)).expect("it is answered").paging.total
    };
    let all = serde_json::json!({"include": [{"system": ICD}]});
    assert_eq!(total(Inactive::Hidden, all.clone()), concepts.len() - 1);
    assert_eq!(total(Inactive::Shown, all), concepts.len());
    let active = serde_json::json!({"inactive": false, "include": [{"system": ICD}]});
    assert_eq!(total(Inactive::Shown, active), concepts.len() - 1);
}

#[test]
fn a_stored_expansion_is_read_only_without_a_compose() {
    let contains = serde_json::json!([{"system": ICD, "code": "A01"},
        {"display": "a heading", "contains": [{"system": ICD, "code": "A00"}]}]);
    let alone = valueset(serde_json::json!({"expansion": {"contains": contains}}));
    assert_eq!(all_codes(complete(), &ValueSetRequest::given(alone)), ["A01", "A00"]);
    let beside = valueset(serde_json::json!({"expansion": {"contains": contains},
        "compose": {"include": [{"system": ICD, "concept": [{"code": "B01"}]}]}}));
    assert_eq!(all_codes(complete(), &ValueSetRequest::given(beside)), ["B01"]);
}
