//! Expressions of ECL, from text. What a bracket opens is decided by what follows its first
//! sub-expression, not by trying: reading takes time in proportion to the text.

use winnow::combinator::{alt, not};
use winnow::error::EmptyError;
use winnow::prelude::*;
use winnow::stream::Stream;
use winnow::token::{literal, one_of, take_till, take_while};

use super::ecl::*;
use super::ecl_parse_filter::filters;
use super::ecl_parse_refinement::{
    attribute_after, begins_refinement, refinement, refinement_after,
};
use super::scan::*;
use super::{ExpressionError, ExpressionErrorKind, Position};

pub(super) fn parse(text: &str) -> Result<Expression, ExpressionError> {
    read_all(text, Blanks::WithComments, expression)
}

/// What brackets held.
pub(super) enum Bracketed {
    Expression(Box<Expression>),
    Refinement(Refinement),
}

pub(super) fn expression(input: &mut Input<'_>) -> Parsed<Expression> {
    let first = sub_expression(input)?;
    expression_after(input, first)
}

/// The rest of an expression whose first sub-expression was read.
fn expression_after(input: &mut Input<'_>, first: SubExpression) -> Parsed<Expression> {
    if symbol(input, ":").is_ok() {
        return Ok(Expression::Refined(first, refinement(input)?));
    }
    if symbol(input, ".").is_ok() {
        let mut attributes = vec![sub_expression(input)?];
        while symbol(input, ".").is_ok() {
            attributes.push(sub_expression(input)?);
        }
        return Ok(Expression::Dotted(first, attributes));
    }
    let Some(joint) = joint(input, Joint::ALL) else { return Ok(Expression::Simple(first)) };
    let all = joined(input, joint, first, Joint::ALL, sub_expression)?;
    Ok(match joint {
        Joint::And => Expression::And(all),
        Joint::Or => Expression::Or(all),
        Joint::Minus => {
            let pair: Result<[SubExpression; 2], _> = all.try_into();
            Expression::Minus(Box::new(pair.map_err(|_| EmptyError)?))
        }
    })
}

/// A binary operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    And,
    Or,
    Minus,
}

impl Joint {
    pub(super) const ALL: &'static [Self] = &[Self::And, Self::Or, Self::Minus];
    /// Those between attributes.
    pub(super) const OF_ATTRIBUTES: &'static [Self] = &[Self::And, Self::Or];

    fn word(self) -> &'static str {
        match self {
            Self::And => "AND",
            Self::Or => "OR",
            Self::Minus => "MINUS",
        }
    }
}

/// The operator that follows, where one of these does.
pub(super) fn joint(input: &mut Input<'_>, among: &[Joint]) -> Option<Joint> {
    among.iter().copied().find(|joint| {
        keyword(input, joint.word()).is_ok() || *joint == Joint::And && symbol(input, ",").is_ok()
    })
}

/// What the same operator joins; another one needs brackets, and so does a second MINUS.
pub(super) fn joined<'t, T>(
    input: &mut Input<'t>,
    first_joint: Joint,
    first: T,
    among: &[Joint],
    mut item: impl FnMut(&mut Input<'t>) -> Parsed<T>,
) -> Parsed<Vec<T>> {
    let mut all = vec![first, item(input)?];
    loop {
        let before = input.checkpoint();
        let Some(next) = joint(input, among) else { return Ok(all) };
        if next != first_joint || next == Joint::Minus {
            input.reset(&before);
            blank(input);
            let at = position(input);
            let (before, found) = (first_joint.word(), next.word());
            return Err(fatal(input, at, ExpressionErrorKind::Ambiguous { before, found }));
        }
        all.push(item(input)?);
    }
}

pub(super) fn sub_expression(input: &mut Input<'_>) -> Parsed<SubExpression> {
    blank(input);
    let position = Position(position(input));
    let operator = operator(input);
    let member_of = member_of(input)?;
    let focus = focus(input)?;
    sub_expression_after(
        input,
        SubExpression { position, operator, member_of, ..SubExpression::of(focus) },
    )
}

