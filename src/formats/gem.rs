//! The General Equivalence Mappings between ICD-9-CM and ICD-10-CM or ICD-10-PCS: CMS's own text
//! (source, target, five flags) and the CSV with a header that NBER publishes of it.

use crate::terminology::{
    Code, CodeShape, GemFlags, MapEntry, MapRelease, Relationship, SystemId, known_system,
};

use super::input::Meter;
use super::map_lines::MapLines;
use super::map_source::{MapOptions, MapSource, NO_VERSION};
use super::{ImportError, ImportErrorKind, Progress, Tally};

/// A General Equivalence Mapping being read.
pub(super) struct Gem {
    lines: MapLines,
    meter: Meter,
    release: MapRelease,
    sides: [Side; 2],
    /// Where source, target and flags are in a row.
    columns: [usize; 3],
    is_csv: bool,
    tally: Tally,
    ended: bool,
}

/// Whose codes are in a column, and how they are written there: without dots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Icd9Diagnosis,
    Icd9Procedure,
    Icd10Cm,
    Icd10Pcs,
}

impl Side {
    fn alias(self) -> &'static str {
        match self {
            Self::Icd9Diagnosis | Self::Icd9Procedure => "icd9cm",
            Self::Icd10Cm => "icd10cm",
            Self::Icd10Pcs => "icd10pcs",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Icd9Diagnosis => "ICD-9-CM diagnosis",
            Self::Icd9Procedure => "ICD-9-CM procedure",
            Self::Icd10Cm => "ICD-10-CM",
            Self::Icd10Pcs => "ICD-10-PCS",
        }
    }

    fn expected(self) -> &'static str {
        match self {
            Self::Icd9Diagnosis => "an ICD-9-CM code without its dot, as 25000, V700 or E8120",
            Self::Icd9Procedure => "an ICD-9-CM procedure code without its dot, as 4709",
            Self::Icd10Cm => "an ICD-10-CM code without its dot, as E119",
            Self::Icd10Pcs => "an ICD-10-PCS code, as 0DTJ4ZZ",
        }
    }

    /// The code as its terminology writes it.
    fn code(self, text: &str) -> Option<Code> {
        let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        let dotted = |text: &str, at: usize| match text.split_at_checked(at) {
            Some((category, rest)) if !rest.is_empty() => format!("{category}.{rest}"),
            _ => text.to_owned(),
        };
        let written = match self {
            Self::Icd10Cm => CodeShape::Icd10Cm.canonical(text)?,
            Self::Icd10Pcs => CodeShape::Icd10Pcs.canonical(text)?,
            Self::Icd9Procedure if digits(text) && (2..=4).contains(&text.len()) => dotted(text, 2),
            Self::Icd9Diagnosis => match text.as_bytes() {
                [b'E', rest @ ..] if matches!(rest.len(), 3 | 4) && digits(&text[1..]) => {
                    dotted(text, 4)
                }
                [b'V', rest @ ..] if (2..=4).contains(&rest.len()) && digits(&text[1..]) => {
                    dotted(text, 3)
                }
                _ if digits(text) && (3..=5).contains(&text.len()) => dotted(text, 3),
                _ => return None,
            },
            Self::Icd9Procedure => return None,
        };
        Code::new(&written).ok()
    }

    fn of_system(system: &SystemId, other: Option<&SystemId>) -> Option<Self> {
        let alias = |system: &SystemId| known_system(system.as_str()).map(|known| known.alias);
        match alias(system)? {
            "icd10cm" => Some(Self::Icd10Cm),
            "icd10pcs" => Some(Self::Icd10Pcs),
            "icd9cm" => match alias(other?)? {
                "icd10pcs" => Some(Self::Icd9Procedure),
                _ => Some(Self::Icd9Diagnosis),
            },
            _ => None,
        }
    }
}

