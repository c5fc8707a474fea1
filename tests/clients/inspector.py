"""MCP Inspector's command line, over stdio and HTTP.

usage: inspector.py NODE INSPECTOR PROGRAM STORE URL
"""

import json
import os
import subprocess
import sys


def main(node, inspector, program, store, url):
    # The Inspector starts another Node by name.
    path = os.pathsep.join([os.path.dirname(node), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path}
    stdio = [program, "--store", store, "--quiet", "serve"]
    http = [url, "--transport", "http"]
    for name, target in [("stdio", stdio), ("HTTP", http)]:

        def ask(*arguments):
            command = [node, inspector, "--cli", *target, *arguments]
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=60, env=environment
            )
            assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
            return json.loads(done.stdout)

        tools = ask("--method", "tools/list")["tools"]
        assert any(tool["name"] == "search_concepts" for tool in tools), tools
        call = ["--method", "tools/call", "--tool-name", "validate_concept"]
        valid = ask(*call, "--tool-arg", "system=icd10cm", "--tool-arg", "code=E11.9")
        assert valid["structuredContent"]["valid"] is True, valid
        prompts = ask("--method", "prompts/list")["prompts"]
        assert any(prompt["name"] == "find-code" for prompt in prompts), prompts
        guide = ask("--method", "resources/read", "--uri", "ecl://guide")
        assert guide["contents"][0]["text"].startswith("# ECL"), guide
        print(f"MCP Inspector over {name}")


main(*sys.argv[1:])
