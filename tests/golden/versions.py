#!/usr/bin/env python3
"""Runs the golden tests of Python against the headers of every CPython the machine has.

The same API is spelled as macros in old headers, as inline functions in newer ones, and with immortal objects since
3.12; the findings have to be the same. Headers are looked for under the system's include folder and where pyenv keeps
its versions; the last line says which were used. Versions in KNOWN still differ: a number
of surprises that must not grow.

Usage: versions.py --reckon PROGRAM AREA
Exit: 0 all as expected, 1 more surprises than known in some version, 77 no headers found.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
KNOWN = {"3.8": 275, "3.9": 11, "3.10": 9, "3.12": 3}  # version: surprises; 3.8: _Py_DECREF has its object third


def headers():
    """{"3.11": folder}, each with a Python.h; the system's own first."""
    found = {}
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv")) / "versions"
    for folder in [*pathlib.Path("/usr/include").glob("python3.*"), *pyenv.glob("*/include/python*")]:
        version = re.fullmatch(r"python(3\.\d+)", folder.name)
        if version and (folder / "Python.h").is_file() and version.group(1) >= "3.8" or version and len(version.group(1)) > 3:
            if (folder / "Python.h").is_file():
                found.setdefault(version.group(1), folder)
    return dict(sorted(found.items(), key=lambda item: [int(n) for n in item[0].split(".")]))


def main():
    parser = argparse.ArgumentParser(description="Golden tests against the headers of several versions.")
    parser.add_argument("--reckon", required=True, help="the program to test")
    parser.add_argument("area", type=pathlib.Path)
    arguments = parser.parse_args()
    versions, failed = headers(), False
    if not versions:
        print("versions: no headers found")
        return SKIPPED
    for version, folder in versions.items():
        with tempfile.TemporaryDirectory() as scratch:
            area = pathlib.Path(scratch) / arguments.area.name
            shutil.copytree(arguments.area, area)
            (area / "flags").write_text(f"-I. -I{folder}\n")
            run = subprocess.run([sys.executable, str(HERE / "run.py"), "--reckon", arguments.reckon, str(area)],
                                 capture_output=True, text=True)
        count = re.search(r"(\d+) idioms, (\d+) right.*surprises (\d+)", run.stdout)
        if not count:
            print(f"{version}: not run: {run.stderr.strip() or run.stdout.strip()[-300:]}")
            failed = True
            continue
        surprises = int(count.group(3))
        print(f"{version}: {count.group(2)} of {count.group(1)} idioms right, {surprises} surprises ({folder})")
        if surprises > KNOWN.get(version, 0):
            failed = True
            print("".join(f"  {line}\n" for line in run.stdout.splitlines()[:40]), end="")
    print(f"versions: {', '.join(versions)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
