use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::context::Context;
use super::error::ErrorCode;
use super::schema::{Schema, input, output};
use super::{Profile, ToolError};

/// One tool.
pub(super) trait Tool {
    /// What it is called by, `[A-Za-z0-9_]{1,64}`.
    const NAME: &'static str;
    /// Its name for people.
    const TITLE: &'static str;
    /// When to use it, and what to call next.
    const DESCRIPTION: &'static str;
    /// Where it is listed, [`Profile::All`] apart.
    const PROFILES: &'static [Profile];
    /// How it writes its errors' codes.
    const CODES: ErrorCode = ErrorCode::Number;
    /// Its arguments.
    type Request: DeserializeOwned + JsonSchema;
    /// Its answer.
    type Response: Serialize + JsonSchema;

    /// Answers.
    fn call(context: &Context<'_>, request: Self::Request) -> Result<Self::Response, ToolError>;

    /// The same facts in a few lines for people, and for models that read no structure.
    fn text(response: &Self::Response) -> String;
}

/// A tool without its types.
pub(super) struct Entry {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) profiles: &'static [Profile],
    pub(super) codes: ErrorCode,
    pub(super) input: Schema,
    pub(super) output: Schema,
    pub(super) call: Call,
}

/// Takes arguments that fit the schema; gives the structure and the text.
type Call = fn(&Context<'_>, Map<String, Value>) -> Result<(Value, String), ToolError>;

impl Entry {
    pub(super) fn of<T: Tool>() -> Self {
        Self {
            name: T::NAME,
            title: T::TITLE,
            description: T::DESCRIPTION,
            profiles: T::PROFILES,
            codes: T::CODES,
            input: input::<T::Request>(),
            output: output::<T::Response>(),
            call: call::<T>,
        }
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

fn call<T: Tool>(
    context: &Context<'_>,
    arguments: Map<String, Value>,
) -> Result<(Value, String), ToolError> {
    // What fits the schema is read, unless a schema and its type differ.
    let request = serde_json::from_value(Value::Object(arguments))
        .map_err(|error| ToolError::argument("arguments", error))?;
    let response = T::call(context, request)?;
    let text = T::text(&response);
    let structured = serde_json::to_value(response).map_err(|_| ToolError::internal())?;
    Ok((structured, text))
}
