"""The official conformance suite against this server: the scenarios that suit it.

usage: conformance.py NODE SUITE URL

A scenario that is left out needs a server made for the suite, with tools, prompts and resources of
fixed names; docs/CONFORMANCE-MCP.md says of each what it needs and where that is tested here.
"""

import re
import subprocess
import sys

SUITABLE = [
    "server-initialize",
    "ping",
    "completion-complete",
    "tools-list",
    "resources-list",
    "prompts-list",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
]
LEFT_OUT = [
    "logging-set-level",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-with-logging",
    "tools-call-error",
    "tools-call-with-progress",
    "tools-call-sampling",
    "tools-call-elicitation",
    "json-schema-2020-12",
    "elicitation-sep1034-defaults",
    "server-sse-polling",
    "elicitation-sep1330-enums",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "resources-subscribe",
    "resources-unsubscribe",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
]


def run(node, suite, *arguments):
    return subprocess.run([node, suite, *arguments], capture_output=True, text=True, timeout=120)


def main(node, suite, url):
    listed = run(node, suite, "list").stdout.split("Client scenarios")[0]
    scenarios = set(re.findall(r"^  - (\S+)", listed, re.MULTILINE))
    # A new release of the suite must not pass unseen.
    assert scenarios == set(SUITABLE + LEFT_OUT), scenarios ^ set(SUITABLE + LEFT_OUT)
    failed = False
    for scenario in SUITABLE:
        done = run(node, suite, "server", "--url", url, "--scenario", scenario)
        passed = done.returncode == 0 and "FAIL" not in done.stdout
        print(f"conformance, {scenario}: {'passed' if passed else 'FAILED'}")
        if not passed:
            print(done.stdout[-4000:], done.stderr[-2000:])
            failed = True
    print(f"conformance: {len(SUITABLE)} scenarios of {len(scenarios)}")
    sys.exit(failed)


main(*sys.argv[1:])
