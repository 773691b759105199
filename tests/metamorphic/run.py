#!/usr/bin/env python3
"""Rewrites golden sources without changing what they do, and compares what reckon says, function by function.

How a thing is written must not matter: a call or a helper around it, one function or two, one file or two, locals or
members, `goto` or nesting, many returns or one. Each kind of rewriting is applied to every C file of the areas in
tests/golden and of examples/ as far as it can; a rewritten file counts only if it compiles. The verdicts of a function
are the checks that report in it; those of a helper that was made from it count as its own. (Not how often: a path
ends at its first finding, so of two at one call one is shown. Where a golden file expects `A|B`, either is the same.)

known.txt lists the differences that are known: kind, file, function, what is lost (-) or new (+), and the golden test
(FP_ or FN_) that shows the mechanism in the smallest input, or - where that has not been made yet. Any other difference
fails, and so does a line of known.txt that no longer holds.

Usage: run.py --reckon PROGRAM [--kind KIND] [--only AREA/FILE] [--function NAME] [--part N/M] [--keep FOLDER]
              [--update]
Exit: 0 all as known, 1 surprises, 2 could not be run.
"""
import argparse
import collections
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

import flow
import rewrites
from source import Source, Unfit, parse

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
GOLDEN = importlib.util.spec_from_file_location("golden", TESTS / "golden" / "run.py")
golden = importlib.util.module_from_spec(GOLDEN)
GOLDEN.loader.exec_module(golden)

KINDS = {"calls": rewrites.wrap_calls, "tails": rewrites.move_tails, "units": rewrites.split_file,
         "struct": rewrites.locals_in_struct, "nest": flow.nest, "jump": flow.jump, "flag": flow.flag}
AREAS = ("python", "linux", "r", "random")
# Rules that are about the file: functions beside the API's own definition, tables beside their registration, a macro
# whose mistake is told once; and bodies that the specs describe, which are told by the primitives that they call.
LEFT_OUT = {("units", "linux/implements.c"), ("units", "r/routine.c"), ("units", "r/routines.c"), ("units", "python/one_root.c"),
            ("calls", "linux/bodies.c")}
NO_TEST = "-"  # in known.txt: nobody has made the smallest input of it yet
ROUNDS = 12  # how often functions that do not compile are left out before a file is given up
# One mistake with two names: the object is unprotected where this function, or one that is given it, may collect.
# And NULL, given to a function that follows it or followed here.
TABLE = "(table)"  # what is reported outside of functions
SAME = {"python-null-arg": "python-null-deref", "linux-null-arg": "linux-null-deref", "thing-null-arg": "thing-null-deref",
        "r-unprotected-arg": "r-unprotected", "node-unprotected-arg": "node-unprotected"}

Outcome = collections.namedtuple("Outcome", "changed clean lost new")  # changed, clean: how many; lost, new: {function: set of checks}


class Failure(Exception):
    """Could not be run."""


def inputs():
    """[(name, path, folder, flags, options)] of all C sources."""
    result = []
    for area in AREAS:
        folder = TESTS / "golden" / area
        # rewritten*.c hold what this test has found, already rewritten.
        sources = [golden.Source(p) for p in sorted(folder.glob("*.c")) if not p.name.startswith("rewritten")]
        for flags, options, members in golden.groups(folder, sources):
            for member in members:
                result.append((f"{area}/{member.path.name}", member.path, folder, list(flags), list(options)))
    python = golden.read_words(TESTS / "golden" / "python" / "flags")
    for path in sorted((TESTS.parent / "examples").glob("*/*.c")):
        options = [f"--specs={spec}" for spec in sorted(path.parent.glob("*.spec"))]
        result.append((f"examples/{path.name}", path, path.parent, python, options))
    return sorted(result)


def verdicts(reckon, folder, flags, options, files, added=()):
    """{function: set of checks}."""
    limit = [] if "--confidence" in options else ["--confidence", "low"]
    command = [reckon, "check", "--no-cache", "--strict", "--timeout", "0", *limit, "--format", "json", *options, *map(str, files),
               "--", *flags]
    run = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if run.returncode not in (0, 1):
        raise Failure(f"exit code {run.returncode} from {' '.join(command)}\n{run.stderr}")
    found = collections.defaultdict(set)
    for line in run.stdout.splitlines():
        finding = json.loads(line)
        function, check = finding.get("function") or TABLE, finding["check"]
        # That an added helper does not return and does not say so is a fault of the rewriting.
        if not (function in added and check.endswith("-noreturn")):
            found[function].add(SAME.get(check, check))
    return found


