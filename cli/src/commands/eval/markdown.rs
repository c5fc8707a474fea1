use std::borrow::Cow;

/// The head of a table: the first column is text, the others are numbers.
pub fn table_head(columns: &[&str]) -> String {
    let mut rule = vec!["---"];
    rule.resize(columns.len(), "---:");
    row(columns) + &row(&rule)
}

/// One row of a table.
pub fn row<T: AsRef<str>>(cells: &[T]) -> String {
    let cells: Vec<Cow<'_, str>> = cells.iter().map(|cell| escaped(cell.as_ref())).collect();
    format!("| {} |\n", cells.join(" | "))
}

fn escaped(cell: &str) -> Cow<'_, str> {
    if cell.contains('|') { cell.replace('|', r"\|").into() } else { cell.into() }
}

/// A text as it stands, whatever is in it.
pub fn code(text: &str) -> String {
    let text = text.replace(char::is_control, " ");
    // The fence is longer than every run of backticks inside.
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if longest > 0 { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A share in percent.
pub fn share(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_texts_stay_whole() {
        assert_eq!(table_head(&["a", "b"]), "| a | b |\n| --- | ---: |\n");
        assert_eq!(row(&["x|y", "1"]), "| x\\|y | 1 |\n");
        assert_eq!(code("I50|I51*"), "`I50|I51*`");
        assert_eq!(code("a ``b`"), "``` a ``b` ```");
        assert_eq!(share(0.924_6), "92.5");
    }
}
