use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

use medterm::eval::{Gold, GoldError};

/// A gold file as it is named on the command line: `FILE`, or `SYSTEM=FILE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoldFile {
    /// The terminology, where it is named.
    pub system: Option<String>,
    path: PathBuf,
}

impl GoldFile {
    pub fn open(&self) -> Result<Gold, GoldError> {
        Gold::open(&self.path)
    }
}

impl FromStr for GoldFile {
    type Err = Infallible;

    /// What stands before the `=` is a terminology where it looks like an alias: a file with a `=`
    /// in its name can be written with its folder, `./a=b.tsv`.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        let is_alias = |text: &str| {
            let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
            !text.is_empty() && text.chars().all(allowed)
        };
        Ok(match text.split_once('=') {
            Some((system, path)) if is_alias(system) => {
                Self { system: Some(system.to_owned()), path: path.into() }
            }
            _ => Self { system: None, path: text.into() },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_stands_before_the_file_where_one_is_named() {
        let parsed = |text: &str| {
            let Ok(file) = text.parse::<GoldFile>();
            (file.system, file.path)
        };
        assert_eq!(parsed("a/b.tsv"), (None, "a/b.tsv".into()));
        assert_eq!(parsed("loinc=a/b.tsv"), (Some("loinc".to_owned()), "a/b.tsv".into()));
        assert_eq!(parsed("./a=b.tsv"), (None, "./a=b.tsv".into()));
        assert_eq!(parsed("=b.tsv"), (None, "=b.tsv".into()));
    }
}