def broken_functions(source, path, flags, rewritten):
    """Functions of the original in which the rewritten text does not compile; None for an error elsewhere."""
    names = set()
    for text in rewritten.texts:
        unit = parse(path, flags, text)
        errors = [d for d in unit.diagnostics if d.severity >= 3]
        if not errors:
            continue
        ranges = function_ranges(unit, path)
        for error in [e for e in errors if e.location.file and e.location.file.name == str(path)] or [errors[0]]:
            offset = Source.offset(error.location)
            inside = [name for name, start, end in ranges if start <= offset <= end]
            if not inside:
                return None
            names.add(rewritten.owners.get(inside[0], inside[0]))
    return names


def function_ranges(unit, path):
    return [(c.spelling, Source.offset(c.extent.start), Source.offset(c.extent.end))
            for c in unit.cursor.get_children()
            if c.location.file is not None and c.location.file.name == str(path) and c.is_definition()]


def rewrite(kind, source, path, flags, only):
    """The rewritten texts that compile, or raises Unfit."""
    leave = {f.name for f in source.functions} - {only} if only else set()
    for _ in range(ROUNDS):
        rewritten = KINDS[kind](source, leave)
        if not rewritten.changed:
            raise Unfit("nothing to rewrite")
        names = broken_functions(source, path, flags, rewritten)
        if names is None or not names.isdisjoint(leave):
            raise Unfit("does not compile")
        if not names:
            return rewritten
        leave |= names
    raise Unfit("does not compile")


def same_names(source):
    """{function: {check: the first of those that its file takes for the same}}, from marks like `expect: A|B`."""
    out = {}
    for f in source.functions:
        end = source.text.find("\n", f.body_end)
        marks = re.findall(r"\bexpect(?:-in-function)?: *([\w|, -]*)", source.text[f.start:end])
        groups = [word.split("|") for mark in marks for word in re.split(r"[ ,]+", mark) if "|" in word]
        out[f.name] = {check: group[0] for group in groups for check in group}
    return out


def compare(before, after, rewritten, same):
    """What each function lost and what is new in it."""
    def named(name, checks):
        return {same.get(name, {}).get(check, check) for check in checks}
    merged = collections.defaultdict(set)
    for name, checks in after.items():
        merged[rewritten.owners.get(name, name)].update(checks)
    lost, new = {}, {}
    for name in before.keys() | merged.keys():
        less, more = named(name, before.get(name, ())), named(name, merged.get(name, ()))
        if less - more:
            lost[name] = less - more
        if more - less:
            new[name] = more - less
    clean = sum(1 for name in rewritten.changed if not before.get(name))
    return Outcome(len(rewritten.changed), clean, lost, new)


class Run:
    """All that is asked for, with its results."""

    def __init__(self, arguments, work):
        self.arguments, self.work = arguments, work
        self.outcomes = {}  # (kind, file): Outcome
        self.unfit = []

    def file(self, name, path, folder, flags, options):
        source = Source(path, [f if f != "-I." else f"-I{folder}" for f in absolute(flags, folder)])
        if source.errors:
            self.unfit.append(("all", name, source.errors[0].spelling))
            return
        before = None
        for kind in [k for k in self.arguments.kind or KINDS if (k, name) not in LEFT_OUT]:
            place = self.work / kind / pathlib.Path(name).parent
            place.mkdir(parents=True, exist_ok=True)
            try:
                rewritten = rewrite(kind, source, path, source.flags, self.arguments.function)
            except Unfit as reason:
                self.unfit.append((kind, name, str(reason)))
                continue
            stem = pathlib.Path(name).stem
            files = [place / f"{stem}{'' if i == 0 else '_2'}.c" for i in range(len(rewritten.texts))]
            for file, text in zip(files, rewritten.texts):
                file.write_text(text)
            if before is None:
                before = verdicts(self.arguments.reckon, folder, flags, options, [path])
            after = verdicts(self.arguments.reckon, folder, flags, options, files, rewritten.owners)
            self.outcomes[kind, name] = compare(before, after, rewritten, same_names(source))


def absolute(flags, folder):
    return [f"-I{(folder / f[2:]).resolve()}" if f.startswith("-I") else f for f in flags]


def differences(outcomes):
    """{(kind, file, function): (text, counted)} with what is lost and new."""
    found = {}
    for (kind, name), outcome in outcomes.items():
        for function in sorted(outcome.lost.keys() | outcome.new.keys()):
            words = [f"-{check}" for check in sorted(outcome.lost.get(function, ()))]
            words += [f"+{check}" for check in sorted(outcome.new.get(function, ()))]
            found[kind, name, function] = " ".join(words)
    return found