/// Which sides a map has, and what CMS calls its file.
const SIDES: [([Side; 2], &str); 4] = [
    ([Side::Icd10Cm, Side::Icd9Diagnosis], "I10gem"),
    ([Side::Icd9Diagnosis, Side::Icd10Cm], "I9gem"),
    ([Side::Icd10Pcs, Side::Icd9Procedure], "pcsi9"),
    ([Side::Icd9Procedure, Side::Icd10Pcs], "i9pcs"),
];

/// Stands for the missing target.
const NO_TARGET: [&str; 3] = ["NoDx", "NoPCS", "NoPx"];

impl Gem {
    /// Whether a file that begins with this line is one.
    pub(super) fn begins(line: &str) -> bool {
        header(line).is_some()
            || fields(line).is_some_and(|[_, _, flags]| parse_flags(flags).is_some())
    }

    pub(super) fn open(
        mut lines: MapLines,
        meter: Meter,
        options: &MapOptions,
    ) -> Result<Self, ImportError> {
        let first = lines.next()?.unwrap_or_default();
        let (columns, is_csv, found) = match header(&first) {
            Some((columns, sides)) => (columns, true, Some(sides)),
            None => {
                let sides = from_name(&lines).or_else(|| from_row(&first));
                lines.put_back(first);
                ([0, 1, 2], false, sides)
            }
        };
        let sides = from_options(options).or(found);
        let known = sides.and_then(|sides| Some((sides, release(sides, &lines)?)));
        let (sides, release) = known.ok_or_else(|| {
            lines.error(ImportErrorKind::Unsaid {
                what: "which way it maps",
                remedy: "say it with --from and --to, or keep CMS's name of the file",
            })
        })?;
        Ok(Self {
            lines,
            meter,
            release,
            sides,
            columns,
            is_csv,
            tally: Tally::default(),
            ended: false,
        })
    }

    fn entry(&self, line: &str) -> Result<MapEntry, ImportError> {
        let refuse = |text: &str, expected| {
            self.lines.error(ImportErrorKind::InvalidCode { text: text.to_owned(), expected })
        };
        let row = if self.is_csv { csv_fields(line, self.columns) } else { fields(line) };
        let Some([source, target, digits]) = row else {
            return Err(refuse(line, "a source, a target and five flags"));
        };
        let gem = parse_flags(digits)
            .ok_or_else(|| refuse(digits, "five flags: three of 0 or 1, and two digits"))?;
        let code = |side: Side, text| side.code(text).ok_or_else(|| refuse(text, side.expected()));
        let has_target = !gem.no_map && !NO_TARGET.iter().any(|no| no.eq_ignore_ascii_case(target));
        let relationship = match (has_target, gem.approximate || gem.combination) {
            (false, _) => Relationship::NotRelatedTo,
            (true, true) => Relationship::RelatedTo,
            (true, false) => Relationship::Equivalent,
        };
        let target = has_target.then(|| code(self.sides[1], target)).transpose()?;
        let mut entry = MapEntry::new(code(self.sides[0], source)?, target, relationship);
        entry.gem = Some(gem);
        Ok(entry)
    }
}

impl Iterator for Gem {
    type Item = Result<MapEntry, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let entry = match self.lines.next() {
            Ok(Some(line)) => {
                self.tally.read("rows");
                Some(self.entry(&line))
            }
            Ok(None) => None,
            Err(error) => Some(Err(error)),
        };
        self.ended = !matches!(entry, Some(Ok(_)));
        entry
    }
}

