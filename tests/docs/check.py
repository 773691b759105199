#!/usr/bin/env python3
"""Fails when the documents no longer say what the program does.

- Every option that `reckon COMMAND --help-all` names stands in the manual page, and the other way round.
- Every check that `reckon list-checks` names has a page in docs/checks/, a file in src/checks/kinds/ and a row in
  src/checks/kinds.def, and the other way round.
- What scripts/pages makes of the program and of its headers is what the pages have, and no limit stands elsewhere.
- Every command stands in the table of docs/security.md, and the other way round.
- Every test that docs/results-faults.md names for a promise exists.
- Every relative link in a Markdown file of the tree leads to a file.

Usage: check.py RECKON ROOT
"""
import fnmatch
import pathlib
import re
import subprocess
import sys

COMMANDS = (["init"], ["doctor"], ["diff"], ["check"], ["run"], ["r"], ["confirm"], ["annotate"], ["dump"], ["mine"], ["pack"], ["plan"],
            ["plan", "status"], ["fleet"], ["fleet", "status"],
            ["compdb", "linux"], ["import", "gir"], ["spec", "check"], ["spec", "show"], ["spec", "words"], ["list-checks"], ["explain"],
            ["lsp"])
GENERAL = {"--help", "--help-all", "--version"}  # said by every program's manual, so not by ours
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)[^)]*\)")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def check_options(reckon, root):
    helped = set()
    for command in COMMANDS:
        for line in output(reckon, *command, "--help-all").splitlines():
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


def check_generated(reckon, root):
    run = subprocess.run([sys.executable, root / "scripts" / "pages", "--check", reckon, root], capture_output=True, text=True)
    if run.returncode not in (0, 1) or (run.returncode == 1 and not run.stdout):
        yield f"scripts/pages --check ended with {run.returncode}: {run.stderr.strip()}"
    yield from run.stdout.splitlines()


def commands_of(reckon, *above):
    """The commands that --help lists below `above`, each as one text."""
    lines = output(reckon, *above, "--help").splitlines()
    start = next((i for i, line in enumerate(lines) if line.lower().startswith("subcommands")), len(lines))
    for line in lines[start + 1:]:
        if match := re.match(r"  ([a-z][a-z-]*)\b", line):
            name = match.group(1)
            below = [] if above else list(commands_of(reckon, name))
            yield from [f"{name} {word}" for word in below] or [name]
            if below and f"Usage: reckon {name} -" in output(reckon, name, "--help"):
                yield name  # does something by itself as well


def check_security(reckon, root):
    page = (root / "docs" / "security.md").read_text()
    table = page[page.index("| command |"):]
    rows = re.findall(r"^\| (`[^|]*) \|", table[:table.index("\n\n")], re.M)
    told = {name for row in rows for name in re.findall(r"`([^`]+)`", row)}
    there = set(commands_of(reckon))
    if not there:
        yield "reckon --help lists no commands"
    yield from (f"docs/security.md: the table of commands lacks {name}" for name in sorted(there - told))
    yield from (f"docs/security.md: {name} is no command" for name in sorted(told - there))


def all_tests(root):
    """Names of tests: SUITE.NAME of the C++ ones, and those that ctest is told of by name."""
    for path in (root / "tests").rglob("*_test.cpp"):
        for suite, name in re.findall(r"^TEST(?:_F|_P)?\((\w+), (\w+)\)", path.read_text(), re.M):
            yield f"{suite}.{name}"
    yield from re.findall(r"add_test\(\s*NAME ([\w.-]+)", (root / "tests" / "CMakeLists.txt").read_text())


def check_promised_tests(root):
    page = (root / "docs" / "results-faults.md").read_text()
    there = set(all_tests(root))
    table = page[page.index("| promise | tests |"):].split("\n\n")[0].splitlines()[2:]
    for row in table:
        promise, tests = row.strip("|").rsplit("|", 1)
        suite = ""
        names = re.findall(r"`([^`]+)`", tests)
        if not names:
            yield f"docs/results-faults.md: no test holds: {promise.strip()}"
        for name in names:
            full = suite + name if name.startswith(".") else name
            suite = full.split(".")[0]
            if not any(fnmatch.fnmatchcase(test, full) for test in there):
                yield f"docs/results-faults.md: there is no test {full}"


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
    problems = [*check_options(reckon, root), *check_pages(reckon, root), *check_generated(reckon, root),
                *check_security(reckon, root), *check_promised_tests(root), *check_links(root)]
    for problem in problems:
        print(problem)
    print(f"docs: {len(problems)} problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
