//! Filters and history supplements of ECL, from text.

use winnow::combinator::opt;
use winnow::error::EmptyError;
use winnow::prelude::*;
use winnow::stream::Stream;
use winnow::token::{one_of, take_while};

use super::ExpressionErrorKind;
use super::ecl::*;
use super::ecl_parse::{
    comparison, concept_reference, expression, field_name, quiet_keyword, sctid, sub_expression,
};
use super::ecl_parse_refinement::{search_terms, value};
use super::scan::*;

/// What may be said in double braces of which kind.
const DESCRIPTION: &[&str] = &[
    "term",
    "language",
    "typeId",
    "type",
    "dialectId",
    "dialect",
    "moduleId",
    "effectiveTime",
    "active",
    "id",
];
const CONCEPT: &[&str] =
    &["definitionStatusId", "definitionStatus", "moduleId", "effectiveTime", "active"];

/// The filters behind a focus, and the history after them.
pub(super) fn filters(
    input: &mut Input<'_>,
    has_members: bool,
) -> Parsed<(Vec<Filter>, Option<History>)> {
    let mut filters = Vec::new();
    loop {
        blank(input);
        let at = position(input);
        if symbol(input, "{{").is_err() {
            return Ok((filters, None));
        }
        if symbol(input, "+").is_ok() {
            let history = history(input)?;
            symbol(input, "}}")?;
            return Ok((filters, Some(history)));
        }
        let filter = filter(input)?;
        symbol(input, "}}")?;
        if let Filter::Member(_) = &filter {
            let reason = match filters.last() {
                _ if !has_members => Some("only members of a reference set, ^, have some"),
                Some(Filter::Concept(_) | Filter::Description(_)) => {
                    Some("it stands before those of concepts and names")
                }
                _ => None,
            };
            if let Some(reason) = reason {
                let text = "{{ M".to_owned();
                let kind = ExpressionErrorKind::Invalid { what: "member filter", text, reason };
                return Err(fatal(input, at, kind));
            }
        }
        filters.push(filter);
    }
}

fn filter(input: &mut Input<'_>) -> Parsed<Filter> {
    if DESCRIPTION.iter().any(|word| is_next(input, word)) {
        return list(input, description_filter).map(Filter::Description);
    }
    // The letter need not stand apart: `{{Cactive=1}}`.
    if letter(input, "C") {
        return list(input, concept_filter).map(Filter::Concept);
    }
    if letter(input, "M") {
        return list(input, member_filter).map(Filter::Member);
    }
    letter(input, "D");
    list(input, description_filter).map(Filter::Description)
}

/// Reads the letter that says what is filtered, where it stands.
fn letter(input: &mut Input<'_>, which: &'static str) -> bool {
    token(input, Wanted::Symbol(which), winnow::token::literal(winnow::ascii::Caseless(which)))
        .is_ok()
}

fn is_next(input: &mut Input<'_>, word: &str) -> bool {
    follows(input, |rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        rest[..end].eq_ignore_ascii_case(word)
    })
}

fn list<'t, T>(input: &mut Input<'t>, item: fn(&mut Input<'t>) -> Parsed<T>) -> Parsed<Vec<T>> {
    let mut all = vec![item(input)?];
    while symbol(input, ",").is_ok() {
        all.push(item(input)?);
    }
    Ok(all)
}

/// One of these words.
fn one_word(input: &mut Input<'_>, words: &[&'static str]) -> Parsed<&'static str> {
    words.iter().copied().find(|word| keyword(input, word).is_ok()).ok_or(EmptyError)
}

/// A comparison that asks for no order.
fn equality(input: &mut Input<'_>) -> Parsed<Comparison> {
    let start = input.checkpoint();
    match comparison(input) {
        Some((_, comparison)) if !comparison.is_order() => Ok(comparison),
        _ => {
            input.reset(&start);
            blank(input);
            Err(missed(input, Wanted::Kind("= or !=")))
        }
    }
}

fn any_comparison(input: &mut Input<'_>) -> Parsed<Comparison> {
    comparison(input).map(|(_, comparison)| comparison).ok_or(EmptyError)
}

fn description_filter(input: &mut Input<'_>) -> Parsed<DescriptionFilter> {
    use DescriptionFilter as Read;
    Ok(match one_word(input, DESCRIPTION)? {
        "term" => Read::Term(equality(input)?, search_terms(input)?),
        "language" => Read::Language(equality(input)?, one_or_more(input, language)?),
        "typeId" => Read::TypeId(equality(input)?, concept_choice(input)?),
        "type" => Read::Type(equality(input)?, one_or_more(input, description_type)?),
        "dialectId" => Read::Dialect(equality(input)?, dialects(input, dialect_ids)?),
        "dialect" => Read::Dialect(equality(input)?, dialects(input, dialect_aliases)?),
        "moduleId" => Read::Module(equality(input)?, concept_choice(input)?),
        "effectiveTime" => Read::EffectiveTime(any_comparison(input)?, one_or_more(input, day)?),
        "active" => Read::Active(equality(input)?, active(input)?),
        _ => Read::Id(equality(input)?, one_or_more(input, description_id)?),
    })
}

