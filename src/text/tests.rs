use proptest::prelude::*;

use super::*;

fn stems(text: &str) -> Vec<String> {
    tokens(text).into_iter().map(|token| token.stem).collect()
}

fn covered(asked: &str, said: &str) -> Coverage {
    let said = tokens(said);
    let numbers: Vec<&str> = said.iter().map(|token| token.stem.as_str()).collect();
    let number = |stem: &str| numbers.iter().position(|known| *known == stem);
    let number = |stem: &str| number(stem).and_then(|at| u32::try_from(at).ok());
    let asked: Vec<QueryWord> = tokens(asked)
        .into_iter()
        .map(|token| QueryWord {
            stems: number(&token.stem).map(|stem| (stem, 1.0)).into_iter().collect(),
            beginnings: 0..0,
            length: 0,
            role: token.role,
            negated: token.negated,
            weight: 1.0,
        })
        .collect();
    let said: Vec<NameWord> = said
        .iter()
        .map(|token| NameWord {
            word: 0,
            stem: number(&token.stem).unwrap_or(u32::MAX),
            length: 0,
            optional: token.optional,
            role: token.role,
            negated: token.negated,
            weight: 1.0,
        })
        .collect();
    coverage(&asked, &said, &mut Vec::new())
}

#[test]
fn spelling_does_not_make_two_names() {
    for (one, other) in [
        ("Sjögren’s syndrome", "sjogren syndrome"),
        ("ＨＥＡＲＴ　ｆａｉｌｕｒｅ", "heart failure"),
        ("Ménière's disease", "meniere disease"),
        ("type-2  diabetes", "Type 2 Diabetes"),
        ("pressão alta", "pressao alta"),
        ("heart\u{200b} attack", "heart attack"),
    ] {
        assert_eq!(normalize(one), normalize(other));
    }
    assert_ne!(normalize("type 1 diabetes"), normalize("type 2 diabetes"));
}

#[test]
fn forms_of_a_word_share_a_stem() {
    for (one, other) in [
        ("kidney stones", "kidney stone"),
        ("haemorrhage", "hemorrhage"),
        ("oesophageal tumours", "esophageal tumor"),
        ("oedema of foetus", "edema of fetus"),
        ("type II", "type 2"),
        ("factor VIII", "factor 8"),
        ("diverticula", "diverticulum"),
        ("cirrhoses", "cirrhosis"),
    ] {
        assert_eq!(stems(one), stems(other), "{one} / {other}");
    }
}

#[test]
fn opposites_do_not_share_a_stem() {
    for (one, other) in [("hyperkalemia", "hypokalemia"), ("left", "right"), ("with", "without")] {
        assert_ne!(stems(one), stems(other));
    }
}

#[test]
fn chinese_comes_in_pairs_and_brackets_are_optional() {
    assert_eq!(stems("高血壓"), ["高血", "血壓"]);
    let found = tokens("本態性(原發性)高血壓");
    let needed: Vec<&str> = found.iter().filter(|t| !t.optional).map(|t| t.word.as_str()).collect();
    assert_eq!(needed, ["本態", "態性", "高血", "血壓"]);
    assert_eq!(stems("graft(s)"), ["graft"]);
    assert!(tokens("(heart)").iter().all(|token| !token.optional));
}

#[test]
fn free_qualifiers_fall_and_meanings_stay() {
    assert_eq!(bare("Cholera, unspecified"), bare("cholera"));
    assert_eq!(bare("Heart disease NOS"), bare("heart diseases"));
    assert_ne!(bare("Other specified cholera"), bare("cholera"));
    assert_ne!(bare("Cholera NEC"), bare("cholera"));
    assert_ne!(bare("asthma with attack"), bare("asthma without attack"));
    assert_eq!(bare("(unspecified)"), "");
}

#[test]
fn equal_words_cover_each_other_in_any_order() {
    let full = covered("failure of heart", "Heart failure, unspecified");
    assert!(full.query > 0.9 && full.designation > 0.99, "{full:?}");
    let part = covered("heart failure", "Acute on chronic right heart failure");
    assert!((part.query - 1.0).abs() < 1e-6 && part.designation < 0.6, "{part:?}");
    assert!(covered("asthma", "Fracture of femur").query < 1e-6);
}

#[test]
fn parentheses_cost_nothing_when_left_out() {
    let left_out = covered("essential hypertension", "Essential (primary) hypertension");
    assert!((left_out.designation - 1.0).abs() < 1e-6, "{left_out:?}");
}

#[test]
fn a_prefix_is_one_word_with_what_follows_however_it_is_written() {
    assert_eq!(stems("pre-eclampsia"), stems("preeclampsia"));
    assert_eq!(stems("Non-Hodgkin lymphoma"), stems("non hodgkin lymphoma"));
    assert_eq!(stems("post, traumatic").len(), 2, "a comma parts them");
}

#[test]
fn site_unspecified_says_no_more_than_unspecified() {
    let site = covered("cancer of colon, unspecified site", "Cancer of colon, unspecified");
    assert!(site.query > 0.99 && site.designation > 0.99, "{site:?}");
}

#[test]
fn a_letter_behind_a_name_is_part_of_it() {
    assert_ne!(bare("viral hepatitis A"), bare("viral hepatitis"));
    assert_ne!(bare("hepatitis A"), bare("hepatitis E"));
    assert_eq!(bare("a fracture of the hip"), bare("fracture of hip"));
}

