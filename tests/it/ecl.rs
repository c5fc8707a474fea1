//! ECL over an index agrees with ECL the slow way, over invented and synthetic releases.

use std::path::Path;

use medterm::Catalog;
use medterm::formats::{ImportOptions, ReleaseFiles};
use medterm::terminology::{
    Code, Concept, Content, Property, Relation, RelationValue, Release, known_system,
};
use medterm::valueset::ecl::*;
use proptest::prelude::*;
use proptest::strategy::ValueTree;

use crate::naive_ecl::{Codes, Naive};
use crate::support::{build, folder};
use crate::synthetic_rf2::{Size, write_release};

fn code(number: usize) -> Code {
    Code::new(&(100_000 + number).to_string()).expect("it is a code")
}

pub(crate) fn snomed() -> Release {
    let known = known_system("snomed").expect("it is in the register");
    Release {
        system: known.id(),
        alias: known.alias.to_owned(),
        version: "invented".to_owned(),
        date: None,
        title: "Invented".to_owned(),
        publisher: None,
        license: None,
        notices: Vec::new(),
        language: "en".to_owned(),
        content: Content::Fragment,
        code_case: None,
        hierarchy_meaning: None,
    }
}

/// What one invented concept is made of: parents, attributes, sets, flags, words.
type Draft = (Vec<usize>, Vec<(u16, usize, u8, usize)>, Vec<usize>, (bool, bool, bool), [usize; 2]);

const WORDS: [&str; 6] = ["glimmer", "glow", "foot", "hand", "Äther", "glimmering"];
/// The first ones are attributes, the next ones sets.
const ATTRIBUTES: usize = 4;
const SETS: usize = 2;

fn concepts(drafts: &[Draft]) -> Vec<Concept> {
    let n = drafts.len();
    let draft = |(number, draft): (usize, &Draft)| {
        let (parents, attributes, sets, (active, defined, module), words) = draft;
        // The first of them are always so, for there to be some of each.
        let active = *active && number != 1 || number == 0;
        let name = words.map(|word| WORDS[word % WORDS.len()]).join(" ");
        let mut concept = Concept::new(code(number), format!("{name} {number}"));
        concept.active = active;
        let module = if *module { "900001" } else { "900002" };
        concept.properties.push(Property::code("moduleId", module));
        concept.properties.push(Property::boolean("sufficientlyDefined", *defined));
        concept.refsets = sets.iter().map(|set| code(ATTRIBUTES + set % SETS)).collect();
        concept.refsets.push(code(ATTRIBUTES + number % SETS));
        concept.refsets.sort();
        concept.refsets.dedup();
        if active {
            let below = parents.iter().filter(|_| number > 0).map(|parent| code(parent % number));
            concept.parents = below.collect();
            concept.parents.sort();
            concept.parents.dedup();
        } else {
            let names = ["sameAs", "replacedBy", "possiblyEquivalentTo", "wasA"];
            let (name, target) = (names[words[0] % 4], code(words[1] % n));
            concept.properties.push(Property::code(name, target.as_str()));
        }
        let relation = |(group, attribute, kind, value): &(u16, usize, u8, usize)| Relation {
            group: *group,
            attribute: code(attribute % ATTRIBUTES),
            value: match kind {
                0..3 => RelationValue::Concept(code(value % n)),
                3 => RelationValue::Integer(i64::try_from(value % 4).expect("it is small")),
                4 => {
                    RelationValue::Decimal(f64::from(u8::try_from(value % 4).expect("small")) / 2.0)
                }
                _ => RelationValue::Text(
                    ["true", "false", "a glow", "glimmer"][value % 4].to_owned(),
                ),
            },
        };
        concept.relations = attributes.iter().map(relation).collect();
        concept.relations.sort_by_key(|one| one.group);
        if number == 0 {
            let value = RelationValue::Concept(code(1));
            concept.relations.insert(0, Relation { group: 0, attribute: code(0), value });
        }
        concept
    };
    drafts.iter().enumerate().map(draft).collect()
}

