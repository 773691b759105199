#!/usr/bin/env python3
"""Fails when a folder of src/ includes what docs/architecture.md does not allow it.

The two tables of the chapter "Layers" are the only place where the rules are written; this program reads
them there, so the document cannot drift away from the code. It looks at #include lines only, whether or
not a condition surrounds them. And it fails when a check of the whole program reads bodies of functions.

Usage: check.py ROOT     (the folder that holds src/ and docs/)
"""
import fnmatch
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
        for name in CODE.findall(row[0]):
            edges[name.rstrip("/")] = {other.rstrip("/") for other in CODE.findall(row[1])}
    foreign = []
    for row in table(text, "foreign headers"):
        foreign.append((CODE.findall(row[0]), CODE.findall(row[1])[0].rstrip("/"), "one file" in row[1]))
    return edges, foreign


def expanded(edges, src):
    """Rows `FOLDER/*/` as one row for each folder there that has none of its own."""
    result = {row: others for row, others in edges.items() if not row.endswith("/*")}
    for row in edges.keys() - result.keys():
        for folder in src.glob(row):
            if folder.is_dir():
                result.setdefault(folder.relative_to(src).as_posix(), edges[row])
    return result


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


def row_of(path, edges):
    """The row of this file, else of the innermost folder around it that has one; None if there is none."""
    for row in edges:
        if row.endswith((".h", ".def")) and fnmatch.fnmatchcase(path, row):
            return row
    parts = path.split("/")[:-1]
    while parts and "/".join(parts) not in edges:
        parts.pop()
    return "/".join(parts) or None


def may_include(folder, other, edges):
    """Itself, what stands in its row, and what lies below that."""
    return any(other == one or other.startswith(one + "/") for one in edges[folder] | {folder})


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1)


def body_readers(src):
    """Checks of the whole program (and what they share) that ask for units or bodies: they have notes."""
    mark = re.compile(r"\b(WholeProgram|MemberStore|ClassEnd|GlobalUser|CountSums)\b")
    reads = re.compile(r"\bprogram\.(unit|unit_at|function)\(|\bbody\.")
    parts = {}
    for path in sorted((src / "checks").rglob("*")):
        if path.suffix in (".h", ".cpp"):
            parts.setdefault(path.with_suffix(""), []).append(path)
    for paths in parts.values():
        texts = [path.read_text(encoding="utf-8") for path in paths]
        if any(mark.search(text) for text in texts):
            for path, text in zip(paths, texts):
                for number, line in enumerate(text.splitlines(), 1):
                    if reads.search(line.split("//")[0]):
                        yield f"src/{path.relative_to(src).as_posix()}:{number}: a check of the whole program reads a body"


def check(root):
    """All violations, as lines to print."""
    root = pathlib.Path(root)
    try:
        edges, foreign = read_rules((root / "docs" / "architecture.md").read_text(encoding="utf-8"))
    except (OSError, ValueError, IndexError) as error:
        return [f"docs/architecture.md: cannot read the layer tables: {error}"]
    problems = []
    src = root / "src"
    problems += [f"docs/architecture.md: src/{f} does not exist" for f in sorted(edges) if not any(src.glob(f))]
    edges = expanded(edges, src)
    sources = sorted(p for p in src.rglob("*") if p.suffix in (".h", ".hpp", ".cpp", ".cc", ".c", ".def"))
    homeless = {p.parent.relative_to(src).as_posix() for p in sources
                if p.parent != src and row_of(p.relative_to(src).as_posix(), edges) is None}
    problems += [f"src/{f}: no row in docs/architecture.md" for f in sorted(homeless)]
    # A row may name a folder that only holds rows, and means all of them.
    known = {"/".join(f.split("/")[:n]) for f in edges for n in range(1, f.count("/") + 2)}
    for folder, others in sorted(edges.items()):
        problems += [f"docs/architecture.md: {folder} names the unknown folder {o}" for o in sorted(others - known)]
    if cycle(edges):
        problems.append(f"docs/architecture.md: {cycle(edges)} may include itself in a circle")

    problems += body_readers(src)
    users = {}  # foreign row -> files that include it
    tops = {row.split("/")[0] for row in edges}
    for path in sources:
        inner = path.relative_to(src)
        folder = row_of(inner.as_posix(), edges)
        for number, header in includes(path):
            place = f"src/{inner.as_posix()}:{number}"
            if header is None:
                problems.append(f"{place}: an include that is not a plain name cannot be checked")
                continue
            first = header.split("/")[0]
            if ".." in header.split("/") or (src / inner.parent / header).is_file() and first not in tops:
                problems.append(f'{place}: write "folder/{pathlib.PurePath(header).name}", not "{header}"')
            elif path.suffix == ".def" and pathlib.PurePath(header).parent == inner.parent:
                pass  # who includes the table says which of its folder's headers come along
            elif first in tops and "/" in header:
                other = row_of(header, edges) or first
                # main.cpp stands above all folders and sees the driver alone.
                if not (may_include(folder, other, edges) if folder else other == "driver"):
                    problems.append(f"{place}: {folder or 'main.cpp'} may not include {other} ({header})")
            for row, (prefixes, owner, _) in enumerate(foreign):
                if any(header.startswith(prefix) for prefix in prefixes):
                    users.setdefault(row, set()).add(inner.as_posix())
                    if inner.parts[0] != owner:
                        problems.append(f"{place}: only {owner} may include {header}")
                    break  # the first row that fits holds
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