/// The filters and the history of a sub-expression whose focus was read.
fn sub_expression_after(input: &mut Input<'_>, mut read: SubExpression) -> Parsed<SubExpression> {
    (read.filters, read.history) = filters(input, read.member_of.is_some())?;
    Ok(read)
}

fn operator(input: &mut Input<'_>) -> Option<Operator> {
    let symbols = |operator: &Operator| symbol(input, operator.symbol()).is_ok();
    let by_symbol = Operator::ALL.into_iter().find(symbols);
    by_symbol.or_else(|| {
        // The words are not told in errors: there are symbols for all of them.
        let mut word = |operator: &Operator| quiet_keyword(input, operator.word());
        Operator::ALL.into_iter().find(|operator| word(operator))
    })
}

/// A word that errors do not propose.
pub(super) fn quiet_keyword(input: &mut Input<'_>, word: &'static str) -> bool {
    let is_next = follows(input, |rest| {
        let ends = rest.as_bytes().get(word.len()).is_none_or(|next| !is_word_byte(*next));
        rest.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word)) && ends
    });
    is_next && keyword(input, word).is_ok()
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'#' | b'-')
}

fn member_of(input: &mut Input<'_>) -> Parsed<Option<MemberOf>> {
    if symbol(input, "^").is_err() && !quiet_keyword(input, "memberOf") {
        return Ok(None);
    }
    if symbol(input, "[").is_err() {
        return Ok(Some(MemberOf::Members));
    }
    if symbol(input, "*").is_ok() {
        symbol(input, "]")?;
        return Ok(Some(MemberOf::AllFields));
    }
    let mut fields = vec![field_name(input)?];
    while symbol(input, ",").is_ok() {
        fields.push(field_name(input)?);
    }
    symbol(input, "]")?;
    Ok(Some(MemberOf::Fields(fields)))
}

/// The name of a field of a reference set.
pub(super) fn field_name(input: &mut Input<'_>) -> Parsed<String> {
    let letters = take_while(1.., |letter: char| letter.is_ascii_alphabetic());
    token(input, Wanted::Kind("the name of a field"), letters.map(str::to_owned))
}

fn focus(input: &mut Input<'_>) -> Parsed<Focus> {
    if symbol(input, "(").is_ok() {
        let inner = deeper(input, expression)?;
        symbol(input, ")")?;
        return Ok(Focus::Nested(Box::new(inner)));
    }
    if symbol(input, "*").is_ok() || quiet_keyword(input, "any") {
        return Ok(Focus::Wildcard);
    }
    if let Ok((scheme, code)) = identifier(input) {
        let term = term(input)?;
        return Ok(Focus::Identifier(AlternateIdentifier { scheme, code, term }));
    }
    concept_reference(input).map(Focus::Concept)
}

/// A concept by its identifier, and the term behind it.
pub(super) fn concept_reference(input: &mut Input<'_>) -> Parsed<ConceptReference> {
    let id = sctid(input, "a concept identifier")?;
    Ok(ConceptReference { id, term: term(input)? })
}

/// 6 to 18 digits, the first of them not 0.
pub(super) fn sctid(input: &mut Input<'_>, what: &'static str) -> Parsed<String> {
    let digits = take_while(6..=18, |letter: char| letter.is_ascii_digit());
    let whole = (digits, not(one_of(|letter: char| letter.is_ascii_alphanumeric())));
    let id = whole.map(|(digits, ())| digits).verify(|digits: &str| !digits.starts_with('0'));
    token(input, Wanted::Kind(what), id.map(str::to_owned))
}

/// The term between bars, where there is one.
fn term(input: &mut Input<'_>) -> Parsed<Option<String>> {
    if symbol(input, "|").is_err() {
        return Ok(None);
    }
    let text = take_till(1.., '|').map(str::trim).verify(|term: &str| !term.is_empty());
    let term = token(input, Wanted::Kind("a term"), text.map(str::to_owned))?;
    symbol(input, "|")?;
    Ok(Some(term))
}

