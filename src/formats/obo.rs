//! Ontologies in the OBO flat file format, versions 1.2 and 1.4: HPO, MONDO, DOID and others.
//!
//! A file is a header and stanzas; a `[Term]` stanza is a concept. What is made of it:
//! - exact synonyms are synonyms; broad, narrow and related ones, and those that were discarded, are
//!   related names. Their types (layperson, abbreviation, spelling) are not kept apart;
//! - obsolete terms are kept as retired concepts, with what replaces them;
//! - terms of other ontologies within the file are kept, and counted;
//! - an identifier that was merged into another is its property `altId`, not a concept;
//! - definitions by logic (`intersection_of` …), relation types and instances are left out;
//! - a file without `data-version` is taken as a fragment, since who took away its header may have
//!   taken away more.
//!
//! Whether a file was cut off between two lines cannot be told: the format has no end. A cut within
//! a line is found where the line is no longer well formed.

use std::collections::{HashSet, VecDeque};

use crate::terminology::{Code, Concept, Release};

use super::files::{Part, ReleaseFile};
use super::input::Meter;
use super::lines::Lines;
use super::look::Look;
use super::obo_header::{Header, Identity};
use super::obo_line::Line;
use super::obo_term::{Term, invalid, prefix};
use super::source::{Progress, Source};
use super::{ImportError, ImportErrorKind, ReleaseFiles, Tally};

const REPEATED: &str = "the code is given a second time";
const NOT_A_TERM: &str = "a stanza that is not a term";
const ANONYMOUS: &str = "an anonymous term";

/// What a file is to this format: its first line of content is that of a header or a term.
pub(super) fn claim(file: &ReleaseFile, beginning: &str) -> Option<Part> {
    if !matches!(file.look, Look::Text { .. }) {
        return None;
    }
    let mut lines = beginning.lines().map(str::trim).filter(|line| is_content(line));
    let first = lines.next()?;
    let has_version = |line: &str| line.starts_with("format-version:");
    let is_obo = first == "[Term]"
        || has_version(first)
        || (first.starts_with("ontology:")
            && lines.any(|line| has_version(line) || line == "[Term]"));
    is_obo.then_some(Part::Release)
}

/// Whether a line has something to say.
fn is_content(line: &str) -> bool {
    !line.is_empty() && !line.starts_with('!')
}

/// Begins to read.
pub(super) fn open(files: &ReleaseFiles) -> Result<Box<dyn Source>, ImportError> {
    let input = files.open_main()?;
    let meter = input.meter.clone();
    let mut lines = Lines::new(input);
    let mut header = Header::default();
    let mut stanza = None;
    while let Some(text) = next(&mut lines)? {
        if let Some(name) = stanza_name(&text) {
            stanza = Some(name.to_owned());
            break;
        }
        match Line::parse(&text) {
            Ok(line) => header.take(line),
            Err(broken) => {
                let kind = invalid(Line { tag: "a line of the header", value: &text }, broken);
                return Err(fail(&mut lines, kind));
            }
        }
    }
    let mut reader = Stanzas { lines, stanza, tally: Tally::default() };
    // The first term tells whose the identifiers are, where the header does not.
    let first = reader.term()?;
    let path = reader.lines.path().to_owned();
    if first.is_none() {
        let inside = "the ontology".to_owned();
        let kind = ImportErrorKind::Missing { element: "[Term]", inside };
        return Err(reader.lines.error(kind));
    }
    let identity = header.release(&path, first.as_ref().and_then(|(term, _)| term.id()))?;
    let ready = first.into_iter().collect();
    Ok(Box::new(Obo { reader, ready, meter, identity, seen: HashSet::new() }))
}

/// The next line with something to say.
fn next(lines: &mut Lines) -> Result<Option<String>, ImportError> {
    while let Some(line) = lines.next()? {
        let line = line.trim();
        if is_content(line) {
            return Ok(Some(line.to_owned()));
        }
    }
    Ok(None)
}

