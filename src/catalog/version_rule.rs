//! Which version of a terminology is meant, where several are loaded.

use std::cmp::Ordering;

use serde::Serialize;

use super::Error;

/// What a version that a request names for a terminology means (FHIR: `system-version`,
/// `check-system-version`, `force-system-version`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum VersionRule {
    /// It is used where nothing else names a version.
    Default,
    /// It is used where nothing else names a version, and another one is an error.
    Check,
    /// It is used, whatever else names a version.
    Force,
}

/// The versions that a request asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct VersionRules {
    systems: Vec<(VersionRule, String, String)>,
    valuesets: Vec<(String, String)>,
}

/// A version that is meant, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Meant<'r> {
    /// `None` for the default one of the store.
    pub(super) version: Option<&'r str>,
    /// A request's rule chose it, not what is written.
    pub(super) by_rule: Option<VersionRule>,
}

impl VersionRules {
    pub(super) fn add_system(&mut self, rule: VersionRule, canonical: &str) -> Result<(), Error> {
        let (system, version) = parted(canonical, "systemVersion")?;
        self.systems.push((rule, system, version));
        Ok(())
    }

    pub(super) fn add_valueset(&mut self, canonical: &str) -> Result<(), Error> {
        self.valuesets.push(parted(canonical, "valuesetVersion")?);
        Ok(())
    }

    /// The version of a terminology that this rule names.
    pub(super) fn of_system(&self, rule: VersionRule, system: &str) -> Option<&str> {
        let is_it = |one: &&(VersionRule, String, String)| one.0 == rule && one.1 == system;
        self.systems.iter().find(is_it).map(|one| one.2.as_str())
    }

    /// The version of a value set that is meant by its URL alone.
    pub(super) fn of_valueset(&self, url: &str) -> Option<&str> {
        self.valuesets.iter().find(|one| one.0 == url).map(|one| one.1.as_str())
    }

    /// The version that is meant where this one is written, or none.
    pub(super) fn meant<'r>(&'r self, system: &str, written: Option<&'r str>) -> Meant<'r> {
        if let Some(version) = self.of_system(VersionRule::Force, system) {
            return Meant { version: Some(version), by_rule: Some(VersionRule::Force) };
        }
        if written.is_some() {
            return Meant { version: written, by_rule: None };
        }
        for rule in [VersionRule::Check, VersionRule::Default] {
            if let Some(version) = self.of_system(rule, system) {
                return Meant { version: Some(version), by_rule: Some(rule) };
            }
        }
        Meant { version: None, by_rule: None }
    }
}

fn parted(canonical: &str, field: &'static str) -> Result<(String, String), Error> {
    match canonical.split_once('|') {
        Some((uri, version)) if !uri.is_empty() && !version.is_empty() => {
            Ok((uri.to_owned(), version.to_owned()))
        }
        _ => Err(Error::invalid(field, format!("{canonical:?} is not `URI|version`"))),
    }
}

/// Whether a version is one that is asked for: the same, or one that has any number in the places of
/// `x`, or any at all where `*` is asked for.
pub(super) fn version_fits(asked: &str, version: &str) -> bool {
    if asked == version || asked == "*" {
        return true;
    }
    if !is_pattern(asked) {
        // An edition of SNOMED CT is the beginning of its versions.
        return version.strip_prefix(asked).is_some_and(|rest| rest.starts_with("/version/"));
    }
    let (asked, parts): (Vec<_>, Vec<_>) =
        (asked.split('.').collect(), version.split('.').collect());
    asked.len() == parts.len()
        && asked.iter().zip(&parts).all(|(asked, part)| is_any(asked) || asked == part)
}

/// Whether a version has places for any number.
pub(super) fn is_pattern(version: &str) -> bool {
    version.split('.').any(is_any)
}

fn is_any(part: &str) -> bool {
    matches!(part, "x" | "X" | "*")
}

/// Which of two versions is the later one: number by number where both have numbers, so that 10 comes
/// after 9.
pub(super) fn version_order(a: &str, b: &str) -> Ordering {
    let is_end = |c: char| !c.is_ascii_alphanumeric();
    let (mut left, mut right) = (a.split(is_end), b.split(is_end));
    loop {
        let order = match (left.next(), right.next()) {
            (None, None) => return a.cmp(b),
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(one), Some(other)) => match (one.parse::<u64>(), other.parse::<u64>()) {
                (Ok(one), Ok(other)) => one.cmp(&other),
                _ => one.cmp(other),
            },
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert_eq!(version_order("1.9.0", "1.10.0"), Ordering::Less);
        assert_eq!(version_order("2026", "2025AA"), Ordering::Greater);
        assert_eq!(version_order("1.0", "1.0.0"), Ordering::Less);
        assert!(version_fits("1.x.x", "1.2.0") && !version_fits("1.x", "1.2.0"));
        assert!(!version_fits("1", "1.0.0") && version_fits("*", "1.0.0"));
    }

    #[test]
    fn a_forced_version_goes_before_what_is_written() {
        let mut rules = VersionRules::default();
        rules.add_system(VersionRule::Default, "a|1").expect("it is a canonical");
        rules.add_system(VersionRule::Force, "b|1").expect("it is a canonical");
        assert_eq!(rules.meant("a", Some("2")).version, Some("2"));
        assert_eq!(rules.meant("a", None).version, Some("1"));
        assert_eq!(rules.meant("b", Some("2")).version, Some("1"));
        assert_eq!(rules.meant("c", None).version, None);
        assert!(rules.add_system(VersionRule::Check, "a").is_err());
    }
}
