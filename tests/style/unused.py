#!/usr/bin/env python3
"""Finds what src/ defines and nobody uses: functions, methods, fields, enumerators, constants, classes.

Two methods, since each is blind where the other sees:
    by name      A name is not used if it appears in src/ and in the tests only where it is declared or defined, and in the
                 function of that name itself. A field is not used, either, if it is only ever assigned to. Two things
                 of one name hide each other here.
    by object    A function with external linkage is not used if no other object file asks for it and its own file does not
                 mention its name again. This tells things of one name apart, but it does not see inline functions,
                 fields and constants. It needs the archives of a build (--objects).
What only tests use fails as well, unless ONLY_FOR_TESTS names it with a reason. CALLED_BY_OTHERS names what libraries call.
NOT_YET_REMOVED is to become empty. An entry that is no longer needed is a failure.

Usage: unused.py ROOT [--objects FILE...]     (the folder with src/ and tests/; archives or object files)
Exit: 0 all is used, 1 something is not, 2 a source or an object cannot be read.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys

import source

# {name: reason}
CALLED_BY_OTHERS = {
}
ONLY_FOR_TESTS = {
    "identical": "tests compare units that were written and read back",
    "equivalent": "tests compare specs that were printed and parsed back",
}
NOT_YET_REMOVED = {
}
ASSIGNMENTS = {"=", "+=", "-=", "|=", "&="}
NAME = re.compile(r"[A-Za-z_]\w*")
Thing = collections.namedtuple("Thing", "kind name place")  # name: qualified by classes


class Names:
    """What the sources define, by simple name, and where else those names appear."""

    def __init__(self, files):
        self.things = collections.defaultdict(list)  # {simple name: [Thing]}
        self.sites = set()  # (path, place of the token) that declares or defines
        self.bodies = collections.defaultdict(list)  # {simple name: [(full name, path, first, last)]} of functions
        self.skipped = set()  # constructors, main, and what is called through a base class
        self.tables = {file.path: file for file in files if file.path.endswith(".def")}
        for file in files:
            self.define(file)
        self.mentions = collections.defaultdict(list)  # {simple name: [(File, place)]}; place None: in a directive
        for file in files:
            self.find_mentions(file)

    def define(self, file):
        self.skipped |= file.virtual | {"main"}
        for c in file.classes:
            self.skipped.add(c.name.split("::")[-1])  # also the name of its constructors: a class counts by its members
            for field in c.fields:
                if field.table:
                    table = self.tables[field.table]
                    place = next(i for i, t in enumerate(table.tokens) if t.text == field.name and t.line == field.line)
                    self.add("field", f"{c.name}::{field.name}", table, place)
                    continue
                place = next(i for i in range(c.first_token, c.last_token)
                             if file.tokens[i].text == field.name and file.tokens[i].line == field.line)
                self.add("field", f"{c.name}::{field.name}", file, place)
        for name, _, place in file.enumerators:
            self.add("enumerator", name, file, place)
        for name, _, place in file.constants:
            self.add("constant", name, file, place)
        for name, _, place in file.declared:
            self.add("function", name, file, place)
        for f in file.functions:
            self.add("function", f.name, file, f.first_token)
            self.bodies[f.name.split("::")[-1]].append((f.name, file.path, f.first_token, f.last_token))

    def add(self, kind, full, file, first):
        name = full.split("::")[-1]
        if not NAME.fullmatch(name) or name.startswith("operator"):
            return
        place = next(i for i in range(first, len(file.tokens)) if file.tokens[i].text == name)
        self.sites.add((file.path, place))
        self.things[name].append(Thing(kind, full, f"{file.path}:{file.tokens[place].line}"))

    def find_mentions(self, file):
        for i, token in enumerate(file.tokens):
            if token.kind == "name" and token.text in self.things and (file.path, i) not in self.sites:
                self.mentions[token.text].append((file, i))
        for directive in file.directives:
            for name in NAME.findall(directive.text):
                if name in self.things:
                    self.mentions[name].append((file, None))

    def uses(self, name, full=None):
        """Its mentions outside the functions of that name, or of that full name."""
        return [(file, i) for file, i in self.mentions[name] if i is None or not any(
            file.path == path and first <= i <= last and full in (None, function)
            for function, path, first, last in self.bodies[name])]


def is_assigned(file, place):
    """Is the field at this place the left side of an assignment, or a designator?"""
    return (place is not None and file.tokens[place + 1].text in ASSIGNMENTS and
            file.tokens[place - 1].text in (".", "->", ";", "{", "}", ")"))


def by_name(names, tests):
    """{simple name: (Thing, what is the matter with it)}"""
    in_tests = {t.text for file in tests for t in file.tokens if t.kind == "name"}
    result = {}
    for name, things in names.things.items():
        if name in names.skipped:
            continue
        uses = names.uses(name)
        if not uses:
            result[name] = things[0], "only tests use it" if name in in_tests else "nobody uses it"
        elif all(t.kind == "field" for t in things) and name not in in_tests and all(is_assigned(f, i) for f, i in uses):
            result[name] = things[0], "it is assigned to and never read"
    return result


def by_object(names, objects, tests):
    """The same, of functions that no object file asks for."""
    run = subprocess.run(["nm", "--format=posix", "--no-sort", *objects], capture_output=True, text=True)
    if run.returncode != 0:
        raise OSError(f"nm: {run.stderr.strip()}")
    defined, wanted = set(), set()
    for line in run.stdout.splitlines():
        symbol, _, rest = line.partition(" ")
        if rest.startswith("T "):
            defined.add(symbol)
        elif rest.startswith("U"):
            wanted.add(symbol)
    if not defined:
        raise OSError(f"nm: no functions in {' '.join(objects)}")
    free = sorted(s for s in defined - wanted if s.startswith("_Z"))
    readable = subprocess.run(["c++filt"], input="\n".join(free), capture_output=True, text=True, check=True).stdout.splitlines()
    in_tests = {t.text for file in tests for t in file.tokens if t.kind == "name"}
    result = {}
    for full in readable:
        path = re.sub(r"\(anonymous namespace\)::|\[abi:\w+\]", "", full).split("(")[0].split("::")
        name = path[-1]
        own = [t for t in names.things.get(name, ()) if t.kind == "function" and path[-len(t.name.split("::")):] == t.name.split("::")]
        sources = {t.place.rpartition(":")[0] for t in own if t.place.split(":")[0].endswith(".cpp")}
        if not own or name in names.skipped or any(file.path in sources for file, _ in names.uses(name, own[-1].name)):
            continue
        result[name] = own[-1], "no other file asks for it" + (", perhaps tests do" if name in in_tests else "")
    return result


def judge(found):
    """What is wrong, as lines of text."""
    excused = {**CALLED_BY_OTHERS, **ONLY_FOR_TESTS, **NOT_YET_REMOVED}
    lines = [f"{thing.place}: {thing.kind} {thing.name}: {why}" for name, (thing, why) in sorted(found.items())
             if name not in excused]
    lines += [f"tests/style/unused.py: {name} is used or gone: take it out of the lists"
              for name in sorted(set(excused) - set(found))]
    return lines


def main():
    parser = argparse.ArgumentParser(description="Is everything in src/ used?")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--objects", nargs="+", default=[], help="archives or object files of a build")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    try:
        files = source.read_tree(root / "src") + source.tables(root / "src")
        tests = [f for folder in ("unit", "cli", "fuzz") for f in source.read_tree(root / "tests" / folder)]
        names = Names(files)
        found = by_name(names, tests)
        if arguments.objects:
            found = {**by_object(names, arguments.objects, tests), **found}
    except (source.ShapeError, OSError, subprocess.CalledProcessError) as error:
        print(f"unused: {error}", file=sys.stderr)
        return 2
    if not files:
        print("unused: no sources", file=sys.stderr)
        return 2
    problems = judge(found)
    for problem in problems:
        print(problem)
    if not problems:
        print(f"unused: {sum(map(len, names.things.values()))} things, all used")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
