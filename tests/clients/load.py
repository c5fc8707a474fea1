"""Many clients at once, over HTTP: how long calls take, and how much memory the server holds.

usage: load.py URL [--clients 64] [--seconds 60 | --calls 100000]

Each client has a session and a connection of its own and asks again as soon as it is answered. Standard
library only, so that the generator costs little beside the server.
"""

import argparse
import asyncio
import itertools
import json
import time
from urllib.parse import urlsplit

QUERIES = [
    "heart attack", "type 2 diabetes with kidney disease", "broken arm", "asthma", "high blood presure",
    "copd exacerbation", "water on the lungs", "closed fracture of left femur", "depression", "t2dm",
    "migraine with aura", "cataract right eye", "sepsis", "iron deficiency anemia", "burn of hand",
    "breast cancer", "stroke", "chest pain", "low back pain", "pneumonia",
]
CODES = ["E11.9", "I21.9", "J45.909", "S72.002A", "N18.30", "C50.911", "F32.9", "G43.109"]


def questions(offset):
    """Calls of several tools, three searches to one of each other; no two clients begin alike."""
    for n in itertools.count(offset * 7):
        # A number makes it a query that no cache knows.
        yield "search_concepts", {"system": "icd10cm", "query": f"{QUERIES[n % len(QUERIES)]} {n % 977}"}
        yield "search_concepts", {"system": "icd10cm", "query": QUERIES[n % len(QUERIES)]}
        yield "lookup_concept", {"system": "icd10cm", "code": CODES[n % len(CODES)]}
        yield "search_concepts", {"system": "icd10cm", "query": QUERIES[(n * 3) % len(QUERIES)], "limit": 50}
        yield "validate_concept", {"system": "icd10cm", "code": CODES[n % len(CODES)]}
        yield "concept_hierarchy", {"system": "icd10cm", "code": "E11", "direction": "descendants"}


class Client:
    def __init__(self, url):
        parts = urlsplit(url)
        self.host, self.port, self.path = parts.hostname, parts.port or 80, parts.path
        self.session = None

    async def open(self):
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port, limit=1 << 20)
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "load", "version": "1"}}
        status, headers, _ = await self.send("POST", {"id": 0, "method": "initialize", "params": hello})
        assert status == 200, status
        self.session = headers.get("mcp-session-id")
        status, _, _ = await self.send("POST", {"method": "notifications/initialized"})
        assert status == 202, status

    async def call(self, tool, arguments):
        message = {"id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        status, _, body = await self.send("POST", message)
        return status == 200 and b'"isError":false' in body

    async def close(self):
        await self.send("DELETE", None)
        self.writer.close()

    async def send(self, method, message, path=None):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode() if message else b""
        head = f"{method} {path or self.path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n"
        if message:
            head += "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
        if self.session:
            head += f"Mcp-Session-Id: {self.session}\r\n"
        self.writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        status = int(head.split(" ")[1])
        headers = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        if "chunked" in headers.get("transfer-encoding", ""):
            parts = []
            while length := int(await self.reader.readline(), 16):
                parts.append(await self.reader.readexactly(length))
                await self.reader.readexactly(2)
            await self.reader.readexactly(2)
            return status, headers, b"".join(parts)
        length = int(headers.get("content-length", 0))
        return status, headers, await self.reader.readexactly(length)


class Load:
    def __init__(self, url, calls):
        self.url, self.left = url, calls
        self.took, self.errors = [], 0

    async def client(self, number, end):
        client = Client(self.url)
        await client.open()
        for tool, arguments in questions(number):
            if self.left == 0 or (end and time.perf_counter() >= end):
                break
            self.left -= 1
            begun = time.perf_counter()
            good = await client.call(tool, arguments)
            self.took.append(time.perf_counter() - begun)
            self.errors += not good
        await client.close()

    async def memory(self, every):
        client = Client(self.url)
        client.reader, client.writer = await asyncio.open_connection(client.host, client.port, limit=1 << 20)
        begun = time.perf_counter()
        while True:
            _, _, text = await client.send("GET", None, "/metrics")
            lines = dict(line.rsplit(" ", 1) for line in text.decode().splitlines() if line[0] != "#")
            mib = float(lines["process_resident_memory_bytes"]) / 2**20
            print(f"{time.perf_counter() - begun:6.0f} s  {len(self.took):8} calls  {mib:7.1f} MiB resident", flush=True)
            await asyncio.sleep(every)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--calls", type=int, default=-1)
    asked = parser.parse_args()
    load = Load(asked.url, asked.calls)
    begun = time.perf_counter()
    end = begun + asked.seconds if asked.calls < 0 else None
    watch = asyncio.create_task(load.memory(10))
    await asyncio.gather(*(load.client(number, end) for number in range(asked.clients)))
    seconds = time.perf_counter() - begun
    watch.cancel()
    took = sorted(load.took)
    at = lambda share: 1000 * took[min(len(took) - 1, int(share * len(took)))]
    print(f"{asked.clients} clients, {len(took)} calls in {seconds:.1f} s: {len(took) / seconds:.0f}/s, {load.errors} errors")
    print(f"p50 {at(0.5):.1f} ms, p90 {at(0.9):.1f} ms, p99 {at(0.99):.1f} ms, longest {took[-1] * 1000:.1f} ms")
    raise SystemExit(load.errors > 0)


asyncio.run(main())
