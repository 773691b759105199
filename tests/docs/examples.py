#!/usr/bin/env python3
"""Holds what the pages of docs/checks/ quote ("Reckon says:") against what Reckon says of their bad code now.

Usage: examples.py RECKON ROOT [--write]    --write: puts what it says now into the pages

A page whose code does not compile with the headers that are installed is passed over and named.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

THING = """#include <stddef.h>
struct thing; struct thing_pair;
int thing_get(struct thing *t);
void thing_put(struct thing *t);
int thing_read(struct thing *t);
int thing_start(struct thing *t);
int thing_reset(struct thing *t);
int thing_setup(struct thing *t);
"""
R_HEADERS = pathlib.Path("/usr/share/R/include")
NOT_ANALYSED = 3
BLOCK = re.compile(r"```(\w*)\n(.*?)```\n", re.S)


def flags():
    includes = subprocess.run(["/usr/bin/python3-config", "--includes"], capture_output=True, text=True, check=True).stdout
    glib = subprocess.run(["pkg-config", "--cflags", "gio-2.0"], capture_output=True, text=True, check=False).stdout
    return includes.split() + glib.split() + [f"-I{R_HEADERS}", "-w"]


def parts(text):
    """The spec of a page, its bad code, and where its quotation stands; None if it has none."""
    at = text.find("Reckon says:")
    if at < 0:
        return None
    before = list(BLOCK.finditer(text, 0, at))
    quoted = BLOCK.search(text, at)
    code = [b.group(2) for b in before if b.group(1) == "c"]
    spec = [b.group(2) for b in before if b.group(2).startswith("domain ")]
    return (spec[-1] if spec else ""), (code[-1] if code else ""), quoted


def said(reckon, name, spec, code):
    with tempfile.TemporaryDirectory() as box:
        folder = pathlib.Path(box)
        (folder / f"{name}.c").write_text(code)
        (folder / "thing.h").write_text(THING)
        specs = []
        if spec:
            (folder / "thing.spec").write_text(spec)
            specs = ["--specs", "thing.spec"]
        more = ["--checks", f"*-{name}"] + (["--free-threaded"] if name == "free-threading" else [])
        done = subprocess.run([reckon, "check", "-q", "--no-cache", "--strict", *more, *specs, f"{name}.c", "--", *flags()], cwd=folder,
                              capture_output=True, text=True, check=False)
        # Without its header a macro looks like an unknown function, and nothing is said.
        strict = ["cc", "-fsyntax-only", "-Werror=implicit-function-declaration", *flags()[:-1], f"{name}.c"]
        if done.returncode == NOT_ANALYSED or (not done.stdout and subprocess.run(strict, cwd=folder, capture_output=True, check=False).returncode):
            return None
        if done.returncode not in (0, 1):
            raise SystemExit(f"{name}: reckon ended with {done.returncode}\n{done.stderr}")
        return done.stdout


def main():
    reckon, root, write = sys.argv[1], pathlib.Path(sys.argv[2]), "--write" in sys.argv[3:]
    wrong, passed_over, seen = 0, [], 0
    for page in sorted((root / "docs" / "checks").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        found = parts(text)
        if found is None:
            continue
        spec, code, quoted = found
        now = said(reckon, page.stem, spec, code)
        if now is None:
            passed_over.append(page.stem)
            continue
        seen += 1
        if quoted.group(2) == now:
            continue
        if write:
            page.write_text(text[:quoted.start(2)] + now + text[quoted.end(2):], encoding="utf-8")
            print(f"{page.name}: changed")
            continue
        wrong += 1
        print(f"{page.name} quotes\n{quoted.group(2)}but reckon says\n{now}")
    print(f"{seen} pages, {wrong} wrong" + (f"; their code does not compile here: {', '.join(passed_over)}" if passed_over else ""))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