fn any_concepts() -> impl Strategy<Value = Vec<Concept>> {
    let draft = (
        prop::collection::vec(0usize..100, 0..3),
        prop::collection::vec((0u16..3, 0usize..4, 0u8..6, 0usize..100), 0..5),
        prop::collection::vec(0usize..2, 0..2),
        (prop::bool::weighted(0.8), any::<bool>(), any::<bool>()),
        [0usize..100, 0usize..100],
    );
    prop::collection::vec(draft, 10..24).prop_map(|drafts| concepts(&drafts))
}

/// What expressions may name.
#[derive(Debug, Clone)]
struct Names {
    concepts: Vec<String>,
    attributes: Vec<String>,
    sets: Vec<String>,
    modules: Vec<String>,
    words: Vec<&'static str>,
}

fn reference(codes: &[String]) -> BoxedStrategy<Focus> {
    prop::sample::select(codes.to_vec())
        .prop_map(|id| Focus::Concept(ConceptReference { id, term: None }))
        .boxed()
}

fn equality() -> impl Strategy<Value = Comparison> {
    prop_oneof![3 => Just(Comparison::Equal), 1 => Just(Comparison::NotEqual)]
}

fn any_filter(names: &Names) -> BoxedStrategy<Filter> {
    let term = (equality(), prop::sample::subsequence(names.words.clone(), 1..3)).prop_map(
        |(comparison, words)| {
            let term = |word: &str| SearchTerm { kind: SearchKind::Match, text: word.to_owned() };
            let terms = words.into_iter().map(term).collect();
            Filter::Description(vec![DescriptionFilter::Term(comparison, terms)])
        },
    );
    let language = equality().prop_map(|comparison| {
        let language = DescriptionFilter::Language(comparison, vec!["en".to_owned()]);
        Filter::Description(vec![language])
    });
    let active = (equality(), any::<bool>()).prop_map(|(comparison, active)| {
        Filter::Concept(vec![ConceptFilter::Active(comparison, active)])
    });
    let status = (equality(), any::<bool>()).prop_map(|(comparison, defined)| {
        let status = if defined { DefinitionStatus::Defined } else { DefinitionStatus::Primitive };
        Filter::Concept(vec![ConceptFilter::DefinitionStatus(comparison, vec![status])])
    });
    let modules = names.modules.clone();
    let module =
        (equality(), prop::sample::select(modules.clone())).prop_map(move |(comparison, id)| {
            let module = |id: String| ConceptReference { id, term: None };
            let choice = ConceptChoice::Set(vec![module(id.clone()), module(id)]);
            Filter::Concept(vec![ConceptFilter::Module(comparison, choice)])
        });
    prop_oneof![term, language, active, status, module].boxed()
}

fn any_sub(names: &Names, focus: BoxedStrategy<Focus>) -> BoxedStrategy<SubExpression> {
    let operator = prop::option::weighted(0.7, prop::sample::select(Operator::ALL.to_vec()));
    let filters = prop::collection::vec(any_filter(names), 0..2);
    let history = prop::option::weighted(
        0.2,
        prop::sample::select(vec![
            History::All,
            History::Minimum,
            History::Moderate,
            History::Maximum,
        ]),
    );
    let start = prop_oneof![
        4 => focus.prop_map(|focus| (None, focus)),
        1 => reference(&names.sets).prop_map(|focus| (Some(MemberOf::Members), focus)),
    ];
    (operator, start, filters, history)
        .prop_map(|(operator, (member_of, focus), filters, history)| SubExpression {
            operator,
            member_of,
            filters,
            history,
            ..SubExpression::of(focus)
        })
        .boxed()
}

