//! The words people use, on small terminologies of invented names: shorthand, abbreviations that a
//! terminology gives itself, words written together and apart, brands, other languages.

use medterm::catalog::{Confidence, MatchedOn, SearchResponse};
use medterm::terminology::{
    Concept, Content, DesignationUse, Property, PropertyValue, Release, known_system, property,
};
use medterm::{Catalog, SearchRequest};
use proptest::prelude::*;

use crate::invented::*;
use crate::support::{ask, build, codes, folder, search};

fn catalog(name: &str, concepts: &[Concept]) -> Catalog {
    let store = folder(name);
    build_invented(&store, "words", concepts, false);
    open(&store)
}

fn find(catalog: &Catalog, query: &str) -> SearchResponse {
    ask(catalog, &SearchRequest::new(query).expect("it can be asked"))
}

fn first(catalog: &Catalog, query: &str) -> String {
    let response = find(catalog, query);
    codes(&response).first().unwrap_or_else(|| panic!("{query}: nothing")).to_string()
}

#[test]
fn shorthand_is_written_out_before_anything_looks_at_it() {
    for (short, long) in [
        ("fx of l wrist", "fracture of left wrist"),
        ("copd w/ exac", "copd with exacerbation"),
        ("asthma w/o complication", "asthma without complication"),
        ("anemia 2/2 ckd", "anemia due to ckd"),
        ("bilat hearing loss", "bilateral hearing loss"),
        ("2nd degree burn of hand", "second degree burn of hand"),
        ("ckd stage IIIb", "ckd stage 3b"),
    ] {
        assert_eq!(codes(&search(short)), codes(&search(long)), "{short}");
    }
}

#[test]
fn a_short_form_that_a_name_states_stands_for_it() {
    let catalog = catalog(
        "words-stated",
        &[
            concept("a", "Quiet lantern disease (QLD)"),
            concept("b", "Quiet lantern disease with sparks"),
            concept("c", "Loud lantern disease"),
        ],
    );
    let response = find(&catalog, "QLD with sparks");
    assert_eq!(codes(&response)[0], "b");
    assert_eq!(response.results[0].matched_on, MatchedOn::Abbreviation);
    assert_eq!(response.results[0].confidence, Confidence::NeedsReview);
    assert!(response.notice.unwrap_or_default().contains("Quiet lantern disease"));
}

#[test]
fn first_letters_stand_for_a_name_and_never_for_a_word_of_the_release() {
    let catalog = catalog(
        "words-initials",
        &[
            concept("a", "Amber Bell Cough Syndrome"),
            concept("b", "Amber bell"),
            concept("c", "Ham air egg disease"),
            concept("d", "Haed"),
        ],
    );
    let response = find(&catalog, "ABCS");
    assert_eq!(codes(&response)[0], "a");
    assert_eq!(response.results[0].matched_on, MatchedOn::Abbreviation);
    assert_eq!(first(&catalog, "haed"), "d");
}

#[test]
fn words_are_found_written_together_and_apart() {
    let catalog = catalog(
        "words-apart",
        &[
            concept("a", "Pain of the lampshade"),
            concept("b", "Lamp pain"),
            concept("c", "Heart attack of a lamp"),
            concept("d", "Heart ache"),
            concept("e", "Attack of heart"),
            concept("f", "Attack by heart"),
        ],
    );
    assert_eq!(first(&catalog, "lamp shade pain"), "a");
    let response = find(&catalog, "heartattack");
    assert!(response.notice.unwrap_or_default().contains("heart attack"));
}

#[test]
fn a_brand_is_its_substance_only_where_the_release_does_not_have_it() {
    let generic = [concept("1", "acetaminophen"), concept("2", "ibuprofen")];
    assert_eq!(first(&catalog("words-generic", &generic), "tylenol"), "1");
    let branded = [concept("1", "acetaminophen"), concept("3", "Tylenol")];
    assert_eq!(first(&catalog("words-branded", &branded), "tylenol"), "3");
}

