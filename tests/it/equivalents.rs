//! The same concept in several terminologies: what speaks for it, and what is claimed.

use std::path::Path;
use std::sync::OnceLock;

use medterm::Catalog;
use medterm::catalog::{
    Basis, Domain, Equivalence, EquivalentCandidate, EquivalentsRequest, Error,
    FindEquivalentRequest, FindEquivalentResponse, FindMethod, HarmonizeStatus, MAX_TERMS,
    MappingStrategy, MappingsRequest, MatchType, TermToHarmonize,
};
use medterm::maps::MapStore;
use medterm::terminology::{
    Code, Concept, Content, Designation, DesignationUse, MapEntry, MapRelease, Relationship,
    Release, known_system,
};

use crate::support::{build, codes_of, folder, release};

fn concept(code: &str, names: &[&str]) -> Concept {
    let mut concept = Concept::new(Code::new(code).expect("a code"), names[0]);
    for name in &names[1..] {
        let name = Designation::new("en", DesignationUse::Synonym, *name);
        concept.designations.push(name);
    }
    concept
}

fn invented(alias: &str) -> Release {
    let known = known_system(alias).expect("it is known");
    Release {
        system: known.id(),
        alias: alias.to_owned(),
        version: "1".to_owned(),
        title: known.title.to_owned(),
        content: Content::Fragment,
        ..release().0.clone()
    }
}

fn keep(store: &Path, name: &str, [from, to]: [&str; 2], rows: &[(&str, &str, Relationship)]) {
    let system = |alias: &str| known_system(alias).expect("it is known").id();
    let release = MapRelease {
        id: name.to_owned(),
        name: name.to_owned(),
        version: "1".to_owned(),
        source: system(from),
        source_version: None,
        target: system(to),
        target_version: None,
        title: name.to_owned(),
        publisher: None,
        license: None,
        notices: Vec::new(),
        unmapped: None,
    };
    let code = |text: &str| Code::new(text).expect("a code");
    let entry = |(source, target, relationship): &(&str, &str, Relationship)| {
        MapEntry::new(code(source), Some(code(target)), *relationship)
    };
    let entries: Vec<MapEntry> = rows.iter().map(entry).collect();
    MapStore::new(store).add(&release, &entries).expect("it is stored");
}

/// A cut of ICD-10-CM, two invented ontologies, and maps between some of it.
fn house() -> &'static Catalog {
    static OPEN: OnceLock<Catalog> = OnceLock::new();
    OPEN.get_or_init(|| {
        use Relationship::{Equivalent, SourceIsNarrowerThanTarget};
        let store = folder("equivalents");
        let icd = codes_of(&["I21", "I50", "J45", "G35", "E11"]);
        build(&store, &release().0, &icd, None).expect("it builds");
        let mondo = [
            concept("MONDO:1", &["myocardial infarction", "heart attack", "cardiac infarct", "MI"]),
            concept("MONDO:2", &["heart failure", "weak heart"]),
            concept("MONDO:3", &["asthma"]),
            concept("MONDO:4", &["disease of dragons", "dragon pest"]),
        ];
        build(&store, &invented("mondo"), &mondo, None).expect("it builds");
        let doid = [
            concept("DOID:1", &["infarct of the heart", "cardiac infarct", "MI"]),
            concept("DOID:2", &["heart failure"]),
            concept("DOID:3", &["bronchial asthma", "Asthma"]),
            concept("DOID:4", &["dragon pest"]),
        ];
        build(&store, &invented("doid"), &doid, None).expect("it builds");
        keep(&store, "m-i", ["mondo", "icd10cm"], &[("MONDO:1", "I21", Equivalent)]);
        let narrower = [("MONDO:3", "J45", SourceIsNarrowerThanTarget)];
        keep(&store, "m-narrow", ["mondo", "icd10cm"], &narrower);
        keep(&store, "m-d", ["mondo", "doid"], &[("MONDO:1", "DOID:1", Equivalent)]);
        keep(&store, "m-n", ["mondo", "hpo"], &[("MONDO:4", "HP:0000001", Equivalent)]);
        Catalog::open(&store).expect("it opens")
    })
}