fn any_attribute(
    names: &Names,
    sub: BoxedStrategy<SubExpression>,
    reverse: f64,
) -> BoxedStrategy<Refinement> {
    let cardinality = prop::option::weighted(0.4, (0u32..3, prop::option::of(2u32..4)))
        .prop_map(|found| found.map(|(min, max)| Cardinality { min, max }));
    let name = prop_oneof![
        6 => reference(&names.attributes).prop_map(SubExpression::of),
        1 => Just(SubExpression::of(Focus::Wildcard)),
        1 => sub.clone(),
    ];
    let order = prop::sample::select(vec![
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
    ]);
    let number = prop::sample::select(vec!["0", "1", "1.5", "-2", "+3.0"]);
    let term = |word: &&str| vec![SearchTerm { kind: SearchKind::Match, text: (*word).to_owned() }];
    let value = prop_oneof![
        4 => (equality(), sub.clone().prop_map(Value::Expression)),
        1 => (equality(), Just(Value::Expression(SubExpression::of(Focus::Wildcard)))),
        1 => (order, number.prop_map(|number| Value::Number(number.to_owned()))),
        1 => (equality(), any::<bool>().prop_map(Value::Boolean)),
        1 => (equality(), prop::sample::select(names.words.clone())
            .prop_map(move |word| Value::Text(term(&word)))),
    ];
    (cardinality, prop::bool::weighted(reverse), name, value, sub)
        .prop_map(|(cardinality, reverse, name, (comparison, value), other)| {
            let read = if reverse {
                let comparison = if comparison.is_order() { Comparison::Equal } else { comparison };
                let value = Value::Expression(other);
                let direction = Direction::Reverse;
                Attribute { cardinality, direction, name, comparison, value }
            } else {
                let direction = Direction::Forward;
                Attribute { cardinality, direction, name, comparison, value }
            };
            Refinement::Attribute(Box::new(read))
        })
        .boxed()
}

fn any_refinement(names: &Names, sub: BoxedStrategy<SubExpression>) -> BoxedStrategy<Refinement> {
    let joined = |item: BoxedStrategy<Refinement>| {
        let several = prop::collection::vec(item.clone(), 2..3);
        prop_oneof![
            3 => item,
            1 => several.clone().prop_map(Refinement::And),
            1 => several.prop_map(Refinement::Or),
        ]
        .boxed()
    };
    let content = joined(any_attribute(names, sub.clone(), 0.0));
    let group = (prop::option::of((0u32..2, prop::option::of(1u32..3))), content).prop_map(
        |(cardinality, content)| {
            let cardinality = cardinality.map(|(min, max)| Cardinality { min, max });
            Refinement::Group(Group { cardinality, content: Box::new(content) })
        },
    );
    let free = any_attribute(names, sub, 0.3);
    let brackets = joined(free.clone()).prop_map(|inner| Refinement::Brackets(Box::new(inner)));
    joined(prop_oneof![3 => free, 2 => group, 1 => brackets].boxed())
}

fn any_expression(names: &Names) -> BoxedStrategy<Expression> {
    let focus = prop_oneof![1 => Just(Focus::Wildcard), 6 => reference(&names.concepts)].boxed();
    let names = names.clone();
    let leaf = any_sub(&names, focus.clone()).prop_map(Expression::Simple);
    leaf.prop_recursive(3, 12, 3, move |inner| {
        let nested = inner.prop_map(|inner| Focus::Nested(Box::new(inner)));
        let sub = any_sub(&names, prop_oneof![focus.clone(), nested].boxed());
        let several = prop::collection::vec(sub.clone(), 2..4);
        let name = prop_oneof![
            4 => reference(&names.attributes).prop_map(SubExpression::of),
            1 => Just(SubExpression::of(Focus::Wildcard)),
        ];
        prop_oneof![
            1 => several.clone().prop_map(Expression::And),
            1 => several.prop_map(Expression::Or),
            1 => (sub.clone(), sub.clone()).prop_map(|(a, b)| Expression::Minus(Box::new([a, b]))),
            1 => (sub.clone(), prop::collection::vec(name, 1..3))
                .prop_map(|(focus, names)| Expression::Dotted(focus, names)),
            3 => (sub.clone(), any_refinement(&names, sub))
                .prop_map(|(focus, refinement)| Expression::Refined(focus, refinement)),
        ]
    })
    .boxed()
}

