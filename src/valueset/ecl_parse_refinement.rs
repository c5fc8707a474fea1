//! Refinements of ECL, from text.

use winnow::combinator::{alt, not, opt};
use winnow::prelude::*;
use winnow::stream::Stream;
use winnow::token::{one_of, take_while};

use super::ExpressionErrorKind;
use super::ecl::*;
use super::ecl_parse::{
    Joint, comparison, is_identifier, joined, joint, quiet_keyword, sub_expression,
    sub_expression_or_brackets,
};
use super::scan::*;

pub(super) fn refinement(input: &mut Input<'_>) -> Parsed<Refinement> {
    let first = item(input)?;
    refinement_after(input, first)
}

/// The rest of a refinement whose first item was read.
pub(super) fn refinement_after(input: &mut Input<'_>, first: Refinement) -> Parsed<Refinement> {
    list_after(input, first, item)
}

fn list_after<'t>(
    input: &mut Input<'t>,
    first: Refinement,
    item: fn(&mut Input<'t>) -> Parsed<Refinement>,
) -> Parsed<Refinement> {
    let Some(joint) = joint(input, Joint::OF_ATTRIBUTES) else { return Ok(first) };
    let all = joined(input, joint, first, Joint::OF_ATTRIBUTES, item)?;
    Ok(if joint == Joint::Or { Refinement::Or(all) } else { Refinement::And(all) })
}

/// Whether what follows can only be a refinement.
pub(super) fn begins_refinement(input: &mut Input<'_>) -> bool {
    follows(input, |rest| rest.starts_with(['[', '{']) || reverse_flag(rest).is_some())
}

/// How long the flag is, where a text begins with it.
fn reverse_flag(text: &str) -> Option<usize> {
    let letters = text
        .find(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '#' | '-'))
        .unwrap_or(text.len());
    let word = &text[..letters];
    // The identifier may follow it at once: `R127489000`.
    let digits = word.strip_prefix('R').unwrap_or("x");
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(1);
    }
    word.eq_ignore_ascii_case("reverseOf").then_some(letters)
}

fn item(input: &mut Input<'_>) -> Parsed<Refinement> {
    let cardinality = cardinality(input)?;
    if symbol(input, "{").is_ok() {
        let first = item_of_group(input)?;
        let content = Box::new(list_after(input, first, item_of_group)?);
        symbol(input, "}")?;
        return Ok(Refinement::Group(Group { cardinality, content }));
    }
    attribute(input, cardinality, no_groups_asked)
}

fn item_of_group(input: &mut Input<'_>) -> Parsed<Refinement> {
    let cardinality = cardinality(input)?;
    attribute(input, cardinality, no_groups_within)
}

/// Groups may stand in brackets.
fn no_groups_asked(_: &mut Input<'_>, _: usize, _: &Refinement) -> Parsed<()> {
    Ok(())
}

/// Groups do not stand within groups, nor in brackets within them.
fn no_groups_within(input: &mut Input<'_>, at: usize, brackets: &Refinement) -> Parsed<()> {
    if !has_group(brackets) {
        return Ok(());
    }
    let kind = ExpressionErrorKind::Invalid {
        what: "group",
        text: "{".to_owned(),
        reason: "it stands within another group",
    };
    Err(fatal(input, at, kind))
}

fn has_group(refinement: &Refinement) -> bool {
    match refinement {
        Refinement::Attribute(_) => false,
        Refinement::Group(_) => true,
        Refinement::Brackets(inner) => has_group(inner),
        Refinement::And(all) | Refinement::Or(all) => all.iter().any(has_group),
    }
}

/// An attribute, or a refinement in brackets.
fn attribute<'t>(
    input: &mut Input<'t>,
    cardinality: Option<Cardinality>,
    check: fn(&mut Input<'t>, usize, &Refinement) -> Parsed<()>,
) -> Parsed<Refinement> {
    let is_reverse = follows(input, |rest| reverse_flag(rest).is_some());
    if is_reverse {
        let flag = take_while(1.., |letter: char| letter.is_ascii_alphabetic());
        token(input, Wanted::Symbol("R"), flag.void())?;
    }
    let direction = if is_reverse { Direction::Reverse } else { Direction::Forward };
    blank(input);
    let at = position(input);
    // What is said of an attribute is not said of brackets.
    let name = if cardinality.is_none() && !is_reverse {
        match sub_expression_or_brackets(input)? {
            Ok(name) => name,
            Err(brackets) => return check(input, at, &brackets).map(|()| brackets),
        }
    } else {
        sub_expression(input)?
    };
    let comparison = comparison(input).map(|(_, comparison)| comparison);
    let comparison = comparison.ok_or(winnow::error::EmptyError)?;
    let mut read = attribute_after(input, name, comparison)?;
    if let Refinement::Attribute(attribute) = &mut read {
        attribute.cardinality = cardinality;
        attribute.direction = direction;
    }
    Ok(read)
}

/// An attribute whose name and comparison were read.
pub(super) fn attribute_after(
    input: &mut Input<'_>,
    name: SubExpression,
    comparison: Comparison,
) -> Parsed<Refinement> {
    let value = value(input, comparison)?;
    let (cardinality, direction) = (None, Direction::Forward);
    let read = Attribute { cardinality, direction, name, comparison, value };
    Ok(Refinement::Attribute(Box::new(read)))
}

