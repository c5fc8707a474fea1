//! Whether the terminology of coded data, and the version of it, is the one that the value set means.

use super::coded_verdict::{Place, Verdict};
use super::expand_resolve::Resolution;
use super::open::Entry;
use super::outcome::{Needed, VERSION_REFUSED, unknown_system, version_refused};
use super::version_rule::{VersionRules, version_order};
use super::{Catalog, Error, GivenCoding, Issue, IssueCode, Severity};

impl Catalog {
    /// Says what is wrong with the terminology of a code and its version, and which index to look into.
    pub(super) fn check_system<'c>(
        &'c self,
        coding: &GivenCoding,
        place: &Place,
        resolutions: &[Resolution<'c>],
        rules: &VersionRules,
        verdict: &mut Verdict<'c>,
    ) -> Result<Option<&'c Entry>, Error> {
        let Some(system) = coding.system.as_deref() else { return Ok(None) };
        let versions = self.versions_of(system);
        let own: Vec<&Resolution<'_>> =
            resolutions.iter().filter(|one| is_same(one, system)).collect();
        if versions.is_empty() {
            self.no_system(coding, system, place, !own.is_empty(), verdict)?;
            return Ok(None);
        }
        let asked = coding.version.as_deref();
        if let Some(version) =
            asked.filter(|version| versions.iter().all(|e| e.version() != *version))
        {
            unknown_version(system, version, &versions, place, verdict);
        }
        let with = |version: &str| versions.iter().find(|entry| entry.version() == version);
        let mut resolved: Vec<&Entry> = own.iter().filter_map(|one| one.entry).collect();
        resolved.sort_by(|a, b| version_order(b.version(), a.version()));
        let is_asked = |entry: &&Entry| Some(entry.version()) == asked;
        for one in &own {
            match &one.problem {
                Some(Error::UnknownVersion { version, .. }) => {
                    unknown_version(system, version, &versions, place, verdict);
                    verdict.is_undecided = true;
                }
                Some(Error::VersionRefused { version, required, .. }) => {
                    let message = version_refused(system, version, required);
                    let issue = Issue::new(IssueCode::VersionNotAllowed, Severity::Error, message);
                    verdict.issues.push(issue.called(VERSION_REFUSED).at(place.version()));
                }
                _ => {}
            }
            if let Some(version) = asked.filter(|_| !resolved.iter().any(is_asked)) {
                verdict.issues.extend(other_version(one, system, version, place));
            }
        }
        let found = resolved.iter().copied().find(|entry| is_asked(entry));
        let found = found.or_else(|| resolved.first().copied());
        let found = found.or_else(|| asked.and_then(with).copied());
        Ok(found.or_else(|| {
            let usual = self.resolve(system, None, None, rules).entry;
            let last = |a: &&&Entry, b: &&&Entry| version_order(a.version(), b.version());
            usual.or_else(|| versions.iter().max_by(last).copied())
        }))
    }

    fn no_system(
        &self,
        coding: &GivenCoding,
        system: &str,
        place: &Place,
        is_in_valueset: bool,
        verdict: &mut Verdict<'_>,
    ) -> Result<(), Error> {
        let invalid = |message: String| {
            let issue = Issue::new(IssueCode::InvalidSystem, Severity::Error, message);
            issue.at(place.system())
        };
        if self.valueset(system)?.is_some() {
            let message =
                format!("The Coding references a value set, not a code system ('{system}')");
            verdict.issues.push(invalid(message).called("Terminology_TX_System_ValueSet2"));
            return Ok(());
        }
        if !system.contains(':') {
            let message = "Coding.system must be an absolute reference, not a local reference";
            let issue = invalid(message.to_owned());
            verdict.issues.push(issue.called("Terminology_TX_System_Relative"));
        }
        let version = coding.version.as_deref().map(|version| (version, [].as_slice()));
        let message = unknown_system(system, version, Needed::Validation);
        let issue = Issue::new(IssueCode::UnknownSystem, Severity::Error, message);
        let issue = issue.called(match version {
            None => "UNKNOWN_CODESYSTEM",
            Some(_) => "UNKNOWN_CODESYSTEM_VERSION_NONE",
        });
        verdict.issues.push(issue.at(place.system()));
        verdict.is_undecided |= is_in_valueset;
        match is_in_valueset {
            true => verdict.needed_systems.push(system.to_owned()),
            false => verdict.unknown_systems.push(system.to_owned()),
        }
        Ok(())
    }
}

fn is_same(resolution: &Resolution<'_>, system: &str) -> bool {
    resolution.system == system
        || resolution.entry.is_some_and(|entry| entry.system().as_str() == system)
}

fn unknown_version(
    system: &str,
    version: &str,
    versions: &[&Entry],
    place: &Place,
    verdict: &mut Verdict<'_>,
) {
    let mut available: Vec<String> =
        versions.iter().map(|entry| entry.version().to_owned()).collect();
    available.sort_by(|a, b| version_order(a, b));
    let message = unknown_system(system, Some((version, &available)), Needed::Validation);
    let issue = Issue::new(IssueCode::UnknownSystem, Severity::Error, message);
    verdict.issues.push(issue.called("UNKNOWN_CODESYSTEM_VERSION").at(place.system()));
    let needed = format!("{system}|{version}");
    if !verdict.needed_systems.contains(&needed) {
        verdict.needed_systems.push(needed);
    }
}

/// What is to be said where a part of a value set is about another version than a code.
fn other_version(
    resolution: &Resolution<'_>,
    system: &str,
    version: &str,
    place: &Place,
) -> Option<Issue> {
    let written = resolution.written.as_deref();
    let different =
        format!("in the ValueSet include is different to the one in the value ('{version}')");
    let (severity, id, message) = match (resolution.by_rule, written, resolution.entry) {
        (Some(_), _, _) => {
            let meant = resolution.meant.as_deref().unwrap_or_default();
            let written = written.unwrap_or_default();
            let from = format!("version '{meant}' resulting from the version '{written}'");
            let message = format!("The code system '{system}' {from} {different}");
            (Severity::Error, "VALUESET_VALUE_MISMATCH_CHANGED", message)
        }
        (None, Some(written), _) if written != version => {
            let message = format!("The code system '{system}' version '{written}' {different}");
            (Severity::Error, "VALUESET_VALUE_MISMATCH", message)
        }
        (None, None, Some(entry)) => {
            let from = format!("version '{}' for the versionless include", entry.version());
            let message = format!("The code system '{system}' {from} {different}");
            (Severity::Warning, "VALUESET_VALUE_MISMATCH_DEFAULT", message)
        }
        _ => return None,
    };
    let issue = Issue::new(IssueCode::OtherVersion, severity, message).called(id);
    Some(issue.at(place.version()))
}
