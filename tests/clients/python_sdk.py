"""The official Python SDK as a client: every protocol version it speaks, over stdio and HTTP.

usage: python_sdk.py PROGRAM STORE URL
"""

import asyncio
import sys

import mcp.client.session
from mcp import Client, StdioServerParameters
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

TOOLS = {"search_concepts", "lookup_concept", "validate_concept", "expand_valueset", "health_check"}


async def converse(server, mode, version):
    async with Client(server, mode=mode) as client:
        assert client.protocol_version == version, client.protocol_version
        assert "patient names" in client.instructions, client.instructions
        assert client.server_info is None or client.server_info.name == "medterm"

        tools = (await client.list_tools()).tools
        assert TOOLS <= {tool.name for tool in tools}, tools

        # The client checks the answer against the output schema itself.
        found = await client.call_tool("search_concepts", {"system": "icd10cm", "query": "heart attack"})
        assert not found.is_error, found
        assert found.structured_content["results"][0]["code"].startswith("I21"), found.structured_content
        assert found.content[0].text.startswith("I21"), found.content

        refused = await client.call_tool("search_concepts", {"system": "icd10cm", "query": " "})
        assert refused.is_error
        assert refused.structured_content["error"]["data"]["reason"] == "blank_query", refused

        prompts = (await client.list_prompts()).prompts
        assert "find-code" in {prompt.name for prompt in prompts}, prompts
        prompt = await client.get_prompt("find-code", {"term": "flu", "system": "icd10cm"})
        assert "icd10cm" in prompt.messages[0].content.text, prompt

        resources = (await client.list_resources()).resources
        assert {"ecl://guide", "info://icd10cm/chapters"} <= {str(one.uri) for one in resources}
        for one in resources:
            text = (await client.read_resource(one.uri)).contents[0].text
            assert text.startswith("# "), text


async def main(program, store, url):
    stdio = StdioServerParameters(command=program, args=["--store", store, "--quiet", "serve"])
    for name, server in [("stdio", stdio), ("HTTP", url)]:
        newest = MODERN_PROTOCOL_VERSIONS[-1]
        await converse(server, "auto", newest)
        print(f"Python SDK over {name}: {newest}, its default")
        for version in HANDSHAKE_PROTOCOL_VERSIONS:
            # The SDK offers its newest one only; servers must answer to all.
            mcp.client.session.LATEST_HANDSHAKE_VERSION = version
            await converse(server, "legacy", version)
            print(f"Python SDK over {name}: {version}")


asyncio.run(main(*sys.argv[1:]))