fn candidates(request: EquivalentsRequest, alias: &str) -> Vec<EquivalentCandidate> {
    let answer = house().equivalents(&request).expect("it answers");
    let result = answer.results.into_iter().find(|result| result.alias == alias);
    let result = result.unwrap_or_else(|| panic!("{alias} was not asked"));
    let mut before = 1.0f32;
    for one in &result.candidates {
        assert!((0.0..=before).contains(&one.score), "{one:?}");
        before = one.score;
        let is_claimed = one.relationship == Relationship::Equivalent;
        assert!(!is_claimed || one.basis == Basis::Map, "words make no equivalence: {one:?}");
        assert_eq!(one.basis == Basis::Map, one.map.is_some(), "{one:?}");
    }
    result.candidates
}

fn of(system: &str, code: &str, alias: &str) -> Vec<EquivalentCandidate> {
    candidates(EquivalentsRequest::coding(system, code), alias)
}

fn term(words: &str, alias: &str) -> Vec<EquivalentCandidate> {
    candidates(EquivalentsRequest::term(words).expect("words"), alias)
}

#[test]
fn maps_are_followed_both_ways_and_over_a_third_terminology() {
    let forward = &of("mondo", "mondo:1", "icd10cm")[0];
    assert_eq!((forward.code.as_str(), forward.basis), ("I21", Basis::Map));
    assert_eq!(forward.relationship, Relationship::Equivalent);
    assert!((forward.score - 1.0).abs() < f32::EPSILON && forward.via.is_none());
    assert_eq!(forward.map.as_deref(), Some("m-i 1"));
    let backward = &of("icd10cm", "i21", "mondo")[0];
    assert_eq!((backward.code.as_str(), backward.basis), ("MONDO:1", Basis::Map));
    let hop = &of("icd10cm", "I21", "doid")[0];
    assert_eq!((hop.code.as_str(), hop.basis), ("DOID:1", Basis::Map));
    let via = hop.via.as_ref().expect("it is said");
    assert_eq!(via.code.as_str(), "MONDO:1");
    assert!(hop.score < 1.0);
    // A narrower concept is no equivalent, however it is mapped.
    let asthma = &of("mondo", "MONDO:3", "icd10cm")[0];
    assert_eq!((asthma.code.as_str(), asthma.basis), ("J45", Basis::Title));
    assert_eq!(asthma.relationship, Relationship::RelatedTo);
    // A terminology that is not loaded is known from maps.
    let unloaded = of("mondo", "MONDO:4", "hpo");
    assert_eq!(unloaded[0].code.as_str(), "HP:0000001");
}

#[test]
fn exact_names_are_shared_and_short_ones_are_not() {
    let failure = &of("mondo", "MONDO:2", "doid")[0];
    assert_eq!((failure.code.as_str(), failure.basis), ("DOID:2", Basis::Title));
    let dragon = &of("mondo", "MONDO:4", "doid")[0];
    assert_eq!((dragon.code.as_str(), dragon.basis), ("DOID:4", Basis::Synonym));
    assert_eq!(dragon.matched_term.as_deref(), Some("dragon pest"));
    // What words name elsewhere leads on, over its names and over maps.
    let attack = &term("heart attack", "doid")[0];
    assert_eq!((attack.code.as_str(), attack.basis), ("DOID:1", Basis::Map));
    assert_eq!(attack.via.as_ref().map(|via| via.code.as_str()), Some("MONDO:1"));
    assert_eq!(attack.relationship, Relationship::RelatedTo, "the words are only a synonym");
    let pest = &term("disease of dragons", "doid")[0];
    assert_eq!((pest.code.as_str(), pest.basis), ("DOID:4", Basis::Synonym));
    // "MI" stands for many things.
    assert!(term("MI", "icd10cm").iter().all(|one| one.basis == Basis::Search));
}

