#!/usr/bin/env python3
"""Counts the files that an extension touches, where docs/architecture.md promises a number.

An output format is its own files and one row of the table in src/report/writers.cpp. So each writer that the table names
is mentioned in no other file of src/ than that table and the files named after the format, and the format's name is
written as text nowhere else, but for the one that is the default. Completions, the manual page and docs/reports.md list the
formats without anybody's doing: no line there names three of them, but between the marks where scripts/pages writes.

A check is four files: src/checks/kinds/NAME.cpp, a row of src/checks/kinds.def, docs/checks/NAME.md and
tests/golden/AREA/NAME.c, which expects it. No other file of src/ writes its name, alone or behind a domain, but for
ELSEWHERE; a name of one word that stands alone is left out, since other things are called so, too. No file that the program
is made of or comes with names a third of the checks: that would be one more list to add to. The list in
docs/checks/README.md is written by scripts/pages, as is the reference page of effects: what is generated does not count.

An effect of the spec language is three files: its row in the table of effects, which makes its field, the file that says
what it means to the analysis, and a test. So at most two files of src/ know it. Counted are those that mention the field
of specs::Outcome. Fields whose name some other class uses as well are left out, since a token does not say whose field it
is, and so is the frame of an outcome, which says when it is possible. No field is made without a row. WIDER lists effects
that more files know; it only shrinks, and an entry that is no longer needed is a failure.

A property is its folder in src/engine/properties/ and one line of properties.def there; the table of layers has one row for
all properties that include no other. So each folder has an entry (property.def) and a line, headers come along with the table in three places only, and the core and the executor, which
work for all properties, write no name of a class or an enum that a property makes, but for those in CORE_KNOWS. Nor do
they read or write a field of an outcome that a property owns (its row in the table of effects says whose it is).

Usage: promises.py ROOT     (the folder that holds src/)
Exit: 0 the promises are kept, 1 one is not, 2 a source cannot be read.
"""
import pathlib
import re
import sys

import source

TABLE = "src/report/writers.cpp"
ROW = re.compile(r'\{\.name = "([a-z]+)",\s*\.summary = "[^"]*",\s*([^}]*)\}')
OTHER_WORDS = {"no-gil", "needs-gil", "drops-gil", "takes-gil"}  # of the spec language
DEFAULT_FORMAT = "text"
EFFECTS = "src/specs/effects.def"
EFFECT_FILES = 2  # of src/; the third is a test
FRAME = {"when", "result", "objects", "never_returns"}  # fields of an outcome that are no effects

# {(file, writer): reason}
WRITERS_KNOWN_ELSEWHERE = {
}

# {field of Outcome: (files today, reason)}
WIDER = {
    "bare_frees": (4, "references and types both apply it, and the parser has a flag for it"),
    "clobbers": (5, "the core applies it, references ask for it, summaries compute it, a stand-in for a function out of sight has it"),
    "depth_unknown": (6, "protection applies and computes it in several files, and a body is compared with its spec"),
    "endangers": (5, "as `exposes`, and a body is compared with its spec"),
    "escapes": (12, "many rules read it"),
    "exposes": (4, "protection applies and computes it in two files, and merging adds what never returned"),
    "floats": (3, "the part of a state that remembers what floats has a function of that name"),
    "holds": (19, "many rules read it"),
    "misuse_only": (5, "the parser implies it, the core applies it and keeps it with the path"),
    "out_of_memory_only": (8, "many rules read it"),
    "protected_objects": (6, "protection applies and computes it in several files"),
    "protects": (6, "protection applies and computes it in several files, and a body is compared with its spec"),
    "releases_holds": (4, "references and protection both apply it, and the parser adds the key"),
    "sinks": (3, "the class of its property says in its header that a reference is given up by it"),
    "unprotected": (6, "protection applies and computes it in several files, and a body is compared with its spec"),
    "unprotects": (7, "protection applies and computes it in several files, and a body is compared with its spec"),
}


# {(file, text as written): reason}
ELSEWHERE = {
    ("src/report/rchk.cpp", kind): "rchk has marks of its own for them"
    for kind in ('"negative-depth"', '"preserve-leak"', '"protect-overflow"', '"unprotected-arg"', '"write-barrier"')
}


LISTED_IN = ("src", "completions", "editors", "scripts", "share", "packaging")  # what the program is made of or comes with
FORMATS_LISTED_IN = ("completions/_reckon", "completions/reckon.bash", "completions/reckon.fish", "docs/reckon.1", "docs/reports.md",
                     "action.yml")
GENERATED = re.compile(r'(?s)(?:<!-- \w+ -->|\.\\" formats)\n.*?(?:<!-- end -->|\.\\" end)')

PROPERTIES = "src/engine/properties/"
PROPERTY_TABLE = PROPERTIES + "properties.def"
HEADERS_FROM_TABLE = {"PART_HEADERS": "src/engine/state.h", "EVENT_HEADERS": "src/engine/core/events.h",
                      "MODULE_HEADERS": "src/engine/executor.cpp"}

# {(file, class or enum of a property): reason}
CORE_KNOWS = {
}


