//! SSSOM mapping sets: a table of subjects, predicates and objects, as TSV with its metadata in
//! comment lines.

use crate::terminology::{Code, MapEntry, MapRelease, Relationship, SystemId};

use super::input::Meter;
use super::map_lines::MapLines;
use super::map_source::{MapOptions, MapSource};
use super::namespace::Namespace;
use super::sssom_head::SssomHead;
use super::{ImportError, ImportErrorKind, Progress, Tally};

/// A mapping set being read.
pub(super) struct Sssom {
    lines: MapLines,
    meter: Meter,
    head: SssomHead,
    release: MapRelease,
    columns: Columns,
    options: MapOptions,
    tally: Tally,
    ended: bool,
}

/// Where in a row its fields are.
#[derive(Debug, Clone, Copy)]
struct Columns {
    subject: usize,
    predicate: usize,
    object: usize,
    modifier: Option<usize>,
    comment: Option<usize>,
    subject_label: Option<usize>,
    object_label: Option<usize>,
}

/// A row whose identifiers are known.
struct Row {
    subject: (SystemId, Code),
    /// `None` where the row says that there is no such term.
    object: Option<(SystemId, Code)>,
    relationship: Relationship,
    comment: Option<String>,
    labels: [Option<String>; 2],
}

/// The object of a row that says that there is none.
const NO_TERM: &str = "sssom:NoTermFound";

impl Sssom {
    /// Whether a file that begins with this line is one.
    pub(super) fn begins(line: &str) -> bool {
        // A comment of a mapping set is a line of YAML; other files have other comments.
        let is_key = |key: &str| key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        match line.strip_prefix('#') {
            Some(comment) => comment.split_once(':').is_some_and(|(key, _)| is_key(key.trim())),
            None => line.split('\t').any(|name| unquoted(name) == "subject_id"),
        }
    }

    pub(super) fn open(
        mut lines: MapLines,
        meter: Meter,
        options: &MapOptions,
    ) -> Result<Self, ImportError> {
        let (head, header) = SssomHead::read(&mut lines)?;
        let columns = Columns::of(&header, &lines)?;
        let (mut tally, options) = (Tally::default(), options.clone());
        // Which terminologies it maps is only told by its rows.
        let between = loop {
            let Some(line) = lines.next()? else {
                let kind = ImportErrorKind::Unsaid {
                    what: "how codes of two terminologies known here are related",
                    remedy: "name the terminologies with --from and --to",
                };
                return Err(lines.error(kind));
            };
            match columns.row(&line, &head, &options, &lines)? {
                Ok(Row { subject, object: Some(object), .. })
                    if options.allow(&subject.0, &object.0) =>
                {
                    lines.put_back(line);
                    break [subject.0, object.0];
                }
                Ok(_) => tally.leave_out(OTHER_SYSTEM, lines.path(), lines.number(), &line),
                Err((reason, example)) => {
                    tally.leave_out(reason, lines.path(), lines.number(), &example)
                }
            }
        };
        let release = head.release(&lines, between);
        Ok(Self { lines, meter, head, release, columns, options, tally, ended: false })
    }

    /// The next row that is one of this map.
    fn entry(&mut self) -> Result<Option<MapEntry>, ImportError> {
        while let Some(line) = self.lines.next()? {
            let row = self.columns.row(&line, &self.head, &self.options, &self.lines)?;
            let (reason, example) = match row {
                Ok(row) => match self.of_this_map(row) {
                    Ok(entry) => {
                        self.tally.read("rows");
                        return Ok(Some(entry));
                    }
                    Err(system) => (OTHER_SYSTEM, system.to_string()),
                },
                Err(refused) => refused,
            };
            self.tally.leave_out(reason, self.lines.path(), self.lines.number(), &example);
        }
        Ok(None)
    }

    fn of_this_map(&self, row: Row) -> Result<MapEntry, SystemId> {
        let Row { subject: (source, code), object, relationship, comment, labels } = row;
        if source != self.release.source {
            return Err(source);
        }
        let target = match object {
            Some((target, _)) if target != self.release.target => return Err(target),
            Some((_, code)) => Some(code),
            None => None,
        };
        let mut entry = MapEntry::new(code, target, relationship);
        entry.advice = comment;
        let [source_display, target_display] = labels;
        // A row without an object may still have a label beside it.
        entry.target_display = target_display.filter(|_| entry.target.is_some());
        entry.source_display = source_display;
        Ok(entry)
    }
}

impl Iterator for Sssom {
    type Item = Result<MapEntry, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let entry = self.entry().transpose();
        self.ended = !matches!(entry, Some(Ok(_)));
        entry
    }
}

impl MapSource for Sssom {
    fn release(&self) -> &MapRelease {
        &self.release
    }

    fn progress(&self) -> Progress {
        self.meter.progress()
    }

    fn tally(&self) -> Tally {
        self.tally.clone()
    }
}

