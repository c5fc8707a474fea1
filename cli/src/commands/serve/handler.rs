use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use medterm::catalog::Catalog;
use medterm::tools::{Completion, Profile, Registry, ToolDescription};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CompletionInfo,
    GetPromptRequestParams, GetPromptResponse, GetPromptResult, JsonObject, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, PromptMessage, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, Role, ServerConfig, SubscriptionFilter, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;

use super::calls::Call;
use super::convert;
use super::server::Server;

/// How often a client that asked for it is told that its call is still running.
const PROGRESS: Duration = Duration::from_secs(1);

/// The protocol's side of one client: every question goes to the registry of its profile.
#[derive(Debug, Clone)]
pub struct Handler {
    server: Arc<Server>,
    registry: Registry,
    config: Arc<ServerConfig>,
}

type Context = RequestContext<RoleServer>;
type Page = Option<PaginatedRequestParams>;

impl Handler {
    pub fn new(server: Arc<Server>, profile: Profile) -> Self {
        let registry = Registry::new(profile);
        Self { server, registry, config: Arc::new(convert::server_config(&registry)) }
    }

    async fn catalog(&self) -> Result<Arc<Catalog>, ErrorData> {
        let opened = self.server.catalogs.opened().await;
        opened.ok_or_else(|| ErrorData::internal_error("the store cannot be opened", None))
    }

    /// The tool of this name, listed or not: whether there is data for it is for the call to say.
    fn described(&self, name: &str) -> Option<ToolDescription> {
        self.registry.tools(None).into_iter().find(|tool| tool.name == name)
    }

    fn unknown_tool(&self, name: &str) -> ErrorData {
        let profile = self.registry.profile().name();
        let tools: Vec<_> = self.registry.tools(None).iter().map(|tool| tool.name).collect();
        let shown: String = name.chars().filter(|c| !c.is_control()).take(64).collect();
        let hint = format!("Use one of: {}.", tools.join(", "));
        let data = json!({"reason": "unknown_tool", "recovery": {"hint": hint}});
        let message = format!("there is no tool {shown:?} in the profile {profile}");
        ErrorData::invalid_params(message, Some(data))
    }

    async fn called(&self, call: Call, context: &Context) -> Option<medterm::tools::ToolAnswer> {
        let running = self.server.calls.run(self.server.catalogs.opened(), call);
        let Some(token) = context.meta.get_progress_token() else { return running.await };
        tokio::pin!(running);
        let mut seconds = 0.0;
        loop {
            if let Ok(answer) = tokio::time::timeout(PROGRESS, &mut running).await {
                return answer;
            }
            seconds += PROGRESS.as_secs_f64();
            let note = ProgressNotificationParam::new(token.clone(), seconds)
                .with_message(format!("running for {seconds} s"));
            // Who does not hear it gets the answer all the same.
            let _ = context.peer.notify_progress(note).await;
        }
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.config.as_ref().clone()
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.server.add_peer(self.registry.profile(), context.peer);
    }

