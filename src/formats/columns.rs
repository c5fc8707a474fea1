use std::fmt;
use std::str::FromStr;

/// Which column of a table holds what: `code=Local Code`, or by number, `code=1`, where the table
/// has no header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// What the column holds.
    pub role: ColumnRole,
    /// Its name in the header, in any case, or its number from 1.
    pub name: String,
}

/// What a column of a table holds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnRole {
    /// The concept's code.
    Code,
    /// Its preferred name; of a supplement, the name that the release is expected to have.
    Display,
    /// Another name of it; several are divided by `|`. Several columns may hold names.
    Synonym,
    /// The code of a concept above it; several are divided by `|`.
    Parent,
    /// Its definition.
    Definition,
    /// The language of the names in the row, BCP 47.
    Language,
    /// Whether it is in use: `true`, `yes`, `1`, `active`, or their opposites.
    Active,
    /// A name in another language: of a supplement, the name to add.
    Value,
    /// A property of this name.
    Property(String),
}

impl ColumnRole {
    /// The roles that have a name of their own, as they are written on the command line.
    pub const NAMED: [(&'static str, Self); 8] = [
        ("code", Self::Code),
        ("display", Self::Display),
        ("synonym", Self::Synonym),
        ("parent", Self::Parent),
        ("definition", Self::Definition),
        ("language", Self::Language),
        ("active", Self::Active),
        ("value", Self::Value),
    ];

    /// Whether several columns of a table may have this role.
    pub(super) fn may_repeat(&self) -> bool {
        matches!(self, Self::Synonym | Self::Parent | Self::Value | Self::Property(_))
    }
}

impl fmt::Display for ColumnRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Self::NAMED.iter().find(|(_, role)| role == self);
        match (named, self) {
            (Some((name, _)), _) => f.write_str(name),
            (None, Self::Property(name)) => write!(f, "property:{name}"),
            (None, _) => f.write_str("column"),
        }
    }
}

impl FromStr for Column {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let roles = || {
            let named: Vec<&str> = ColumnRole::NAMED.iter().map(|(name, _)| *name).collect();
            format!("{} or property:NAME", named.join(", "))
        };
        let (role, name) = text.split_once('=').ok_or_else(|| {
            format!("{text:?} is not of the form ROLE=COLUMN; a role is {}", roles())
        })?;
        let (role, name) = (role.trim(), name.trim());
        if name.is_empty() {
            return Err(format!("{text:?} names no column after the ="));
        }
        let known = ColumnRole::NAMED.into_iter().find(|(one, _)| one.eq_ignore_ascii_case(role));
        let role = match (known, role.strip_prefix("property:")) {
            (Some((_, role)), _) => role,
            (None, Some(property)) if !property.is_empty() => {
                ColumnRole::Property(property.to_owned())
            }
            _ => return Err(format!("{role:?} is no role of a column; it is {}", roles())),
        };
        Ok(Self { role, name: name.to_owned() })
    }
}
