#!/usr/bin/env python3
"""Fails when a C++ source differs from what clang-format makes of it, and names each such file.

The style is .clang-format at the root of the tree. The version of clang-format is fixed, since every version
breaks some lines in another way; scripts/setup installs it. Golden tests are left alone: their lines carry
expectations, and some of them are ugly on purpose.

Usage: format.py ROOT [--fix]     (the folder that holds src/ and tests/; --fix formats the files)
Exit: 0 all are formatted, 1 some are not, 2 clang-format cannot be run.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys

PROGRAM = "clang-format-19"
FOLDERS = ("src", "tests/unit", "tests/cli", "tests/fuzz")  # a folder that does not exist holds nothing
SUFFIXES = (".cpp", ".h")  # .def files are tables with columns of their own
AT_ONCE = 20  # files for one process


def sources(root):
    return sorted(p for folder in FOLDERS for p in (root / folder).rglob("*") if p.suffix in SUFFIXES)


def differing(root, files):
    """Those of `files` that clang-format would change."""
    run = subprocess.run([PROGRAM, "--dry-run", "--fcolor-diagnostics=0", "-Werror", "--style=file", *map(str, files)],
                         capture_output=True, text=True, cwd=root)
    if run.returncode == 0:
        return []
    if len(files) == 1:
        if "code should be clang-formatted" not in run.stderr:
            raise OSError(f"{PROGRAM}: {run.stderr.strip()}")
        return files
    return [f for file in files for f in differing(root, [file])]


def main():
    parser = argparse.ArgumentParser(description="Are all sources formatted?")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--fix", action="store_true", help="format them")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    files = sources(root)
    if not files:
        print(f"format: no sources below {root}", file=sys.stderr)
        return 2
    parts = [files[i:i + AT_ONCE] for i in range(0, len(files), AT_ONCE)]
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            different = [f for part in pool.map(lambda some: differing(root, some), parts) for f in part]
        if arguments.fix and different:
            subprocess.run([PROGRAM, "-i", "--style=file", *map(str, different)], check=True, cwd=root)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"format: {error}", file=sys.stderr)
        return 2
    for file in different:
        print(f"{file.relative_to(root)}: {'formatted' if arguments.fix else f'differs from what {PROGRAM} makes of it'}")
    if different and not arguments.fix:
        print("format: `tests/style/format.py . --fix` formats them")
        return 1
    print(f"format: {len(files)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