#[test]
fn a_negation_reaches_to_the_end_of_its_clause() {
    let negated = |text: &str| {
        let found = tokens(text).into_iter().filter(|t| t.negated).map(|t| t.word);
        found.collect::<Vec<_>>()
    };
    assert_eq!(negated("migraine without aura, intractable"), ["aura"]);
    assert_eq!(negated("ulcer without hemorrhage or perforation"), ["hemorrhage", "perforation"]);
    assert_eq!(negated("not intractable, with status"), ["intractable"]);
}

#[test]
fn negation_is_noticed_on_either_side() {
    assert!(
        covered("diabetes without complications", "diabetes with complications").negation_differs
    );
    assert!(covered("diabetes with coma", "diabetes without coma").negation_differs);
    assert!(!covered("diabetes", "diabetes without coma").negation_differs);
    assert!(!covered("asthma without attack", "asthma without attack").negation_differs);
}

#[test]
fn an_axis_nobody_asked_for_is_seen() {
    let axes = |text: &str| Axes::of(&tokens(text));
    let femur =
        axes("fracture of femur").compare(axes("fracture of left femur, initial encounter"));
    assert_eq!((femur.unstated, femur.conflicting), (2, 0));
    let side = axes("left knee pain").compare(axes("Pain in right knee"));
    assert_eq!((side.unstated, side.conflicting), (0, 1));
    let kind = axes("type II diabetes").compare(axes("Type 1 diabetes mellitus"));
    assert_eq!(kind.conflicting, 1);
    assert_eq!(
        axes("pain in left knee").compare(axes("Pain in left knee")),
        AxisComparison::default()
    );
}

#[test]
fn everyday_phrases_are_read_as_clinical_ones() {
    let of = |query: &str| rewrites(query).into_iter().map(|r| r.text).collect::<Vec<_>>();
    assert!(of("Heart attacks").iter().any(|text| text.contains("myocardial infarction")));
    assert!(of("pink eye").iter().any(|text| text.contains("conjunctivitis")));
    assert!(of("fracture of femur").is_empty());
    assert!(
        equivalents("belli").iter().any(|(stem, _)| stem == "abdomen"),
        "{:?}",
        equivalents("belli")
    );
}

#[test]
fn an_ambiguous_abbreviation_has_all_its_senses() {
    let senses: Vec<String> = rewrites("MS").into_iter().map(|r| r.to).collect();
    assert!(senses.contains(&"multiple sclerosis".to_owned()) && senses.len() > 1, "{senses:?}");
}

#[test]
fn the_table_is_well_formed() {
    let mut seen = std::collections::HashSet::new();
    let rows = include_str!("everyday.tsv").lines().filter(|l| !l.starts_with('#')).skip(1);
    let mut count = 0;
    for (at, row) in rows.enumerate() {
        let columns: Vec<&str> = row.split('\t').collect();
        assert_eq!(columns.len(), 4, "row {at}: {row:?}");
        assert!(columns.iter().all(|c| !c.is_empty() && c.trim() == *c), "row {at}: {row:?}");
        assert!(["lay", "abbreviation", "word"].contains(&columns[2]), "row {at}: {row:?}");
        assert!(seen.insert(columns[0]), "{:?} is there twice", columns[0]);
        count += 1;
    }
    assert!(count >= 300, "{count} rows");
}

#[test]
fn misspelt_words_are_corrected_and_others_left_alone() {
    let words = [
        ("pneumonia", 90),
        ("pneumonic", 2),
        ("hypertension", 80),
        ("seizure", 40),
        ("asthma", 20),
    ];
    let is_word = |word: &str| words.iter().any(|(known, _)| *known == word);
    let fix = |word| correct(word, words.iter().copied(), is_word).map(|c| c.corrected);
    assert_eq!(fix("pnuemonia").as_deref(), Some("pneumonia"));
    assert_eq!(fix("hypertenshion").as_deref(), Some("hypertension"));
    assert_eq!(fix("siezure").as_deref(), Some("seizure"));
    for word in ["asthma", "h1n1", "abc", "xylophone", "糖尿病"] {
        assert_eq!(fix(word), None, "{word}");
    }
}

proptest! {
    #[test]
    fn normalizing_twice_changes_nothing(text in "\\PC{0,40}") {
        let once = normalize(&text);
        prop_assert_eq!(normalize(&once), once);
    }

    #[test]
    fn shares_stay_between_zero_and_one(a in "[a-z ]{0,30}", b in "[a-z ()]{0,30}") {
        let found = covered(&a, &b);
        prop_assert!((0.0..=1.0).contains(&found.query) && (0.0..=1.0).contains(&found.designation));
    }

    #[test]
    fn a_word_the_query_lacks_never_helps(name in "[a-f]{4,6}( [a-f]{4,6}){0,4}", asked in "[a-f]{4,6}( [a-f]{4,6}){0,3}") {
        let before = covered(&asked, &name);
        let after = covered(&asked, &format!("{name} zzzzzzzz"));
        prop_assert!(after.query <= before.query + 1e-6, "{before:?} {after:?}");
        prop_assert!(after.designation <= before.designation + 1e-6);
    }
}
