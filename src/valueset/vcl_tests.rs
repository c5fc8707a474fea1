//! VCL, from text to tree and back.

use proptest::prelude::*;

use super::vcl::*;
use super::*;

fn read(text: &str) -> Expression {
    Expression::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn prints(text: &str, expected: &str) {
    let read = read(text);
    assert_eq!(read.to_string(), expected, "{text}");
    assert_eq!(self::read(expected), read, "{text}");
}

/// One of each construct of the grammar, as it is printed.
const CANONICAL: &str = include_str!("../../fixtures/expressions/vcl.txt");

#[test]
fn every_construct_is_read_and_printed_back() {
    for text in CANONICAL.lines() {
        prints(text, text);
    }
}

#[test]
fn other_spellings_are_the_same() {
    for (text, expected) in [
        ("\"A\"", "A"),
        (" A\t;B ", "A ; B"),
        ("A,B", "A, B"),
        ("A -B", "A - B"),
        ("concept<<B", "concept << B"),
        ("x~^{A,B}", "x ~^ {A, B}"),
        ("x^{A}", "x ^ {A}"),
        ("\"x y\"=B", "\"x y\" = B"),
        ("( http://loinc.org ) (A;B)", "(http://loinc.org)(A ; B)"),
        ("^ http://example.org/ValueSet/x", "^(http://example.org/ValueSet/x)"),
        ("x^http://example.org/ValueSet/x", "x ^ http://example.org/ValueSet/x "),
        ("http://example.org/x .p", "http://example.org/x .p"),
        ("(^http://example.org/x|1)-A", "(^(http://example.org/x|1)) - A"),
        ("*", "*"),
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
        ("", 0, "a code"),
        ("A,", 2, "a code"),
        ("(A", 2, "\")\""),
        ("A)", 1, "the end of the expression"),
        ("A B", 2, "the sign of a filter"),
        ("A B", 2, "\";\""),
        ("A = ", 4, "a code"),
        ("A / B", 4, "a text in quotation marks"),
        ("A ^ B", 4, "a URI"),
        ("A ^ {B", 6, "\"}\""),
        ("{A, B}", 6, "\".\""),
        ("\"A", 0, "a text in quotation marks"),
        ("\"A\\x\"", 0, "a text in quotation marks"),
        ("A\n;B", 1, "the end of the expression"),
        ("(http://loinc.org", 17, "\")\""),
        ("^B", 1, "a URI"),
        ("{x = A, B}.p", 9, "the sign of a filter"),
        (".p", 0, "a code"),
    ] {
        let error = refused(text);
        let message = error.to_string();
        let ExpressionErrorKind::Unexpected { expected: wanted, .. } = error.kind() else {
            panic!("{text}: {message}");
        };
        assert_eq!(error.position(), position, "{text}: {message}");
        assert!(wanted.iter().any(|one| one == expected), "{text}: {message}");
    }
    for (text, position) in [("A,B;C", 3), ("A;B,C", 3), ("A - B - C", 6), ("A,B - C", 4)] {
        let error = refused(text);
        assert!(matches!(error.kind(), ExpressionErrorKind::Ambiguous { .. }), "{text}: {error}");
        assert_eq!(error.position(), position, "{text}: {error}");
    }
    let error = refused("A ? maybe");
    assert!(matches!(error.kind(), ExpressionErrorKind::Invalid { .. }), "{error}");
    assert_eq!(error.position(), 4);
}

#[test]
fn hostile_expressions_are_refused_at_once() {
    let deep = |n: usize| format!("{}A{}", "(".repeat(n), ")".repeat(n));
    read(&deep(MAX_DEPTH));
    for n in [MAX_DEPTH + 1, 10_000, 100_000] {
        for text in [deep(n), "{".repeat(n), "x^{".repeat(n), "(".repeat(n)] {
            assert!(matches!(refused(&text).kind(), ExpressionErrorKind::TooDeep), "{n}");
        }
    }
    let long = "A".repeat(MAX_EXPRESSION_BYTES + 1);
    assert!(matches!(refused(&long).kind(), ExpressionErrorKind::TooLong { .. }));
    read(&vec!["A"; 100_000].join(";"));
}

#[test]
fn implicit_value_sets_are_expressions() {
    for (url, expected) in [
        (
            "http://fhir.org/VCL?v1=(http://loinc.org)(parent%5E%7BLP1,LP2%7D)",
            "(http://loinc.org)(parent ^ {LP1, LP2})",
        ),
        ("http://snomed.info/sct?fhir_vs", "(http://snomed.info/sct)*"),
        (
            "http://snomed.info/sct?fhir_vs=isa/73211009",
            "(http://snomed.info/sct)concept << 73211009",
        ),
        (
            "http://snomed.info/sct?fhir_vs=refset/700043003",
            "(http://snomed.info/sct)constraint = \"^ 700043003\"",
        ),
        (
            "http://snomed.info/sct?fhir_vs=ecl/%3C%20%37%33211009",
            "(http://snomed.info/sct)constraint = \"< 73211009\"",
        ),
        (
            "http://snomed.info/sct/900000000000207008?fhir_vs",
            "(http://snomed.info/sct|http://snomed.info/sct/900000000000207008)*",
        ),
        ("http://loinc.org?fhir_vs", "(http://loinc.org)*"),
    ] {
        let read = Constraint::implicit(url).unwrap_or_else(|error| panic!("{url}: {error}"));
        assert_eq!(read.map(|read| read.to_string()).as_deref(), Some(expected), "{url}");
    }
    for other in ["", "A", "http://loinc.org", "?fhir_vs", "http://snomed.info/sct?fhir_vs=x/1"] {
        assert_eq!(Constraint::implicit(other).expect(other), None, "{other}");
    }
    assert!(Constraint::implicit("http://snomed.info/sct?fhir_vs=ecl/%3C").is_err());
    assert!(Constraint::implicit("http://fhir.org/VCL?v1=%ff(").is_err());
}

fn any_code() -> impl Strategy<Value = String> {
    prop_oneof!["[A-Za-z0-9][A-Za-z0-9_-]{0,6}", r#"[^\p{Cc}]{0,6}"#]
}

fn any_uri() -> impl Strategy<Value = String> {
    "[a-z]{3,5}://[a-z]{1,5}\\.org/[A-Za-z0-9?=&_%.-]{0,5}(\\|[0-9.]{1,3})?"
}

/// Only brackets end a version.
fn any_unversioned() -> impl Strategy<Value = String> {
    any_uri().prop_map(|uri| uri.split('|').next().unwrap_or_default().to_owned())
}

fn any_filter() -> impl Strategy<Value = Filter> {
    let test = prop_oneof![
        any_code().prop_map(Test::Equals),
        any_code().prop_map(Test::IsA),
        any_code().prop_map(Test::IsNotA),
        any_code().prop_map(Test::DescendantOf),
        any_code().prop_map(Test::Matches),
        any_code().prop_map(Test::Generalizes),
        any_code().prop_map(Test::ChildOf),
        any_code().prop_map(Test::DescendantLeaf),
        any::<bool>().prop_map(Test::Exists),
        any_unversioned().prop_map(|uri| Test::In(Values::ValueSet(uri))),
        prop::collection::vec(any_code(), 1..3).prop_map(|codes| Test::NotIn(Values::Codes(codes))),
    ];
    let leaf = (any_code(), test).prop_map(|(property, test)| Filter::Property { property, test });
    leaf.prop_recursive(3, 12, 3, |inner| {
        let filters = prop::collection::vec(inner, 1..3).prop_map(Values::Filters);
        let values = prop_oneof![
            filters,
            prop::collection::vec(any_code(), 1..3).prop_map(Values::Codes),
            any_unversioned().prop_map(Values::ValueSet),
        ];
        let source = prop_oneof![
            Just(Source::All),
            any_code().prop_map(Source::Code),
            values.clone().prop_map(Source::Values),
        ];
        prop_oneof![
            (any_code(), values).prop_map(|(property, values)| Filter::Property {
                property,
                test: Test::In(values)
            }),
            (source, any_code()).prop_map(|(source, property)| Filter::Of { source, property }),
        ]
    })
}

fn any_expression() -> impl Strategy<Value = Expression> {
    let content = prop_oneof![
        Just(Content::All),
        any_code().prop_map(Content::Code),
        any_filter().prop_map(Content::Filter),
        any_uri().prop_map(Content::Include),
    ];
    let part = |content: BoxedStrategy<Content>| {
        (prop::option::of(any_uri()), content).prop_map(|(system, content)| Part {
            position: Position::default(),
            system,
            content,
        })
    };
    let leaf = part(content.clone().boxed()).prop_map(Expression::Simple);
    leaf.prop_recursive(4, 20, 3, move |inner| {
        let brackets = inner.prop_map(|inner| Content::Brackets(Box::new(inner)));
        let part = part(prop_oneof![content.clone(), brackets].boxed()).boxed();
        let several = prop::collection::vec(part.clone(), 2..4);
        prop_oneof![
            several.clone().prop_map(Expression::And),
            several.prop_map(Expression::Or),
            (part.clone(), part).prop_map(|(a, b)| Expression::Minus(Box::new([a, b]))),
        ]
    })
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
}