fn concept_filter(input: &mut Input<'_>) -> Parsed<ConceptFilter> {
    use ConceptFilter as Read;
    Ok(match one_word(input, CONCEPT)? {
        "definitionStatusId" => Read::DefinitionStatusId(equality(input)?, concept_choice(input)?),
        "definitionStatus" => {
            Read::DefinitionStatus(equality(input)?, one_or_more(input, definition_status)?)
        }
        "moduleId" => Read::Module(equality(input)?, concept_choice(input)?),
        "effectiveTime" => Read::EffectiveTime(any_comparison(input)?, one_or_more(input, day)?),
        _ => Read::Active(equality(input)?, active(input)?),
    })
}

fn member_filter(input: &mut Input<'_>) -> Parsed<MemberFilter> {
    use MemberFilter as Read;
    let name = field_name(input)?;
    let is = |word: &str| name.eq_ignore_ascii_case(word);
    if is("moduleId") {
        return Ok(Read::Module(equality(input)?, concept_choice(input)?));
    }
    if is("effectiveTime") {
        return Ok(Read::EffectiveTime(any_comparison(input)?, one_or_more(input, day)?));
    }
    if is("active") {
        return Ok(Read::Active(equality(input)?, active(input)?));
    }
    let comparison = any_comparison(input)?;
    let has_order = comparison.is_order() && !follows(input, |rest| rest.starts_with('#'));
    let value = if has_order {
        MemberValue::Days(one_or_more(input, day)?)
    } else {
        MemberValue::Value(value(input, comparison)?)
    };
    Ok(Read::Field(name, comparison, value))
}

/// One, or several in brackets.
fn one_or_more<'t, T>(
    input: &mut Input<'t>,
    item: fn(&mut Input<'t>) -> Parsed<T>,
) -> Parsed<Vec<T>> {
    if symbol(input, "(").is_err() {
        return Ok(vec![item(input)?]);
    }
    let mut all = vec![item(input)?];
    while symbol(input, ")").is_err() {
        all.push(item(input)?);
    }
    Ok(all)
}

fn language(input: &mut Input<'_>) -> Parsed<String> {
    let letters = take_while(2..=2, |letter: char| letter.is_ascii_alphabetic());
    let ends = winnow::combinator::not(one_of(|letter: char| letter.is_ascii_alphanumeric()));
    let code = (letters, ends).map(|(code, ()): (&str, ())| code.to_owned());
    token(input, Wanted::Kind("a language of two letters"), code)
}

fn description_id(input: &mut Input<'_>) -> Parsed<String> {
    sctid(input, "a description identifier")
}

fn description_type(input: &mut Input<'_>) -> Parsed<DescriptionType> {
    use DescriptionType::{Definition, FullySpecifiedName, Synonym};
    let long = [
        ("synonym", Synonym),
        ("fullySpecifiedName", FullySpecifiedName),
        ("definition", Definition),
    ];
    if let Some((_, read)) = long.into_iter().find(|(word, _)| quiet_keyword(input, word)) {
        return Ok(read);
    }
    let short = [Synonym, FullySpecifiedName, Definition];
    short.into_iter().find(|one| keyword(input, one.word()).is_ok()).ok_or(EmptyError)
}

fn definition_status(input: &mut Input<'_>) -> Parsed<DefinitionStatus> {
    let all = [DefinitionStatus::Primitive, DefinitionStatus::Defined];
    all.into_iter().find(|one| keyword(input, one.word()).is_ok()).ok_or(EmptyError)
}

fn active(input: &mut Input<'_>) -> Parsed<bool> {
    let words = [("true", true), ("1", true), ("false", false), ("0", false)];
    let found = words.into_iter().find(|(word, _)| keyword(input, word).is_ok());
    found.map(|(_, active)| active).ok_or(EmptyError)
}

/// A day, or none, in quotation marks.
fn day(input: &mut Input<'_>) -> Parsed<String> {
    let digits = take_while(8..=8, |letter: char| letter.is_ascii_digit()).verify(|day: &str| {
        let within = |text: &str, most: u8| text.parse().is_ok_and(|n: u8| (1..=most).contains(&n));
        !day.starts_with('0') && within(&day[4..6], 12) && within(&day[6..8], 31)
    });
    let inside = opt(digits).map(|day: Option<&str>| day.unwrap_or_default().to_owned());
    let day = ('"', inside, '"').map(|(_, day, _)| day);
    token(input, Wanted::Kind("a day such as \"20250101\""), day)
}

