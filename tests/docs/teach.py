#!/usr/bin/env python3
"""Fails when docs/teach.md cannot be followed as it is written.

A block of C that begins with `/* NAME */` is that file. All of them are put into an empty folder, and the lines `$ COMMAND` of
the other blocks are run there one after the other by a shell, with this reckon first in PATH; both outputs together are what
stands below the command. A line `...` stands for any number of lines.

Usage: teach.py RECKON ROOT
Exit: 0 all is as the page says, 1 something is not, 2 the page cannot be read.
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import design  # noqa: E402

FILE = re.compile(r"^```c\n/\* (\S+) \*/\n.*?^```$", re.M | re.S)


def files(text):
    """{name: text} of the files that a page gives."""
    return {found[1]: found[0].removeprefix("```c\n").removesuffix("```") for found in FILE.finditer(text)}


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    reckon, page = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]) / "docs" / "teach.md"
    text = page.read_text(encoding="utf-8")
    given, commands, wrong = files(text), design.commands(text), 0
    if not given or not commands:
        print("teach: no files, or no commands", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as box, tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PATH": f"{reckon.parent}:{os.environ['PATH']}", "XDG_CACHE_HOME": cache}
        for name, content in given.items():
            (pathlib.Path(box) / name).write_text(content, encoding="utf-8")
        for command, expected in commands:
            done = subprocess.run(["sh", "-c", command], cwd=box, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True)
            actual = done.stdout.splitlines()
            if not design.matches(expected, actual):
                wrong += 1
                print(f"docs/teach.md: `{command}` prints something else:")
                print("\n".join(list(difflib.unified_diff(expected, actual, "page", "reckon", lineterm="", n=1))[:design.SHOWN]))
    print(f"teach: {len(given)} files, {len(commands)} commands, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