impl MapOptions {
    /// Whether a row between these is one that is asked for.
    fn allow(&self, source: &SystemId, target: &SystemId) -> bool {
        self.source.as_ref().is_none_or(|wanted| wanted == source)
            && self.target.as_ref().is_none_or(|wanted| wanted == target)
    }
}

/// Why a row is left out, and what is wrong with it.
type Refused = (&'static str, String);

const UNKNOWN_PREFIX: &str = "its prefix stands for no terminology known here";
const OTHER_SYSTEM: &str = "it maps from or to another terminology";
const UNKNOWN_PREDICATE: &str = "its predicate says nothing known here";
const NO_CODE: &str = "it has no code";

impl Columns {
    fn of(header: &str, lines: &MapLines) -> Result<Self, ImportError> {
        let names: Vec<&str> = header.split('\t').map(unquoted).collect();
        let find = |wanted: &str| names.iter().position(|name| *name == wanted);
        let need = |element: &'static str| {
            find(element).ok_or_else(|| {
                lines.error(ImportErrorKind::MissingColumn {
                    column: element.to_owned(),
                    found: names.iter().take(20).map(|name| (*name).to_owned()).collect(),
                })
            })
        };
        Ok(Self {
            subject: need("subject_id")?,
            predicate: need("predicate_id")?,
            object: need("object_id")?,
            modifier: find("predicate_modifier"),
            comment: find("comment"),
            subject_label: find("subject_label"),
            object_label: find("object_label"),
        })
    }

    /// The cells that a row must have: optional ones at its end may be missing.
    fn needed(self) -> usize {
        self.subject.max(self.predicate).max(self.object) + 1
    }

    /// Reads a row. A row that ends before its identifiers is an error of the file; one whose
    /// identifiers are not known is left out.
    fn row(
        self,
        line: &str,
        head: &SssomHead,
        options: &MapOptions,
        lines: &MapLines,
    ) -> Result<Result<Row, Refused>, ImportError> {
        let fields: Vec<&str> = line.split('\t').map(unquoted).collect();
        let need = |at: usize| {
            let short = ImportErrorKind::ShortRow { found: fields.len(), expected: self.needed() };
            fields.get(at).copied().ok_or_else(|| lines.error(short))
        };
        let optional = |at: Option<usize>| at.and_then(|at| fields.get(at).copied());
        let subject = need(self.subject)?;
        let predicate = need(self.predicate)?;
        let object = need(self.object)?;
        let modifier = optional(self.modifier).unwrap_or_default();
        let stated = |at| optional(at).filter(|text| !text.is_empty()).map(str::to_owned);

        let row = || {
            let relationship = if modifier.eq_ignore_ascii_case("not") {
                Relationship::NotRelatedTo
            } else {
                relationship(predicate).ok_or_else(|| (UNKNOWN_PREDICATE, predicate.to_owned()))?
            };
            let object = match object {
                NO_TERM => None,
                known => Some(coding(known, head, options.target.as_ref())?),
            };
            Ok(Row {
                subject: coding(subject, head, options.source.as_ref())?,
                object,
                relationship,
                comment: stated(self.comment),
                labels: [stated(self.subject_label), stated(self.object_label)],
            })
        };
        Ok(row())
    }
}

/// The terminology and code of an identifier. `otherwise` is whose a code is when its prefix is not
/// known.
fn coding(
    identifier: &str,
    head: &SssomHead,
    otherwise: Option<&SystemId>,
) -> Result<(SystemId, Code), Refused> {
    let invalid = || (NO_CODE, identifier.to_owned());
    let (prefix, local) = identifier.split_once(':').ok_or_else(invalid)?;
    let namespace = Namespace::of(prefix, head.stands_for(prefix));
    let known = namespace.and_then(|namespace| Some((namespace.system()?, namespace)));
    match (known, otherwise) {
        (Some((system, namespace)), _) => Ok((system, namespace.code(local).ok_or_else(invalid)?)),
        (None, Some(system)) => Ok((system.clone(), Code::new(local).map_err(|_| invalid())?)),
        (None, None) => Err((UNKNOWN_PREFIX, prefix.to_owned())),
    }
}

/// What a predicate says of subject and object. A broad match is one to something broader. A close
/// match and a cross-reference only say that the two have to do with each other.
fn relationship(predicate: &str) -> Option<Relationship> {
    Some(match predicate {
        "skos:exactMatch" | "owl:equivalentClass" | "owl:sameAs" => Relationship::Equivalent,
        "skos:broadMatch" | "rdfs:subClassOf" => Relationship::SourceIsNarrowerThanTarget,
        "skos:narrowMatch" => Relationship::SourceIsBroaderThanTarget,
        "skos:closeMatch"
        | "skos:relatedMatch"
        | "oboInOwl:hasDbXref"
        | "oio:hasDbXref"
        | "rdfs:seeAlso"
        | "semapv:crossSpeciesExactMatch" => Relationship::RelatedTo,
        _ => return None,
    })
}

fn unquoted(field: &str) -> &str {
    field.trim().trim_matches('"')
}
