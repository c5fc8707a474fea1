# An image that serves Streamable HTTP:
#
#   docker build -t medterm .
#   docker run -p 127.0.0.1:3000:3000 -v medterm:/store medterm
#
# Clients call http://127.0.0.1:3000/mcp. To be called by another name, or to ask for a token:
#
#   docker run -p 3000:3000 -v medterm:/store -e MEDTERM_TOKEN medterm \
#       --http 0.0.0.0:3000 --allowed-host codes.example.org
#
# Terminologies are added to the volume while it serves, with `docker exec`:
#
#   docker exec CONTAINER medterm build /releases/FILE

FROM rust:1.94-slim-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked --package medterm-cli

FROM debian:bookworm-slim
LABEL io.modelcontextprotocol.server.name="io.github.OWNER/medterm"
COPY --from=build /src/target/release/medterm /usr/local/bin/medterm
COPY LICENSE-APACHE LICENSE-MIT /usr/share/doc/medterm/
RUN useradd --system --uid 10001 medterm && install -d -o medterm /store
USER medterm
ENV MEDTERM_STORE=/store
VOLUME /store
EXPOSE 3000
STOPSIGNAL SIGTERM
ENTRYPOINT ["medterm", "serve", "--log-format", "json"]
# Inside, all addresses: which of them are reached from outside, `-p` says.
CMD ["--http", "0.0.0.0:3000", "--demo"]
