//! The parameters of a request, by name.

use medterm::catalog::VersionRule;
use serde_json::Value;

use super::suite::{Archive, Case};

/// The parameters of a request, and of its profile.
pub(crate) struct Parameters(Vec<Value>);

/// The rules of versions, by the names of their parameters.
pub(crate) const RULES: [(&str, VersionRule); 3] = [
    ("system-version", VersionRule::Default),
    ("check-system-version", VersionRule::Check),
    ("force-system-version", VersionRule::Force),
];

impl Parameters {
    pub(crate) fn of(archive: &Archive, case: &Case) -> Self {
        let mut all = Vec::new();
        for name in case.request.iter().chain(&case.profile) {
            let resource = archive.json(name).unwrap_or_default();
            all.extend(resource["parameter"].as_array().cloned().unwrap_or_default());
        }
        Self(all)
    }

    pub(crate) fn of_resource(resource: &Value, usual: &Self) -> Self {
        let mut all = resource["parameter"].as_array().cloned().unwrap_or_default();
        let own: Vec<Value> = all.iter().map(|one| one["name"].clone()).collect();
        let others = usual.0.iter().filter(|one| one["name"] != "validation");
        all.extend(others.filter(|one| !own.contains(&one["name"])).cloned());
        Self(all)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Value> {
        self.0.iter()
    }

    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &Value> {
        self.0.iter().filter(move |one| one["name"] == name).filter_map(value)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.all(name).next()
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(Value::as_str)
    }

    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        let value = self.get(name)?;
        value.as_bool().or_else(|| value.as_str()?.parse().ok())
    }

    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        self.get(name)?.as_u64().and_then(|number| usize::try_from(number).ok())
    }

    /// The URL of the value set, with the version that is asked for.
    pub(crate) fn url(&self) -> Option<String> {
        let url = self.text("url")?;
        Some(match self.text("valueSetVersion") {
            Some(version) => format!("{url}|{version}"),
            None => url.to_owned(),
        })
    }

    pub(crate) fn rules(&self) -> impl Iterator<Item = (VersionRule, &str)> {
        RULES.iter().flat_map(|(name, rule)| {
            self.all(name).filter_map(Value::as_str).map(|canonical| (*rule, canonical))
        })
    }

    /// The languages of a header or parameter, the preferred ones first.
    pub(crate) fn languages(&self, header: Option<&str>) -> Vec<String> {
        let text = self.text("displayLanguage").or(header).unwrap_or_default();
        let tags = text.split(',').map(|one| one.split(';').next().unwrap_or_default().trim());
        tags.filter(|tag| !tag.is_empty() && *tag != "*").map(str::to_owned).collect()
    }

    /// The value sets that the request brings along.
    pub(crate) fn resources(&self) -> Vec<Value> {
        self.all("tx-resource").cloned().collect()
    }
}

/// The value of a parameter, of whatever type.
pub(crate) fn value(parameter: &Value) -> Option<&Value> {
    let fields = parameter.as_object()?;
    let value = fields.iter().find(|(name, _)| name.starts_with("value") || *name == "resource");
    value.map(|(_, value)| value)
}