pub(super) fn value(input: &mut Input<'_>, comparison: Comparison) -> Parsed<Value> {
    if symbol(input, "#").is_ok() {
        return number(input).map(Value::Number);
    }
    if comparison.is_order() {
        // Only numbers have an order.
        return Err(winnow::error::EmptyError);
    }
    if quiet_keyword(input, "true") {
        return Ok(Value::Boolean(true));
    }
    if quiet_keyword(input, "false") {
        return Ok(Value::Boolean(false));
    }
    let in_brackets = follows(input, |rest| {
        rest.strip_prefix('(').is_some_and(|inner| begins_text(inner.trim_start()))
    });
    if in_brackets || follows(input, begins_text) {
        return search_terms(input).map(Value::Text);
    }
    sub_expression(input).map(Value::Expression)
}

/// Whether a text begins like one to search for, rather than like an identifier of another scheme.
fn begins_text(text: &str) -> bool {
    if let Some(quoted) = text.strip_prefix('"') {
        return !is_identifier(quoted.split('"').next().unwrap_or_default());
    }
    let word = text.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let (word, rest) = text.split_at(word);
    let is_kind = word.eq_ignore_ascii_case("match") || word.eq_ignore_ascii_case("wild");
    is_kind && rest.trim_start().starts_with(':')
}

/// The digits behind `#`.
fn number(input: &mut Input<'_>) -> Parsed<String> {
    let digits = || take_while(1.., |letter: char| letter.is_ascii_digit());
    let whole = alt((
        (one_of('1'..='9'), take_while(0.., |letter: char| letter.is_ascii_digit())).void(),
        ('0', not(one_of('0'..='9'))).void(),
    ));
    let mut all = (opt(one_of(('-', '+'))), whole, opt(('.', digits()))).take();
    let start = input.checkpoint();
    let text: Parsed<&str> = all.parse_next(input);
    text.map(str::to_owned).map_err(|_| {
        input.reset(&start);
        missed(input, Wanted::Kind("a number"))
    })
}

/// One text to search for, or several in brackets.
pub(super) fn search_terms(input: &mut Input<'_>) -> Parsed<Vec<SearchTerm>> {
    if symbol(input, "(").is_err() {
        return Ok(vec![search_term(input)?]);
    }
    let mut terms = vec![search_term(input)?];
    while symbol(input, ")").is_err() {
        terms.push(search_term(input)?);
    }
    Ok(terms)
}

fn search_term(input: &mut Input<'_>) -> Parsed<SearchTerm> {
    let kind = if quiet_keyword(input, "wild") {
        symbol(input, ":")?;
        SearchKind::Wild
    } else {
        if quiet_keyword(input, "match") {
            symbol(input, ":")?;
        }
        SearchKind::Match
    };
    let text = quoted(input, "a text in quotation marks", kind == SearchKind::Wild)?;
    Ok(SearchTerm { kind, text })
}

/// What stands between quotation marks, with its backslashes; something other than white space.
fn quoted(input: &mut Input<'_>, what: &'static str, has_stars: bool) -> Parsed<String> {
    let plain = take_while(1.., |letter: char| !matches!(letter, '"' | '\\'));
    let escaped = (
        '\\',
        one_of(move |letter: char| matches!(letter, '"' | '\\') || has_stars && letter == '*'),
    );
    let inside =
        winnow::combinator::repeat::<_, _, (), _, _>(1.., alt((plain.void(), escaped.void())));
    let text = ('"', inside.take(), '"').map(|(_, text, _): (_, &str, _)| text);
    let text = text.verify(|text: &str| !text.trim().is_empty());
    token(input, Wanted::Kind(what), text.map(str::to_owned))
}

/// `[1..3]`, where it stands.
fn cardinality(input: &mut Input<'_>) -> Parsed<Option<Cardinality>> {
    if symbol(input, "[").is_err() {
        return Ok(None);
    }
    blank(input);
    let at = position(input);
    let start = input.checkpoint();
    let min = count(input)?;
    if symbol(input, "..").is_err() && !quiet_keyword(input, "to") {
        return Err(winnow::error::EmptyError);
    }
    let unlimited = symbol(input, "*").is_ok() || quiet_keyword(input, "many");
    let max = if unlimited { None } else { Some(count(input)?) };
    let end = position(input);
    symbol(input, "]")?;
    if max.is_some_and(|max| max < min) {
        let after = input.checkpoint();
        input.reset(&start);
        let text: Parsed<&str> = winnow::token::take(end - at).parse_next(input);
        input.reset(&after);
        let kind = ExpressionErrorKind::Invalid {
            what: "cardinality",
            text: text.unwrap_or_default().to_owned(),
            reason: "the least is more than the most",
        };
        return Err(fatal(input, at, kind));
    }
    Ok(Some(Cardinality { min, max }))
}

fn count(input: &mut Input<'_>) -> Parsed<u32> {
    blank(input);
    let at = position(input);
    let digits = take_while(1.., |letter: char| letter.is_ascii_digit());
    let whole = digits.verify(|digits: &str| digits == "0" || !digits.starts_with('0'));
    let digits: &str = token(input, Wanted::Kind("a count"), whole)?;
    digits.parse().map_err(|_| {
        let kind = ExpressionErrorKind::Invalid {
            what: "count",
            text: digits.to_owned(),
            reason: "it is more than there can be",
        };
        fatal(input, at, kind)
    })
}