    async fn list_tools(&self, _: Page, _: Context) -> Result<ListToolsResult, ErrorData> {
        // Never waits: a client that starts a server asks this first.
        let state = self.server.catalogs.state();
        let tools = self.registry.tools(state.catalog().map(AsRef::as_ref));
        Ok(ListToolsResult::with_all_items(tools.into_iter().map(convert::tool).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.described(name).map(convert::tool)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = self.described(&request.name).ok_or_else(|| self.unknown_tool(&request.name))?;
        let call = Call {
            registry: self.registry,
            tool: tool.name,
            arguments: request.arguments.unwrap_or_default(),
            cancelled: context.ct.clone(),
        };
        let answer = self.called(call, &context).await;
        let answer = answer.ok_or_else(|| ErrorData::internal_error("cancelled", None))?;
        Ok(CallToolResponse::Complete(convert::answer(answer)))
    }

    async fn list_prompts(&self, _: Page, _: Context) -> Result<ListPromptsResult, ErrorData> {
        let prompts = self.registry.prompts().into_iter().map(convert::prompt);
        Ok(ListPromptsResult::with_all_items(prompts.collect()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = texts(request.arguments.unwrap_or_default())?;
        let catalog = self.catalog().await?;
        let text = match self.registry.prompt(&catalog, &request.name, &arguments) {
            Some(text) => text.map_err(|error| convert::error(&error))?,
            None => {
                let names: Vec<_> = self.registry.prompts().iter().map(|one| one.name).collect();
                let message = format!("there is no such prompt; there are: {}", names.join(", "));
                return Err(ErrorData::invalid_params(message, None));
            }
        };
        let message = PromptMessage::new_text(Role::User, text);
        Ok(GetPromptResult::new(vec![message]).into())
    }

    async fn list_resources(&self, _: Page, _: Context) -> Result<ListResourcesResult, ErrorData> {
        let state = self.server.catalogs.state();
        let resources = self.registry.resources(state.catalog().map(AsRef::as_ref));
        Ok(ListResourcesResult::with_all_items(
            resources.into_iter().map(convert::resource).collect(),
        ))
    }

    async fn list_resource_templates(
        &self,
        _: Page,
        _: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let templates = self.registry.resource_templates().into_iter().map(convert::template);
        Ok(ListResourceTemplatesResult::with_all_items(templates.collect()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let catalog = self.catalog().await?;
        let (registry, uri) = (self.registry, request.uri);
        let data = json!({"uri": uri});
        let asked = uri.clone();
        let read = tokio::task::spawn_blocking(move || registry.read_resource(&catalog, &asked));
        match read.await {
            Ok(Some(Ok(text))) => {
                Ok(ReadResourceResult::new(vec![convert::contents(text, &uri)]).into())
            }
            Ok(Some(Err(error))) => Err(convert::error(&error)),
            Ok(None) => Err(ErrorData::resource_not_found("there is no such resource", Some(data))),
            Err(_) => Err(ErrorData::internal_error("the server failed to answer", None)),
        }
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: Context,
    ) -> Result<CompleteResult, ErrorData> {
        let catalog = self.catalog().await?;
        let asked = request.argument;
        let Completion { values, total, .. } =
            self.registry.complete(&catalog, &asked.name, &asked.value);
        let has_more = total > values.len();
        let info = CompletionInfo::with_pagination(values, u32::try_from(total).ok(), has_more);
        Ok(CompleteResult::new(info.unwrap_or_default()))
    }

    fn accepted_subscription_filter(
        &self,
        asked: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let ours =
            SubscriptionFilter::builder().tools_list_changed().resources_list_changed().build();
        Some(asked.intersection(&ours))
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.server.changes();
        loop {
            let change = tokio::select! {
                change = changes.recv() => change,
                () = subscription.cancelled() => return Ok(()),
            };
            let change = match change {
                Ok(change) if change.profile == self.registry.profile() => change,
                Ok(_) => continue,
                // Who fell behind is told of both lists, once.
                Err(RecvError::Lagged(_)) => super::changes::Change {
                    profile: self.registry.profile(),
                    tools: true,
                    resources: true,
                },
                Err(RecvError::Closed) => return Ok(()),
            };
            // What was not asked for is not sent; that is no error.
            if change.tools {
                let _ = subscription.sink().notify_tool_list_changed().await;
            }
            if change.resources {
                let _ = subscription.sink().notify_resource_list_changed().await;
            }
        }
    }
}

/// The arguments of a prompt are texts.
fn texts(arguments: JsonObject) -> Result<BTreeMap<String, String>, ErrorData> {
    let text = |(name, value): (String, Value)| match value {
        Value::String(text) => Ok((name, text)),
        _ => Err(ErrorData::invalid_params(format!("the argument {name:?} must be a text"), None)),
    };
    arguments.into_iter().map(text).collect()
}