impl MapSource for Gem {
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

/// The three fields of a row of CMS's text.
fn fields(line: &str) -> Option<[&str; 3]> {
    let mut fields = line.split_ascii_whitespace();
    let row = [fields.next()?, fields.next()?, fields.next()?];
    fields.next().is_none().then_some(row)
}

fn csv_fields(line: &str, columns: [usize; 3]) -> Option<[&str; 3]> {
    let fields: Vec<&str> = line.split(',').map(unquoted).collect();
    let [source, target, flags] = columns.map(|at| fields.get(at).copied());
    Some([source?, target?, flags?])
}

fn unquoted(field: &str) -> &str {
    field.trim().trim_matches('"')
}

/// The places of the columns of a CSV, and its sides: the source stands first.
fn header(line: &str) -> Option<([usize; 3], [Side; 2])> {
    let names: Vec<String> = line.split(',').map(|f| unquoted(f).to_ascii_lowercase()).collect();
    let find = |wanted: &[&str]| names.iter().position(|name| wanted.contains(&name.as_str()));
    let icd9 = find(&["icd9cm", "icd9"])?;
    let pcs = find(&["icd10pcs"]);
    let icd10 = find(&["icd10cm", "icd10"]).or(pcs)?;
    let flags = find(&["flags"])?;
    let [ten, nine] = if pcs == Some(icd10) {
        [Side::Icd10Pcs, Side::Icd9Procedure]
    } else {
        [Side::Icd10Cm, Side::Icd9Diagnosis]
    };
    Some(if icd9 < icd10 {
        ([icd9, icd10, flags], [nine, ten])
    } else {
        ([icd10, icd9, flags], [ten, nine])
    })
}

fn parse_flags(digits: &str) -> Option<GemFlags> {
    let [approximate, no_map, combination, scenario, choice_list] = digits.as_bytes() else {
        return None;
    };
    let flag = |digit: &u8| matches!(digit, b'0' | b'1').then_some(*digit == b'1');
    let number = |digit: &u8| digit.is_ascii_digit().then(|| digit - b'0');
    Some(GemFlags {
        approximate: flag(approximate)?,
        no_map: flag(no_map)?,
        combination: flag(combination)?,
        scenario: number(scenario)?,
        choice_list: number(choice_list)?,
    })
}

fn from_options(options: &MapOptions) -> Option<[Side; 2]> {
    let (source, target) = (options.source.as_ref()?, options.target.as_ref()?);
    Some([Side::of_system(source, Some(target))?, Side::of_system(target, Some(source))?])
}

fn from_name(lines: &MapLines) -> Option<[Side; 2]> {
    let name = lines.path().file_name()?.to_string_lossy().to_ascii_lowercase();
    let named = SIDES.iter().find(|(_, called)| name.contains(&called.to_ascii_lowercase()));
    named.map(|(sides, _)| *sides)
}

/// The sides of a row whose codes can be of one terminology only. The first rows of CMS's files
/// are such rows.
fn from_row(line: &str) -> Option<[Side; 2]> {
    let [source, target, _] = fields(line)?;
    let fits = |[from, to]: [Side; 2]| from.code(source).is_some() && to.code(target).is_some();
    let mut fitting = SIDES.iter().map(|(sides, _)| *sides).filter(|sides| fits(*sides));
    let only = fitting.next()?;
    fitting.next().is_none().then_some(only)
}

fn release(sides: [Side; 2], lines: &MapLines) -> Option<MapRelease> {
    let [from, to] = sides;
    let called = SIDES.iter().find(|(known, _)| *known == sides).map(|(_, called)| *called)?;
    let file = lines.path().file_name().unwrap_or_default().to_string_lossy();
    let kind =
        if from == Side::Icd9Procedure || to == Side::Icd9Procedure { "-procedure" } else { "" };
    Some(MapRelease {
        id: called.to_owned(),
        name: format!("gem-{}-{}{kind}", from.alias(), to.alias()),
        version: year(&file).unwrap_or(NO_VERSION).to_owned(),
        source: known_system(from.alias())?.id(),
        source_version: None,
        target: known_system(to.alias())?.id(),
        target_version: None,
        title: format!("General Equivalence Mapping, {} to {}", from.title(), to.title()),
        publisher: Some("Centers for Medicare & Medicaid Services (CMS)".to_owned()),
        license: Some("a work of the US government, in the public domain".to_owned()),
        notices: Vec::new(),
        unmapped: None,
    })
}

/// The year in a file's name, as in `2018_I9gem.txt`.
fn year(name: &str) -> Option<&str> {
    let starts = name.match_indices("20").map(|(at, _)| at);
    let years = starts.filter_map(|at| name.get(at..at + 4));
    years.into_iter().find(|year| year.bytes().all(|b| b.is_ascii_digit()))
}