def read_known(path):
    """{(kind, file, function): (difference, test)}."""
    known = {}
    for number, line in enumerate(path.read_text().splitlines() if path.is_file() else [], 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = re.fullmatch(r"(\w+) (\S+) (\S+) ((?:[-+][\w-]+ )+)((?:FP|FN)_\w+|-)", line)
        if match is None:
            raise Failure(f"{path}:{number}: not 'KIND FILE FUNCTION DIFFERENCE TEST'")
        known[match.group(1), match.group(2), match.group(3)] = (match.group(4).strip(), match.group(5))
    return known


def report(outcomes, found):
    """Figures by kind, and by what is lost or new."""
    lines = [f"{'kind':8} {'functions':>9} {'clean':>6} {'differ':>6} {'same':>7}"]
    for kind in KINDS:
        mine = {name: o for (k, name), o in outcomes.items() if k == kind}
        functions, clean = sum(o.changed for o in mine.values()), sum(o.clean for o in mine.values())
        differ = sum(1 for k, _, _ in found if k == kind)
        if functions:
            lines.append(f"{kind:8} {functions:9} {clean:6} {differ:6} {100 * (1 - differ / functions):6.1f}%")
    counts = collections.Counter((kind, word) for (kind, _, _), text in found.items() for word in text.split())
    lines += ["", "by kind and check (- lost, + new):"]
    lines += [f"{kind:8} {word:40} {count:4}" for (kind, word), count in sorted(counts.items())]
    return "\n".join(lines) + "\n"


def golden_tests():
    """Names of the functions that hold a known wrong answer."""
    return {function.name for area in AREAS for path in (TESTS / "golden" / area).glob("*.c*")
            for function in golden.Source(path).functions if golden.known_wrong(function.name)}


def surprises(found, known, asked):
    """What is not as known.txt says; `asked`: (kind, file) that were looked at."""
    lines = [" ".join([*key, text]) for key, text in sorted(found.items()) if key not in known or known[key][0] != text]
    lines += [f"{' '.join(key)}: no longer differs ({text}); take the line away, and look at {test}"
              for key, (text, test) in sorted(known.items()) if key[:2] in asked and key not in found]
    tests = golden_tests()
    lines += [f"{' '.join(key)}: {test} is no golden test" for key, (_, test) in sorted(known.items())
              if test not in tests | {NO_TEST}]
    return lines


def update(path, found, known, asked):
    """Rewrites known.txt: lines that hold keep their test, new ones have none yet."""
    lines = [line for line in path.read_text().splitlines() if line.startswith("#")] if path.is_file() else []
    kept = {key: value for key, value in known.items() if key[:2] not in asked}
    kept |= {key: (text, known.get(key, (None, NO_TEST))[1]) for key, text in found.items()}
    lines += [" ".join([*key, text, test]) for key, (text, test) in sorted(kept.items())]
    path.write_text("\n".join(lines) + "\n")


def run(arguments, work):
    chosen = [i for i in inputs() if not arguments.only or i[0] in arguments.only]
    if arguments.part:  # by name, so that a new file moves no other one
        part, parts = map(int, arguments.part.split("/"))
        chosen = [i for i in chosen if zlib.crc32(i[0].encode()) % parts == part]
    this = Run(arguments, work)
    for each in chosen:
        this.file(*each)
    found = differences(this.outcomes)
    known = read_known(HERE / "known.txt")
    if arguments.update:
        update(HERE / "known.txt", found, known, set(this.outcomes))
    lines = [] if arguments.function or arguments.update else surprises(found, known, set(this.outcomes))
    lines += [" ".join([*key, text]) for key, text in sorted(found.items())] if arguments.function else []
    lines += [f"not rewritten: {kind} {name}: {reason}" for kind, name, reason in this.unfit] if arguments.keep else []
    print("\n".join([*lines, report(this.outcomes, found)]))
    return 1 if lines and not arguments.keep else 0


def main():
    parser = argparse.ArgumentParser(description="Metamorphic tests; see the comment in this file.")
    parser.add_argument("--reckon", required=True)
    parser.add_argument("--kind", action="append", choices=KINDS)
    parser.add_argument("--only", action="append", help="AREA/FILE")
    parser.add_argument("--function", help="rewrite this one only")
    parser.add_argument("--part", help="N/M: every M-th file, from the N-th")
    parser.add_argument("--update", action="store_true", help="write known.txt anew; new lines need a test")
    parser.add_argument("--keep", type=pathlib.Path, help="where the rewritten files stay")
    arguments = parser.parse_args()
    arguments.reckon = str(pathlib.Path(arguments.reckon).resolve())
    try:
        if arguments.keep:
            return run(arguments, arguments.keep.resolve())
        with tempfile.TemporaryDirectory() as folder:
            return run(arguments, pathlib.Path(folder))
    except (Failure, golden.AreaError, OSError) as error:
        print(f"metamorphic: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