#[test]
fn a_target_that_cannot_be_asked_leaves_the_others_alone() {
    let request = EquivalentsRequest::term("asthma").expect("words");
    let answer = house().equivalents(&request.target("loinc").target("mondo").target("nonsense"));
    let answer = answer.expect("it answers");
    let errors: Vec<bool> = answer.results.iter().map(|result| result.error.is_some()).collect();
    assert_eq!(errors, [true, false, true]);
    assert_eq!(answer.results[1].candidates[0].code.as_str(), "MONDO:3");
    let error = house().equivalents(&EquivalentsRequest::coding("icd10cm", "I99.99"));
    assert_eq!(error.expect_err("there is no such code").reason(), "unknown_code");
    assert!(EquivalentsRequest::term(" \u{200b} ").is_err());
    assert!(EquivalentsRequest::coding("mondo", "x").limit(0).is_err());
}

fn find(request: FindEquivalentRequest) -> FindEquivalentResponse {
    let answer = house().find_equivalent(&request).expect("it answers");
    let mut items: Vec<_> = answer.results.values().flat_map(|result| &result.items).collect();
    items.sort_by_key(|item| item.rank);
    let ranks: Vec<usize> = items.iter().map(|item| item.rank).collect();
    assert_eq!(ranks, (1..=items.len()).collect::<Vec<_>>());
    assert!(items.windows(2).all(|pair| pair[0].match_score >= pair[1].match_score));
    answer
}

fn asked(words: &str) -> FindEquivalentRequest {
    FindEquivalentRequest::new(words).expect("words")
}

#[test]
fn one_term_is_ranked_over_all_terminologies_and_grouped() {
    let answer = find(asked("heart failure"));
    assert_eq!(answer.searched_terminologies, ["icd10cm", "doid", "mondo"]);
    assert_eq!(answer.source_terminology, None);
    let top = |alias: &str| answer.results[alias].items[0].clone();
    assert_eq!((top("doid").code.as_str(), top("doid").rank), ("DOID:2", 2));
    let group = &answer.groups[0];
    assert_eq!(group.normalized_title, "heart failure");
    assert_eq!(group.terminologies, ["icd10cm", "doid", "mondo"]);
    assert_eq!(group.basis, Basis::Title);
    assert_eq!(top("mondo").uri.as_deref(), Some("http://purl.obolibrary.org/obo/MONDO_2"));
    let mapped = find(asked("myocardial infarction"));
    let group = mapped.groups.iter().find(|group| group.basis == Basis::Map).expect("a group");
    let members: Vec<&str> = group.members.iter().map(|one| one.code.as_str()).collect();
    assert!(members.contains(&"MONDO:1") && members.contains(&"DOID:1"), "{members:?}");
    let shared = find(asked("dragon pest"));
    assert_eq!(shared.groups[0].basis, Basis::Synonym);
}

#[test]
fn source_is_subtracted_and_what_is_not_loaded_says_so() {
    let answer = find(asked("asthma").target("mondo").target("DOID").source("doid"));
    assert_eq!(answer.searched_terminologies, ["mondo"]);
    let nothing = find(asked("asthma").target("mondo").source("MONDO"));
    assert!(nothing.searched_terminologies.is_empty() && nothing.results.is_empty());
    let partly = find(asked("asthma").target("loinc").target("mondo"));
    assert!(!partly.results["loinc"].found && partly.results["loinc"].items.is_empty());
    assert!(partly.results["loinc"].error.is_some() && partly.results["mondo"].found);
    let none = find(asked("zzyzx qqq").target("mondo"));
    assert!(!none.results["mondo"].found && none.results["mondo"].error.is_none());
}

