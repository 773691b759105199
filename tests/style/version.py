#!/usr/bin/env python3
"""Fails when a file names another version of Reckon than VERSION does, or CMake no longer reads it from there.

Looked at are the files that carry the number for others: the manual page, recipes, the hook, the action, what is packed.
Results in docs/ name the version they were measured with, and history in CHANGELOG.md stays.

Usage: version.py ROOT
"""
import pathlib
import re
import sys

PLACES = ("CMakeLists.txt", "docs/reckon.1", "docs/recipes.md", "README.md", "action.yml", ".pre-commit-hooks.yaml",
          "recipes/*", "packaging/**/*", "scripts/*", "src/driver/*", "completions/*")
NUMBER = re.compile(r"(?:reckon[ _-]v?|rev: v|RECKON_VERSION[ =:\"']+v?)(\d+\.\d+\.\d+)", re.I)


def problems(root):
    version = (root / "VERSION").read_text().strip()
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        yield f"VERSION: '{version}' is no number of three parts"
    cmake = (root / "CMakeLists.txt").read_text()
    if "file(STRINGS VERSION" not in cmake or "project(reckon VERSION ${version}" not in cmake:
        yield "CMakeLists.txt: the version does not come from the file VERSION"
    heading = re.search(r"^## (\S+)", (root / "CHANGELOG.md").read_text(), re.M)
    if not heading or heading.group(1) != version:
        yield f"CHANGELOG.md: its first heading is not {version}"
    for pattern in PLACES:
        for path in sorted(root.glob(pattern)):
            if not path.is_file():
                continue
            for line_number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                for found in NUMBER.findall(line):
                    if found != version:
                        yield f"{path.relative_to(root)}:{line_number}: names version {found}, VERSION says {version}"


def main():
    found = list(problems(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "one version everywhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
