//! From the library's words to those of the protocol.

use medterm::tools::{
    PromptArgument, PromptDescription, RESOURCE_MIME_TYPE, Registry, ResourceDescription,
    ToolAnswer, ToolDescription, ToolError,
};
use rmcp::ErrorData;
use rmcp::model::{
    CallToolResult, ContentBlock, Implementation, Prompt, Resource, ResourceContents,
    ResourceTemplate, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use serde_json::json;

/// Who we are and what we can.
pub fn server_config(registry: &Registry) -> ServerConfig {
    let mut capabilities = ServerCapabilities::builder()
        .enable_completions()
        .enable_resources()
        .enable_resources_list_changed()
        .enable_tools()
        .enable_tool_list_changed()
        .build();
    if !registry.prompts().is_empty() {
        capabilities.prompts = Some(rmcp::model::PromptsCapability::default());
    }
    let server = Implementation::new("medterm", env!("CARGO_PKG_VERSION"))
        .with_title("medterm: medical codes")
        .with_description("Finds the right medical code for the words people use, offline.");
    ServerConfig::new(capabilities)
        .with_server_info(server)
        .with_instructions(registry.instructions())
}

pub fn tool(tool: ToolDescription) -> Tool {
    let annotations = ToolAnnotations::with_title(tool.title)
        .read_only(true)
        .destructive(false)
        .idempotent(true)
        .open_world(false);
    Tool::new(tool.name, tool.description, tool.input_schema)
        .with_title(tool.title)
        .with_raw_output_schema(tool.output_schema)
        .with_annotations(annotations)
}

pub fn answer(answer: ToolAnswer) -> CallToolResult {
    let content = vec![ContentBlock::text(answer.text)];
    let mut result = match answer.is_error {
        true => CallToolResult::error(content),
        false => CallToolResult::success(content),
    };
    result.structured_content = Some(answer.structured);
    result
}

pub fn prompt(prompt: PromptDescription) -> Prompt {
    let argument = |one: &PromptArgument| {
        rmcp::model::PromptArgument::new(one.name)
            .with_description(one.description)
            .with_required(one.required)
    };
    let arguments = prompt.arguments.iter().map(argument).collect();
    Prompt::new(prompt.name, Some(prompt.description), Some(arguments)).with_title(prompt.title)
}

pub fn resource(one: ResourceDescription) -> Resource {
    Resource::new(one.uri, one.name)
        .with_title(one.title)
        .with_description(one.description)
        .with_mime_type(RESOURCE_MIME_TYPE)
}

pub fn template(one: ResourceDescription) -> ResourceTemplate {
    ResourceTemplate::new(one.uri, one.name)
        .with_title(one.title)
        .with_description(one.description)
        .with_mime_type(RESOURCE_MIME_TYPE)
}

pub fn contents(text: String, uri: &str) -> ResourceContents {
    ResourceContents::text(text, uri).with_mime_type(RESOURCE_MIME_TYPE)
}

/// An error of what is no tool: there it is one of the protocol.
pub fn error(error: &ToolError) -> ErrorData {
    let data = json!({"reason": error.reason().name(), "recovery": {"hint": error.hint()}});
    ErrorData::invalid_params(error.to_string(), Some(data))
}
