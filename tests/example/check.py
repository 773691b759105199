#!/usr/bin/env python3
"""Fails unless reckon reports exactly the functions of an example that have a planted bug.

A function is buggy if a comment "BUG n" stands in it. Which check reports it, and on which line, is for the golden tests
to say. Spec files beside the source are given to reckon.

Usage: check.py RECKON SOURCE.C FLAGS...
"""
import json
import pathlib
import re
import subprocess
import sys


def planted(text):
    """Functions that hold a BUG comment, and all functions."""
    function, buggy, every = None, set(), set()
    for line in text.splitlines():
        start = re.match(r"(?:[A-Za-z_][\w ]*[ *])?([A-Za-z_]\w*)\([^;]*\)$", line)
        if start:
            function = start.group(1)
            every.add(function)
        if function and re.search(r"\bBUG \d+", line):
            buggy.add(function)
    return buggy, every


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    reckon, source, *flags = sys.argv[1:]
    buggy, every = planted(pathlib.Path(source).read_text())
    specs = [f"--specs={spec}" for spec in sorted(pathlib.Path(source).parent.glob("*.spec"))]
    run = subprocess.run([reckon, "check", "--no-cache", "--strict", "--format", "json", *specs, source, "--", *flags],
                         capture_output=True, text=True)
    if run.returncode not in (0, 1):
        print(f"exit code {run.returncode}\n{run.stderr}")
        return 1
    findings = [json.loads(line) for line in run.stdout.splitlines()]
    found = {f["function"] for f in findings}
    for f in findings:
        print(f"{f['location']['line']}: {f['function']}: {f['message']} [{f['check']}]")
    for name in sorted(buggy - found):
        print(f"missed: {name} has a planted bug")
    for name in sorted(found - buggy):
        print(f"wrong: {name} has none")
    print(f"example: {len(buggy & found)} of {len(buggy)} buggy functions reported, "
          f"{len((every - buggy) & found)} of {len(every - buggy)} correct ones")
    return 0 if buggy and buggy == found else 1


if __name__ == "__main__":
    sys.exit(main())
