//! An MCP server over stdio: the library's tools and the crate `rmcp`, nothing else.
//!
//! `cargo run --release --example mcp_server -- STORE`
//!
//! Without a store it serves the complete ICD-10-CM of this repository, by words alone, from a folder in
//! `target`. Logs go to standard error, since standard output is the protocol. What a server for many
//! users needs beside this, `medterm serve` has: HTTP, limits, reloading, metrics.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use medterm::dense::{BackendChoice, LazyEmbedder, ModelFiles};
use medterm::formats;
use medterm::index::IndexBuilder;
use medterm::tools::{Profile, Registry, ToolDescription};
use medterm::{Catalog, Embedders};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};

struct Server {
    catalog: Arc<Catalog>,
    registry: Registry,
}

fn tool(tool: ToolDescription) -> Tool {
    let hints = ToolAnnotations::with_title(tool.title).read_only(true).idempotent(true);
    Tool::new(tool.name, tool.description, tool.input_schema)
        .with_title(tool.title)
        .with_raw_output_schema(tool.output_schema)
        .with_annotations(hints.destructive(false).open_world(false))
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("medterm-example", env!("CARGO_PKG_VERSION")))
            .with_instructions(self.registry.instructions())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.registry.tools(Some(&self.catalog)).into_iter().map(tool);
        Ok(ListToolsResult::with_all_items(tools.collect()))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let (catalog, registry) = (Arc::clone(&self.catalog), self.registry);
        // The library computes; the asynchronous workers are not made to wait for it.
        let work = move || registry.call(&catalog, &call.name, call.arguments.unwrap_or_default());
        let answer = tokio::task::spawn_blocking(work).await;
        let answer = answer.map_err(|_| ErrorData::internal_error("the tool failed", None))?;
        let answer = answer.ok_or_else(|| ErrorData::invalid_params("no such tool", None))?;
        let mut result = CallToolResult::success(vec![ContentBlock::text(answer.text)]);
        result.is_error = Some(answer.is_error);
        result.structured_content = Some(answer.structured);
        Ok(CallToolResponse::Complete(result))
    }
}

/// The ICD-10-CM of this repository, indexed on first use.
fn demo() -> Result<PathBuf, Box<dyn Error>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let store = here.join("target/demo-store");
    if Catalog::open(&store)?.terminologies().is_empty() {
        let file = here.join("fixtures/icd10cm/icd10cm-tabular-2026-04-01.xml.gz");
        let source = formats::open(formats::detect(&file)?, &file)?;
        let mut builder = IndexBuilder::new(source.release().clone());
        source
            .into_iter()
            .try_for_each(|concept| Ok::<_, Box<dyn Error>>(builder.push(concept?)?))?;
        builder.finish(&store)?;
    }
    Ok(store)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let store = std::env::args().nth(1).map_or_else(demo, |store| Ok(store.into()))?;
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/all-MiniLM-L6-v2");
    let embedder = LazyEmbedder::new(ModelFiles::from_dir(&model)?, BackendChoice::Auto)?;
    let catalog = Catalog::open_with(&store, Embedders::new(Arc::new(embedder)))?;
    let server = Server { catalog: Arc::new(catalog), registry: Registry::new(Profile::Core) };
    server.serve(rmcp::transport::stdio()).await?.waiting().await?;
    Ok(())
}
