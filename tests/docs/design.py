#!/usr/bin/env python3
"""Fails when a page of docs/design/ shows something else than Reckon prints.

In a fenced block, a line `$ COMMAND` is run by a shell in examples/spam, with this reckon first in PATH and the flags for
Python's headers in FLAGS; the lines up to the next command, or the end of the block, are what it must print. A line `...`
stands for any number of lines. Blocks without such a line are left alone. Pages also have at most one screen: 100 lines.

Usage: design.py RECKON ROOT
Exit: 0 all is as the pages say, 1 something is not, 2 the pages cannot be read.
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FENCED = re.compile(r"^( *)```[a-z+]*\n(.*?)^\1```$", re.M | re.S)
SCREEN = 100
SHOWN = 60  # lines of a difference


def commands(text):
    """[(command, expected lines)] of all blocks of a page."""
    result = []
    for indent, block in FENCED.findall(text):
        current = None
        for line in block.splitlines():
            line = line.removeprefix(indent)
            if line.startswith("$ "):
                current = (line[2:], [])
                result.append(current)
            elif current is not None:
                current[1].append(line)
    return result


def matches(expected, actual):
    """Does `actual` consist of the expected lines, with anything in place of `...`?"""
    pieces, lines = [[]], [line.rstrip() for line in actual]
    for line in expected:
        if line.strip() == "...":
            pieces.append([])
        else:
            pieces[-1].append(line.rstrip())
    if len(pieces) == 1:
        return pieces[0] == lines
    first, *middle, last = pieces
    if len(first) + len(last) > len(lines) or lines[:len(first)] != first or last and lines[-len(last):] != last:
        return False
    position, end = len(first), len(lines) - len(last)
    for piece in middle:  # the earliest place that fits leaves most for the rest
        while position + len(piece) <= end and lines[position:position + len(piece)] != piece:
            position += 1
        if position + len(piece) > end:
            return False
        position += len(piece)
    return True


def run(command, reckon, root, cache):
    environment = {**os.environ, "PATH": f"{reckon.parent}:{os.environ['PATH']}", "XDG_CACHE_HOME": cache,
                   "FLAGS": subprocess.run(["/usr/bin/python3-config", "--includes"], capture_output=True, text=True,
                                           check=True).stdout.strip()}
    output = subprocess.run(["sh", "-c", command], cwd=root / "examples" / "spam", env=environment, capture_output=True, text=True)
    lines = output.stdout.replace(f"{root}/", "").splitlines()
    if not lines and output.returncode not in (0, 1):
        lines = output.stderr.splitlines()
    return lines


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    reckon, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    pages = sorted((root / "docs" / "design").glob("*.md"))
    count, wrong = 0, 0
    with tempfile.TemporaryDirectory() as cache:
        for page in pages:
            text = page.read_text(encoding="utf-8")
            name = page.relative_to(root)
            if text.count("\n") > SCREEN:
                print(f"{name}: {text.count(chr(10))} lines are more than one screen ({SCREEN})")
                wrong += 1
            for command, expected in commands(text):
                count += 1
                actual = run(command, reckon, root, cache)
                if not matches(expected, actual):
                    wrong += 1
                    print(f"{name}: `{command}` prints something else:")
                    print("\n".join(list(difflib.unified_diff(expected, actual, "page", "reckon", lineterm="", n=1))[:SHOWN]))
    if not pages or not count:
        print("design: no pages with commands", file=sys.stderr)
        return 2
    print(f"design: {len(pages)} pages, {count} commands, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
