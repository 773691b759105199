#!/usr/bin/env python3
"""Prints the shell commands of action.yml or of the GitLab template as one script, for scripts/try-package.

So that what is tried is what the files say, the files are read: their `run:` lines, or the lists below `before_script:` and
`script:`. As much of YAML is understood as these two files use; anything else is an error.

Usage: ci_steps.py action|gitlab FILE
"""
import re
import sys

ARGUMENTS = "run -- python3 setup.py build_ext --force"
TARBALL = "/opt/reckon.tar.gz"


def action(lines):
    yield "export GITHUB_ACTION_PATH=/opt/action GITHUB_PATH=/opt/path GITHUB_STEP_SUMMARY=/opt/summary"
    yield f"export RECKON_TARBALL={TARBALL} RECKON_ARGUMENTS='{ARGUMENTS}' RECKON_BASE="
    found = [match.group(1) for line in lines if (match := re.match(r"\s+run: (\S.*)$", line))]
    if len(found) != 2:
        raise SystemExit(f"action.yml has {len(found)} `run:` lines, two are expected")
    yield from found


def gitlab(lines):
    at, variables, commands = None, {}, []
    for line in lines:
        if match := re.match(r"  (\w+):\s*$", line):
            at = match.group(1)
        elif at == "variables" and (match := re.match(r"    (\w+): \"?(.*?)\"?$", line)):
            variables[match.group(1)] = match.group(2)
        elif at in ("before_script", "script") and (match := re.match(r"    - (.*)$", line)):
            commands.append(match.group(1))
    if len(commands) < 4 or "RECKON_TARBALL" not in variables:
        raise SystemExit("the template is not as expected")
    variables.update(RECKON_TARBALL=TARBALL, RECKON_ARGUMENTS=ARGUMENTS)
    for name, value in variables.items():
        yield f"export {name}='{value}'"
    yield from commands


def main():
    with open(sys.argv[2], encoding="utf-8") as file:
        lines = file.read().splitlines()
    print("\n".join({"action": action, "gitlab": gitlab}[sys.argv[1]](lines)))


main()