def works_for_all(path):
    """Is it the core, or what puts the parts of a look together? engine/trace.* speaks to the checks."""
    return path.startswith("src/engine/core/") or path in ("src/engine/state.h", "src/engine/executor.h",
                                                           "src/engine/executor.cpp")


def check_properties(root, files):
    """What is wrong with properties, as lines of text."""
    lines = re.findall(r'^#include "engine/properties/(\w+)/property\.def"$', (root / PROPERTY_TABLE).read_text(), re.M)
    folders = sorted(p.name for p in (root / PROPERTIES).iterdir() if p.is_dir())
    if len(folders) < 2:
        return [f"{PROPERTIES}: no folders of properties"]
    problems = []
    for name in folders:
        if lines.count(name) != 1:
            problems.append(f"{PROPERTY_TABLE}: {lines.count(name)} lines for {name} instead of one")
        if not (root / PROPERTIES / name / "property.def").exists():
            problems.append(f"{PROPERTIES}{name}/property.def is missing")
    for file in files:
        for directive in file.directives:
            word = re.match(r"#\s*define (PART_HEADERS|EVENT_HEADERS|MODULE_HEADERS)\b", directive.text)
            if word and HEADERS_FROM_TABLE[word.group(1)] != file.path:
                problems.append(f"{file.path}:{directive.line}: only {HEADERS_FROM_TABLE[word.group(1)]} takes headers "
                                "from the table of properties")
    made = {c.name.split("::")[0] for f in files if f.path.startswith(PROPERTIES) for c in f.classes}
    made |= {e.group(1) for f in files if f.path.startswith(PROPERTIES)
             for e in re.finditer(r"^enum class (\w+)", f.text, re.M)}
    made -= {"Properties", "Executor"}
    excused = set()
    for file in files:
        for token in file.tokens if works_for_all(file.path) else ():
            if token.kind != "name" or token.text not in made:
                continue
            excused.add((file.path, token.text))
            if (file.path, token.text) not in CORE_KNOWS:
                problems.append(f"{file.path}:{token.line}: {token.text} is a property's own")
    problems += [f"tests/style/promises.py: {path} no longer knows {name}: take it out of CORE_KNOWS"
                 for path, name in sorted(set(CORE_KNOWS) - excused)]
    return problems


def check_checks(root, files):
    """What is wrong with the files of checks, as lines of text."""
    rows = re.findall(r"^CHECK\(check_(\w+)\)$", (root / "src/checks/kinds.def").read_text(), re.M)
    if len(rows) < 2:
        return ["src/checks/kinds.def: no rows of checks"]
    problems, excused = [], set()
    for row in rows:
        kind = row.replace("_", "-")
        for path in (f"src/checks/kinds/{row}.cpp", f"docs/checks/{kind}.md"):
            if not (root / path).exists():
                problems.append(f"{path} is missing: {kind} is a check")
        tests = list(root.glob(f"tests/golden/*/{row}.c")) + list(root.glob(f"tests/golden/*/{row}.cpp"))
        if not tests:
            problems.append(f"tests/golden/AREA/{row}.c is missing: {kind} is a check")
        elif not any(re.search(rf"expect(?:-in-function)?:.*?\b[a-z]+-{kind}(?![\w-])", t.read_text()) for t in tests):
            problems.append(f"{tests[0].relative_to(root)}: expects no {kind}")
        text = re.compile(rf'"(?:[a-z][a-z-]*-|-){"?" if "-" in kind else ""}{kind}"')
        for file in files:
            if file.path == f"src/checks/kinds/{row}.cpp":
                continue
            for token in file.tokens:
                if token.kind != "text" or not text.fullmatch(token.text) or token.text.strip('"') in OTHER_WORDS | {
                        r.replace("_", "-") for r in rows if r != row}:
                    continue
                if (file.path, token.text) in ELSEWHERE:
                    excused.add((file.path, token.text))
                else:
                    problems.append(f"{file.path}:{token.line}: {token.text} belongs into src/checks/kinds/{row}.cpp")
    problems += [f"tests/style/promises.py: {path} no longer has {text}: take it out of ELSEWHERE"
                 for path, text in sorted(set(ELSEWHERE) - excused) if any(f.path == path for f in files)]
    return problems


def check_lists(root):
    """Lists of checks and of formats that somebody would have to keep in step, as lines of text."""
    kinds = [k.replace("_", "-") for k in re.findall(r"^CHECK\(check_(\w+)\)$", (root / "src/checks/kinds.def").read_text(), re.M)]
    spelt = [re.compile(rf"(?<!\w){kind}(?![\w-])") for kind in kinds if "-" in kind]  # one word may mean anything
    problems = []
    for path in sorted(p for folder in LISTED_IN for p in (root / folder).rglob("*")
                       if p.is_file() and "node_modules" not in p.parts):
        text = path.read_text(encoding="utf-8", errors="replace")
        named = sum(1 for kind in spelt if kind.search(text))
        if named > len(spelt) / 3:
            problems.append(f"{path.relative_to(root)}: names {named} checks: a new one would have to be added there, too")
    formats = re.compile("|".join(rf"(?<![\w-]){name}(?![\w-])" for name, _ in ROW.findall((root / TABLE).read_text())))
    for path in (root / name for name in FORMATS_LISTED_IN):
        text = GENERATED.sub(lambda found: "\n" * found[0].count("\n"), path.read_text(encoding="utf-8"))
        problems += [f"{path.relative_to(root)}:{number}: lists formats: a new one would have to be added there, too"
                     for number, line in enumerate(text.splitlines(), 1) if len(set(formats.findall(line))) > 2]
    return problems


