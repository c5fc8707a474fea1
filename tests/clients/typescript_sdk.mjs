// The official TypeScript SDK as a client, over stdio and HTTP.
// usage: node typescript_sdk.mjs PROGRAM STORE URL
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

// Packages are where this is run, not where this file is.
const require = createRequire(path.join(process.cwd(), "package.json"));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
const { StreamableHTTPClientTransport } = await load("@modelcontextprotocol/sdk/client/streamableHttp.js");

const [program, store, url] = process.argv.slice(2);

async function converse(name, transport) {
  const client = new Client({ name: "medterm-clients", version: "1" });
  await client.connect(transport);
  assert.equal(client.getServerVersion().name, "medterm");
  assert.match(client.getInstructions(), /patient names/);
  const { tools } = await client.listTools();
  assert.ok(tools.some((tool) => tool.name === "search_concepts"));
  // The client checks the answer against the output schema itself.
  const found = await client.callTool({ name: "search_concepts", arguments: { system: "icd10cm", query: "heart attack" } });
  assert.match(found.structuredContent.results[0].code, /^I21/);
  const refused = await client.callTool({ name: "search_concepts", arguments: { system: "icd10cm", query: "x", page: 1 } });
  assert.equal(refused.isError, true);
  assert.equal(refused.structuredContent.error.data.reason, "invalid_argument");
  await assert.rejects(client.callTool({ name: "no_such_tool", arguments: {} }), /no_such_tool/);
  const completed = await client.complete({
    ref: { type: "ref/prompt", name: "find-code" },
    argument: { name: "system", value: "icd" },
  });
  assert.deepEqual(completed.completion.values, ["icd10cm"]);
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.equal(resourceTemplates[0].uriTemplate, "info://{alias}/chapters");
  if (transport.terminateSession) await transport.terminateSession();
  await client.close();
  console.log(`TypeScript SDK over ${name}`);
}

await converse("stdio", new StdioClientTransport({ command: program, args: ["--store", store, "--quiet", "serve"] }));
await converse("HTTP", new StreamableHTTPClientTransport(new URL(url)));
