use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use medterm::tools::Profile;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::stdio_pipes;
use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tracing::debug;

use super::handler::Handler;
use super::logging::TARGET;
use super::server::Server;
use crate::exit::CliError;

/// Serves one client over standard input and output, until its input ends or we are stopped. Calls in
/// flight are answered first.
pub async fn serve(
    server: Arc<Server>,
    profile: Profile,
    max_body: usize,
    stop: CancellationToken,
) -> Result<(), CliError> {
    let (reader, writer) = stdio_pipes();
    let reader = UntilStopped { reader, stopped: Box::pin(stop.cancelled_owned()) };
    let transport = AsyncRwTransport::new_server(reader, writer).with_max_line_length(max_body);
    match Handler::new(server, profile).serve(transport).await {
        Ok(service) => {
            // Either way the connection is over.
            let _ = service.waiting().await;
        }
        // The client left before it said anything that counts.
        Err(ServerInitializeError::ConnectionClosed(_)) => {}
        Err(problem) => debug!(target: TARGET, %problem, "no session came about"),
    }
    Ok(())
}

/// A reader that ends when we are stopped, as if the client had closed it.
struct UntilStopped<R> {
    reader: R,
    stopped: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl<R: AsyncRead + Unpin> AsyncRead for UntilStopped<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        if self.stopped.as_mut().poll(context).is_ready() {
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.reader).poll_read(context, buffer)
    }
}