/// The error for the last line. One that is not well formed at the end of the file was cut off.
fn fail(lines: &mut Lines, kind: ImportErrorKind) -> ImportError {
    let inside = format!("line {}", lines.line());
    let error = lines.error(kind);
    match lines.next() {
        Ok(None) => lines.error(ImportErrorKind::Truncated { inside }),
        _ => error,
    }
}

fn stanza_name(line: &str) -> Option<&str> {
    let (name, rest) = line.strip_prefix('[')?.split_once(']')?;
    (rest.trim().is_empty() || rest.trim_start().starts_with('!')).then_some(name)
}

/// A file from its first stanza on.
struct Stanzas {
    lines: Lines,
    /// The name of the stanza that was just begun; `None` at the end.
    stanza: Option<String>,
    tally: Tally,
}

impl Stanzas {
    /// The next term and the line in which it begins.
    fn term(&mut self) -> Result<Option<(Term, u64)>, ImportError> {
        while let Some(name) = self.stanza.take() {
            let line = self.lines.line();
            let mut term = Term::default();
            let is_term = name == "Term";
            while let Some(text) = next(&mut self.lines)? {
                if let Some(name) = stanza_name(&text) {
                    self.stanza = Some(name.to_owned());
                    break;
                }
                let taken = match Line::parse(&text) {
                    Ok(line) if is_term => term.take(line),
                    Ok(_) => Ok(()),
                    Err(broken) => Err(invalid(Line { tag: "a line", value: &text }, broken)),
                };
                taken.map_err(|kind| fail(&mut self.lines, kind))?;
            }
            let path = self.lines.path();
            if !is_term {
                self.tally.leave_out(NOT_A_TERM, path, line, &format!("[{name}]"));
            } else if term.is_anonymous {
                self.tally.leave_out(ANONYMOUS, path, line, term.id().unwrap_or_default());
            } else if term.id().is_some() {
                return Ok(Some((term, line)));
            } else {
                let kind = match self.stanza {
                    Some(_) => ImportErrorKind::Missing { element: "id", inside: "[Term]".into() },
                    None => ImportErrorKind::Truncated { inside: "[Term]".into() },
                };
                return Err(ImportError::new(path, Some(line), kind));
            }
        }
        Ok(None)
    }
}

/// An ontology being read.
struct Obo {
    reader: Stanzas,
    /// The first term, which was read to know the release.
    ready: VecDeque<(Term, u64)>,
    meter: Meter,
    identity: Identity,
    seen: HashSet<Code>,
}

impl Obo {
    fn step(&mut self) -> Result<Option<Concept>, ImportError> {
        loop {
            let next = match self.ready.pop_front() {
                Some(first) => Some(first),
                None => self.reader.term()?,
            };
            let Some((term, line)) = next else { return Ok(None) };
            let is_named = term.is_named();
            let path = self.reader.lines.path();
            let concept =
                term.concept().map_err(|kind| ImportError::new(path, Some(line), kind))?;
            let tally = &mut self.reader.tally;
            if !self.seen.insert(concept.code.clone()) {
                tally.leave_out(REPEATED, path, line, concept.code.as_str());
                continue;
            }
            tally.read(if concept.active { "terms" } else { "obsolete terms" });
            if !is_named {
                tally.read("terms without a name");
            }
            if prefix(concept.code.as_str()) != Some(self.identity.prefix.as_str()) {
                tally.read("terms of other ontologies");
            }
            return Ok(Some(concept));
        }
    }
}

impl Iterator for Obo {
    type Item = Result<Concept, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}

impl Source for Obo {
    fn release(&self) -> &Release {
        &self.identity.release
    }

    fn progress(&self) -> Progress {
        self.meter.progress()
    }

    fn tally(&self) -> Tally {
        self.reader.tally.clone()
    }
}
