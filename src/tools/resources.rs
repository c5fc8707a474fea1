use crate::catalog::{Catalog, Error, Page, TerminologySummary};

use super::clean::clean_text;
use super::guides::{ECL_GUIDE, VCL_GUIDE};
use super::resource_texts::{chapters_text, licenses_text, server_text};
use super::{Registry, ToolError};

/// A text that clients can read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResourceDescription {
    /// Its address; of a template, with `{alias}` in it.
    pub uri: String,
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What is in it.
    pub description: String,
}

/// What kind of text every resource is.
pub const RESOURCE_MIME_TYPE: &str = "text/markdown";

impl Registry {
    /// The resources to list: guides, what the server is and has, and the chapters of what is loaded.
    /// Without a catalog, those that need none.
    #[must_use]
    pub fn resources(&self, catalog: Option<&Catalog>) -> Vec<ResourceDescription> {
        let of = |uri: &str, name: &str, title: &str, description: &str| ResourceDescription {
            uri: uri.to_owned(),
            name: name.to_owned(),
            title: title.to_owned(),
            description: description.to_owned(),
        };
        let mut all = vec![
            of(
                "ecl://guide",
                "ecl-guide",
                "Guide to ECL",
                "SNOMED CT's expressions, as they are answered here.",
            ),
            of(
                "vcl://guide",
                "vcl-guide",
                "Guide to VCL",
                "Expressions for every terminology, as they are answered here.",
            ),
            of(
                "info://server",
                "server-info",
                "This server",
                "What is loaded, which tools there are, what provenance and errors mean, and what it is for.",
            ),
            of(
                "info://licenses",
                "licenses",
                "Licenses",
                "What each terminology's license asks to be said.",
            ),
        ];
        for one in catalog.into_iter().flat_map(defaults).filter(|one| one.subsumption) {
            all.push(ResourceDescription {
                uri: format!("info://{}/chapters", one.alias),
                name: format!("{}-chapters", one.alias),
                title: clean_text(&format!("Chapters of {}", one.title)),
                description: clean_text(&format!(
                    "Where to begin in {} {}.",
                    one.title, one.version
                )),
            });
        }
        all
    }

    /// The resources whose addresses have a part to fill in.
    #[must_use]
    pub fn resource_templates(&self) -> Vec<ResourceDescription> {
        vec![ResourceDescription {
            uri: "info://{alias}/chapters".to_owned(),
            name: "chapters".to_owned(),
            title: "Chapters of a terminology".to_owned(),
            description: "Where to begin in a terminology that is loaded.".to_owned(),
        }]
    }

    /// The text of a resource, as Markdown; nothing where there is none at this address.
    ///
    /// # Errors
    /// Those of a tool that is asked about the terminology.
    #[must_use]
    pub fn read_resource(&self, catalog: &Catalog, uri: &str) -> Option<Result<String, ToolError>> {
        let text = match uri {
            "ecl://guide" => Ok(ECL_GUIDE.to_owned()),
            "vcl://guide" => Ok(VCL_GUIDE.to_owned()),
            "info://server" => Ok(server_text(self, catalog)),
            "info://licenses" => Ok(licenses_text(catalog)),
            _ => {
                let alias = uri.strip_prefix("info://")?.strip_suffix("/chapters")?;
                chapters(catalog, alias)?
            }
        };
        Some(text.map(|text| clean_text(&text)))
    }
}

/// The versions that answer where none is asked for.
pub(super) fn defaults(catalog: &Catalog) -> impl Iterator<Item = TerminologySummary> {
    catalog.terminologies().into_iter().filter(|one| one.default)
}

/// Nothing where the alias is none of those that are loaded.
fn chapters(catalog: &Catalog, alias: &str) -> Option<Result<String, ToolError>> {
    let summary = defaults(catalog).find(|one| one.alias == alias)?;
    let most = Page { offset: 0, limit: MAX_CHAPTERS };
    let listed = || {
        let mut top = catalog.browse(alias, None, most)?;
        // A single root says nothing; what is below it does.
        if let [root] = top.items.as_slice()
            && root.child_count > 0
        {
            top = catalog.browse(alias, Some(root.code.as_str()), most)?;
        }
        Ok::<_, Error>(chapters_text(&summary, &top))
    };
    Some(listed().map_err(ToolError::from))
}

/// More than any classification has chapters.
const MAX_CHAPTERS: usize = 100;
