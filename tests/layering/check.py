#!/usr/bin/env python3
"""Fails when a folder of src/ includes what docs/architecture.md does not allow it.

The two tables of the chapter "Layers" are the only place where the rules are written; this program reads
them there, so the document cannot drift away from the code. It looks at #include lines only, whether or
not a condition surrounds them.

Usage: check.py ROOT     (the folder that holds src/ and docs/)
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*(?:include|include_next|import)\b\s*(?:[<"]([^>"]+)[>"])?')
CODE = re.compile(r"`([^`]+)`")


def table(text, first_heading):
    """Rows (lists of cells) of the Markdown table whose first heading is `first_heading`."""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("|") and line.strip("| ").split("|")[0].strip() == first_heading:
            break
    else:
        raise ValueError(f"no table headed '{first_heading}'")
    next(lines, None)  # the ruler
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
    return rows


def read_rules(text):
    """The allowed edges {folder: {folder, ...}} and the foreign headers [(prefixes, folder, one file only)]."""
    edges = {}
    for row in table(text, "folder"):
        name = CODE.findall(row[0])[0].rstrip("/")
        edges[name] = {other.rstrip("/") for other in CODE.findall(row[1])}
    foreign = []
    for row in table(text, "foreign headers"):
        foreign.append((CODE.findall(row[0]), CODE.findall(row[1])[0].rstrip("/"), "one file" in row[1]))
    return edges, foreign


def cycle(edges):
    """A folder that reaches itself, or None."""
    for start in edges:
        seen, todo = set(), list(edges[start])
        while todo:
            folder = todo.pop()
            if folder == start:
                return start
            if folder not in seen:
                seen.add(folder)
                todo += edges.get(folder, ())
    return None


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1)


def check(root):
    """All violations, as lines to print."""
    root = pathlib.Path(root)
    try:
        edges, foreign = read_rules((root / "docs" / "architecture.md").read_text(encoding="utf-8"))
    except (OSError, ValueError, IndexError) as error:
        return [f"docs/architecture.md: cannot read the layer tables: {error}"]
    problems = []
    src = root / "src"
    folders = {path.name for path in src.iterdir() if path.is_dir()}
    problems += [f"src/{f}: no row in docs/architecture.md" for f in sorted(folders - set(edges))]
    problems += [f"docs/architecture.md: src/{f} does not exist" for f in sorted(set(edges) - folders)]
    for folder, others in sorted(edges.items()):
        problems += [f"docs/architecture.md: {folder} names the unknown folder {o}" for o in sorted(others - set(edges))]
    if cycle(edges):
        problems.append(f"docs/architecture.md: {cycle(edges)} may include itself in a circle")

    users = {}  # foreign row -> files that include it
    for path in sorted(p for p in src.rglob("*") if p.suffix in (".h", ".hpp", ".cpp", ".cc", ".c")):
        inner = path.relative_to(src)
        folder = inner.parts[0] if len(inner.parts) > 1 else None
        # main.cpp stands above all folders and sees the driver alone.
        allowed = {"driver"} if folder is None else edges.get(folder, set()) | {folder}
        for number, header in includes(path):
            place = f"src/{inner.as_posix()}:{number}"
            if header is None:
                problems.append(f"{place}: an include that is not a plain name cannot be checked")
                continue
            first = header.split("/")[0]
            if ".." in header.split("/") or (src / inner.parent / header).is_file() and first not in edges:
                problems.append(f'{place}: write "folder/{pathlib.PurePath(header).name}", not "{header}"')
            elif first in edges and "/" in header and first not in allowed:
                problems.append(f"{place}: {folder or 'main.cpp'} may not include {first} ({header})")
            for row, (prefixes, owner, _) in enumerate(foreign):
                if any(header.startswith(prefix) for prefix in prefixes):
                    users.setdefault(row, set()).add(inner.as_posix())
                    if folder != owner:
                        problems.append(f"{place}: only {owner} may include {header}")
    for row, (prefixes, _, one_file) in enumerate(foreign):
        if one_file and len(users.get(row, ())) > 1:
            problems.append(f"only one file may include {prefixes[0]}, but these do: {', '.join(sorted(users[row]))}")
    return problems


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    problems = check(sys.argv[1])
    for problem in problems:
        print(problem)
    print(f"layering: {len(problems)} violation(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
