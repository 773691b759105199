#!/usr/bin/env python3
"""Counts the files that an extension touches, where docs/architecture.md promises a number.

An output format is its own files and one row of the table in src/report/writers.cpp. So each writer that the table names
is mentioned in no other file of src/ than that table and the files named after the format, and the format's name is
written as text nowhere else, but for the one that is the default.

An effect of the spec language is known to at most three files of src/: its field, its row in the table of effects, and
the one that says what it means to the analysis. Counted are files that mention the field of specs::Outcome. Fields whose
name some other class uses as well are left out, since a token does not say whose field it is, and so is the frame of an
outcome, which says when it is possible. WIDER lists effects that
more files know; it only shrinks, and an entry that is no longer needed is a failure.

Usage: promises.py ROOT     (the folder that holds src/)
Exit: 0 the promises are kept, 1 one is not, 2 a source cannot be read.
"""
import pathlib
import re
import sys

import source

TABLE = "src/report/writers.cpp"
ROW = re.compile(r'\{\.name = "([a-z]+)",\s*\.summary = "[^"]*",\s*([^}]*)\}')
DEFAULT_FORMAT = "text"
EFFECT_FILES = 3
FRAME = {"when", "result", "objects", "never_returns"}  # fields of an outcome that are no effects

# {(file, writer): reason}
WRITERS_KNOWN_ELSEWHERE = {
}

# {field of Outcome: (files today, reason)}
WIDER = {
    "clobbers": (10, "parser, printer and bytes name it one by one"),
    "depth_unknown": (9, "protection applies and computes it in several files"),
    "endangers": (9, "protection applies and computes it in several files"),
    "escapes": (17, "many rules read it"),
    "exposes": (9, "protection applies and computes it in several files"),
    "holds": (20, "many rules read it"),
    "misuse_only": (5, "parser, printer and bytes name it one by one"),
    "out_of_memory_only": (9, "many rules read it"),
    "protected_objects": (12, "protection applies and computes it in several files"),
    "protects": (12, "protection applies and computes it in several files"),
    "releases_holds": (10, "parser, printer and bytes name it one by one"),
    "unprotected": (10, "protection applies and computes it in several files"),
    "unprotects": (13, "protection applies and computes it in several files"),
}


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
    classes = [(c, f) for f in files for c in f.classes]
    outcomes = [c for c, _ in classes if c.name == "Outcome"]
    if len(outcomes) != 1:
        raise source.ShapeError("specs: there is not one class Outcome")
    others = {field.name for c, _ in classes if c is not outcomes[0] for field in c.fields}
    result = {field.name: {outcomes[0].file} for field in outcomes[0].fields
              if field.name not in others | FRAME}
    for file in files:
        for before, token in zip(file.tokens, file.tokens[1:]):
            if token.text in result and before.text in (".", "->", "::") or (
                    token.text in result and file.path.endswith(".def") and before.text == "("):
                result[token.text].add(file.path)
    return result


def check_effects(files, wider):
    problems = []
    counted = effect_files(files)
    for name, paths in sorted(counted.items()):
        allowed = wider.get(name, (EFFECT_FILES, ""))[0]
        if len(paths) > allowed:
            problems.append(f"the effect {name} is known to {len(paths)} files, at most {allowed} are allowed: "
                            f"{', '.join(sorted(paths))}")
        elif name in wider and len(paths) <= EFFECT_FILES:
            problems.append(f"tests/style/promises.py: {name} is known to {len(paths)} files: take it out of WIDER")
    problems += [f"tests/style/promises.py: {name} is no field of Outcome, or no longer of it alone: take it out of WIDER"
                 for name in sorted(set(wider) - set(counted))]
    return problems


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    try:
        files = source.read_tree(root / "src") + [source.Tokens(str(p.relative_to(root)), p.read_text())
                                                  for p in sorted((root / "src").rglob("*.def"))]
        problems = check_formats(files) + check_effects(files, WIDER)
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
