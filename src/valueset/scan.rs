//! What both languages are read with: winnow's parsers over a text that knows how far it was
//! understood, and what would have had to follow there.

use winnow::ascii::Caseless;
use winnow::combinator::not;
use winnow::error::EmptyError;
use winnow::prelude::*;
use winnow::stream::{LocatingSlice, Location, Stateful, Stream};
use winnow::token::{literal, one_of, take_until, take_while};

use super::{ExpressionError, ExpressionErrorKind, MAX_DEPTH, MAX_EXPRESSION_BYTES};

/// The text that is read.
pub(super) type Input<'t> = Stateful<LocatingSlice<&'t str>, Progress>;

/// What a parser gives: an error carries nothing, since [`Progress`] has seen more of it.
pub(super) type Parsed<T> = Result<T, EmptyError>;

/// How many bytes of what was found are shown in an error.
const SHOWN: usize = 20;

/// What may stand between any two tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Blanks {
    /// Spaces, tabs, ends of lines, and comments.
    WithComments,
    /// Spaces and tabs.
    OneLine,
}

/// What was learned while reading, also on ways that led nowhere.
#[derive(Debug)]
pub(super) struct Progress {
    blanks: Blanks,
    depth: usize,
    furthest: usize,
    expected: Vec<Wanted>,
    fatal: Option<ExpressionError>,
}

/// What was looked for in a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Exactly these letters.
    Symbol(&'static str),
    /// Something of this kind.
    Kind(&'static str),
}

/// Reads all of a text.
pub(super) fn read_all<'t, T>(
    text: &'t str,
    blanks: Blanks,
    parser: impl FnOnce(&mut Input<'t>) -> Parsed<T>,
) -> Result<T, ExpressionError> {
    if text.len() > MAX_EXPRESSION_BYTES {
        let kind = ExpressionErrorKind::TooLong { bytes: text.len() };
        return Err(ExpressionError::new(MAX_EXPRESSION_BYTES, kind));
    }
    let state = Progress { blanks, depth: 0, furthest: 0, expected: Vec::new(), fatal: None };
    let mut input = Stateful { input: LocatingSlice::new(text), state };
    let parsed = parser(&mut input);
    let parsed = parsed.and_then(|parsed| {
        blank(&mut input);
        if input.eof_offset() == 0 {
            Ok(parsed)
        } else {
            Err(missed(&mut input, Wanted::Kind("the end of the expression")))
        }
    });
    match (input.state.fatal.take(), parsed) {
        (Some(fatal), _) => Err(fatal),
        (None, Ok(parsed)) => Ok(parsed),
        (None, Err(EmptyError)) => Err(unexpected(text, &input.state)),
    }
}

fn unexpected(text: &str, progress: &Progress) -> ExpressionError {
    let rest = text.get(progress.furthest..).unwrap_or_default();
    let end = rest.char_indices().map(|(at, _)| at).find(|at| *at >= SHOWN);
    let found = match end {
        _ if rest.is_empty() => "the end of the expression".to_owned(),
        Some(end) => format!("{:?} …", &rest[..end]),
        None => format!("{rest:?}"),
    };
    let expected = progress.expected.iter().map(|wanted| match wanted {
        Wanted::Symbol(symbol) => format!("{symbol:?}"),
        Wanted::Kind(kind) => (*kind).to_owned(),
    });
    let kind = ExpressionErrorKind::Unexpected { expected: expected.collect(), found };
    ExpressionError::new(progress.furthest, kind)
}

/// Where the next letter is.
pub(super) fn position(input: &Input<'_>) -> usize {
    input.current_token_start()
}

/// Passes over white space, and comments where the language has them. A comment without an end is
/// left standing.
pub(super) fn blank(input: &mut Input<'_>) {
    loop {
        let white: Parsed<&str> = match input.state.blanks {
            Blanks::WithComments => take_while(0.., (' ', '\t', '\r', '\n')).parse_next(input),
            Blanks::OneLine => take_while(0.., (' ', '\t')).parse_next(input),
        };
        if white.is_err() || input.state.blanks == Blanks::OneLine {
            return;
        }
        let start = input.checkpoint();
        let comment: Parsed<_> = ("/*", take_until(0.., "*/"), "*/").void().parse_next(input);
        if comment.is_err() {
            input.reset(&start);
            return;
        }
    }
}

/// Notes that this was looked for here and not found.
pub(super) fn missed(input: &mut Input<'_>, wanted: Wanted) -> EmptyError {
    let at = position(input);
    let progress = &mut input.state;
    if at > progress.furthest {
        progress.furthest = at;
        progress.expected.clear();
    }
    if at == progress.furthest && !progress.expected.contains(&wanted) {
        progress.expected.push(wanted);
    }
    EmptyError
}

/// Ends the reading: what is wrong is known, and no other way leads on.
pub(super) fn fatal(input: &mut Input<'_>, at: usize, kind: ExpressionErrorKind) -> EmptyError {
    if input.state.fatal.is_none() {
        input.state.fatal = Some(ExpressionError::new(at, kind));
    }
    EmptyError
}

/// What the parser reads, after white space. Where it reads nothing, the text stays as it was.
pub(super) fn token<'t, T>(
    input: &mut Input<'t>,
    wanted: Wanted,
    mut parser: impl Parser<Input<'t>, T, EmptyError>,
) -> Parsed<T> {
    let start = input.checkpoint();
    blank(input);
    let here = input.checkpoint();
    parser.parse_next(input).map_err(|_| {
        input.reset(&here);
        let error = missed(input, wanted);
        input.reset(&start);
        error
    })
}

/// Exactly these signs.
pub(super) fn symbol(input: &mut Input<'_>, symbol: &'static str) -> Parsed<()> {
    token(input, Wanted::Symbol(symbol), literal(symbol).void())
}

/// A word in any letter case, that is not the beginning of a longer one.
pub(super) fn keyword(input: &mut Input<'_>, word: &'static str) -> Parsed<()> {
    let ends = not(one_of(|letter: char| letter.is_ascii_alphanumeric()));
    token(input, Wanted::Symbol(word), (literal(Caseless(word)), ends).void())
}

/// Whether the text goes on like this, after white space; nothing is read.
pub(super) fn follows(input: &mut Input<'_>, is_meant: impl Fn(&str) -> bool) -> bool {
    let start = input.checkpoint();
    blank(input);
    let found = is_meant(input.input.as_ref());
    input.reset(&start);
    found
}

/// Reads one level deeper, unless that is too deep.
pub(super) fn deeper<'t, T>(
    input: &mut Input<'t>,
    parser: impl FnOnce(&mut Input<'t>) -> Parsed<T>,
) -> Parsed<T> {
    if input.state.depth == MAX_DEPTH {
        let at = position(input);
        return Err(fatal(input, at, ExpressionErrorKind::TooDeep));
    }
    input.state.depth += 1;
    let parsed = parser(input);
    input.state.depth -= 1;
    parsed
}
