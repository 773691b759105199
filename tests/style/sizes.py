#!/usr/bin/env python3
"""Fails when a file, a function or a class of src/ outgrows what one can keep in one's head.

    a file          at most 600 lines
    a function      at most 100 lines from the first line of its signature to its closing brace; at most ten above 80
    a class         at most 60 methods, at most 30 fields

Members of a struct without methods count with a class if that class has a field of it, or it as its base, and nobody else
speaks of it, so that a large class cannot hide in parts. "Nobody else" means: its name appears only in its own definition,
in the class and in the class's methods. A struct that some function outside uses as well is a thing of its own, and so is
a class with methods.

KNOWN lists what was too large when the limits came, each with its size then and the reason; nothing is added to it, and an
entry that is no longer needed is a failure, too. Names are qualified by classes only, so that moving a file changes nothing.

Usage: sizes.py ROOT [--list]     (the folder that holds src/; --list prints what comes next to the limits)
Exit: 0 all are within the limits, 1 some are not, 2 a source cannot be read.
"""
import argparse
import collections
import pathlib
import sys

import source

FILE_LINES = 600
FUNCTION_LINES = 100
LONG_FUNCTION = 80
LONG_FUNCTIONS = 10
METHODS = 60
FIELDS = 30

# {(what, name): (largest size allowed, reason)}; what: "file", "function", "methods", "fields".
KNOWN = {
    ("fields", "Limits"): (110, "all limits stand in one struct, grouped by who reads them"),
}


def owners(files):
    """{class: the only class that uses it}, by the rule above."""
    classes = [c for f in files for c in f.classes]
    by_name = collections.defaultdict(list)
    for c in classes:
        by_name[c.name.split("::")[-1]].append(c)
    # Who speaks of a name: classes by the scope in which it stands; None for whoever is no class.
    users = collections.defaultdict(set)
    for file in files:
        scopes = sorted([(c.first_token, -c.last_token, c.name) for c in file.classes] +
                        [(f.first_token, -f.last_token, f.name.rpartition("::")[0] or None) for f in file.functions],
                        key=lambda scope: scope[:2])
        stack, following = [], 0
        for i, token in enumerate(file.tokens):
            while following < len(scopes) and scopes[following][0] <= i:
                stack.append(scopes[following])
                following += 1
            while stack and -stack[-1][1] < i:
                stack.pop()
            if token.kind == "name" and token.text in by_name:
                inner = [name for _, _, name in stack]
                users[token.text].add((inner[-1] if inner else None, bool(inner), file.path))
    result = {}
    for name, definitions in by_name.items():
        if len(definitions) != 1 or name == "(unnamed)":
            continue  # tokens do not tell two structs of one name apart
        own = definitions[0]
        if any(m != name and not m.startswith(("~", "operator")) for m in own.methods):
            continue
        holders = {c for c in classes if c is not own and (name in c.bases or any(name in field.type_names for field in c.fields))}
        if len(holders) != 1:
            continue
        holder = holders.pop()
        allowed = {own.name, holder.name}

        def is_allowed(user, inside):
            return not inside or any(user == a or (user or "").startswith(a + "::") or a.endswith("::" + (user or "?"))
                                     for a in allowed)
        if all(is_allowed(user, inside) for user, inside, _ in users[name]):
            result[own] = holder
    for c in classes:  # struct { ... } part_;
        if c.name.endswith("(unnamed)") and c.outer:
            result[c] = c.outer
    return result


def members(c, parts):
    """Numbers of methods and fields, with those of its parts."""
    methods, fields = len(c.methods), len(c.fields)
    for part in parts.get(c, ()):
        more_methods, more_fields = members(part, parts)
        methods, fields = methods + more_methods, fields + more_fields
    return methods, fields


def measure(files):
    """[(what, name, size, place)] of everything that has a limit."""
    result = [("file", f.path, f.lines, f"{f.path}:1") for f in files]
    result += [("function", f.name, f.last - f.line + 1, f"{f.file}:{f.line}") for file in files for f in file.functions]
    parts = collections.defaultdict(list)
    owned = owners(files)
    for part, owner in owned.items():
        parts[owner].append(part)
    for file in files:
        for c in file.classes:
            methods, fields = members(c, parts)
            with_parts = "".join(f" with {p.name}" for p in parts.get(c, ()))
            result.append(("methods", c.name, methods, f"{file.path}:{c.line}{with_parts}"))
            result.append(("fields", c.name, fields, f"{file.path}:{c.line}{with_parts}"))
    return result


def judge(sizes, known):
    """What is wrong, as lines of text."""
    limits = {"file": FILE_LINES, "function": FUNCTION_LINES, "methods": METHODS, "fields": FIELDS}
    units = {"file": "lines", "function": "lines", "methods": "methods", "fields": "fields"}
    problems, needed = [], set()
    long_functions = [s for s in sizes if s[0] == "function" and s[2] > LONG_FUNCTION]
    too_many = len(long_functions) > LONG_FUNCTIONS
    for what, name, size, place in sorted(sizes, key=lambda s: (s[3], s[0])):
        long_one = what == "function" and size > LONG_FUNCTION and too_many
        if size <= limits[what] and not long_one:
            continue
        needed.add((what, name))
        allowed, _ = known.get((what, name), (limits[what] if not long_one else LONG_FUNCTION, ""))
        if size > allowed and size > limits[what]:
            problems.append(f"{place}: {name} has {size} {units[what]}; at most {max(allowed, limits[what])} are allowed")
        elif size > allowed:
            problems.append(f"{place}: {name} has {size} lines, and more than {LONG_FUNCTIONS} functions "
                            f"({len(long_functions)}) have above {LONG_FUNCTION}")
    for what, name in sorted(set(known) - needed):
        problems.append(f"tests/style/sizes.py: {name} ({what}) is within the limits now: take it out of KNOWN")
    return problems


def main():
    parser = argparse.ArgumentParser(description="Are files, functions and classes small enough?")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--list", action="store_true", help="print what comes next to the limits")
    arguments = parser.parse_args()
    try:
        files = source.read_tree(arguments.root.resolve() / "src")
    except source.ShapeError as error:
        print(f"sizes: {error}", file=sys.stderr)
        return 2
    if not files:
        print("sizes: no sources", file=sys.stderr)
        return 2
    sizes = measure(files)
    for path in sorted((arguments.root / "src").rglob("*.def")):
        name = str(path.relative_to(arguments.root))
        sizes.append(("file", name, path.read_text().count("\n"), f"{name}:1"))
    if arguments.list:
        for what in ("file", "function", "methods", "fields"):
            for _, name, size, place in sorted((s for s in sizes if s[0] == what), key=lambda s: -s[2])[:25]:
                print(f"{what:9}{size:5}  {name:45} {place}")
    problems = judge(sizes, KNOWN)
    for problem in problems:
        print(problem)
    if not problems:
        print(f"sizes: {len(files)} files, {sum(s[0] == 'function' for s in sizes)} functions, "
              f"{sum(s[0] == 'methods' for s in sizes)} classes; {len(KNOWN)} known to be too large")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
