//! What is told beside the tools: guides, prompts, resources, completion, instructions.

use std::collections::BTreeMap;

use crate::catalog::Catalog;
use crate::valueset::{ecl, vcl};

use super::guides::{ECL_GUIDE, VCL_GUIDE};
use super::*;

/// The lines of the guide's blocks in a language.
fn examples(guide: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let blocks = guide.split(&fence).skip(1).map(|block| block.split("```").next().unwrap());
    blocks.flat_map(str::lines).map(str::to_owned).collect()
}

#[test]
fn every_example_of_the_guides_is_read() {
    let ecl = examples(ECL_GUIDE, "ecl");
    assert!(ecl.len() > 25, "{}", ecl.len());
    for example in ecl {
        ecl::Expression::parse(&example).unwrap_or_else(|error| panic!("{example}: {error}"));
    }
    let vcl = examples(VCL_GUIDE, "vcl");
    assert!(vcl.len() > 20, "{}", vcl.len());
    for example in vcl {
        vcl::Expression::parse(&example).unwrap_or_else(|error| panic!("{example}: {error}"));
    }
}

fn empty() -> (tempfile::TempDir, Catalog) {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(folder.path()).unwrap();
    (folder, catalog)
}

#[test]
fn instructions_name_only_tools_that_are_there() {
    let all: Vec<&str> = Registry::new(Profile::All).tools(None).iter().map(|t| t.name).collect();
    for profile in Profile::ALL {
        let registry = Registry::new(profile);
        let text = registry.instructions();
        assert!(text.contains("patient names") && text.contains(INTENDED_USE), "{text}");
        let listed: Vec<&str> = registry.tools(None).iter().map(|tool| tool.name).collect();
        let words: Vec<&str> =
            text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
        for name in &listed {
            assert!(words.contains(name), "{}: {name} is not told of", profile.name());
        }
        for name in all.iter().filter(|name| !listed.contains(name)) {
            assert!(!words.contains(name), "{}: {name} is not there", profile.name());
        }
        assert!(text.len() < 4500, "{}: {} bytes", profile.name(), text.len());
    }
}

/// A value for every argument that the prompt needs.
fn required(prompt: &PromptDescription) -> BTreeMap<String, String> {
    let needed = prompt.arguments.iter().filter(|argument| argument.required);
    needed.map(|argument| (argument.name.to_owned(), format!("<{}>", argument.name))).collect()
}

#[test]
fn prompts_name_only_tools_that_are_there_and_fill_every_gap() {
    let (_folder, catalog) = empty();
    let all: Vec<&str> = Registry::new(Profile::All).tools(None).iter().map(|t| t.name).collect();
    for profile in Profile::ALL {
        let registry = Registry::new(profile);
        let listed: Vec<&str> = registry.tools(None).iter().map(|tool| tool.name).collect();
        for prompt in registry.prompts() {
            let text = registry.prompt(&catalog, prompt.name, &required(&prompt));
            let text = text.expect("it is listed").expect("it has what it needs");
            for name in all.iter().filter(|name| !listed.contains(name)) {
                let says = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                assert!(!says.into_iter().any(|w| w == *name), "{}: {name}", prompt.name);
            }
            assert!(!text.contains(['{', '}']) && !text.contains("??"), "{text}");
            assert!(text.trim_end().ends_with("all that is needed."), "{text}");
            let has_system =
                prompt.arguments.iter().any(|one| one.name == "system" && !one.required);
            assert_eq!(text.contains("nothing is loaded yet"), has_system, "{text}");
        }
    }
    let names = |profile| -> Vec<&str> {
        Registry::new(profile).prompts().iter().map(|prompt| prompt.name).collect()
    };
    let core = [
        "find-code",
        "map-code",
        "validate-coding",
        "explore-hierarchy",
        "summary-to-codes",
        "find-medical-code",
    ];
    assert_eq!(names(Profile::Core), core);
    assert_eq!(names(Profile::Icd10), ["find-medical-code"]);
    assert!(names(Profile::Mesh).is_empty());
}

#[test]
fn prompts_refuse_what_they_have_no_use_for() {
    let (_folder, catalog) = empty();
    let registry = Registry::new(Profile::Core);
    let ask = |name: &str, arguments: &[(&str, &str)]| {
        let arguments = arguments.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        registry.prompt(&catalog, name, &arguments)
    };
    assert!(ask("no-such-prompt", &[]).is_none());
    let reason =
        |answer: Option<Result<String, ToolError>>| answer.unwrap().unwrap_err().to_string();
    assert!(reason(ask("find-code", &[])).contains("term"));
    assert!(reason(ask("find-code", &[("term", " ")])).contains("term"));
    let unknown = reason(ask("find-code", &[("term", "flu"), ("sistem", "snomed")]));
    assert!(unknown.contains("sistem") && unknown.contains("term, system"), "{unknown}");
    let long = "x".repeat(20_001);
    assert!(reason(ask("find-code", &[("term", &long)])).contains("longer"));
    let text = ask("find-code", &[("term", "flu\u{202e}\u{7}"), ("system", "icd10cm")]);
    let text = text.unwrap().unwrap();
    assert!(text.contains("of icd10cm for: flu\n"), "{text}");
}

#[test]
fn every_resource_that_is_listed_can_be_read() {
    let (_folder, catalog) = empty();
    let registry = Registry::new(Profile::Core);
    let listed = registry.resources(Some(&catalog));
    let uris: Vec<&str> = listed.iter().map(|one| one.uri.as_str()).collect();
    assert_eq!(uris, ["ecl://guide", "vcl://guide", "info://server", "info://licenses"]);
    for uri in uris {
        let text = registry.read_resource(&catalog, uri).expect("it is there").expect("it reads");
        assert!(text.starts_with("# "), "{uri}: {text}");
    }
    for uri in
        ["info://snomed/chapters", "info://../chapters", "info:///chapters", "file:///etc", ""]
    {
        assert!(registry.read_resource(&catalog, uri).is_none(), "{uri}");
    }
    let server = registry.read_resource(&catalog, "info://server").unwrap().unwrap();
    for part in ["`search_concepts`", "`blank_query`", "data_vintage", INTENDED_USE] {
        assert!(server.contains(part), "{part}");
    }
    assert_eq!(registry.complete(&catalog, "type", "d").values, ["diagnosis"]);
    assert_eq!(registry.complete(&catalog, "system", ""), Completion::default());
}
