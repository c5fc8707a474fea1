use medterm::catalog::Catalog;
use medterm::tools::{Profile, Registry};

/// What clients of a profile are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lists {
    tools: Vec<&'static str>,
    resources: Vec<String>,
}

/// That a list of a profile is another one now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    pub profile: Profile,
    pub tools: bool,
    pub resources: bool,
}

impl Lists {
    pub fn of(registry: &Registry, catalog: Option<&Catalog>) -> Self {
        Self {
            tools: registry.tools(catalog).iter().map(|tool| tool.name).collect(),
            resources: registry.resources(catalog).into_iter().map(|one| one.uri).collect(),
        }
    }

    /// What has changed, if anything has.
    pub fn change(&self, now: &Self, profile: Profile) -> Option<Change> {
        let tools = self.tools != now.tools;
        let resources = self.resources != now.resources;
        (tools || resources).then_some(Change { profile, tools, resources })
    }
}
