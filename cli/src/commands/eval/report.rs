use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use medterm::eval::{EvalReport, Failure, FailureKind};
use medterm::index::Manifest;

use super::markdown::{code, row, share, table_head};
use crate::exit::CliError;
use crate::output::count;

/// Failures of a kind that are shown.
const EXAMPLES: usize = 3;
/// The mode whose failures are looked into.
const ANALYZED: &str = "hybrid";

const COLUMNS: [&str; 18] = [
    "mode",
    "n",
    "R@1",
    "95 % of R@1",
    "R@3",
    "R@5",
    "R@10",
    "MRR@20",
    "family R@1",
    "lost",
    "strong",
    "right",
    "unstated",
    "opposite",
    "pair",
    "abstained",
    "ms p50",
    "ms p99",
];

const LEGEND: &str = "\
Shares are in percent, and a dash stands where a figure has no meaning. **R@k**: a right code is
among the first k hits. **95 % of R@1**: Wilson's score interval (1927). **MRR@20**: mean of
1 ÷ rank, down to 20. **family R@1**: the first hit has the first three characters of a right code
(ICD). **lost**: first hits of the lexical or the semantic side that are not among the first ten.
**strong**: queries whose first hit is called exact or strong, **right**: those of them that are
right. **unstated**: queries whose first hit chooses a side, type, stage or encounter which the query
does not state, although a concept above leaves it open. **opposite**: queries whose first hit is
wrong and states the opposite, of those that state a side, type, opposite or negation. **pair**:
queries whose first hit is right for the opposite query of the same pair. **abstained**: of the
queries for which nothing is right, those with no hit called exact or strong: they count as found,
and every mode but hybrid and lexical finds all of them, since it calls nothing strong. **ms**: wall
time of a query, the only figures that differ from run to run.

Modes: **hybrid** is medterm, **lexical** medterm without a model, **semantic** the plain cosine,
**bm25** plain BM25; the others fuse these two: **rrf** by reciprocal rank (k = 60), **minmax** by the
mean of scores stretched to 0..1, **dbsf** by scores measured in standard deviations.
";

/// A report about to be written.
pub struct Report {
    path: PathBuf,
    text: String,
}

impl Report {
    /// Begins a report that says how it was made. Fails before anything is measured where there is
    /// no folder for it.
    pub fn begin(path: &Path) -> Result<Self, CliError> {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        if let Some(parent) = parent {
            fs::metadata(parent)
                .map_err(|error| CliError::io(parent, "looking for the report's folder", error))?;
        }
        let command = command_line(std::env::args_os().skip(1));
        let text =
            format!("# Quality of the search\n\nWritten by\n\n```sh\n{command}\n```\n\n{LEGEND}");
        Ok(Self { path: path.to_owned(), text })
    }

    /// Adds the terminology that the next sets are measured on.
    pub fn terminology(&mut self, manifest: &Manifest) {
        let release = &manifest.release;
        let date = release.date.as_ref().map(|date| format!(", released {date}"));
        let model = match &manifest.model {
            Some(model) => format!("embedded with {} ({})", code(&model.id), model.backend),
            None => "without embeddings, so that words alone are used".to_owned(),
        };
        let counts = &manifest.counts;
        let _ = write!(
            self.text,
            "\n## {} {}\n\n{}, version {}{}: {} concepts, {} names, {} of them borrowed; {model}; medterm {}.\n",
            release.alias,
            release.version,
            release.title,
            release.version,
            date.unwrap_or_default(),
            count(counts.concepts),
            count(counts.designations),
            count(counts.borrowed),
            manifest.medterm,
        );
        if !manifest.without.is_empty() {
            let names: Vec<&str> = manifest.without.iter().map(|one| one.name()).collect();
            let _ = writeln!(self.text, "Built without these names: {}.", names.join(", "));
        }
    }

    /// Adds one gold set, measured in several modes, every failure given.
    pub fn gold(&mut self, reports: &[EvalReport]) {
        let Some(first) = reports.first() else { return };
        let _ = write!(self.text, "\n### {}\n\n{}", file_name(&first.gold), table_head(&COLUMNS));
        for report in reports {
            self.text.push_str(&row(&figures(report)));
        }
        if let Some(report) = reports.iter().find(|report| report.mode == ANALYZED) {
            self.failures(report);
        }
    }

