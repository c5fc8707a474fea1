"""fastmcp as a client, over stdio and HTTP.

usage: fastmcp_client.py PROGRAM STORE URL
"""

import asyncio
import sys

from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from fastmcp.exceptions import ToolError


async def converse(name, transport):
    async with Client(transport) as client:
        tools = {tool.name for tool in await client.list_tools()}
        assert {"search_concepts", "lookup_concept"} <= tools, tools
        arguments = {"system": "icd10cm", "code": "e11.9"}
        found = await client.call_tool("lookup_concept", arguments)
        assert found.structured_content["display"].startswith("Type 2 diabetes"), found
        try:
            await client.call_tool("lookup_concept", {"system": "icd10cm", "code": "E99.Z"})
        except ToolError as error:
            assert "unknown_code" in str(error) or "invalid_code_format" in str(error), error
        else:
            raise AssertionError("a code that is not there was found")
        text = (await client.read_resource("vcl://guide"))[0].text
        assert text.startswith("# VCL"), text
        prompt = await client.get_prompt("map-code", {"code": "E11.9", "fromSystem": "icd10cm", "toSystem": "snomed"})
        assert "E11.9" in prompt.messages[0].content.text, prompt
    print(f"fastmcp over {name}")


async def main(program, store, url):
    await converse("stdio", StdioTransport(program, ["--store", store, "--quiet", "serve"]))
    await converse("HTTP", StreamableHttpTransport(url))


asyncio.run(main(*sys.argv[1:]))
