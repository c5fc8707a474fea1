use anstyle::{AnsiColor, Style};

pub const PLAIN: Style = Style::new();
pub const STRONG: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();
pub const CODE: Style = AnsiColor::Cyan.on_default().bold();
pub const GOOD: Style = AnsiColor::Green.on_default();
pub const WARN: Style = AnsiColor::Yellow.on_default();
pub const BAD: Style = AnsiColor::Red.on_default().bold();

/// Text in a style. The stream that prints it takes the style out where nobody can see it.
pub fn paint(style: Style, text: &str) -> String {
    if style == PLAIN { text.to_owned() } else { format!("{style}{text}{style:#}") }
}
