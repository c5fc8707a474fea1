//! VCL, from text. What a bracket or a brace opens is decided by what follows in it, not by trying.

use winnow::combinator::{alt, opt, repeat};
use winnow::error::EmptyError;
use winnow::prelude::*;
use winnow::stream::Stream;
use winnow::token::{one_of, take_till, take_while};

use super::scan::*;
use super::vcl::*;
use super::{ExpressionError, ExpressionErrorKind, Position};

pub(super) fn parse(text: &str) -> Result<Expression, ExpressionError> {
    read_all(text, Blanks::OneLine, expression)
}

/// Whether a code needs no quotation marks.
pub(super) fn is_simple(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter))
}

const JOINTS: [&str; 3] = [",", ";", "-"];

fn joint(input: &mut Input<'_>) -> Option<&'static str> {
    JOINTS.into_iter().find(|joint| symbol(input, joint).is_ok())
}

fn expression(input: &mut Input<'_>) -> Parsed<Expression> {
    let first = part(input)?;
    let Some(before) = joint(input) else { return Ok(Expression::Simple(first)) };
    let mut all = vec![first, part(input)?];
    loop {
        let start = input.checkpoint();
        let Some(found) = joint(input) else { break };
        if found != before || found == "-" {
            input.reset(&start);
            blank(input);
            let at = position(input);
            return Err(fatal(input, at, ExpressionErrorKind::Ambiguous { before, found }));
        }
        all.push(part(input)?);
    }
    Ok(match before {
        "," => Expression::And(all),
        ";" => Expression::Or(all),
        _ => {
            let pair: Result<[Part; 2], _> = all.try_into();
            Expression::Minus(Box::new(pair.map_err(|_| EmptyError)?))
        }
    })
}

fn part(input: &mut Input<'_>) -> Parsed<Part> {
    blank(input);
    let position = Position(position(input));
    let system = bracketed_uri(input)?;
    if symbol(input, "(").is_ok() {
        let inner = deeper(input, expression)?;
        symbol(input, ")")?;
        let content = Content::Brackets(Box::new(inner));
        return Ok(Part { position, system, content });
    }
    let content = if symbol(input, "^").is_ok() {
        Content::Include(match bracketed_uri(input)? {
            Some(uri) => uri,
            None => uri(input)?,
        })
    } else {
        part_or_filter(input)?
    };
    Ok(Part { position, system, content })
}

/// What begins with a star, a code, a list or a URI.
fn part_or_filter(input: &mut Input<'_>) -> Parsed<Content> {
    if symbol(input, "*").is_ok() {
        if symbol(input, ".").is_err() {
            return Ok(Content::All);
        }
        let property = text(input, "a property")?;
        return Ok(Content::Filter(Filter::Of { source: Source::All, property }));
    }
    match code_or_filter(input)? {
        Ok(filter) => Ok(Content::Filter(filter)),
        Err(code) => Ok(Content::Code(code)),
    }
}

fn filter(input: &mut Input<'_>) -> Parsed<Filter> {
    if symbol(input, "*").is_ok() {
        symbol(input, ".")?;
        return Ok(Filter::Of { source: Source::All, property: text(input, "a property")? });
    }
    code_or_filter(input)?.map_err(|_| EmptyError)
}

/// A filter, or a code that no sign of a filter follows.
fn code_or_filter(input: &mut Input<'_>) -> Parsed<Result<Filter, String>> {
    let source = if symbol(input, "{").is_ok() {
        Source::Values(deeper(input, list)?)
    } else if follows(input, |rest| uri_length(rest) > 0) {
        Source::Values(Values::ValueSet(uri(input)?))
    } else {
        let code = text(input, "a code")?;
        if let Some(test) = test(input)? {
            return Ok(Ok(Filter::Property { property: code, test }));
        }
        if !follows(input, |rest| rest.starts_with('.')) {
            blank(input);
            missed(input, Wanted::Kind("the sign of a filter"));
            return Ok(Err(code));
        }
        Source::Code(code)
    };
    symbol(input, ".")?;
    Ok(Ok(Filter::Of { source, property: text(input, "a property")? }))
}

/// The sign of a filter, and its value.
fn test(input: &mut Input<'_>) -> Parsed<Option<Test>> {
    // A sign that begins like another one stands before it.
    const SIGNS: [&str; 11] = ["=", "<<", "<!", "<", "~<<", "~^", "!!<", ">>", "^", "/", "?"];
    let found = SIGNS
        .into_iter()
        .find(|sign| follows(input, |rest| rest.starts_with(*sign)) && symbol(input, sign).is_ok());
    let Some(sign) = found else { return Ok(None) };
    Ok(Some(match sign {
        "^" => Test::In(values(input)?),
        "~^" => Test::NotIn(values(input)?),
        "/" => Test::Matches(quoted(input)?),
        "?" => Test::Exists(match text(input, "true or false")?.as_str() {
            "true" => true,
            "false" => false,
            other => {
                let at = position(input) - other.len();
                let (text, reason) = (other.to_owned(), "it is neither true nor false");
                let kind = ExpressionErrorKind::Invalid { what: "existence", text, reason };
                return Err(fatal(input, at, kind));
            }
        }),
        sign => {
            let code = text(input, "a code")?;
            match sign {
                "=" => Test::Equals(code),
                "<<" => Test::IsA(code),
                "<!" => Test::ChildOf(code),
                "<" => Test::DescendantOf(code),
                "~<<" => Test::IsNotA(code),
                "!!<" => Test::DescendantLeaf(code),
                _ => Test::Generalizes(code),
            }
        }
    }))
}

fn values(input: &mut Input<'_>) -> Parsed<Values> {
    if symbol(input, "{").is_ok() {
        return deeper(input, list);
    }
    uri(input).map(Values::ValueSet)
}

/// Codes or filters in braces, of which the opening one was read.
fn list(input: &mut Input<'_>) -> Parsed<Values> {
    let (mut codes, mut filters) = (Vec::new(), Vec::new());
    loop {
        // The first one says what the others are.
        if filters.is_empty() && codes.is_empty() {
            if symbol(input, "*").is_ok() {
                symbol(input, ".")?;
                let property = text(input, "a property")?;
                filters.push(Filter::Of { source: Source::All, property });
            } else {
                match code_or_filter(input)? {
                    Ok(filter) => filters.push(filter),
                    Err(code) => codes.push(code),
                }
            }
        } else if codes.is_empty() {
            filters.push(filter(input)?);
        } else {
            codes.push(text(input, "a code")?);
        }
        if symbol(input, ",").is_err() {
            break;
        }
    }
    symbol(input, "}")?;
    Ok(if codes.is_empty() { Values::Filters(filters) } else { Values::Codes(codes) })
}

/// A code or value: letters, digits, dashes and underscores, or anything in quotation marks.
fn text(input: &mut Input<'_>, what: &'static str) -> Parsed<String> {
    if follows(input, |rest| rest.starts_with('"')) {
        return quoted(input);
    }
    let first = one_of(|letter: char| letter.is_ascii_alphanumeric());
    let rest = take_while(0.., |letter: char| {
        letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_')
    });
    token(input, Wanted::Kind(what), (first, rest).take().map(str::to_owned))
}

fn quoted(input: &mut Input<'_>) -> Parsed<String> {
    let plain = take_till(1.., ('"', '\\')).map(str::to_owned);
    let escaped = ('\\', one_of(('"', '\\'))).map(|(_, letter): (_, char)| letter.to_string());
    let inside = repeat(0.., alt((plain, escaped))).fold(String::new, |mut all, one: String| {
        all.push_str(&one);
        all
    });
    let text = ('"', inside, '"').map(|(_, text, _)| text);
    token(input, Wanted::Kind("a text in quotation marks"), text)
}

/// A URI in brackets, where one follows.
fn bracketed_uri(input: &mut Input<'_>) -> Parsed<Option<String>> {
    let is_uri = follows(input, |rest| {
        rest.strip_prefix('(').is_some_and(|inner| uri_length(inner.trim_start()) > 0)
    });
    if !is_uri {
        return Ok(None);
    }
    let start = input.checkpoint();
    symbol(input, "(")?;
    let uri = uri(input)?;
    if symbol(input, ")").is_ok() {
        return Ok(Some(uri));
    }
    // What begins with a URI in brackets may also be `(http://… .property ; …)`.
    input.reset(&start);
    Ok(None)
}

fn uri(input: &mut Input<'_>) -> Parsed<String> {
    let scheme = (take_while(1.., |letter: char| letter.is_ascii_alphabetic()), ':');
    let rest = take_while(1.., is_uri_letter);
    let version = ('|', take_while(0.., |letter: char| !matches!(letter, '|' | '(' | ')')));
    let whole = (scheme, rest, opt(version)).take().map(|uri: &str| uri.trim_end().to_owned());
    token(input, Wanted::Kind("a URI"), whole)
}

fn is_uri_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "?=:;&_%+,-.@#$^!{}/".contains(letter)
}

/// How many letters the scheme of a URI has that a text begins with; 0 where it does not.
fn uri_length(text: &str) -> usize {
    let letters = text.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let rest = &text[letters..];
    let is_uri = rest.strip_prefix(':').is_some_and(|rest| rest.starts_with(is_uri_letter));
    if is_uri { letters } else { 0 }
}