#[test]
fn lexical_scores_are_those_of_titles() {
    let answer = find(asked("heart failure").method(FindMethod::Lexical).limit(10).expect("ten"));
    assert_eq!(answer.ranking.method, "lexical");
    for result in answer.results.values() {
        for item in &result.items {
            let expected = medterm::catalog::lexical_similarity("heart failure", &item.title);
            assert_eq!(item.match_score, expected, "{item:?}");
        }
    }
    let unspecified =
        answer.results["icd10cm"].items.iter().find(|one| one.code.as_str() == "I50.9");
    assert_eq!(unspecified.map(|one| one.match_score), Some(0.9));
    // Not by words alone, "heart attack" and "MI" are infarctions.
    for words in ["heart attack", "MI"] {
        let found = find(asked(words).target("icd10cm"));
        let first = found.results["icd10cm"].items.first().expect("it is found");
        assert!(first.code.as_str().starts_with("I21") && first.match_score > 0.0, "{first:?}");
    }
}

#[test]
fn a_term_is_mapped_into_a_value_set_and_never_made_equivalent() {
    let all = "http://hl7.org/fhir/sid/icd-10-cm?fhir_vs";
    let request = MappingsRequest::new("heart failure").expect("words").target(all);
    let answer = house().find_mappings(&request).expect("it answers");
    assert_eq!(answer.matches[0].code.as_str(), "I50");
    assert_eq!(answer.matches[0].equivalence, Equivalence::Relatedto);
    assert!((3..=5).contains(&answer.matches.len()), "{answer:?}");
    assert!(answer.matches.iter().all(|one| one.accepted_by_validator), "{answer:?}");
    let json = serde_json::to_string(&answer).expect("it serializes");
    assert!(!json.contains("\"equivalent\"") && json.contains("\"accepted_by_validator\":true"));
    let below = format!("{all}=isa/I21");
    let request = MappingsRequest::new("heart failure").expect("words").target(&below);
    let answer = house().find_mappings(&request).expect("it answers");
    assert!(answer.matches.iter().all(|one| one.code.as_str().starts_with("I21")));
    let strict = MappingsRequest::new("weak heart").expect("words").target("mondo");
    let strict =
        house().find_mappings(&strict.strategy(MappingStrategy::Strict)).expect("an answer");
    assert_eq!(strict.matches.len(), 1, "{strict:?}");
    let error = house().find_mappings(&MappingsRequest::new("asthma").expect("words"));
    assert!(
        matches!(error, Err(Error::UnknownSystem { .. })),
        "SNOMED CT is not loaded: {error:?}"
    );
}

#[test]
fn many_terms_keep_their_order_and_one_word_is_never_strong() {
    let one = |term: &str, domain| TermToHarmonize { term: term.to_owned(), domain };
    let terms = [
        one("heart failure", Domain::Diagnosis),
        one("glucose", Domain::Lab),
        one("qqq zzyzx", Domain::Diagnosis),
        one("", Domain::Diagnosis),
        one("failure", Domain::Diagnosis),
    ];
    let answer = house().harmonize(&terms, 3).expect("it answers");
    let said: Vec<(HarmonizeStatus, Option<MatchType>)> =
        answer.rows.iter().map(|row| (row.status, row.match_type)).collect();
    assert_eq!(said[0], (HarmonizeStatus::Matched, Some(MatchType::Exact)));
    assert_eq!(said[1], (HarmonizeStatus::Error, None));
    assert_eq!(said[2].0, HarmonizeStatus::NoCandidates);
    assert_eq!(said[3], (HarmonizeStatus::Error, None));
    assert_eq!(said[4], (HarmonizeStatus::Matched, Some(MatchType::NeedsReview)));
    assert!(answer.rows[0].candidates.len() == 3);
    let many = vec![one("asthma", Domain::Diagnosis); MAX_TERMS + 1];
    let error = house().harmonize(&many, 3).expect_err("too many");
    assert_eq!(error.reason(), "batch_too_large");
    assert!(house().harmonize(&terms, 6).is_err());
}
