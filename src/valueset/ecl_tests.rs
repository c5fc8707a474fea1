//! ECL, from text to tree and back.

use proptest::prelude::*;

use super::ecl::*;
use super::*;

fn read(text: &str) -> Expression {
    Expression::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// What is read and printed is the canonical text, and reads as the same.
fn prints(text: &str, expected: &str) {
    let read = read(text);
    assert_eq!(read.to_string(), expected, "{text}");
    assert_eq!(self::read(expected), read, "{text}");
}

/// One of each construct of the grammar, as it is printed.
const CANONICAL: &str = include_str!("../../fixtures/expressions/ecl.txt");

#[test]
fn every_construct_is_read_and_printed_back() {
    for text in CANONICAL.lines() {
        prints(text, text);
    }
}

#[test]
fn the_long_syntax_and_other_spellings_are_the_same() {
    for (text, expected) in [
        ("descendantOf 100001", "< 100001"),
        ("DESCENDANTORSELFOF 100001", "<< 100001"),
        ("childOf 100001", "<! 100001"),
        ("childOrSelfOf 100001", "<<! 100001"),
        ("ancestorof 100001", "> 100001"),
        ("ancestorOrSelfOf 100001", ">> 100001"),
        ("parentOf 100001", ">! 100001"),
        ("parentOrSelfOf 100001", ">>! 100001"),
        ("top (descendantOf 100001)", "!!> (< 100001)"),
        ("bottom (<100001)", "!!< (< 100001)"),
        ("memberOf 100001", "^ 100001"),
        ("any", "*"),
        ("<<100001|  A   term |and<100002", "<< 100001 |A   term| AND < 100002"),
        ("100001,100002 ,100003", "100001 AND 100002 AND 100003"),
        ("100001 or 100002", "100001 OR 100002"),
        ("100001 Minus 100002", "100001 MINUS 100002"),
        ("/* what */ 100001 /* is * it */ : /**/ 100002 = *", "100001 : 100002 = *"),
        ("100001:[1 to many] reverseOf 100002 not = ANY", "100001 : [1..*] R 100002 != *"),
        ("100001:R100002=*,R<<100002=R2#1", "100001 : R 100002 = *, R << 100002 = R2#1"),
        ("100001:100002<>100003 AND 100004=#1", "100001 : 100002 != 100003, 100004 = #1"),
        ("100001{{dterm=\"x\"}}{{Cactive=1}}", "100001 {{ D term = \"x\" }} {{ C active = true }}"),
        ("100001 {{ term = match:\"x\" }}", "100001 {{ D term = \"x\" }}"),
        (
            "100001 {{ D type = (synonym FullySpecifiedName definition), dialect=en-gb(preferred) }}",
            "100001 {{ D type = (syn fsn def), dialect = en-gb (prefer) }}",
        ),
        ("100001 {{+history_max}}", "100001 {{ + HISTORY-MAX }}"),
        ("100001\r\n\t: 100002 = TRUE", "100001 : 100002 = true"),
    ] {
        prints(text, expected);
    }
}

fn refused(text: &str) -> ExpressionError {
    match Expression::parse(text) {
        Ok(read) => panic!("{text} is read as {read}"),
        Err(error) => error,
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    for (text, position, expected) in [
        ("", 0, "a concept identifier"),
        ("<", 1, "a concept identifier"),
        ("< 12345", 2, "a concept identifier"),
        ("< 0123456", 2, "a concept identifier"),
        ("1234567890123456789", 0, "a concept identifier"),
        ("100001 |", 8, "a term"),
        ("100001 |term", 12, "\"|\""),
        ("(100001", 7, "\")\""),
        ("100001)", 6, "the end of the expression"),
        ("100001 100002", 7, "\"AND\""),
        ("100001 100002", 7, "\":\""),
        ("100001 AND", 10, "a concept identifier"),
        ("100001 :", 8, "a concept identifier"),
        ("100001 : 100002", 15, "a comparison"),
        ("100001 : 100002 =", 17, "\"#\""),
        ("100001 : 100002 <= 100003", 19, "\"#\""),
        ("100001 : 100002 = #05", 19, "a number"),
        ("100001 : [1.3] 100002 = *", 11, "\"..\""),
        ("100001 : { 100002 = *", 21, "\"}\""),
        ("100001 : 100002 = *,", 20, "a concept identifier"),
        ("100001 .", 8, "a concept identifier"),
        ("^ [] 100001", 3, "the name of a field"),
        ("100001 {{ D }}", 12, "\"term\""),
        ("100001 {{ D term = x }}", 19, "a text in quotation marks"),
        ("100001 {{ D term = \"  \" }}", 19, "a text in quotation marks"),
        ("100001 {{ D term < \"x\" }}", 17, "= or !="),
        ("100001 {{ D language = eng }}", 23, "a language of two letters"),
        ("100001 {{ D type = foo }}", 19, "\"syn\""),
        ("100001 {{ C active = 2 }}", 21, "\"true\""),
        ("100001 {{ C effectiveTime = \"20251301\" }}", 28, "a day such as \"20250101\""),
        ("100001 {{ C term = \"x\" }}", 12, "\"definitionStatus\""),
        ("100001 {{ + HISTORY-MEAN }}", 19, "\"-MIN\""),
        ("100001 /* no end", 7, "the end of the expression"),
        ("100001 : LOINC#1-2", 18, "a comparison"),
    ] {
        let error = refused(text);
        let message = error.to_string();
        let ExpressionErrorKind::Unexpected { expected: wanted, .. } = error.kind() else {
            panic!("{text}: {message}");
        };
        assert_eq!(error.position(), position, "{text}: {message}");
        assert!(wanted.iter().any(|one| one == expected), "{text}: {message}");
    }
}

#[test]
fn what_needs_brackets_has_to_have_them() {
    for (text, position) in [
        ("100001 AND 100002 OR 100003", 18),
        ("100001 OR 100002, 100003", 16),
        ("100001 MINUS 100002 MINUS 100003", 20),
        ("100001 AND 100002 MINUS 100003", 18),
        ("100001 : 100002 = *, 100003 = * OR 100004 = *", 32),
        ("100001 : { 100002 = * OR 100003 = * AND 100004 = * }", 36),
    ] {
        let error = refused(text);
        assert!(matches!(error.kind(), ExpressionErrorKind::Ambiguous { .. }), "{text}: {error}");
        assert_eq!(error.position(), position, "{text}: {error}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    for (text, position, reason) in [
        ("100001 : [3..2] 100002 = *", 10, "the least is more than the most"),
        ("100001 : [1..99999999999] 100002 = *", 13, "more than there can be"),
        ("100001 : { ({ 100002 = * }) }", 11, "within another group"),
        ("100001 {{ M active = 1 }}", 7, "members of a reference set"),
        ("^ 100001 {{ C active = 1 }} {{ M active = 1 }}", 28, "before those of concepts"),
    ] {
        let error = refused(text);
        assert!(matches!(error.kind(), ExpressionErrorKind::Invalid { .. }), "{text}: {error}");
        assert_eq!(error.position(), position, "{text}: {error}");
        assert!(error.to_string().contains(reason), "{text}: {error}");
    }
}

#[test]
fn a_place_has_a_line_and_a_column() {
    let text = "100001 OR\n  é |x|";
    assert_eq!(refused(text).line_and_column(text), (2, 3));
    let message = refused(text).to_string();
    assert!(
        message.starts_with("at character 13: expected ") && message.ends_with("found \"é |x|\""),
        "{message}"
    );
}

#[test]
fn hostile_expressions_are_refused_at_once() {
    let deep = |n: usize| format!("{}100001{}", "(".repeat(n), ")".repeat(n));
    read(&deep(MAX_DEPTH));
    let attribute = |n: usize| format!("100001 : {}100002 = *{}", "(".repeat(n), ")".repeat(n));
    read(&attribute(MAX_DEPTH));
    for n in [MAX_DEPTH + 1, 10_000, 100_000] {
        let nested = format!("{}100001", "100001 : 100002 = (".repeat(n));
        for text in [deep(n), attribute(n), "(".repeat(n), nested] {
            let text = text.get(..MAX_EXPRESSION_BYTES).unwrap_or(&text);
            assert!(matches!(refused(text).kind(), ExpressionErrorKind::TooDeep), "{n}");
        }
    }
    for text in ["{".repeat(100_000), "[".repeat(100_000), "<".repeat(100_000), "^".repeat(100_000)]
    {
        refused(&text);
        refused(&format!("100001 : {text}"));
    }
    let long = "1".repeat(MAX_EXPRESSION_BYTES + 1);
    assert!(matches!(refused(&long).kind(), ExpressionErrorKind::TooLong { .. }));
    let many = vec!["100001"; 50_000].join(" OR ");
    let many = many.get(..MAX_EXPRESSION_BYTES).unwrap_or(&many);
    read(many.rsplit_once(" OR ").expect("it has some").0);
}

fn any_id() -> impl Strategy<Value = String> {
    "[1-9][0-9]{5,17}"
}

fn any_reference() -> impl Strategy<Value = ConceptReference> {
    let term = prop::option::of("[^\\s|][^|\\p{Cc}]{0,8}[^\\s|]");
    (any_id(), term).prop_map(|(id, term)| ConceptReference { id, term })
}

fn any_comparison() -> impl Strategy<Value = Comparison> {
    prop_oneof![Just(Comparison::Equal), Just(Comparison::NotEqual)]
}

fn any_term() -> impl Strategy<Value = SearchTerm> {
    prop_oneof![
        r#"([a-z #é]|\\"|\\\\){0,6}[a-z]"#
            .prop_map(|text| SearchTerm { kind: SearchKind::Match, text }),
        r#"([a-z *é]|\\"|\\\\|\\\*){0,6}[a-z]"#
            .prop_map(|text| SearchTerm { kind: SearchKind::Wild, text }),
    ]
}

fn any_filter() -> impl Strategy<Value = Filter> {
    let term = prop::collection::vec(any_term(), 1..3);
    let description =
        (any_comparison(), term, any::<bool>()).prop_map(|(comparison, terms, active)| {
            let active = DescriptionFilter::Active(comparison, active);
            Filter::Description(vec![DescriptionFilter::Term(comparison, terms), active])
        });
    let concept =
        (any_comparison(), any_reference(), any_reference()).prop_map(|(comparison, a, b)| {
            Filter::Concept(vec![ConceptFilter::Module(comparison, ConceptChoice::Set(vec![a, b]))])
        });
    prop_oneof![description, concept]
}

fn any_focus() -> impl Strategy<Value = Focus> {
    prop_oneof![
        Just(Focus::Wildcard),
        any_reference().prop_map(Focus::Concept),
        ("[A-Z][a-z0-9-]{0,4}", r#"[^"\\\p{Cc}]{1,6}"#).prop_map(|(scheme, code)| {
            Focus::Identifier(AlternateIdentifier { scheme, code, term: None })
        }),
    ]
}

fn any_sub(focus: impl Strategy<Value = Focus>) -> impl Strategy<Value = SubExpression> {
    let operator = prop::option::of(prop::sample::select(Operator::ALL.to_vec()));
    let member = prop_oneof![
        3 => Just(None),
        1 => Just(Some(MemberOf::Members)),
        1 => Just(Some(MemberOf::Fields(vec!["mapTarget".to_owned()]))),
    ];
    let filters = prop::collection::vec(any_filter(), 0..2);
    let history = prop_oneof![3 => Just(None), 1 => Just(Some(History::Minimum))];
    (operator, member, focus, filters, history).prop_map(
        |(operator, member_of, focus, filters, history)| SubExpression {
            operator,
            member_of,
            filters,
            history,
            ..SubExpression::of(focus)
        },
    )
}

fn any_expression() -> impl Strategy<Value = Expression> {
    let leaf = any_sub(any_focus()).prop_map(Expression::Simple);
    leaf.prop_recursive(4, 24, 3, |inner| {
        let nested = inner.prop_map(|inner| Focus::Nested(Box::new(inner)));
        let sub = any_sub(prop_oneof![any_focus(), nested]).boxed();
        let several = prop::collection::vec(sub.clone(), 2..4);
        prop_oneof![
            several.clone().prop_map(Expression::And),
            several.clone().prop_map(Expression::Or),
            (sub.clone(), sub.clone()).prop_map(|(a, b)| Expression::Minus(Box::new([a, b]))),
            (sub.clone(), several).prop_map(|(focus, all)| Expression::Dotted(focus, all)),
            (sub.clone(), any_refinement(sub.clone())).prop_map(|(a, b)| Expression::Refined(a, b)),
        ]
    })
}

fn any_refinement(sub: BoxedStrategy<SubExpression>) -> impl Strategy<Value = Refinement> {
    let cardinality = prop::option::of((0u32..3, prop::option::of(3u32..5)))
        .prop_map(|found| found.map(|(min, max)| Cardinality { min, max }));
    let value = prop_oneof![
        sub.clone().prop_map(Value::Expression),
        prop::collection::vec(any_term(), 1..3).prop_map(Value::Text),
        any::<bool>().prop_map(Value::Boolean),
        "[+-]?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,3})?".prop_map(Value::Number),
    ];
    let attribute = (cardinality.clone(), any::<bool>(), sub, any_comparison(), value)
        .prop_map(|(cardinality, reverse, name, comparison, value)| {
            let direction = if reverse { Direction::Reverse } else { Direction::Forward };
            let read = Attribute { cardinality, direction, name, comparison, value };
            Refinement::Attribute(Box::new(read))
        })
        .boxed();
    let joined = |item: BoxedStrategy<Refinement>| {
        let several = prop::collection::vec(item.clone(), 2..4);
        prop_oneof![
            item,
            several.clone().prop_map(Refinement::And),
            several.prop_map(Refinement::Or),
        ]
        .boxed()
    };
    let brackets = |inner: BoxedStrategy<Refinement>| {
        inner.prop_map(|inner| Refinement::Brackets(Box::new(inner))).boxed()
    };
    let content =
        joined(prop_oneof![attribute.clone(), brackets(joined(attribute.clone()))].boxed());
    let group = (cardinality, content.clone()).prop_map(|(cardinality, content)| {
        Refinement::Group(Group { cardinality, content: Box::new(content) })
    });
    let item = prop_oneof![attribute, group, brackets(content)].boxed();
    joined(item)
}

proptest! {
    #[test]
    fn what_is_printed_is_read_as_the_same(expression in any_expression()) {
        let text = expression.to_string();
        let read = Expression::parse(&text);
        prop_assert!(read.is_ok(), "{text}: {:?}", read.err().map(|error| error.to_string()));
        prop_assert_eq!(read.ok(), Some(expression), "{}", text);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~é\\n]{0,40}") {
        if let Err(error) = Expression::parse(&text) {
            prop_assert!(text.is_char_boundary(error.position()) && !error.to_string().is_empty());
        }
    }

    #[test]
    fn changed_expressions_are_read_or_refused(
        text in prop::sample::select(CANONICAL.lines().collect::<Vec<_>>()),
        at in any::<prop::sample::Index>(),
        with in "[<>(){}\\[\\]:.,*^=#\"R|+!a1 ]{0,3}",
    ) {
        let at = at.index(text.len());
        prop_assume!(text.is_char_boundary(at) && text.is_char_boundary(at + 1));
        let changed = format!("{}{with}{}", &text[..at], &text[at + 1..]);
        if let Ok(read) = Expression::parse(&changed) {
            let printed = read.to_string();
            prop_assert_eq!(Expression::parse(&printed).ok(), Some(read), "{}", printed);
        }
    }
}
