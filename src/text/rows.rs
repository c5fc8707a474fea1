/// The rows of a table of ours, each split at its tabs: lines that begin with `#` are comments, and
/// the first other line names the columns. A row that lacks a column is passed over.
pub(super) fn rows<const COLUMNS: usize>(
    table: &'static str,
) -> impl Iterator<Item = [&'static str; COLUMNS]> {
    let lines = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.filter_map(|line| {
        let mut columns = line.split('\t');
        let mut row = [""; COLUMNS];
        for cell in &mut row {
            *cell = columns.next()?;
        }
        Some(row)
    })
}