/// An identifier of another scheme: its alias, and the code.
fn identifier(input: &mut Input<'_>) -> Parsed<(String, String)> {
    let code = take_while(1.., |letter: char| {
        letter.is_ascii_alphanumeric() || matches!(letter, '-' | '.' | '_')
    });
    let bare = (scheme, '#', code).map(|(scheme, _, code)| (scheme, code));
    let quoted_code = take_till(1.., ('"', '\\'));
    let quoted = ('"', scheme, '#', quoted_code, '"').map(|(_, scheme, _, code, _)| (scheme, code));
    let both = alt((bare, quoted))
        .map(|(scheme, code): (&str, &str)| (scheme.to_owned(), code.to_owned()));
    token(input, Wanted::Kind("an identifier of another scheme"), both)
}

fn scheme<'t>(input: &mut Input<'t>) -> Parsed<&'t str> {
    let rest = take_while(0.., |letter: char| letter.is_ascii_alphanumeric() || letter == '-');
    (one_of(|letter: char| letter.is_ascii_alphabetic()), rest).take().parse_next(input)
}

/// Whether a text in quotation marks is read as an identifier of another scheme.
pub(super) fn is_identifier(quoted: &str) -> bool {
    let Some((scheme, code)) = quoted.split_once('#') else { return false };
    scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
        && !code.is_empty()
        && !code.contains('\\')
}

/// What stands in brackets where a refinement may stand: the opening one was read, and the closing
/// one is.
pub(super) fn bracketed(input: &mut Input<'_>) -> Parsed<Bracketed> {
    let inner = deeper(input, expression_or_refinement)?;
    symbol(input, ")")?;
    Ok(inner)
}

fn expression_or_refinement(input: &mut Input<'_>) -> Parsed<Bracketed> {
    if begins_refinement(input) {
        return refinement(input).map(Bracketed::Refinement);
    }
    let first = match sub_expression_or_brackets(input)? {
        Ok(first) => first,
        Err(brackets) => return refinement_after(input, brackets).map(Bracketed::Refinement),
    };
    match comparison(input) {
        Some((_, comparison)) => {
            let attribute = attribute_after(input, first, comparison)?;
            refinement_after(input, attribute).map(Bracketed::Refinement)
        }
        None => {
            let expression = expression_after(input, first)?;
            Ok(Bracketed::Expression(Box::new(expression)))
        }
    }
}

/// A sub-expression, or the brackets around a refinement.
pub(super) fn sub_expression_or_brackets(
    input: &mut Input<'_>,
) -> Parsed<Result<SubExpression, Refinement>> {
    blank(input);
    let at = Position(position(input));
    if symbol(input, "(").is_err() {
        return sub_expression(input).map(Ok);
    }
    match bracketed(input)? {
        Bracketed::Refinement(inner) => Ok(Err(Refinement::Brackets(Box::new(inner)))),
        Bracketed::Expression(inner) => {
            let focus = Focus::Nested(inner);
            let read = SubExpression { position: at, ..SubExpression::of(focus) };
            sub_expression_after(input, read).map(Ok)
        }
    }
}

/// How a value is compared, and where that is said.
pub(super) fn comparison(input: &mut Input<'_>) -> Option<(usize, Comparison)> {
    use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    blank(input);
    let at = position(input);
    let symbols = [
        ("=", Equal),
        ("!=", NotEqual),
        ("<>", NotEqual),
        ("<=", LessOrEqual),
        ("<", Less),
        (">=", GreaterOrEqual),
        (">", Greater),
    ];
    let start = input.checkpoint();
    if quiet_keyword(input, "not") {
        if symbol(input, "=").is_ok() {
            return Some((at, NotEqual));
        }
        input.reset(&start);
        return None;
    }
    let found = symbols.into_iter().find(|(symbol, _)| {
        let read: Parsed<&str> = literal(*symbol).parse_next(input);
        read.is_ok()
    });
    // One wish for all of them, in an error.
    if found.is_none() {
        missed(input, Wanted::Kind("a comparison"));
    }
    found.map(|(_, comparison)| (at, comparison))
}