#[test]
fn a_misspelt_drug_is_not_its_look_alike() {
    let drugs = [concept("1", "metformin"), concept("2", "merbromin"), concept("3", "methionine")];
    let response = find(&catalog("words-drugs", &drugs), "metfromin");
    assert_eq!(codes(&response)[0], "1");
    assert_eq!(response.results[0].matched_on, MatchedOn::Correction);
}

#[test]
fn other_languages_lead_to_english_names() {
    for query in [
        "高血壓",
        "高血压",
        "hipertensión",
        "pressão alta",
        "Bluthochdruck",
        "hypertension artérielle",
    ] {
        let response = search(query);
        assert_eq!(codes(&response)[0], "I10", "{query}: {:?}", response.notice);
        assert_eq!(response.results[0].confidence, Confidence::NeedsReview, "{query}");
    }
}

#[test]
fn what_is_no_absence_no_history_and_no_suspicion_is_said_to_be_none() {
    for (query, context) in
        [("no cough", "absence"), ("suspected gout", "suspicion"), ("history of gout", "history")]
    {
        let notice = search(query).notice.unwrap_or_default();
        assert!(notice.contains(context), "{query}: {notice:?}");
    }
    for query in ["gout", "screening for malignant neoplasm of colon", "family history of gout"] {
        let response = search(query);
        let notice = response.notice.clone().unwrap_or_default();
        let itself = notice.contains("the condition itself");
        assert_eq!(itself, query.contains("gout") && query != "gout", "{query}: {notice:?}");
    }
}

#[test]
fn a_hit_is_shown_in_the_language_that_is_asked_for() {
    let mut lamp = concept("a", "Lamp");
    let mut name = medterm::terminology::Designation::new("de", DesignationUse::Display, "Lampe");
    name.source = None;
    lamp.designations.push(name);
    let catalog = catalog("words-language", &[lamp, concept("b", "Lampion")]);
    let request = SearchRequest::new("lamp").expect("it can be asked");
    let (plain, german) =
        (ask(&catalog, &request), ask(&catalog, &request.clone().language("de-AT")));
    assert_eq!(plain.results[0].display, "Lamp");
    assert_eq!(german.results[0].display, "Lampe");
    assert_eq!(plain.results[0].score.to_bits(), german.results[0].score.to_bits());
}

#[test]
fn of_equal_tests_the_one_in_use_leads() {
    let known = known_system("loinc").expect("it is in the register");
    let release = Release {
        system: known.id(),
        alias: known.alias.to_owned(),
        content: Content::Fragment,
        ..invented("loinc")
    };
    let ranked = |code: &str, rank: i64| {
        let mut test = concept(code, &format!("Glimmer in lamp oil by method {code}"));
        test.properties.push(Property {
            code: "COMMON_TEST_RANK".to_owned(),
            value: PropertyValue::Integer(rank),
        });
        test
    };
    let mut discouraged = ranked("3-3", 1);
    discouraged.properties.push(Property::text(property::STATUS, "DISCOURAGED"));
    let store = folder("words-usage");
    let tests = [ranked("1-1", 9000), ranked("2-2", 12), discouraged, ranked("4-4", 0)];
    build(&store, &release, &tests, None).expect("it builds");
    assert_eq!(codes(&find(&open(&store), "glimmer lamp oil")), ["2-2", "1-1", "4-4", "3-3"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// A name goes over from one concept to another: no word becomes rarer or more frequent.
    #[test]
    fn a_worse_name_more_never_lowers_a_concept(
        concepts in any_concepts(), query in any_query(), worse in any_name(),
    ) {
        let (mut with, mut without) = (concepts.clone(), concepts);
        let last = with.len() - 1;
        prop_assume!(last > 0);
        let name = |concept: Concept| named(concept, DesignationUse::Synonym, &format!("zzz {worse}"));
        with[0] = name(with[0].clone());
        without[last] = name(without[last].clone());
        let code = with[0].code.to_string();
        let score = |concepts: &[Concept], store: &str| {
            let response = find(&catalog(store, concepts), &query);
            response.results.iter().find(|hit| hit.code.as_str() == code).map(|hit| hit.score)
        };
        let (more, less) = (score(&with, "words-worse"), score(&without, "words-worse"));
        prop_assert!(more >= less, "{query}: {more:?} < {less:?}");
    }
}
