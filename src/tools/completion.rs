use crate::catalog::Catalog;

use super::Registry;

/// Values that begin as a person has begun to type.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Completion {
    /// At most [`Completion::MAX`], the likeliest first.
    pub values: Vec<String>,
    /// How many there are in all.
    pub total: usize,
}

impl Completion {
    /// The most that are given.
    pub const MAX: usize = 100;

    fn of(mut values: Vec<String>) -> Self {
        let total = values.len();
        values.truncate(Self::MAX);
        Self { values, total }
    }
}

impl Registry {
    /// Completes an argument of a prompt or of the address of a resource: the name of a terminology
    /// that is loaded, by its alias or by words of its title. Of other arguments it knows nothing,
    /// and gives none.
    #[must_use]
    pub fn complete(&self, catalog: &Catalog, argument: &str, begun: &str) -> Completion {
        let begun = begun.trim().to_lowercase();
        match argument {
            "system" | "fromSystem" | "toSystem" | "alias" => {
                Completion::of(systems(catalog, &begun))
            }
            "type" => {
                let types = ["all", "diagnosis", "procedure"].into_iter();
                Completion::of(
                    types.filter(|one| one.starts_with(&begun)).map(str::to_owned).collect(),
                )
            }
            _ => Completion::default(),
        }
    }
}

/// Aliases that begin like this, then those of titles with a word that does.
fn systems(catalog: &Catalog, begun: &str) -> Vec<String> {
    let mut summaries = catalog.terminologies();
    summaries.dedup_by(|a, b| a.alias == b.alias);
    let (mut by_alias, mut by_title) = (Vec::new(), Vec::new());
    for one in summaries {
        let title = one.title.to_lowercase();
        let mut words = title.split(|c: char| !c.is_alphanumeric());
        if one.alias.to_lowercase().starts_with(begun) {
            by_alias.push(one.alias);
        } else if title.starts_with(begun)
            || words.any(|word| word.starts_with(begun))
            || one.system.as_str().starts_with(begun)
        {
            by_title.push(one.alias);
        }
    }
    by_alias.append(&mut by_title);
    by_alias
}