fn selected(catalog: &Catalog, text: &str) -> Codes {
    let selected = catalog.select("snomed", text);
    let selected = selected.unwrap_or_else(|error| panic!("{text}: {error}"));
    selected.codes().map(|code| code.expect("it is a code").to_string()).collect()
}

fn invented_names(concepts: &[Concept]) -> Names {
    let codes = |numbers: std::ops::Range<usize>| numbers.map(|n| code(n).to_string()).collect();
    let mut attributes: Vec<String> = codes(0..ATTRIBUTES);
    attributes.push("116680003".to_owned());
    Names {
        concepts: codes(0..concepts.len()),
        attributes,
        sets: codes(ATTRIBUTES..ATTRIBUTES + SETS),
        modules: vec!["900001".to_owned(), "900002".to_owned()],
        words: WORDS.to_vec(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn expressions_over_invented_releases_agree_with_the_slow_way(
        (concepts, expressions) in any_concepts().prop_flat_map(|concepts| {
            let expressions = any_expression(&invented_names(&concepts));
            (Just(concepts), prop::collection::vec(expressions, 24))
        }),
    ) {
        let store = tempfile::tempdir().expect("a folder");
        build(store.path(), &snomed(), &concepts, None).expect("it builds");
        let catalog = Catalog::open(store.path()).expect("it opens");
        let naive = Naive::new(&concepts);
        for expression in expressions {
            let text = expression.to_string();
            prop_assert_eq!(selected(&catalog, &text), naive.expression(&expression), "{}", text);
        }
    }
}

fn read(path: &Path) -> (Release, Vec<Concept>) {
    let found = ReleaseFiles::find(&[path.to_owned()]).expect("it is recognized");
    let mut source = found[0].open(&ImportOptions::default()).expect("it opens");
    let concepts = source.by_ref().collect::<Result<_, _>>().expect("it is sound");
    (source.release().clone(), concepts)
}

/// Some hundred expressions over a whole release, the same ones each time.
fn agree(name: &str, release: &Release, concepts: &[Concept], count: usize) {
    let store = folder(name);
    build(&store, release, concepts, None).expect("it builds");
    let catalog = Catalog::open(&store).expect("it opens");
    let naive = Naive::new(concepts);
    let mut attributes: Vec<String> = concepts
        .iter()
        .flat_map(|one| one.relations.iter().map(|relation| relation.attribute.to_string()))
        .collect();
    attributes.push("116680003".to_owned());
    let of = |is_meant: fn(&Concept) -> Vec<String>| {
        let mut all: Vec<String> = concepts.iter().flat_map(is_meant).collect();
        all.sort();
        all.dedup();
        all
    };
    attributes.sort();
    attributes.dedup();
    let names = Names {
        concepts: of(|one| vec![one.code.to_string()]),
        attributes,
        sets: of(|one| one.refsets.iter().map(ToString::to_string).collect()),
        modules: vec!["900000000000207008".to_owned(), "11000998101".to_owned()],
        words: vec!["glimmer", "foot", "of", "structure", "acute"],
    };
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = any_expression(&names);
    let mut found = 0;
    for _ in 0..count {
        let expression = strategy.new_tree(&mut runner).expect("there is one").current();
        let text = expression.to_string();
        let answer = selected(&catalog, &text);
        assert_eq!(answer, naive.expression(&expression), "{text}");
        found += usize::from(!answer.is_empty());
    }
    assert!(found * 4 > count, "{found} of {count} find something");
}

#[test]
fn expressions_over_the_fixture_agree_with_the_slow_way() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/rf2");
    let (release, concepts) = read(&fixture);
    agree("ecl-fixture", &release, &concepts, 400);
}

#[test]
fn expressions_over_a_synthetic_release_agree_with_the_slow_way() {
    let files = folder("ecl-synthetic");
    write_release(&files, Size { concepts: 300, descriptions: 1_200, seed: 11 }).expect("written");
    let (release, concepts) = read(&files);
    agree("ecl-synthetic-store", &release, &concepts, 150);
}
