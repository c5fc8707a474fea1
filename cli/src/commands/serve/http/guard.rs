use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
    ACCESS_CONTROL_REQUEST_METHOD, ALLOW, AUTHORIZATION, HOST, HeaderName, ORIGIN, RETRY_AFTER,
    VARY, WWW_AUTHENTICATE,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::super::origins::Allowed;
use super::super::token;
use super::Sessions;

/// What is asked of every request before anything of it is read.
#[derive(Debug)]
pub struct Guard {
    pub allowed: Allowed,
    pub token: Option<String>,
    pub sessions: Sessions,
    /// Within how long a request must have come in as a whole and been answered. A session answers as a
    /// stream of events, which may go on for longer.
    pub patience: Duration,
}

/// Sessions that may be open at a time; each costs a task and some kilobytes.
const MAX_SESSIONS: usize = 4096;

const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");

/// What a web page may send. `*` would not cover the token.
const PAGES_MAY_SEND: &str = "content-type, accept, authorization, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id";

pub async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    // Probes of whoever runs us do not know our name.
    if request.uri().path() == "/health" {
        return next.run(request).await;
    }
    let origin = request.headers().get(ORIGIN).cloned();
    let is_delete = request.method() == Method::DELETE;
    let (parts, body) = request.into_parts();
    let mut response = match guard.refusal(&parts).await {
        Some(refusal) => refusal,
        None => {
            match tokio::time::timeout(guard.patience, next.run(Request::from_parts(parts, body)))
                .await
            {
                Ok(response) => response,
                Err(_) => {
                    (StatusCode::REQUEST_TIMEOUT, "the request took too long\n").into_response()
                }
            }
        }
    };
    if is_delete && response.status() == StatusCode::ACCEPTED {
        // The session is gone, and not only about to go; some clients warn of the other.
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    if let Some(origin) = origin.filter(|origin| guard.lets_in(origin)) {
        share(&mut response, origin);
    }
    response
}

impl Guard {
    /// The answer to a request that is not let through.
    async fn refusal(&self, request: &Parts) -> Option<Response> {
        let headers = &request.headers;
        let text = |status, text: String| Some((status, text).into_response());
        let host =
            request.uri.authority().map(ToString::to_string).or_else(|| header(headers, &HOST));
        if !host.as_deref().is_some_and(|host| self.allowed.has_host(host)) {
            return text(
                StatusCode::FORBIDDEN,
                "this server is not known by that name: see --allowed-host\n".to_owned(),
            );
        }
        if headers.get(ORIGIN).is_some_and(|origin| !self.lets_in(origin)) {
            return text(
                StatusCode::FORBIDDEN,
                "pages of that origin may not call: see --allowed-origin\n".to_owned(),
            );
        }
        if request.method == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
        {
            return Some(StatusCode::NO_CONTENT.into_response());
        }
        if let Some(expected) = &self.token
            && !token::is_sent(expected, header(headers, &AUTHORIZATION).as_deref())
        {
            let challenge = [(WWW_AUTHENTICATE, "Bearer")];
            return Some(
                (StatusCode::UNAUTHORIZED, challenge, "a bearer token is needed\n").into_response(),
            );
        }
        if !request.uri.path().starts_with("/mcp") {
            return None;
        }
        let streams =
            header(headers, &ACCEPT).is_some_and(|accepted| accepted.contains("text/event-stream"));
        if request.method == Method::GET && !streams {
            let allow = [(ALLOW, "POST, DELETE")];
            let why = "send MCP messages by POST; GET is for streams of events only\n";
            return Some((StatusCode::METHOD_NOT_ALLOWED, allow, why).into_response());
        }
        let begins = request.method == Method::POST && !headers.contains_key(SESSION_ID);
        if begins && self.sessions.count().await >= MAX_SESSIONS {
            let later = [(RETRY_AFTER, "60")];
            return Some(
                (StatusCode::SERVICE_UNAVAILABLE, later, "too many sessions are open\n")
                    .into_response(),
            );
        }
        None
    }

    fn lets_in(&self, origin: &HeaderValue) -> bool {
        origin.to_str().is_ok_and(|origin| self.allowed.has_origin(origin))
    }
}

fn header(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}

/// Lets a page that may call read the answer (CORS).
fn share(response: &mut Response, origin: HeaderValue) {
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.append(VARY, HeaderValue::from_static("origin"));
    headers.insert(
        ACCESS_CONTROL_EXPOSE_HEADERS,
        HeaderValue::from_static("mcp-session-id, mcp-protocol-version"),
    );
    headers.insert(
        ACCESS_CONTROL_ALLOW_METHODS,
        HeaderValue::from_static("GET, POST, DELETE, OPTIONS"),
    );
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(PAGES_MAY_SEND));
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("3600"));
}
