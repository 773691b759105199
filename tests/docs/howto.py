#!/usr/bin/env python3
"""Fails when the code on a how-to page of docs/design/ does not compile in this tree.

A block of C++ on such a page begins with a line that says where it belongs:

    // PATH.h, with HEADER and HEADER      a file of its own: the includes, the namespace, and the block
    // PATH.def                            a file of its own, as it stands
    // PATH, behind the row of `NAME`      goes behind the row of a table that makes NAME
    // PATH, in FUNCTION, before the loop over `NAME`

Blocks that begin otherwise are left alone. A page may also say in passing that a line `#include "..."` goes behind the
others of properties.def, and that a row `CHECK(...)` is added. All files that change are written to a folder of their own,
in front of src/, and the compiler reads every changed file that is no header: -fsyntax-only, so nothing is linked or run.

Usage: howto.py COMPILER ROOT
Exit: 0 all of it compiles, 1 something does not, 2 a page cannot be read.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

BLOCK = re.compile(r"^( *)```c\+\+\n(.*?)^\1```$", re.M | re.S)
PAGES = ("howto-new-property.md", "howto-new-effect.md")
PROPERTIES, KINDS = "src/engine/properties/properties.def", "src/checks/kinds.def"


class PageError(Exception):
    pass


def blocks(text):
    """[(first line without its slashes, the rest)] of the blocks of C++ that say where they belong."""
    out = []
    for indent, block in BLOCK.findall(text):
        lines = [line.removeprefix(indent) for line in block.splitlines()]
        if lines and lines[0].startswith("// src/"):
            out.append((lines[0][3:], "\n".join(lines[1:]) + "\n"))
    return out


def whole_file(path, headers, code):
    space = "reckon::" + path.split("/")[1]
    return ("#pragma once\n" if path.endswith(".h") else "") + "".join(f'#include "{h}"\n' for h in headers) + \
        f"namespace {space} {{\n{code}}}\n"


def inserted(text, place, code):
    """The text of a file with the code at the place that is told in words."""
    row = re.fullmatch(r"behind the row of `(\w+)`", place)
    if row:
        found = re.search(rf"^\w+\({row[1]}\b.*?\)\n(?=\S|\n)", text, re.M | re.S)
        if not found:
            raise PageError(f"there is no row of {row[1]}")
        return text[:found.end()] + code + text[found.end():]
    loop = re.fullmatch(r"in (\S+), before the loop over `(\w+)`", place)
    if not loop:
        raise PageError(f"nobody knows where this is: {place}")
    begin = text.find(f"{loop[1]}(")
    at = re.compile(rf"^( *)for \(.*\b{loop[2]}\)\n", re.M).search(text, max(begin, 0))
    if begin < 0 or not at:
        raise PageError(f"no loop over {loop[2]} in {loop[1]}")
    return text[:at.start()] + textwrap.indent(code, at[1]) + text[at.start():]


def changed_files(root, page):
    """{path: text} of what somebody who follows the page has afterwards."""
    out = {}

    def now(path):
        return out.get(path) or (root / path).read_text(encoding="utf-8")

    for head, code in blocks(page):
        path, _, rest = head.partition(", ")
        if rest.startswith("with "):
            out[path] = whole_file(path, re.findall(r"[\w/]+\.h", rest), code)
        elif rest:
            out[path] = inserted(now(path), rest, code)
        else:
            out[path] = code
    for line in re.findall(r'`(#include "engine/properties/\w+/property\.def")`', page):
        text = now(PROPERTIES)
        last = text.rindex("/property.def\"\n") + len("/property.def\"\n")
        out[PROPERTIES] = text[:last] + line + "\n" + text[last:]
    for row in re.findall(r"`(CHECK\(\w+\))`", page):
        out[KINDS] = now(KINDS) + row + "\n"
    return out


def problems_of(compiler, root, page):
    files = changed_files(root, page)
    sources = sorted(path for path in files if path.endswith(".cpp"))
    if not sources:
        raise PageError("no file that can be compiled")
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            target = pathlib.Path(folder) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        out = []
        for path in sources:
            done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror",
                                   "-DFMT_SHARED", f"-I{folder}/src", f"-I{root}/src", f"{folder}/{path}"],
                                  capture_output=True, text=True)
            if done.returncode != 0:
                out.append(f"{path} does not compile:\n{done.stderr.replace(folder + '/', '')[:3000]}")
        return out, len(sources)


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(sys.argv[2]).resolve()
    wrong = 0
    for name in PAGES:
        try:
            problems, count = problems_of(sys.argv[1], root, (root / "docs" / "design" / name).read_text(encoding="utf-8"))
        except (PageError, OSError) as error:
            print(f"docs/design/{name}: {error}", file=sys.stderr)
            return 2
        for problem in problems:
            print(f"docs/design/{name}: {problem}")
        print(f"howto: {name}: {count} files, {len(problems)} wrong")
        wrong += len(problems)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