/// References in brackets, or a sub-expression.
fn concept_choice(input: &mut Input<'_>) -> Parsed<ConceptChoice> {
    let start = input.checkpoint();
    if symbol(input, "(").is_ok()
        && let Ok(first) = concept_reference(input)
        && let Ok(second) = concept_reference(input)
    {
        let mut all = vec![first, second];
        while symbol(input, ")").is_err() {
            all.push(concept_reference(input)?);
        }
        return Ok(ConceptChoice::Set(all));
    }
    input.reset(&start);
    sub_expression(input).map(|read| ConceptChoice::Expression(Box::new(read)))
}

fn dialects<'t>(
    input: &mut Input<'t>,
    choice: fn(&mut Input<'t>) -> Parsed<DialectChoice>,
) -> Parsed<Dialects> {
    Ok(Dialects { choice: choice(input)?, acceptability: acceptability(input)? })
}

fn dialect_aliases(input: &mut Input<'_>) -> Parsed<DialectChoice> {
    if symbol(input, "(").is_err() {
        return Ok(DialectChoice::Aliases(vec![(dialect_alias(input)?, None)]));
    }
    let mut all = vec![(dialect_alias(input)?, acceptability(input)?)];
    while symbol(input, ")").is_err() {
        all.push((dialect_alias(input)?, acceptability(input)?));
    }
    Ok(DialectChoice::Aliases(all))
}

fn dialect_alias(input: &mut Input<'_>) -> Parsed<String> {
    let rest = take_while(0.., |letter: char| letter.is_ascii_alphanumeric() || letter == '-');
    let alias = (one_of(|letter: char| letter.is_ascii_alphabetic()), rest).take();
    token(input, Wanted::Kind("a dialect such as en-gb"), alias.map(str::to_owned))
}

fn dialect_ids(input: &mut Input<'_>) -> Parsed<DialectChoice> {
    let start = input.checkpoint();
    if let Ok(all) = dialect_id_set(input) {
        return Ok(DialectChoice::Ids(all));
    }
    input.reset(&start);
    sub_expression(input).map(|read| DialectChoice::Expression(Box::new(read)))
}

fn dialect_id_set(input: &mut Input<'_>) -> Parsed<Vec<(ConceptReference, Option<Acceptability>)>> {
    symbol(input, "(")?;
    let mut all = Vec::new();
    while all.is_empty() || symbol(input, ")").is_err() {
        all.push((concept_reference(input)?, acceptability(input)?));
    }
    Ok(all)
}

fn acceptability(input: &mut Input<'_>) -> Parsed<Option<Acceptability>> {
    if symbol(input, "(").is_err() {
        return Ok(None);
    }
    if follows(input, |rest| rest.starts_with(|letter: char| letter.is_ascii_digit())) {
        let mut all = vec![concept_reference(input)?];
        while symbol(input, ")").is_err() {
            all.push(concept_reference(input)?);
        }
        return Ok(Some(Acceptability::Concepts(all)));
    }
    let mut all = vec![acceptability_word(input)?];
    while symbol(input, ")").is_err() {
        all.push(acceptability_word(input)?);
    }
    Ok(Some(Acceptability::Words(all)))
}

fn acceptability_word(input: &mut Input<'_>) -> Parsed<AcceptabilityWord> {
    use AcceptabilityWord::{Acceptable, Preferred};
    let long = [("acceptable", Acceptable), ("preferred", Preferred)];
    if let Some((_, read)) = long.into_iter().find(|(word, _)| quiet_keyword(input, word)) {
        return Ok(read);
    }
    let short = [Acceptable, Preferred];
    short.into_iter().find(|one| keyword(input, one.word()).is_ok()).ok_or(EmptyError)
}

/// What follows the plus sign.
fn history(input: &mut Input<'_>) -> Parsed<History> {
    let profiles = [
        ("-MIN", "_MIN", History::Minimum),
        ("-MOD", "_MOD", History::Moderate),
        ("-MAX", "_MAX", History::Maximum),
    ];
    keyword(input, "HISTORY")?;
    let ends = follows(input, |rest| !rest.starts_with(['-', '_']));
    if !ends {
        for (dash, underscore, profile) in profiles {
            if keyword(input, dash).is_ok() || quiet_keyword(input, underscore) {
                return Ok(profile);
            }
        }
        return Err(EmptyError);
    }
    if symbol(input, "(").is_err() {
        return Ok(History::All);
    }
    let over = deeper(input, expression)?;
    symbol(input, ")")?;
    Ok(History::Over(Box::new(over)))
}
