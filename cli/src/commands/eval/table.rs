use std::path::Path;

use medterm::eval::{EvalReport, Failure};

use crate::output::{CODE, Cell, Column, DIM, STRONG, Table, count, paint};

/// Reports as tables: one row a gold file and mode, then the failures of each.
pub fn text(reports: &[EvalReport], width: Option<usize>) -> String {
    let mut text = numbers(reports).render(width);
    for report in reports.iter().filter(|report| !report.failures.is_empty()) {
        let title = format!("{} · {}", name(&report.gold), report.mode);
        text.push_str(&format!("\n{}\n", paint(STRONG, &title)));
        text.push_str(&failures(&report.failures).render(width));
    }
    text
}

fn numbers(reports: &[EvalReport]) -> Table {
    let mut table = Table::new(&[
        Column::text("GOLD"),
        Column::text("MODE"),
        Column::number("N"),
        Column::number("R@1"),
        Column::number("95%"),
        Column::number("R@3"),
        Column::number("R@5"),
        Column::number("R@10"),
        Column::number("MRR"),
        Column::number("FAMILY"),
        Column::number("LOST"),
        Column::number("AXES"),
        Column::number("OPPOSITE"),
        Column::number("PAIR"),
        Column::number("STRONG"),
        Column::number("RIGHT"),
        Column::number("SILENT"),
        Column::number("P50"),
        Column::number("P99"),
    ]);
    for report in reports {
        let recall = &report.recall_at;
        let [low, high] = report.recall_at_1_interval;
        let conflicts = report.axis_conflicts;
        let stated =
            (conflicts.stated > 0).then(|| format!("{}/{}", conflicts.wrong, conflicts.stated));
        let optional = |figure: Option<String>| figure.unwrap_or_else(|| "–".to_owned());
        table.row([
            Cell::new(name(&report.gold)),
            Cell::styled(CODE, &report.mode),
            Cell::new(count(report.n)),
            Cell::styled(STRONG, percent(recall.one)),
            Cell::styled(DIM, format!("{}–{}", percent(low), percent(high))),
            Cell::new(percent(recall.three)),
            Cell::new(percent(recall.five)),
            Cell::styled(STRONG, percent(recall.ten)),
            Cell::new(percent(report.mrr_at_20)),
            Cell::new(optional(report.family_recall_at_1.map(percent))),
            Cell::new(count(report.lost_number_ones)),
            Cell::new(count(report.axis_violations)),
            Cell::new(optional(stated)),
            Cell::new(optional(report.pair_errors.map(count))),
            Cell::new(percent(report.strong.share)),
            Cell::new(optional(report.strong.precision.map(percent))),
            Cell::new(optional(report.abstention.map(percent))),
            Cell::styled(DIM, format!("{:.1} ms", report.ms_per_query.p50)),
            Cell::styled(DIM, format!("{:.1} ms", report.ms_per_query.p99)),
        ]);
    }
    table
}

fn failures(failures: &[Failure]) -> Table {
    let mut table = Table::new(&[
        Column::number("RANK"),
        Column::number("LEXICAL"),
        Column::number("SEMANTIC"),
        Column::text("FIRST"),
        Column::long("RIGHT"),
        Column::long("QUERY"),
    ]);
    let rank = |rank: Option<usize>| rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string());
    for failure in failures {
        table.row([
            Cell::styled(STRONG, rank(failure.rank)),
            Cell::new(rank(failure.lexical_rank)),
            Cell::new(rank(failure.semantic_rank)),
            Cell::new(failure.top.as_deref().unwrap_or("–")),
            Cell::styled(CODE, &failure.accept),
            Cell::new(&failure.query),
        ]);
    }
    table
}

fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

fn name(path: &str) -> String {
    let stem = Path::new(path).file_stem();
    stem.map_or_else(|| path.to_owned(), |stem| stem.to_string_lossy().into_owned())
}