    fn failures(&mut self, report: &EvalReport) {
        let number = report.failures.len();
        if number == 0 {
            let _ = writeln!(self.text, "\nEvery first hit of {ANALYZED} is right.");
            return;
        }
        let share = share(number as f64 / report.n.max(1) as f64);
        let _ = writeln!(
            self.text,
            "\nThe first hit of {ANALYZED} is wrong for {} of {} ({share} %). Behind a query are the \
             first hit, what is right, and the rank of what is right: fused / by words / by \
             meaning.\n",
            count(number),
            count(report.n),
        );
        for kind in FailureKind::ALL {
            let of_kind: Vec<&Failure> =
                report.failures.iter().filter(|failure| failure.kind == kind).collect();
            if of_kind.is_empty() {
                continue;
            }
            let _ = writeln!(self.text, "- {}: **{}**", describe(kind), count(of_kind.len()));
            for failure in of_kind.into_iter().take(EXAMPLES) {
                let _ = writeln!(self.text, "  - {}", example(failure));
            }
        }
    }

    /// Writes the file.
    pub fn write(&self) -> Result<(), CliError> {
        fs::write(&self.path, &self.text)
            .map_err(|error| CliError::io(&self.path, "writing the report", error))
    }
}

fn figures(report: &EvalReport) -> [String; COLUMNS.len()] {
    let optional = |figure: Option<String>| figure.unwrap_or_else(|| "–".to_owned());
    let [low, high] = report.recall_at_1_interval;
    let conflicts = report.axis_conflicts;
    [
        report.mode.clone(),
        count(report.n),
        share(report.recall_at.one),
        format!("{}–{}", share(low), share(high)),
        share(report.recall_at.three),
        share(report.recall_at.five),
        share(report.recall_at.ten),
        share(report.mrr_at_20),
        optional(report.family_recall_at_1.map(share)),
        count(report.lost_number_ones),
        share(report.strong.share),
        optional(report.strong.precision.map(share)),
        count(report.axis_violations),
        optional(
            (conflicts.stated > 0)
                .then(|| format!("{} of {}", count(conflicts.wrong), count(conflicts.stated))),
        ),
        optional(report.pair_errors.map(count)),
        optional(report.abstention.map(share)),
        format!("{:.1}", report.ms_per_query.p50),
        format!("{:.1}", report.ms_per_query.p99),
    ]
}

fn describe(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Overconfident => "nothing is right, and a hit is called exact or strong",
        FailureKind::NothingFound => "nothing found",
        FailureKind::Axis => {
            "axis error: the opposite of what is stated, or a choice where nothing is"
        }
        FailureKind::BothSides => "both sides have it among their ten, but it is not first",
        FailureKind::OnlyLexical => "only the lexical side has it among its ten",
        FailureKind::OnlySemantic => "only the semantic side has it among its ten",
        FailureKind::NeitherSide => "in the pool, but among the ten of neither side",
        FailureKind::NotInPool => "not in the pool",
        _ => "otherwise",
    }
}

fn example(failure: &Failure) -> String {
    let rank = |rank: Option<usize>| rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string());
    let top = failure.top.as_deref().map_or_else(|| "nothing".to_owned(), code);
    let right = match failure.accept.as_str() {
        "-" => "nothing".to_owned(),
        accept => code(accept),
    };
    format!(
        "{}: {top}, right is {right}; {} / {} / {}",
        code(&failure.query),
        rank(failure.rank),
        rank(failure.lexical_rank),
        rank(failure.semantic_rank),
    )
}

/// The command as it was given, files and folders by their names alone: where somebody keeps them
/// says nothing about quality.
fn command_line(arguments: impl Iterator<Item = OsString>) -> String {
    let mut line = "medterm".to_owned();
    for argument in arguments {
        let argument = argument.to_string_lossy();
        let (option, value) = match argument.split_once('=') {
            Some((option, value)) => (format!("{option}="), value),
            None => (String::new(), &*argument),
        };
        let shown = format!("{option}{}", file_name(value));
        let is_plain = |c: char| c.is_alphanumeric() || "-_.,=|:+".contains(c);
        if shown.chars().all(|c| is_plain(c) && c != '|') && !shown.is_empty() {
            let _ = write!(line, " {shown}");
        } else {
            let _ = write!(line, " '{}'", shown.replace('\'', r"'\''"));
        }
    }
    line
}

/// The last part of a path; all of what is none, such as a terminology's URI.
fn file_name(path: &str) -> String {
    if path.contains("://") {
        return path.to_owned();
    }
    let name = Path::new(path).file_name();
    name.map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_has_no_folders_and_can_be_typed() {
        let arguments = [
            "--store=/srv/a/store",
            "eval",
            "--gold",
            "gold/dev/two words.tsv",
            "x.tsv",
            "--system",
            "http://example.org/cs|2",
            "--report",
            "docs/QUALITY.md",
        ];
        assert_eq!(
            command_line(arguments.into_iter().map(OsString::from)),
            "medterm --store=store eval --gold 'two words.tsv' x.tsv --system \
             'http://example.org/cs|2' --report QUALITY.md"
        );
    }
}
