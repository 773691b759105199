#!/usr/bin/env python3
"""Fails when the documents no longer say what the program does.

- Every option that `reckon COMMAND --help` names stands in the manual page, and the other way round.
- Every check that `reckon list-checks` names has a page in docs/checks/, a file in src/checks/kinds/ and a row in
  src/checks/kinds.def, and the other way round.
- docs/limits.md is what scripts/limits makes of the header, and no limit stands elsewhere.
- Every relative link in a Markdown file of the tree leads to a file.

Usage: check.py RECKON ROOT
"""
import pathlib
import re
import subprocess
import sys

COMMANDS = (["check"], ["run"], ["r"], ["annotate"], ["dump"], ["spec", "check"], ["spec", "show"], ["spec", "words"], ["list-checks"], ["explain"])
GENERAL = {"--help", "--version"}  # said by every program's manual, so not by ours
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)[^)]*\)")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def check_options(reckon, root):
    helped = set()
    for command in COMMANDS:
        for line in output(reckon, *command, "--help").splitlines():
            if re.match(r"\s+-", line):  # a line of the list of options: names first, then a description
                helped |= set(OPTION.findall(re.split(r"\s{2,}", line.strip())[0]))
    helped -= GENERAL | {"-h"}
    manual = (root / "docs" / "reckon.1").read_text().replace("\\-", "-")
    options = manual[manual.index(".SH OPTIONS"):manual.index(".SH EXIT STATUS")]
    documented = {option for entry in re.findall(r"^\.TP\n(.*)$", options, re.M) for option in OPTION.findall(entry)}
    yield from (f"docs/reckon.1: {o} is missing" for o in sorted(helped - documented))
    yield from (f"docs/reckon.1: {o} is not an option of reckon" for o in sorted(documented - helped))


def check_pages(reckon, root):
    names = set(re.findall(r"^([a-z-]+)  ", output(reckon, "list-checks"), re.M))
    pages = {path.stem for path in (root / "docs" / "checks").glob("*.md")} - {"README"}
    if not names:
        yield "reckon list-checks names no check"
    yield from (f"docs/checks/{name}.md is missing" for name in sorted(names - pages))
    yield from (f"docs/checks/{name}.md describes no check" for name in sorted(pages - names))
    files = {path.stem.replace("_", "-") for path in (root / "src" / "checks" / "kinds").glob("*.cpp")}
    yield from (f"src/checks/kinds/{name.replace('-', '_')}.cpp is missing" for name in sorted(names - files))
    yield from (f"src/checks/kinds/{name.replace('-', '_')}.cpp defines no check" for name in sorted(files - names))
    rows = re.findall(r"^CHECK\(check_(\w+)\)$", (root / "src" / "checks" / "kinds.def").read_text(), re.M)
    if rows != sorted({name.replace("-", "_") for name in names}):
        yield "src/checks/kinds.def: its rows are not the checks, one each, in alphabetical order"


def check_limits(root):
    run = subprocess.run([sys.executable, root / "scripts" / "limits", "--check", root], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        yield f"scripts/limits --check ended with {run.returncode}: {run.stderr.strip()}"
    yield from run.stdout.splitlines()


def check_links(root):
    for path in sorted(root.rglob("*.md")):
        if any(part.startswith(("build", ".")) for part in path.relative_to(root).parts):
            continue
        text = re.sub(r"^```.*?^```|^    .*?$|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
        for target in LINK.findall(text):
            if "://" not in target and not (path.parent / target).exists():
                yield f"{path.relative_to(root)}: link to {target} leads nowhere"


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    reckon, root = sys.argv[1], pathlib.Path(sys.argv[2])
    problems = [*check_options(reckon, root), *check_pages(reckon, root), *check_limits(root), *check_links(root)]
    for problem in problems:
        print(problem)
    print(f"docs: {len(problems)} problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
