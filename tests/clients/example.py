"""The server of examples/mcp_server.rs, asked over stdio.

usage: example.py PROGRAM STORE
"""

import asyncio
import sys

from mcp import Client, StdioServerParameters


async def main(program, store):
    async with Client(StdioServerParameters(command=program, args=[store])) as client:
        tools = (await client.list_tools()).tools
        assert {"search_concepts", "lookup_concept"} <= {tool.name for tool in tools}, tools
        found = await client.call_tool("search_concepts", {"system": "icd10cm", "query": "heart attack"})
        assert found.structured_content["results"][0]["code"].startswith("I21"), found
        refused = await client.call_tool("search_concepts", {"system": "icd10cm", "query": " "})
        assert refused.is_error, refused
    print("the example's server over stdio")


asyncio.run(main(*sys.argv[1:]))