def check_formats(files):
    """What is wrong with output formats, as lines of text."""
    by_path = {f.path: f for f in files}
    if TABLE not in by_path:
        return [f"{TABLE}: no table of formats"]
    rows = ROW.findall(by_path[TABLE].text)
    if len(rows) < 2:
        return [f"{TABLE}: no rows of formats"]
    problems, excused = [], set()
    for name, rest in rows:
        own = re.compile(rf"src/report/{name}(?:_\w+)?\.(?:cpp|h)")
        writers = re.findall(r"\bwrite_\w+", rest)
        if len(writers) != 1:
            problems.append(f"{TABLE}: the row of {name} names {len(writers)} writers instead of one")
        for file in files:
            if file.path == TABLE or own.fullmatch(file.path):
                continue
            for token in file.tokens:
                if (file.path, token.text) in WRITERS_KNOWN_ELSEWHERE:
                    excused.add((file.path, token.text))
                elif token.text in writers:
                    problems.append(f"{file.path}:{token.line}: {token.text} belongs into {TABLE} only")
                elif token.text == f'"{name}"' and name != DEFAULT_FORMAT and not file.path.startswith("src/report/"):
                    problems.append(f"{file.path}:{token.line}: the format {name} is known by name outside {TABLE}")
    problems += [f"tests/style/promises.py: {path} no longer knows {writer}: take it out of WRITERS_KNOWN_ELSEWHERE"
                 for path, writer in sorted(set(WRITERS_KNOWN_ELSEWHERE) - excused)]
    return problems


def effect_files(files):
    """{field: files that mention it} for the fields of Outcome that no other class has a field named like."""
    fields = [field for f in files for c in f.classes for field in c.fields]
    others = {field.name for field in fields if field.table != EFFECTS}
    result = {field.name: {EFFECTS} for field in fields if field.table == EFFECTS and field.name not in others | FRAME}
    if not result:
        raise source.ShapeError(f"{EFFECTS}: no class has fields of its rows")
    for file in files:
        for before, token in zip(file.tokens, file.tokens[1:]):
            if token.text in result and before.text in (".", "->", "::"):
                result[token.text].add(file.path)
    return result


def check_core_fields(files):
    """Places where the core looks at a field of an outcome that is a property's."""
    owned = {field.name: c.name for f in files for c in f.classes for field in c.fields
             if field.table == EFFECTS and c.name not in ("CoreEffects", "Outcome")}
    return [f"{file.path}:{token.line}: {token.text} is a field of {owned[token.text]}, which is a property's: ask by a hook"
            for file in files if works_for_all(file.path)
            for before, token in zip(file.tokens, file.tokens[1:])
            if token.text in owned and before.text in (".", "->")]


def check_rows(files):
    """Fields of an outcome that no row makes."""
    outcome = [c for f in files for c in f.classes if c.name == "Outcome"]
    if len(outcome) != 1:
        raise source.ShapeError("specs: there is not one class Outcome")
    parts = outcome + [c for f in files for c in f.classes if c.name in outcome[0].bases]
    return [f"{c.file}:{field.line}: {c.name}::{field.name} has no row in {EFFECTS}"
            for c in parts for field in c.fields if field.table != EFFECTS]


def check_effects(files, wider):
    problems = check_rows(files)
    counted = effect_files(files)
    for name, paths in sorted(counted.items()):
        allowed = wider.get(name, (EFFECT_FILES, ""))[0]
        if len(paths) > allowed:
            problems.append(f"the effect {name} is known to {len(paths)} files, at most {allowed} are allowed: "
                            f"{', '.join(sorted(paths))}")
        elif name in wider and len(paths) <= EFFECT_FILES:
            problems.append(f"tests/style/promises.py: {name} is known to {len(paths)} files: take it out of WIDER")
        elif len(paths) < allowed and name in wider:
            problems.append(f"tests/style/promises.py: {name} is known to {len(paths)} files now: say so in WIDER")
    problems += [f"tests/style/promises.py: {name} is no field of Outcome, or no longer of it alone: take it out of WIDER"
                 for name in sorted(set(wider) - set(counted))]
    return problems


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    try:
        files = source.read_tree(root / "src")
        problems = check_checks(root, files) + check_formats(files) + check_effects(files, WIDER)
        problems += check_properties(root, files) + check_lists(root) + check_core_fields(files)
    except source.ShapeError as error:
        print(f"promises: {error}", file=sys.stderr)
        return 2
    for problem in problems:
        print(problem)
    if not problems:
        print("promises: kept")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
